package engine

import (
	"encoding/json"
	"errors"
	"fmt"
)

// Game is the rules of one kind of game.
type Game interface {
	// Name is the game's name on every interface and in every file: short, lower case, for ever.
	Name() string
	// Title is the game's name for people.
	Title() string
	// ParseOptions reads options as a JSON object; absent fields get their defaults, unknown
	// ones are ignored, and an empty message means all defaults. The error says which value is
	// wrong and what is allowed.
	ParseOptions(raw json.RawMessage) (Options, error)
	// New returns the first position of a game with these options, which must come from
	// ParseOptions or WithSeats of the same game.
	New(o Options) Position
}

// Options are the choices made before a game begins. They are comparable values whose JSON form
// is the object that ParseOptions reads, with every field present.
type Options interface {
	// Seats returns with how few and with how many players such a game may start.
	Seats() (min, max int)
	// WithSeats returns the options of a game in which exactly n seats are taken.
	WithSeats(n int) Options
	// String describes the options for people in a few words: "11×11, pie".
	String() string
}

// RatedMinimum is implemented by Options of games that must have a minimum length to be rated.
type RatedMinimum interface {
	// RatedTurns returns how many turns, 1 or more, a seat must have made for its game to be rated.
	RatedTurns() int
}

// RatedTurns returns how many turns a seat must have made for a game with these options to be
// rated: 1 unless the game says otherwise.
func RatedTurns(o Options) int {
	if m, ok := o.(RatedMinimum); ok {
		return max(m.RatedTurns(), 1)
	}
	return 1
}

// Position is one state of a game, with all of its history that the rules look at. It is
// immutable: Play and Leave return a new position and leave the old one true.
type Position interface {
	// Seats returns the number of seats, leavers included.
	Seats() int
	// Turn returns the seat whose turn it is; once the game is over, the one whose turn it was
	// when it ended.
	Turn() int
	// MidTurn reports whether the seat to move has begun a turn that it has not ended.
	MidTurn() bool
	// Legal returns all legal actions, sorted as text; none once the game is over.
	Legal() []string
	// Play takes one action of the seat to move. A refused action is an *ActionError.
	Play(action string) (Position, error)
	// Leave takes a seat out of the game, between turns. A game of two has no leaving, since it
	// ends there: what ends it is its keeper's to say.
	Leave(seat int) (Position, error)
	// HasLeft reports whether a seat has left.
	HasLeft(seat int) bool
	// Result returns how the game ended; false while it goes on.
	Result() (Result, bool)
	// Side names the side that a seat plays where the game has named sides that seats can
	// exchange ("b", "w"); otherwise it is empty.
	Side(seat int) string
	// String is the position's one-line form, complete but for its history.
	String() string
}

// Detailer is a Position that tells programs more than its line holds.
type Detailer interface {
	// Details returns further fields of the position's JSON form, by name.
	Details() map[string]any
}

// Eliminator is a Position in which a seat can be out of the game without having left.
type Eliminator interface {
	// Eliminated reports whether a seat has nothing left to play with.
	Eliminated(seat int) bool
}

// The reasons for which a game can end. The engine gives Immobile, Score, Repetition and Left;
// the others are its keeper's.
const (
	ReasonImmobile   = "immobile"   // the seat to move has no move (and, in Ayu, has won)
	ReasonScore      = "score"      // counted
	ReasonRepetition = "repetition" // a position recurred
	ReasonLeft       = "left"       // all but one have left
	ReasonResign     = "resign"
	ReasonTime       = "time"
	ReasonDraw       = "draw" // agreed
	ReasonAbort      = "abort"
)

// Result is how a game ended.
type Result struct {
	// Winners are the seats that won, or share a draw; none after an abort. Never nil, so that
	// its JSON form is always an array.
	Winners []int `json:"winners"`
	// Reason is one of the constants above.
	Reason string `json:"reason"`
	// Scores has a number for each seat in games that are counted.
	Scores []int `json:"scores,omitempty"`
	// Places are the final places of all seats, 0 the best, equal ones shared; nil where
	// winning is all there is.
	Places []int `json:"-"`
}

// ActionError says why an action was refused, in a sentence that a player can read.
type ActionError struct {
	Action string // as it was given
	Reason string // "that point is not next to the moved group"
}

func (e *ActionError) Error() string { return fmt.Sprintf("%s: %s", e.Action, e.Reason) }

// Illegal returns an *ActionError.
func Illegal(action, format string, args ...any) error {
	return &ActionError{Action: action, Reason: fmt.Sprintf(format, args...)}
}

// ErrGameOver is the reason for which every action is refused once a game is over.
var ErrGameOver = errors.New("the game is over")

// PlayTurn takes a whole turn: every action but the last must leave the turn unfinished, and the
// last must end it. It returns the position after it, or the first error.
func PlayTurn(p Position, actions []string) (Position, error) {
	if len(actions) == 0 {
		return nil, Illegal("", "a turn has at least one action")
	}
	for i, a := range actions {
		if i > 0 && !p.MidTurn() {
			return nil, Illegal(a, "the turn was over before this action")
		}
		next, err := p.Play(a)
		if err != nil {
			return nil, err
		}
		p = next
	}
	if p.MidTurn() {
		return nil, Illegal(actions[len(actions)-1], "this does not end the turn")
	}
	return p, nil
}
