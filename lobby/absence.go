package lobby

import (
	"time"

	"ayumu/engine"
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

// grace returns how long a player may be absent before the others may act; false: without limit.
func (m *Match) grace(dropped bool) (time.Duration, bool) {
	if m.Info.Control.Days > 0 {
		return 0, false
	}
	g := graceLeft
	if dropped {
		g = graceDropped
	}
	if c := m.Info.Control; c.IsUntimed() || c.Initial >= slowGameInitial {
		g *= slowGraceFactor
	}
	return g, true
}

// checkAway publishes the absence of players as of that time, if it has changed.
func (m *Match) checkAway(at time.Time) {
	if m.state.Result != nil {
		return
	}
	changed := false
	for i := range m.seats {
		a := m.absence(i, at)
		if a != m.away[i] {
			m.away[i], changed = a, true
		}
		if a.Since.IsZero() && m.votes[i] != nil {
			m.votes[i], changed = nil, true // the player is back
		}
	}
	if changed {
		m.publish()
	}
}

// absence returns the absence of a seat's player as published at that time.
func (m *Match) absence(seat int, at time.Time) Away {
	since, dropped := m.seats[seat].absent()
	if since.IsZero() || at.Sub(since) < awayNoticeDelay || m.state.Position.HasLeft(seat) {
		return Away{}
	}
	g, claimable := m.grace(dropped)
	return Away{Since: since, Dropped: dropped, Claimable: claimable && at.Sub(since) >= g}
}

// nextAbsenceChange returns when the result of absence will next change for a seat; the zero time: never.
func (m *Match) nextAbsenceChange(seat int) time.Time {
	since, dropped := m.seats[seat].absent()
	switch g, claimable := m.grace(dropped); {
	case since.IsZero() || m.state.Position.HasLeft(seat):
		return time.Time{}
	case m.away[seat].Since.IsZero():
		return since.Add(awayNoticeDelay)
	case claimable && !m.away[seat].Claimable:
		return since.Add(g)
	}
	return time.Time{}
}

// leftToBotsLimit is how long a match without a clock waits for its guests if only bots are left. Guests
// soon lose their way back, while an account may return for a month.
const leftToBotsLimit = 10 * time.Minute

// leftToBots returns since when all players of a match of guests with bots are absent; the zero time if one
// is present or the match has other players.
func (m *Match) leftToBots() (since time.Time) {
	bots := false
	for i, p := range m.seats {
		if m.Info.Seats[i].Bot {
			bots = true
			continue
		}
		gone, _ := p.absent()
		if !p.Account().IsGuest() || gone.IsZero() {
			return time.Time{}
		}
		if gone.After(since) {
			since = gone
		}
	}
	if !bots {
		return time.Time{}
	}
	return since
}

func (m *Match) claim(at time.Time, seat int, kind string) error {
	if err := m.checkRunning(); err != nil {
		return err
	}
	if len(m.seats) != 2 {
		return errcode.Errorf(errcode.NotAllowed, "with more than two players, vote instead")
	}
	if !m.absence(1-seat, at).Claimable {
		return errcode.Errorf(errcode.NotAllowed, "your opponent is present, or has not been away long enough")
	}
	switch kind {
	case "win":
		return m.endMatch(at, engine.Result{Winners: []int{seat}, Reason: engine.ReasonLeft})
	case "draw":
		return m.endMatch(at, engine.Result{Winners: []int{0, 1}, Reason: engine.ReasonDraw})
	}
	return errcode.Errorf(errcode.BadRequest, "claim \"win\" or \"draw\"")
}

func (m *Match) vote(at time.Time, seat, target int) error {
	if err := m.checkRunning(); err != nil {
		return err
	}
	switch {
	case len(m.seats) == 2:
		return errcode.Errorf(errcode.NotAllowed, "with two players, claim the game instead")
	case target < 0 || target >= len(m.seats) || target == seat || m.state.Position.HasLeft(target):
		return errcode.Errorf(errcode.BadRequest, "that seat cannot be voted out")
	case m.state.Position.HasLeft(seat):
		return errcode.Errorf(errcode.NotAllowed, "you have left this match")
	case !m.absence(target, at).Claimable:
		return errcode.Errorf(errcode.NotAllowed, "that player is present, or has not been away long enough")
	}
	if m.votes[target] == nil {
		m.votes[target] = make(map[int]bool)
	}
	if !m.votes[target][seat] {
		m.addEvent(MatchEvent{At: at, Kind: EventVoted, Seat: seat, Target: target})
	}
	m.votes[target][seat] = true
	for i, p := range m.seats {
		if i == target || m.state.Position.HasLeft(i) || m.votes[target][i] {
			continue
		}
		if since, _ := p.absent(); since.IsZero() {
			m.publish()
			return nil // a present player has not voted
		}
	}
	m.votes[target] = nil
	return m.removeSeat(at, target, LeftAbsent)
}
