package mu

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"ayumu/engine"
)

const (
	minPlayers      = 2
	maxPlayers      = 6
	defaultPlayers  = 3
	maxSegments     = 8
	defaultSegments = 7
)

// Game implements engine.Game.
type Game struct{}

// Name implements engine.Game.
func (Game) Name() string { return "mu" }

// Title implements engine.Game.
func (Game) Title() string { return "Mu" }

// SeatLimit implements engine.SeatLimiter.
func (Game) SeatLimit() int { return maxPlayers }

// Options are the options of a match (docs/rules/mu.md, section 2).
type Options struct {
	Players  int `json:"players"`  // 2 to 6
	Segments int `json:"segments"` // for each player, 1 to 8
	Min      int `json:"min"`      // 2 to Players
}

// ParseOptions implements engine.Game. The defaults are three players with seven segments each, and a
// minimum equal to the number of players.
func (Game) ParseOptions(raw json.RawMessage) (engine.Options, error) {
	var given struct {
		Players  *int `json:"players"`
		Segments *int `json:"segments"`
		Min      *int `json:"min"`
	}
	if len(raw) > 0 {
		if err := json.Unmarshal(raw, &given); err != nil {
			var wrong *json.UnmarshalTypeError
			if errors.As(err, &wrong) && wrong.Field != "" {
				kind, _, _ := strings.Cut(wrong.Value, " ") // the rest is the number itself
				return nil, fmt.Errorf("%s must be a whole number, not a JSON %s", wrong.Field, kind)
			}
			return nil, errors.New("the options of Mu must be an object of whole numbers: players, segments and min")
		}
	}
	o := Options{Players: defaultPlayers, Segments: defaultSegments}
	if given.Players != nil {
		o.Players = *given.Players
	}
	if given.Segments != nil {
		o.Segments = *given.Segments
	}
	o.Min = o.Players
	if given.Min != nil {
		o.Min = *given.Min
	}
	switch {
	case o.Players < minPlayers || o.Players > maxPlayers:
		return nil, fmt.Errorf("players is %d, must be %d to %d", o.Players, minPlayers, maxPlayers)
	case o.Segments < 1 || o.Segments > maxSegments:
		return nil, fmt.Errorf("segments is %d, must be 1 to %d", o.Segments, maxSegments)
	case o.Min < minPlayers || o.Min > o.Players:
		return nil, fmt.Errorf("min is %d, must be %d to the number of players, %d", o.Min, minPlayers, o.Players)
	}
	return o, nil
}

// New implements engine.Game.
func (Game) New(o engine.Options) engine.Position { return New(o.(Options)) }

// Game implements engine.Options.
func (o Options) Game() engine.Game { return Game{} }

// Seats implements engine.Options.
func (o Options) Seats() (min, max int) { return o.Min, o.Players }

// WithSeats implements engine.Options.
func (o Options) WithSeats(n int) engine.Options {
	o.Players, o.Min = n, n
	return o
}

// RatedTurns implements engine.RatedMinimum: the turns of a seat in layout and clearing, and two more.
func (o Options) RatedTurns() int { return 2*o.Segments - 1 + 2 }

// Short returns the players and the segments for each: "3×7".
func (o Options) Short() string { return fmt.Sprintf("%d×%d", o.Players, o.Segments) }

// String implements engine.Options.
func (o Options) String() string {
	players := fmt.Sprintf("%d players", o.Players)
	if o.Min < o.Players {
		players = fmt.Sprintf("%d–%d players", o.Min, o.Players)
	}
	if o.Segments == 1 {
		return players + ", 1 segment each"
	}
	return fmt.Sprintf("%s, %d segments each", players, o.Segments)
}
