// Package game defines the interface between the screens and the boards of the games. A [Game] makes a
// [Board] for each session, which shows positions, and turns keys, clicks and typed text into turns. The
// screens name no game: they receive a [List].
package game

import (
	"encoding/json"

	"ayumu/engine"
	"ayumu/lobby/learn"
	"ayumu/tui/paint"
	"ayumu/tui/picture"
	"ayumu/tui/theme"
)

// Game describes one kind of game to the screens. Its methods may be called from any goroutine.
type Game interface {
	// Name returns the engine's name of the game.
	Name() string
	// Engine returns the rules of the game.
	Engine() engine.Game
	// New returns a board for one session.
	New() Board
	// Choices returns the questions of the form for a new table, with their default answers.
	Choices() []Choice
	// Options returns the engine's options for the answers: indices, one for each of Choices.
	Options(answers []int) json.RawMessage
	// Rules returns the rules as short paragraphs. A sentence that names a key begins with "Press".
	Rules() []string
	// Goal returns what the players try to reach, as a short instruction: "join all of your stones into
	// one unit".
	Goal() string
	// Keys returns the board's own keys with their help.
	Keys() []Key
	// SeatMark returns the sign of a seat's side, one narrow character, and its style.
	SeatMark(p engine.Position, seat int, style Style) (string, paint.Style)
	// Side returns the name of a seat's side: "Black".
	Side(p engine.Position, seat int) string
	// Score returns how far a seat is from the goal, in two or three words: "7 units"; "" if the board
	// itself shows it. From turn to turn only a number should change in it.
	Score(p engine.Position, seat int) string
	// ShortTurn returns a turn in the short notation of a list of moves.
	ShortTurn(actions []string) string
	// DescribeEnding returns why a game ended for a reason of its rules, as a clause: "all of Black's
	// stones are one unit". It does not name the scores.
	DescribeEnding(p engine.Position, r engine.Result) string
	// TextBoard returns a board as lines of characters, one a row of the board.
	TextBoard(p engine.Position, isASCII bool) []string
	// DescribePosition returns a position as lines of words and characters, for screen readers: first in words, then
	// drawn.
	DescribePosition(p engine.Position) []string
	// DescribeTurn describes a turn in words, without a full stop: "ana moves a1 to b1". after is the
	// position after the turn. The player is a name, You, or "" for an instruction ("move a1 to b1").
	DescribeTurn(after engine.Position, actions []string, player string) string
	// ParseTurn parses a typed turn and returns its actions. It does not check that they are legal. Its
	// error is a clause for the player.
	ParseTurn(p engine.Position, typed string) ([]string, error)
}

// PointDescriber is a Game that describes one point of its board in words.
type PointDescriber interface {
	// DescribePoint returns what is on the point that was typed, as a clause: "d5: empty". ok is false if the text
	// names no point.
	DescribePoint(p engine.Position, typed string) (text string, ok bool)
}

// Choice is one question of the form for a new table. The defaults are indices of Answers.
type Choice struct {
	Label      string
	Answers    []string
	Default    int    // for a game between people
	BotDefault int    // for a game against a bot, which may be a person's first game
	Option     string // the name of the option that it sets, in JSON; "": a quick match does not offer it
	Help       string // one line
	// NeverRated reports that all answers but the first make games that are never rated, so that a quick match does
	// not offer it.
	NeverRated bool
	// ForMany reports that it means something only to three or more people: with how few of them the game may start.
	ForMany bool
}

// Key is a key and its help, in the status bar a word or two.
type Key struct{ Key, Help string }

// Style is how a board is drawn. It is comparable.
type Style struct {
	Theme   *theme.Theme
	ASCII   bool // only ASCII, as paint.Profile.ASCII
	Console bool // few symbols, as paint.Profile.Console
}

// HasSymbols reports whether geometric shapes, arrows and parts of blocks can be drawn.
func (s Style) HasSymbols() bool { return !s.ASCII && !s.Console }

// State is the input of a board: what it shows, and for whom. It must not change after Show.
type State struct {
	Position engine.Position
	LastTurn []string // the actions of the turn that led here; nil at the start
	// Previous is the position in which LastTurn was played; nil if it is not known.
	Previous engine.Position
	// Draft has the actions of an unfinished turn, on Position; the board shows the position after
	// them. All sessions of the seat's account share it.
	Draft []string
	// Hint is a turn to mark on the board, on Position, without the actions that Draft already has;
	// nil for none.
	Hint []string
	// HintPoint is a point to mark, such as that of a stone to move or of a cell where a turn begins; "": none. It is not used
	// beside Hint.
	HintPoint string
	// Marked are turns of one action each that the user has chosen, on Position; the board numbers them from 1. nil: none.
	Marked []string
	// ShowsScore reports that the board shows what the score counts, such as territories, until the next Show without it. The
	// key of the board can hide it.
	ShowsScore bool
	// HidesMarks reports that the board leaves out the numbers of its points, also where its key shows them, and marks of pieces that
	// cannot move.
	HidesMarks bool
	Seat       int  // the session's seat; -1 for a spectator
	IsShared   bool // all seats play at this board, and Seat is the one to move
	CanAct     bool // the seat may act now
	CanPlan    bool // the seat is not to move, and may enter its next turn in advance where the board takes one
	IsPlanned  bool // Hint is the turn that the seat has entered in advance
	// IsWatching reports that the user makes no turn here. There is no cursor until they ask for it with ↑, ↓ or a click; Esc hides
	// it again.
	IsWatching bool
	Static     bool // the board takes no input, so no cursor is drawn
}

// InputResult is the outcome of a key or click.
type InputResult struct {
	Handled bool     // the board used the input
	Turn    []string // a complete turn to submit; nil for none
	// Draft is the new draft, possibly empty; nil if the input did not change it.
	Draft   []string
	Message string // a clause for the player, or ""
	Refused bool   // the input was refused; Message has the reason
}

// Board is one session's view of a game: its state, cursor and selection. Only one goroutine may use it
// at a time.
type Board interface {
	// Show replaces the state. The cursor stays; the selection stays if the position, the seat and
	// whether it can act are the same.
	Show(State)
	// Fit returns the size in which the board would be drawn in w columns and h rows; ok is false if
	// it does not fit.
	Fit(w, h int) (bw, bh int, ok bool)
	// Draw draws the board at the canvas's top left corner, in the size that Fit returns for the
	// canvas's size. Clicks are in the coordinates of the last drawn canvas.
	Draw(c paint.Canvas, style Style)
	// Key handles a key, named as by Bubble Tea: "up", "enter", "b".
	Key(key string) InputResult
	// Click handles a click on the last drawn canvas.
	Click(x, y int) InputResult
	// Typed returns the part of a turn that has been typed so far, or "". While it is not empty, a key of one
	// character is either a part of the turn or unused: it never runs a command, of the board or the screen.
	Typed() string
	// DescribeCursor returns one line about the point under the cursor: what is there, what Enter
	// would do, or why that is not allowed.
	DescribeCursor() string
	// Prompt returns a sentence about what the seat can do now; "" if it cannot act.
	Prompt() string
	// StatusKeys returns the board's most useful keys in the current state, for the status bar.
	StatusKeys() []Key
	// Legend returns what the signs on the board mean that it shows or can show in its state, in the size
	// of the last Draw, the most useful first. The result must not be changed.
	Legend(style Style) []LegendEntry
}

// LegendEntry explains one sign of a board.
type LegendEntry struct {
	// Sample is the sign as the board draws it, at most MaxSampleColumns wide and MaxSampleRows high.
	Sample *paint.Frame
	Text   string // a few words without a full stop: "last move"
}

// The maximum size of the sample of a legend.
const (
	MaxSampleColumns = 8
	MaxSampleRows    = 2
)

// Counter is a Game whose Score is empty, because the board itself shows what decides: for where there is no board.
type Counter interface {
	// Counts returns in a few words how far a seat is: "41 cells, 6 men"; "" while nothing can be counted.
	Counts(p engine.Position, seat int) string
	// Counted returns the score of a seat in a result in the same words: "41 cells".
	Counted(score int) string
}

// PhaseDescriber is a Game whose turns are of several kinds.
type PhaseDescriber interface {
	Game
	// DescribePhase returns what the seat to move does in a position of a match that goes on, as a clause: "lay a
	// segment (2 left)".
	DescribePhase(p engine.Position) string
}

// PremoveChecker is a Game some of whose typed turns cannot be played whatever the opponent does first.
type PremoveChecker interface {
	// CheckPremove returns why a turn that was typed while the opponent is to move in p can never be played, as a clause that says
	// what to do; nil if that depends on the opponent.
	CheckPremove(p engine.Position, typed string) error
}

// Teacher is a Game with lessons for people who do not know it.
type Teacher interface {
	Game
	// Lessons returns the lessons in their order. The list is made once and shared; it must not be changed. A sentence
	// that names a key begins with "Press".
	Lessons() []learn.Lesson
}

// Coach is a Game with advice for people who play it for the first time. The advice follows from the rules, without a
// search.
type Coach interface {
	Game
	// Advise returns a sentence or two for a seat: how far the seats are from the goal, and what the position is about. isUrgent
	// reports that the seat loses at once unless its turn prevents that.
	Advise(p engine.Position, seat int) (text string, isUrgent bool)
	// Warn returns why a complete turn of the seat to move is probably a mistake, as sentences; "" if there is no reason. isUrgent
	// reports that it loses at once.
	Warn(p engine.Position, turn []string) (text string, isUrgent bool)
	// Comment returns what a turn of the seat to move that was played has lost, and what a better turn does, as sentences that say
	// of which turn they speak, in the words of the lessons; "" if the rules show nothing of that kind. Both are legal.
	Comment(p engine.Position, played, better []string) string
}

// Framer is a Board whose drawing sessions share.
type Framer interface {
	Board
	// Frame returns a frame of w columns and h rows with what Draw draws on a canvas of that size. Boards of
	// one Game that show the same return the same frame. It returns nil for what hardly any other board shows,
	// which the caller draws.
	Frame(w, h int, style Style) *paint.Frame
}

// Scroller is a Board that shows a part of itself where the whole does not fit.
type Scroller interface {
	Board
	// IsWhole reports whether Draw shows the whole board in w columns and h rows.
	IsWhole(w, h int) bool
}

// Walker is a Board that can show the piece of the last turn on its way, in at most MaxWalkSteps steps. Its caller sets the
// pace with Advance.
type Walker interface {
	Board
	// Walk shows the first step on the way. It does nothing if the way is not known or has no steps between its ends.
	Walk()
	// IsReplaying reports whether a step is shown and not the state of Show.
	IsReplaying() bool
	// Advance shows the next step; after the last one IsReplaying is false.
	Advance()
}

// MaxWalkSteps is the maximum number of steps that Walker.Walk shows.
const MaxWalkSteps = 4

// Replayer is a Board that can show a turn step by step. Its caller sets the pace with Advance.
type Replayer interface {
	Walker
	// Replay shows the first step of the last turn, or of the last action of a draft. It does nothing
	// if the position before is not known, or if there is only one step. Keys and clicks can also start and stop a
	// replay.
	Replay()
}

// LetterTaker is a Board on which letters begin typed turns. Screens give such a letter to the board alone, and run the
// command of that key by its upper case.
type LetterTaker interface {
	Board
	// TakesLetter reports whether a lower-case letter begins a typed turn now.
	TakesLetter(letter string) bool
}

// Commander is a Board with commands besides its keys, which screens offer in the palette.
type Commander interface {
	Board
	// Commands returns those that work now.
	Commands() []Command
}

// Command is a command of a board.
type Command struct {
	Name string // one word
	Help string // what it does, in words that follow "to"
	Do   func() // runs it; the caller draws the board again
	// Replays reports that it starts a replay, as Replayer.Replay does.
	Replays bool
}

// Illustrator is a Game with an example of its rules.
type Illustrator interface {
	// Example returns a position and paragraphs about it: the goal and what is seen there. A help page draws
	// the position in about 11 rows or fewer, without a cursor.
	Example() (s State, paragraphs []string)
}

// Picturer is a Game that draws its positions as pictures outside of a terminal. Without it a picture shows the board as a
// terminal does.
type Picturer interface {
	Game
	// Picture returns the position of a state with its last turn. The colours fit on a dark background or on a light one.
	Picture(s State, light bool) *picture.Drawing
	// PictureSteps returns what leads from s.Previous to the position, without the position itself; nil for a turn of one
	// step.
	PictureSteps(s State, light bool) []*picture.Drawing
	// MarkPicture returns the sign of a seat's side, 1 unit wide.
	MarkPicture(p engine.Position, seat int) *picture.Sprite
}

// Explainer is a Board with a long description of the point under the cursor.
type Explainer interface {
	// Explain returns short paragraphs about what is under the cursor, and why what one might try
	// there is not allowed.
	Explain() []string
}
