// Package wire has the JSON objects that the API and the commands with --json both write (docs/protocol.md). It
// imports the lobby and tui/client.
package wire

import (
	"math"
	"time"

	"ayumu/engine"
	"ayumu/engine/puzzle"
	"ayumu/lobby"
	"ayumu/lobby/puzzles"
	"ayumu/lobby/rating"
	"ayumu/tui/client"
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

// ResultOf returns the result of a match; nil for nil.
func ResultOf(r *engine.Result) *Result {
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
}

// Users returns the users of a view; never nil.
func Users(v *lobby.View) []User {
	all := []User{}
	for u := range v.Users.All() {
		all = append(all, User{u.Name, u.Bot, u.ID < 0, u.Match})
	}
	return all
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

// Ranks returns the places of leaderboards, one after the other; never nil.
func Ranks(all []client.Leaderboard) []Rank {
	ranks := []Rank{}
	for _, l := range all {
		for i, a := range l.Top {
			r := a.Ratings[l.Pool.Key]
			ranks = append(ranks, Rank{l.Pool.Key, i + 1, a.Name, a.Bot, Round(r.Value), Round(r.Deviation), r.Games})
		}
	}
	return ranks
}

// Puzzle is a puzzle without its solution.
type Puzzle struct {
	ID       string `json:"id"`
	Game     string `json:"game"`
	Setup    string `json:"setup,omitempty"`
	Position string `json:"position"`
	Turn     int    `json:"turn"`
	Theme    string `json:"theme"`
	Goal     string `json:"goal"`
	Task     string `json:"task"`
	Rating   int    `json:"rating"`
}

// PuzzleOf returns a puzzle of a collection, with its rating.
func PuzzleOf(c *puzzles.Collection, p *puzzle.Puzzle, r rating.Rating) Puzzle {
	return Puzzle{p.ID, p.Game, p.Setup, p.Position, p.Turn, p.Theme, string(p.Goal), c.Theme(p).Task(p), Round(r.Value)}
}
