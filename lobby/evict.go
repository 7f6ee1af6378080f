package lobby

import "time"

// evict sends the match away that is missed least, if there is one, so that a crowd that begins
// games and goes cannot keep everybody else from playing. Finished ones at which nobody is go first,
// and then those without a clock that all their people have left for longer than the grace: they are
// broken off, the ones with the fewest turns first. mu must be held.
func (l *Lobby) evict() bool {
	now := time.Now()
	var minimum *Match
	for _, m := range l.matches {
		if !m.evicting && m.isAbandoned(now) && (minimum == nil || m.lessValuable(minimum)) {
			minimum = m
		}
	}
	if minimum == nil {
		return false
	}
	minimum.evicting = true
	l.evicting++
	close(minimum.evicted)
	return true
}

// isAbandoned reports whether nobody is at a match that has ended or has no clock, nor is expected back
// soon.
func (m *Match) isAbandoned(now time.Time) bool {
	s := m.liveSnapshot.Load()
	if !s.IsOver() && !m.Info.Control.IsUntimed() || m.SpectatorCount() > 0 {
		return false
	}
	for i, p := range m.seats {
		if m.Info.Seats[i].Bot || !s.IsOver() && s.Position.HasLeft(i) {
			continue
		}
		since, dropped := p.absent()
		if grace, _ := m.grace(dropped); since.IsZero() || !s.IsOver() && now.Sub(since) < grace {
			return false
		}
	}
	return true
}

func (m *Match) lessValuable(other *Match) bool {
	a, b := m.liveSnapshot.Load(), other.liveSnapshot.Load()
	switch {
	case a.IsOver() != b.IsOver():
		return a.IsOver()
	case a.Turns != b.Turns:
		return a.Turns < b.Turns
	}
	return a.LastAt.Before(b.LastAt)
}

// abortEvicted ends the match because its place is needed.
func (m *Match) abortEvicted(at time.Time) {
	m.freezeOnPanic(func() error {
		if m.state.result != nil {
			return nil
		}
		return m.abort(at, AbortEvicted)
	})
	m.l.forgetMatch(m)
}
