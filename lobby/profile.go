package lobby

import (
	"context"
	"errors"

	"ayumu/engine/games"
)

// MaxRatingHistory is how many games back a profile shows how a rating went.
const MaxRatingHistory = 200

// Profile is what everybody may know of an account.
type Profile struct {
	Account Account
	// Tallies count the finished games by kind of game; kinds without any are left out.
	Tallies map[string]Tally
	// RatingHistories have each pool's ratings after the last games, oldest first, at most MaxHistory.
	RatingHistories map[string][]RatingPoint
}

// AccountByName returns the account of that name, letter case aside.
func (l *Lobby) AccountByName(ctx context.Context, name string) (Account, error) {
	a, err := l.store.AccountByName(ctx, name)
	if errors.Is(err, ErrNotFound) {
		return Account{}, errorf(CodeBadRequest, "nobody called %q has an account here; guests have none", CleanText(name, MaxName))
	}
	a.Settings, a.Blocks = nil, nil // they are the account's own business
	return a, err
}

// Profile returns the profile of the account of that name, letter case aside.
func (l *Lobby) Profile(ctx context.Context, name string) (*Profile, error) {
	a, err := l.AccountByName(ctx, name)
	if err != nil {
		return nil, err
	}
	return l.profile(ctx, a)
}

// ProfileOf returns the profile of an account, whatever it is called by now.
func (l *Lobby) ProfileOf(ctx context.Context, id AccountID) (*Profile, error) {
	a, err := l.store.Account(ctx, id)
	if errors.Is(err, ErrNotFound) {
		return nil, errorf(CodeBadRequest, "guests have no profile")
	}
	if err != nil {
		return nil, err
	}
	return l.profile(ctx, a)
}

func (l *Lobby) profile(ctx context.Context, a Account) (*Profile, error) {
	a.Settings, a.Blocks = nil, nil // they are the account's own business
	p := &Profile{Account: a, Tallies: make(map[string]Tally), RatingHistories: make(map[string][]RatingPoint)}
	for _, g := range games.All {
		t, err := l.store.Tally(ctx, a.ID, g.Name())
		if err != nil {
			return nil, err
		}
		if t.Games() > 0 {
			p.Tallies[g.Name()] = t
		}
	}
	for pool := range a.Ratings {
		var err error
		if p.RatingHistories[pool], err = l.store.RatingHistory(ctx, a.ID, pool, MaxRatingHistory); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// Games returns how many games a tally counts.
func (t Tally) Games() int { return t.Won + t.Drawn + t.Lost }
