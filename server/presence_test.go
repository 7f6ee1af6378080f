package server_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/limit"
	"ayumu/server/servertest"
)

// TestCommandsAreNoPresence: a player who has left a live game is away since then, whatever commands they run.
func TestCommandsAreNoPresence(t *testing.T) {
	if testing.Short() {
		t.Skip("an absence is shown after 5 s")
	}
	h := open(t)
	anaKey := servertest.NewKey(t)
	ana, bob := h.program("ana", anaKey), h.program("bob", servertest.NewKey(t))
	table := ana.must("open", object{"game": "ayu", "clock": object{"initial": 600}}).text("table")
	match := bob.must("join", object{"table": table}).text("match")
	ana.client.Close()
	commands, guest := h.dial("ana", anaKey), h.dial("guest", nil)
	online := func() bool { return strings.Contains(output(t, guest, "who"), "ana") }
	servertest.Until(t, "ana is gone", func() bool { return h.l.View().Users.Named("ana") == nil })
	gone := time.Now()
	watching, err := commands.NewSession()
	if err != nil {
		t.Fatal(err)
	}
	var out servertest.Buffer
	watching.Stdout = &out
	if err := watching.Start("watch " + match); err != nil {
		t.Fatal(err)
	}
	servertest.Until(t, "the command watches", func() bool { return strings.Contains(out.String(), "ana") })
	again := time.NewTicker(time.Second) // below the limits of sessions
	defer again.Stop()
	servertest.Until(t, "whoever runs commands is away", func() bool {
		<-again.C
		for _, line := range []string{"vacation", "conditions " + match} {
			output(t, commands, line)
		}
		if online() {
			t.Fatal("a command is presence")
		}
		for len(bob.objects) > 0 {
			bob.waiting = append(bob.waiting, <-bob.objects)
		}
		return slices.ContainsFunc(bob.waiting, func(o object) bool { return o.text("event") == "away" })
	})
	since, err := time.Parse(time.RFC3339, bob.event("away").text("since"))
	if err != nil || since.After(gone) {
		t.Errorf("away since %v, %v, gone at %v", since, err, gone)
	}
}

// output returns what a command writes, on a connection that can have several.
func output(t *testing.T, c *ssh.Client, line string) string {
	t.Helper()
	s, err := c.NewSession()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	out, _ := s.Output(line) // also of a command that fails
	return string(out)
}

// TestCommandsAreChargedToTheirAddress: what commands cost counts for the address, also where each connection is that of
// another guest, or the account is a bot's.
func TestCommandsAreChargedToTheirAddress(t *testing.T) {
	h := open(t)
	anaKey := servertest.NewKey(t)
	ana := h.program("ana", anaKey)
	match := ana.must("open", object{"game": "ayu", "clock": object{"days": 3}}).text("table")
	match = h.program("bob", servertest.NewKey(t)).must("join", object{"table": match}).text("match")
	for _, c := range []struct {
		line  string
		work  limit.Work
		guest bool
	}{
		{"conditions " + match, limit.WorkCondition, false}, {"vacation 1", limit.WorkAccount, false},
		{"waiting", limit.WorkArchive, false}, {"watch " + match, limit.WorkHistory, true},
	} {
		key := anaKey
		if c.guest {
			ana.must("resign", object{"match": match}) // so that the command ends
			key = nil
		}
		for other := account.ID(1000); h.l.Budgets.Reserve(lobby.NewPayer(other, loopback), c.work, 0) < time.Minute; other++ {
		}
		if _, errs, status := h.command(key, c.line); status == 0 || !strings.Contains(errs, "too") {
			t.Errorf("%s of an address without a budget: exit %d, %q", c.line, status, errs)
		}
	}
}
