package lobby

import "time"

// makeRoom sends the match away that is missed least, if there is one, so that a crowd that begins
// games and goes cannot keep everybody else from playing. Finished ones at which nobody is go first,
// and then those without a clock that all their people have left for longer than the grace: they are
// broken off, the ones with the fewest turns first. mu must be held.
func (l *Lobby) makeRoom() bool {
	now := time.Now()
	var least *Match
	for _, m := range l.matches {
		if !m.going && m.deserted(now) && (least == nil || m.missedLess(least)) {
			least = m
		}
	}
	if least == nil {
		return false
	}
	least.going = true
	l.going++
	close(least.out)
	return true
}

// deserted reports whether nobody is at a match that has ended or has no clock, nor is expected back
// soon.
func (m *Match) deserted(now time.Time) bool {
	s := m.live.Load()
	if !s.Over() && !m.Info.Control.None() || m.Watchers() > 0 {
		return false
	}
	for i, p := range m.seats {
		if m.Info.Seats[i].Bot || !s.Over() && s.Position.Left(i) {
			continue
		}
		since, dropped := p.absent()
		if grace, _ := m.grace(dropped); since.IsZero() || !s.Over() && now.Sub(since) < grace {
			return false
		}
	}
	return true
}

func (m *Match) missedLess(other *Match) bool {
	a, b := m.live.Load(), other.live.Load()
	switch {
	case a.Over() != b.Over():
		return a.Over()
	case a.Turns != b.Turns:
		return a.Turns < b.Turns
	}
	return a.LastAt.Before(b.LastAt)
}

// leave ends the match because its place is needed.
func (m *Match) leave(at time.Time) {
	m.guard(func() error {
		if m.st.result != nil {
			return nil
		}
		return m.abort(at, AbortRoom)
	})
	m.l.forget(m)
}
