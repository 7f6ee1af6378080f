package lobby

import (
	"context"
	"errors"
	"time"

	"ayumu/lobby/errcode"
	"ayumu/lobby/match"
	"ayumu/lobby/sanitize"
)

// An account is on the leaderboard if it has met this number of different opponents in rated matches within
// this time.
const (
	LeaderboardOpponents = 3
	LeaderboardWindow    = 90 * 24 * time.Hour
)

// MaxFinishedMatches is the maximum number of finished matches in one list.
const MaxFinishedMatches = 200

// maxArchivePages is the number of the store's pages that are read for one list. Private matches are left
// out, so that a page may yield few.
const maxArchivePages = 20

// Archive reads finished and running matches, profiles and the leaderboard. It is a field of the Lobby.
type Archive struct{ l *Lobby }

// MatchLog returns a running or finished match and its log as far as viewer (0: no account) may see it:
// players see everything; others do not see private matches, and see a running match with its delay. Both
// results are shared and must not be changed.
func (ar *Archive) MatchLog(ctx context.Context, viewer AccountID, id string) (*MatchInfo, []Entry, error) {
	info, log, err := ar.matchLog(ctx, viewer, id)
	if err == nil && info.Private && !info.HasPlayer(viewer) {
		return nil, nil, errcode.Errorf(errcode.NotAllowed, "match %s is private; only its players can see it", id)
	}
	return info, log, err
}

func (ar *Archive) matchLog(ctx context.Context, viewer AccountID, id string) (*MatchInfo, []Entry, error) {
	if m, err := ar.l.Match(id); err == nil {
		if m.Info.HasPlayer(viewer) {
			return m.Info, m.liveSnapshot.Load().Log, nil
		}
		return m.Info, m.Snapshot().Log, nil
	}
	info, log, err := ar.l.store.Match(ctx, id)
	switch {
	case errors.Is(err, ErrNotFound):
		return nil, nil, errcode.Errorf(errcode.UnknownMatch, "there is no match %q", sanitize.Line(id, 20))
	case errors.Is(err, ErrCorrupt):
		return nil, nil, ar.l.InternalError("match not read", err, "match", id)
	case err != nil:
		return nil, nil, err
	}
	over := len(log) > 0 && log[len(log)-1].Kind == EntryEnd
	if !over && !info.HasPlayer(viewer) {
		log = log[:match.VersionBefore(log, info.Delay)]
	}
	return info, log, nil
}

// MatchSnapshot returns the newest state of a running or finished match that viewer (0: no account) may
// see, as MatchLog does.
func (ar *Archive) MatchSnapshot(ctx context.Context, viewer AccountID, id string) (*Snapshot, error) {
	info, log, err := ar.MatchLog(ctx, viewer, id)
	if err != nil {
		return nil, err
	}
	s, err := match.FromLog(info, log)
	if err == nil && s.IsOver() {
		s.Ratings, s.Unrated = ar.rated(ctx, info)
	}
	return s, ar.l.InternalError("match not replayed", err, "match", id)
}

// FinishedMatches lists finished matches that viewer (0: no account) may see, newest first. player is a
// name; empty: all players. If before is the id of a match, only matches that ended before it are listed.
// limit is 1 to MaxFinishedMatches.
func (ar *Archive) FinishedMatches(ctx context.Context, viewer AccountID, player, before string, limit int) ([]FinishedMatch, error) {
	if limit < 1 || limit > MaxFinishedMatches {
		return nil, errcode.Errorf(errcode.BadRequest, "limit is 1 to %d", MaxFinishedMatches)
	}
	q := MatchQuery{Before: before, Limit: limit}
	if player != "" {
		a, err := ar.l.store.AccountByName(ctx, player)
		if errors.Is(err, ErrNotFound) {
			return nil, errcode.Errorf(errcode.BadRequest, "there is no player %q", sanitize.Line(player, MaxName))
		}
		if err != nil {
			return nil, err
		}
		q.Player = a.ID
	}
	var visible []FinishedMatch
	for range maxArchivePages {
		page, err := ar.l.store.FinishedMatches(ctx, q)
		if err != nil {
			return nil, err
		}
		for _, f := range page {
			if !f.Info.Private || f.Info.HasPlayer(viewer) {
				visible = append(visible, f)
			}
			q.Before = f.Info.ID
		}
		if len(visible) >= limit || len(page) < q.Limit {
			break
		}
	}
	return visible[:min(len(visible), limit)], nil
}

// Leaderboard lists the accounts with the highest established ratings in a pool, best first, that have met
// LeaderboardOpponents different opponents within LeaderboardWindow.
func (ar *Archive) Leaderboard(ctx context.Context, pool string, limit int) ([]Account, error) {
	return ar.l.store.Leaderboard(ctx, pool, time.Now().Add(-LeaderboardWindow), LeaderboardOpponents, limit)
}

// rated returns the rating changes of a finished match, or why it changed none. Both are empty for a casual
// match. The store reports its failures itself.
func (ar *Archive) rated(ctx context.Context, info *MatchInfo) ([]RatingChange, UnratedReason) {
	if !info.Rated {
		return nil, ""
	}
	changes, unrated, err := ar.l.store.MatchRatings(ctx, info.ID)
	if err != nil {
		return nil, UnratedUnknown
	}
	return changes, unrated
}
