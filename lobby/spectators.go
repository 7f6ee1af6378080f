package lobby

import (
	"context"

	"ayumu/lobby/cluster/rows"
)

// followSpectators takes over how many sessions of another node watch a match.
func (f follower) followSpectators(_ context.Context, node, id string, next rows.State[int]) error {
	m := f.l.matches.get(id)
	if m == nil {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if next.Value == nil {
		delete(m.spectatorsOn, node)
	} else {
		if m.spectatorsOn == nil {
			m.spectatorsOn = make(map[string]int)
		}
		m.spectatorsOn[node] = *next.Value
	}
	m.countSpectators()
	return nil
}

// followNodes counts the spectators after a node has died or come back, and wakes the bots, which may have acted
// there.
func (m *Match) followNodes() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.countSpectators()
	for i, u := range m.seats {
		if m.Info.Seats[i].Bot {
			u.wake()
		}
	}
}

// spectatorsChanged counts the spectators after some have come or gone, and writes the row that the other nodes read.
// The caller holds m.mu.
func (m *Match) spectatorsChanged() {
	m.countSpectators()
	var row *int
	if n := len(m.spectators); n > 0 {
		row = &n
	}
	m.l.rows.spectators.Put(m.Info.ID, row)
}

// countSpectators counts the sessions that watch the match, without those of dead nodes. The caller holds
// m.mu.
func (m *Match) countSpectators() {
	n := int64(len(m.spectators))
	for node, there := range m.spectatorsOn {
		if m.l.node.IsAlive(node) {
			n += int64(there)
		}
	}
	if m.spectatorCount.Swap(n) != n {
		m.l.lists.matchChanged()
	}
}
