package simulation

import (
	"slices"
	"time"

	"ayumu/engine"
	"ayumu/lobby/account"
	"ayumu/lobby/match"
)

// conditionsOf returns the conditions of a match.
func (s *store) conditionsOf(id string) match.StoredConditions {
	if c, known := s.conditions[id]; known {
		return c
	}
	return match.StoredConditions{Version: 1}
}

// saveConditions replaces a row, as lobby.MatchStore.SaveConditions does, and reports whether it has.
func (s *store) saveConditions(id string, after match.LogEnd, replaces int64, r match.ConditionsRow) bool {
	m, stored := s.matches[id], s.conditionsOf(id)
	if m == nil || m.isOver() || match.NewLogEnd(m.log) != after || stored.Version != replaces {
		s.w.seen["conditions refused"]++
		return false
	}
	s.versions++
	version := s.versions
	if s.w.broken == noUniqueVersion {
		version = stored.Version + 1
	}
	rows := slices.DeleteFunc(slices.Clone(stored.Rows), func(o match.ConditionsRow) bool { return o.Seat == r.Seat })
	set(s, s.conditions, id, match.StoredConditions{Version: version, Rows: append(rows, r)})
	s.w.seen["conditions stored"]++
	s.w.log("%s: conditions %d after version %d: %s", id, version, after.Version, r.Data)
	return true
}

// readConditions reads the conditions of the match, for a turn.
func (r *replica) readConditions() {
	n := r.n
	n.call(func(done func(any)) { done(n.w.store.conditionsOf(r.id)) }, func(answer any, err error) {
		if err != nil {
			r.outcome(match.Input{Kind: match.InputConditionsUnread, Cause: err})
			return
		}
		r.outcome(match.Input{Kind: match.InputConditionsRead, Conditions: answer.(match.StoredConditions)})
	})
}

// changeConditions has the player arm a condition, or withdraw one.
func (p *player) changeConditions(r *replica) {
	w, n := p.w, p.at
	seat := r.seatOf(account.ID(p.id))
	n.call(func(done func(any)) { done(n.w.store.conditionsOf(r.id)) }, func(answer any, err error) {
		s := r.snapshot
		if err != nil || s.CheckChange(seat, s.Version) != nil {
			return
		}
		stored := answer.(match.StoredConditions)
		row := stored.Row(seat)
		c, err := match.ReadConditions(row, s.Log)
		if err != nil {
			w.fail("match %s: %v", r.id, err)
			return
		}
		if len(c.All) > 0 && w.chance(40) {
			c, err = c.Remove(s, w.r.IntN(len(c.All)))
		} else {
			c, err = c.Add(s, w.variation(s, 2*(1+w.r.IntN(3))))
		}
		if err != nil {
			return // it contradicts another
		}
		n.call(func(done func(any)) {
			before := w.store.conditionsOf(r.id).Row(seat)
			saved := w.store.saveConditions(r.id, match.NewLogEnd(s.Log), stored.Version, c.Row(row.Version))
			if saved && !slices.Equal(before.Data, row.Data) {
				w.fail("match %s: conditions made of %s replace %s", r.id, row.Data, before.Data)
			}
			done(saved)
		}, func(any, error) {})
	})
}

// variation returns legal turns. In each position it chooses among two, so that conditions often apply.
func (w *world) variation(s *match.Snapshot, turns int) (all [][]string) {
	p := s.Position
	for range turns {
		if len(p.Legal()) == 0 {
			break
		}
		all = append(all, w.turn(p, 2))
		p, _ = engine.PlayTurn(p, all[len(all)-1])
	}
	return all
}

// turn returns a turn in a position that is not over. Each of its actions is one of the first legal ones, of that many.
func (w *world) turn(p engine.Position, choices int) (actions []string) {
	for {
		legal := p.Legal()
		actions = append(actions, legal[w.r.IntN(min(len(legal), choices))])
		if p, _ = p.Play(actions[len(actions)-1]); !p.MidTurn() {
			return actions
		}
	}
}

// checkConditions checks entries that have just been recorded: a turn has the answers of the conditions that are stored
// now, and no others, and they cost no time.
func (w *world) checkConditions(m *storedMatch, before, entries []match.Entry) {
	first := entries[0]
	var want [][]string
	if first.Kind == match.EntryTurn && m.info.HasConditions() {
		armed, _ := match.ReadConditions(w.store.conditionsOf(m.info.ID).Row(1-first.Seat), before)
		for _, c := range armed.All {
			// After an extra move of a handicap the same seat is to move.
			if c[0].Digest == first.Digest && len(c) > 1 && c[1].Seat != first.Seat {
				want = [][]string{c[1].Actions}
			}
		}
	}
	var got [][]string
	for _, e := range entries[1:] {
		if e.Kind != match.EntryTurn {
			continue
		}
		w.seen["answer by a condition"]++
		got = append(got, e.Actions)
		if e.Reason != match.TurnByCondition || !e.At.Equal(first.At) || e.Clocks[e.Seat] != time.Duration(m.info.Control.Days)*24*time.Hour {
			w.fail("match %s: an answer by a condition is charged: %+v", m.info.ID, e)
		}
	}
	if !slices.EqualFunc(got, want, slices.Equal) {
		w.fail("match %s: %v is answered with %v, the stored conditions answer with %v", m.info.ID, first.Actions, got, want)
	}
}

// checkWhole checks that a node does not show a turn without the answer that was recorded with it.
func (w *world) checkWhole(r *replica) {
	m, s := w.store.matches[r.id], r.snapshot
	if v := s.Version; m != nil && v > 0 && v < len(m.log) && match.NewLogEnd(m.log[:v]) == match.NewLogEnd(s.Log) && m.log[v].Reason == match.TurnByCondition {
		w.fail("match %s: %s shows version %d without the answer", r.id, r.n.name, v)
	}
}
