package store

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"time"

	"ayumu/lobby/account"
	"ayumu/lobby/errcode"
	"ayumu/lobby/notify"
)

// Notifications implements notify.Store. NewNotifications is the constructor.
type Notifications struct {
	db         Database
	skipLocked string
}

// NewNotifications returns the receivers and notifications of a database. skipLocked is what the database has at the end
// of a query that locks the rows it returns and leaves out those that others have locked; "" in one with one writer.
func NewNotifications(db Database, skipLocked string) Notifications {
	return Notifications{db, skipLocked}
}

const receiverColumns = "account, settings, since, failing, off, attempts, error, delivered, lease_token, speed, destination"

// readReceiver reads receiverColumns.
func readReceiver(row RowScanner) (l notify.Lease, err error) {
	err = row.Scan(&l.Account, jsonIn(&l.Settings), timeIn(&l.Since), timeIn(&l.Failing), timeIn(&l.Off), &l.Attempts, &l.Error,
		timeIn(&l.Delivered), &l.Token, &l.Speed, &l.Destination)
	return l, err
}

// Receiver implements notify.Store.
func (s Notifications) Receiver(ctx context.Context, id account.ID) (notify.Receiver, error) {
	l, err := One(ctx, s.db, "SELECT "+receiverColumns+" FROM receivers WHERE account = ?1", []any{int64(id)}, readReceiver)
	if err == nil && l.Account == 0 {
		return notify.Receiver{}, errcode.ErrNotFound
	}
	return l.Receiver, s.db.Explain("reading a receiver of notifications in", err)
}

// SaveReceiver implements notify.Store.
func (s Notifications) SaveReceiver(ctx context.Context, id account.ID, settings notify.Settings, at time.Time) error {
	text, err := json.Marshal(settings)
	if err != nil {
		return err
	}
	return s.db.Update(ctx, "saving a receiver of notifications in", func(t Tx) error {
		if err := t.LockAccount(int64(id)); err != nil {
			return err
		}
		isNew, err := hasOtherAddress(ctx, t, int64(id), &settings)
		if err != nil {
			return err
		}
		if isNew {
			if _, err := t.Exec("UPDATE receivers SET kind = ?2, speed = 0, destination = ?3 WHERE account = ?1", int64(id), string(settings.Kind), settings.FirstDestination()); err != nil {
				return err
			}
		}
		return updateOne(t, `INSERT INTO receivers (account, settings, events, since, kind, destination)
			SELECT id, CAST(?2 AS TEXT), CAST(?3 AS INTEGER), CAST(?4 AS BIGINT), CAST(?5 AS TEXT), CAST(?6 AS TEXT) FROM accounts WHERE id = ?1 AND skeleton IS NOT NULL
			ON CONFLICT (account) DO UPDATE SET settings = excluded.settings, events = excluded.events,
				since = CASE WHEN receivers.off IS NULL AND receivers.events <> 0 THEN receivers.since ELSE excluded.since END,
				failing = NULL, off = NULL, attempts = 0, error = '',
				due = (SELECT min(n.at) FROM notifications n WHERE n.account = receivers.account AND n.done IS NULL)`,
			int64(id), string(text), settings.Mask(), at.UnixNano(), string(settings.Kind), settings.FirstDestination())
	})
}

// hasOtherAddress reports whether settings have another address than those that are stored, if there are any.
func hasOtherAddress(ctx context.Context, t Tx, account int64, s *notify.Settings) (bool, error) {
	return One(ctx, t, "SELECT settings FROM receivers WHERE account = ?1", []any{account}, func(row RowScanner) (isOther bool, err error) {
		var stored notify.Settings
		err = row.Scan(jsonIn(&stored))
		return stored.Kind != s.Kind || stored.Address != s.Address, err
	})
}

// RemoveReceiver implements notify.Store.
func (s Notifications) RemoveReceiver(ctx context.Context, id account.ID) error {
	return s.db.Update(ctx, "removing a receiver of notifications in", func(t Tx) error { return removeReceiver(t, int64(id)) })
}

func removeReceiver(t Tx, account int64) error {
	// In this order, because whoever stores a notification locks the receiver.
	if _, err := t.Exec("DELETE FROM receivers WHERE account = ?1", account); err != nil {
		return err
	}
	_, err := t.Exec("DELETE FROM notifications WHERE account = ?1", account)
	return err
}

// Receivers implements notify.Store.
func (s Notifications) Receivers(ctx context.Context) (active, off []account.ID, err error) {
	err = Scan(ctx, s.db, "SELECT account, off IS NOT NULL FROM receivers WHERE events <> 0 ORDER BY account", nil, func(row RowScanner) error {
		var id account.ID
		var isOff bool
		err := row.Scan(&id, &isOff)
		if isOff {
			off = append(off, id)
		} else {
			active = append(active, id)
		}
		return err
	})
	return active, off, s.db.Explain("reading the receivers of notifications in", err)
}

// Enqueue implements notify.Store.
func (s Notifications) Enqueue(ctx context.Context, all []notify.Notification) (stored int, err error) {
	if len(all) == 0 {
		return 0, nil
	}
	err = s.db.Update(ctx, "storing notifications in", func(t Tx) error {
		stored = 0
		for _, n := range all {
			rows, err := enqueue(t, n)
			if err != nil {
				return err
			}
			stored += int(rows)
		}
		return nil
	})
	return stored, err
}

func enqueue(t Tx, n notify.Notification) (int64, error) {
	facts, err := json.Marshal(n.Facts)
	if err != nil {
		return 0, err
	}
	// The receivers are locked first, as in Release, so that neither misses what the other does.
	wanted := "(CAST(?1 AS BIGINT) = 0 OR account = ?1) AND off IS NULL AND (events & ?2) <> 0 AND since <= ?3"
	rows, err := t.Exec(`UPDATE receivers SET due = CASE WHEN due IS NULL OR failing IS NULL AND due > ?3 THEN ?3 ELSE due END
		WHERE `+wanted+` AND NOT EXISTS (SELECT 1 FROM notifications n WHERE n.account = receivers.account AND n.id = ?4)`,
		int64(n.Account), n.Event.Mask(), n.At.UnixNano(), n.ID)
	if err != nil || rows == 0 {
		return 0, err
	}
	return t.Exec(`INSERT INTO notifications (account, id, event, at, facts)
		SELECT account, CAST(?4 AS TEXT), CAST(?5 AS TEXT), CAST(?3 AS BIGINT), CAST(?6 AS TEXT) FROM receivers WHERE `+wanted+`
		ON CONFLICT DO NOTHING`, int64(n.Account), n.Event.Mask(), n.At.UnixNano(), n.ID, string(n.Event), string(facts))
}

// Lease implements notify.Store.
func (s Notifications) Lease(ctx context.Context, now, until time.Time, q notify.Queue, without []string, limit int) (leases []notify.Lease, err error) {
	args := []any{now.UnixNano(), limit, string(q.Kind), int(q.Speed)}
	which := "kind = ?3 AND speed = ?4"
	for _, destination := range without {
		args = append(args, destination)
		which += " AND destination <> ?" + strconv.Itoa(len(args))
	}
	err = s.db.Update(ctx, "taking notifications in", func(t Tx) (err error) {
		leases, err = All(ctx, t, "SELECT "+receiverColumns+" FROM receivers WHERE due <= ?1 AND leased_until <= ?1 AND events <> 0 AND off IS NULL AND "+which+
			" ORDER BY due LIMIT ?2"+s.skipLocked, args, readReceiver)
		for i := range leases {
			if err != nil {
				break
			}
			l := &leases[i]
			l.Token++
			if _, err = t.Exec("UPDATE receivers SET leased_until = ?2, lease_token = ?3 WHERE account = ?1", int64(l.Account), until.UnixNano(), l.Token); err == nil {
				l.Pending, err = pendingOf(ctx, t, l.Account)
			}
		}
		return err
	})
	return leases, err
}

// pendingOf returns the oldest notifications of an account that were neither acknowledged nor dropped.
func pendingOf(ctx context.Context, t Tx, id account.ID) ([]notify.Notification, error) {
	return All(ctx, t, "SELECT id, event, at, facts, batch, deferred FROM notifications WHERE account = ?1 AND done IS NULL ORDER BY at, id LIMIT ?2",
		[]any{int64(id), notify.MaxPending}, func(row RowScanner) (n notify.Notification, err error) {
			n.Account = id
			err = row.Scan(&n.ID, &n.Event, timeIn(&n.At), jsonIn(&n.Facts), &n.Batch, &n.Deferred)
			return n, err
		})
}

// SetBatch implements notify.Store.
func (s Notifications) SetBatch(ctx context.Context, id account.ID, batch string, notifications []string) error {
	return s.db.Update(ctx, "storing notifications in", func(t Tx) error {
		for _, n := range notifications {
			if _, err := t.Exec("UPDATE notifications SET batch = ?3 WHERE account = ?1 AND id = ?2", int64(id), n, batch); err != nil {
				return err
			}
		}
		return nil
	})
}

// errLeaseLost ends the transaction of a release whose lease another has taken.
var errLeaseLost = errors.New("the lease was lost")

// Release implements notify.Store.
func (s Notifications) Release(ctx context.Context, l *notify.Lease, o notify.Outcome) error {
	return s.db.Update(ctx, "storing what was notified in", func(t Tx) error {
		id := int64(l.Account)
		err := takeBack(t, l)
		isLost := errors.Is(err, errLeaseLost)
		if err != nil && !isLost {
			return err
		}
		for _, list := range [][]string{o.Acknowledged, o.Dropped} {
			for _, n := range list {
				if _, err := t.Exec("UPDATE notifications SET done = ?3 WHERE account = ?1 AND id = ?2 AND done IS NULL", id, n, o.At.UnixNano()); err != nil {
					return err
				}
			}
		}
		if isLost {
			return nil
		}
		if o.Speed != notify.SpeedNew {
			_, err := t.Exec("UPDATE receivers SET speed = ?2, destination = CASE WHEN CAST(?3 AS TEXT) = '' THEN destination ELSE CAST(?3 AS TEXT) END WHERE account = ?1",
				id, int(o.Speed), o.Destination)
			if err != nil {
				return err
			}
		}
		return release(t, id, o)
	})
}

// takeBack ends a lease, and locks its receiver until the end of the transaction.
func takeBack(t Tx, l *notify.Lease) error {
	rows, err := t.Exec("UPDATE receivers SET leased_until = 0 WHERE account = ?1 AND lease_token = ?2", int64(l.Account), l.Token)
	if err == nil && rows == 0 {
		err = errLeaseLost
	}
	return err
}

// release stores the state of a receiver after a lease, and when it is due.
func release(t Tx, account int64, o notify.Outcome) (err error) {
	at := o.At.UnixNano()
	next := "CAST(?2 AS BIGINT)"
	due := at
	switch {
	case o.Off:
		if _, err = t.Exec("DELETE FROM notifications WHERE account = ?1 AND done IS NULL", account); err == nil {
			_, err = t.Exec("UPDATE receivers SET off = ?2, error = ?3, attempts = attempts + 1 WHERE account = ?1", account, at, o.Error)
		}
	case o.Error != "":
		due = o.RetryAt.UnixNano()
		_, err = t.Exec("UPDATE receivers SET failing = coalesce(failing, ?2), error = ?3, attempts = attempts + 1 WHERE account = ?1", account, at, o.Error)
	case len(o.Acknowledged) > 0:
		_, err = t.Exec("UPDATE receivers SET failing = NULL, error = '', attempts = 0, delivered = ?2 WHERE account = ?1", account, at)
	case !o.DeferTo.IsZero():
		due = o.DeferTo.UnixNano()
		_, err = t.Exec("UPDATE notifications SET deferred = TRUE WHERE account = ?1 AND done IS NULL", account)
	case !o.NotBefore.IsZero():
		due = o.NotBefore.UnixNano()
	}
	if err != nil {
		return err
	}
	_, err = t.Exec(`UPDATE receivers SET due = CASE WHEN EXISTS
		(SELECT 1 FROM notifications n WHERE n.account = receivers.account AND n.done IS NULL) THEN `+next+` END WHERE account = ?1`, account, due)
	return err
}

// NextDue implements notify.Store.
func (s Notifications) NextDue(ctx context.Context) (map[notify.Queue]time.Time, error) {
	all := make(map[notify.Queue]time.Time)
	err := Scan(ctx, s.db, `SELECT kind, speed, min(CASE WHEN due < leased_until THEN leased_until ELSE due END) FROM receivers
		WHERE due IS NOT NULL AND events <> 0 AND off IS NULL GROUP BY kind, speed`, nil, func(row RowScanner) error {
		var q notify.Queue
		var due time.Time
		err := row.Scan(&q.Kind, &q.Speed, timeIn(&due))
		all[q] = due
		return err
	})
	return all, s.db.Explain("reading notifications in", err)
}

// EndedMatches implements notify.Store.
func (s Notifications) EndedMatches(ctx context.Context, since time.Time, limit int) ([]string, error) {
	all, err := All(ctx, s.db, `SELECT DISTINCT m.id FROM matches m JOIN seats s ON s.match = m.id JOIN receivers r ON r.account = s.account
		WHERE m.ended IS NOT NULL AND m.ended >= ?1 AND m.days > 0 AND r.off IS NULL AND (r.events & ?3) <> 0 AND r.since <= m.ended
			AND NOT EXISTS (SELECT 1 FROM notifications n WHERE n.account = s.account AND n.id = 'over/' || m.id)
		ORDER BY m.id LIMIT ?2`, []any{since.UnixNano(), limit, notify.EventOver.Mask()}, Value[string])
	return all, s.db.Explain("reading finished games in", err)
}

// PruneNotifications implements notify.Store.
func (s Notifications) PruneNotifications(ctx context.Context, before, remindersBefore time.Time) error {
	return s.db.Update(ctx, "removing old notifications from", func(t Tx) error {
		_, err := t.Exec("DELETE FROM notifications WHERE done < ?1 AND (event <> ?2 OR done < ?3)", before.UnixNano(), string(notify.EventTime), remindersBefore.UnixNano())
		return err
	})
}
