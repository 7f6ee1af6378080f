// Package puzzle is the screen that shows a puzzle on a board and checks the user's answer.
package puzzle

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/engine/puzzle"
	"ayumu/tui/client"
	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/screen"
	"ayumu/tui/screen/dest"
	"ayumu/tui/screen/taskboard"
	"ayumu/tui/widget"
	"ayumu/tui/words"
)

// Open shows the puzzle of the day.
func Open(sh *screen.Shell, _ dest.Puzzle) tea.Cmd {
	p, err := sh.Config.Puzzles.OfDay(time.Now())
	if err != nil {
		sh.NotifyFailure(err)
		return nil
	}
	v := &puzzleScreen{Base: screen.Base{Shell: sh}, isOfDay: true}
	if !v.begin(p) {
		return nil
	}
	return sh.Push(v)
}

// puzzleScreen shows one puzzle.
type puzzleScreen struct {
	screen.Base
	*client.PuzzleAttempt
	game    game.Game
	board   game.Board
	area    taskboard.Area // where the board was drawn, for clicks
	isOfDay bool
}

// begin shows a puzzle from its beginning. It returns false if the game has no board.
func (v *puzzleScreen) begin(p *puzzle.Puzzle) bool {
	g, ok := v.Shell.Config.Games.ByName(p.Game)
	if !ok {
		return false
	}
	v.PuzzleAttempt, v.game, v.board = client.NewPuzzleAttempt(v.Shell.Config.Puzzles, p), g, g.New()
	v.board.Show(v.State())
	return true
}

var bindings = screen.Bindings[*puzzleScreen]{
	{Key: screen.Keys("b", "b", "answer: Black"), When: asksForSide, Label: "Black", Do: func(v *puzzleScreen) tea.Cmd { return v.answer([]string{"b"}) }},
	{Key: screen.Keys("w", "w", "answer: White"), When: asksForSide, Label: "White", Do: func(v *puzzleScreen) tea.Cmd { return v.answer([]string{"w"}) }},
	{Key: screen.Keys("A", "A", "answer with the moves that you have marked; a move that you make is marked, made again it is not"), When: asksForSet, Label: "answer", Do: func(v *puzzleScreen) tea.Cmd { return v.answer(v.Marked) }},
	{Key: screen.Keys("enter space", "Enter", "when a puzzle is over: another one"), When: (*puzzleScreen).IsOver, Label: "another puzzle", Do: (*puzzleScreen).another},
	{Key: screen.Keys("] .", "]", "another puzzle"), When: isOpen, Label: "another", Rank: 3, Do: (*puzzleScreen).another},
	{Key: screen.Keys("S", "S", "show the solution"), When: isOpen, Label: "solution", Rank: 2, Do: (*puzzleScreen).showSolution},
	screen.HelpKey[*puzzleScreen](),
}

// lateBindings have the keys that the board gets first.
var lateBindings = screen.Bindings[*puzzleScreen]{
	{Key: screen.Keys("q esc", "q", "leave the puzzles"), Label: "leave", Rank: 4, Do: func(v *puzzleScreen) tea.Cmd { return v.Shell.Back() }},
}

func isOpen(v *puzzleScreen) bool      { return !v.IsOver() }
func asksForSide(v *puzzleScreen) bool { return isOpen(v) && v.Puzzle.Goal == puzzle.GoalSide }
func asksForSet(v *puzzleScreen) bool  { return isOpen(v) && v.Puzzle.Goal == puzzle.GoalSet }

// another shows a random puzzle.
func (v *puzzleScreen) another() tea.Cmd {
	p, err := v.Shell.Config.Puzzles.Random("", rand.IntN)
	if err != nil {
		v.Shell.NotifyFailure(err)
		return nil
	}
	v.isOfDay = false
	v.begin(p)
	return nil
}

func (v *puzzleScreen) showSolution() tea.Cmd {
	v.IsShown = true
	v.board.Show(v.State())
	return nil
}

// answer checks an answer.
func (v *puzzleScreen) answer(actions []string) tea.Cmd {
	if len(actions) == 0 {
		v.Shell.NotifyError("Mark a move first: make it on the board.")
		return nil
	}
	o, err := v.Answer(actions)
	switch {
	case err != nil:
		v.Shell.NotifyFailure(err)
	case o.Wrong:
		v.Shell.NotifyError("%s", words.PuzzleOutcome(o))
	case !o.Solved:
		v.Shell.Notify("Right so far. The reply is %s.", v.game.ShortTurn(o.Reply))
	}
	v.board.Show(v.State())
	return nil
}

// Handle implements screen.Screen.
func (v *puzzleScreen) Handle(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return v.handleKey(msg.String())
	case tea.MouseClickMsg:
		if x, y, ok := v.area.At(msg.X, msg.Y); ok && msg.Button == tea.MouseLeft {
			return v.apply(v.board.Click(x, y))
		}
	}
	return nil
}

// handleKey gives a key to the bindings and the board. A turn that is being typed has priority.
func (v *puzzleScreen) handleKey(key string) tea.Cmd {
	if v.board.Typed() == "" {
		if cmd, used := bindings.Handle(v, key); used {
			return cmd
		}
	}
	if res := v.board.Key(key); res.Handled {
		return v.apply(res)
	}
	cmd, _ := lateBindings.Handle(v, key)
	return cmd
}

// apply does with the puzzle what the user did on the board.
func (v *puzzleScreen) apply(res game.InputResult) tea.Cmd {
	switch {
	case res.Refused:
		v.Shell.NotifyError("%s", res.Message)
		return nil
	case res.Turn != nil && v.Puzzle.Goal == puzzle.GoalSet:
		v.Mark(strings.Join(res.Turn, "; "))
		v.board.Show(v.State())
		return nil
	case res.Turn != nil:
		return v.answer(res.Turn)
	case res.Draft != nil:
		v.SetUnfinishedTurn(res.Draft)
		v.board.Show(v.State())
	}
	if res.Message != "" {
		v.Shell.Notify("%s", words.Sentence(res.Message))
	}
	return nil
}

// text returns what is beside the board.
func (v *puzzleScreen) text() []taskboard.Paragraph {
	t := v.Shell.Style.Theme
	all := []taskboard.Paragraph{
		{Text: v.Shell.Config.Puzzles.Theme(v.Puzzle).Title(), Style: t.Strong}, {Text: v.Task(), Style: t.Text},
	}
	add := func(style paint.Style, format string, args ...any) {
		all = append(all, taskboard.Paragraph{Text: fmt.Sprintf(format, args...), Style: style})
	}
	switch {
	case v.IsSolved:
		add(t.Notice, "Solved: %s. Enter: another puzzle.", words.PuzzleSolution(v.Puzzle))
	case v.IsShown:
		add(t.Notice, "The solution: %s. Enter: another puzzle.", words.PuzzleSolution(v.Puzzle))
	case asksForSide(v):
		add(t.Notice, "b: Black wins, w: White wins.")
	case asksForSet(v) && len(v.Marked) == 0:
		add(t.Notice, "Make each of these moves to mark it, then answer with A.")
	case asksForSet(v):
		add(t.Notice, "Marked: %s. A: answer.", strings.Join(v.Marked, ", "))
	default:
		add(t.Notice, "Make your move on the board.")
	}
	return all
}

// Draw implements screen.Screen.
func (v *puzzleScreen) Draw(c paint.Canvas) {
	t := v.Shell.Style.Theme
	title := "Puzzle"
	if v.isOfDay {
		title = "Puzzle of the day"
	}
	side := fmt.Sprintf("%s · you are %s · rating %.0f", v.game.Engine().Title(), v.game.Side(v.State().Position, v.Puzzle.Turn), v.Puzzle.Rating())
	widget.DrawHeader(c, t, title, side, v.Puzzle.ID)
	v.area = taskboard.Draw(c, v.Shell.Style, v.board, v.text())
}

// StatusLine implements screen.Screen.
func (v *puzzleScreen) StatusLine() (string, paint.Style) {
	t := v.Shell.Style.Theme
	if typed := v.board.Typed(); typed != "" {
		return "Your move: " + typed + "▏ Enter: play, Esc: clear.", t.Notice
	}
	if v.State().Static {
		return "", t.Dim
	}
	return paint.Cut(v.board.DescribeCursor(), v.Shell.Width-2), t.Dim
}

// StatusKeys implements screen.Screen.
func (v *puzzleScreen) StatusKeys() []game.Key {
	if v.board.Typed() != "" {
		return v.board.StatusKeys()
	}
	keys := bindings.Status(v)
	last := keys[len(keys)-1]
	return append(append(keys[:len(keys)-1], lateBindings.Status(v)...), last)
}

// Help implements screen.Screen.
func (v *puzzleScreen) Help() screen.Help {
	return screen.Help{
		Title: "Puzzles", Games: []game.Game{v.game}, HasBoard: true,
		About: "The puzzle of the day is the same for everybody and changes at midnight UTC. A wrong answer can be tried again. All solutions are proven.",
		Keys:  append(bindings.Help(v), lateBindings.Help(v)...),
	}
}
