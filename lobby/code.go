package lobby

import (
	"crypto/rand"
	"encoding/base32"
	"strings"
)

// codeAlphabet has the 32 digits and letters of all codes and ids, without letters that are easily confused.
const codeAlphabet = "0123456789abcdefghjkmnpqrstvwxyz"

var codeEncoding = base32.NewEncoding(codeAlphabet).WithPadding(base32.NoPadding)

// RandomCode returns a random code or id of at least bits bits, 5 for each character, for which IsCodeText holds.
func RandomCode(bits int) string {
	b := make([]byte, (bits+39)/40*5)
	rand.Read(b)
	return codeEncoding.EncodeToString(b)[:(bits+4)/5]
}

// IsCodeText reports whether a text has only characters of codes, in lower case.
func IsCodeText(text string) bool { return strings.Trim(text, codeAlphabet) == "" }
