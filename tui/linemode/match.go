package linemode

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"ayumu/lobby/match"
	"ayumu/tui/game"
	"ayumu/tui/op"
	"ayumu/tui/words"
)

// printMatch prints the open match's game, time control, seats and turn.
func (t *session) printMatch() {
	p := t.current()
	s := p.Snapshot
	kind := "casual"
	if s.Info.Rated {
		kind = "rated"
	}
	t.printf("%s, %s, %s.", s.Info.Title(), s.Info.Control, kind)
	for i, seat := range s.Info.Seats {
		name := words.NameAndRating(t.config.LongName(seat), seat.Rating)
		if i == p.Seat {
			name = "You"
		}
		t.printf("%s: %s.", p.Game.Side(s.Position, i), name)
	}
	if d := s.Info.Delay; d > 0 && !s.IsOver() {
		t.printf("Spectator delay: %s.", words.Plural(d, "turn"))
	}
	if t.needsGoal() {
		t.printf("Goal: %s.", p.Game.Goal())
	}
	if t.visit.WantsCoach() {
		t.coach = t.visit.Coach(p)
	}
	if p.Player != nil {
		t.printf("Type a move to play it. legal lists your moves, board describes the position, help lists all commands.")
	} else {
		t.printf("Type board to have the position described, say and a text to chat with the spectators, or lobby to leave.")
	}
	t.printTurn()
	for _, o := range s.Offers {
		t.printOffer(o)
	}
}

// needsGoal reports whether the user plays the open match and has not finished such a game yet.
func (t *session) needsGoal() bool {
	p := t.current()
	if p.Player == nil || p.Snapshot.IsOver() {
		return false
	}
	game := p.Game.Name()
	if !t.visit.Experience.Knows(game) {
		ctx, cancel := context.WithTimeout(t.ctx, op.CallTimeout)
		defer cancel()
		n, err := t.visit.Archive().FinishedGames(ctx, game)
		if err != nil {
			return false // it is only help
		}
		t.visit.Experience.Set(game, n)
	}
	return t.visit.Experience.NeedsGoal(game)
}

// printTurn prints whose turn it is, or how the game ended.
func (t *session) printTurn() {
	p := t.current()
	s := p.Snapshot
	switch {
	case s.Frozen:
		t.printf("An internal error stopped this game. Tell the operator, whose log says why.")
	case s.IsOver():
		t.printf("%s", words.ResultAndPlaces(s, p.Game, p.Seat))
		if text := words.DescribeRatings(s, p.Seat, "to"); text != "" {
			t.printf("%s", text)
		}
		switch {
		case p.Player == nil:
		case s.Info.IsOfTournament():
			t.printf("Type lobby to leave, or tournament %s to see the tournament.", s.Info.Tournament.ID)
		default:
			t.printf("Type rematch to offer a rematch, or lobby to leave.")
		}
	case s.Position.Turn() == p.Seat:
		text := "Your turn."
		if left, ok := s.Remaining(p.Seat, time.Now()); ok {
			text = "Your turn, " + words.Clock(left) + " left."
		}
		if g, ok := p.Game.(game.PhaseDescriber); ok {
			text += " " + words.Sentence(g.DescribePhase(s.Position))
		}
		t.printf("%s", text)
		t.printFirstTurn()
		if advice := t.coach.Advise(s, p.Seat); advice != "" {
			t.printf("%s", advice)
		}
	default:
		turn := s.Position.Turn()
		text := fmt.Sprintf("%s's turn (%s)", s.Info.Seats[turn].Name, p.Game.Side(s.Position, turn))
		if until, ok := s.OnVacation(turn); ok {
			text += ", " + words.OnVacation(until)
		}
		t.printf("%s.", text)
	}
}

// printFirstTurn prints the time left for the user's first move, if it is limited.
func (t *session) printFirstTurn() {
	p := t.current()
	s := p.Snapshot
	if left, ok := s.FirstTurnRemaining(time.Now()); ok && s.RunningSeat == p.Seat {
		t.printf("%s", words.FirstTurnLimit(s, left))
	}
}

func (t *session) printStatus(string) {
	p := t.current()
	s := p.Snapshot
	t.printTurn()
	now := time.Now()
	for i, seat := range s.Info.Seats {
		text := seat.Name + ", " + p.Game.Side(s.Position, i)
		if score := p.Game.Score(s.Position, i); score != "" {
			text += ", " + score
		}
		if left, ok := s.Remaining(i, now); ok {
			text += ", " + words.Clock(left) + " left"
		}
		if until, ok := s.OnVacation(i); ok {
			text += ", " + words.OnVacation(until)
		}
		if !s.IsOver() && !s.Away[i].Since.IsZero() {
			text += ", away " + words.Seconds(now.Sub(s.Away[i].Since))
			if left, ok := s.ClaimRemaining(i, now); ok && left > 0 {
				text += ", claimable in " + words.Clock(left)
			}
		} else if s.IsElsewhere(i) {
			text += ", looking at something else"
		}
		t.printf("%s.", text)
	}
	for _, o := range s.Offers {
		t.printOffer(o)
	}
	for i, n := range s.Votes {
		if n > 0 && !s.IsOver() {
			t.printVotes(i)
		}
	}
	t.printf("%s.", words.Plural(p.InLobby.SpectatorCount(), "spectator"))
}

// printChanges prints the differences between the last printed snapshot and the newest one.
func (t *session) printChanges() {
	p := t.current()
	before := p.Update()
	now := p.Snapshot
	if before == now {
		return
	}
	if err := p.Read(t.printItem); err != nil {
		t.printf("Some changes cannot be described. Type board for the position.")
	}
	t.printPresence(before)
	if now.Version != before.Version || now.Frozen != before.Frozen {
		t.printTurn()
	} else if before.FirstTurnDeadline.IsZero() {
		t.printFirstTurn() // the clock of a match that has just begun
	}
	if now.Rematch != "" && before.Rematch == "" {
		t.printf("The rematch has started.")
		t.visit.Expect(now.Rematch)
		t.openMatch(now.Rematch, now.NextCode)
	}
}

// printItem prints one entry or event of the open match.
func (t *session) printItem(n match.FeedItem) error {
	p := t.current()
	switch {
	case n.Event != nil && n.Event.Kind == match.EventOffered:
		if o, open := p.Snapshot.Offer(n.Event.Offer); n.Event.Seat != p.Seat && open && o.At.Equal(n.Event.At) {
			t.printOffer(o)
		}
		return nil
	case n.Entry != nil && n.Entry.Kind == match.EntryTurn:
		player := p.InLobby.Info.Seats[n.Entry.Seat].Name
		if n.Entry.Seat == p.Seat {
			player = game.You
		}
		t.printf("%s.", p.Game.DescribeTurn(n.Position, n.Entry.Actions, player))
	}
	if text := words.DescribeItem(n, p.Snapshot, p.Game, p.Seat); text != "" {
		t.printf("%s", text)
	}
	return nil
}

// offerCommands has the command that accepts each kind of offer.
var offerCommands = map[match.OfferKind]string{match.OfferDraw: "draw", match.OfferUndo: "undo", match.OfferRematch: "rematch"}

func (t *session) printOffer(o match.Offer) {
	p := t.current()
	text := words.DescribeOpenOffer(o, p.Snapshot, p.Seat) + "."
	switch {
	case o.Seat == p.Seat:
		text += " Type refuse to withdraw it."
	case p.Player != nil && o.HasAgreed(p.Seat):
		text += " Type refuse to decline it after all."
	case p.Player != nil:
		text += " Type " + offerCommands[o.Kind] + " to accept, or refuse to decline."
	}
	t.printf("%s", text)
}

// printPresence prints changes of the players' presence and of votes since the snapshot before.
func (t *session) printPresence(before *match.Snapshot) {
	p := t.current()
	if p.Snapshot.IsOver() {
		return
	}
	for i, a := range p.Snapshot.Away {
		name := p.InLobby.Info.Seats[i].Name
		was := before.Away[i]
		for _, text := range []string{words.DescribePresence(before, p.Snapshot, i, p.Seat, time.Now()), words.DescribeElsewhere(before, p.Snapshot, i, p.Seat), words.DescribeVacation(before, p.Snapshot, i, p.Seat)} {
			if text != "" {
				t.printf("%s", text)
			}
		}
		if a.Claimable && !was.Claimable && p.Player != nil && i != p.Seat && len(p.Snapshot.Away) == 2 {
			t.printf("%s is still away. Type claim win, claim draw, or wait.", name)
		}
		if a.Claimable && !was.Claimable && p.Player != nil && i != p.Seat && len(p.Snapshot.Away) > 2 && !p.IsOut() {
			t.printf("%s is still away. Type vote %s to vote them out, or wait.", name, name)
		}
		if n := p.Snapshot.Votes[i]; n > before.Votes[i] {
			t.printVotes(i)
		}
	}
}

// printVotes prints how many have voted to remove a seat: at least one has.
func (t *session) printVotes(seat int) {
	s := t.current().Snapshot
	t.printf("%s to remove %s from the game.", cmp.Or(words.Votes(s, seat), words.Plural(s.Votes[seat], "vote")), s.Info.Seats[seat].Name)
}
