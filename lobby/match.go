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
	untimedLimit      = 30 * 24 * time.Hour // without a turn, an untimed match is aborted
	storeTimeout      = 10 * time.Second    // for one call of the store
	finishedMatchTTL  = 10 * time.Minute    // how long a finished match stays, for rematch and talk, unless it is outlived
	maxQueuedCommands = 64                  // commands that wait for a match
)

// Match is one game that is being played, or was just finished. Its goroutine (run) owns
// everything below the line; the rest may be used from any goroutine.
type Match struct {
	Info          *MatchInfo
	PlayerChat    Chat // what the players say
	SpectatorChat Chat // what the watchers say

	l              *Lobby
	origin         netip.Prefix // whose share of matches it takes; invalid: nobody's
	seats          []*user      // in order
	queue          chan *command
	wakeups        chan struct{}            // presence of a player changed, or time is up
	done           chan struct{}            // closed when run has ended
	evicted        chan struct{}            // closed when its place is needed
	alarm          *clock.Alarm             // pokes run when something may be due
	evicting       bool                     // out is closed; guarded by Lobby.mu
	liveSnapshot   atomic.Pointer[Snapshot] // what the players see
	publicSnapshot atomic.Pointer[Snapshot] // what everybody else sees: the same, or Info.Delay turns late

	spectatorMu sync.Mutex
	spectators  map[*Session]struct{} // sessions that look at the match and have no seat
	drafts      []Draft               // for each seat; guarded by audience

	// ---- owned by run ----
	ctx           context.Context // ends with the lobby
	state         state
	log           []Entry
	clock         *clock.Clock
	offers        []Offer
	events        []MatchEvent     // never changed, only replaced
	lastEventSeq  uint64           // the number of the newest event
	offeredAtTurn map[offerKey]int // the number of turns made when a seat last offered something
	votes         []map[int]bool   // for each seat: the seats that voted for its removal
	away          []Away
	code          string // of a private match; empty after the end
	rematchID     string
	nextCode      string
	ratings       []RatingChange // of the seats, once a rated match has ended
	unrated       UnratedReason  // why there are none
	frozen        bool
	outage        outage
	lastAt        time.Time // of the last entry, or of the start
	finishedAt    time.Time
	restartedAt   time.Time // when a restart brought the match back; zero: it has not been restarted
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
func newMatch(l *Lobby, info *MatchInfo, seats []*user, log []Entry) (*Match, error) {
	st, err := fold(info, log)
	if err != nil {
		return nil, err
	}
	m := &Match{
		Info: info, l: l, seats: seats, log: log, state: st,
		queue: make(chan *command, maxQueuedCommands), wakeups: make(chan struct{}, 1), done: make(chan struct{}), evicted: make(chan struct{}),
		spectators: make(map[*Session]struct{}), drafts: make([]Draft, len(seats)),
		clock:         clock.New(info.Control, len(info.Seats)),
		offeredAtTurn: make(map[offerKey]int), votes: make([]map[int]bool, len(seats)), away: make([]Away, len(seats)),
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
		m.finishedAt = time.Now()
	}
	m.alarm = clock.NewAlarm(m.presenceChanged)
	m.storeSnapshot(m.newSnapshot())
	return m, nil
}

// Snapshot returns the newest state that everybody may see, which is some turns old where the
// match is shown with a delay. Its players have their own (Player.Snapshot).
func (m *Match) Snapshot() *Snapshot { return m.publicSnapshot.Load() }

// storeSnapshot makes a snapshot the newest. Only run calls it, or newMatch before run exists.
func (m *Match) storeSnapshot(s *Snapshot) {
	m.liveSnapshot.Store(s)
	if m.Info.Delay > 0 && !s.IsOver() {
		late, err := s.delayed(m.Info.Delay)
		if err != nil {
			m.l.report("no delayed view", "match", m.Info.ID, "err", err)
			return
		}
		s = late
	}
	m.publicSnapshot.Store(s)
}

// IsForgotten reports whether the match is no longer kept in memory; its last snapshot stays true.
func (m *Match) IsForgotten() bool {
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
		return errorf(CodeUnknownMatch, "that match is no longer here")
	case <-ctx.Done():
		return errorf(CodeUnavailable, "the connection ended before the match could answer")
	}
	select {
	case err := <-c.reply:
		return err
	case <-m.done:
		return errorf(CodeUnavailable, "the server is closing; the match goes on when it is back")
	case <-ctx.Done():
		return errorf(CodeUnavailable, "the match did not answer in time; look before you try again")
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
	m.freezeOnPanic(func() error { return m.restartClock(now) })
	m.freezeOnPanic(func() error { m.applyTime(now); return nil })
	for {
		m.l.Alarms.Set(m.alarm, m.nextDue(time.Now()))
		select {
		case <-ctx.Done():
			return
		case c := <-m.queue:
			m.execute(c)
		case <-m.evicted:
			m.abortEvicted(time.Now())
			return
		case <-m.wakeups:
			m.executeQueued() // what arrived before its time was up counts
			m.freezeOnPanic(func() error {
				if m.isSuspended() && m.retryDue() {
					_ = m.resume(time.Now()) // the store has reported why not
				}
				m.applyTime(time.Now())
				return nil
			})
			if m.isForgettable(time.Now()) && m.l.forgetMatch(m) {
				return
			}
		}
	}
}

func (m *Match) execute(c *command) {
	c.reply <- m.freezeOnPanic(func() error {
		if m.isSuspended() && (!m.canRetryOnCommand() || m.resume(c.at) != nil) && m.isSuspended() {
			return errorf(CodeUnavailable, "the server cannot record that at present; nothing has changed, try again")
		}
		m.applyTime(c.at)
		return c.do(c.at)
	})
}

func (m *Match) executeQueued() {
	for {
		select {
		case c := <-m.queue:
			m.execute(c)
		default:
			return
		}
	}
}

// freezeOnPanic turns a panic into a frozen match: clocks stopped, no result, the host is told, and no
// other match notices.
func (m *Match) freezeOnPanic(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			m.freeze(fmt.Errorf("panic: %v\n%s", p, debug.Stack()))
			err = errorf(CodeUnavailable, "this match is stopped by a fault of the server; its host has been told")
		}
	}()
	if m.frozen {
		return errorf(CodeUnavailable, "this match is stopped by a fault of the server; its host has been told")
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

// restartClock starts the clock of a match that came back from its log. Time that the server was down
// is not charged, except against a deadline in days that has not passed.
func (m *Match) restartClock(now time.Time) error {
	if !m.restartedAt.IsZero() {
		m.restartedAt = now
	}
	if len(m.log) == 0 {
		m.restartUnstarted()
		return nil
	}
	if m.state.result != nil || m.Info.Control.IsUntimed() {
		return nil
	}
	seat, credit := m.state.pos.Turn(), restartCredit
	if m.Info.Control.Days > 0 {
		m.clock.Start(seat, m.lastAt)
		if deadline, _ := m.clock.Deadline(); deadline.After(now) {
			m.publish()
			return nil
		}
		m.clock.Stop(now)
		credit = restartDeadline
	}
	m.outage = outage{since: now, credit: credit, pause: retryInterval}
	return m.resume(now)
}

// applyTime does what is due at that moment: starts the clock of the seat to move, and lets expired
// time have its effect.
func (m *Match) applyTime(at time.Time) {
	if m.state.result != nil || m.frozen {
		return
	}
	if m.isSuspended() {
		m.checkAway(at)
		return
	}
	if running, _ := m.clock.Running(); running < 0 {
		m.clock.Start(m.state.pos.Turn(), at)
		m.publish() // so that everybody sees the clock run
	}
	if deadline, kind := m.deadline(); !deadline.IsZero() && !at.Before(deadline) {
		if err := m.expire(kind, deadline); err != nil {
			return
		}
		m.applyTime(at) // the next seat's time may be up as well
		return
	}
	m.checkAway(at)
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
	if m.Info.Control.IsUntimed() {
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
	if m.Info.Control.IsLive() && m.state.turnsMade[seat] == 0 {
		return m.firstDeadline(since, deadline), expireFirst
	}
	return deadline, expireClock
}

func (m *Match) expire(kind expiry, at time.Time) error {
	seat := m.state.pos.Turn()
	two := len(m.seats) == 2
	switch {
	case kind == expireUntimed, kind == expireFirst && two:
		return m.abort(at, abortReasons[kind])
	case two:
		return m.endMatch(at, engine.Result{Winners: []int{1 - seat}, Reason: engine.ReasonTime})
	}
	return m.removeSeat(at, seat, engine.ReasonTime)
}

// abortReasons are the reasons for which a match is aborted when a time is up.
var abortReasons = map[expiry]AbortReason{expireFirst: AbortFirstTurn, expireUntimed: AbortIdle}

// nextDue returns when the match must look again at what is due, at the soonest after now; zero: not
// because of time.
func (m *Match) nextDue(now time.Time) time.Time {
	if m.frozen {
		return time.Time{}
	}
	if m.state.result != nil {
		return now.Add(max(m.finishedAt.Add(finishedMatchTTL).Sub(now), time.Second))
	}
	next, _ := m.deadline()
	if m.isSuspended() {
		next = now.Add(retryInterval)
	}
	for i := range m.seats {
		if at := m.nextAbsenceChange(i); !at.IsZero() && (next.IsZero() || at.Before(next)) {
			next = at
		}
	}
	if next.IsZero() {
		return next
	}
	// The alarm only prompts; a hair later is never too early for what is due.
	return now.Add(max(next.Sub(now), 0) + time.Millisecond)
}

// isForgettable reports whether nobody needs the match in memory any more.
func (m *Match) isForgettable(now time.Time) bool {
	if m.state.result == nil || now.Before(m.finishedAt.Add(finishedMatchTTL)) && !m.isSuperseded() {
		return false
	}
	m.spectatorMu.Lock()
	defer m.spectatorMu.Unlock()
	return len(m.spectators) == 0 || now.After(m.finishedAt.Add(6*finishedMatchTTL))
}

// isSuperseded reports whether each of the players has finished another match since, so that nobody
// comes back to this one. It keeps those who play one short game after the other from filling the
// memory.
func (m *Match) isSuperseded() bool {
	for _, p := range m.seats {
		later := func(o *Match) bool {
			s := o.liveSnapshot.Load()
			return o != m && s.IsOver() && s.LastAt.After(m.lastAt)
		}
		if !slices.ContainsFunc(p.seatedMatches(), later) {
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
	m.voidOffers(entries)
	m.log = append(m.log, entries...)
	m.state, m.clock = next, k
	m.lastAt = entries[len(entries)-1].At
	m.clearDrafts(entries)
	m.afterCommit()
	return nil
}

// clearDrafts drops the drafts of the seats whose turns were recorded. The publishing that follows
// wakes their sessions.
func (m *Match) clearDrafts(entries []Entry) {
	m.spectatorMu.Lock()
	defer m.spectatorMu.Unlock()
	for _, e := range entries {
		if e.Kind == EntryTurn {
			m.drafts[e.Seat] = Draft{}
		}
	}
}

// afterCommit follows every change of the state: it starts the next clock or closes the match.
func (m *Match) afterCommit() {
	if m.state.result != nil {
		m.finishedAt = time.Now()
		m.offers, m.code = nil, ""
		m.ratings, m.unrated = m.l.matchEnded(m)
		m.publish()
		for _, p := range m.seats {
			for _, earlier := range p.seatedMatches() {
				earlier.presenceChanged() // it may be outlived now
			}
		}
		return
	}
	m.clock.Start(m.state.pos.Turn(), m.lastAt)
	m.publish()
}

// reload makes the store's log the truth after an append for that moment that failed. The error wraps
// the cause where the log is as the match knows it.
func (m *Match) reload(ctx context.Context, at time.Time, cause error) error {
	_, log, err := m.l.store.Match(ctx, m.Info.ID)
	if errors.Is(err, ErrCorrupt) || errors.Is(err, ErrNotFound) {
		m.freeze(err)
		return &Error{Code: CodeUnavailable, Message: "this match is stopped by a fault of the server", Cause: err}
	}
	if err != nil {
		m.outage.logUnread = true
		m.suspend(at)
		return &Error{Code: CodeUnavailable, Message: "the server cannot record turns at present; look before you try again", Cause: err}
	}
	if len(log) != len(m.log) {
		st, err := fold(m.Info, log)
		if err != nil {
			m.freeze(err)
			return &Error{Code: CodeUnavailable, Message: "this match is stopped by a fault of the server", Cause: err}
		}
		m.voidOffers(log[min(len(m.log), len(log)):])
		m.log, m.state, m.lastAt = log, st, log[len(log)-1].At
		m.clock.Restore(st.clocks)
		if m.outage.logUnread && st.result == nil { // which lasted until now
			m.outage.since, m.outage.credit = laterOf(m.outage.since, m.lastAt), 0
		} else {
			m.outage = outage{}
			m.afterCommit()
		}
		return &Error{Code: CodeStaleVersion, Message: fmt.Sprintf("the match has moved on to version %d", len(m.log)), Cause: cause}
	}
	m.suspend(at)
	return &Error{Code: CodeUnavailable, Message: "the server could not record that; nothing has changed, try again", Cause: cause}
}

// newSnapshot makes the state visible. Only run calls it, or newMatch before run exists.
func (m *Match) newSnapshot() *Snapshot {
	s := &Snapshot{
		Info: m.Info, Version: len(m.log), Log: m.log[:len(m.log):len(m.log)], Position: m.state.pos,
		Result: m.state.result, RunningSeat: -1, Code: m.code, Rematch: m.rematchID, NextCode: m.nextCode, Ratings: m.ratings, Unrated: m.unrated, Frozen: m.frozen, LastAt: m.lastAt,
		Offers: append([]Offer(nil), m.offers...), Away: append([]Away(nil), m.away...), Events: m.events,
	}
	for _, n := range m.state.turnsMade {
		s.Turns += n
	}
	for _, v := range m.votes {
		s.Votes = append(s.Votes, len(v))
	}
	if running, since := m.clock.Running(); running >= 0 {
		s.RunningSeat, s.ClocksAt = running, since
		s.Clocks = m.clock.Remaining(since)
		if at, kind := m.deadline(); kind == expireFirst && !m.frozen && !s.IsOver() {
			s.FirstTurnDeadline = at
		}
	} else {
		s.ClocksAt = m.lastAt
		s.Clocks = m.clock.Remaining(m.lastAt)
	}
	return s
}

// publish shows the newest state to everybody who looks at the match. It never waits.
func (m *Match) publish() {
	m.storeSnapshot(m.newSnapshot())
	m.wakeAll()
	m.l.matchChanged()
}

// wakeAll wakes the players' sessions and the watchers'.
func (m *Match) wakeAll() {
	m.spectatorMu.Lock()
	defer m.spectatorMu.Unlock()
	for s := range m.spectators {
		s.wake()
	}
	for _, p := range m.seats {
		p.wake()
	}
}
