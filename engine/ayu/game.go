package ayu

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"ayumu/engine"
)

// Sizes are the sizes offered to players. ParseOptions accepts 3 too.
var Sizes = [...]int{5, 7, 9, 11, 13, 15}

// Options are the options of a match. ParseOptions returns valid ones.
type Options struct {
	Size int  `json:"size"` // columns and rows
	Pie  bool `json:"pie"`  // whether White may swap on their first turn
}

// Game returns the rules of Ayu.
func (o Options) Game() engine.Game { return Game{} }

// Seats returns 2 and 2.
func (o Options) Seats() (min, max int) { return 2, 2 }

// WithSeats returns o, since a match always has two seats.
func (o Options) WithSeats(int) engine.Options { return o }

// String returns "11×11, pie" or "11×11".
func (o Options) String() string {
	s := fmt.Sprintf("%d×%d", o.Size, o.Size)
	if o.Pie {
		s += ", pie"
	}
	return s
}

// Short returns "11×11 pie" or "11×11".
func (o Options) Short() string {
	s := fmt.Sprintf("%d×%d", o.Size, o.Size)
	if o.Pie {
		s += " pie"
	}
	return s
}

// RatedTurns returns half of the size, rounded down: 2 on 5×5, 5 on 11×11, 7 on 15×15. From 5×5 on, no
// game can end by the rules that early.
func (o Options) RatedTurns() int { return o.Size / 2 }

// Game implements engine.Game.
type Game struct{}

// Name returns "ayu".
func (Game) Name() string { return "ayu" }

// Title returns "Ayu".
func (Game) Title() string { return "Ayu" }

// ParseOptions implements engine.Game. The defaults are 11×11 with the pie rule.
func (Game) ParseOptions(raw json.RawMessage) (engine.Options, error) {
	o := Options{Size: 11, Pie: true}
	if len(raw) > 0 {
		if err := json.Unmarshal(raw, &o); err != nil {
			var wrong *json.UnmarshalTypeError
			switch {
			case !errors.As(err, &wrong):
				return nil, fmt.Errorf("the options are not valid JSON: %w", err)
			case wrong.Field == "":
				return nil, fmt.Errorf("the options must be a JSON object, not %s", wrong.Value)
			case wrong.Field == "pie":
				return nil, fmt.Errorf("pie must be true or false, not %s", wrong.Value)
			}
			return nil, sizeError(wrong.Value)
		}
	}
	if !ValidSize(o.Size) {
		return nil, sizeError(strconv.Itoa(o.Size))
	}
	return o, nil
}

func sizeError(got string) error {
	return fmt.Errorf("size must be an odd number from %d to %d, not %s", MinSize, MaxSize, got)
}

// New returns the first position, in which seat 0 has Black.
func (Game) New(o engine.Options) engine.Position {
	options := o.(Options)
	return &Position{board: NewBoard(options.Size), options: options}
}
