package simulation

import (
	"errors"
	"maps"
	"slices"
	"time"

	"ayumu/lobby/account"
	"ayumu/lobby/match"
	"ayumu/lobby/table"
)

// errStore is the error of a request whose outcome is unclear.
var errStore = errors.New("the store does not answer")

// store is the simulated database. Requests are executed at one moment each, and what they have changed is undone
// by a failover that loses it.
type store struct {
	w                    *world
	downUntil, slowUntil time.Duration
	generation           int // of failovers: what was under way before one is lost
	failedOverAt         time.Duration
	failsAtTurn          bool // the next turn on conditions that were changed has a failover while it is under way

	matches    map[string]*storedMatch
	played     map[account.ID]int  // rated matches that have changed the account's rating
	locked     map[account.ID]bool // accounts whose ratings a transaction has read and will change
	tables     map[string]tableRow
	requested  map[int]time.Duration // when a request for a match was recorded
	presence   map[presenceKey]presenceRow
	agreements map[string]agreementsRow
	conditions map[string]match.StoredConditions
	versions   int64 // the last version of conditions; no failover undoes it, because the store draws them at random
	vacations  map[account.ID]vacationRow
	beats      map[string]time.Time

	undo []undo // oldest first
}

// undo undoes a change.
type undo struct {
	at time.Duration
	do func()
}

type storedMatch struct {
	info  *match.Info
	log   []match.Entry
	rated int // how often its end has changed the ratings
}

type tableRow struct {
	version  int64
	state    *table.State // nil: closed
	requests map[account.ID]int
	starter  string // the node that starts the match
	at       time.Duration
}

type agreementsRow struct {
	version int64
	data    []byte
}

type presenceKey struct {
	node    string
	account account.ID
}

// presenceRow is what a node knows of an account.
type presenceRow struct {
	here    bool
	since   time.Time // of the absence
	dropped bool
}

func newStore(w *world) *store {
	return &store{
		w: w, matches: make(map[string]*storedMatch), played: make(map[account.ID]int), locked: make(map[account.ID]bool),
		tables: make(map[string]tableRow), requested: make(map[int]time.Duration), presence: make(map[presenceKey]presenceRow),
		agreements: make(map[string]agreementsRow), beats: make(map[string]time.Time),
		conditions: make(map[string]match.StoredConditions), versions: 1, vacations: make(map[account.ID]vacationRow),
	}
}

// set changes a map so that it can be undone.
func set[K comparable, V any](s *store, m map[K]V, key K, value V) {
	before, had := m[key]
	m[key] = value
	s.undo = append(s.undo, undo{s.w.now, func() {
		if had {
			m[key] = before
		} else {
			delete(m, key)
		}
	}})
}

// failOver replaces the database by a standby that lacks the changes of some time.
func (s *store) failOver(lost time.Duration) {
	s.w.seen["failover"]++
	s.w.log("failover, %v are lost", lost)
	s.generation++
	s.failedOverAt = s.w.now
	for _, n := range s.w.nodes {
		n.failedAt = s.w.now
	}
	clear(s.locked)
	from := s.w.now - lost
	for len(s.undo) > 0 && s.undo[len(s.undo)-1].at >= from {
		s.undo[len(s.undo)-1].do()
		s.undo = s.undo[:len(s.undo)-1]
		s.w.seen["lost change"]++
	}
	for _, c := range s.w.commands {
		if c.recordedAt >= from {
			c.lost = true
		}
	}
}

// call sends a request of a node to the store. execute is called there, and calls done with the answer, once. reply
// is called with the answer on the node, or with an error: then the request may be executed, at any time, or never.
func (n *node) call(execute func(done func(any)), reply func(answer any, err error)) {
	w, life := n.w, n.life
	trip := func() time.Duration {
		if w.now < w.store.slowUntil {
			return w.between(100*time.Millisecond, 850*time.Millisecond)
		}
		return w.between(time.Millisecond, 60*time.Millisecond)
	}
	answered := false
	answer := func(d time.Duration, value any, err error) {
		w.after(d, func() {
			if answered || n.life != life {
				return
			}
			answered = true
			reply(value, err)
		})
	}
	at := func(d time.Duration, then func(any)) {
		generation := w.store.generation
		w.after(d, func() {
			if w.store.generation == generation {
				execute(then)
			}
		})
	}
	back := func(value any) {
		if w.now < n.cutUntil || w.now < w.store.downUntil {
			return // the timeout answers
		}
		answer(trip(), value, nil)
	}
	timeout := w.between(2*time.Second, 4*time.Second)
	if w.now < n.cutUntil || w.now < w.store.downUntil {
		if w.now < w.store.downUntil && w.chance(50) {
			timeout = time.Millisecond // refused
		}
		n.failedAt = w.now
		answer(timeout, nil, errStore)
		return
	}
	generation := w.store.generation
	w.after(timeout, func() {
		if generation == w.store.generation || !answered {
			answer(0, nil, errStore)
		}
	})
	fate := 100
	if w.troubled {
		fate = w.r.IntN(100)
	}
	if fate < 6 {
		n.failedAt = w.now
	}
	switch {
	case fate < 2:
		w.seen["request lost"]++
	case fate < 4:
		w.seen["answer lost"]++
		at(trip(), func(any) {})
		answer(w.between(50*time.Millisecond, time.Second), nil, errStore)
	case fate < 6:
		w.seen["executed late"]++
		answer(w.between(10*time.Millisecond, 300*time.Millisecond), nil, errStore)
		at(w.between(300*time.Millisecond, 3*time.Second), func(any) {})
	default:
		at(trip(), back)
	}
}

// failAtTurn begins the failover that waits for a turn, if a node sends one on conditions that were changed. It often loses
// that change, and the turn before it is recorded: the append is then repeated in a store with other conditions.
func (s *store) failAtTurn(conditions int64) {
	if !s.failsAtTurn || conditions <= 1 {
		return
	}
	s.failsAtTurn = false
	s.w.after(s.w.between(0, 20*time.Millisecond), func() { s.failOver(s.w.between(0, 3000*time.Millisecond)) })
}

// append records entries, as lobby.MatchStore.Append does, or with conditions as AppendTurn.
func (s *store) append(id string, after match.LogEnd, conditions int64, entries []match.Entry, done func(any)) {
	m := s.matches[id]
	if m == nil {
		done(match.InputAppendConflict)
		return
	}
	last := entries[len(entries)-1]
	if last.Kind != match.EntryEnd || !m.info.Rated {
		done(s.appendNow(m, after, conditions, entries))
		return
	}
	s.finish(m, after, conditions, entries, done)
}

// finish is append for the end of a rated match. It locks the accounts, reads the ratings, and changes them.
func (s *store) finish(m *storedMatch, after match.LogEnd, conditions int64, entries []match.Entry, done func(any)) {
	for _, seat := range m.info.Seats {
		if s.locked[seat.Account] && s.w.broken != noRatingLock {
			generation := s.generation
			s.w.after(time.Millisecond, func() {
				if generation == s.generation {
					s.finish(m, after, conditions, entries, done)
				}
			})
			return
		}
	}
	read := make(map[account.ID]int)
	for _, seat := range m.info.Seats {
		s.locked[seat.Account] = true
		read[seat.Account] = s.played[seat.Account]
	}
	generation := s.generation
	s.w.after(s.w.between(time.Millisecond, 20*time.Millisecond), func() {
		if generation != s.generation {
			return
		}
		for id := range read {
			delete(s.locked, id)
		}
		before := len(m.log)
		answer := s.appendNow(m, after, conditions, entries)
		if len(m.log) > before {
			for id, n := range read {
				set(s, s.played, id, n+1)
			}
			s.change(m, func(m *storedMatch) { m.rated++ })
		}
		done(answer)
	})
}

// change changes a match so that it can be undone.
func (s *store) change(m *storedMatch, do func(*storedMatch)) {
	before := *m
	do(m)
	s.undo = append(s.undo, undo{s.w.now, func() { *m = before }})
}

func (s *store) appendNow(m *storedMatch, after match.LogEnd, conditions int64, entries []match.Entry) match.InputKind {
	id := match.NewLogEnd(entries).Last
	if slices.ContainsFunc(m.log, func(e match.Entry) bool { return e.AppendID == id && id != match.AppendID{} }) {
		return match.InputAppended
	}
	end := match.NewLogEnd(m.log)
	switch {
	case s.w.broken == noCondition:
	case s.w.broken == noLast && end.Version == after.Version:
	case end != after || end.Version > 0 && m.log[end.Version-1].Kind == match.EntryEnd:
		return match.InputAppendConflict
	}
	if conditions != 0 && conditions != s.conditionsOf(m.info.ID).Version && s.w.broken != noConditionsVersion {
		s.w.seen["conditions conflict"]++
		return match.InputAppendConflict
	}
	s.change(m, func(m *storedMatch) { m.log = append(slices.Clip(m.log), entries...) })
	s.w.log("%s: recorded %+v", m.info.ID, entries)
	s.w.appended(m, entries)
	return match.InputAppended
}

// writeAgreements replaces the row of a match's agreements.
func (s *store) writeAgreements(id string, data []byte, replaces int64) match.Input {
	row := s.agreements[id]
	if row.version != replaces {
		return match.Input{Kind: match.InputAgreementsConflict, Agreements: row.data, AgreementsVersion: row.version, Cause: errStore}
	}
	row = agreementsRow{row.version + 1, data}
	set(s, s.agreements, id, row)
	return match.Input{Kind: match.InputAgreementsRecorded, AgreementsVersion: row.version}
}

// contents are what a node reads of the store when it polls.
type contents struct {
	at         time.Duration
	ends       map[string]match.LogEnd
	running    map[string]bool
	tables     map[string]tableRow
	presence   map[presenceKey]presenceRow
	agreements map[string]agreementsRow
	vacations  map[account.ID]vacationRow
	beats      map[string]time.Time
}

func (s *store) contents() contents {
	c := contents{
		at: s.w.now, ends: make(map[string]match.LogEnd), running: make(map[string]bool), tables: maps.Clone(s.tables),
		presence: maps.Clone(s.presence), agreements: maps.Clone(s.agreements), vacations: maps.Clone(s.vacations), beats: maps.Clone(s.beats),
	}
	for id, m := range s.matches {
		c.ends[id] = match.NewLogEnd(m.log)
		c.running[id] = !m.isOver()
	}
	return c
}

func (m *storedMatch) isOver() bool {
	return len(m.log) > 0 && m.log[len(m.log)-1].Kind == match.EntryEnd
}
