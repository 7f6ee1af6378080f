package lobby

import (
	"context"
	"time"

	"ayumu/lobby/cluster/rows"
)

// elsewhereDelay is the time for which no session of a player looks at a live match before the player is elsewhere, so
// that a glance at the lobby is not shown to the opponent.
const elsewhereDelay = 5 * time.Second

// LookAt sets the match that the session displays as it happens; "": none, as at first. A player whose sessions all
// display something else is shown as elsewhere.
func (s *Session) LookAt(match string) {
	u := s.user
	u.mu.Lock()
	before := s.looksAt
	s.looksAt = match
	u.mu.Unlock()
	if before == match {
		return
	}
	for _, m := range u.seatedMatches() {
		if m.Info.ID == before || m.Info.ID == match {
			m.checkSoon()
		}
	}
}

// LookAtAll marks the session as one of a program, which follows all matches of its user.
func (s *Session) LookAtAll() {
	s.user.mu.Lock()
	s.looksAtAll = true
	s.user.mu.Unlock()
	s.user.checkMatches()
}

// looksAt reports whether the user has sessions on this node, and whether one of them displays a match.
func (u *user) looksAt(match string) (isHere, looks bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for s := range u.sessions {
		isHere = true
		if s.looksAtAll || s.looksAt == match {
			return true, true
		}
	}
	return isHere, false
}

// otherNodes returns the other nodes that are alive and on which the user has sessions.
func (u *user) otherNodes() []string {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.presence.Nodes()
}

// watchPlayers finds out which players look at something else with all sessions that they have on this node, and writes
// the row that the other nodes read.
func (r *runner) watchPlayers(now time.Time) {
	var away uint8
	for seat, u := range r.seats {
		if !r.showsElsewhere(seat) {
			r.lookedAway[seat] = time.Time{}
			continue
		}
		isHere, looks := u.looksAt(r.Info.ID)
		since := &r.lookedAway[seat]
		switch {
		case !isHere || looks:
			*since = time.Time{}
		case since.IsZero():
			*since = now
		case now.Sub(*since) >= elsewhereDelay:
			away |= 1 << seat
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.shareElsewhere(away)
}

// showsElsewhere reports whether others are shown when the player of a seat is elsewhere: in running live games of people.
func (r *runner) showsElsewhere(seat int) bool {
	return r.Info.Control.IsLive() && !r.Info.Seats[seat].Bot && !r.state.IsOver()
}

// isElsewhere reports whether the player of a seat has sessions and looks at something else on every node that has some.
func (r *runner) isElsewhere(seat int) bool {
	if !r.showsElsewhere(seat) {
		return false
	}
	u := r.seats[seat]
	isHere, looks := u.looksAt(r.Info.ID)
	if looks {
		return false
	}
	nodes := u.otherNodes()
	r.mu.Lock()
	defer r.mu.Unlock()
	if isHere && r.elsewhere&(1<<seat) == 0 {
		return false
	}
	for _, node := range nodes {
		if r.elsewhereOn[node]&(1<<seat) == 0 {
			return false
		}
	}
	return isHere || len(nodes) > 0
}

// nextElsewhere returns when watchPlayers has to find out that a player is elsewhere; zero: nobody has looked away, or it
// has found out.
func (r *runner) nextElsewhere() (next time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for seat, since := range r.lookedAway {
		if at := since.Add(elsewhereDelay); !since.IsZero() && r.elsewhere&(1<<seat) == 0 && (next.IsZero() || at.Before(next)) {
			next = at
		}
	}
	return next
}

// shareElsewhere replaces the seats whose players look at something else on this node, a bit for each, and writes the row
// about them. The caller holds m.mu.
func (m *Match) shareElsewhere(seats uint8) {
	if m.elsewhere == seats {
		return
	}
	m.elsewhere = seats
	var row *uint8
	if seats != 0 {
		row = &seats
	}
	m.l.rows.elsewhere.Put(m.Info.ID, row)
}

// followElsewhere takes over whose players look at something else on another node.
func (f follower) followElsewhere(_ context.Context, node, id string, next rows.State[uint8]) error {
	m := f.l.matches.get(id)
	if m == nil {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if next.Value == nil {
		delete(m.elsewhereOn, node)
	} else {
		if m.elsewhereOn == nil {
			m.elsewhereOn = make(map[string]uint8)
		}
		m.elsewhereOn[node] = *next.Value
	}
	m.checkSoon()
	return nil
}
