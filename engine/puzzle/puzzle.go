// Package puzzle defines puzzles: positions with a task whose solution is proven.
//
// A [Theme] is one kind of task in one game: it finds puzzles in the positions of played games, words the
// task, checks answers and verifies a solution. The themes of a game are in the package puzzle below its
// rules. A [Puzzle] is plain data, and its JSON form is that of files and interfaces.
//
// The package opens no files and starts no goroutine.
package puzzle

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"ayumu/engine"
	"ayumu/engine/search"
)

// Goal is the form of an answer.
type Goal string

const (
	GoalLine Goal = "line" // own turns, each followed by the fixed reply
	GoalSet  Goal = "set"  // all actions with the property that the task names, in any order
	GoalSide Goal = "side" // a side: "b" or "w"
)

// Puzzle is a position with a task. It is immutable.
type Puzzle struct {
	ID       string `json:"id"`              // 8 hexadecimal digits that follow from the position and the theme
	Game     string `json:"game"`            // name of the game
	Setup    string `json:"setup,omitempty"` // words of setposition before the position
	Position string `json:"position"`        // one-line form
	Turn     int    `json:"turn"`            // the seat to move, which is that of the solver
	Theme    string `json:"theme"`           // name of the theme
	Goal     Goal   `json:"goal"`
	// Number is a number that the task names: the turns within which to win, or the territory to reach.
	Number int `json:"number,omitempty"`
	// Effort is the number of playouts that the engine needs to find the solution, or an estimate of the
	// theme of as many.
	Effort int `json:"effort"`
	// MeasuredRating is the rating that was measured with the levels of the engine when the puzzle was made (Rate), in
	// points of Glicko-2; 0: it was not measured.
	MeasuredRating int `json:"rating,omitempty"`

	Line []Turn   `json:"line,omitempty"` // of GoalLine: at least one
	Set  []string `json:"set,omitempty"`  // of GoalSet: at least one, sorted
	Side string   `json:"side,omitempty"` // of GoalSide
}

// Turn is a turn of the solver and the reply.
type Turn struct {
	Actions []string `json:"actions"`
	Reply   []string `json:"reply,omitempty"` // actions of the opponent; none after the last turn
}

// Theme is one kind of task in one game. Implementations are safe for concurrent use.
type Theme interface {
	// Name returns the identifier of the theme: lower case and never changed.
	Name() string
	// Title returns the name that players see.
	Title() string
	// Task returns the sentence that asks for the solution of a puzzle of the theme.
	Task(p *Puzzle) string
	// Find returns the puzzle in a position that is not over. It returns false if there is none whose
	// solution is unique or proven, or if ctx ends. engine measures effort.
	Find(ctx context.Context, p engine.Position, e search.Engine) (Puzzle, bool)
	// Verify proves the solution of a puzzle again, from its position. The error says what is wrong.
	Verify(p *Puzzle, start engine.Position) error
	// Length returns the number of actions that the solver of a puzzle has to find or to foresee, at least 1. start is its
	// position.
	Length(p *Puzzle, start engine.Position) int
	// Accepts reports whether actions are a solution of turn n, from 0, of a puzzle with GoalLine. at is the
	// position before that turn. Where it does not, why is a clause for the player, or empty, and refutation is the turn of the
	// opponent that why is about; nil: none.
	Accepts(p *Puzzle, n int, at engine.Position, actions []string) (ok bool, why string, refutation []string)
	// Hints returns hints for turn n, from 0, of a puzzle, as sentences: each says more than the one before it,
	// and none is the whole answer unless that has one action. There may be none.
	Hints(p *Puzzle, n int) []string
	// HintMark returns what the first hints for turn n, as many as number, name on the board: a point, or actions with which
	// the turn can begin; "" and nil: nothing.
	HintMark(p *Puzzle, n, number int) (point string, actions []string)
	// Explain returns sentences that say why the solution of a puzzle is one. start is its position.
	Explain(p *Puzzle, start engine.Position) []string
	// Lines returns lines of actions that show the solution, at least one: each begins in the position of the puzzle and has the
	// turns of both sides. Of a win they go on to its end, as far as the theme can prove it.
	Lines(p *Puzzle, start engine.Position) [][]string
}

// Bounded is a theme that can look for puzzles with small numbers only, without a search for larger ones.
type Bounded interface {
	// AtMost returns the theme, whose Find returns only puzzles with a Number of at most n.
	AtMost(n int) Theme
}

// Themes are the themes of all games, by the names of the games, in the order in which they are shown. They
// must not be changed once they are in use.
type Themes map[string][]Theme

// Of returns the theme of a puzzle, or false if this program does not have it.
func (t Themes) Of(p *Puzzle) (Theme, bool) {
	for _, theme := range t[p.Game] {
		if theme.Name() == p.Theme {
			return theme, true
		}
	}
	return nil, false
}

// New returns a puzzle in a position, with its ID and without a solution. setup are the words of
// setposition before the position.
func New(g engine.Game, setup string, p engine.Position, t Theme, goal Goal) Puzzle {
	line := p.String()
	sum := sha256.Sum256([]byte(strings.Join([]string{g.Name(), setup, line, t.Name()}, "\n")))
	return Puzzle{
		ID: hex.EncodeToString(sum[:4]), Game: g.Name(), Setup: setup, Position: line, Turn: p.Turn(),
		Theme: t.Name(), Goal: goal,
	}
}

// Start returns the position of a puzzle. It fails if the game cannot read positions or refuses this one.
func (p *Puzzle) Start(games engine.Games) (engine.Position, error) {
	g, ok := games.ByName(p.Game)
	if !ok {
		return nil, fmt.Errorf("puzzle %s: there is no game %q", p.ID, p.Game)
	}
	parser, ok := g.(engine.PositionParser)
	if !ok {
		return nil, fmt.Errorf("puzzle %s: %s cannot start from a position", p.ID, g.Title())
	}
	at, err := parser.ParsePosition(append(strings.Fields(p.Setup), strings.Fields(p.Position)...))
	if err != nil {
		return nil, fmt.Errorf("puzzle %s: %w", p.ID, err)
	}
	if at.Turn() != p.Turn {
		return nil, fmt.Errorf("puzzle %s: seat %d is to move, not %d", p.ID, at.Turn(), p.Turn)
	}
	return at, nil
}

// Solution returns the actions of a solution: own turns and replies of a line alternately, a set, or a side.
func (p *Puzzle) Solution() []string {
	switch p.Goal {
	case GoalSide:
		return []string{p.Side}
	case GoalSet:
		return slices.Clone(p.Set)
	}
	var all []string
	for _, t := range p.Line {
		all = append(all, t.Actions...)
		all = append(all, t.Reply...)
	}
	return all
}

// Outcome is what an answer led to.
type Outcome struct {
	Solved bool
	Wrong  bool
	Reply  []string // actions of the opponent after a correct turn that is not the last
	Turns  int      // correct turns of the answer; 0 or 1 unless the goal is GoalLine
	Reason string   // why the answer is wrong, as a clause for the player; may be empty
	// Refuted is the wrong turn of a line; nil if none was wrong.
	Refuted *RefutedTurn
}

// RefutedTurn is a wrong turn of an answer.
type RefutedTurn struct {
	At    engine.Position // in which it was played
	Turn  []string
	Reply []string // the turn of the opponent that shows why it is wrong; nil: none is known
}

// Answer checks an answer, which may be the beginning of a line: the solver's own turns from the first,
// all actions of a set, or a side. The error of an answer that cannot be read or played is an
// *engine.ActionError or engine.ErrGameOver; it is not a try. Another error means that the puzzle is damaged.
func (t Themes) Answer(games engine.Games, p *Puzzle, actions []string) (Outcome, error) {
	theme, ok := t.Of(p)
	if !ok {
		return Outcome{}, fmt.Errorf("puzzle %s: there is no theme %q of %s", p.ID, p.Theme, p.Game)
	}
	at, err := p.Start(games)
	if err != nil {
		return Outcome{}, err
	}
	switch p.Goal {
	case GoalSide:
		return p.answerSide(actions)
	case GoalSet:
		return p.answerSet(at, actions)
	}
	return p.answerLine(theme, at, actions)
}

func (p *Puzzle) answerSide(actions []string) (Outcome, error) {
	if len(actions) != 1 || actions[0] != "b" && actions[0] != "w" {
		return Outcome{}, engine.Illegal(strings.Join(actions, " "), "the answer is b or w")
	}
	if actions[0] != p.Side {
		return Outcome{Wrong: true}, nil
	}
	return Outcome{Solved: true, Turns: 1}, nil
}

func (p *Puzzle) answerSet(at engine.Position, actions []string) (Outcome, error) {
	given := slices.Clone(actions)
	slices.Sort(given)
	given = slices.Compact(given)
	for _, a := range given {
		if _, err := at.Play(a); err != nil {
			return Outcome{}, err
		}
	}
	switch {
	case slices.Equal(given, p.Set):
		return Outcome{Solved: true, Turns: 1}, nil
	case !slices.ContainsFunc(given, func(a string) bool { return !slices.Contains(p.Set, a) }):
		return Outcome{Wrong: true, Reason: fmt.Sprintf("there are more than %d", len(given))}, nil
	}
	i := slices.IndexFunc(given, func(a string) bool { return !slices.Contains(p.Set, a) })
	return Outcome{Wrong: true, Reason: given[i] + " is not one of them"}, nil
}

// answerLine plays the turns of an answer and the replies.
func (p *Puzzle) answerLine(theme Theme, at engine.Position, actions []string) (Outcome, error) {
	var o Outcome
	for n := 0; len(actions) > 0; n++ {
		if n == len(p.Line) {
			return Outcome{}, engine.Illegal(actions[0], "the puzzle is over before this action")
		}
		turn, next, err := firstTurn(at, actions)
		if err != nil {
			return Outcome{}, err
		}
		actions = actions[len(turn):]
		if ok, why, refutation := theme.Accepts(p, n, at, turn); !ok {
			return Outcome{Wrong: true, Turns: n, Reason: why, Refuted: &RefutedTurn{at, turn, refutation}}, nil
		}
		o.Turns, o.Reply = n+1, p.Line[n].Reply
		if n == len(p.Line)-1 {
			o.Solved = true
		} else if at, err = engine.PlayTurn(next, o.Reply); err != nil {
			return Outcome{}, fmt.Errorf("puzzle %s: the reply cannot be played: %v", p.ID, err)
		}
	}
	return o, nil
}

// firstTurn returns the first whole turn of a list of actions and the position after it.
func firstTurn(at engine.Position, actions []string) ([]string, engine.Position, error) {
	next := at
	for i, a := range actions {
		after, err := next.Play(a)
		if err != nil {
			return nil, nil, err
		}
		if next = after; !next.MidTurn() {
			return actions[:i+1], next, nil
		}
	}
	return nil, nil, engine.Illegal(actions[len(actions)-1], "the turn does not end with this action")
}

// InitialRating returns the rating with which a puzzle begins, in points of Glicko-2: 1500 is that of an average
// player. It is MeasuredRating; for a puzzle without it, an estimate from the effort, which grows half as
// fast where the answer is a side, because every second guess is right. What the tries of players make of it is not here:
// package puzzles has that.
func (p *Puzzle) InitialRating() float64 {
	if p.MeasuredRating > 0 {
		return float64(p.MeasuredRating)
	}
	rating, step := 900.0, 90.0
	if p.Goal == GoalSide {
		step /= 2
	}
	for effort := p.Effort; effort > 1; effort /= 2 {
		rating += step
	}
	return min(rating, maxRating)
}
