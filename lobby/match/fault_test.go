package match

import (
	"testing"
	"time"

	"ayumu/lobby/clock"
)

// TestFaults has who is at fault for how a match ended.
func TestFaults(t *testing.T) {
	claim := func(n *node) { n.want(n.do(Command{Kind: CommandClaim, Seat: 1, Claim: "win"}), "") }
	abort := func(seat int) func(*node) {
		return func(n *node) { n.want(n.do(Command{Kind: CommandAbort, Seat: seat}), "") }
	}
	rated := func(info *Info) *Info { info.Rated = true; return info }
	withBot := func(info *Info) *Info { info.Seats[1].Bot = true; return info }
	excused := func(n *node) { n.now.Presence[0].Excused = true }
	restart := func(n *node) {
		n.state, _ = New(n.state.Info, append([]Entry(nil), n.log.entries...))
		n.handle(Input{Kind: InputBegin, Resumed: true})
	}
	do := func(all ...func(*node)) func(*node) {
		return func(n *node) {
			for _, f := range all {
				f(n)
			}
		}
	}
	play := func(turns int) func(*node) { return func(n *node) { n.play(turns) } }
	wait := func(d time.Duration) func(*node) { return func(n *node) { n.wait(d) } }
	leave := func(n *node) { n.leave(0, false) }
	slow := clock.Control{Initial: 90 * time.Second, Increment: 10 * time.Second}
	for _, c := range []struct {
		what string
		info *Info
		do   func(*node)
		seat int // at fault; -1: none
	}{
		{"an abort", duel(t, live), abort(1), 1},
		{"a rated abort", rated(duel(t, live)), abort(0), 0},
		{"an abort without a clock", duel(t, untimed), abort(0), 0},
		{"an abort in one's turn", duel(t, live), do(play(1), abort(1)), 1},
		{"an abort of a correspondence game", duel(t, inDays), abort(0), -1},
		{"an abort of a game with a bot", withBot(duel(t, live)), abort(0), -1},
		{"the opponent is away", duel(t, live), do(leave, wait(6*time.Second), abort(1)), -1},
		{"the opponent has just gone", duel(t, live), do(leave, wait(time.Second), abort(1)), 1},
		{"the opponent has long not moved", duel(t, live), do(wait(30*time.Second), abort(1)), -1},
		{"the opponent thinks", duel(t, live), do(wait(29*time.Second), abort(1)), 1},
		{"the opponent has long not moved, without a clock", duel(t, untimed), do(wait(30*time.Second), abort(1)), -1},
		{"who has not moved aborts", duel(t, live), do(wait(50*time.Second), abort(0)), 0},

		{"no first turn", duel(t, live), wait(2 * time.Minute), 0},
		{"no second turn", duel(t, live), do(play(1), wait(2*time.Minute)), 1},
		{"no first turn against a bot", withBot(duel(t, live)), wait(2 * time.Minute), -1},
		{"no first turn after a restart", duel(t, live), do(wait(30*time.Second), restart, wait(3*time.Minute)), -1},
		{"no second turn after a restart", duel(t, live), do(play(1), restart, wait(3*time.Minute)), -1},
		{"no second turn after a restart before the first", duel(t, live), do(restart, wait(time.Second), play(1), wait(3*time.Minute)), 1},
		{"not seen since the restart", duel(t, live), do(excused, wait(2*time.Minute)), -1},
		{"no first turn of three", three(t, live), wait(2 * time.Minute), 0},

		{"a claim", rated(duel(t, live)), do(play(2), leave, wait(graceLeft+time.Second), claim), 0},
		{"a casual claim", duel(t, live), do(play(2), leave, wait(graceLeft+time.Second), claim), -1},
		{"a claim after a restart", rated(duel(t, live)), do(play(2), leave, excused, wait(graceLeft+time.Second), claim), -1},
		{"a claimed draw", rated(duel(t, live)), do(play(2), leave, wait(graceLeft+time.Second), func(n *node) {
			n.want(n.do(Command{Kind: CommandClaim, Seat: 1, Claim: "draw"}), "")
		}), -1},
		{"voted out", rated(three(t, live)), do(leave, wait(graceLeft+time.Second), func(n *node) {
			n.want(n.do(Command{Kind: CommandVote, Seat: 1, Target: 0}), "")
			n.want(n.do(Command{Kind: CommandVote, Seat: 2, Target: 0}), "")
		}), 0},

		{"a stall", rated(duel(t, live)), do(play(2), wait(11*time.Minute)), 0},
		{"a casual stall", duel(t, live), do(play(2), wait(11*time.Minute)), -1},
		{"a stall over days", rated(duel(t, inDays)), do(play(2), wait(4*24*time.Hour)), -1},
		{"a restart in a stall", rated(duel(t, live)), do(play(2), wait(time.Minute), restart, wait(11*time.Minute)), -1},
		{"half of the time in the last turn", rated(duel(t, live)), do(play(2), wait(5*time.Minute+18*time.Second), play(2), wait(6*time.Minute)), 0},
		{"regular turns", rated(duel(t, live)), do(play(2), wait(5*time.Minute+22*time.Second), play(2), wait(6*time.Minute)), -1},
		{"a short game", rated(duel(t, slow)), do(play(2), wait(2*time.Minute)), -1},
		{"resigned", rated(duel(t, live)), func(n *node) { n.want(n.do(Command{Kind: CommandResign}), "") }, -1},
		{"evicted", duel(t, untimed), func(n *node) { n.handle(Input{Kind: InputEvict}) }, -1},
	} {
		n := start(t, c.info)
		c.do(n)
		if len(c.info.Seats) == 2 && !n.state.IsOver() {
			t.Errorf("%s: the match goes on", c.what)
		}
		for seat, isFault := range Faults(len(c.info.Seats), n.log.entries) {
			if isFault != (seat == c.seat) {
				t.Errorf("%s: seat %d at fault: %t; %+v", c.what, seat, isFault, n.log.entries[len(n.log.entries)-1])
			}
		}
		n.verify()
	}
}
