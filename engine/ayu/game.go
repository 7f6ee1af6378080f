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
	Size     int    `json:"size"`               // columns and rows
	Pie      bool   `json:"pie"`                // whether White may swap on their first turn
	Handicap int    `json:"handicap,omitempty"` // extra moves of Black, right after Black's first one
	Position string `json:"position,omitempty"` // the one-line form of the first board; empty: the usual one
}

// Game returns the rules of Ayu.
func (o Options) Game() engine.Game { return Game{} }

// Seats returns 2 and 2.
func (o Options) Seats() (min, max int) { return 2, 2 }

// WithSeats returns o, since a match always has two seats.
func (o Options) WithSeats(int) engine.Options { return o }

// String returns "11×11, pie", "11×11, handicap 2", "11×11, from a position" or "11×11".
func (o Options) String() string {
	s := fmt.Sprintf("%d×%d", o.Size, o.Size)
	switch {
	case o.Pie:
		s += ", pie"
	case o.Handicap > 0:
		s += fmt.Sprintf(", handicap %d", o.Handicap)
	case o.Position != "":
		s += ", from a position"
	}
	return s
}

// Short returns "11×11 pie", "11×11 +2" (a handicap of 2), "11×11 pos." or "11×11".
func (o Options) Short() string {
	s := fmt.Sprintf("%d×%d", o.Size, o.Size)
	switch {
	case o.Pie:
		s += " pie"
	case o.Handicap > 0:
		s += fmt.Sprintf(" +%d", o.Handicap)
	case o.Position != "":
		s += " pos."
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

// ParseOptions implements engine.Game. The defaults are 11×11 with the pie rule, and without it if there is a
// handicap or a position. A position has its own size.
func (Game) ParseOptions(raw json.RawMessage) (engine.Options, error) {
	var given struct {
		Size     *int   `json:"size"`
		Pie      *bool  `json:"pie"`
		Handicap int    `json:"handicap"`
		Position string `json:"position"`
	}
	if len(raw) > 0 {
		if err := json.Unmarshal(raw, &given); err != nil {
			return nil, jsonError(err)
		}
	}
	o := Options{Size: 11, Handicap: given.Handicap, Position: given.Position}
	if given.Size != nil {
		o.Size = *given.Size
	}
	if o.Position != "" {
		b, err := parseStart(o.Position)
		switch {
		case err != nil:
			return nil, err
		case given.Size != nil && o.Size != b.Size():
			return nil, fmt.Errorf("size is %d, and that of the position %d; leave size out", o.Size, b.Size())
		}
		o.Size = b.Size()
	}
	o.Pie = o.Handicap == 0 && o.Position == ""
	switch {
	case !ValidSize(o.Size):
		return nil, sizeError(strconv.Itoa(o.Size))
	case o.Handicap < 0 || o.Handicap > MaxHandicap(o.Size):
		return nil, fmt.Errorf("handicap is %d, must be 0 to %d on this board", o.Handicap, MaxHandicap(o.Size))
	case o.Handicap > 0 && o.Position != "":
		return nil, errors.New("a game from a position has no handicap; leave one of them out")
	case given.Pie == nil:
	case *given.Pie && o.Handicap > 0:
		return nil, errors.New("a game with a handicap has no pie rule; set pie to false")
	case *given.Pie && o.Position != "":
		return nil, errors.New("a game from a position has no pie rule; set pie to false")
	default:
		o.Pie = *given.Pie
	}
	return o, nil
}

// jsonError returns the error for players of options that json cannot read.
func jsonError(err error) error {
	var wrong *json.UnmarshalTypeError
	switch {
	case !errors.As(err, &wrong):
		return fmt.Errorf("the options are not valid JSON: %w", err)
	case wrong.Field == "":
		return fmt.Errorf("the options must be a JSON object, not %s", wrong.Value)
	case wrong.Field == "pie":
		return fmt.Errorf("pie must be true or false, not %s", wrong.Value)
	case wrong.Field == "handicap":
		return fmt.Errorf("handicap must be a whole number, not %s", wrong.Value)
	case wrong.Field == "position":
		return fmt.Errorf("position must be a string, not %s", wrong.Value)
	}
	return sizeError(wrong.Value)
}

func sizeError(got string) error {
	return fmt.Errorf("size must be an odd number from %d to %d, not %s", MinSize, MaxSize, got)
}

// New returns the first position, in which seat 0 has Black.
func (Game) New(o engine.Options) engine.Position {
	options := o.(Options)
	p := &Position{board: NewBoard(options.Size), options: options, extra: options.Handicap}
	if options.Position != "" {
		var err error
		if p.board, err = ParseBoard(options.Position); err != nil {
			panic(err) // ParseOptions has accepted it
		}
	}
	return p
}
