package match

import (
	"testing"
	"time"

	"ayumu/engine"
	"ayumu/lobby/errcode"
)

// local returns the description of a match as a local one.
func local(info *Info) *Info {
	info.Local = true
	return info
}

// TestLocalTakeback: in a local match the last turn is taken back at once, whoever made it and whoever asks, turn by
// turn to the first.
func TestLocalTakeback(t *testing.T) {
	for _, info := range []*Info{local(duel(t, untimed)), local(three(t, untimed))} {
		n := start(t, info)
		undo := Command{Kind: CommandOffer, Offer: OfferUndo}
		n.want(n.do(undo), errcode.NotAllowed)
		var positions []string
		for range 4 {
			positions = append(positions, n.state.position.String())
			n.play(1)
		}
		for made := 3; made >= 0; made-- {
			undo.Seat = made % len(info.Seats)
			if err := n.do(undo); err != nil {
				t.Fatal(err)
			}
			if got := n.state.position.String(); got != positions[made] || n.snapshot.Turns != made {
				t.Errorf("%d seats, %d turns left: %s, want %s", len(info.Seats), n.snapshot.Turns, got, positions[made])
			}
			if e := n.log.entries[len(n.log.entries)-1]; e.Kind != EntryUndo || e.Undone != 1 || e.Seat != n.state.position.Turn() {
				t.Errorf("%d seats: %+v", len(info.Seats), e)
			}
		}
		n.want(n.do(undo), errcode.NotAllowed)
		n.play(2)
		n.verify()
		if n.row.version != 0 || len(n.snapshot.Events) > 0 {
			t.Errorf("%d seats: agreements were recorded: %s", len(info.Seats), n.row.data)
		}
	}
}

// TestLocalTakebackReturnsASeat: a takeback removes what followed the last turn, also that a seat has left.
func TestLocalTakebackReturnsASeat(t *testing.T) {
	n := start(t, local(three(t, untimed)))
	n.want(n.do(Command{Kind: CommandResign, Seat: 0}), "")
	n.want(n.do(Command{Kind: CommandOffer, Seat: 1, Offer: OfferUndo}), errcode.NotAllowed) // no turn was made
	n.play(1)
	n.want(n.do(Command{Kind: CommandResign, Seat: 2}), "")
	n.wantResult(engine.ReasonLeft, 1)

	n = start(t, local(three(t, untimed)))
	n.play(1)
	n.want(n.do(Command{Kind: CommandResign, Seat: 1}), "")
	n.want(n.do(Command{Kind: CommandOffer, Seat: 2, Offer: OfferUndo}), "")
	if n.snapshot.Position.HasLeft(1) || n.snapshot.Position.Turn() != 0 || n.snapshot.Turns != 0 {
		t.Errorf("seat %d is to move after %d turns in %s", n.snapshot.Position.Turn(), n.snapshot.Turns, n.snapshot.Position)
	}
	n.play(3)
	n.verify()
}

// TestLocalMatchOffersNothingElse: players at one keyboard make no offers, also after the end, and nothing is taken back then.
func TestLocalMatchOffersNothingElse(t *testing.T) {
	n := start(t, local(duel(t, untimed)))
	n.play(2)
	for _, offer := range []OfferKind{OfferDraw, OfferRematch, "pizza"} {
		n.want(n.do(Command{Kind: CommandOffer, Offer: offer}), errcode.NotAllowed)
	}
	n.want(n.do(Command{Kind: CommandResign, Seat: 0}), "")
	n.wantResult(engine.ReasonResign, 1)
	n.want(n.do(Command{Kind: CommandOffer, Offer: OfferRematch}), errcode.GameOver)
	n.want(n.do(Command{Kind: CommandOffer, Offer: OfferUndo}), errcode.GameOver)
}

// TestLocalMatchWaitsForEver: nobody waits for the players of a local match, so that it is not aborted after a month as others
// without a clock are.
func TestLocalMatchWaitsForEver(t *testing.T) {
	n := start(t, local(duel(t, untimed)))
	n.play(3)
	for seat := range 2 {
		n.leave(seat, false)
	}
	n.wait(10 * 365 * 24 * time.Hour)
	for seat := range 2 {
		n.comeBack(seat)
	}
	n.play(1)
	if n.state.IsOver() || n.snapshot.Turns != 4 {
		t.Errorf("%+v after %d turns", n.snapshot.Result, n.snapshot.Turns)
	}
}

// TestActingSeat: an account acts for its own seat, in a running local match for the one to move.
func TestActingSeat(t *testing.T) {
	for isLocal, want := range map[bool][]int{false: {0, 0, 0}, true: {0, 1, 0}} {
		info := duel(t, untimed)
		info.Seats[1].Account, info.Local = 2, isLocal
		n := start(t, info)
		for _, want := range want {
			if seat, ok := n.snapshot.ActingSeat(1); seat != want || !ok {
				t.Errorf("local %v: the account acts for seat %d (%v), want %d", isLocal, seat, ok, want)
			}
			n.play(1)
		}
		n.want(n.do(Command{Kind: CommandResign, Seat: 1}), "")
		if seat, ok := n.snapshot.ActingSeat(1); seat != 0 || !ok {
			t.Errorf("local %v: after the end the account acts for seat %d (%v)", isLocal, seat, ok)
		}
		if _, ok := n.snapshot.ActingSeat(3); ok {
			t.Errorf("local %v: an account without a seat acts for one", isLocal)
		}
	}
}
