package club

import (
	"context"
	"maps"
	"time"

	"ayumu/lobby/account"
)

// visitInterval is the time between two records of who was online.
const visitInterval = 5 * time.Minute

// RecordVisits stores when accounts were last online, every five minutes and once more when ctx ends. What a failure of
// the store leaves unrecorded is recorded with the next ones. Each time it also reads the reports again, because the
// store makes some itself.
func (c *Club) RecordVisits(ctx context.Context) {
	tick := time.NewTicker(visitInterval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			c.Sessions.recordVisits(context.WithoutCancel(ctx), c.store)
			return
		case <-tick.C:
			c.Sessions.recordVisits(ctx, c.store)
			_ = c.Bulletin.follow(ctx) // the store reports its failures
		}
	}
}

// LastVisit returns when the account of a session that has entered the lobby was online before, on any node to within some
// minutes: now, if another session of it is. Zero: not since the server records it.
func (c *Club) LastVisit(ctx context.Context, s *Session) (time.Time, error) {
	c.Sessions.mu.Lock()
	at, a := s.before, s.account
	c.Sessions.mu.Unlock()
	stored, err := c.store.LastVisit(ctx, a.ID)
	if err != nil {
		return time.Time{}, err
	}
	if stored.After(at) {
		at = stored
	}
	return at, nil
}

func (p *Sessions) recordVisits(ctx context.Context, store MemberStore) {
	ctx, cancel := context.WithTimeout(ctx, visitInterval/10)
	defer cancel()
	all := p.takeVisits()
	if len(all) > 0 && store.RecordVisits(ctx, all) != nil { // which the store has reported
		p.returnVisits(all)
	}
}

// returnVisits has takeVisits return these again, unless there are later ones.
func (p *Sessions) returnVisits(all map[account.ID]time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	maps.Copy(all, p.visits)
	p.visits = all
}
