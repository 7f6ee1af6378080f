package cluster

import "sync"

// missedMatches are the matches for which the follower is called again. The zero value has none.
type missedMatches struct {
	mu  sync.Mutex // a leaf
	ids []string
}

func (m *missedMatches) add(ids ...string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.ids = append(m.ids, ids...)
}

// take removes all.
func (m *missedMatches) take() []ChangedMatch {
	m.mu.Lock()
	defer m.mu.Unlock()
	var all []ChangedMatch
	for _, id := range m.ids {
		all = append(all, ChangedMatch{ID: id})
	}
	m.ids = nil
	return all
}

// putBack adds those again that were taken.
func (m *missedMatches) putBack(taken []ChangedMatch) {
	for _, t := range taken {
		m.add(t.ID)
	}
}
