package lobby

import (
	"context"
	"errors"
	"time"
)

// MaxFinishedMatches is how many finished matches can be asked for at once.
const MaxFinishedMatches = 200

// maxArchivePages bounds the store's pages that are read for one list, of which private matches may
// leave little.
const maxArchivePages = 20

// hasPlayer reports whether somebody has a seat. Nobody, 0, has none, though seats of guests who are
// gone have that account.
func (i *MatchInfo) hasPlayer(id AccountID) bool {
	_, seated := i.seatOf(id)
	return seated && id != 0
}

// MatchLog returns what a match was made with and its log, whether it goes on or ended long ago, as
// far as somebody (0: a stranger) may see it: its players everything, others a private match not
// at all and one that is shown with a delay as it was then. Both results are shared and must not
// be changed.
func (l *Lobby) MatchLog(ctx context.Context, you AccountID, id string) (*MatchInfo, []Entry, error) {
	info, log, err := l.matchLog(ctx, you, id)
	if err == nil && info.Private && !info.hasPlayer(you) {
		return nil, nil, errorf(CodeNotAllowed, "match %s is private; only its players get it", id)
	}
	return info, log, err
}

func (l *Lobby) matchLog(ctx context.Context, you AccountID, id string) (*MatchInfo, []Entry, error) {
	if m, err := l.Match(id); err == nil {
		if m.Info.hasPlayer(you) {
			return m.Info, m.liveSnapshot.Load().Log, nil
		}
		return m.Info, m.Snapshot().Log, nil
	}
	info, log, err := l.store.Match(ctx, id)
	switch {
	case errors.Is(err, ErrNotFound):
		return nil, nil, errorf(CodeUnknownMatch, "there is no match %q", CleanText(id, 20))
	case errors.Is(err, ErrCorrupt):
		return nil, nil, l.InternalError("match not read", err, "match", id)
	case err != nil:
		return nil, nil, err
	}
	over := len(log) > 0 && log[len(log)-1].Kind == EntryEnd
	if !over && !info.hasPlayer(you) {
		log = log[:versionBefore(log, info.Delay)]
	}
	return info, log, nil
}

// MatchSnapshot returns the newest state of a match that somebody (0: a stranger) may see, whether it
// goes on or ended long ago, as Log has it.
func (l *Lobby) MatchSnapshot(ctx context.Context, you AccountID, id string) (*Snapshot, error) {
	info, log, err := l.MatchLog(ctx, you, id)
	if err != nil {
		return nil, err
	}
	s, err := snapshotFromLog(info, log)
	if err == nil && s.IsOver() {
		s.Ratings, s.Unrated = l.rated(ctx, info)
	}
	return s, l.InternalError("match not replayed", err, "match", id)
}

// FinishedMatches lists finished matches that somebody (0: a stranger) may see, newest first: of the player
// of that name, or everybody's if it is empty; only those that ended before the match before did,
// if that is given; at most limit, which is 1 to MaxGames.
func (l *Lobby) FinishedMatches(ctx context.Context, you AccountID, player, before string, limit int) ([]FinishedMatch, error) {
	if limit < 1 || limit > MaxFinishedMatches {
		return nil, errorf(CodeBadRequest, "limit is 1 to %d", MaxFinishedMatches)
	}
	q := MatchQuery{Before: before, Limit: limit}
	if player != "" {
		a, err := l.store.AccountByName(ctx, player)
		if errors.Is(err, ErrNotFound) {
			return nil, errorf(CodeBadRequest, "nobody is called %q", CleanText(player, MaxName))
		}
		if err != nil {
			return nil, err
		}
		q.Player = a.ID
	}
	var seen []FinishedMatch
	for range maxArchivePages {
		page, err := l.store.FinishedMatches(ctx, q)
		if err != nil {
			return nil, err
		}
		for _, f := range page {
			if !f.Info.Private || f.Info.hasPlayer(you) {
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

// Leaderboard lists the accounts with the highest settled ratings in a pool (Pool), best first: those that
// have met LeaderOpponents different opponents within LeaderTime.
func (l *Lobby) Leaderboard(ctx context.Context, pool string, limit int) ([]Account, error) {
	return l.store.Leaderboard(ctx, pool, time.Now().Add(-LeaderboardWindow), LeaderboardOpponents, limit)
}

// Keys lists an account's keys, oldest first.
func (l *Lobby) Keys(ctx context.Context, id AccountID) ([]Key, error) {
	return l.store.Keys(ctx, id)
}
