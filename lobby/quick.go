package lobby

import (
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"runtime/debug"
	"slices"
	"time"

	"ayumu/engine/games"
	"ayumu/lobby/clock"
)

// Quick match: requests are tables that also look for another table themselves, in waves.
const (
	wavePause = 3 * time.Second
	waveStep  = 100 // rating points by which each wave waited widens the accepted difference
)

// waves runs the pairing until the lobby closes.
func (l *Lobby) waves() {
	tick := time.NewTicker(wavePause)
	defer tick.Stop()
	for {
		select {
		case <-l.ctx.Done():
			return
		case now := <-tick.C:
			l.guard("sweep", func() { l.sweep(now) })
			l.guard("wave", l.wave)
		}
	}
}

// wave lets each quick request, oldest first, join the oldest table that it fits.
func (l *Lobby) wave() {
	l.mu.Lock()
	var quick []*table
	for _, t := range l.byAge() {
		if t.quick && !t.starting {
			quick = append(quick, t)
		}
	}
	l.mu.Unlock()
	for _, q := range quick {
		// A failure has been reported where it happened; the request stays for the next wave.
		l.guard("quick match", func() { _ = l.place(q) })
	}
}

// guard keeps a panic from ending the process: the host is told, and what was done is left as it is.
func (l *Lobby) guard(what string, do func()) {
	defer func() {
		if p := recover(); p != nil {
			l.report("panic", "where", what, "panic", p, "stack", string(debug.Stack()))
		}
	}()
	do()
}

// reportPanic returns a function that reports a panic which ended a goroutine.
func (l *Lobby) reportPanic(where string) func(error) {
	return func(err error) { l.report("panic", "where", where, "err", err) }
}

// place lets one quick request join a table, or counts the wave that it has waited.
func (l *Lobby) place(q *table) error {
	t, merged := l.partner(q)
	if t == nil {
		return nil
	}
	who, before := q.owner(), t.proposal
	t.proposal = merged
	t.seated = append(t.seated, who)
	t.ready[who] = true
	delete(l.tables, q.id)
	_, err := l.begin(l.ctx, t)
	if err != nil {
		l.mu.Lock()
		l.stand(t, who, EventWithdrawn)
		t.proposal, l.tables[q.id] = before, q
		l.mu.Unlock()
	}
	return err
}

// partner finds the table for a quick request and what would be played there, and then leaves mu
// held; otherwise, and in a panic, it does not.
func (l *Lobby) partner(q *table) (found *table, merged proposal) {
	l.mu.Lock()
	defer func() {
		if found == nil {
			l.mu.Unlock()
		}
	}()
	if l.tables[q.id] != q || q.starting || len(q.seated) > 1 {
		return nil, merged
	}
	for _, t := range l.byAge() {
		if merged, ok := q.fits(t, l.limits.Load()); ok {
			return t, merged
		}
	}
	q.waves++
	return nil, merged
}

// byAge returns the open tables, oldest first. mu must be held.
func (l *Lobby) byAge() []*table {
	all := make([]*table, 0, len(l.tables))
	for _, t := range l.tables {
		all = append(all, t)
	}
	slices.SortFunc(all, func(a, b *table) int {
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

// fits reports whether the person of a quick request would play at a table, and what they would
// play within the limits. A plain table is taken as it is; of another quick request only what it asked for binds.
func (q *table) fits(t *table, limits *Limits) (proposal, bool) {
	who := q.owner()
	if t == q || t.game != q.game || t.starting || t.to != nil || t.private || slices.Contains(t.seated, who) {
		return proposal{}, false
	}
	merged := t.proposal
	theirs := t.wants
	if !t.quick {
		rated, control := t.rated, t.control
		raw, err := json.Marshal(t.options)
		if err != nil {
			return proposal{}, false
		}
		theirs = Proposal{Options: raw, Clock: &control, Rated: &rated}
		if control.Days > 0 && q.wants.Clock == nil {
			return proposal{}, false // a quick game is one to play now, unless days were asked for
		}
	}
	game, _ := games.ByName(t.game)
	options, err := union(q.wants.Options, theirs.Options)
	if err != nil {
		return proposal{}, false
	}
	if merged.options, err = game.ParseOptions(options); err != nil {
		return proposal{}, false
	}
	var ok [2]bool
	merged.control, ok[0] = agree(q.wants.Clock, theirs.Clock, clock.Default)
	merged.rated, ok[1] = agree(q.wants.Rated, theirs.Rated, false)
	if !ok[0] || !ok[1] {
		return proposal{}, false
	}
	t2 := *t
	t2.proposal = merged
	full := func(p *person) bool { return p.busy() >= limits.OwnMatches && !p.Account().Bot }
	if t2.mayJoin(who, "", limits) != nil || slices.ContainsFunc(t.seated, full) || !q.near(t, t2.pool()) {
		return proposal{}, false
	}
	return merged, true
}

// near reports whether the ratings in the pool of what would be played are close enough for the
// waves that were waited.
func (q *table) near(t *table, pool string) bool {
	mine, _ := q.owner().Account().Rating(pool)
	theirs, rated := t.owner().Account().Rating(pool)
	if !rated || q.owner().Account().Guest() {
		return true // a guest has no rating that could be far from anything
	}
	return math.Abs(mine.Value-theirs.Value) <= waveStep*float64(1+max(q.waves, t.waves))
}

// agree finds the value that two wishes have in common, where nil is content with anything.
func agree[T comparable](a, b *T, otherwise T) (T, bool) {
	switch {
	case a == nil && b == nil:
		return otherwise, true
	case a == nil:
		return *b, true
	case b == nil:
		return *a, true
	}
	return *a, *a == *b
}

var errDiffer = errors.New("the options differ")

// union joins two JSON objects that give the same value to every key they share.
func union(a, b json.RawMessage) (json.RawMessage, error) {
	all := make(map[string]any)
	for _, raw := range []json.RawMessage{a, b} {
		var one map[string]any
		if len(raw) == 0 {
			continue
		}
		if err := json.Unmarshal(raw, &one); err != nil {
			return nil, err
		}
		for k, v := range one {
			if old, shared := all[k]; shared && !reflect.DeepEqual(old, v) {
				return nil, errDiffer
			}
			all[k] = v
		}
	}
	return json.Marshal(all)
}
