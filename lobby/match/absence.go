package match

import (
	"slices"
	"time"

	"ayumu/engine"
	"ayumu/lobby/clock"
	"ayumu/lobby/errcode"
)

// Times of absence.
const (
	awayNoticeDelay = 5 * time.Second  // until an absence is published
	graceLeft       = 10 * time.Second // grace of a player who left
	graceDropped    = time.Minute      // grace of a player whose connection broke
	slowGraceFactor = 5                // factor of the grace in slow and untimed games
	slowGameInitial = time.Hour        // initial time from which a game is slow
)

// Grace returns how long a player may be absent under a time control before the others may act; false:
// without limit.
func Grace(c clock.Control, dropped bool) (time.Duration, bool) {
	if c.Days > 0 {
		return 0, false
	}
	g := graceLeft
	if dropped {
		g = graceDropped
	}
	if c.IsUntimed() || c.Initial >= slowGameInitial {
		g *= slowGraceFactor
	}
	return g, true
}

// checkAway publishes the absence of players as of that time, if it has changed.
func (x *step) checkAway(at time.Time) {
	for seat := range x.Info.Seats {
		a := x.absence(x.now, seat, at)
		if a != x.away[seat] {
			x.setAway(seat, a)
			x.changed = true
		}
		if x.isElsewhere(x.now, seat) != (x.elsewhere&(1<<seat) != 0) {
			x.elsewhere ^= 1 << seat
			x.changed = true
		}
		// The votes were about an absence that has ended. Every node finds that out by itself.
		if since := x.now.Presence[seat].AbsentSince; x.votes[seat].votes != 0 && (a.Since.IsZero() || since.After(x.votes[seat].at)) {
			x.votes[seat], x.changed = ballot{}, true
		}
	}
}

// setAway replaces the published absence of a seat.
func (s *State) setAway(seat int, a Away) {
	s.away = slices.Clone(s.away)
	s.away[seat] = a
}

// absence returns the absence of a seat's player as published at that time.
func (s *State) absence(now Now, seat int, at time.Time) Away {
	p := now.Presence[seat]
	if p.AbsentSince.IsZero() || at.Sub(p.AbsentSince) < awayNoticeDelay || s.position.HasLeft(seat) {
		return Away{}
	}
	g, claimable := Grace(s.Info.Control, p.Dropped)
	return Away{Since: p.AbsentSince, Dropped: p.Dropped, Claimable: claimable && at.Sub(p.AbsentSince) >= g}
}

// isElsewhere reports whether a seat's player is elsewhere. One who was and has gone stays so until the absence is
// published, so that nobody takes them for being back.
func (s *State) isElsewhere(now Now, seat int) bool {
	switch p := now.Presence[seat]; {
	case !s.Info.Control.IsLive() || s.Info.Seats[seat].Bot || s.position.HasLeft(seat):
		return false
	case !p.AbsentSince.IsZero():
		return s.elsewhere&(1<<seat) != 0 && s.away[seat].Since.IsZero()
	default:
		return p.IsElsewhere
	}
}

// nextAbsenceChange returns when the result of absence will next change for a seat; the zero time: never.
func (s *State) nextAbsenceChange(now Now, seat int) time.Time {
	p := now.Presence[seat]
	switch g, claimable := Grace(s.Info.Control, p.Dropped); {
	case p.AbsentSince.IsZero() || s.position.HasLeft(seat):
		return time.Time{}
	case s.away[seat].Since.IsZero():
		return p.AbsentSince.Add(awayNoticeDelay)
	case claimable && !s.away[seat].Claimable:
		return p.AbsentSince.Add(g)
	}
	return time.Time{}
}

// leftToBots returns since when all players of a match of guests with bots are absent; the zero time if one
// is present or the match has other players.
func (s *State) leftToBots(now Now) (since time.Time) {
	bots := false
	for i, seat := range s.Info.Seats {
		if seat.Bot {
			bots = true
			continue
		}
		gone := now.Presence[i].AbsentSince
		if seat.Account >= 0 || gone.IsZero() {
			return time.Time{}
		}
		since = later(since, gone)
	}
	if !bots {
		return time.Time{}
	}
	return since
}

// Interest grades a running match for spectators by which of its players are present.
type Interest int

// The grades, lowest first. A player who has been away for less than awayNoticeDelay counts as present.
const (
	InterestNone   Interest = iota // nobody who plays is present, or only bots while people are away
	InterestBots                   // only bots play
	InterestPerson                 // a person is present, but no second one, or somebody is away
	InterestPeople                 // two people or more, all present
)

// Interest returns the match's grade for spectators.
func (s *Snapshot) Interest() Interest {
	var people, peopleHere, botsHere int
	for i, seat := range s.Info.Seats {
		here := 0
		if s.Away[i].Since.IsZero() {
			here = 1
		}
		switch {
		case s.Position.HasLeft(i):
		case seat.Bot:
			botsHere += here
		default:
			people, peopleHere = people+1, peopleHere+here
		}
	}
	switch {
	case people >= 2 && peopleHere == people:
		return InterestPeople
	case peopleHere > 0:
		return InterestPerson
	case people == 0 && botsHere > 0:
		return InterestBots
	}
	return InterestNone
}

// claim ends a match of two whose other player has been absent for longer than the grace, also after reading who is
// present from the store: a player may have come back on another node.
func (c *Command) claim(x *step) error {
	if err := x.checkRunning(); err != nil {
		return err
	}
	if !x.isDuel() {
		return errcode.Errorf(errcode.NotAllowed, "only games of two can be claimed; vote instead")
	}
	if c.Claim != "win" && c.Claim != "draw" {
		return errcode.Errorf(errcode.BadRequest, "claim \"win\" or \"draw\"")
	}
	if !x.absence(x.now, 1-c.Seat, c.At).Claimable {
		return errcode.Errorf(errcode.NotAllowed, "your opponent is present, or has not been away long enough")
	}
	if !x.job.isRefreshed {
		x.effects.Request = RequestRefresh
		return nil
	}
	switch c.Claim {
	case "win":
		x.endMatch(c.At, engine.Result{Winners: []int{c.Seat}, Reason: engine.ReasonLeft}, endingBy(1-c.Seat, "", x.isLeavingFault(1-c.Seat)))
	case "draw":
		x.endMatch(c.At, engine.Result{Winners: []int{0, 1}, Reason: engine.ReasonDraw}, endingByNobody)
	}
	return nil
}

// vote votes to remove an absent seat of a match of three or more players. The seat leaves when all other people
// who are present have voted for it. Who is present is read from the store first, as for a claim.
func (c *Command) vote(x *step) error {
	if err := x.checkRunning(); err != nil {
		return err
	}
	switch {
	case x.isDuel():
		return errcode.Errorf(errcode.NotAllowed, "votes are for games of three or more; claim the game instead")
	case c.Target < 0 || c.Target >= len(x.Info.Seats) || c.Target == c.Seat || x.position.HasLeft(c.Target):
		return errcode.Errorf(errcode.BadRequest, "that seat cannot be voted out")
	case x.position.HasLeft(c.Seat):
		return errcode.Errorf(errcode.NotAllowed, "you have left this game")
	case !x.absence(x.now, c.Target, c.At).Claimable:
		return errcode.Errorf(errcode.NotAllowed, "that player is present, or has not been away long enough")
	}
	if !x.job.isRefreshed {
		x.effects.Request = RequestRefresh
		return nil
	}
	next := x.agreements
	if next.votes[c.Target].votes&(1<<c.Seat) != 0 {
		return c.voted(x) // again: somebody else may have gone meanwhile
	}
	next.addEvent(x.Version(), Event{At: c.At, Kind: EventVoted, Seat: c.Seat, Target: c.Target})
	next.votes[c.Target] = ballot{next.votes[c.Target].votes | 1<<c.Seat, c.At}
	agreementWrite{next: next}.request(x)
	return nil
}

// voted removes the seat if all other people who are present have voted for it.
func (c *Command) voted(x *step) error {
	if x.IsOver() || x.position.HasLeft(c.Target) || !x.absence(x.now, c.Target, c.At).Claimable {
		return nil
	}
	for seat := range x.Info.Seats {
		hasVoted := x.votes[c.Target].votes&(1<<seat) != 0
		if !hasVoted && isAskedToVote(x.Info, x.position, seat, c.Target) && x.now.Presence[seat].AbsentSince.IsZero() {
			return nil // somebody who is present has not voted
		}
	}
	return x.removeSeat(c.At, c.Target, LeftAbsent, x.isLeavingFault(c.Target))
}

// isAskedToVote reports whether the vote of a seat matters for the removal of another: that of a person in the match. Bots
// are always present, and the built-in ones never vote.
func isAskedToVote(i *Info, p engine.Position, seat, target int) bool {
	return seat != target && !i.Seats[seat].Bot && !p.HasLeft(seat)
}

// VotesNeeded returns how many votes remove a seat, with those that it has: one of each other person who is present.
func (s *Snapshot) VotesNeeded(target int) int {
	n := s.Votes[target]
	for seat, a := range s.Away {
		if s.voters[target]&(1<<seat) == 0 && isAskedToVote(s.Info, s.Position, seat, target) && a.Since.IsZero() {
			n++
		}
	}
	return n
}
