package notify

import (
	"context"
	"errors"
	"slices"
	"time"

	"ayumu/lobby/account"
	"ayumu/lobby/guard"
)

// dispatch starts sending what is due, and returns the time until the next step.
func (s *Service) dispatch(ctx context.Context) time.Duration {
	now := time.Now()
	due, err := s.c.Store.NextDue(ctx)
	if err != nil {
		return sweepInterval
	}
	for q, at := range due {
		if at.After(now) {
			continue
		}
		if err := s.leaseFrom(ctx, q, now); err != nil {
			return sweepInterval
		}
	}
	if due, err = s.c.Store.NextDue(ctx); err != nil {
		return sweepInterval
	}
	next := sweepInterval
	for q, at := range due {
		// Where there is no place, a message that ends or is slow wakes Run.
		if n, full := s.places.free(q); at.After(now) || n > 0 && len(full) == 0 {
			next = min(next, time.Until(at))
		}
	}
	return next
}

// leaseFrom takes receivers from a queue and starts sending to them, until there is no place or nothing is due.
func (s *Service) leaseFrom(ctx context.Context, q Queue, now time.Time) error {
	for {
		n, full := s.places.free(q)
		if n <= 0 {
			return nil
		}
		leases, err := s.c.Store.Lease(ctx, now, now.Add(leaseTime), q, full, n)
		if err != nil {
			return err
		}
		for _, l := range leases {
			p := s.places.take(q, l.Destination)
			s.wg.Go(func() {
				defer func() {
					p.release()
					s.placesFreed()
				}()
				defer guard.Recover(func(err error) { s.c.Report("a notification failed", "account", l.Account, "err", err) })
				s.handleLease(context.WithoutCancel(ctx), &l, p)
			})
		}
		if len(leases) < n {
			return nil
		}
	}
}

// placesFreed has Run send what has waited for a place.
func (s *Service) placesFreed() {
	s.sent.Store(true)
	s.wake()
}

// handleLease sends what is due to a receiver that this node has leased, and releases it.
func (s *Service) handleLease(ctx context.Context, l *Lease, p *place) {
	ctx, cancel := context.WithTimeout(ctx, leaseTime-storeTimeout)
	defer cancel()
	o := s.sendPending(ctx, l, func() {
		if p.giveUp() {
			s.placesFreed()
		}
	})
	o.At = time.Now()
	// The store reports its errors; after one the message is repeated when the lease ends.
	ctx, cancel = context.WithTimeout(context.WithoutCancel(ctx), storeTimeout)
	defer cancel()
	_ = s.c.Store.Release(ctx, l, o)
	if o.Off {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.off[l.Account] = struct{}{}
	}
}

// sendPending sends what the plan selects, and returns the outcome. It calls isSlow once sending takes longer than slowAfter.
func (s *Service) sendPending(ctx context.Context, l *Lease, isSlow func()) (o Outcome) {
	if s.c.MayReceive != nil {
		may, err := s.c.MayReceive(ctx, l.Account)
		if err != nil {
			return Outcome{Error: "the server could not look up the account", RetryAt: time.Now().Add(retryAfter(l.Attempts+1, 0))}
		}
		if !may {
			return Outcome{Dropped: ids(l.Pending)}
		}
	}
	if mayRead, err := s.keepsReports(ctx, l); err != nil {
		return Outcome{Error: "the server could not look up the account", RetryAt: time.Now().Add(retryAfter(l.Attempts+1, 0))}
	} else if !mayRead {
		return Outcome{Dropped: ids(slices.DeleteFunc(slices.Clone(l.Pending), func(n Notification) bool { return n.Event != EventReport }))}
	}
	p := l.Settings.makePlan(l.Pending, time.Now(), func(n *Notification) bool { return s.isPointless(ctx, n) })
	o.Dropped, o.DeferTo = p.drop, p.deferTo
	if len(p.send) == 0 {
		return o
	}
	sender := s.c.Senders[l.Kind]
	if sender == nil {
		return s.failedWith(l, errNoSender)
	}
	m := s.message(&l.Settings, p.send)
	if m.ID = p.batch; p.send[0].Batch == "" {
		if err := s.c.Store.SetBatch(ctx, l.Account, p.batch, ids(p.send)); err != nil {
			return Outcome{Dropped: p.drop, NotBefore: time.Now().Add(firstRetry)} // the store has reported it
		}
	}
	begun := time.Now()
	timer := time.AfterFunc(slowAfter, func() {
		defer guard.Recover(func(err error) { s.c.Report("a notification failed", "account", l.Account, "err", err) })
		isSlow()
	})
	to, err := sender.Send(ctx, &l.Settings, m)
	timer.Stop()
	if err != nil {
		o = s.failedWith(l, err)
		o.Dropped = p.drop
	} else {
		s.counters(l.Kind).sent.Add(1)
		o.Acknowledged = ids(p.send)
	}
	o.Destination = to
	if o.Speed = SpeedQuick; err != nil || time.Since(begun) > slowAfter {
		o.Speed = SpeedSlow
	}
	return o
}

// keepsReports reports whether the account may get all that is pending: it has no reports, or may read them.
func (s *Service) keepsReports(ctx context.Context, l *Lease) (bool, error) {
	if !slices.ContainsFunc(l.Pending, func(n Notification) bool { return n.Event == EventReport }) {
		return true, nil
	}
	return s.readsReports(ctx, l.Account)
}

var errNoSender = sendError("the operator has switched off this kind of notification")

// failedWith returns the outcome of a failed attempt.
func (s *Service) failedWith(l *Lease, err error) Outcome {
	s.counters(l.Kind).failed.Add(1)
	now := time.Now()
	o := Outcome{Error: "the message could not be sent"}
	var e *SendError
	var wait time.Duration
	if errors.As(err, &e) {
		o.Error, wait = e.Text, e.RetryAfter
	}
	o.RetryAt = now.Add(retryAfter(l.Attempts+1, wait))
	o.Off = !l.Failing.IsZero() && now.Sub(l.Failing) >= FailureLimit
	return o
}

// message returns the message with notifications.
func (s *Service) message(settings *Settings, all []Notification) *Message {
	s.mu.Lock()
	site := s.site
	s.mu.Unlock()
	m := &Message{ID: all[0].ID, Site: "Ayumu", Zone: settings.Location(), Notifications: all}
	if site != nil {
		m.Site, m.Target = site()
	}
	return m
}

func ids(all []Notification) (list []string) {
	for i := range all {
		list = append(list, all[i].ID)
	}
	return list
}

// HasStopped reports whether the receiver of an account was switched off because sending had failed for too long, and
// the player has not changed it since. It reads no store.
func (s *Service) HasStopped(id account.ID) bool {
	if s == nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	_, off := s.off[id]
	return off
}
