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
	"ayumu/lobby/errcode"
	"ayumu/lobby/match"
)

// Limits in time and number for one match.
const (
	untimedLimit      = 30 * 24 * time.Hour // a match without a clock is aborted after this time without a turn
	storeTimeout      = 10 * time.Second    // for one call of the store
	finishedMatchTTL  = 10 * time.Minute    // how long a finished match stays in memory, for chat and a rematch, unless it is superseded
	maxQueuedCommands = 64                  // capacity of Match.queue
)

// Match is a match that is running or has just finished. Its goroutine, run, is the only one that changes
// the fields below the line "owned by run". spectatorMu guards spectators and drafts. The other fields may
// be used from any goroutine.
type Match struct {
	Info          *MatchInfo
	PlayerChat    Chat // the players' room
	SpectatorChat Chat // the spectators' room

	l              *Lobby
	origin         netip.Prefix // the origin whose limit it counts for; invalid: none
	seats          []*user      // by seat
	queue          chan *command
	wakeups        chan struct{}            // signalled when a player's presence changed or time is up
	done           chan struct{}            // closed when run returns
	evicted        chan struct{}            // closed by evict: abort and forget the match
	alarm          *clock.Alarm             // fires wakeups when something may be due
	evicting       bool                     // evicted is closed; guarded by Lobby.mu
	liveSnapshot   atomic.Pointer[Snapshot] // the state that the players see
	publicSnapshot atomic.Pointer[Snapshot] // the state that everybody else sees: the same, or Info.Delay turns late

	spectatorMu sync.Mutex
	spectators  map[*Session]struct{} // sessions that watch the match and have no seat in it
	drafts      []Draft               // by seat

	// ---- owned by run ----
	ctx           context.Context // cancelled when run returns
	state         match.Folded
	log           []Entry
	clock         *clock.Clock
	offers        []Offer
	events        []MatchEvent     // replaced, never modified
	lastEventSeq  uint64           // the Seq of the newest event
	offeredAtTurn map[offerKey]int // the number of turns when a seat last made an offer of a kind
	votes         []map[int]bool   // by seat: the seats that voted to remove it
	away          []Away           // by seat, as published
	code          string           // of a private match; empty after the end
	rematchID     string           // empty until the rematch starts
	nextCode      string           // of a private rematch
	ratings       []RatingChange   // of a rated match that has ended, by seat
	unrated       UnratedReason    // why ratings is nil after a rated match
	frozen        bool
	outage        outage
	lastAt        time.Time // time of the last entry, or of the start
	finishedAt    time.Time
	restartedAt   time.Time // when the match was resumed after a restart; zero: it was not
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

// newMatch restores a match from its log. It takes ownership of log. The caller starts run.
func newMatch(l *Lobby, info *MatchInfo, seats []*user, log []Entry) (*Match, error) {
	st, err := match.Fold(info, log)
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
	if st.Result == nil {
		m.code = info.Code
	}
	info.Code = "" // from now on only run has it, until the end
	if st.Clocks != nil {
		m.clock.Restore(st.Clocks)
	}
	if len(log) > 0 {
		m.lastAt = log[len(log)-1].At
	}
	if st.Result != nil {
		m.finishedAt = time.Now()
	}
	m.alarm = clock.NewAlarm(m.presenceChanged)
	m.storeSnapshot(m.newSnapshot())
	return m, nil
}

// Snapshot returns the newest state for users without a seat: Info.Delay turns late while the match runs.
// Players use Player.Snapshot.
func (m *Match) Snapshot() *Snapshot { return m.publicSnapshot.Load() }

// storeSnapshot publishes s and derives the delayed snapshot from it. Only run calls it, or newMatch before
// run starts.
func (m *Match) storeSnapshot(s *Snapshot) {
	m.liveSnapshot.Store(s)
	if m.Info.Delay > 0 && !s.IsOver() {
		late, err := s.Delayed(m.Info.Delay)
		if err != nil {
			m.l.report("no delayed view", "match", m.Info.ID, "err", err)
			return
		}
		s = late
	}
	m.publicSnapshot.Store(s)
}

// IsForgotten reports whether the match is no longer in memory. Its last snapshot stays valid.
func (m *Match) IsForgotten() bool {
	select {
	case <-m.done:
		return true
	default:
		return false
	}
}

// do runs f on the match's goroutine and returns its error. f gets the time at which do was called, so that
// waiting in the queue costs a player no time. If ctx ends after the command was queued, f may still run.
func (m *Match) do(ctx context.Context, f func(at time.Time) error) error {
	c := &command{at: time.Now(), do: f, reply: make(chan error, 1)}
	select {
	case m.queue <- c:
	case <-m.done:
		return errcode.Errorf(errcode.UnknownMatch, "that match has ended and is no longer in memory")
	case <-ctx.Done():
		return errcode.Errorf(errcode.Unavailable, "the connection ended before the match answered")
	}
	select {
	case err := <-c.reply:
		return err
	case <-m.done:
		return m.undone(c)
	case <-ctx.Done():
		return errcode.Errorf(errcode.Unavailable, "the match did not answer in time; check the position before you try again")
	}
}

// undone returns the error of a command after the match's goroutine has ended: its own error if it was
// executed, and otherwise the reason why it was not.
func (m *Match) undone(c *command) error {
	select {
	case err := <-c.reply:
		return err
	default:
	}
	if m.l.ctx.Err() != nil {
		return errcode.Errorf(errcode.Unavailable, "the server is restarting; the match continues afterwards")
	}
	return errcode.Errorf(errcode.UnknownMatch, "that match has ended and is no longer in memory")
}

// run owns the match until ctx ends or the match is forgotten.
func (m *Match) run(ctx context.Context) {
	defer close(m.done)
	// A context of its own: waiting for a context locks it, and all matches would contend for one lock.
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
			m.executeQueued() // commands that arrived in time count
			m.freezeOnPanic(func() error {
				if m.isSuspended() && m.retryDue() {
					_ = m.resume(time.Now()) // the store has reported its error
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
			return errcode.Errorf(errcode.Unavailable, "the server cannot record that at present; nothing has changed, so try again")
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

// freezeOnPanic runs f and returns its error. A panic in f freezes the match: its clocks stop, it has no
// result, and it is reported. Other matches continue. In a frozen match f is not run.
func (m *Match) freezeOnPanic(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			m.freeze(fmt.Errorf("panic: %v\n%s", p, debug.Stack()))
			err = errFrozen
		}
	}()
	if m.frozen {
		return errFrozen
	}
	return f()
}

// frozenText is what players see of a frozen match.
const frozenText = "this match was stopped by an internal error; the operator has been notified"

var errFrozen = errcode.Errorf(errcode.Unavailable, frozenText)

// freeze stops the match until the next restart, and reports the cause.
func (m *Match) freeze(cause error) {
	m.frozen = true
	m.clock.Stop(time.Now())
	m.l.report("match frozen", "match", m.Info.ID, "err", cause)
	m.publish()
}

// The credits after a restart, for the seat to move.
const (
	restartCredit   = 20 * time.Second
	restartDeadline = 12 * time.Hour
)

// restartClock restores the clock of a resumed match. The time in which the server was down is not charged,
// except against a deadline in days that has not passed.
func (m *Match) restartClock(now time.Time) error {
	if !m.restartedAt.IsZero() {
		m.restartedAt = now
	}
	if len(m.log) == 0 {
		m.restartUnstarted()
		return nil
	}
	if m.state.Result != nil || m.Info.Control.IsUntimed() {
		return nil
	}
	seat, credit := m.state.Position.Turn(), restartCredit
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

// applyTime applies what is due at that time: it starts the clock of the seat to move and ends turns whose
// time is up.
func (m *Match) applyTime(at time.Time) {
	if m.state.Result != nil || m.frozen {
		return
	}
	if m.isSuspended() {
		m.checkAway(at)
		return
	}
	if running, _ := m.clock.Running(); running < 0 {
		m.clock.Start(m.state.Position.Turn(), at)
		m.publish() // for the running clock
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

// expiry is the kind of a deadline.
type expiry int

const (
	expireClock expiry = iota
	expireFirst
	expireUntimed
)

// deadline returns when the turn of the seat to move is due, and which limit that is; the zero time if none
// runs.
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
	if m.Info.Control.IsLive() && m.state.TurnsMade[seat] == 0 {
		return m.firstDeadline(since, deadline), expireFirst
	}
	return deadline, expireClock
}

func (m *Match) expire(kind expiry, at time.Time) error {
	seat := m.state.Position.Turn()
	duel := len(m.seats) == 2
	switch {
	case kind == expireUntimed, kind == expireFirst && duel:
		return m.abort(at, abortReasons[kind])
	case duel:
		return m.endMatch(at, engine.Result{Winners: []int{1 - seat}, Reason: engine.ReasonTime})
	}
	return m.removeSeat(at, seat, engine.ReasonTime)
}

// abortReasons has the reasons for aborting a match whose time is up.
var abortReasons = map[expiry]AbortReason{expireFirst: AbortFirstTurn, expireUntimed: AbortIdle}

// nextDue returns the next time after now at which the match has to check what is due; the zero time if
// only an event can change anything.
func (m *Match) nextDue(now time.Time) time.Time {
	if m.frozen {
		return time.Time{}
	}
	if m.state.Result != nil {
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
	// The alarm only triggers a check, so that a millisecond more cannot be too early.
	return now.Add(max(next.Sub(now), 0) + time.Millisecond)
}

// isForgettable reports whether the match can be removed from memory: it has ended, its time in memory is
// over or it is superseded, and nobody watches it.
func (m *Match) isForgettable(now time.Time) bool {
	if m.state.Result == nil || now.Before(m.finishedAt.Add(finishedMatchTTL)) && !m.isSuperseded() {
		return false
	}
	m.spectatorMu.Lock()
	defer m.spectatorMu.Unlock()
	return len(m.spectators) == 0 || now.After(m.finishedAt.Add(6*finishedMatchTTL))
}

// isSuperseded reports whether every player has finished a later match, so that this one can be forgotten
// early. It bounds the memory of players who play one short game after the other.
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

// commit appends entries to the log in the store, and then makes next and k the state. If the outcome of an
// append is unclear, the log is reloaded first. A failed append starts an outage, a successful one ends it.
// No lock may be held.
func (m *Match) commit(next match.Folded, k *clock.Clock, entries ...Entry) error {
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

// clearDrafts drops the drafts of the seats whose turns were recorded. The publish that follows wakes their
// sessions.
func (m *Match) clearDrafts(entries []Entry) {
	m.spectatorMu.Lock()
	defer m.spectatorMu.Unlock()
	for _, e := range entries {
		if e.Kind == EntryTurn {
			m.drafts[e.Seat] = Draft{}
		}
	}
}

// afterCommit starts the next clock, or finishes a match that has its result, and publishes the state.
func (m *Match) afterCommit() {
	if m.state.Result != nil {
		m.finishedAt = time.Now()
		m.offers, m.code = nil, ""
		m.ratings, m.unrated = m.l.matchEnded(m)
		m.publish()
		for _, p := range m.seats {
			for _, earlier := range p.seatedMatches() {
				earlier.presenceChanged() // it may be superseded now
			}
		}
		return
	}
	m.clock.Start(m.state.Position.Turn(), m.lastAt)
	m.publish()
}

// reload replaces the match's log by the store's after an append at that time failed with cause. It always
// returns an error; the error wraps cause where the store's log turned out to be the same.
func (m *Match) reload(ctx context.Context, at time.Time, cause error) error {
	_, log, err := m.l.store.Match(ctx, m.Info.ID)
	if errors.Is(err, ErrCorrupt) || errors.Is(err, ErrNotFound) {
		m.freeze(err)
		return &Error{Code: CodeUnavailable, Message: frozenText, Cause: err}
	}
	if err != nil {
		m.outage.logUnread = true
		m.suspend(at)
		return &Error{Code: CodeUnavailable, Message: "the server cannot record turns at present; check the position before you try again", Cause: err}
	}
	if len(log) != len(m.log) {
		st, err := match.Fold(m.Info, log)
		if err != nil {
			m.freeze(err)
			return &Error{Code: CodeUnavailable, Message: frozenText, Cause: err}
		}
		m.voidOffers(log[min(len(m.log), len(log)):])
		m.log, m.state, m.lastAt = log, st, log[len(log)-1].At
		m.clock.Restore(st.Clocks)
		if m.outage.logUnread && st.Result == nil { // the outage lasted until now
			m.outage.since, m.outage.credit = laterOf(m.outage.since, m.lastAt), 0
		} else {
			m.outage = outage{}
			m.afterCommit()
		}
		return &Error{Code: CodeStaleVersion, Message: fmt.Sprintf("the match is now at version %d", len(m.log)), Cause: cause}
	}
	m.suspend(at)
	return &Error{Code: CodeUnavailable, Message: "the server could not record that; nothing has changed, so try again", Cause: cause}
}

// newSnapshot returns an immutable copy of the state. Only run calls it, or newMatch before run starts.
func (m *Match) newSnapshot() *Snapshot {
	s := &Snapshot{
		Info: m.Info, Version: len(m.log), Log: m.log[:len(m.log):len(m.log)], Position: m.state.Position,
		Result: m.state.Result, RunningSeat: -1, Code: m.code, Rematch: m.rematchID, NextCode: m.nextCode, Ratings: m.ratings, Unrated: m.unrated, Frozen: m.frozen, LastAt: m.lastAt,
		Offers: append([]Offer(nil), m.offers...), Away: append([]Away(nil), m.away...), Events: m.events,
	}
	for _, n := range m.state.TurnsMade {
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

// publish stores a new snapshot, wakes everybody who sees the match and marks the lists as changed. It
// never blocks.
func (m *Match) publish() {
	m.storeSnapshot(m.newSnapshot())
	m.wakeAll()
	m.l.matchChanged()
}

// wakeAll wakes the sessions of the players and the spectators. It may be called from any goroutine.
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
