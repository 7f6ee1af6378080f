package lobby

import (
	"time"

	"ayumu/lobby/match"
)

// evict makes room by removing the least valuable abandoned match, and reports whether there was one. So
// users who start games and leave cannot keep others from playing. It prefers finished matches; then it
// aborts matches without a clock whose players are all absent for longer than the grace, those with the
// fewest turns first. The caller holds Lobby.mu. The match's goroutine does the removal.
func (ms *matches) evict() bool {
	now := ms.l.node.Now()
	var victim *Match
	for _, m := range ms.byID {
		if !m.evicting && m.isAbandoned(now) && (victim == nil || m.lessValuable(victim)) {
			victim = m
		}
	}
	if victim == nil {
		return false
	}
	victim.evicting = true
	ms.evicting++
	close(victim.evicted)
	return true
}

// isAbandoned reports whether the match has ended or has no clock, nobody watches it and none of its
// players is present or expected back soon.
func (m *Match) isAbandoned(now time.Time) bool {
	s := m.playerSnapshot.Load()
	if !s.IsOver() && !m.Info.Control.IsUntimed() || m.SpectatorCount() > 0 {
		return false
	}
	for i, u := range m.seats {
		if m.Info.Seats[i].Bot || !s.IsOver() && s.Position.HasLeft(i) {
			continue
		}
		a := u.absence()
		if grace, _ := match.Grace(m.Info.Control, a.Dropped); a.IsPresent() || !s.IsOver() && now.Sub(a.Since) < grace {
			return false
		}
	}
	return true
}

// lessValuable reports whether m should be evicted before other.
func (m *Match) lessValuable(other *Match) bool {
	a, b := m.playerSnapshot.Load(), other.playerSnapshot.Load()
	switch {
	case a.IsOver() != b.IsOver():
		return a.IsOver()
	case a.Turns != b.Turns:
		return a.Turns < b.Turns
	}
	return a.LastAt.Before(b.LastAt)
}

// forgetRows deletes the rows about a match that is forgotten: the lines of its rooms, the lease of its bots, and this
// node's drafts and players who are elsewhere, which a match without a last turn can leave. Those of spectators are
// deleted when they leave.
func (m *Match) forgetRows() {
	m.l.chats.forget(&m.PlayerChat)
	m.l.chats.forget(&m.SpectatorChat)
	m.l.rows.bots.Release(m.Info.ID)
	m.mu.Lock()
	defer m.mu.Unlock()
	for seat := range m.drafts {
		m.unshareDraft(seat)
	}
	m.shareElsewhere(0)
}
