package lobby

import (
	"context"
	"errors"
	"time"

	"ayumu/lobby/match"
)

// The intervals at which a match tries whether the store accepts entries again.
const (
	retryInterval        = time.Second            // by itself; and by one match for all while every write fails
	maxRetryInterval     = 30 * time.Second       // by itself, while other matches can write
	commandRetryInterval = 200 * time.Millisecond // because a player sent a command
)

// outage is the state of a match whose last entry the store did not accept. Until it accepts one the
// match's clocks stand still, nothing expires and commands are refused. The zero value means that there is
// no outage. Only the match's goroutine uses it.
type outage struct {
	since     time.Time     // when the clocks stopped
	credit    time.Duration // time that the seat to move gets in addition to the time since then
	logUnread bool          // the log could not be read either, so that it may be longer than the match's copy
	triedAt   time.Time     // time of the last attempt to end the outage
	pause     time.Duration // until the next attempt of the match itself
}

// suspend starts an outage after an entry for that time was not recorded. If the store has been failing for
// longer, the outage starts with that failure, but not before the current turn.
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
	m.publish() // for the stopped clocks
}

// isSuspended reports whether there is an outage.
func (m *Match) isSuspended() bool { return !m.outage.since.IsZero() }

// canRetryOnCommand reports whether a player's command may try to end the outage.
func (m *Match) canRetryOnCommand() bool {
	_, err := m.l.store.WriteFailure()
	return err == nil || time.Since(m.outage.triedAt) >= commandRetryInterval
}

// retryDue reports whether the match should try to end the outage by itself. While all writes fail, one
// match tries for all.
func (m *Match) retryDue() bool {
	if _, err := m.l.store.WriteFailure(); err != nil {
		return m.l.allowRetry(time.Now())
	}
	return time.Since(m.outage.triedAt) >= m.outage.pause
}

// allowRetry reports whether a match may try whether the store works, and counts the attempt. Any goroutine
// may call it.
func (l *Lobby) allowRetry(now time.Time) bool {
	last := l.retried.Load()
	return now.UnixNano()-last >= int64(retryInterval) && l.retried.CompareAndSwap(last, now.UnixNano())
}

// resume ends the outage if the store accepts an entry: a credit of the time since the outage began, for
// the seat to move. The clocks then run on. It returns nil if the outage has ended. No lock may be held.
func (m *Match) resume(at time.Time) error {
	o := &m.outage
	at = laterOf(at, o.since)
	if _, err := m.l.store.WriteFailure(); err == nil {
		o.pause = min(2*o.pause, maxRetryInterval) // only this match fails
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
	seat, k, credit := m.state.Position.Turn(), m.clock.Clone(), at.Sub(o.since)+o.credit
	k.Credit(seat, o.credit)
	next := m.state
	next.Clocks = k.Remaining(at)
	return m.commit(next, k, Entry{Kind: EntryCredit, Seat: seat, Credit: credit, At: at, Clocks: next.Clocks, Digest: match.Digest(m.state.Position)})
}

func laterOf(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}

// errLogUnread is the cause that resume passes to reload.
var errLogUnread = errors.New("the log was not read after a failed write")

// onlyCreditsSince reports whether all entries after version are credits, so that a turn that was built on
// version still fits the position.
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
