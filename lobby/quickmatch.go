package lobby

import (
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"runtime/debug"
	"slices"
	"time"

	"ayumu/lobby/clock"
)

// Quick matches are tables that also look for another table themselves, in waves.
const (
	waveInterval   = 3 * time.Second
	waveRatingStep = 100 // rating points by which each wave waited widens the accepted difference
)

// runWaves pairs quick matches and sweeps tables at every interval until the lobby closes.
func (l *Lobby) runWaves() {
	tick := time.NewTicker(waveInterval)
	defer tick.Stop()
	for {
		select {
		case <-l.ctx.Done():
			return
		case now := <-tick.C:
			l.recoverPanic("sweep", func() { l.sweepTables(now) })
			l.recoverPanic("wave", l.runWave)
		}
	}
}

// runWave lets each quick match, oldest first, join the oldest table that fits.
func (l *Lobby) runWave() {
	l.mu.Lock()
	var quick []*tableState
	for _, t := range l.tablesByAge() {
		if t.quick && !t.starting {
			quick = append(quick, t)
		}
	}
	l.mu.Unlock()
	for _, q := range quick {
		// Failures have been reported; the quick match stays open for the next wave.
		l.recoverPanic("quick match", func() { _ = l.pairRequest(q) })
	}
}

// recoverPanic calls do and reports a panic in it, so that the goroutine goes on.
func (l *Lobby) recoverPanic(where string, do func()) {
	defer func() {
		if p := recover(); p != nil {
			l.report("panic", "where", where, "panic", p, "stack", string(debug.Stack()))
		}
	}()
	do()
}

// reportPanic returns a function that reports the panic which ended a goroutine.
func (l *Lobby) reportPanic(where string) func(error) {
	return func(err error) { l.report("panic", "where", where, "err", err) }
}

// pairRequest lets a quick match join a table, or counts a wave that it has waited.
func (l *Lobby) pairRequest(q *tableState) error {
	t, merged := l.findPartner(q)
	if t == nil {
		return nil
	}
	owner, before := q.owner(), t.terms
	t.terms = merged
	t.seated = append(t.seated, owner)
	t.ready[owner] = true
	delete(l.tables, q.id)
	_, err := l.startIfComplete(l.ctx, t)
	if err != nil {
		l.mu.Lock()
		l.removeFromTable(t, owner, EventWithdrawn)
		t.terms, l.tables[q.id] = before, q
		l.mu.Unlock()
	}
	return err
}

// findPartner returns the table that a quick match joins and the terms of the match. If it returns a table,
// it returns with l.mu held; otherwise, and after a panic, l.mu is released.
func (l *Lobby) findPartner(q *tableState) (found *tableState, merged terms) {
	l.mu.Lock()
	defer func() {
		if found == nil {
			l.mu.Unlock()
		}
	}()
	if l.tables[q.id] != q || q.starting || len(q.seated) > 1 {
		return nil, merged
	}
	for _, t := range l.tablesByAge() {
		if merged, ok := q.fits(t, l.limits.Load()); ok {
			return t, merged
		}
	}
	q.waves++
	return nil, merged
}

// tablesByAge returns the open tables, oldest first. The caller holds l.mu.
func (l *Lobby) tablesByAge() []*tableState {
	all := make([]*tableState, 0, len(l.tables))
	for _, t := range l.tables {
		all = append(all, t)
	}
	slices.SortFunc(all, func(a, b *tableState) int {
		if c := a.opened.Compare(b.opened); c != 0 {
			return c
		}
		if a.id < b.id {
			return -1
		}
		return 1
	})
	return all
}

// fits reports whether a quick match can join t within the limits, and returns the terms of the match. The
// terms of an ordinary table are taken as they are; of another quick match only those that it asked for
// count. The caller holds Lobby.mu.
func (q *tableState) fits(t *tableState, limits *Limits) (terms, bool) {
	owner := q.owner()
	if t == q || t.game != q.game || t.starting || t.to != nil || t.private || slices.Contains(t.seated, owner) {
		return terms{}, false
	}
	merged := t.terms
	theirs := t.request
	if !t.quick {
		rated, control := t.rated, t.control
		raw, err := json.Marshal(t.options)
		if err != nil {
			return terms{}, false
		}
		theirs = Proposal{Options: raw, Clock: &control, Rated: &rated}
		if control.Days > 0 && q.request.Clock == nil {
			return terms{}, false // a quick match is live, unless days were asked for
		}
	}
	options, err := mergeJSON(q.request.Options, theirs.Options)
	if err != nil {
		return terms{}, false
	}
	if merged.options, err = t.options.Game().ParseOptions(options); err != nil {
		return terms{}, false
	}
	var ok [2]bool
	merged.control, ok[0] = agree(q.request.Clock, theirs.Clock, clock.Default)
	merged.rated, ok[1] = agree(q.request.Rated, theirs.Rated, false)
	if !ok[0] || !ok[1] {
		return terms{}, false
	}
	t2 := *t
	t2.terms = merged
	full := func(p *user) bool { return p.busy() >= limits.MatchesPerUser && !p.Account().Bot }
	if t2.checkJoin(owner, "", limits) != nil || slices.ContainsFunc(t.seated, full) || !q.ratingsClose(t, t2.pool()) {
		return terms{}, false
	}
	return merged, true
}

// ratingsClose reports whether the owners' ratings in a pool are close enough after the waves that they
// waited.
func (q *tableState) ratingsClose(t *tableState, pool string) bool {
	mine, _ := q.owner().Account().Rating(pool)
	theirs, rated := t.owner().Account().Rating(pool)
	if !rated || q.owner().Account().IsGuest() {
		return true // guests have no rating
	}
	return math.Abs(mine.Value-theirs.Value) <= waveRatingStep*float64(1+max(q.waves, t.waves))
}

// agree returns the value that satisfies two requests; nil accepts any value. If both are nil it is
// fallback.
func agree[T comparable](a, b *T, fallback T) (T, bool) {
	switch {
	case a == nil && b == nil:
		return fallback, true
	case a == nil:
		return *b, true
	case b == nil:
		return *a, true
	}
	return *a, *a == *b
}

var errOptionsDiffer = errors.New("the options differ")

// mergeJSON merges two JSON objects, or fails if they have different values for a key.
func mergeJSON(a, b json.RawMessage) (json.RawMessage, error) {
	all := make(map[string]any)
	for _, raw := range []json.RawMessage{a, b} {
		var object map[string]any
		if len(raw) == 0 {
			continue
		}
		if err := json.Unmarshal(raw, &object); err != nil {
			return nil, err
		}
		for k, v := range object {
			if old, shared := all[k]; shared && !reflect.DeepEqual(old, v) {
				return nil, errOptionsDiffer
			}
			all[k] = v
		}
	}
	return json.Marshal(all)
}
