// Package archive reads finished and running matches, profiles and the leaderboard.
package archive

import (
	"context"
	"errors"
	"time"

	"ayumu/engine"
	"ayumu/lobby/account"
	"ayumu/lobby/errcode"
	"ayumu/lobby/match"
	"ayumu/lobby/sanitize"
)

// LeaderboardWindow is the time within which the matches have ended that Requirements count.
const LeaderboardWindow = 90 * 24 * time.Hour

// Requirements is what an account with an established rating needs for a place on the leaderboard.
type Requirements struct {
	Opponents   int  // different opponents in rated matches
	Days        int  // days (UTC) on which such matches ended
	Established bool // only opponents count that have an established rating, had no new account and are no bots
}

// The requirements where anybody can make accounts, and where access is closed.
var (
	OpenRequirements   = Requirements{Opponents: 5, Days: 3, Established: true}
	ClosedRequirements = Requirements{Opponents: 3, Days: 1}
)

// MaxFinishedMatches is the maximum number of finished matches in one list.
const MaxFinishedMatches = 200

// maxArchivePages is the number of the store's pages that are read for one list. Private matches are left
// out, so that a page may yield few.
const maxArchivePages = 20

// Archive reads finished and running matches, profiles and the leaderboard. New is the constructor. Its methods may be
// called from any goroutine.
type Archive struct {
	store         Source
	games         engine.Games
	live          Live
	byName        func(ctx context.Context, name string) (account.Account, error)
	internalError func(msg string, err error, keyvals ...any) error
}

// Source is the part of the lobby's store that an Archive reads.
type Source interface {
	Store
	Account(ctx context.Context, id account.ID) (account.Account, error)
	AccountByName(ctx context.Context, name string) (account.Account, error)
	Match(ctx context.Context, match string) (*match.Info, []match.Entry, error)
}

// Live returns the newest states of a match in memory, for its players and for everybody else; nil if it is not in
// memory.
type Live func(id string) (players, public *match.Snapshot)

// New returns an Archive of a store.
//
// byName returns the account with a name, without what is private. internalError reports an internal error to the
// operator, and returns the error for the client; nil for nil.
func New(store Source, games engine.Games, live Live, byName func(ctx context.Context, name string) (account.Account, error),
	internalError func(msg string, err error, keyvals ...any) error) *Archive {
	return &Archive{store, games, live, byName, internalError}
}

// MatchLog returns a running or finished match and its log as far as viewer (0: no account) may see it:
// players see everything; others do not see private matches, and see a running match with its delay. Both
// results are shared and must not be changed.
func (ar *Archive) MatchLog(ctx context.Context, viewer account.ID, id string) (*match.Info, []match.Entry, error) {
	info, log, err := ar.matchLog(ctx, viewer, id)
	if err == nil && info.Private && !info.HasPlayer(viewer) {
		return nil, nil, errcode.Errorf(errcode.NotAllowed, "game %s is private; only its players can see it", id)
	}
	return info, log, err
}

func (ar *Archive) matchLog(ctx context.Context, viewer account.ID, id string) (*match.Info, []match.Entry, error) {
	if players, public := ar.live(id); players != nil {
		if players.Info.HasPlayer(viewer) {
			return players.Info, players.Log, nil
		}
		return public.Info, public.Log, nil
	}
	info, log, err := ar.store.Match(ctx, id)
	switch {
	case errors.Is(err, errcode.ErrNotFound):
		return nil, nil, errcode.Errorf(errcode.UnknownMatch, "there is no game %q", sanitize.Line(id, 20))
	case errors.Is(err, errcode.ErrCorrupt):
		return nil, nil, ar.internalError("match not read", err, "match", id)
	case err != nil:
		return nil, nil, err
	}
	over := len(log) > 0 && log[len(log)-1].Kind == match.EntryEnd
	if !over && !info.HasPlayer(viewer) {
		log = log[:match.VersionBefore(log, info.Delay)]
	}
	return info, log, nil
}

// MatchSnapshot returns the newest state of a running or finished match that viewer (0: no account) may
// see, as MatchLog does.
func (ar *Archive) MatchSnapshot(ctx context.Context, viewer account.ID, id string) (*match.Snapshot, error) {
	info, log, err := ar.MatchLog(ctx, viewer, id)
	if err != nil {
		return nil, err
	}
	s, err := match.FromLog(info, log)
	if err == nil && s.IsOver() {
		s.Ratings, s.Unrated = ar.Rated(ctx, info)
	}
	return s, ar.internalError("match not replayed", err, "match", id)
}

// FinishedMatches lists finished matches that viewer (0: no account) may see, newest first. player is a
// name; empty: all players. If before is the id of a match, only matches that ended before it are listed.
// limit is 1 to MaxFinishedMatches.
func (ar *Archive) FinishedMatches(ctx context.Context, viewer account.ID, player, before string, limit int) ([]FinishedMatch, error) {
	if limit < 1 || limit > MaxFinishedMatches {
		return nil, errcode.Errorf(errcode.BadRequest, "limit is 1 to %d", MaxFinishedMatches)
	}
	q := MatchQuery{Before: before, Limit: limit}
	if player != "" {
		a, err := ar.store.AccountByName(ctx, player)
		if errors.Is(err, errcode.ErrNotFound) {
			return nil, errcode.Errorf(errcode.BadRequest, "there is no player %q", sanitize.Line(player, account.MaxName))
		}
		if err != nil {
			return nil, err
		}
		q.Player = a.ID
	}
	var visible []FinishedMatch
	for range maxArchivePages {
		page, err := ar.store.FinishedMatches(ctx, q)
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

// Leaderboard lists the accounts with the highest established ratings in a pool, best first, that have met the
// requirements within LeaderboardWindow.
func (ar *Archive) Leaderboard(ctx context.Context, pool string, limit int) ([]account.Account, error) {
	r, err := ar.Requirements(ctx)
	if err != nil {
		return nil, err
	}
	return ar.store.Leaderboard(ctx, pool, time.Now().Add(-LeaderboardWindow), r, limit)
}

// Requirements returns what the leaderboard requires at present.
func (ar *Archive) Requirements(ctx context.Context) (Requirements, error) {
	open, err := ar.store.IsOpen(ctx)
	if open {
		return OpenRequirements, err
	}
	return ClosedRequirements, err
}

// Rated returns the rating changes of a finished match, or why it changed none. Both are empty for a casual
// match. The store reports its failures itself.
func (ar *Archive) Rated(ctx context.Context, info *match.Info) ([]match.RatingChange, match.UnratedReason) {
	if !info.Rated {
		return nil, ""
	}
	changes, unrated, err := ar.store.MatchRatings(ctx, info.ID)
	if err != nil {
		return nil, match.UnratedUnknown
	}
	return changes, unrated
}
