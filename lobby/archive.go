package lobby

import (
	"context"
	"errors"
	"time"
)

// MaxGames is how many finished matches can be asked for at once.
const MaxGames = 200

// maxPages bounds the store's pages that are read for one list, of which private matches may
// leave little.
const maxPages = 20

// plays reports whether somebody has a seat. Nobody, 0, has none, though seats of guests who are
// gone have that account.
func (i *Info) plays(id AccountID) bool {
	_, seated := i.seat(id)
	return seated && id != 0
}

// Log returns what a match was made with and its log, whether it goes on or ended long ago, as
// far as somebody (0: a stranger) may see it: its players everything, others a private match not
// at all and one that is shown with a delay as it was then. Both results are shared and must not
// be changed.
func (l *Lobby) Log(ctx context.Context, you AccountID, id string) (*Info, []Entry, error) {
	info, log, err := l.log(ctx, you, id)
	if err == nil && info.Private && !info.plays(you) {
		return nil, nil, fail(NotAllowed, "match %s is private; only its players get it", id)
	}
	return info, log, err
}

func (l *Lobby) log(ctx context.Context, you AccountID, id string) (*Info, []Entry, error) {
	if m, err := l.Match(id); err == nil {
		if m.Info.plays(you) {
			return m.Info, m.live.Load().Log, nil
		}
		return m.Info, m.Snapshot().Log, nil
	}
	info, log, err := l.store.Match(ctx, id)
	switch {
	case errors.Is(err, ErrUnknown):
		return nil, nil, fail(UnknownMatch, "there is no match %q", CleanText(id, 20))
	case errors.Is(err, ErrDamaged):
		return nil, nil, l.Fault("match not read", err, "match", id)
	case err != nil:
		return nil, nil, err
	}
	over := len(log) > 0 && log[len(log)-1].Kind == End
	if !over && !info.plays(you) {
		log = log[:behind(log, info.Delay)]
	}
	return info, log, nil
}

// Replay returns the newest state of a match that somebody (0: a stranger) may see, whether it
// goes on or ended long ago, as Log has it.
func (l *Lobby) Replay(ctx context.Context, you AccountID, id string) (*Snapshot, error) {
	info, log, err := l.Log(ctx, you, id)
	if err != nil {
		return nil, err
	}
	s, err := fromLog(info, log)
	if err == nil && s.Over() {
		s.Ratings, s.Unrated = l.rated(ctx, info)
	}
	return s, l.Fault("match not replayed", err, "match", id)
}

// Games lists finished matches that somebody (0: a stranger) may see, newest first: of the player
// of that name, or everybody's if it is empty; only those that ended before the match before did,
// if that is given; at most limit, which is 1 to MaxGames.
func (l *Lobby) Games(ctx context.Context, you AccountID, player, before string, limit int) ([]Finished, error) {
	if limit < 1 || limit > MaxGames {
		return nil, fail(BadRequest, "limit is 1 to %d", MaxGames)
	}
	q := Query{Before: before, Limit: limit}
	if player != "" {
		a, err := l.store.AccountByName(ctx, player)
		if errors.Is(err, ErrUnknown) {
			return nil, fail(BadRequest, "nobody is called %q", CleanText(player, MaxName))
		}
		if err != nil {
			return nil, err
		}
		q.Player = a.ID
	}
	var seen []Finished
	for range maxPages {
		page, err := l.store.Finished(ctx, q)
		if err != nil {
			return nil, err
		}
		for _, f := range page {
			if !f.Info.Private || f.Info.plays(you) {
				seen = append(seen, f)
			}
			q.Before = f.Info.ID
		}
		if len(seen) >= limit || len(page) < q.Limit {
			break
		}
	}
	return seen[:min(len(seen), limit)], nil
}

// Top lists the accounts with the highest settled ratings in a pool (Pool), best first: those that
// have met LeaderOpponents different opponents within LeaderTime.
func (l *Lobby) Top(ctx context.Context, pool string, limit int) ([]Account, error) {
	return l.store.Top(ctx, pool, time.Now().Add(-LeaderTime), LeaderOpponents, limit)
}

// Keys lists an account's keys, oldest first.
func (l *Lobby) Keys(ctx context.Context, id AccountID) ([]Key, error) {
	return l.store.Keys(ctx, id)
}
