package command_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"ayumu/lobby/club"
	"ayumu/lobby/lobbytest"
	"ayumu/server/command"
	"ayumu/tui/admin"
	"ayumu/tui/op"
)

// TestAnnouncementsInAShell: they are listed newest first, as text and as JSON, and written with the command admin.
func TestAnnouncementsInAShell(t *testing.T) {
	c, err := club.New(t.Context(), lobbytest.Store(t))
	if err != nil {
		t.Fatal(err)
	}
	role := club.RoleServerOwner
	run := func(words ...string) (out string, status int) {
		var o, e bytes.Buffer
		mod := c.Moderator(club.Actor{Role: role, Name: "mod"})
		status = command.Run(t.Context(), &op.Config{Operations: op.NewOperations(append(op.All(), admin.All()...)...), Bulletin: &c.Bulletin, Moderator: mod, SSHTarget: "HOST"}, &o, &e, words)
		return o.String() + e.String(), status
	}
	if out, status := run("announcements"); out != "No announcements.\n" || status != 0 {
		t.Errorf("exit %d: %s", status, out)
	}
	tomorrow := time.Now().UTC().AddDate(0, 0, 1).Format(time.DateOnly)
	for _, c := range []struct {
		line, want string
		status     int
	}{
		{"admin post Club evening: Friday at 19:00", "Announcement 1, shown from ", 0},
		{"admin post from=" + tomorrow + " until=forever Ladder: It begins: join", "Announcement 2, shown from " + tomorrow + " 00:00 UTC permanently", 0},
		{"admin post from=2099-01-01 Later: In many years", "Announcement 3, shown from 2099-01-01 00:00 UTC until 2099-01-08 00:00 UTC", 0},
		{"admin withdraw 3", "The announcement is withdrawn.", 0},
		{"admin bans", "No sanctions in force.", 0},
		{"admin reports", "No open reports.", 0},
		{"admin post no colon", "usage: admin post", 1},
		{"admin post until=yesterday A: b", "is not a time", 1},
		{"admin withdraw 9", "there is no announcement 9", 1},
		{"admin withdraw x", "is not an id", 1},
		{"admin announce restart at eight", "", 0},
		{"admin message", "No message is set here", 0},
		{"admin message Welcome to the club", "", 0},
		{"admin message", "Welcome to the club", 0},
		{"admin message -", "", 0},
		{"admin message", "No message is set here", 0},
		{"admin withdraw 1", "", 0},
		{"announcements more", "more works only in a session", 1},
		{"announcements", "4  Notice · mod, ", 0},
		{"announcements", "2  Ladder · mod, ", 0},
		{"announcements", "It begins: join\n", 0},
		{"announcements --json", `{"announcements":[{"id":"4","text":"restart at eight"`, 0},
	} {
		if out, status := run(strings.Fields(c.line)...); !strings.Contains(out, c.want) || status != c.status {
			t.Errorf("%s: exit %d: %s", c.line, status, out)
		}
	}
	role = club.RolePlayer
	if out, _ := run("announcements"); strings.Contains(out, "Ladder") || !strings.Contains(out, "1  Club evening") {
		t.Errorf("a player reads %s", out)
	}
}
