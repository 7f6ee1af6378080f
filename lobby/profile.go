package lobby

import (
	"context"
	"errors"

	"ayumu/engine/games"
)

// MaxHistory is how many games back a profile shows how a rating went.
const MaxHistory = 200

// Profile is what everybody may know of an account.
type Profile struct {
	Account Account
	// Records count the finished games by kind of game; kinds without any are left out.
	Records map[string]Tally
	// Histories have each pool's ratings after the last games, oldest first, at most MaxHistory.
	Histories map[string][]RatingPoint
}

// Profile returns the profile of the account of that name, letter case aside.
func (l *Lobby) Profile(ctx context.Context, name string) (*Profile, error) {
	a, err := l.store.AccountByName(ctx, name)
	if errors.Is(err, ErrUnknown) {
		return nil, fail(BadRequest, "nobody called %q has an account; guests have no profile", CleanText(name, MaxName))
	}
	if err != nil {
		return nil, l.told("profile not read", err)
	}
	a.Settings = nil // they are the account's own business
	p := &Profile{Account: a, Records: make(map[string]Tally), Histories: make(map[string][]RatingPoint)}
	for _, g := range games.All {
		t, err := l.store.Record(ctx, a.ID, g.Name())
		if err != nil {
			return nil, l.told("profile not read", err)
		}
		if t.Games() > 0 {
			p.Records[g.Name()] = t
		}
	}
	for pool := range a.Ratings {
		if p.Histories[pool], err = l.store.History(ctx, a.ID, pool, MaxHistory); err != nil {
			return nil, l.told("profile not read", err)
		}
	}
	return p, nil
}

// Games returns how many games a tally counts.
func (t Tally) Games() int { return t.Won + t.Drawn + t.Lost }
