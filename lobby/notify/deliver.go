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
		if err := s.claimFrom(ctx, q, now); err != nil {
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

// claimFrom takes receivers from a queue and starts sending to them, until there is no place or nothing is due.
func (s *Service) claimFrom(ctx context.Context, q Queue, now time.Time) error {
	for {
		n, full := s.places.free(q)
		if n <= 0 {
			return nil
		}
		claims, err := s.c.Store.Claim(ctx, now, now.Add(leaseTime), q, full, n)
		if err != nil {
			return err
		}
		for _, c := range claims {
			p := s.places.take(q, c.Destination)
			s.wg.Go(func() {
				defer func() {
					p.release()
					s.placesFreed()
				}()
				defer guard.Recover(func(err error) { s.c.Report("a notification failed", "account", c.Account, "err", err) })
				s.handleClaim(context.WithoutCancel(ctx), &c, p)
			})
		}
		if len(claims) < n {
			return nil
		}
	}
}

// placesFreed has Run send what has waited for a place.
func (s *Service) placesFreed() {
	s.sent.Store(true)
	s.wake()
}

// handleClaim sends what is due to a receiver that this node has claimed, and releases it.
func (s *Service) handleClaim(ctx context.Context, c *Claim, p *place) {
	ctx, cancel := context.WithTimeout(ctx, leaseTime-storeTimeout)
	defer cancel()
	o := s.sendPending(ctx, c, func() {
		if p.giveUp() {
			s.placesFreed()
		}
	})
	o.At = time.Now()
	// The store reports its errors; after one the message is repeated when the lease ends.
	ctx, cancel = context.WithTimeout(context.WithoutCancel(ctx), storeTimeout)
	defer cancel()
	_ = s.c.Store.Release(ctx, c, o)
	if o.Off {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.off[c.Account] = struct{}{}
	}
}

// sendPending sends what the plan selects, and returns the outcome. It calls isSlow once sending takes longer than slowAfter.
func (s *Service) sendPending(ctx context.Context, c *Claim, isSlow func()) (o Outcome) {
	if s.c.MayReceive != nil {
		may, err := s.c.MayReceive(ctx, c.Account)
		if err != nil {
			return Outcome{Error: "the server could not look up the account", RetryAt: time.Now().Add(retryAfter(c.Attempts+1, 0))}
		}
		if !may {
			return Outcome{Dropped: ids(c.Pending)}
		}
	}
	if mayRead, err := s.keepsReports(ctx, c); err != nil {
		return Outcome{Error: "the server could not look up the account", RetryAt: time.Now().Add(retryAfter(c.Attempts+1, 0))}
	} else if !mayRead {
		return Outcome{Dropped: ids(slices.DeleteFunc(slices.Clone(c.Pending), func(n Notification) bool { return n.Event != EventReport }))}
	}
	p := c.Settings.makePlan(c.Pending, time.Now(), s.isPointless)
	o.Dropped, o.DeferTo = p.drop, p.deferTo
	if len(p.send) == 0 {
		return o
	}
	sender := s.c.Senders[c.Kind]
	if sender == nil {
		return s.failedWith(c, errNoSender)
	}
	m := s.message(&c.Settings, p.send)
	if m.ID = p.batch; p.send[0].Batch == "" {
		if err := s.c.Store.SetBatch(ctx, c.Account, p.batch, ids(p.send)); err != nil {
			return Outcome{Dropped: p.drop, NotBefore: time.Now().Add(firstRetry)} // the store has reported it
		}
	}
	begun := time.Now()
	timer := time.AfterFunc(slowAfter, func() {
		defer guard.Recover(func(err error) { s.c.Report("a notification failed", "account", c.Account, "err", err) })
		isSlow()
	})
	to, err := sender.Send(ctx, &c.Settings, m)
	timer.Stop()
	if err != nil {
		o = s.failedWith(c, err)
		o.Dropped = p.drop
	} else {
		s.countsOf(c.Kind).sent.Add(1)
		o.Acknowledged = ids(p.send)
	}
	o.Destination = to
	if o.Speed = SpeedQuick; err != nil || time.Since(begun) > slowAfter {
		o.Speed = SpeedSlow
	}
	return o
}

// keepsReports reports whether the account may get all that is pending: it has no reports, or may read them.
func (s *Service) keepsReports(ctx context.Context, c *Claim) (bool, error) {
	if !slices.ContainsFunc(c.Pending, func(n Notification) bool { return n.Event == EventReport }) {
		return true, nil
	}
	return s.readsReports(ctx, c.Account)
}

var errNoSender = sendError("the operator has switched off this kind of notification")

// failedWith returns the outcome of a failed attempt.
func (s *Service) failedWith(c *Claim, err error) Outcome {
	s.countsOf(c.Kind).failed.Add(1)
	now := time.Now()
	o := Outcome{Error: "the message could not be sent"}
	var e *SendError
	var wait time.Duration
	if errors.As(err, &e) {
		o.Error, wait = e.Text, e.RetryAfter
	}
	o.RetryAt = now.Add(retryAfter(c.Attempts+1, wait))
	o.Off = !c.Failing.IsZero() && now.Sub(c.Failing) >= FailureLimit
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
