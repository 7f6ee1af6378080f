package lobby

import (
	"crypto/rand"
	"encoding/base32"
	"strings"

	"ayumu/lobby/table"
)

// codeAlphabet has the 32 digits and letters of all codes and ids, without letters that are easily confused.
const codeAlphabet = "0123456789abcdefghjkmnpqrstvwxyz"

var codeEncoding = base32.NewEncoding(codeAlphabet).WithPadding(base32.NoPadding)

// RandomCode returns a random text of at least bits bits, 5 for each character, for which IsCodeText holds.
func RandomCode(bits int) string {
	b := make([]byte, (bits+39)/40*5)
	rand.Read(b)
	return codeEncoding.EncodeToString(b)[:(bits+4)/5]
}

// IsCodeText reports whether a text has only characters of codes, in lower case.
func IsCodeText(text string) bool { return strings.Trim(text, codeAlphabet) == "" }

// FindByCode returns the id of the open private table or of the running private match with this code; both
// are empty if there is none. A code has 50 random bits, so that guessing finds nothing.
func (s *Session) FindByCode(code string) (tableID, matchID string) {
	l := s.l
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, t := range l.tables.Set.Open() {
		if t.HasCode(code) {
			return t.ID, ""
		}
	}
	for id, m := range l.matches.byID {
		if m.Info.Private && table.CodesEqual(m.liveSnapshot.Load().Code, code) {
			matchID = id
		}
	}
	return "", matchID
}
