package admin_test

import (
	"errors"
	"strings"
	"testing"
	"time"
	"unicode"

	"ayumu/lobby"
	"ayumu/lobby/club"
	"ayumu/lobby/errcode"
	"ayumu/lobby/lobbytest"
	"ayumu/tui/admin"
	"ayumu/tui/op"
)

// FuzzCommands runs any words as a command of each role, one a line, and then any JSON object as its arguments: what is not allowed
// is refused, and the output is text that a terminal can display.
func FuzzCommands(f *testing.F) {
	for _, text := range []string{"help", "invite\n3\n2d", "ban\nSHA256:x\n1h\nno", "ban\n10.0.0.0/8\nforever", "mute\nana\n30m\nloud", "kick\nana",
		"bans", "reports", "audit", "announce\nhello\nall", "unban\n::1", "ban\nfe80::1%eth0\n1d", "invite\n-1", "mute\nana\n99999999d", "mute\nana\n1e9h", "\x1b[2J",
		"members", "member\nana", "rename\nana\nbo", "remove\nana", "role\nana\nowner", "invitations", "revoke\n1", "statistics", "post\nfrom=1h\nA:\nb", "message\n-", "done\n1", "close\nlobby", "open\nlobby"} {
		f.Add(text, 3, `{"name":"ana","duration":"7d","target":"ana","text":"A: b"}`)
		f.Add(text, 2, `{"duration":"forever"}`)
	}
	operations := op.NewOperations(append(op.All(), admin.All()...)...)
	f.Fuzz(func(t *testing.T, text string, role int, object string) {
		db := lobbytest.Store(t)
		if _, err := db.CreateAccount(t.Context(), "ana", []byte("key"), time.Now()); err != nil {
			t.Fatal(err)
		}
		c, err := club.New(t.Context(), db)
		if err != nil {
			t.Fatal(err)
		}
		actor := club.Actor{Role: club.Role(role&3) + club.RoleGuest, Name: "actor"}
		v := (&op.Config{Operations: operations, Moderator: c.Moderator(actor), Manager: c.Manager(actor), Bulletin: &c.Bulletin, SSHTarget: "club"}).Command()
		o, name, rest := operations.ForSSHWords(append([]string{"admin"}, strings.Split(text, "\n")...))
		run := func(call op.Call, err error) {
			said := ""
			var r op.Result
			if err == nil {
				r, err = call.Run(t.Context(), v)
			}
			if err == nil {
				if p := o.Info().Permission; p != "" && !actor.Role.Has(p) {
					t.Errorf("a %s gave %q", actor.Role, text)
				}
				var out strings.Builder
				if err := op.WriteText(&out, r.Text()); err != nil {
					t.Fatal(err)
				}
				said = out.String()
			} else if _, said = lobby.PublicError(err); !errors.As(err, new(*errcode.Error)) {
				t.Errorf("%q failed: %v", text, err)
			}
			for _, r := range said {
				if r != '\n' && !unicode.IsGraphic(r) {
					t.Errorf("%q says %q", text, said)
				}
			}
			// What was stored can be read again, and no sanction lacks a duration and bans everybody.
			if err := c.ReloadSanctions(t.Context()); err != nil {
				t.Error(err)
			}
		}
		run(o.ParseWords(v, name, rest))
		run(o.ParseJSON(v, []byte(object)))
	})
}

// FuzzDuration: a duration is permanent, or positive and below the range of a date, as a word and in JSON.
func FuzzDuration(f *testing.F) {
	for _, text := range []string{"30m", "7d", "forever", "0", "-1h", "99999999999999999999d", "1d2h", "1e3h", "36500d", "36501d", "876001h", "d"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var duration admin.Duration
		err := duration.ParseWord(nil, text)
		d, unset := duration.Value()
		switch {
		case err != nil && len(err.Error()) > 300:
			t.Errorf("an error of %d bytes", len(err.Error()))
		case (err == nil) != (unset == nil):
			t.Errorf("%q: %v, but its value: %v", text, err, unset)
		case err == nil && (d == club.Permanent) != (text == "forever"), d < 0, d > 36500*24*time.Hour:
			t.Errorf("%q lasts %v", text, d)
		case err == nil && text == "36501d":
			t.Errorf("%q lasts %v, which is shorter", text, d)
		}
	})
}
