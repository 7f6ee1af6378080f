package lobby

import (
	"context"
	"errors"
	"time"
)

// How often a match tries whether the store takes entries again.
const (
	retryInterval        = time.Second            // on its own, and in the whole lobby while all writes fail
	maxRetryInterval     = 30 * time.Second       // on its own, where others can write
	commandRetryInterval = 200 * time.Millisecond // because somebody wants to do something
)

// outage is the state of a match whose last entry the store did not take. Until it takes one again
// the match's clocks stand, nothing expires, and what players do is refused. The zero value: there
// is no outage. The match's goroutine owns it.
type outage struct {
	since     time.Time     // when the clocks stopped
	credit    time.Duration // what the seat to move gets beside the time since then
	logUnread bool          // the log could not be read either, so that it may be longer than the match knows
	triedAt   time.Time     // when the match last tried to end the outage
	pause     time.Duration // until it tries again on its own
}

// suspend begins an outage after an entry for that moment was not recorded. If the store has been
// failing for longer, the outage counts from then on, but not from before the running turn.
func (m *Match) suspend(at time.Time) {
	if m.isSuspended() {
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
	m.outage.since, m.outage.triedAt, m.outage.pause = start, time.Now(), retryInterval
	m.publish() // so that everybody sees the clocks stand
}

// isSuspended reports whether an outage goes on.
func (m *Match) isSuspended() bool { return !m.outage.since.IsZero() }

// canRetryOnCommand reports whether something that a player does may try to end the outage.
func (m *Match) canRetryOnCommand() bool {
	_, err := m.l.store.WriteFailure()
	return err == nil || time.Since(m.outage.triedAt) >= commandRetryInterval
}

// retryDue reports whether the match should try to end the outage on its own. While all writes fail,
// one match tries for all.
func (m *Match) retryDue() bool {
	if _, err := m.l.store.WriteFailure(); err != nil {
		return m.l.allowRetry(time.Now())
	}
	return time.Since(m.outage.triedAt) >= m.outage.pause
}

// allowRetry reports whether it is time that one match tries whether the store works.
func (l *Lobby) allowRetry(now time.Time) bool {
	last := l.retried.Load()
	return now.UnixNano()-last >= int64(retryInterval) && l.retried.CompareAndSwap(last, now.UnixNano())
}

// resume ends the outage if the store takes an entry again: a credit for the seat to move, which
// gives it the time since the outage began. The clocks then run on. The error is nil if it has ended.
func (m *Match) resume(at time.Time) error {
	o := &m.outage
	at = laterOf(at, o.since)
	if _, err := m.l.store.WriteFailure(); err == nil {
		o.pause = min(2*o.pause, maxRetryInterval) // whatever fails, it is this match alone
	}
	o.triedAt = time.Now()
	if o.logUnread {
		ctx, cancel := context.WithTimeout(m.ctx, storeTimeout)
		defer cancel()
		if err := m.reload(ctx, o.since, errLogUnread); !errors.Is(err, errLogUnread) || !m.isSuspended() {
			return err
		}
		o.logUnread = false
		at = laterOf(at, o.since)
	}
	if m.Info.Control.IsUntimed() {
		m.outage = outage{}
		m.publish()
		return nil
	}
	seat, k, credit := m.state.pos.Turn(), m.clock.Clone(), at.Sub(o.since)+o.credit
	k.Credit(seat, o.credit)
	next := m.state
	next.clocks = k.Remaining(at)
	return m.commit(next, k, Entry{Kind: EntryCredit, Seat: seat, Credit: credit, At: at, Clocks: next.clocks, Digest: Digest(m.state.pos)})
}

func laterOf(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}

// errLogUnread is the cause of a reload after an outage in which the log could not be read.
var errLogUnread = errors.New("the log was not read after a failed write")

// onlyCreditsSince reports whether the log has nothing but credits after a version, so that a turn which
// was built on that version fits the position still.
func (m *Match) onlyCreditsSince(version int) bool {
	if version < 0 || version > len(m.log) {
		return false
	}
	for _, e := range m.log[version:] {
		if e.Kind != EntryCredit {
			return false
		}
	}
	return true
}
