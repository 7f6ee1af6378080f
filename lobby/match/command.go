package match

import (
	"errors"
	"slices"
	"time"

	"ayumu/engine"
	"ayumu/lobby/errcode"
)

// MaxActions is the maximum number of actions of a turn. No legal turn of any game comes near it.
const MaxActions = 4096

// Command is what a player wants to do. At is the time at which it arrived. A command can be run several times until it is
// answered (package comment).
type Command struct {
	Kind CommandKind
	Seat int
	At   time.Time

	Version int           // of CommandTurn: the version that it was built on
	Actions []string      // of CommandTurn, in the form of Entry.Actions
	Lag     time.Duration // of CommandTurn: the network's part of the time since the last turn
	Offer   OfferKind     // of CommandOffer and CommandRefuse
	Blocked bool          // of CommandOffer: the player and another have a block between them
	Claim   string        // of CommandClaim: "win" or "draw"
	Target  int           // of CommandVote: the seat to be removed
}

// CommandKind is the kind of a command.
type CommandKind uint8

// The kinds of commands.
const (
	CommandTurn CommandKind = iota
	CommandResign
	CommandAbort
	CommandOffer
	CommandRefuse
	CommandClaim
	CommandVote
	CommandStop // the tournament of the match has decided the game otherwise; Seat is that which wins it, or -1
)

// run executes a command. If it returns nil, the command has been executed or a request is outstanding. It is called again
// from its beginning after some outcomes of a request (package comment), also on a state that another node has changed
// meanwhile. So each command is repeatable: until its last request it changes nothing but the request, and it finds in the
// job what was read for it (job.isRefreshed, job.conditions), so that it does not ask again.
func (c *Command) run(x *step) error {
	switch c.Kind {
	case CommandTurn:
		return c.turn(x)
	case CommandResign:
		return c.resign(x)
	case CommandAbort:
		return c.abort(x)
	case CommandOffer:
		return c.offer(x)
	case CommandRefuse:
		return c.refuse(x)
	case CommandClaim:
		return c.claim(x)
	case CommandStop:
		return c.stop(x)
	default:
		return c.vote(x)
	}
}

// checkRunning returns a GameOver error if the match has ended.
func (s *State) checkRunning() error {
	if s.IsOver() {
		return errcode.Errorf(errcode.GameOver, "the game is over")
	}
	return nil
}

// turn plays a complete turn.
func (c *Command) turn(x *step) error {
	if err := x.checkRunning(); err != nil {
		return err
	}
	if !x.onlyCreditsSince(c.Version) {
		return errcode.Errorf(errcode.StaleVersion, "the game is at version %d, not %d", x.Version(), c.Version)
	}
	if x.position.Turn() != c.Seat {
		return errcode.Errorf(errcode.NotYourTurn, "it is not your turn")
	}
	if deadline, _ := x.deadline(x.now); !deadline.IsZero() && !c.At.Before(deadline) {
		return errcode.Errorf(errcode.GameOver, "your time is up") // which another node records
	}
	if len(c.Actions) > MaxActions {
		return errcode.Errorf(errcode.IllegalAction, "a turn has at most %d actions", MaxActions)
	}
	pos, err := engine.PlayTurn(x.position, c.Actions)
	if err != nil {
		return &errcode.Error{Code: errcode.IllegalAction, Message: err.Error()}
	}
	if x.Info.HasConditions() && !x.job.conditions.isRead {
		x.effects.Request = RequestConditions
		return nil
	}
	k := x.clock.Clone()
	credit := k.EndTurn(c.At, c.Lag)
	x.job.made = x.Version() + 1
	x.advance(pos, k, Entry{Kind: EntryTurn, Seat: c.Seat, Actions: c.Actions, Credit: credit, At: c.At})
	return nil
}

// isOvertakenByCredits reports whether the command, which ended with an error, is a turn that was not recorded because
// another node had recorded a credit, on which it fits as well.
func (c *Command) isOvertakenByCredits(s *State, err error) bool {
	e, ok := errors.AsType[*errcode.Error](err)
	return ok && e.Code == errcode.StaleVersion && c.Kind == CommandTurn && s.onlyCreditsSince(c.Version)
}

// resign ends a match of two, or removes the seat.
func (c *Command) resign(x *step) error {
	if err := x.checkRunning(); err != nil {
		return err
	}
	if x.isDuel() {
		x.endMatch(c.At, engine.Result{Winners: []int{1 - c.Seat}, Reason: engine.ReasonResign}, endingByNobody)
		return nil
	}
	if x.position.HasLeft(c.Seat) {
		return errcode.Errorf(errcode.NotAllowed, "you have already left this game")
	}
	return x.removeSeat(c.At, c.Seat, engine.ReasonResign, false)
}

// abort ends a match of two without a winner, before the second seat has made its first turn.
func (c *Command) abort(x *step) error {
	if err := x.checkRunning(); err != nil {
		return err
	}
	switch deadline, _ := x.deadline(x.now); {
	case !x.isDuel():
		return errcode.Errorf(errcode.NotAllowed, "only games of two can be aborted; resign to leave this one")
	case x.Info.IsOfTournament():
		return errcode.Errorf(errcode.NotAllowed, "games of a tournament cannot be aborted; resign instead")
	case !x.canAbort():
		return errcode.Errorf(errcode.NotAllowed, "both players have made a move; resign instead")
	case !deadline.IsZero() && !c.At.Before(deadline):
		return errcode.Errorf(errcode.GameOver, "the time for the first move is up") // which another node records
	}
	x.abort(c.At, ending{c.Seat, AbortPlayer, x.isAbortFault(c.Seat, c.At)})
	return nil
}

// stop ends a game of a tournament that was decided otherwise. The match has no winner; the seat is that to which the
// tournament has given the win, -1 if it has given it to none alone.
func (c *Command) stop(x *step) error {
	if err := x.checkRunning(); err != nil {
		return err
	}
	x.abort(c.At, ending{seat: c.Seat, reason: AbortRuled})
	return nil
}

// canAbort reports whether the players may abort the match: there are two, and one of them has made no turn.
func (s *State) canAbort() bool {
	return s.isDuel() && !s.IsOver() && !s.Info.IsOfTournament() && slices.Contains(s.turnsMade, 0)
}

// offer makes an offer to the other seats, or accepts an open one of the same kind. In a local match all players are at
// the keyboard, so that a takeback needs no answer and nothing else is offered.
func (c *Command) offer(x *step) error {
	if x.Info.Local {
		return c.takeBack(x)
	}
	if err := c.checkOffer(x); err != nil {
		return err
	}
	o, open := x.openOffer(c.Offer)
	if !open {
		return c.makeOffer(x)
	}
	switch {
	case o.Seat == c.Seat:
		return errcode.Errorf(errcode.NotAllowed, "your offer is already open")
	case o.HasAgreed(c.Seat):
		return errcode.Errorf(errcode.NotAllowed, "you have agreed already, and others have not answered yet")
	}
	o.agreed |= 1 << c.Seat
	next := x.agreements
	if len(o.Missing(x.Info)) > 0 {
		next.replaceOffer(o)
		next.addEvent(x.Version(), Event{At: c.At, Kind: EventAgreed, Seat: c.Seat, Offer: c.Offer})
		agreementWrite{next: next}.request(x)
		return nil
	}
	next.removeOffer(c.Offer)
	agreementWrite{next, &o}.request(x)
	return nil
}

// agreed goes on after the agreements that the command asked for have been recorded. o is the offer that it
// has accepted with them; nil: none.
func (c *Command) agreed(x *step, o *Offer) error {
	switch {
	case c.Kind == CommandVote:
		return c.voted(x)
	case o == nil:
	case c.Offer == OfferDraw:
		if err := x.checkRunning(); err != nil {
			return err
		}
		x.endMatch(c.At, engine.Result{Winners: []int{0, 1}, Reason: engine.ReasonDraw}, endingByNobody)
	case c.Offer == OfferUndo:
		return c.undo(x, o.Seat)
	case c.Offer == OfferRematch:
		x.effects.Request = RequestRematch
	}
	return nil
}

// makeOffer adds an open offer, at most one of a kind between two turns.
func (c *Command) makeOffer(x *step) error {
	turns := len(turnEntries(x.log.entries))
	next := x.agreements
	last := slices.IndexFunc(next.lastOffers, func(o lastOffer) bool { return o.Seat == c.Seat && o.Kind == c.Offer })
	if last >= 0 && next.lastOffers[last].Turns == turns {
		return errcode.Errorf(errcode.NotAllowed, "you have already offered that; make a move before you offer it again")
	}
	made := slices.Clone(next.lastOffers)
	if last >= 0 {
		made = slices.Delete(made, last, last+1)
	}
	next.lastOffers = append(made, lastOffer{c.Seat, c.Offer, turns})
	next.offers = append(slices.Clip(next.offers), Offer{Kind: c.Offer, Seat: c.Seat, At: c.At, agreed: 1 << c.Seat})
	next.addEvent(x.Version(), Event{At: c.At, Kind: EventOffered, Seat: c.Seat, Offer: c.Offer})
	agreementWrite{next: next}.request(x)
	return nil
}

// checkOffer returns why a seat cannot make or accept an offer now.
func (c *Command) checkOffer(x *step) error {
	switch c.Offer {
	case OfferDraw:
		if err := x.checkRunning(); err != nil {
			return err
		}
		if !x.isDuel() {
			return errcode.Errorf(errcode.NotAllowed, "draws can only be agreed in two-player games")
		}
	case OfferUndo:
		if err := x.checkRunning(); err != nil {
			return err
		}
		if x.Info.IsOfTournament() {
			return errcode.Errorf(errcode.NotAllowed, "takebacks are not possible in games of a tournament")
		}
		if !x.isDuel() || x.Info.Rated {
			return errcode.Errorf(errcode.NotAllowed, "takebacks are only possible in casual two-player games")
		}
		if c.Blocked {
			return errcode.Errorf(errcode.NotAllowed, "takebacks are not possible in this game")
		}
		if _, open := x.openOffer(OfferUndo); !open && x.turnsToUndo(c.Seat) == 0 {
			return errcode.Errorf(errcode.NotAllowed, "you have no move to take back")
		}
	case OfferRematch:
		if !x.IsOver() {
			return errcode.Errorf(errcode.NotAllowed, "a rematch can be offered once the game is over")
		}
		if x.Info.IsOfTournament() {
			return errcode.Errorf(errcode.NotAllowed, "games of a tournament have no rematch; challenge the player from the lobby instead")
		}
		if x.rematch != "" {
			return errcode.Errorf(errcode.NotAllowed, "the rematch has already started: game %s", x.rematch)
		}
		if c.Blocked {
			return errcode.Errorf(errcode.NotAllowed, "a rematch is not possible; find another game in the lobby")
		}
	default:
		return errcode.Errorf(errcode.BadRequest, "%q cannot be offered", c.Offer)
	}
	return nil
}

// refuse ends an open offer: a seat declines another's or withdraws its own.
func (c *Command) refuse(x *step) error {
	o, open := x.openOffer(c.Offer)
	if !open {
		return errcode.Errorf(errcode.NotAllowed, "there is no such offer")
	}
	next := x.agreements
	next.removeOffer(c.Offer)
	next.addOfferEnd(x.Version(), c.At, c.Seat, o)
	agreementWrite{next: next}.request(x)
	return nil
}

// turnsToUndo returns the number of turns to remove to take back a seat's last turn; 0: it has none.
func (s *State) turnsToUndo(seat int) int {
	turns := turnEntries(s.log.entries)
	for n := 1; n <= len(turns); n++ {
		if e := turns[len(turns)-n]; e.Kind == EntryTurn && e.Seat == seat {
			return n
		}
	}
	return 0
}

// takeBack takes back the last turn of a local match, whoever made it.
func (c *Command) takeBack(x *step) error {
	if err := x.checkRunning(); err != nil {
		return err
	}
	if c.Offer != OfferUndo {
		return errcode.Errorf(errcode.NotAllowed, "players at one keyboard offer each other nothing")
	}
	for _, e := range slices.Backward(turnEntries(x.log.entries)) {
		if e.Kind == EntryTurn {
			return c.undo(x, e.Seat)
		}
	}
	return errcode.Errorf(errcode.NotAllowed, "there is no move to take back")
}

// undo takes back the last turn of a seat.
func (c *Command) undo(x *step, seat int) error {
	e := Entry{Kind: EntryUndo, Seat: seat, Undone: x.turnsToUndo(seat), At: c.At}
	if e.Undone == 0 { // another node has recorded that it was taken back
		return errcode.Errorf(errcode.NotAllowed, "there is no move left to take back")
	}
	k := x.stoppedAt(x.now, c.At)
	e.Clocks = k.Remaining(c.At)
	// The digest is known after the log with the entry has been folded.
	f, err := foldTurns(x.Info, append(slices.Clip(x.log.entries), e))
	if err != nil {
		x.effects.Report = &Report{"turn not taken back", err}
		return errcode.Internal(err)
	}
	e.Digest, f.clocks = Digest(f.position), e.Clocks
	x.appendEntries(transition{folded: f, clock: k, entries: []Entry{e}})
	return nil
}
