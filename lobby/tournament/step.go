package tournament

import (
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"ayumu/lobby/account"
	"ayumu/lobby/errcode"
	"ayumu/lobby/text"
)

// Limits of tournaments.
const (
	MaxRunning     = 10 // tournaments in which one user plays
	MaxRunningLive = 3  // live ones among them
	MaxOpen        = 2  // tournaments of one organizer who is no moderator that have not started
	MaxByes        = 2  // byes that a player can ask for

	cancelNotice = time.Minute          // from the warning that too few players are there
	playersWait  = 5 * time.Minute      // for players who can be paired
	checkPause   = 5 * time.Second      // between two checks for such players
	capNotice    = 24 * time.Hour       // from the warning that the time of a round will be up, or half of that time
	maxAhead     = 400 * 24 * time.Hour // of a start
)

// Step returns the state after an input, and what has to be done. The next state holds only if the caller can append the
// entries of the effects to a log with the version of s. Step changes nothing, reads no time and does no I/O.
//
// A refused input has an error in the effects; entries of what was due anyway can come with it.
func Step(s State, in Input, now Now) (State, Effects) {
	now.Time = later(now.Time, s.LastAt) // which a node whose clock is ahead may have recorded
	x := step{State: s, now: now}
	var err error
	switch {
	case now.Degraded && in.Kind == InputCheck:
	case now.Degraded:
		err = errcode.Errorf(errcode.Unavailable, "the server cannot record that now; nothing has changed, so try again in a moment")
	default:
		x.applyTime()
		if err = x.handle(&in); err == nil {
			x.applyTime()
		}
	}
	if x.fault != nil {
		x = step{State: s, now: now}
		err = errcode.Internal(x.fault)
	}
	return x.State, x.effects(err)
}

// step is one call of Step.
type step struct {
	State   // the next state
	now     Now
	entries []Entry
	fault   error // of the server: an entry does not follow
}

// record adds an entry and applies it.
func (x *step) record(e Entry) {
	if x.fault != nil {
		return
	}
	e.At = x.now.Time
	next, err := x.apply(&e)
	if err != nil {
		x.fault = fmt.Errorf("tournament %s: %w", x.ID, err)
		return
	}
	x.State, x.entries = next, append(x.entries, e)
}

// handle reacts to an input.
func (x *step) handle(in *Input) error {
	switch {
	case in.Kind == InputCheck:
		return nil
	case in.Kind == InputCreate:
		return x.create(in)
	case x.Version == 0:
		return badRequest("the tournament does not exist yet")
	case in.Kind == InputGameEnded:
		x.gameEnded(in)
		return nil
	case in.Kind == InputBan:
		x.ban(in.User)
		return nil
	case in.Kind == InputBecameBot:
		if i := x.PlayerIndex(in.User); i >= 0 && x.Players[i].IsIn() && !x.Terms.Bots && !x.IsOver() {
			x.withdraw(in.User, CauseBot)
		}
		return nil
	case x.IsOver():
		return errcode.Errorf(errcode.Closed, "the tournament is over")
	}
	switch in.Kind {
	case InputEnter:
		return x.enter(in)
	case InputStart, InputEdit, InputRule, InputExtend, InputCancel, InputRemove, InputLetIn:
		if in.By != x.Organizer && !in.Moderator {
			return notAllowed("only the organizer of the tournament and moderators can do that")
		}
		return x.organize(in)
	}
	player := x.PlayerIndex(in.By)
	if player < 0 {
		return notAllowed("you are not in this tournament; enter it first")
	}
	return x.handlePlayer(in, &x.Players[player])
}

func (x *step) create(in *Input) error {
	if x.Version > 0 {
		return notAllowed("the tournament exists already")
	}
	if in.Open >= MaxOpen && !in.Moderator {
		return notAllowed("you have %s that have not started; start or cancel one first", text.Plural(in.Open, "tournament"))
	}
	if err := x.checkStart(&in.Terms); err != nil {
		return err
	}
	terms := in.Terms
	x.record(Entry{Kind: EntryCreated, By: in.By, Terms: &terms, Seed: in.Seed})
	return nil
}

// checkStart returns why a tournament cannot start when its terms say.
func (x *step) checkStart(t *Terms) error {
	if ahead := t.Start.Sub(x.now.Time); !t.Start.IsZero() && (ahead < t.CheckIn || ahead < cancelNotice || ahead > maxAhead) {
		return badRequest("start must be after the check-in, at least %d s and at most %d days from now", int(max(cancelNotice, t.CheckIn)/time.Second), int(maxAhead/(24*time.Hour)))
	}
	return nil
}

// enter lets a user enter.
func (x *step) enter(in *Input) error {
	t, e := &x.Terms, &in.Entrant
	if i := x.PlayerIndex(in.By); i >= 0 && x.Players[i].IsIn() {
		return notAllowed("you have already entered this tournament")
	} else if x.IsRemoved(in.By) {
		return errRemoved()
	} else if i >= 0 {
		return notAllowed("you have withdrawn from this tournament; enter another")
	}
	switch {
	case x.HasStarted() && t.Format.hasSchedule():
		return errcode.Errorf(errcode.Closed, "a round robin cannot be entered after its start; enter another tournament")
	case x.HasStarted() && len(x.Rounds) > x.LastEntryRound():
		return errcode.Errorf(errcode.Closed, "this tournament could be entered until round %d; enter another", x.LastEntryRound())
	case x.countIn() >= t.Max || len(x.Players) >= MaxPlayers:
		return errcode.Errorf(errcode.Full, "all %d places of this tournament are taken; enter another", t.Max)
	}
	switch {
	case e.Guest:
		return notAllowed("tournaments need an SSH key; guests can watch them")
	case e.Bot && !t.Bots:
		return notAllowed("bots cannot enter this tournament")
	case t.Members && !e.Member:
		return notAllowed("only members of the club can enter this tournament")
	case e.Until.After(x.now.Time):
		return notAllowed("you did not come to games of tournaments; you can enter one again at %s UTC", e.Until.UTC().Format("2006-01-02 15:04"))
	case t.MinRating > 0 && e.Rating < t.MinRating:
		return notAllowed("this tournament is for ratings from %d; yours is %d", t.MinRating, e.Rating)
	case t.MaxRating > 0 && max(e.Rating, e.Highest) > t.MaxRating:
		return notAllowed("this tournament is for ratings up to %d; your highest of 90 days is %d", t.MaxRating, max(e.Rating, e.Highest))
	case e.Games < t.MinGames:
		return notAllowed("this tournament is for players with %s; you have %d", text.Plural(t.MinGames, "rated game"), e.Games)
	case e.Running >= MaxRunning:
		return notAllowed("you are in %s; finish or leave one first", text.Plural(e.Running, "tournament"))
	case t.Control.IsLive() && e.Live >= MaxRunningLive:
		return notAllowed("you are in %s; finish or leave one first", text.Plural(e.Live, "live tournament"))
	}
	x.record(Entry{Kind: EntryEntered, User: in.By, Rating: e.Rating, Bot: e.Bot})
	if x.Phase == PhaseCheckIn {
		x.record(Entry{Kind: EntryCheckedIn, User: in.By})
	}
	return nil
}

func errRemoved() error {
	return notAllowed("the organizer has taken you out of this tournament; ask them to let you in again, or enter another")
}

// countIn returns the number of players who have not withdrawn.
func (s *State) countIn() (n int) {
	for i := range s.Players {
		if s.Players[i].IsIn() {
			n++
		}
	}
	return n
}

// handlePlayer does what a player asks for. What is so already changes nothing.
func (x *step) handlePlayer(in *Input, p *Player) error {
	if !p.IsIn() {
		if in.Kind == InputWithdraw {
			return nil
		}
		if x.IsRemoved(p.User) {
			return errRemoved()
		}
		return notAllowed("you have withdrawn from this tournament")
	}
	switch in.Kind {
	case InputCheckIn:
		if x.Phase != PhaseCheckIn {
			return x.refuseCheckIn(p)
		}
		if !p.IsCheckedIn {
			x.record(Entry{Kind: EntryCheckedIn, User: p.User})
		}
	case InputWithdraw:
		x.withdraw(p.User, "")
	case InputPause:
		if p.Status == StatusIn {
			x.record(Entry{Kind: EntryPaused, User: p.User})
		}
	case InputResume:
		if p.Status == StatusPaused {
			x.record(Entry{Kind: EntryResumed, User: p.User})
		}
	case InputAskBye:
		return x.askBye(in.Round, p)
	}
	return nil
}

// refuseCheckIn returns why a player cannot check in now.
func (x *step) refuseCheckIn(p *Player) error {
	switch {
	case p.IsCheckedIn:
		return nil
	case x.HasStarted():
		return errcode.Errorf(errcode.Closed, "the check-in is over; resume to be paired from the next round on")
	case x.Terms.CheckIn == 0:
		return notAllowed("this tournament has no check-in; you are in")
	}
	return notAllowed("the check-in has not begun; it lasts %d s before the start", int(x.Terms.CheckIn/time.Second))
}

func (x *step) askBye(round int, p *Player) error {
	last := x.Planned
	if !x.HasStarted() {
		last = x.Terms.roundsFor(x.Terms.Max)
	}
	switch {
	case !x.Terms.Format.hasAskedByes():
		return notAllowed("only a swiss tournament has byes that one can ask for; pause instead")
	case round <= len(x.Rounds) || round > last:
		if len(x.Rounds) >= last {
			return errcode.Errorf(errcode.Closed, "the last round has been paired")
		}
		return badRequest("round must be %d to %d", len(x.Rounds)+1, last)
	case slices.Contains(p.Byes, round):
		return nil
	case len(p.Byes) >= MaxByes:
		return notAllowed("you have asked for %d byes, and more are not possible; pause instead", MaxByes)
	}
	x.record(Entry{Kind: EntryByeAsked, User: p.User, Round: round})
	return nil
}

// withdraw takes a player out. cause is empty if the player asks for it.
func (x *step) withdraw(user account.ID, cause Cause) {
	if !x.HasStarted() {
		x.record(Entry{Kind: EntryLeft, User: user, Cause: cause})
		return
	}
	x.record(Entry{Kind: EntryWithdrew, User: user, Cause: cause})
}

// ban takes a player out, who loses the running games of two.
func (x *step) ban(user account.ID) {
	i := x.PlayerIndex(user)
	if i < 0 || x.IsOver() || x.Players[i].Status == StatusBanned {
		return
	}
	x.withdraw(user, CauseBanned)
	for _, r := range x.Rounds {
		for _, g := range r.Games {
			seat := g.seatOf(i)
			if !g.IsOver() && seat >= 0 && len(g.Seats) == 2 {
				x.rule(g, winnersPlaces(2, func(o int) bool { return o != seat }), CauseBanned)
			}
		}
	}
}

// rule records the result of a running game that follows from the rules of tournaments.
func (x *step) rule(g *Game, places []int, cause Cause) {
	x.record(Entry{Kind: EntryRuled, Round: g.Round, Table: g.Table, Places: places, Cause: cause})
}

// organize does what the organizer asks for.
func (x *step) organize(in *Input) error {
	if utf8.RuneCountInString(in.Note) > MaxNote {
		return badRequest("a reason has at most %d characters", MaxNote)
	}
	switch in.Kind {
	case InputStart:
		return x.start()
	case InputEdit:
		return x.edit(in)
	case InputRule:
		return x.ruleFor(in)
	case InputExtend:
		return x.extend(in)
	case InputCancel:
		x.record(Entry{Kind: EntryCancelled, By: in.By, Note: in.Note})
	case InputRemove:
		return x.remove(in)
	case InputLetIn:
		return x.letIn(in)
	}
	return nil
}

// remove takes a player out for the organizer, as if they had withdrawn.
func (x *step) remove(in *Input) error {
	i := x.PlayerIndex(in.User)
	if i < 0 || !x.Players[i].IsIn() {
		return badRequest("that player is not in the tournament; name one who is")
	}
	e := Entry{Kind: EntryLeft, By: in.By, User: in.User, Note: in.Note}
	if x.HasStarted() {
		e.Kind = EntryWithdrew
	}
	x.record(e)
	return nil
}

// letIn lets a user take part again whom the organizer has taken out. In a round robin places would be possible again that were
// not any more, because of the games that do not count.
func (x *step) letIn(in *Input) error {
	i := x.PlayerIndex(in.User)
	switch {
	case !x.IsRemoved(in.User) || i >= 0 && x.StatusOf(i) != StatusRemoved:
		return badRequest("that player was not taken out of the tournament; name one who was")
	case x.HasStarted() && x.Terms.Format.hasSchedule():
		return errcode.Errorf(errcode.Closed, "a round robin cannot be entered after its start")
	case i >= 0 && x.countIn() >= x.Terms.Max:
		return errcode.Errorf(errcode.Full, "all %d places of this tournament are taken", x.Terms.Max)
	}
	x.record(Entry{Kind: EntryLetIn, By: in.By, User: in.User})
	return nil
}

func (x *step) start() error {
	if x.HasStarted() {
		return errcode.Errorf(errcode.Closed, "the tournament has started already")
	}
	if x.Phase == PhaseOpen && x.Terms.CheckIn > 0 {
		x.record(Entry{Kind: EntryOpened, Deadline: x.now.Time.Add(x.Terms.CheckIn)})
		return nil
	}
	if n := x.countReady(); n < x.Terms.Min {
		return notAllowed("the tournament needs %s, and %d can play now; wait, or cancel it", text.Plural(x.Terms.Min, "player"), n)
	}
	x.begin()
	return nil
}

func (x *step) edit(in *Input) error {
	if x.Phase != PhaseOpen {
		return errcode.Errorf(errcode.Closed, "the terms can be changed until the check-in or the start")
	}
	if err := x.checkStart(&in.Terms); err != nil {
		return err
	}
	if n := len(x.Players); in.Terms.Max < n {
		return badRequest("max must be at least %d, the players who have entered", n)
	}
	terms := in.Terms
	x.record(Entry{Kind: EntryEdited, By: in.By, Terms: &terms})
	return nil
}

func (x *step) ruleFor(in *Input) error {
	g, ok := x.Game(in.Round, in.Table)
	switch {
	case !ok:
		return badRequest("round %d has no table %d", in.Round, in.Table)
	case g.IsOver():
		return errcode.Errorf(errcode.Closed, "the game has ended; only running games can be decided")
	}
	places := in.Places
	if places == nil {
		places = drawnPlaces(len(g.Seats))
	}
	if err := checkPlaces(places, len(g.Seats)); err != nil {
		return badRequest("a game of %d has a place from 1 for each seat, and equal seats share the best of theirs", len(g.Seats))
	}
	x.record(Entry{Kind: EntryRuled, By: in.By, Round: g.Round, Table: g.Table, Places: places, Note: in.Note})
	return nil
}

func (x *step) extend(in *Input) error {
	switch {
	case in.Hours < 1 || in.Hours > MaxCap:
		return badRequest("hours must be 1 to %d", MaxCap)
	case x.Phase != PhaseRunning:
		return errcode.Errorf(errcode.Closed, "no round is running; only a running round can be extended")
	}
	for i := range x.Rounds {
		if r := &x.Rounds[i]; r.Ended.IsZero() {
			to := r.Deadline.Add(time.Duration(in.Hours) * time.Hour)
			if to.Sub(x.now.Time) > MaxCap*time.Hour {
				return badRequest("a round can go on for %d hours at most from now", MaxCap)
			}
			x.record(Entry{Kind: EntryExtended, By: in.By, Round: r.Number, Deadline: to})
		}
	}
	return nil
}

// gameEnded records the end of a match. One that is known already changes nothing.
func (x *step) gameEnded(in *Input) {
	g, ok := x.Game(in.Round, in.Table)
	if !ok || g.IsOver() || x.IsOver() {
		return
	}
	end, seats := in.Ended, len(g.Seats)
	end.NoShows = slices.DeleteFunc(slices.Clone(end.NoShows), func(seat int) bool { return seat < 0 || seat >= seats })
	e := Entry{Kind: EntryGameEnded, Round: g.Round, Table: g.Table, Outcome: GamePlayed, Places: end.Places, NoShows: end.NoShows, Version: end.Version}
	switch {
	case end.Places != nil && checkPlaces(end.Places, seats) == nil:
		if len(end.Scores) == seats {
			e.Scores = end.Scores
		}
	case len(end.NoShows) > 0:
		e.Outcome, e.Places = GameNoShow, nil
		came := func(seat int) bool { return !slices.Contains(end.NoShows, seat) }
		if slices.ContainsFunc(allSeats(seats), came) {
			e.Places = winnersPlaces(seats, came)
		}
	default:
		// Nobody is at fault.
		e.Kind, e.Outcome, e.Places, e.Cause = EntryRuled, "", drawnPlaces(seats), CauseAborted
	}
	x.record(e)
}

// allSeats returns the numbers of so many seats.
func allSeats(n int) []int {
	seats := make([]int, n)
	for i := range seats {
		seats[i] = i
	}
	return seats
}
