package lobby

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds of texts by people.
const (
	MaxName      = 16  // bytes, which are characters
	MaxChat      = 200 // characters of a chat line
	maxCombining = 2   // combining marks on one character
)

// CleanText makes one harmless line of what somebody typed: no control, format (bidirectional,
// zero-width), private or unassigned characters, at most two combining marks in a row, single
// spaces, at most limit characters.
func CleanText(text string, limit int) string {
	var b strings.Builder
	n, marks, space := 0, 0, false
	for _, r := range text {
		if n >= limit || space && n+1 >= limit {
			break
		}
		switch {
		case r == utf8.RuneError:
			continue
		case unicode.IsSpace(r):
			space = b.Len() > 0
			continue
		case unicode.In(r, unicode.Mn, unicode.Me, unicode.Mc):
			if marks++; marks > maxCombining || b.Len() == 0 {
				continue
			}
		case !unicode.IsGraphic(r):
			continue
		default:
			marks = 0
		}
		if space {
			b.WriteByte(' ')
			n++
			space = false
		}
		b.WriteRune(r)
		n++
	}
	return b.String()
}

// reservedPrefixes are the beginnings of names that the server gives out or that would pass for it.
var reservedPrefixes = []string{"guest", "admin", "server", "ayumu", "system", "moderator", "deleted"}

// CheckName says whether somebody may call himself so (apart from its being taken): 2 to 16
// letters, digits, '-' and '_' of ASCII, the first a letter, and not a reserved beginning.
func CheckName(name string) error {
	if len(name) < 2 || len(name) > MaxName {
		return errorf(CodeBadRequest, "a name has 2 to %d characters", MaxName)
	}
	for i, c := range []byte(name) {
		letter := c|0x20 >= 'a' && c|0x20 <= 'z'
		if i == 0 && !letter {
			return errorf(CodeBadRequest, "a name begins with a letter")
		}
		if !letter && (c < '0' || c > '9') && c != '-' && c != '_' {
			return errorf(CodeBadRequest, "a name has only letters a to z, digits, - and _")
		}
	}
	look := Skeleton(name)
	for _, r := range reservedPrefixes {
		if strings.HasPrefix(look, Skeleton(r)) {
			return errorf(CodeNotAllowed, "names that begin with %q are the server's", r)
		}
	}
	return nil
}

var lookAlikes = strings.NewReplacer("-", "", "_", "", "0", "o", "1", "l", "i", "l", "5", "s", "rn", "m", "vv", "w")

// Skeleton maps a name to what it looks like at a glance: names with the same skeleton are one
// name as far as being taken goes.
func Skeleton(name string) string { return lookAlikes.Replace(strings.ToLower(name)) }

// nameLike makes of any text the nearest thing that CheckName takes.
func nameLike(hint string) string {
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

// Plural counts things: "1 turn", "3 turns", "2 matches".
func Plural(n int, what string) string {
	switch {
	case n == 1:
		return "1 " + what
	case strings.HasSuffix(what, "ch"):
		what += "e"
	}
	return strconv.Itoa(n) + " " + what + "s"
}
