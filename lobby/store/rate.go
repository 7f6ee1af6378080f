package store

import (
	"slices"
	"time"

	"ayumu/engine"
	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/match"
	"ayumu/lobby/rating"
)

// Outcome is what a finished match was for a seat.
type Outcome string

// The outcomes, as they are stored; NoOutcome, that of an aborted match, is stored as null.
const (
	NoOutcome Outcome = ""
	Won       Outcome = "won"
	Drawn     Outcome = "drawn"
	Lost      Outcome = "lost"
)

// OutcomeOf returns the outcome of a result for a seat.
func OutcomeOf(r engine.Result, seat int) Outcome {
	switch wins := slices.Contains(r.Winners, seat); {
	case r.Reason == engine.ReasonAbort:
		return NoOutcome
	case wins && len(r.Winners) == 1:
		return Won
	case wins:
		return Drawn
	}
	return Lost
}

// AddToTally adds n matches with an outcome, in which the account had a side and which had options, as text.
func AddToTally(t *lobby.Tally, side, options string, o Outcome, n int) {
	add := func(t lobby.Tally) lobby.Tally {
		switch o {
		case Won:
			t.Won += n
		case Drawn:
			t.Drawn += n
		case Lost:
			t.Lost += n
		}
		return t
	}
	*t = add(*t)
	t.BySide[side] = add(t.BySide[side])
	t.ByOptions[options] = add(t.ByOptions[options])
}

// newcomerAge is the age from which on an account is not new. It is a week, so that a club that meets once a week is
// new for one evening only, and accounts that were made for one evening count little.
const newcomerAge = 7 * 24 * time.Hour

// RatedPlayer is a player of a rated match.
type RatedPlayer struct {
	Rating  rating.Rating // before the match
	Created time.Time     // when the account was created
	BuiltIn bool          // a built-in player
}

// isNewcomer reports whether the player is a newcomer at a time: the rating is not established, or the account is new.
func (p RatedPlayer) isNewcomer(at time.Time) bool {
	return !p.BuiltIn && (!p.Rating.IsEstablished() || at.Sub(p.Created) < newcomerAge)
}

// RatingSource reads what Rate needs, in the transaction that ends the match.
type RatingSource interface {
	// IsOpen reports whether access to the server is open: anybody can make accounts.
	IsOpen() (bool, error)
	// Players returns the players whose accounts have keys, with their ratings in a pool, in the order of the
	// seats.
	Players(pool string) ([]RatedPlayer, error)
	// Meetings returns the number of matches that were rated in a pool, ended after since and had the same
	// two accounts as the match; for several pairs of accounts, the highest of these numbers.
	Meetings(pool string, since time.Time) (int, error)
}

// RatedMatch is the effect of a rated match on the ratings.
type RatedMatch struct {
	Pool    string              // the rating pool; "" if no rating changes
	After   []rating.Rating     // by seat; nil if no rating changes
	Unrated match.UnratedReason // why no rating changes
}

// rating returns the rating of a seat after the match; nil if it has not changed.
func (r RatedMatch) rating(seat int) *rating.Rating {
	if r.After == nil {
		return nil
	}
	return &r.After[seat]
}

// Rate returns the effect of a match whose rules say that it is rated. end is its last entry.
func Rate(options engine.Options, end match.Entry, source RatingSource) (RatedMatch, error) {
	switch {
	case end.Result.Reason == engine.ReasonAbort:
		return RatedMatch{Unrated: match.UnratedAborted}, nil
	case !match.IsLongEnough(options, end):
		return RatedMatch{Unrated: match.UnratedShort}, nil
	}
	seats := len(end.TurnsMade)
	pool := account.Pool(options.Game().Name(), seats)
	players, err := source.Players(pool)
	switch {
	case err != nil:
		return RatedMatch{}, err
	case len(players) != seats:
		return RatedMatch{Unrated: match.UnratedAccount}, nil
	}
	earlier, err := source.Meetings(pool, end.At.Add(-24*time.Hour))
	if err != nil {
		return RatedMatch{}, err
	}
	weight := rating.Weight(earlier)
	if weight == 0 {
		return RatedMatch{Unrated: match.UnratedRepeated}, nil
	}
	open, err := source.IsOpen()
	if err != nil {
		return RatedMatch{}, err
	}
	before, kinds := make([]rating.Rating, seats), make([]rating.Seat, seats)
	for i, p := range players {
		before[i] = p.Rating
		kinds[i] = rating.Seat{Newcomer: open && p.isNewcomer(end.At), BuiltIn: p.BuiltIn}
	}
	return RatedMatch{Pool: pool, After: rating.UpdateEach(before, placesOf(*end.Result, seats), rating.SeatWeights(weight, kinds))}, nil
}

// placesOf returns the final places of all seats. Without places in the result, the winners share the first
// place and the others the second.
func placesOf(r engine.Result, seats int) []int {
	if len(r.Places) == seats {
		return r.Places
	}
	p := make([]int, seats)
	for i := range p {
		if !slices.Contains(r.Winners, i) {
			p[i] = 1
		}
	}
	return p
}
