package access

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"
	"unicode"

	"ayumu/engine/enginetest"
	"ayumu/lobby"
	"ayumu/lobby/store/sqlite"
)

// FuzzOrders runs any words as a command of each role, one a line: what is not allowed is refused, and the
// output is text that a terminal can display.
func FuzzOrders(f *testing.F) {
	for _, text := range []string{"help", "invite\n3\n2d", "ban\nSHA256:x\n1h\nno", "ban\n10.0.0.0/8\nforever", "mute\nana\n30m\nloud", "kick\nana",
		"bans", "reports", "audit", "announce\nhello\nall", "unban\n::1", "ban\nfe80::1%eth0\n1d", "invite\n-1", "mute\nana\n99999999d", "mute\nana\n1e9h", "\x1b[2J"} {
		f.Add(text, 3)
		f.Add(text, 2)
	}
	f.Fuzz(func(t *testing.T, text string, role int) {
		db, err := sqlite.OpenMemory(enginetest.Games)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		if _, err := db.CreateAccount(t.Context(), "ana", []byte("key"), time.Now()); err != nil {
			t.Fatal(err)
		}
		authorizer, err := NewAuthorizer(t.Context(), db, PublicPolicy())
		if err != nil {
			t.Fatal(err)
		}
		m := &Moderation{Authorizer: authorizer, Connections: new(Connections), SSHTarget: "club"}
		who, words := Role(role&3)+RoleGuest, strings.Split(text, "\n")
		var out bytes.Buffer
		err = m.Run(context.Background(), "actor", who, words, &out)
		if err == nil && words[0] != "help" && words[0] != "" && !who.Can(Action(words[0])) {
			t.Errorf("a %s gave %q", who, words)
		}
		said := out.String()
		if err != nil {
			if !errors.As(err, new(*lobby.Error)) {
				t.Errorf("%q failed: %v", words, err)
			}
			_, message := lobby.PublicError(err)
			said += message
		}
		for _, r := range said {
			if r != '\n' && !unicode.IsGraphic(r) {
				t.Errorf("%q says %q", words, said)
			}
		}
		// What was stored can be read again, and no sanction lacks a duration and bans everybody.
		if err := authorizer.reloadSanctions(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// FuzzDuration: a duration is permanent, or positive and below the range of a date.
func FuzzDuration(f *testing.F) {
	for _, text := range []string{"30m", "7d", "forever", "0", "-1h", "99999999999999999999d", "1d2h", "1e3h", "36500d", "876001h", "d"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, err := parseDuration(text)
		switch {
		case err != nil && len(err.Error()) > 300:
			t.Errorf("an error of %d bytes", len(err.Error()))
		case err == nil && (d == 0) != (text == "forever"), d < 0, d > 36500*24*time.Hour:
			t.Errorf("%q lasts %v", text, d)
		}
	})
}

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
		if lobby.CheckName(user) == nil {
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
