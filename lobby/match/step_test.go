package match

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"ayumu/engine"
	"ayumu/lobby/clock"
	"ayumu/lobby/errcode"
)

// TestCommandsAreRefused has commands that a match of two does not accept; it is at version 2 and seat 0 is
// to move.
func TestCommandsAreRefused(t *testing.T) {
	for _, c := range []struct {
		what    string
		command Command
		want    errcode.Code
	}{
		{"stale", Command{Kind: CommandTurn, Version: 1}, errcode.StaleVersion},
		{"future", Command{Kind: CommandTurn, Version: 3}, errcode.StaleVersion},
		{"negative", Command{Kind: CommandTurn, Version: -1}, errcode.StaleVersion},
		{"stale comes before turn", Command{Kind: CommandTurn, Seat: 1, Version: 1}, errcode.StaleVersion},
		{"not the seat's turn", Command{Kind: CommandTurn, Seat: 1, Version: 2}, errcode.NotYourTurn},
		{"no action", Command{Kind: CommandTurn, Version: 2}, errcode.IllegalAction},
		{"no such action", Command{Kind: CommandTurn, Version: 2, Actions: []string{"z9-z8"}}, errcode.IllegalAction},
		{"unknown offer", Command{Kind: CommandOffer, Offer: "pizza"}, errcode.BadRequest},
		{"rematch before the end", Command{Kind: CommandOffer, Offer: OfferRematch}, errcode.NotAllowed},
		{"takeback with a block", Command{Kind: CommandOffer, Offer: OfferUndo, Blocked: true}, errcode.NotAllowed},
		{"no such offer to refuse", Command{Kind: CommandRefuse, Offer: OfferDraw}, errcode.NotAllowed},
		{"claim against a present player", Command{Kind: CommandClaim, Claim: "win"}, errcode.NotAllowed},
		{"abort after the second seat's first turn", Command{Kind: CommandAbort}, errcode.NotAllowed},
		{"vote in a match of two", Command{Kind: CommandVote, Target: 1}, errcode.NotAllowed},
	} {
		n := start(t, duel(t, live))
		n.play(2)
		before := describe(n.state.Snapshot(n.now))
		n.want(n.do(c.command), c.want)
		if after := describe(n.state.Snapshot(n.now)); after != before {
			t.Errorf("%s: changed the match to\n%s", c.what, after)
		}
	}
}

// TestActionsOfATurnAreBounded: a longer turn is refused before its actions are played.
func TestActionsOfATurnAreBounded(t *testing.T) {
	for actions, many := range map[int]bool{MaxActions: false, MaxActions + 1: true} {
		n := start(t, duel(t, live))
		turn := n.turn()
		turn.Actions = append(slices.Clone(turn.Actions), make([]string, actions-len(turn.Actions))...)
		err := n.do(turn)
		if n.want(err, errcode.IllegalAction); err == nil || strings.Contains(err.Error(), "at most") != many {
			t.Errorf("a turn of %d actions, of which the first are legal: %v", actions, err)
		}
	}
}

// TestEndsOfDuels has the ways in which a match of two ends.
func TestEndsOfDuels(t *testing.T) {
	draw := func(seat int) Command { return Command{Kind: CommandOffer, Seat: seat, Offer: OfferDraw} }
	for _, c := range []struct {
		what    string
		control clock.Control
		do      func(*node) error
		reason  string
		winners []int
	}{
		{"resignation", live, func(n *node) error { n.play(1); return n.do(Command{Kind: CommandResign, Seat: 0}) }, engine.ReasonResign, []int{1}},
		{"agreed draw", live, func(n *node) error { n.play(2); return errors.Join(n.do(draw(0)), n.do(draw(1))) }, engine.ReasonDraw, []int{0, 1}},
		{"time", live, func(n *node) error { n.play(2); n.wait(11 * time.Minute); return nil }, engine.ReasonTime, []int{1}},
		{"days", inDays, func(n *node) error { n.play(1); n.wait(3*24*time.Hour + time.Second); return nil }, engine.ReasonTime, []int{0}},
		{"no first turn", live, func(n *node) error { n.wait(time.Minute + time.Second); return nil }, engine.ReasonAbort, nil},
		{"no second turn", live, func(n *node) error { n.play(1); n.wait(time.Minute + time.Second); return nil }, engine.ReasonAbort, nil},
		{"idle", untimed, func(n *node) error { n.play(3); n.wait(30*24*time.Hour + time.Second); return nil }, engine.ReasonAbort, nil},
		{"evicted", untimed, func(n *node) error { n.play(3); return n.handle(Input{Kind: InputEvict}).Err }, engine.ReasonAbort, nil},
		{"claimed win", live, func(n *node) error {
			n.play(2)
			n.leave(0, false)
			n.wait(graceLeft + time.Second)
			return n.do(Command{Kind: CommandClaim, Seat: 1, Claim: "win"})
		}, engine.ReasonLeft, []int{1}},
		{"claimed draw", live, func(n *node) error {
			n.play(2)
			n.leave(1, true)
			n.wait(graceDropped)
			return n.do(Command{Kind: CommandClaim, Seat: 0, Claim: "draw"})
		}, engine.ReasonDraw, []int{0, 1}},
		{"the rules", untimed, func(n *node) error {
			for !n.state.IsOver() {
				n.play(1)
			}
			return nil
		}, engine.ReasonImmobile, nil},
	} {
		n := start(t, duel(t, c.control))
		if err := c.do(n); err != nil {
			t.Errorf("%s: %v", c.what, err)
			continue
		}
		if c.reason == engine.ReasonImmobile { // the winner depends on the turns
			c.winners = n.snapshot.Result.Winners
		}
		n.wantResult(c.reason, c.winners...)
		if !n.effects.Timer.IsZero() || n.snapshot.Unrated != UnratedUnknown {
			t.Errorf("%s: after the end %+v, %q", c.what, n.effects, n.snapshot.Unrated)
		}
		n.want(n.do(n.anyTurn()), errcode.GameOver)
	}
}

// TestEitherPlayerAborts: until the second seat has made a turn, also again after it was taken back, either player can
// abort a match of two under every clock, once, and it is recorded who did.
func TestEitherPlayerAborts(t *testing.T) {
	for _, control := range []clock.Control{live, inDays, untimed} {
		for turns := range 2 {
			for seat := range 2 {
				n := start(t, duel(t, control))
				n.play(turns)
				if !n.snapshot.CanAbort {
					t.Errorf("after %d turns nobody can abort", turns)
				}
				n.want(n.do(Command{Kind: CommandAbort, Seat: seat}), "")
				n.wantResult(engine.ReasonAbort)
				if why, by, ok := n.snapshot.Aborted(); why != AbortPlayer || by != seat || !ok || n.snapshot.CanAbort {
					t.Errorf("aborted: %s by seat %d, not %d; again: %t", why, by, seat, n.snapshot.CanAbort)
				}
				n.want(n.do(Command{Kind: CommandAbort, Seat: 1 - seat}), errcode.GameOver)
				n.verify()
			}
		}
	}
	n := start(t, duel(t, live))
	n.play(2)
	if n.snapshot.CanAbort {
		t.Error("both have moved, and can abort")
	}
	n.want(n.do(Command{Kind: CommandOffer, Seat: 1, Offer: OfferUndo}), "")
	n.want(n.do(Command{Kind: CommandOffer, Seat: 0, Offer: OfferUndo}), "")
	n.want(n.do(Command{Kind: CommandAbort, Seat: 0}), "")
	n = start(t, three(t, live))
	if n.snapshot.CanAbort {
		t.Error("a match of three can be aborted")
	}
	n.want(n.do(Command{Kind: CommandAbort}), errcode.NotAllowed)
}

// TestAbortDoesNotComeBeforeTheFirstTurnLimit: who waited for a first turn that is overdue, which another node records,
// has not aborted the match.
func TestAbortDoesNotComeBeforeTheFirstTurnLimit(t *testing.T) {
	n := start(t, duel(t, live))
	n.now.Presence[0].Wait = 5 * time.Second
	n.now.Time = n.now.Time.Add(time.Minute + time.Second)
	n.want(n.do(Command{Kind: CommandAbort, Seat: 1}), errcode.GameOver)
	n.wait(5 * time.Second)
	if why, seat, _ := n.snapshot.Aborted(); why != AbortFirstTurn || seat != 0 {
		t.Errorf("aborted: %s, seat %d", why, seat)
	}
}

// anyTurn is a turn, which need not be legal.
func (n *node) anyTurn() Command { return Command{Kind: CommandTurn, Version: n.state.Version()} }

func TestTurnIsChargedFromItsArrival(t *testing.T) {
	n := start(t, duel(t, live))
	n.play(2)
	arrived := n.now.Time.Add(30 * time.Second)
	n.now.Time = arrived.Add(time.Hour) // it waited in the queue
	c := n.turn()
	c.At, c.Lag = arrived, time.Second
	if fx := n.handle(Input{Kind: InputCommand, Command: &c}); fx.Err != nil || fx.Made != 3 {
		t.Fatalf("got %+v", fx)
	}
	if left := n.snapshot.Clocks[0]; left != 10*time.Minute+10*time.Second+10*time.Second-29*time.Second {
		t.Errorf("seat 0 has %v left", left)
	}
	if !slices.Equal(n.drafts, []int{0, 1, 0}) {
		t.Errorf("drafts of seats %v were dropped", n.drafts)
	}
}

// TestLateTurnLosesOnTime has a turn that arrives after the deadline and before the check of the timer.
func TestLateTurnLosesOnTime(t *testing.T) {
	n := start(t, duel(t, live))
	n.play(2)
	n.now.Time = n.now.Time.Add(10*time.Minute + 20*time.Second + time.Millisecond)
	n.want(n.do(n.turn()), errcode.GameOver)
	n.wantResult(engine.ReasonTime, 1)
	if end := n.log.entries[2]; !end.At.Equal(n.now.Time.Add(-time.Millisecond - 10*time.Second)) {
		t.Errorf("the end is at %v", end.At.Sub(began))
	}
}

func TestOffersAreAnswered(t *testing.T) {
	offer := func(seat int, kind OfferKind) Command { return Command{Kind: CommandOffer, Seat: seat, Offer: kind} }
	n := start(t, duel(t, live))
	n.want(n.do(offer(0, OfferUndo)), errcode.NotAllowed) // no turn
	n.play(2)
	n.want(n.do(offer(0, OfferDraw)), "")
	n.want(n.do(offer(0, OfferDraw)), errcode.NotAllowed) // it is open
	n.want(n.do(Command{Kind: CommandRefuse, Seat: 1, Offer: OfferDraw}), "")
	n.want(n.do(offer(0, OfferDraw)), errcode.NotAllowed) // a turn first
	n.play(2)
	n.want(n.do(offer(0, OfferDraw)), "")
	n.want(n.do(offer(1, OfferUndo)), "")
	n.play(1) // seat 0 declines the takeback, and its own draw offer stays
	if len(n.snapshot.Offers) != 1 || n.snapshot.Offers[0].Kind != OfferDraw {
		t.Errorf("open offers: %+v", n.snapshot.Offers)
	}
	n.play(1) // seat 1 declines the draw
	if len(n.snapshot.Offers) != 0 {
		t.Errorf("open offers: %+v", n.snapshot.Offers)
	}
	n.want(n.do(offer(0, OfferUndo)), "")
	n.want(n.do(offer(1, OfferUndo)), "")
	if s := n.snapshot; s.Turns != 4 || s.Position.Turn() != 0 || s.Log[len(s.Log)-1].Undone != 2 {
		t.Errorf("after the takeback %d turns, seat %d to move", s.Turns, s.Position.Turn())
	}
	kinds := ""
	for i, e := range n.snapshot.Events {
		if e.Seq != uint64(i+1) {
			t.Errorf("event %d has the number %d", i, e.Seq)
		}
		kinds += fmt.Sprint(e.Seat, " ", e.Kind, " ", e.Offer, "; ")
	}
	if want := "0 offer draw; 1 refused draw; 0 offer draw; 1 offer undo; 0 refused undo; 1 refused draw; 0 offer undo; "; kinds != want {
		t.Errorf("events: %s", kinds)
	}
	n.verify()
}

func TestRematchIsStartedOnce(t *testing.T) {
	offer := func(seat int) Command { return Command{Kind: CommandOffer, Seat: seat, Offer: OfferRematch} }
	n := start(t, duel(t, live))
	n.play(2)
	n.want(n.do(Command{Kind: CommandResign}), "")
	n.rematch = Input{Kind: InputRematchFailed, Cause: errcode.Errorf(errcode.Full, "no room")}
	n.want(n.do(offer(0)), "")
	n.want(n.do(offer(1)), errcode.Full)
	n.rematch = Input{Kind: InputRematchStarted, Rematch: "next", Code: "code"}
	n.want(n.do(offer(1)), "") // the offer that failed is closed: this is a new one
	n.want(n.do(Command{Kind: CommandOffer, Offer: OfferRematch, Blocked: true}), errcode.NotAllowed)
	n.want(n.do(Command{Kind: CommandRefuse, Seat: 0, Offer: OfferRematch}), "")
	n.state.lastOffers = nil // as if more turns had been made
	n.want(n.do(offer(0)), "")
	n.want(n.do(offer(1)), "")
	if n.snapshot.Rematch != "next" || n.snapshot.NextCode != "code" {
		t.Errorf("rematch %q, %q", n.snapshot.Rematch, n.snapshot.NextCode)
	}
	n.want(n.do(offer(0)), errcode.NotAllowed)
}

// TestRematchOfSeveral: a rematch of three starts when all agree, also who left the match; whoever has accepted can decline.
func TestRematchOfSeveral(t *testing.T) {
	offer := func(seat int) Command { return Command{Kind: CommandOffer, Seat: seat, Offer: OfferRematch} }
	n := start(t, three(t, live))
	n.rematch = Input{Kind: InputRematchStarted, Rematch: "next"}
	n.play(3)
	n.want(n.do(Command{Kind: CommandResign, Seat: 1}), "")
	n.want(n.do(Command{Kind: CommandResign, Seat: 2}), "")
	missing := func(want ...int) {
		t.Helper()
		o, _ := n.snapshot.Offer(OfferRematch)
		if got := o.Missing(n.snapshot.Info); !slices.Equal(got, want) || n.snapshot.Rematch != "" {
			t.Errorf("the offer misses %v, want %v; the rematch is %q", got, want, n.snapshot.Rematch)
		}
	}
	n.want(n.do(offer(0)), "")
	missing(1, 2)
	n.want(n.do(offer(2)), "")
	missing(1)
	n.want(n.do(offer(2)), errcode.NotAllowed)
	n.want(n.do(Command{Kind: CommandRefuse, Seat: 2, Offer: OfferRematch}), "")
	if len(n.snapshot.Offers) > 0 {
		t.Errorf("after one has declined: %v", n.snapshot.Offers)
	}
	n.want(n.do(offer(2)), "") // another offer
	n.want(n.do(offer(0)), "")
	n.want(n.do(offer(1)), "")
	if n.snapshot.Rematch != "next" {
		t.Errorf("all agree: %v", n.snapshot.Offers)
	}
	var events string
	for _, e := range n.snapshot.Events {
		events += fmt.Sprint(e.Seat, " ", e.Kind, "; ")
	}
	if want := "0 offer; 2 agreed; 2 refused; 2 offer; 0 agreed; "; events != want {
		t.Errorf("events: %s", events)
	}
	n.verify()
}

// TestClaimsAreDecidedByTheStore: what the node knows of an absence is read again before a claim or a vote counts. A
// player who has come back on another node loses nothing, and without the store nothing happens.
func TestClaimsAreDecidedByTheStore(t *testing.T) {
	for name, c := range map[string]struct {
		info    *Info
		command Command
	}{
		"claim": {duel(t, live), Command{Kind: CommandClaim, Seat: 0, Claim: "win"}},
		"vote":  {three(t, live), Command{Kind: CommandVote, Seat: 0, Target: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			n := start(t, c.info)
			n.play(len(c.info.Seats))
			n.leave(1, false)
			n.wait(graceLeft + time.Second)
			version := n.state.Version()
			n.presence = func() Input { return Input{Kind: InputRefreshFailed} }
			n.want(n.do(c.command), errcode.Unavailable)
			n.presence = func() Input {
				n.now.Presence[1] = Presence{}
				return Input{Kind: InputRefreshed}
			}
			n.want(n.do(c.command), errcode.NotAllowed)
			if n.state.Version() != version || n.snapshot.Votes[1] != 0 {
				t.Errorf("version %d, votes %v", n.state.Version(), n.snapshot.Votes)
			}
			n.leave(1, false)
			n.wait(graceLeft + time.Second)
			n.presence = nil
			n.want(n.do(c.command), "")
		})
	}
}

// TestVotes removes an absent seat of three, with one present player who has to agree.
func TestVotes(t *testing.T) {
	vote := func(seat, target int) Command { return Command{Kind: CommandVote, Seat: seat, Target: target} }
	n := start(t, three(t, live))
	n.want(n.do(vote(0, 1)), errcode.NotAllowed) // present
	n.want(n.do(vote(0, 0)), errcode.BadRequest)
	n.want(n.do(vote(0, 3)), errcode.BadRequest)
	n.want(n.do(Command{Kind: CommandClaim, Seat: 0, Claim: "win"}), errcode.NotAllowed)
	n.leave(1, false)
	n.wait(graceLeft + time.Second)
	if a := n.snapshot.Away[1]; !a.Claimable {
		t.Fatalf("away: %+v", a)
	}
	n.want(n.do(vote(0, 1)), "")
	if n.snapshot.Votes[1] != 1 {
		t.Errorf("votes: %v", n.snapshot.Votes)
	}
	n.comeBack(1) // which voids the votes
	if n.snapshot.Votes[1] != 0 || !n.snapshot.Away[1].Since.IsZero() {
		t.Errorf("after the return: %v %v", n.snapshot.Votes, n.snapshot.Away)
	}
	n.leave(1, false)
	n.wait(graceLeft + time.Second)
	n.want(n.do(vote(0, 1)), "")
	n.want(n.do(vote(2, 1)), "")
	if !n.snapshot.Position.HasLeft(1) || n.snapshot.IsOver() || n.snapshot.Away[1] != (Away{}) {
		t.Errorf("seat 1 has not left: %+v", n.snapshot)
	}
	n.want(n.do(vote(1, 0)), errcode.NotAllowed)
	n.want(n.do(Command{Kind: CommandResign, Seat: 1}), errcode.NotAllowed)
	n.want(n.do(Command{Kind: CommandResign, Seat: 0}), "")
	if r := n.snapshot.Result; r == nil || !slices.Equal(r.Winners, []int{2}) {
		t.Errorf("ended with %+v", r)
	}
	n.verify()
}

// TestBotsAreNotAskedToVote: a bot is always present and never votes, so that its vote is not needed.
func TestBotsAreNotAskedToVote(t *testing.T) {
	info := three(t, live)
	info.Seats[2].Bot = true
	n := start(t, info)
	n.play(3)
	n.leave(1, true)
	n.wait(graceDropped + time.Second)
	if needed := n.snapshot.VotesNeeded(1); needed != 1 {
		t.Errorf("%d votes of one person are needed", needed)
	}
	n.want(n.do(Command{Kind: CommandVote, Seat: 0, Target: 1}), "")
	if !n.snapshot.Position.HasLeft(1) {
		t.Error("the vote of the only other person is not enough")
	}
}

// TestVotesNeeded counts those of who is present, and of who has voted and gone.
func TestVotesNeeded(t *testing.T) {
	n := start(t, three(t, live))
	needed := func(want int) {
		t.Helper()
		if got := n.snapshot.VotesNeeded(1); got != want {
			t.Errorf("%d votes are needed, want %d", got, want)
		}
	}
	n.leave(1, false)
	n.wait(graceLeft + time.Second)
	needed(2)
	n.want(n.do(Command{Kind: CommandVote, Seat: 0, Target: 1}), "")
	needed(2)
	n.leave(0, false)
	n.wait(graceLeft + time.Second)
	needed(2)
	n.comeBack(0)
	n.leave(2, false)
	n.wait(graceLeft + time.Second)
	needed(1)
}

// TestBegin resumes matches after a restart an hour after their last entry.
func TestBegin(t *testing.T) {
	for _, c := range []struct {
		what    string
		control clock.Control
		turns   int
		down    time.Duration
		left    time.Duration // of the seat to move after the restart
		version int
	}{
		{"no turn", live, 0, time.Hour, 10*time.Minute + restartCredit, 0},
		{"live", live, 2, time.Hour, 10*time.Minute + 10*time.Second + restartCredit, 3},
		{"days that have not passed", inDays, 2, time.Hour, 71 * time.Hour, 2},
		{"days that have passed", inDays, 2, 100 * time.Hour, restartDeadline, 3},
		{"untimed", untimed, 2, time.Hour, 0, 2},
	} {
		n := start(t, duel(t, c.control))
		n.play(c.turns)
		n = newNode(t, n.state.Info, n.log)
		n.now.Time = n.now.Time.Add(c.down)
		n.handle(Input{Kind: InputBegin, Resumed: true})
		if left, version := n.left(n.snapshot.Position.Turn()), n.snapshot.Version; left != c.left || version != c.version {
			t.Errorf("%s: %v left at version %d, want %v and %d", c.what, left, version, c.left, c.version)
		}
		n.play(1)
		n.verify()
	}
}

// TestPanicOfAStepIsAnswered passes a panic while no request is outstanding: the step of a command has
// panicked, and the state is that before it.
func TestPanicOfAStepIsAnswered(t *testing.T) {
	n := start(t, duel(t, live))
	fx := n.handle(Input{Kind: InputPanicked, Cause: errStore})
	n.want(fx.Err, errcode.Unavailable)
	if !fx.Answered || !n.snapshot.Frozen {
		t.Errorf("after a panic: %+v", fx)
	}
}

// TestPanicFreezes passes the panic of a request.
func TestPanicFreezes(t *testing.T) {
	n := start(t, duel(t, live))
	n.play(2)
	c := n.turn()
	c.At = n.now.Time
	n.state, _ = Step(n.state, Input{Kind: InputCommand, Command: &c}, n.now)
	if !n.state.IsWaiting() {
		t.Fatal("the turn is not being recorded")
	}
	fx := n.handle(Input{Kind: InputPanicked, Cause: errStore}) // the append has panicked
	n.want(fx.Err, errcode.Unavailable)
	if !fx.Answered || !n.snapshot.Frozen || n.snapshot.RunningSeat != -1 || !slices.Equal(n.reports, []error{errStore}) {
		t.Errorf("after a panic: %+v, %v", n.snapshot, n.reports)
	}
	n.want(n.do(n.turn()), errcode.Unavailable)
	n.wait(time.Hour)
	n.handle(Input{Kind: InputCheck})
	n.handle(Input{Kind: InputEvict})
	if n.snapshot.IsOver() || !n.effects.Timer.IsZero() || len(n.reports) != 1 {
		t.Errorf("a frozen match goes on: %+v", n.snapshot)
	}
}

// TestStatesBranch plays different turns from one state. Neither of the states that follow sees the other's
// turn.
func TestStatesBranch(t *testing.T) {
	n := start(t, duel(t, live))
	n.play(5) // so that the log has room for more without being copied
	legal := n.state.position.Legal()
	var logs [2]string
	var states [2]State
	for i, action := range []string{legal[0], legal[len(legal)-1]} {
		c := &Command{Kind: CommandTurn, Seat: n.state.position.Turn(), At: n.now.Time, Version: 5, Actions: []string{action}}
		s, fx := Step(n.state, Input{Kind: InputCommand, Command: c}, n.now)
		if fx.Request != RequestAppend {
			t.Fatalf("%s: %+v", action, fx)
		}
		states[i], _ = Step(s, Input{Kind: InputAppended}, n.now)
		logs[i] = fmt.Sprint(states[i].Snapshot(n.now).Log)
	}
	if logs[0] == logs[1] || fmt.Sprint(states[0].Snapshot(n.now).Log) != logs[0] || n.state.Version() != 5 {
		t.Errorf("the states share their logs:\n%s\n%s", logs[0], logs[1])
	}
}
