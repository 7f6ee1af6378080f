package lobby

import (
	"context"
	"fmt"
	"time"

	"ayumu/lobby/account"
	"ayumu/lobby/errcode"
	"ayumu/lobby/limit"
	"ayumu/lobby/match"
	"ayumu/lobby/table"
	"ayumu/lobby/text"
)

// cooldown returns until when a user can begin no live game against people, because they have aborted, left or stalled
// too many, and how many that were; the zero time if nothing keeps them from it. It asks the store, and holds no lock
// meanwhile. If that fails, nobody is kept from playing.
func (l *Lobby) cooldown(ctx context.Context, u *user) (until time.Time, n int) {
	l.mu.Lock()
	id, digest := u.Account().ID, u.returnDigest(&l.guests)
	l.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, findTimeout)
	defer cancel()
	now := l.node.Now()
	faults, err := l.store.Faults(ctx, id, digest, now.Add(-limit.FaultHistory), limit.MaxFaults)
	if err != nil {
		return time.Time{}, 0 // the store has reported it
	}
	if until, n = limit.Cooldown(faults); !until.After(now) {
		return time.Time{}, 0
	}
	return until, n
}

// checkCooldown returns an errcode.RateLimited error while the user can begin no live game against people.
func (l *Lobby) checkCooldown(ctx context.Context, u *user) error {
	until, n := l.cooldown(ctx, u)
	if until.IsZero() {
		return nil
	}
	l.LimitHits.Add(limit.HitFaults)
	left := max(until.Sub(l.node.Now()).Round(time.Minute), time.Minute)
	after := text.Plural(int(left.Minutes()), "minute")
	if left >= 2*time.Hour {
		after = text.Plural(int(left.Round(time.Hour).Hours()), "hour")
	}
	return &errcode.Error{Code: errcode.RateLimited, Until: l.node.MachineTime(until), Message: fmt.Sprintf(
		"you aborted, left or stalled %d games within a day; you can play people live again in %s; bots and correspondence games are open to you now", n, after)}
}

// checkOpenCooldown is checkCooldown for a proposal, which a bot may be challenged to.
func (s *Session) checkOpenCooldown(ctx context.Context, p *table.Proposal) error {
	if p.Clock != nil && p.Clock.IsCorrespondence() || s.l.isBot(p.To) {
		return nil
	}
	return s.l.checkCooldown(ctx, s.user)
}

func (l *Lobby) isBot(name string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	u := l.lists.user(name)
	return name != "" && u != nil && u.Account().Bot
}

// checkJoinCooldown is checkCooldown for joining a table, if it is one of people for live games.
func (s *Session) checkJoinCooldown(ctx context.Context, id string) error {
	if !s.l.isLiveTableOfPeople(id) {
		return nil
	}
	return s.l.checkCooldown(ctx, s.user)
}

func (l *Lobby) isLiveTableOfPeople(id string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	t := l.tables.Get(id)
	if t == nil || t.Control.IsCorrespondence() {
		return false
	}
	for _, seated := range t.Seated {
		if u := l.users.byID[seated]; u == nil || !u.Account().Bot {
			return true
		}
	}
	return false
}

// checkRematchCooldown is checkCooldown for a rematch, if it is a live game against people.
func (p *Player) checkRematchCooldown(ctx context.Context) error {
	if p.m.Info.Control.IsCorrespondence() {
		return nil
	}
	for i, seat := range p.m.Info.Seats {
		if i != p.seat && !seat.Bot {
			return p.m.l.checkCooldown(ctx, p.s.user)
		}
	}
	return nil
}

// withdrawTables takes the players who are at fault for the end of a match from tables for live games, if that begins a
// cooldown. Every node does that; the first change counts.
func (ms *matches) withdrawTables(m *Match) {
	l := ms.l
	ctx, cancel := context.WithTimeout(l.ctx, storeTimeout)
	defer cancel()
	s := m.playerSnapshot.Load()
	for seat, isFault := range match.Faults(len(m.seats), s.Log) {
		id := m.seats[seat].Account().ID
		if !isFault || !l.hasTables(id) {
			continue
		}
		if until, _ := l.cooldown(ctx, m.seats[seat]); until.IsZero() {
			continue
		}
		l.changeTables(ctx, func(t table.State) table.Change {
			if !t.Control.IsCorrespondence() && t.IsSeated(id) {
				if c, err := t.Leave(id); err == nil {
					return c
				}
			}
			return table.Change{Before: t, Next: t}
		})
	}
}

func (l *Lobby) hasTables(id account.ID) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.tables.Involves(id)
}
