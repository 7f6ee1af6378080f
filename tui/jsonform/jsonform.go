// Package jsonform has the JSON objects that the API and the commands with --json both write (docs/protocol.md).
package jsonform

import (
	"math"
	"time"

	"ayumu/engine"
	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/bots"
	"ayumu/lobby/rating"
)

// Time returns a time as programs read it: "2026-11-20T20:00:00Z".
func Time(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// Round returns a rating or deviation as a whole number.
func Round(f float64) int { return int(math.Round(f)) }

// Result is an engine.Result with the place of each seat, 1 for the best; equal seats share a place.
type Result struct {
	engine.Result
	Places []int `json:"places,omitempty"`
}

// NewResult returns the result of a match; nil for nil.
func NewResult(r *engine.Result) *Result {
	if r == nil {
		return nil
	}
	o := &Result{Result: *r}
	for _, place := range r.Places {
		o.Places = append(o.Places, place+1)
	}
	return o
}

// User is a user who is online.
type User struct {
	Name  string `json:"name"`
	Bot   bool   `json:"bot,omitempty"`
	Guest bool   `json:"guest"`
	Match string `json:"match,omitempty"` // a public match that they play
	Builtin
	// Of built-in players only.
	Ratings map[string]Rating `json:"ratings,omitempty"` // by rating pool
}

// Builtin is what only built-in players have.
type Builtin struct {
	Level  *int `json:"level,omitempty"`
	Adapts bool `json:"adapts,omitempty"` // it has no level of its own
}

// newBuiltin returns what only built-in players have of an account.
func newBuiltin(builtin *bots.Bots, id account.ID) Builtin {
	switch level := builtin.Level(id); level {
	case bots.NoLevel:
		return Builtin{}
	case bots.Adaptive:
		return Builtin{Adapts: true}
	default:
		return Builtin{Level: &level}
	}
}

// Rating is a rating of an account.
type Rating struct {
	Rating    int `json:"rating"`
	Deviation int `json:"deviation"`
	Games     int `json:"games"`
}

// Ratings returns the ratings of an account by rating pool; never nil.
func Ratings(of map[string]rating.Rating) map[string]Rating {
	all := make(map[string]Rating)
	for pool, r := range of {
		all[pool] = Rating{Round(r.Value), Round(r.Deviation), r.Games}
	}
	return all
}

// Users returns the users of a view; never nil. builtin has the levels of the built-in players; it may be nil.
func Users(v *lobby.View, builtin *bots.Bots) []User {
	all := []User{}
	for u := range v.Users.All() {
		user := User{Name: u.Name, Bot: u.Bot, Guest: u.ID < 0, Match: u.Match, Builtin: newBuiltin(builtin, u.ID)}
		if user.Builtin != (Builtin{}) {
			user.Ratings = Ratings(u.Ratings)
		}
		all = append(all, user)
	}
	return all
}

// Requirements is what the leaderboard requires.
type Requirements struct {
	Deviation   int  `json:"deviation"`   // at most
	Opponents   int  `json:"opponents"`   // different ones
	Established bool `json:"established"` // they have established ratings, and are no bots
	Days        int  `json:"days"`        // different ones
	Window      int  `json:"window"`      // the last days
}

// NewRequirements returns the JSON object for requirements.
func NewRequirements(r lobby.Requirements) Requirements {
	return Requirements{rating.EstablishedDeviation, r.Opponents, r.Established, r.Days, int(lobby.LeaderboardWindow / (24 * time.Hour))}
}

// Rank is a place on a leaderboard.
type Rank struct {
	Pool      string `json:"pool"`
	Place     int    `json:"place"`
	Name      string `json:"name"`
	Bot       bool   `json:"bot,omitempty"`
	Rating    int    `json:"rating"`
	Deviation int    `json:"deviation"`
	Games     int    `json:"games"`
}
