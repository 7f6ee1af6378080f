// Package game is what the boards of all games have in common as seen from the screens: a [Game]
// makes a [Board] for each session, which shows positions, and turns keys, clicks and typed text
// into turns. The screens know no game: they are handed a [List] of them.
//
// The package imports the engine's common package, theme and paint.
package game

import (
	"encoding/json"

	"ayumu/engine"
	"ayumu/tui/paint"
	"ayumu/tui/theme"
)

// Game is how one kind of game appears on screens. Its methods may be called from any goroutine.
type Game interface {
	// Name is the engine's name of the game.
	Name() string
	// Engine returns the rules of the game.
	Engine() engine.Game
	// New returns a board for one session.
	New() Board
	// Choices are what a new table asks for, with the usual answers first chosen.
	Choices() []Choice
	// Options makes the engine's options of the answers, one for each of Choices.
	Options(answers []int) json.RawMessage
	// Rules teach the game in short paragraphs.
	Rules() []string
	// Keys tell what the board's own keys do, for the help.
	Keys() []Key
	// SeatMark is the sign of a seat's side, one narrow character.
	SeatMark(p engine.Position, seat int, look Style) (string, paint.Style)
	// Side names a seat's side: "Black".
	Side(p engine.Position, seat int) string
	// ShortTurn is a turn for a list of moves.
	ShortTurn(actions []string) string
	// DescribeEnding says why a game ended for a reason of its rules, as a clause: "all black stones are
	// one unit".
	DescribeEnding(p engine.Position, r engine.Result) string
	// DescribePosition draws a position with words and characters for people who listen to them.
	DescribePosition(p engine.Position) []string
	// DescribeTurn describes a turn in words, without a full stop: "ana moves a1 to b1". after is the
	// position after the turn. The player is a name, You, or "" for an instruction ("move a1 to b1").
	DescribeTurn(after engine.Position, actions []string, player string) string
	// ParseTurn turns what somebody typed into a whole turn.
	ParseTurn(p engine.Position, typed string) ([]string, error)
}

// Choice is one question of a new table.
type Choice struct {
	Label      string
	Answers    []string
	Default    int // among people
	BotDefault int // against a bot, which may be somebody's first game
}

// Key is a key and what it does in a word or two.
type Key struct{ Key, Help string }

// Style is how a board is drawn. It is comparable.
type Style struct {
	Theme *theme.Theme
	ASCII bool
}

// State is what a board shows.
type State struct {
	Position engine.Position
	LastTurn []string // the actions of the turn that led here; nil at the start
	// Previous is the position in which Last was played; nil where it is not known.
	Previous engine.Position
	// Draft is the turn of several actions that the seat has begun, on Position; the board shows
	// what it leads to. It is the same for all sessions of the seat's account.
	Draft []string
	// Hint is a turn on Position, or what is left of it after Draft, that is marked on the board; nil:
	// none is.
	Hint   []string
	Seat   int  // who looks; -1 for a watcher
	CanAct bool // the seat may act now
	Static bool // a picture that takes no keys: no cursor is drawn
}

// InputResult is what became of an input.
type InputResult struct {
	Handled bool     // it meant something to the board
	Turn    []string // a whole turn that is to be submitted
	// Draft is the draft as the input made it, maybe empty; nil if it did not change it.
	Draft   []string
	Message string // what to tell about it; why a wish is illegal, if Bad
	Refused bool
}

// Board is one session's view of a game: what it shows, its cursor, and what was chosen. Only one
// goroutine may use it at a time.
type Board interface {
	// Show changes what is shown. The cursor stays; what was chosen stays if nothing changed.
	Show(State)
	// Fit returns the size in which the board would be drawn in that room; false if there is not
	// enough.
	Fit(w, h int) (bw, bh int, ok bool)
	// Draw draws the board at the canvas's top left corner, in the size that Fit returns for the
	// canvas's size. Later clicks are understood in the coordinates of that canvas.
	Draw(c paint.Canvas, look Style)
	// Key takes a key by its name as Bubble Tea gives it: "up", "enter", "b".
	Key(key string) InputResult
	// Click takes a click on the last drawn canvas.
	Click(x, y int) InputResult
	// Typed returns the part of a turn that has been typed so far.
	Typed() string
	// DescribeCursor says what is under the cursor, and why it can or cannot do what one might wish.
	DescribeCursor() string
	// Prompt says what the seat that looks can do now; empty if it cannot act.
	Prompt() string
	// StatusKeys are the board's keys that matter most just now, for the bottom line.
	StatusKeys() []Key
}

// Replayer is a Board that can show step by step how a turn came about. The pace is its owner's:
// the board knows no time.
type Replayer interface {
	Board
	// Replay goes back to where the last turn began, or the last action of a draft. It does
	// nothing if that is not known, or if there is only one step to show.
	Replay()
	// IsReplaying reports whether something else is shown than the state of Show. The board's own
	// keys and clicks begin and end it too.
	IsReplaying() bool
	// Advance shows the next step; after the last one Replaying is false.
	Advance()
}

// Typer is a Board on which a letter that did something else may turn out to begin a typed turn.
type Typer interface {
	// LetterPressed tells that the letter has just been pressed, and how what it did is taken back if what
	// follows shows that it was meant to be typed.
	LetterPressed(letter string, undo func())
}

// Explainer is a Board that can say at length what is under the cursor.
type Explainer interface {
	// Explain says in short paragraphs what is under the cursor, and why what one might wish
	// there is not allowed.
	Explain() []string
}
