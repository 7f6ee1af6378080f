package club

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"ayumu/lobby/account"
)

// FuzzCode: a text with the form of a code decodes without loss, in upper and lower case, and is not a
// valid name.
func FuzzCode(f *testing.F) {
	for _, text := range []string{"0123456789abcdefghjk", "0123456789ABCDEFGHJK", "ana", "", "0123456789abcdefghji", "０123456789abcdefgh", "\u212a0123456789abcdef"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, user string) {
		if !IsInviteCode(user) {
			return
		}
		if account.CheckName(user) == nil {
			t.Errorf("%q is a name and a code", user)
		}
		if !bytes.Equal(hashCode(user), hashCode(strings.ToUpper(user))) {
			t.Errorf("%q is another code in capitals", user)
		}
		if b, err := json.Marshal(user); err != nil || len(b) != codeLength+2 {
			t.Errorf("%q is written as %s", user, b)
		}
	})
}
