package op

import (
	"context"
	"fmt"

	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/errcode"
	"ayumu/lobby/limit"
	"ayumu/lobby/match"
	"ayumu/lobby/sanitize"
	"ayumu/tui/game"
	"ayumu/tui/jsonform"
	"ayumu/tui/words"
)

// Archive reads finished and running matches, profiles and leaderboards for one user, and charges the work to
// Payer. Its methods may be called from any goroutine. The error of a budget that is used up is errcode.RateLimited.
type Archive struct {
	Lobby  *lobby.Lobby
	Viewer account.ID // who reads; private matches are only for their players; 0: nobody in particular
	Payer  limit.Payer
}

// Archive returns the archive as the user sees it.
func (v *Visit) Archive() Archive {
	a := Archive{Lobby: v.Lobby, Viewer: v.User().ID, Payer: lobby.NewPayer(v.User().ID, v.Addr)}
	if v.Session != nil {
		a.Payer = v.Session.Payer()
	}
	return a
}

func (a Archive) spend(w limit.Work) error { return a.Lobby.Budgets.Spend(a.Payer, w) }

// Finished lists finished matches of a player ("": of all), newest first: at most n of those that ended
// before the match named before ("": from the newest on).
func (a Archive) Finished(ctx context.Context, player, before string, n int) ([]lobby.FinishedMatch, error) {
	if err := a.spend(limit.WorkArchive); err != nil {
		return nil, err
	}
	if err := a.Lobby.Budgets.SpendMore(a.Payer, limit.WorkArchive, min(max(n, 0), lobby.MaxFinishedMatches)); err != nil {
		return nil, err
	}
	return a.Lobby.Archive.FinishedMatches(ctx, a.Viewer, player, before, n)
}

// Leaderboard returns at most n accounts of a rating pool, best first.
func (a Archive) Leaderboard(ctx context.Context, pool string, n int) ([]account.Account, error) {
	if err := a.spend(limit.WorkArchive); err != nil {
		return nil, err
	}
	return a.Lobby.Archive.Leaderboard(ctx, pool, n)
}

// Requirements returns what the leaderboard requires now.
func (a Archive) Requirements(ctx context.Context) (lobby.Requirements, error) {
	return a.Lobby.Archive.Requirements(ctx)
}

// Leaderboard is the accounts with the highest established ratings of a pool, best first.
type Leaderboard struct {
	Pool words.RatingPool
	Top  []account.Account
}

// Leaderboards returns the leaderboards of a game ("": of all games) that are not empty, each of at most n
// accounts. An unknown game is a errcode.BadRequest error.
func (a Archive) Leaderboards(ctx context.Context, games game.List, name string, n int) (all []Leaderboard, err error) {
	if _, ok := games.ByName(name); name != "" && !ok {
		return nil, &errcode.Error{Code: errcode.BadRequest, Message: fmt.Sprintf("there is no game %q", sanitize.Line(name, 20))}
	}
	for _, p := range words.RatingPools(games) {
		if name != "" && p.Game.Name() != name {
			continue
		}
		l := Leaderboard{Pool: p}
		if l.Top, err = a.Leaderboard(ctx, p.Key, n); err != nil {
			return nil, err
		}
		if len(l.Top) > 0 {
			all = append(all, l)
		}
	}
	return all, nil
}

// Profile returns the profile of the account with a name.
func (a Archive) Profile(ctx context.Context, name string) (*lobby.Profile, error) {
	if err := a.spend(limit.WorkArchive); err != nil {
		return nil, err
	}
	return a.Lobby.Archive.Profile(ctx, name)
}

// ProfileByID returns the profile of an account by id, whose name may have changed since a match.
func (a Archive) ProfileByID(ctx context.Context, id account.ID) (*lobby.Profile, error) {
	if err := a.spend(limit.WorkArchive); err != nil {
		return nil, err
	}
	return a.Lobby.Archive.ProfileByID(ctx, id)
}

// Log returns the log of a finished or running match, as a game record needs it.
func (a Archive) Log(ctx context.Context, match string) (*match.Info, []match.Entry, error) {
	if err := a.spend(limit.WorkRecord); err != nil {
		return nil, nil, err
	}
	info, log, err := a.Lobby.Archive.MatchLog(ctx, a.Viewer, match)
	if err == nil {
		err = a.Lobby.Budgets.SpendMore(a.Payer, limit.WorkRecord, len(log))
	}
	return info, log, err
}

// ExplainUnknown returns the error of opening a match, and for a match that is unknown to the lobby because it has
// ended and is in the archive only a errcode.GameOver error.
func (a Archive) ExplainUnknown(ctx context.Context, id string, err error) error {
	if code, _ := lobby.PublicError(err); err == nil || code != errcode.UnknownMatch || id == "" {
		return err
	}
	if _, log, archiveErr := a.Log(ctx, id); archiveErr != nil || len(log) == 0 || log[len(log)-1].Kind != match.EntryEnd {
		return err
	}
	return &errcode.Error{Code: errcode.GameOver, Message: fmt.Sprintf("the game %s has ended; record %[1]s has its turns", id)}
}

// Snapshot returns the state of a finished or running match with all its turns.
func (a Archive) Snapshot(ctx context.Context, match string) (*match.Snapshot, error) {
	if err := a.spend(limit.WorkHistory); err != nil {
		return nil, err
	}
	s, err := a.Lobby.Archive.MatchSnapshot(ctx, a.Viewer, match)
	if err == nil {
		err = a.Lobby.Budgets.SpendMore(a.Payer, limit.WorkHistory, s.Version)
	}
	return s, err
}

// ranks returns the places of leaderboards, one after the other; never nil.
func ranks(all []Leaderboard) []jsonform.Rank {
	ranks := []jsonform.Rank{}
	for _, l := range all {
		for i, a := range l.Top {
			r := a.Ratings[l.Pool.Key]
			ranks = append(ranks, jsonform.Rank{Pool: l.Pool.Key, Place: i + 1, Name: a.Name, Bot: a.Bot, Rating: jsonform.Round(r.Value), Deviation: jsonform.Round(r.Deviation), Games: r.Games})
		}
	}
	return ranks
}
