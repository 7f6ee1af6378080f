package lobby

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"ayumu/engine"
	"ayumu/lobby/clock"
)

// Times of a match.
const (
	untimedLimit = 30 * 24 * time.Hour // without a turn, an untimed match is aborted
	storeTimeout = 10 * time.Second    // for one call of the store
	afterMatch   = 10 * time.Minute    // how long a finished match stays, for rematch and talk, unless it is outlived
	queueLength  = 64                  // commands that wait for a match
)

// Match is one game that is being played, or was just finished. Its goroutine (run) owns
// everything below the line; the rest may be used from any goroutine.
type Match struct {
	Info    *Info
	Players Chat // what the players say
	Gallery Chat // what the watchers say

	l     *Lobby
	from  netip.Prefix // whose share of matches it takes; invalid: nobody's
	seats []*person    // in order
	queue chan *command
	poke  chan struct{}            // presence of a player changed, or time is up
	done  chan struct{}            // closed when run has ended
	out   chan struct{}            // closed when its place is needed
	alarm *clock.Alarm             // pokes run when something may be due
	going bool                     // out is closed; guarded by Lobby.mu
	live  atomic.Pointer[Snapshot] // what the players see
	shown atomic.Pointer[Snapshot] // what everybody else sees: the same, or Info.Delay turns late

	audience sync.Mutex
	watching map[*Session]struct{} // sessions that look at the match and have no seat
	drafts   []Draft               // for each seat; guarded by audience

	// ---- owned by run ----
	ctx      context.Context // ends with the lobby
	st       state
	log      []Entry
	clock    *clock.Clock
	offers   []Offer
	events   []MatchEvent     // never changed, only replaced
	noted    uint64           // the number of the newest event
	offered  map[offerKey]int // the number of turns made when a seat last offered something
	votes    []map[int]bool   // for each seat: the seats that voted for its removal
	away     []Away
	code     string // of a private match; empty after the end
	next     string
	nextCode string
	ratings  []RatingChange // of the seats, once a rated match has ended
	unrated  Unrated        // why there are none
	frozen   bool
	outage   outage
	lastAt   time.Time // of the last entry, or of the start
	finished time.Time
	resumed  time.Time // when a restart brought the match back; zero: it has not been restarted
}

type command struct {
	at    time.Time
	do    func(at time.Time) error
	reply chan error
}

type offerKey struct {
	seat int
	kind OfferKind
}

// newMatch makes a match from its log; the caller starts run.
func newMatch(l *Lobby, info *Info, seats []*person, log []Entry) (*Match, error) {
	st, err := fold(info, log)
	if err != nil {
		return nil, err
	}
	m := &Match{
		Info: info, l: l, seats: seats, log: log, st: st,
		queue: make(chan *command, queueLength), poke: make(chan struct{}, 1), done: make(chan struct{}), out: make(chan struct{}),
		watching: make(map[*Session]struct{}), drafts: make([]Draft, len(seats)),
		clock:   clock.New(info.Control, len(info.Seats)),
		offered: make(map[offerKey]int), votes: make([]map[int]bool, len(seats)), away: make([]Away, len(seats)),
		lastAt: info.Started,
	}
	if st.result == nil {
		m.code = info.Code
	}
	info.Code = "" // from now on only run has it, until the end
	if st.clocks != nil {
		m.clock.Restore(st.clocks)
	}
	if len(log) > 0 {
		m.lastAt = log[len(log)-1].At
	}
	if st.result != nil {
		m.finished = time.Now()
	}
	m.alarm = clock.NewAlarm(m.notice)
	m.show(m.snapshot())
	return m, nil
}

// Snapshot returns the newest state that everybody may see, which is some turns old where the
// match is shown with a delay. Its players have their own (Player.Snapshot).
func (m *Match) Snapshot() *Snapshot { return m.shown.Load() }

// show makes a snapshot the newest. Only run calls it, or newMatch before run exists.
func (m *Match) show(s *Snapshot) {
	m.live.Store(s)
	if m.Info.Delay > 0 && !s.Over() {
		late, err := s.late(m.Info.Delay)
		if err != nil {
			m.l.report("no delayed view", "match", m.Info.ID, "err", err)
			return
		}
		s = late
	}
	m.shown.Store(s)
}

// Gone reports whether the match is no longer kept in memory; its last snapshot stays true.
func (m *Match) Gone() bool {
	select {
	case <-m.done:
		return true
	default:
		return false
	}
}

// do runs f on the match's goroutine and returns its error. The time of what f does is now, when
// it arrived, however long the queue is.
func (m *Match) do(ctx context.Context, f func(at time.Time) error) error {
	c := &command{at: time.Now(), do: f, reply: make(chan error, 1)}
	select {
	case m.queue <- c:
	case <-m.done:
		return fail(UnknownMatch, "that match is no longer here")
	case <-ctx.Done():
		return fail(Unavailable, "the connection ended before the match could answer")
	}
	select {
	case err := <-c.reply:
		return err
	case <-m.done:
		return fail(Unavailable, "the server is closing; the match goes on when it is back")
	case <-ctx.Done():
		return fail(Unavailable, "the match did not answer in time; look before you try again")
	}
}

// run owns the match until the lobby closes or the finished match is forgotten.
func (m *Match) run(ctx context.Context) {
	defer close(m.done)
	// One of its own, since what waits for a context locks it, and all matches would lock the same.
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	m.ctx = ctx
	defer m.l.Alarms.Set(m.alarm, time.Time{})
	now := time.Now()
	m.guard(func() error { return m.restart(now) })
	m.guard(func() error { m.settle(now); return nil })
	for {
		m.l.Alarms.Set(m.alarm, m.due(time.Now()))
		select {
		case <-ctx.Done():
			return
		case c := <-m.queue:
			m.serve(c)
		case <-m.out:
			m.leave(time.Now())
			return
		case <-m.poke:
			m.drain() // what arrived before its time was up counts
			m.guard(func() error {
				if m.suspended() && m.retryDue() {
					_ = m.resume(time.Now()) // the store has reported why not
				}
				m.settle(time.Now())
				return nil
			})
			if m.forgettable(time.Now()) && m.l.forget(m) {
				return
			}
		}
	}
}

func (m *Match) serve(c *command) {
	c.reply <- m.guard(func() error {
		if m.suspended() && (!m.retryCommanded() || m.resume(c.at) != nil) && m.suspended() {
			return fail(Unavailable, "the server cannot record that at present; nothing has changed, try again")
		}
		m.settle(c.at)
		return c.do(c.at)
	})
}

func (m *Match) drain() {
	for {
		select {
		case c := <-m.queue:
			m.serve(c)
		default:
			return
		}
	}
}

// guard turns a panic into a frozen match: clocks stopped, no result, the host is told, and no
// other match notices.
func (m *Match) guard(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			m.freeze(fmt.Errorf("panic: %v\n%s", p, debug.Stack()))
			err = fail(Unavailable, "this match is stopped by a fault of the server; its host has been told")
		}
	}()
	if m.frozen {
		return fail(Unavailable, "this match is stopped by a fault of the server; its host has been told")
	}
	return f()
}

func (m *Match) freeze(cause error) {
	m.frozen = true
	m.clock.Stop(time.Now())
	m.l.report("match frozen", "match", m.Info.ID, "err", cause)
	m.publish()
}

// After a restart: time for the seat to move to find its way back, and for deadlines that passed
// while the server was down.
const (
	restartCredit   = 20 * time.Second
	restartDeadline = 12 * time.Hour
)

// restart starts the clock of a match that came back from its log. Time that the server was down
// is not charged, except against a deadline in days that has not passed.
func (m *Match) restart(now time.Time) error {
	if !m.resumed.IsZero() {
		m.resumed = now
	}
	if len(m.log) == 0 {
		m.restartUnstarted()
		return nil
	}
	if m.st.result != nil || m.Info.Control.None() {
		return nil
	}
	seat, credit := m.st.pos.Turn(), restartCredit
	if m.Info.Control.Days > 0 {
		m.clock.Start(seat, m.lastAt)
		if deadline, _ := m.clock.Deadline(); deadline.After(now) {
			m.publish()
			return nil
		}
		m.clock.Stop(now)
		credit = restartDeadline
	}
	m.outage = outage{since: now, owed: credit, pause: retryPause}
	return m.resume(now)
}

// settle does what is due at that moment: starts the clock of the seat to move, and lets expired
// time have its effect.
func (m *Match) settle(at time.Time) {
	if m.st.result != nil || m.frozen {
		return
	}
	if m.suspended() {
		m.look(at)
		return
	}
	if running, _ := m.clock.Running(); running < 0 {
		m.clock.Start(m.st.pos.Turn(), at)
		m.publish() // so that everybody sees the clock run
	}
	if deadline, kind := m.deadline(); !deadline.IsZero() && !at.Before(deadline) {
		if err := m.expire(kind, deadline); err != nil {
			return
		}
		m.settle(at) // the next seat's time may be up as well
		return
	}
	m.look(at)
}

// What can expire.
type expiry int

const (
	expireClock expiry = iota
	expireFirst
	expireUntimed
)

// deadline returns when the seat to move must have made its turn, and why.
func (m *Match) deadline() (time.Time, expiry) {
	if m.Info.Control.None() {
		end := m.lastAt.Add(untimedLimit)
		if left := m.leftToBots(); !left.IsZero() && left.Add(leftToBotsLimit).Before(end) {
			end = left.Add(leftToBotsLimit)
		}
		return end, expireUntimed
	}
	deadline, ok := m.clock.Deadline()
	if !ok {
		return time.Time{}, expireClock
	}
	seat, since := m.clock.Running()
	if m.Info.Control.Live() && m.st.made[seat] == 0 {
		return m.firstDeadline(since, deadline), expireFirst
	}
	return deadline, expireClock
}

func (m *Match) expire(kind expiry, at time.Time) error {
	seat := m.st.pos.Turn()
	two := len(m.seats) == 2
	switch {
	case kind == expireUntimed, kind == expireFirst && two:
		return m.abort(at, abortReasons[kind])
	case two:
		return m.end(at, engine.Result{Winners: []int{1 - seat}, Reason: engine.Time})
	}
	return m.remove(at, seat, engine.Time)
}

// abortReasons are the reasons for which a match is aborted when a time is up.
var abortReasons = map[expiry]AbortReason{expireFirst: AbortFirstTurn, expireUntimed: AbortIdle}

// due returns when the match must look again at what is due, at the soonest after now; zero: not
// because of time.
func (m *Match) due(now time.Time) time.Time {
	if m.frozen {
		return time.Time{}
	}
	if m.st.result != nil {
		return now.Add(max(m.finished.Add(afterMatch).Sub(now), time.Second))
	}
	next, _ := m.deadline()
	if m.suspended() {
		next = now.Add(retryPause)
	}
	for i := range m.seats {
		if at := m.awayChange(i); !at.IsZero() && (next.IsZero() || at.Before(next)) {
			next = at
		}
	}
	if next.IsZero() {
		return next
	}
	// The alarm only prompts; a hair later is never too early for what is due.
	return now.Add(max(next.Sub(now), 0) + time.Millisecond)
}

// forgettable reports whether nobody needs the match in memory any more.
func (m *Match) forgettable(now time.Time) bool {
	if m.st.result == nil || now.Before(m.finished.Add(afterMatch)) && !m.outlived() {
		return false
	}
	m.audience.Lock()
	defer m.audience.Unlock()
	return len(m.watching) == 0 || now.After(m.finished.Add(6*afterMatch))
}

// outlived reports whether each of the players has finished another match since, so that nobody
// comes back to this one. It keeps those who play one short game after the other from filling the
// memory.
func (m *Match) outlived() bool {
	for _, p := range m.seats {
		later := func(o *Match) bool {
			s := o.live.Load()
			return o != m && s.Over() && s.LastAt.After(m.lastAt)
		}
		if !slices.ContainsFunc(p.seated(), later) {
			return false
		}
	}
	return true
}

// commit appends entries to the log in the store and then makes next the state. After an append
// whose outcome is unclear the match reloads its log first. A failed append begins an outage, and one
// that succeeds ends it.
func (m *Match) commit(next state, k *clock.Clock, entries ...Entry) error {
	ctx, cancel := context.WithTimeout(m.ctx, storeTimeout)
	defer cancel()
	err := m.l.store.Append(ctx, m.Info.ID, len(m.log), entries...)
	if err != nil {
		return m.reload(ctx, entries[0].At, err)
	}
	m.outage = outage{}
	m.outdate(entries)
	m.log = append(m.log, entries...)
	m.st, m.clock = next, k
	m.lastAt = entries[len(entries)-1].At
	m.clearDrafts(entries)
	m.settled()
	return nil
}

// clearDrafts drops the drafts of the seats whose turns were recorded. The publishing that follows
// wakes their sessions.
func (m *Match) clearDrafts(entries []Entry) {
	m.audience.Lock()
	defer m.audience.Unlock()
	for _, e := range entries {
		if e.Kind == Turn {
			m.drafts[e.Seat] = Draft{}
		}
	}
}

// settled follows every change of the state: it starts the next clock or closes the match.
func (m *Match) settled() {
	if m.st.result != nil {
		m.finished = time.Now()
		m.offers, m.code = nil, ""
		m.ratings, m.unrated = m.l.over(m)
		m.publish()
		for _, p := range m.seats {
			for _, earlier := range p.seated() {
				earlier.notice() // it may be outlived now
			}
		}
		return
	}
	m.clock.Start(m.st.pos.Turn(), m.lastAt)
	m.publish()
}

// reload makes the store's log the truth after an append for that moment that failed. The error wraps
// the cause where the log is as the match knows it.
func (m *Match) reload(ctx context.Context, at time.Time, cause error) error {
	_, log, err := m.l.store.Match(ctx, m.Info.ID)
	if errors.Is(err, ErrDamaged) || errors.Is(err, ErrUnknown) {
		m.freeze(err)
		return &Error{Code: Unavailable, Message: "this match is stopped by a fault of the server", Cause: err}
	}
	if err != nil {
		m.outage.unread = true
		m.suspend(at)
		return &Error{Code: Unavailable, Message: "the server cannot record turns at present; look before you try again", Cause: err}
	}
	if len(log) != len(m.log) {
		st, err := fold(m.Info, log)
		if err != nil {
			m.freeze(err)
			return &Error{Code: Unavailable, Message: "this match is stopped by a fault of the server", Cause: err}
		}
		m.outdate(log[min(len(m.log), len(log)):])
		m.log, m.st, m.lastAt = log, st, log[len(log)-1].At
		m.clock.Restore(st.clocks)
		if m.outage.unread && st.result == nil { // which lasted until now
			m.outage.since, m.outage.owed = later(m.outage.since, m.lastAt), 0
		} else {
			m.outage = outage{}
			m.settled()
		}
		return &Error{Code: StaleVersion, Message: fmt.Sprintf("the match has moved on to version %d", len(m.log)), Cause: cause}
	}
	m.suspend(at)
	return &Error{Code: Unavailable, Message: "the server could not record that; nothing has changed, try again", Cause: cause}
}

// snapshot makes the state visible. Only run calls it, or newMatch before run exists.
func (m *Match) snapshot() *Snapshot {
	s := &Snapshot{
		Info: m.Info, Version: len(m.log), Log: m.log[:len(m.log):len(m.log)], Position: m.st.pos,
		Result: m.st.result, Running: -1, Code: m.code, Next: m.next, NextCode: m.nextCode, Ratings: m.ratings, Unrated: m.unrated, Frozen: m.frozen, LastAt: m.lastAt,
		Offers: append([]Offer(nil), m.offers...), Away: append([]Away(nil), m.away...), Events: m.events,
	}
	for _, n := range m.st.made {
		s.Turns += n
	}
	for _, v := range m.votes {
		s.Votes = append(s.Votes, len(v))
	}
	if running, since := m.clock.Running(); running >= 0 {
		s.Running, s.Stamp = running, since
		s.Clocks = m.clock.Left(since)
		if at, kind := m.deadline(); kind == expireFirst && !m.frozen && !s.Over() {
			s.FirstBy = at
		}
	} else {
		s.Stamp = m.lastAt
		s.Clocks = m.clock.Left(m.lastAt)
	}
	return s
}

// publish shows the newest state to everybody who looks at the match. It never waits.
func (m *Match) publish() {
	m.show(m.snapshot())
	m.wakeAll()
	m.l.stirred()
}

// wakeAll wakes the players' sessions and the watchers'.
func (m *Match) wakeAll() {
	m.audience.Lock()
	defer m.audience.Unlock()
	for s := range m.watching {
		s.poke()
	}
	for _, p := range m.seats {
		p.poke()
	}
}
