package lobby_test

import (
	"slices"
	"testing"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/clock"
	"ayumu/lobby/cluster/rows"
	"ayumu/lobby/errcode"
	"ayumu/lobby/match"
	"ayumu/lobby/table"
)

// wantElsewhere compares whether a seat's player is elsewhere, as players and as spectators see it.
func wantElsewhere(t *testing.T, what string, p *lobby.Player, seat int, want bool) {
	t.Helper()
	for who, s := range map[string]*match.Snapshot{"players": p.Snapshot(), "spectators": p.Match().Snapshot()} {
		if s.IsElsewhere(seat) != want {
			t.Errorf("%s: for %s seat %d is elsewhere: %v", what, who, seat, !want)
		}
	}
}

// TestElsewhere: a player of a live game none of whose sessions looks at it is elsewhere after some seconds, which ends at
// once when one does, and is no absence.
func TestElsewhere(t *testing.T) {
	withHarness(t, func(t *testing.T, h harness) {
		ana, bob := h.member("ana"), h.member("bob")
		seats := h.pair(ana, bob, table.Proposal{Options: smallOptions, Clock: &clock.Default})
		p, match := seats[0], seats[0].Match().Info.ID
		watcher, other := ana, bob
		if sit, _ := ana.AsPlayer(match); sit.Seat() == 1 {
			watcher, other = bob, ana
		}
		watcher.LookAt(match)
		advance(4 * time.Second)
		wantElsewhere(t, "after 4 s", p, 1, false)
		advance(2 * time.Second)
		wantElsewhere(t, "after 6 s", p, 1, true)
		wantElsewhere(t, "who looks", p, 0, false)
		if a := p.Snapshot().Away[1]; !a.Since.IsZero() {
			t.Errorf("elsewhere is an absence: %+v", a)
		}
		turn(t, seats)
		turn(t, seats)
		before := p.Snapshot()
		advance(2 * time.Minute)
		if p.Snapshot() != before {
			t.Error("the state is published although nothing changes")
		}
		wantCode(t, "claim", p.Claim(t.Context(), "win"), errcode.NotAllowed)
		other.LookAt("another match")
		advance(0)
		wantElsewhere(t, "at another match", p, 1, true)
		other.LookAt(match)
		advance(0)
		wantElsewhere(t, "back", p, 1, false)
		before = p.Snapshot()
		for range 10 {
			other.LookAt("")
			advance(3 * time.Second)
			other.LookAt(match)
			advance(time.Second)
		}
		if p.Snapshot() != before {
			t.Error("glances are published")
		}
		second := h.enter(other.Account())
		second.LookAt(match)
		other.LookAt("")
		advance(10 * time.Second)
		wantElsewhere(t, "one of two sessions looks", p, 1, false)
		second.Close(false)
		advance(4 * time.Second)
		wantElsewhere(t, "4 s after it ended", p, 1, false)
		advance(2 * time.Second)
		wantElsewhere(t, "6 s after it ended", p, 1, true)
		command, err := h.EnterForCommand(other.Account(), addr1)
		if err != nil {
			t.Fatal(err)
		}
		advance(time.Second)
		command.Close(false)
		wantElsewhere(t, "during a command", p, 1, true)
		program := h.enter(other.Account())
		program.LookAtAll()
		advance(10 * time.Second)
		wantElsewhere(t, "a program", p, 1, false)
		program.Close(false)
		advance(6 * time.Second)
		wantElsewhere(t, "without the program", p, 1, true)
		other.Close(false)
		advance(4 * time.Second)
		wantElsewhere(t, "left, before the absence is shown", p, 1, true)
		advance(2 * time.Second)
		wantElsewhere(t, "left", p, 1, false)
		if a := p.Snapshot().Away[1]; a.Since.IsZero() {
			t.Error("the player has left and is not away")
		}
	})
}

// TestElsewhereIsNotShown in correspondence games and games without a clock, of built-in players, after the end, and to
// spectators of a game with a delay.
func TestElsewhereIsNotShown(t *testing.T) {
	withHarness(t, func(t *testing.T, h harness) {
		bot := h.member("robot")
		bot.Close(false)
		if err := h.store.SetBot(t.Context(), bot.Account().ID, true); err != nil {
			t.Fatal(err)
		}
		ana, bob, bot := h.member("ana"), h.member("bob"), h.member("robot")
		start := func(p table.Proposal, other *lobby.Session) [2]*lobby.Player {
			p.Options = smallOptions
			return h.pair(ana, other, p)
		}
		days := start(table.Proposal{Clock: &clock.Control{Days: 3}}, bob)
		untimed := start(table.Proposal{}, bob)
		late := start(table.Proposal{Clock: &clock.Default, Delay: 2}, bob)
		advance(10 * time.Second)
		for seat := range 2 {
			wantElsewhere(t, "with days", days[0], seat, false)
			wantElsewhere(t, "without a clock", untimed[0], seat, false)
			if s := late[0].Match().Snapshot(); s.IsElsewhere(seat) || !late[0].Snapshot().IsElsewhere(seat) {
				t.Errorf("seat %d of a match with a delay: elsewhere for spectators %v", seat, s.IsElsewhere(seat))
			}
		}
		wantCode(t, "resign", late[0].Resign(t.Context()), "")
		wantElsewhere(t, "after the end", late[0], 0, false)
		robot := start(table.Proposal{Clock: &clock.Default}, bot)
		advance(10 * time.Second)
		for seat, s := range robot[0].Match().Info.Seats {
			wantElsewhere(t, s.Name, robot[0], seat, !s.Bot)
		}
	})
}

// TestElsewhereOnAllNodes: a player is elsewhere if they look at the match on no node.
func TestElsewhereOnAllNodes(t *testing.T) {
	withCluster(t, func(t *testing.T, c *sharedStore, a, b harness) {
		ana, bob, there := c.acrossNodes(a, b)
		match, seat := ana.Match().Info.ID, bob.Seat()
		want := func(what string, want bool) {
			t.Helper()
			c.settle()
			wantElsewhere(t, what+", on the node of the opponent", ana, seat, want)
			wantElsewhere(t, what+", on the other node", bob, seat, want)
		}
		there.LookAt(match)
		advance(10 * time.Second)
		want("at first", false)
		there.LookAt("")
		advance(6 * time.Second)
		want("after 6 s", true)
		here := a.member("bob")
		want("in the lobby of both nodes", false) // what they look at here is not known yet
		advance(6 * time.Second)
		want("6 s later", true)
		here.LookAt(match)
		want("back on the node of the opponent", false)
		here.Close(false)
		want("elsewhere on the other node", true)
		before := c.writes.Load()
		for range 100 {
			there.LookAt(match)
			advance(50 * time.Millisecond)
			there.LookAt("")
			advance(50 * time.Millisecond)
		}
		if n := c.writes.Load() - before; n > 30 { // heartbeats, and that they are back
			t.Errorf("%d writes in 10 s of going back and forth", n)
		}
		advance(6 * time.Second)
		want("after that", true)
		wantCode(t, "resign", bob.Resign(t.Context()), "")
		advance(2 * time.Second)
		found, _, err := c.Changes(t.Context(), "")
		if err != nil || slices.ContainsFunc(found, func(r rows.Row) bool { return r.Kind == "elsewhere" }) {
			t.Errorf("rows after the end: %v, %v", found, err)
		}
	})
}
