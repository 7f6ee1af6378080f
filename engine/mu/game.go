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
	Players  int    `json:"players"`            // 2 to 6
	Segments int    `json:"segments"`           // for each player, 1 to 8
	Min      int    `json:"min"`                // 2 to Players
	Position string `json:"position,omitempty"` // PLAYERS CENTRES LINE of the first position; empty: the usual one
}

// ParseOptions implements engine.Game. The defaults are three players with seven segments each, and a
// minimum equal to the number of players. A position has its own number of players, and of segments except
// during the layout.
func (Game) ParseOptions(raw json.RawMessage) (engine.Options, error) {
	var given struct {
		Players  *int   `json:"players"`
		Segments *int   `json:"segments"`
		Min      *int   `json:"min"`
		Position string `json:"position"`
	}
	if len(raw) > 0 {
		if err := json.Unmarshal(raw, &given); err != nil {
			var wrong *json.UnmarshalTypeError
			switch {
			case errors.As(err, &wrong) && wrong.Field == "position":
				return nil, errors.New("position must be a string: PLAYERS CENTRES LINE")
			case wrong != nil && wrong.Field != "":
				kind, _, _ := strings.Cut(wrong.Value, " ") // the rest is the number itself
				return nil, fmt.Errorf("%s must be a whole number, not a JSON %s", wrong.Field, kind)
			}
			return nil, errors.New("the options of Mu must be an object of whole numbers: players, segments and min")
		}
	}
	o := Options{Players: defaultPlayers, Segments: defaultSegments, Position: given.Position}
	if o.Position != "" {
		if err := o.setSize(given.Segments); err != nil {
			return nil, err
		}
	}
	if err := take(&o.Players, given.Players, "players", o.Position != ""); err != nil {
		return nil, err
	}
	if err := take(&o.Segments, given.Segments, "segments", o.Position != ""); err != nil {
		return nil, err
	}
	o.Min = o.Players
	if err := take(&o.Min, given.Min, "min", o.Position != ""); err != nil {
		return nil, err
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

// take sets an option to the given value, or returns an error if the option is fixed and has another.
func take(option, given *int, name string, isFixed bool) error {
	switch {
	case given == nil:
	case isFixed && *given != *option:
		return fmt.Errorf("%s is %d, and that of the position %d; leave %s out", name, *given, *option, name)
	default:
		*option = *given
	}
	return nil
}

// New implements engine.Game.
func (Game) New(o engine.Options) engine.Position {
	options := o.(Options)
	if options.Position == "" {
		return New(options)
	}
	p, err := options.parseStart()
	if err != nil {
		panic(err) // ParseOptions has accepted it
	}
	return p
}

// Game implements engine.Options.
func (o Options) Game() engine.Game { return Game{} }

// Seats implements engine.Options.
func (o Options) Seats() (min, max int) { return o.Min, o.Players }

// WithSeats implements engine.Options. A position has a fixed number of seats.
func (o Options) WithSeats(n int) engine.Options {
	if o.Position != "" {
		return o
	}
	o.Players, o.Min = n, n
	return o
}

// RatedTurns implements engine.RatedMinimum: the turns of a seat in layout and clearing, and two more.
func (o Options) RatedTurns() int { return 2*o.Segments - 1 + 2 }

// Short returns the players and the segments for each: "3×7", or "3×7 pos." from a position.
func (o Options) Short() string {
	s := fmt.Sprintf("%d×%d", o.Players, o.Segments)
	if o.Position != "" {
		s += " pos."
	}
	return s
}

// String implements engine.Options.
func (o Options) String() string {
	players := fmt.Sprintf("%d players", o.Players)
	if o.Min < o.Players {
		players = fmt.Sprintf("%d–%d players", o.Min, o.Players)
	}
	segments := fmt.Sprintf("%d segments each", o.Segments)
	if o.Segments == 1 {
		segments = "1 segment each"
	}
	if o.Position != "" {
		segments += ", from a position"
	}
	return players + ", " + segments
}
