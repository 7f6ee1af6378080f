package tournament

import (
	"slices"
	"time"
)

// applyTime does what is due, and what follows from it.
func (x *step) applyTime() {
	for before := -1; len(x.entries) != before && x.fault == nil && x.Version > 0; {
		before = len(x.entries)
		switch x.Phase {
		case PhaseOpen, PhaseCheckIn:
			x.applyStart()
		case PhaseRunning:
			x.applyRound()
		case PhasePause:
			x.applyPause()
		case PhaseClosed, PhaseCancelled:
		}
	}
}

// isDue reports whether a time has come. The zero time never does.
func (x *step) isDue(at time.Time) bool { return !at.IsZero() && !x.now.Time.Before(at) }

// startsAt returns when the tournament starts; the zero time if the organizer starts it.
func (s *State) startsAt() time.Time {
	if s.Phase == PhaseCheckIn {
		return s.CheckInTo
	}
	return s.Terms.Start
}

// checkInAt returns when the check-in begins; the zero time if there is none, or the organizer begins it.
func (s *State) checkInAt() time.Time {
	if s.Phase != PhaseOpen || s.Terms.CheckIn == 0 || s.Terms.Start.IsZero() {
		return time.Time{}
	}
	return s.Terms.Start.Add(-s.Terms.CheckIn)
}

// countReady returns the number of players with whom the tournament would start now.
func (s *State) countReady() (n int) {
	for i := range s.Players {
		if p := &s.Players[i]; p.Status == StatusIn && (s.Phase != PhaseCheckIn || p.IsCheckedIn) {
			n++
		}
	}
	return n
}

// applyStart opens the check-in and starts the tournament. With too few players it is cancelled, a minute after a warning.
func (x *step) applyStart() {
	at := x.startsAt()
	switch {
	case x.isDue(x.checkInAt()):
		// After downtime there is still half of the time to check in.
		x.record(Entry{Kind: EntryOpened, Deadline: later(x.Terms.Start, x.now.Time.Add(x.Terms.CheckIn/2))})
	case at.IsZero():
	case x.countReady() >= x.Terms.Min:
		if x.isDue(at) {
			x.begin()
		}
	case x.CancelAt.IsZero():
		if x.isDue(at.Add(-cancelNotice)) {
			x.record(Entry{Kind: EntryWarned, Deadline: later(at, x.now.Time.Add(cancelNotice))})
		}
	case x.isDue(x.CancelAt):
		x.record(Entry{Kind: EntryCancelled, Cause: CauseFewPlayers})
	}
}

// begin starts the tournament with those who are ready.
func (x *step) begin() {
	var ready []int
	for i := range x.Players {
		if p := &x.Players[i]; p.Status == StatusIn && (x.Phase != PhaseCheckIn || p.IsCheckedIn) {
			ready = append(ready, i)
		}
	}
	e := Entry{Kind: EntryStarted}
	largest := len(ready)
	if x.Terms.Format.hasSchedule() {
		e.Divisions = x.divide(ready)
		largest = 0
		for _, d := range e.Divisions {
			largest = max(largest, len(d))
		}
	}
	e.Rounds = x.Terms.roundsFor(largest)
	x.record(e)
}

// applyRound ends a round whose games are over, and those of players who have withdrawn. It warns of the end of its time, and
// then rules games as drawn.
func (x *step) applyRound() {
	from := len(x.Rounds)
	for from > 1 && x.Rounds[from-2].Ended.IsZero() {
		from--
	}
	running := x.Rounds[from-1:]
	if !slices.ContainsFunc(running, func(r Round) bool { return slices.ContainsFunc(r.Games, x.holdsRound) }) {
		x.endRounds(running)
		return
	}
	for i := range running {
		r := &running[i]
		notice := min(capNotice, x.Terms.Cap/2)
		switch {
		case !r.hasRunning():
		case r.Warned.IsZero() && x.isDue(r.Deadline.Add(-notice)):
			x.record(Entry{Kind: EntryWarned, Round: r.Number})
		case !r.Warned.IsZero() && x.isDue(r.Deadline) && x.isDue(r.Warned.Add(notice)):
			for _, g := range r.Games {
				if !g.IsOver() {
					x.rule(g, drawnPlaces(len(g.Seats)), CauseTimeUp)
				}
			}
		}
	}
}

// holdsRound reports whether the round has to wait for a game: it is running, and at least two of its players are still in.
func (s *State) holdsRound(g *Game) bool {
	if g.IsOver() {
		return false
	}
	in := 0
	for _, p := range g.Seats {
		if s.Players[p].IsIn() {
			in++
		}
	}
	return in >= 2
}

// endRounds ends rounds that wait for no game. A player who is still in wins against those who have withdrawn.
func (x *step) endRounds(running []Round) {
	for i := range running {
		for _, g := range running[i].Games {
			if g.IsOver() {
				continue
			}
			isIn := func(seat int) bool { return x.Players[g.Seats[seat]].IsIn() }
			var places []int
			if slices.ContainsFunc(allSeats(len(g.Seats)), isIn) {
				places = winnersPlaces(len(g.Seats), isIn)
			}
			x.rule(g, places, CauseWithdrawn)
		}
	}
	x.record(Entry{Kind: EntryRoundOver, Round: running[len(running)-1].Number})
}

// closeTournament ends the tournament with the standings as they are.
func (x *step) closeTournament() {
	places := make([]int, len(x.Players))
	for _, at := range x.Standings() {
		places[at.Player] = at.Place
	}
	x.record(Entry{Kind: EntryClosed, Places: places})
}

// pairAt returns when the next round is paired, in PhasePause.
func (s *State) pairAt() time.Time {
	if len(s.Rounds) == 0 {
		return s.LastAt
	}
	return s.Rounds[len(s.Rounds)-1].Ended.Add(s.Terms.Pause)
}

// waitsTo returns until when a round waits for players who can be paired.
func (s *State) waitsTo() time.Time { return s.pairAt().Add(playersWait) }

// applyPause pairs the next round once the pause is over and enough players can play, or closes the tournament after the last.
func (x *step) applyPause() {
	switch {
	case len(x.Rounds) == x.Planned:
		x.closeTournament()
	case x.countIn() < 2:
		x.endEarly()
	case !x.isDue(x.pairAt()):
	case x.pairNext():
	case x.isDue(x.waitsTo()):
		x.endEarly()
	}
}

// endEarly ends a tournament that cannot go on.
func (x *step) endEarly() {
	if len(x.Rounds) == 0 {
		x.record(Entry{Kind: EntryCancelled, Cause: CauseFewPlayers})
		return
	}
	x.closeTournament()
}

// Next returns the earliest time at which something may be due; the zero time if only another input can change anything.
// It can be past, if the tournament waits for players.
func Next(s *State) time.Time {
	var next time.Time
	add := func(at time.Time) {
		if !at.IsZero() && (next.IsZero() || at.Before(next)) {
			next = at
		}
	}
	switch s.Phase {
	case PhaseOpen, PhaseCheckIn:
		add(s.checkInAt())
		switch at := s.startsAt(); {
		case at.IsZero():
		case s.countReady() >= s.Terms.Min:
			add(at)
		case s.CancelAt.IsZero():
			add(at.Add(-cancelNotice))
		default:
			add(s.CancelAt)
		}
	case PhaseRunning:
		notice := min(capNotice, s.Terms.Cap/2)
		for i := range s.Rounds {
			switch r := &s.Rounds[i]; {
			case !r.Ended.IsZero() || !r.hasRunning():
			case r.Warned.IsZero():
				add(r.Deadline.Add(-notice))
			default:
				add(later(r.Deadline, r.Warned.Add(notice)))
			}
		}
	case PhasePause:
		add(s.pairAt())
	case PhaseClosed, PhaseCancelled:
	}
	return next
}
