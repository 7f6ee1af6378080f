package notify

import (
	"context"
	"time"

	"ayumu/lobby/account"
	"ayumu/lobby/clock"
)

// Store keeps receivers and the queue of notifications. Durability, errors and concurrency are those of lobby.Store.
// What an account has here is removed with it.
type Store interface {
	// Receiver returns the receiver of an account, or errcode.ErrNotFound.
	Receiver(ctx context.Context, id account.ID) (Receiver, error)
	// SaveReceiver stores the settings of an account, or returns errcode.ErrNotFound if it was deleted. Sending begins
	// again: the receiver is neither failing nor off. One with another address is new (SpeedNew, FirstDestination).
	// What happened before at is not notified, unless the account had a receiver that was not off.
	SaveReceiver(ctx context.Context, id account.ID, s Settings, at time.Time) error
	// RemoveReceiver removes the receiver of an account and its notifications. It does nothing if there is none.
	RemoveReceiver(ctx context.Context, id account.ID) error
	// Receivers lists the accounts to which notifications are sent, and those whose receiver is off.
	Receivers(ctx context.Context) (active, off []account.ID, err error)

	// Enqueue stores notifications of accounts whose receiver wants the event and is older than it. One that is stored
	// already, also if it was acknowledged, is left as it is. The notification of account 0 is for all accounts. It returns
	// the number of those that are new.
	Enqueue(ctx context.Context, all []Notification) (int, error)
	// Lease takes receivers of a queue for which something is due at now, the longest due first, at most limit, without
	// those of some destinations. Nobody else can take them before until.
	Lease(ctx context.Context, now, until time.Time, q Queue, without []string, limit int) ([]Lease, error)
	// SetBatch stores, before the first attempt, that notifications of an account are the parts of one message, whose id
	// is batch.
	SetBatch(ctx context.Context, id account.ID, batch string, notifications []string) error
	// Release ends a lease with what was achieved. What was acknowledged or dropped is recorded even if
	// the lease was lost.
	Release(ctx context.Context, c *Lease, o Outcome) error
	// NextDue returns when the next receiver of each queue that nobody has taken is due. A queue in which nothing is pending
	// is not in it.
	NextDue(ctx context.Context) (map[Queue]time.Time, error)
	// EndedMatches returns the correspondence matches that ended at since or later and of which a receiver wants to
	// be notified but no notification is stored, at most limit.
	EndedMatches(ctx context.Context, since time.Time, limit int) ([]string, error)
	// PruneNotifications removes notifications that were acknowledged or dropped before a time, and reminders of little
	// time that were before another.
	PruneNotifications(ctx context.Context, before, remindersBefore time.Time) error
}

// How long a notification is kept after it was acknowledged, so that it is not stored again. Older events are not
// notified any more. Reminders are kept for longer: they have the time at which they were derived, and can be derived
// for as long as the last quarter of a turn takes with a vacation.
const (
	keepDone      = 120 * 24 * time.Hour
	keepReminders = (clock.MaxDays + 365) * 24 * time.Hour
)

// Lease is a receiver that was taken, with its oldest pending notifications.
type Lease struct {
	Receiver
	Pending []Notification // at most MaxPending, oldest first
	Token   int64          // identifies the lease among those of its receiver
}

// MaxPending is the number of notifications of one lease.
const MaxPending = 2 * maxBatch

// Outcome is what was done with a lease.
type Outcome struct {
	At           time.Time
	Acknowledged []string  // ids
	Dropped      []string  // ids
	DeferTo      time.Time // all that is pending was held back until then; zero: it was not
	// NotBefore is when the receiver is due again although nothing was sent, failed or held back; zero: at once.
	NotBefore time.Time
	// After a failed attempt: why, and when to try again; "": there was none, or it succeeded.
	Error   string
	RetryAt time.Time
	Off     bool // the receiver is switched off, and what is pending is removed
	// After an attempt: the speed, and the destination; SpeedNew and "": they stay.
	Speed       Speed
	Destination string
}
