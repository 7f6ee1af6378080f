package command_test

import (
	"bytes"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/clock"
	"ayumu/lobby/lobbytest"
	"ayumu/lobby/table"
	"ayumu/server/command"
	"ayumu/tui/game/gametest"
	"ayumu/tui/op"
)

// TestGamesOverDaysInAShell: a vacation and conditional moves are listed, begun or added, and ended or deleted.
func TestGamesOverDaysInAShell(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := lobbytest.New(t, lobby.Config{Store: lobbytest.Store(t)})
		ana, bob := lobbytest.Member(t, l, "ana"), lobbytest.Member(t, l, "bob")
		id := lobbytest.Start(t, ana, bob, table.Proposal{Game: "ayu", Options: []byte(`{"size":7,"pie":false}`), First: table.FirstOwner, Clock: &clock.Control{Days: 3}})
		p, err := ana.AsPlayer(id)
		if err != nil {
			t.Fatal(err)
		}
		run := func(a *account.Account, line string) (out string, status int) {
			var o, e bytes.Buffer
			status = command.Run(t.Context(), &op.Config{Lobby: l, Games: gametest.Games, Account: a, SSHTarget: "HOST"}, &o, &e, strings.Fields(strings.ReplaceAll(line, "ID", id)))
			return o.String() + e.String(), status
		}
		a, other := ana.Account(), bob.Account()
		if out, _ := run(&a, "conditions ID a2-a3 then d1-d2"); !strings.Contains(out, "it is your turn") {
			t.Errorf("at the own turn: %s", out)
		}
		if _, err := p.Act(t.Context(), 0, []string{"b1-b2"}); err != nil {
			t.Fatal(err)
		}
		until := time.Now().Add(5 * 24 * time.Hour).UTC()
		for _, c := range []struct {
			account    *account.Account
			line, want string
			status     int
		}{
			{nil, "vacation", "you have no account here", 1},
			{&a, "vacation", "You are not on vacation; 21 days left, of 21 in any 365.", 0},
			{&a, "vacation soon", "enter a number of days, or off", 1},
			{&a, "vacation off", "you are not on vacation", 1},
			{&a, "vacation 22", "a vacation lasts 1 to 21 days", 1},
			{&a, "vacation 5 days", "unexpected \"days\"; usage: vacation [DAYS|off]", 1},
			{&a, "vacation 5", "You are on vacation until " + until.Format("2 Jan 2006") + "; 16 days left, of 21 in any 365.", 0},
			{&a, "vacation --json", `{"until":"` + until.Format(time.RFC3339) + `","left":16,"allowed":21}`, 0},
			{&a, "vacation off", "You are not on vacation; 20 days left, of 21 in any 365.", 0},
			{nil, "conditions ID", "you have no account here", 1},
			{&a, "conditions", "usage: conditions MATCH", 1},
			{&a, "conditions nothing", "there is no game", 1},
			{&a, "conditions ID", "You have no conditional moves.\n", 0},
			{&a, "conditions ID a2-a3 then a1-a2", "a1", 1},
			{&a, "conditions ID a2-a3 then d1-d2", "Conditional move 1: if a2-a3 then d1-d2.\n", 0},
			{&a, "conditions ID c2-c3 then d1-d2, if a2-a3 then f1-f2", "Conditional move 2: if c2-c3 then d1-d2, if a2-a3 then f1-f2.\n", 0},
			{&a, "conditions ID --json", `{"version":1,"revision":2,"conditions":[[["a2-a3"],["d1-d2"]],[["c2-c3"],["d1-d2"],["a2-a3"],["f1-f2"]]]}`, 0},
			{&other, "conditions ID", "You have no conditional moves.\n", 0},
			{&a, "conditions ID clear 3", "there is no conditional move 3", 1},
			{&a, "conditions ID clear 1", "Conditional move 1: if c2-c3 then d1-d2, if a2-a3 then f1-f2.\n", 0},
			{&a, "conditions ID clear all", "You have no conditional moves.\n", 0},
		} {
			if out, status := run(c.account, c.line); !strings.Contains(out, c.want) || status != c.status {
				t.Errorf("%s: exit %d: %s, want %s", c.line, status, out, c.want)
			}
		}
		if _, status := run(&a, "conditions ID"); status != 0 || l.View().Users.Len() != 2 {
			t.Errorf("exit %d, %d users", status, l.View().Users.Len())
		}
	})
}

// TestGuestsChangeNothingInAShell: what a guest changed would be gone after the command.
func TestGuestsChangeNothingInAShell(t *testing.T) {
	h := open(t)
	h.member("bob")
	h.refused(nil, "block bob", "you have no account here")
	if got := h.must(nil, "blocks"); got != "You have not blocked anyone.\n" {
		t.Errorf("blocks of a guest: %s", got)
	}
}
