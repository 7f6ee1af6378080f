package lobby

import (
	"context"
	"errors"
	"time"
)

// How often a match tries whether the store takes entries again.
const (
	retryPause   = time.Second            // on its own, and in the whole lobby while all writes fail
	retryMost    = 30 * time.Second       // on its own, where others can write
	retryCommand = 200 * time.Millisecond // because somebody wants to do something
)

// outage is the state of a match whose last entry the store did not take. Until it takes one again
// the match's clocks stand, nothing expires, and what players do is refused. The zero value: there
// is no outage. The match's goroutine owns it.
type outage struct {
	since  time.Time     // when the clocks stopped
	owed   time.Duration // what the seat to move gets beside the time since then
	unread bool          // the log could not be read either, so that it may be longer than the match knows
	tried  time.Time     // when the match last tried to end the outage
	pause  time.Duration // until it tries again on its own
}

// suspend begins an outage after an entry for that moment was not recorded. If the store has been
// failing for longer, the outage counts from then on, but not from before the running turn.
func (m *Match) suspend(at time.Time) {
	if m.suspended() {
		return
	}
	start := at
	if since, err := m.l.store.WriteFailure(); err != nil && since.Before(start) {
		start = since
	}
	if running, since := m.clock.Running(); running >= 0 {
		if start.Before(since) {
			start = since
		}
		m.clock.Stop(start)
	}
	m.outage.since, m.outage.tried, m.outage.pause = start, time.Now(), retryPause
	m.publish() // so that everybody sees the clocks stand
}

// suspended reports whether an outage goes on.
func (m *Match) suspended() bool { return !m.outage.since.IsZero() }

// retryCommanded reports whether something that a player does may try to end the outage.
func (m *Match) retryCommanded() bool {
	_, err := m.l.store.WriteFailure()
	return err == nil || time.Since(m.outage.tried) >= retryCommand
}

// retryDue reports whether the match should try to end the outage on its own. While all writes fail,
// one match tries for all.
func (m *Match) retryDue() bool {
	if _, err := m.l.store.WriteFailure(); err != nil {
		return m.l.takeRetry(time.Now())
	}
	return time.Since(m.outage.tried) >= m.outage.pause
}

// takeRetry reports whether it is time that one match tries whether the store works.
func (l *Lobby) takeRetry(now time.Time) bool {
	last := l.retried.Load()
	return now.UnixNano()-last >= int64(retryPause) && l.retried.CompareAndSwap(last, now.UnixNano())
}

// resume ends the outage if the store takes an entry again: a credit for the seat to move, which
// gives it the time since the outage began. The clocks then run on. The error is nil if it has ended.
func (m *Match) resume(at time.Time) error {
	o := &m.outage
	at = later(at, o.since)
	if _, err := m.l.store.WriteFailure(); err == nil {
		o.pause = min(2*o.pause, retryMost) // whatever fails, it is this match alone
	}
	o.tried = time.Now()
	if o.unread {
		ctx, cancel := context.WithTimeout(m.ctx, storeTimeout)
		defer cancel()
		if err := m.reload(ctx, o.since, errUnread); !errors.Is(err, errUnread) || !m.suspended() {
			return err
		}
		o.unread = false
		at = later(at, o.since)
	}
	if m.Info.Control.None() {
		m.outage = outage{}
		m.publish()
		return nil
	}
	seat, k, credit := m.st.pos.Turn(), m.clock.Clone(), at.Sub(o.since)+o.owed
	k.Credit(seat, o.owed)
	next := m.st
	next.clocks = k.Left(at)
	return m.commit(next, k, Entry{Kind: Credit, Seat: seat, Credit: credit, At: at, Clocks: next.clocks, Digest: Digest(m.st.pos)})
}

func later(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}

// errUnread is the cause of a reload after an outage in which the log could not be read.
var errUnread = errors.New("the log was not read after a failed write")

// creditsSince reports whether the log has nothing but credits after a version, so that a turn which
// was built on that version fits the position still.
func (m *Match) creditsSince(version int) bool {
	if version < 0 || version > len(m.log) {
		return false
	}
	for _, e := range m.log[version:] {
		if e.Kind != Credit {
			return false
		}
	}
	return true
}
