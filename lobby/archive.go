package lobby

import (
	"context"
	"errors"
	"time"

	"ayumu/engine"
	"ayumu/lobby/account"
	"ayumu/lobby/errcode"
	"ayumu/lobby/match"
	"ayumu/lobby/rating"
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

// ArchiveStore finds finished matches and what they changed.
type ArchiveStore interface {
	// FinishedMatches lists ended matches, newest first; those that ended at the same time in the
	// descending order of their ids. Corrupt matches are left out.
	FinishedMatches(ctx context.Context, q MatchQuery) ([]FinishedMatch, error)
	// MatchRatings returns the rating changes of a finished match, by seat, or the reason why it changed
	// none; nil and "" for a casual or unfinished match.
	MatchRatings(ctx context.Context, match string) (changes []rating.Change, unrated match.UnratedReason, err error)
	// Leaderboard lists the accounts with the highest established ratings in a pool, best first, that are no built-in
	// players and have what is required, from rated matches of the pool that ended after since.
	Leaderboard(ctx context.Context, pool string, since time.Time, r Requirements, limit int) ([]account.Account, error)
	// IsOpen reports whether access to the server is open.
	IsOpen(ctx context.Context) (bool, error)
	// RatingHistory returns an account's ratings in a pool after its last matches, oldest first, at most
	// limit; none for a deleted account.
	RatingHistory(ctx context.Context, id account.ID, pool string, limit int) ([]RatingPoint, error)
	// Faults returns when the newest matches ended in which the player of a seat was at fault (match.Faults), newest
	// first, of those that ended after since at most limit. The player is an account, or the guest whose return code has
	// that digest.
	Faults(ctx context.Context, id account.ID, guest string, since time.Time, limit int) ([]time.Time, error)
	// Tally counts an account's finished matches of a game.
	Tally(ctx context.Context, id account.ID, game string) (Tally, error)
}

// MatchQuery selects finished matches.
type MatchQuery struct {
	Player account.ID // 0: all players
	Before string     // the id of a match: only matches that ended before it; empty: no bound
	Limit  int        // maximum number of results, 1 to 200
}

// FinishedMatch is a finished match in a list.
type FinishedMatch struct {
	Info   *match.Info
	Result engine.Result
	Ended  time.Time
	Turns  int
	// RatingsAfter has the ratings after a rated match, by seat; nil for others.
	RatingsAfter []rating.Rating
	// Unrated is the reason for which a rated match changed no rating.
	Unrated match.UnratedReason
	// Departures has the reason for which each seat left a match of three or more players, or "". It is nil
	// if nobody left, and in matches that versions without this field finished.
	Departures []string
}

// RatingPoint is a rating after a match.
type RatingPoint struct {
	At    time.Time
	Value float64
}

// Tally counts an account's finished matches of a game, without aborted ones.
type Tally struct {
	Won, Drawn, Lost int
	// BySide and ByOptions count the same by the side played ("b", "w"; "" where the game has none) and by
	// the options ("11×11, pie").
	BySide, ByOptions map[string]Tally
}

// Games returns the number of matches that a tally counts.
func (t Tally) Games() int { return t.Won + t.Drawn + t.Lost }

// Archive reads finished and running matches, profiles and the leaderboard. It is a field of Lobby. Its methods may be
// called from any goroutine.
type Archive struct{ l *Lobby }

// MatchLog returns a running or finished match and its log as far as viewer (0: no account) may see it:
// players see everything; others do not see private matches, and see a running match with its delay. Both
// results are shared and must not be changed.
func (ar Archive) MatchLog(ctx context.Context, viewer account.ID, id string) (*match.Info, []match.Entry, error) {
	info, log, err := ar.matchLog(ctx, viewer, id)
	if err == nil && info.Private && !info.HasPlayer(viewer) {
		return nil, nil, errcode.Errorf(errcode.NotAllowed, "game %s is private; only its players can see it", id)
	}
	return info, log, err
}

func (ar Archive) matchLog(ctx context.Context, viewer account.ID, id string) (*match.Info, []match.Entry, error) {
	if players, public := ar.l.matches.snapshots(id); players != nil {
		if players.Info.HasPlayer(viewer) {
			return players.Info, players.Log, nil
		}
		return public.Info, public.Log, nil
	}
	info, log, err := ar.l.store.Match(ctx, id)
	switch {
	case errors.Is(err, errcode.ErrNotFound):
		return nil, nil, errcode.Errorf(errcode.UnknownMatch, "there is no game %q", sanitize.Line(id, 20))
	case errors.Is(err, errcode.ErrCorrupt):
		return nil, nil, ar.l.InternalError("match not read", err, "match", id)
	case err != nil:
		return nil, nil, err
	}
	ar.l.markLocal(info)
	over := len(log) > 0 && log[len(log)-1].Kind == match.EntryEnd
	if !over && !info.HasPlayer(viewer) {
		log = log[:match.VersionBefore(log, info.Delay)]
	}
	return info, log, nil
}

// MatchSnapshot returns the newest state of a running or finished match that viewer (0: no account) may
// see, as MatchLog does.
func (ar Archive) MatchSnapshot(ctx context.Context, viewer account.ID, id string) (*match.Snapshot, error) {
	info, log, err := ar.MatchLog(ctx, viewer, id)
	if err != nil {
		return nil, err
	}
	s, err := match.FromLog(info, log)
	if err == nil && s.IsOver() {
		s.Ratings, s.Unrated = ar.Rated(ctx, info)
	}
	return s, ar.l.InternalError("match not replayed", err, "match", id)
}

// FinishedMatches lists finished matches that viewer (0: no account) may see, newest first. player is a
// name; empty: all players. If before is the id of a match, only matches that ended before it are listed.
// limit is 1 to MaxFinishedMatches.
func (ar Archive) FinishedMatches(ctx context.Context, viewer account.ID, player, before string, limit int) ([]FinishedMatch, error) {
	if limit < 1 || limit > MaxFinishedMatches {
		return nil, errcode.Errorf(errcode.BadRequest, "limit is 1 to %d", MaxFinishedMatches)
	}
	q := MatchQuery{Before: before, Limit: limit}
	if player != "" {
		a, err := ar.l.store.AccountByName(ctx, player)
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
		page, err := ar.l.store.FinishedMatches(ctx, q)
		if err != nil {
			return nil, err
		}
		for _, f := range page {
			ar.l.markLocal(f.Info)
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
func (ar Archive) Leaderboard(ctx context.Context, pool string, limit int) ([]account.Account, error) {
	r, err := ar.Requirements(ctx)
	if err != nil {
		return nil, err
	}
	return ar.l.store.Leaderboard(ctx, pool, time.Now().Add(-LeaderboardWindow), r, limit)
}

// Requirements returns what the leaderboard requires now.
func (ar Archive) Requirements(ctx context.Context) (Requirements, error) {
	open, err := ar.l.store.IsOpen(ctx)
	if open {
		return OpenRequirements, err
	}
	return ClosedRequirements, err
}

// Rated returns the rating changes of a finished match, or why it changed none. Both are empty for a casual
// match. The store reports its failures itself.
func (ar Archive) Rated(ctx context.Context, info *match.Info) ([]rating.Change, match.UnratedReason) {
	if !info.Rated {
		return nil, ""
	}
	changes, unrated, err := ar.l.store.MatchRatings(ctx, info.ID)
	if err != nil {
		return nil, match.UnratedUnknown
	}
	return changes, unrated
}

// MaxRatingHistory is the maximum number of ratings in a history.
const MaxRatingHistory = 200

// Profile is the public information about an account.
type Profile struct {
	Account account.Account
	// Tallies counts the finished matches by game, without games that the account has not played.
	Tallies map[string]Tally
	// RatingHistories has the ratings after the latest matches by pool, oldest first, at most
	// MaxRatingHistory.
	RatingHistories map[string][]RatingPoint
}

// Profile returns the profile of the account with this name, ignoring case.
func (ar Archive) Profile(ctx context.Context, name string) (*Profile, error) {
	a, err := ar.l.Accounts.ByName(ctx, name)
	if err != nil {
		return nil, err
	}
	return ar.profile(ctx, a)
}

// ProfileByID returns the profile of an account by its id.
func (ar Archive) ProfileByID(ctx context.Context, id account.ID) (*Profile, error) {
	a, err := ar.l.store.Account(ctx, id)
	if errors.Is(err, errcode.ErrNotFound) {
		return nil, errcode.Errorf(errcode.BadRequest, "guests have no profile")
	}
	if err != nil {
		return nil, err
	}
	return ar.profile(ctx, a)
}

func (ar Archive) profile(ctx context.Context, a account.Account) (*Profile, error) {
	a.Settings, a.Blocks = nil, nil // private
	p := &Profile{Account: a, Tallies: make(map[string]Tally), RatingHistories: make(map[string][]RatingPoint)}
	for _, g := range ar.l.games {
		t, err := ar.l.store.Tally(ctx, a.ID, g.Name())
		if err != nil {
			return nil, err
		}
		if t.Games() > 0 {
			p.Tallies[g.Name()] = t
		}
	}
	for pool := range a.Ratings {
		var err error
		if p.RatingHistories[pool], err = ar.l.store.RatingHistory(ctx, a.ID, pool, MaxRatingHistory); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// FinishedGames returns how many matches of a game an account has finished, without aborted ones.
func (ar Archive) FinishedGames(ctx context.Context, id account.ID, game string) (int, error) {
	t, err := ar.l.store.Tally(ctx, id, game)
	return t.Games(), err
}
