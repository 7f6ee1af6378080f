package archive

import (
	"context"
	"errors"

	"ayumu/lobby/account"
	"ayumu/lobby/errcode"
)

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
func (ar *Archive) Profile(ctx context.Context, name string) (*Profile, error) {
	a, err := ar.byName(ctx, name)
	if err != nil {
		return nil, err
	}
	return ar.profile(ctx, a)
}

// ProfileOf returns the profile of an account by its id.
func (ar *Archive) ProfileOf(ctx context.Context, id account.ID) (*Profile, error) {
	a, err := ar.store.Account(ctx, id)
	if errors.Is(err, errcode.ErrNotFound) {
		return nil, errcode.Errorf(errcode.BadRequest, "guests have no profile")
	}
	if err != nil {
		return nil, err
	}
	return ar.profile(ctx, a)
}

func (ar *Archive) profile(ctx context.Context, a account.Account) (*Profile, error) {
	a.Settings, a.Blocks = nil, nil // private
	p := &Profile{Account: a, Tallies: make(map[string]Tally), RatingHistories: make(map[string][]RatingPoint)}
	for _, g := range ar.games {
		t, err := ar.store.Tally(ctx, a.ID, g.Name())
		if err != nil {
			return nil, err
		}
		if t.Games() > 0 {
			p.Tallies[g.Name()] = t
		}
	}
	for pool := range a.Ratings {
		var err error
		if p.RatingHistories[pool], err = ar.store.RatingHistory(ctx, a.ID, pool, MaxRatingHistory); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// FinishedGames returns how many matches of a game an account has finished, without aborted ones.
func (ar *Archive) FinishedGames(ctx context.Context, id account.ID, game string) (int, error) {
	t, err := ar.store.Tally(ctx, id, game)
	return t.Games(), err
}
