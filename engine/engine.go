package engine

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Game is the rules of one kind of game. Implementations are comparable and safe for concurrent use.
type Game interface {
	// Name returns the identifier of the game in every interface and file: short, lower case and never
	// changed.
	Name() string
	// Title returns the name that players see.
	Title() string
	// ParseOptions reads options from a JSON object. Absent fields have their defaults, unknown fields are
	// ignored, and an empty message means all defaults. The error names the invalid value and the allowed
	// range.
	ParseOptions(raw json.RawMessage) (Options, error)
	// New returns the first position of a match with these options, which must come from ParseOptions or
	// WithSeats of the same game.
	New(o Options) Position
}

// Options are the choices made before a match starts. They are comparable values whose JSON form is the
// object that ParseOptions reads, with every field present.
type Options interface {
	// Game returns the game whose options these are.
	Game() Game
	// Seats returns the smallest and the largest number of players with which a match may start.
	Seats() (min, max int)
	// WithSeats returns the options of a match in which exactly n seats are taken.
	WithSeats(n int) Options
	// String returns a short description for players: "11×11, pie".
	String() string
	// Short returns the options in a few characters for lists: the size, and after a space what else there
	// is to say: "11×11 pie".
	Short() string
}

// RatedMinimum is implemented by Options of games that must have a minimum length to be rated.
type RatedMinimum interface {
	// RatedTurns returns the number of turns, at least 1, that a seat must have made for its match to be
	// rated.
	RatedTurns() int
}

// RatedTurns returns the number of turns that a seat must have made for a match with these options to be
// rated. It is 1 unless o implements RatedMinimum.
func RatedTurns(o Options) int {
	if m, ok := o.(RatedMinimum); ok {
		return max(m.RatedTurns(), 1)
	}
	return 1
}

// Position is one state of a match with the part of its history that the rules need. It is immutable: Play
// and Leave return a new position.
type Position interface {
	// Seats returns the number of seats, including seats that have left.
	Seats() int
	// Turn returns the seat to move. After the end it returns the seat that was to move last.
	Turn() int
	// MidTurn reports whether the seat to move has started a turn and not ended it.
	MidTurn() bool
	// Legal returns all legal actions, sorted as text. It returns none after the end.
	Legal() []string
	// Play returns the position after an action of the seat to move. The error of a refused action is an
	// *ActionError, or ErrGameOver.
	Play(action string) (Position, error)
	// Leave returns the position after a seat has left. It fails within a turn. It also fails in a game of
	// two, which ends when a player leaves: the caller decides that result.
	Leave(seat int) (Position, error)
	// HasLeft reports whether a seat has left.
	HasLeft(seat int) bool
	// Result returns the result and true, or false while the match is running.
	Result() (Result, bool)
	// Side returns the side that a seat plays ("b", "w") in games with named sides that seats can
	// exchange, and the empty string in others.
	Side(seat int) string
	// String returns the one-line form of the position, which has everything except its history.
	String() string
}

// Detailer is a Position with further fields for programs.
type Detailer interface {
	// Details returns these fields by their names in the JSON form of the position. The names in
	// MatchFields are taken.
	Details() map[string]any
}

// Eliminator is a Position in which a seat can be out of the match without having left.
type Eliminator interface {
	// Eliminated reports whether a seat has nothing left to play with.
	Eliminated(seat int) bool
}

// Reasons for the end of a match. The rules give ReasonImmobile, ReasonScore, ReasonRepetition and
// ReasonLeft. The lobby gives the others.
const (
	ReasonImmobile   = "immobile"   // the seat to move has no move (the rules say whether it has won)
	ReasonScore      = "score"      // the territory was counted
	ReasonRepetition = "repetition" // a position recurred
	ReasonLeft       = "left"       // all seats but one have left
	ReasonResign     = "resign"
	ReasonTime       = "time"
	ReasonDraw       = "draw" // by agreement
	ReasonAbort      = "abort"
)

// Result is the end of a match.
type Result struct {
	// Winners are the seats that won or share a draw; none after an abort. It is never nil, so that its
	// JSON form is always an array.
	Winners []int `json:"winners"`
	// Reason is one of the constants above.
	Reason string `json:"reason"`
	// Scores has the score of each seat in games with scores.
	Scores []int `json:"scores,omitempty"`
	// Places has the rank of each seat, 0 for the best; equal seats share a rank. It is nil in games that
	// have only winners.
	Places []int `json:"-"`
}

// ActionError is the refusal of an action, with a reason for the player.
type ActionError struct {
	Action string // Excerpt of what was received
	Reason string // a clause, such as "b2 is occupied"
}

func (e *ActionError) Error() string {
	if e.Action == "" {
		return e.Reason
	}
	return fmt.Sprintf("%s: %s", e.Action, e.Reason)
}

// Illegal returns an *ActionError with a formatted reason.
func Illegal(action, format string, args ...any) error {
	return &ActionError{Action: Excerpt(action), Reason: fmt.Sprintf(format, args...)}
}

// Excerpt returns what an error repeats of a text from outside: at most 40 characters, without those that do not print
// by themselves. It ends with … if the text is longer.
func Excerpt(text string) string {
	const limit = 40
	var b strings.Builder
	n := 0
	for _, r := range text {
		switch {
		case r == utf8.RuneError, !unicode.IsPrint(r), unicode.IsMark(r):
			continue
		case n == limit:
			return b.String() + "…"
		}
		b.WriteRune(r)
		n++
	}
	return b.String()
}

// ErrGameOver is the error of every action after the end.
var ErrGameOver = errors.New("the game is over")

// PlayTurn plays all actions of one turn: the last action must end the turn, and no other may. It returns
// the position after the turn, or the first error.
func PlayTurn(p Position, actions []string) (Position, error) {
	if len(actions) == 0 {
		return nil, Illegal("", "a turn needs at least one action")
	}
	for i, a := range actions {
		if i > 0 && !p.MidTurn() {
			return nil, Illegal(a, "the turn ended before this action")
		}
		next, err := p.Play(a)
		if err != nil {
			return nil, err
		}
		p = next
	}
	if p.MidTurn() {
		return nil, Illegal(actions[len(actions)-1], "the turn does not end with this action")
	}
	return p, nil
}
