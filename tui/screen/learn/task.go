package learn

import (
	tea "charm.land/bubbletea/v2"

	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/screen"
)

// task is the board of a screen that asks for actions on it, such as a lesson or a puzzle. The screen keeps it by value and
// sets Board.
type task struct {
	Board game.Board
	area  area // where the board was drawn, for clicks
}

// DrawTask draws the board and a text below the header of a canvas.
func (t *task) DrawTask(c paint.Canvas, style game.Style, text []paragraph) {
	t.area = drawTask(c, style, t.Board, text, text)
}

// Traits returns the traits of a screen with the task.
func (t *task) Traits() screen.Traits {
	return screen.Traits{Board: t.area.Rect(), TakesText: t.Board.Typed() != ""}
}

// isBusy reports whether the board has a key: a turn is being typed, or shown step by step. Enter does not skip the
// steps, but is the screen's, which offers what comes after them.
func (t *task) isBusy(key string) bool {
	r, ok := t.Board.(game.Replayer)
	return t.Board.Typed() != "" || ok && r.IsReplaying() && key != "enter"
}

// taskInput gives a key or a click to the bindings of a screen and the board of its task: first are the bindings that come
// before the board unless a turn is being typed, last are those that come after it. apply does what the user did on the
// board.
func taskInput[S any](v S, t *task, msg tea.Msg, first, last screen.Bindings[S], apply func(game.InputResult) tea.Cmd) tea.Cmd {
	switch msg := msg.(type) {
	case tea.MouseClickMsg:
		if x, y, ok := t.area.At(msg.X, msg.Y); ok && msg.Button == tea.MouseLeft {
			return apply(t.Board.Click(x, y))
		}
	case tea.KeyPressMsg:
		key := msg.String()
		if screen.TakesLetter(t.Board, key) {
			return apply(t.Board.Key(key))
		}
		if !t.isBusy(key) {
			key = screen.CommandKey(key)
			if cmd, used := first.Handle(v, key); used {
				return cmd
			}
		}
		if res := t.Board.Key(key); res.Handled {
			return apply(res)
		}
		return last.HandleLast(v, key)
	}
	return nil
}

// TaskLine returns the line above the status bar: what is being typed, or what is under the cursor.
func (t *task) TaskLine(sh *screen.Shell) (string, paint.Style) {
	theme := sh.Style.Theme
	if typed := t.Board.Typed(); typed != "" {
		return "Your move: " + typed + "▏ Enter: play, Esc: clear.", theme.Notice
	}
	return paint.Cut(t.Board.DescribeCursor(), sh.Width-2), theme.Dim
}
