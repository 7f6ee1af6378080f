package simulation

import (
	"container/heap"
	"context"
	"math/rand/v2"
	"testing"

	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/errcode"
	"ayumu/lobby/match"
	"ayumu/lobby/store/storetest"
)

// TestSimulatedStore: the simulated store appends as the others do.
func TestSimulatedStore(t *testing.T) {
	w := &world{r: rand.New(rand.NewPCG(1, 1)), seen: make(map[string]int), appends: make(map[appendKey]*sentAppend)}
	w.store = newStore(w)
	storetest.RunAppends(t, testedStore{w, newNode(w, 0)}, account.Account{ID: 1, Name: "ana"}, account.Account{ID: 2, Name: "bob"})
	if n := w.store.played[1]; n != 1 {
		t.Errorf("an end is rated %d times", n)
	}
}

// testedStore has the methods of a store. Each waits for the answer of the simulated one.
type testedStore struct {
	w *world
	n *node
}

func (s testedStore) CreateMatch(_ context.Context, info *match.Info, _ lobby.MatchStart) error {
	s.w.store.matches[info.ID] = &storedMatch{info: info}
	return nil
}

func (s testedStore) Append(_ context.Context, id string, after match.LogEnd, entries ...match.Entry) (err error) {
	s.w.appends[appendKey{id, match.NewLogEnd(entries).Last}] = &sentAppend{after: after, entries: entries}
	answered := false
	s.n.call(func(done func(any)) { s.w.store.append(id, after, 0, entries, done) }, func(answer any, failure error) {
		if answered, err = true, failure; answer == match.InputAppendConflict {
			err = errcode.ErrVersionConflict
		}
	})
	for !answered {
		e := heap.Pop(&s.w.events).(event)
		s.w.now = e.at
		e.do()
	}
	return err
}

func (s testedStore) Match(_ context.Context, id string) (*match.Info, []match.Entry, error) {
	m := s.w.store.matches[id]
	return m.info, m.log, nil
}
