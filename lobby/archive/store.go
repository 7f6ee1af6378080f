package archive

import (
	"context"
	"time"

	"ayumu/engine"
	"ayumu/lobby/account"
	"ayumu/lobby/match"
	"ayumu/lobby/rating"
)

// Store finds finished matches and what they changed.
type Store interface {
	// FinishedMatches lists ended matches, newest first; those that ended at the same time in the
	// descending order of their ids. Corrupt matches are left out.
	FinishedMatches(ctx context.Context, q MatchQuery) ([]FinishedMatch, error)
	// MatchRatings returns the rating changes of a finished match, by seat, or the reason why it changed
	// none; nil and "" for a casual or unfinished match.
	MatchRatings(ctx context.Context, match string) (changes []match.RatingChange, unrated match.UnratedReason, err error)
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
