package account

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"ayumu/lobby/errcode"
)

// MaxName is the maximum length of a name in bytes; names are ASCII.
const MaxName = 16

// reservedPrefixes are beginnings of names that the server uses or that users could mistake for the
// server's.
var reservedPrefixes = []string{"guest", "admin", "server", "ayumu", "system", "moderator", "deleted"}

// reservedNames are names that say nothing about a person but look like a right: programs in containers connect as root.
var reservedNames = []string{"root"}

// CheckName returns why name cannot be an account's name; it does not check whether it is taken. A name has
// 2 to 16 ASCII letters, digits, '-' and '_', begins with a letter, not with a reserved prefix, and is not a reserved name.
func CheckName(name string) error {
	if len(name) < 2 || len(name) > MaxName {
		return errcode.Errorf(errcode.BadRequest, "a name has 2 to %d characters", MaxName)
	}
	for i, c := range []byte(name) {
		letter := c|0x20 >= 'a' && c|0x20 <= 'z'
		if i == 0 && !letter {
			return errcode.Errorf(errcode.BadRequest, "a name begins with a letter")
		}
		if !letter && (c < '0' || c > '9') && c != '-' && c != '_' {
			return errcode.Errorf(errcode.BadRequest, "a name has only letters a to z, digits, - and _")
		}
	}
	look := Skeleton(name)
	for _, r := range reservedNames {
		if look == Skeleton(r) {
			return errcode.Errorf(errcode.NotAllowed, "nobody can have the name %q; choose another", r)
		}
	}
	for _, r := range reservedPrefixes {
		if strings.HasPrefix(look, Skeleton(r)) {
			return errcode.Errorf(errcode.NotAllowed, "names cannot begin with %q; choose another", r)
		}
	}
	return nil
}

var lookAlikes = strings.NewReplacer("-", "", "_", "", "0", "o", "1", "l", "i", "l", "5", "s", "rn", "m", "vv", "w")

// Skeleton returns what name looks like at a glance. Names with the same skeleton cannot both be taken.
func Skeleton(name string) string { return lookAlikes.Replace(strings.ToLower(name)) }

// NameLike returns a name that CheckName accepts and that is as similar to hint as possible.
func NameLike(hint string) string {
	keep := func(r rune) rune {
		if r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_') {
			return r
		}
		return -1
	}
	name := strings.TrimLeft(strings.Map(keep, hint), "-_0123456789")
	name = name[:min(len(name), MaxName)]
	if CheckName(name) != nil {
		return "player"
	}
	return name
}
