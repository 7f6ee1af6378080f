package engine

import (
	"encoding/json"
	"fmt"
)

// A game or its positions may implement the interfaces below for `ayumu engine` and `ayumu match`.
// A tool does without what they leave out.

// ArgumentParser is a Game whose options can be given as words.
type ArgumentParser interface {
	Game
	// ParseArguments returns the options of the words that follow the game's name in newgame.
	ParseArguments(args []string) (Options, error)
}

// ArgumentFormatter is Options that can be written as words.
type ArgumentFormatter interface {
	Options
	// Arguments returns the words of which ParseArguments returns these options, for a match in which
	// all seats are taken.
	Arguments() []string
}

// PositionParser is a Game that can continue from a position without its history.
type PositionParser interface {
	Game
	// ParsePosition returns the position of the words that follow setposition. It refuses those of
	// other games.
	ParsePosition(args []string) (Position, error)
}

// PerftCounter is a Position that counts action sequences faster than by playing them, or without some
// of the actions of Legal.
type PerftCounter interface {
	// Perft returns the number of action sequences of a length, from 0.
	Perft(depth int) uint64
}

// Perft returns the number of sequences of depth actions from a position: those that a PerftCounter
// counts, otherwise all legal ones.
func Perft(p Position, depth int) uint64 {
	if c, ok := p.(PerftCounter); ok {
		return c.Perft(depth)
	}
	if depth == 0 {
		return 1
	}
	n := uint64(0)
	for _, action := range p.Legal() {
		next, err := p.Play(action)
		if err != nil {
			panic("a legal action is refused: " + err.Error())
		}
		n += Perft(next, depth-1)
	}
	return n
}

// Digester is a Position that has a digest for programs to compare.
type Digester interface {
	// Digest returns the digest.
	Digest() string
}

// Drawer is a Position that can be drawn in characters.
type Drawer interface {
	// Diagram returns lines, none of them empty, without an end after the last.
	Diagram() string
	// Mark returns the character that stands for a seat in the diagram.
	Mark(seat int) string
}

// Evaluator is a Position that counts what a seat has.
type Evaluator interface {
	// Evaluate returns a number that is larger the better the seat stands while the match is running.
	Evaluate(seat int) int
}

// GainCounter is a Position of a game in which beginners try to get more of one thing.
type GainCounter interface {
	// Gain returns how much a seat has of it; more is better.
	Gain(seat int) int
}

// QuietCounter is a Position of a game that can go on without progress.
type QuietCounter interface {
	// QuietTurns returns the number of turns since one gained or lost something.
	QuietTurns() int
}

// MatchConfigurer is a Game with defaults for `ayumu match`. A match of another game has the default
// options, no random opening and no limit of turns.
type MatchConfigurer interface {
	Game
	// MatchDefaults returns the defaults.
	MatchDefaults() MatchDefaults
}

// MatchDefaults describe a match of engines unless the flags of `ayumu match` say otherwise.
type MatchDefaults struct {
	Flags   []OptionFlag
	Opening int // random turns before each game
	Rounds  int // turns of each seat after which a game is scored; 0: no limit
}

// OptionFlag is a field of the options that is a flag of `ayumu match`.
type OptionFlag struct {
	Name    string // of the flag, and of the field in the JSON form of the options
	Help    string // the meaning in a few words, without a full stop
	Default string // JSON: a number, true or false
}

// NewMatchDefaults returns the defaults of a game for `ayumu match`.
func NewMatchDefaults(g Game) MatchDefaults {
	if c, ok := g.(MatchConfigurer); ok {
		return c.MatchDefaults()
	}
	return MatchDefaults{}
}

// MatchOptions returns the options of a game in `ayumu match`, with all seats taken. given has the values of
// flags by name, as JSON; flags without one have their defaults, and values of other games' flags are
// ignored. The error is that of ParseOptions.
func MatchOptions(g Game, given map[string]string) (Options, error) {
	fields := make(map[string]json.RawMessage)
	for _, f := range NewMatchDefaults(g).Flags {
		value, ok := given[f.Name]
		if !ok {
			value = f.Default
		}
		fields[f.Name] = json.RawMessage(value)
	}
	raw, err := json.Marshal(fields)
	if err != nil {
		return nil, fmt.Errorf("the flags are no options: %w", err)
	}
	o, err := g.ParseOptions(raw)
	if err != nil {
		return nil, err
	}
	_, seats := o.Seats()
	return o.WithSeats(seats), nil
}

// LengthEstimator is a Position of a game whose remaining length is known roughly.
type LengthEstimator interface {
	Position
	// RemainingTurns returns the expected number of turns of all seats together until the result can be computed, at
	// least 1.
	RemainingTurns() int
}

// CodeCupPlayer is a Game for two that was played at the CodeCup, a yearly contest of programs.
type CodeCupPlayer interface {
	Game
	// CodeCupOptions returns the options with which it was played there.
	CodeCupOptions() Options
}
