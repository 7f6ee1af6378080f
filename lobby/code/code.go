// Package code makes the random codes and ids that people type. It imports only the standard library.
package code

import (
	"crypto/rand"
	"encoding/base32"
	"strings"
)

// Alphabet has the 32 digits and letters of all codes and ids, without letters that are easily confused.
const Alphabet = "0123456789abcdefghjkmnpqrstvwxyz"

var encoding = base32.NewEncoding(Alphabet).WithPadding(base32.NoPadding)

// Random returns a random text of at least bits bits, 5 for each character, for which IsText holds.
func Random(bits int) string {
	b := make([]byte, (bits+39)/40*5)
	rand.Read(b)
	return encoding.EncodeToString(b)[:(bits+4)/5]
}

// IsText reports whether a text has only characters of codes, in lower case.
func IsText(text string) bool { return strings.Trim(text, Alphabet) == "" }
