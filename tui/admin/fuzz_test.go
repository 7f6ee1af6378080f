package admin

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"
	"unicode"

	"ayumu/lobby"
	"ayumu/lobby/club"
	"ayumu/lobby/lobbytest"
)

// FuzzCommands runs any words as a command of each role, one a line: what is not allowed is refused, and the
// output is text that a terminal can display.
func FuzzCommands(f *testing.F) {
	for _, text := range []string{"help", "invite\n3\n2d", "ban\nSHA256:x\n1h\nno", "ban\n10.0.0.0/8\nforever", "mute\nana\n30m\nloud", "kick\nana",
		"bans", "reports", "audit", "announce\nhello\nall", "unban\n::1", "ban\nfe80::1%eth0\n1d", "invite\n-1", "mute\nana\n99999999d", "mute\nana\n1e9h", "\x1b[2J"} {
		f.Add(text, 3)
		f.Add(text, 2)
	}
	f.Fuzz(func(t *testing.T, text string, role int) {
		db := lobbytest.Store(t)
		if _, err := db.CreateAccount(t.Context(), "ana", []byte("key"), time.Now()); err != nil {
			t.Fatal(err)
		}
		c, err := club.New(t.Context(), db)
		if err != nil {
			t.Fatal(err)
		}
		who, words := club.Role(role&3)+club.RoleGuest, strings.Split(text, "\n")
		var out bytes.Buffer
		err = Run(t.Context(), Env{Moderator: c.Moderator(club.Actor{Role: who, Name: "actor"}), SSHTarget: "club", Out: &out}, words)
		for _, known := range commands {
			if err == nil && words[0] == known.name && !who.Has(known.permission) {
				t.Errorf("a %s gave %q", who, words)
			}
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
		if err := c.ReloadSanctions(t.Context()); err != nil {
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
		case err == nil && (d == club.Permanent) != (text == "forever"), d < 0, d > 36500*24*time.Hour:
			t.Errorf("%q lasts %v", text, d)
		}
	})
}
