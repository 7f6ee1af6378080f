package match

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/engine"
	"ayumu/tui/game"
	"ayumu/tui/op"
	"ayumu/tui/paint"
	"ayumu/tui/screen"
	"ayumu/tui/screen/dest"
	"ayumu/tui/widget"
	"ayumu/tui/words"
)

// view shows a match on a board: the live position, an earlier one, or a variation. init sets it up.
type view struct {
	screen.Base
	*op.Match
	viewer viewer
	board  game.Board
	area   area // where the board was drawn, for clicks
	status area // where a status text of several rows was drawn beside it; empty: nowhere

	turns       *turnRecord
	ply         int        // number of entries of turns before the reviewed position
	isReviewing bool       // an earlier position is shown
	variation   *variation // nil: the match itself is shown
	playback    playback
	hints       hints
	legend      legend
	conditions  conditionSet

	droppedTyping droppedTyping

	frames    *sharedFrames
	last      *drawnFrame // nil: nothing yet
	lastBoard drawnBoard
	lastChat  screen.ShownChat
}

// viewer is what a screen adds to its view.
type viewer interface {
	screen.Screen
	// canAct reports whether the user may make a turn at the live position. IsOwnTurn is also true while a
	// turn is being sent.
	canAct() bool
	// canPlan reports whether the user may enter a turn in advance at the live position.
	canPlan() bool
	// draft returns the actions of the unfinished turn at the live position.
	draft() []string
	// handleTurn applies what the user did on the board at the live position.
	handleTurn(game.InputResult) tea.Cmd

	// chat opens the chat's input line.
	chat() tea.Cmd

	// markedTurn returns a turn to mark on the board besides hints, not necessarily a legal one; nil: none.
	// isPlanned reports that the user has entered it in advance.
	markedTurn() (turn []string, isPlanned bool)

	// lines describes the state of the match for the panel.
	lines(now time.Time) []styledText
	// tips returns advice for the panel. A tip is shown only where there is space.
	tips() tips
	// headerNote describes the spectators, of whom there are n, or when the match was played, for the right end of the
	// header.
	headerNote(n int) string
	// seatToMove returns the seat to move in the position that is shown; -1: none.
	seatToMove() int
	// recordedClocks returns the times left in an earlier position that is shown with them.
	recordedClocks() recordedClocks
	// footer returns what the panel shows below the turns.
	footer() panelFooter
}

// init sets up the view of a screen.
func (v *view) init(sh *screen.Shell, m *op.Match, r viewer) {
	v.Base, v.Match, v.viewer, v.board = screen.Base{Shell: sh}, m, r, m.Game.New()
	v.frames = screen.SharedPart[sharedFrames](sh.Shared)
	v.playback.view, v.hints.view, v.legend.view, v.conditions.view = v, v, v, v
}

// Close implements screen.Screen.
func (v *view) Close() {
	v.hints.drop()
	v.Shell.Title = screen.Title
	v.Match.Close()
}

// Methods of viewer for users who have no turn here.
func (v *view) canAct() bool                        { return false }
func (v *view) canPlan() bool                       { return false }
func (v *view) draft() []string                     { return nil }
func (v *view) markedTurn() ([]string, bool)        { return nil, false }
func (v *view) tips() tips                          { return tips{} }
func (v *view) handleTurn(game.InputResult) tea.Cmd { return nil }

// hasDraft reports whether the board shows the live position in the user's turn.
func (v *view) hasDraft() bool { return v.IsOwnTurn() && !v.isReviewing && v.variation == nil }

// show updates the board: the variation, the reviewed position, or the live one with the draft.
func (v *view) show() {
	v.hints.check()
	s := game.State{Position: v.position(), Seat: v.ActingSeat(), IsShared: v.Snapshot.Info.Local, CanAct: v.viewer.canAct() && !v.isReviewing, CanPlan: v.viewer.canPlan(), IsWatching: v.isWatching(), Draft: v.shownDraft()}
	n := v.shownPly()
	switch {
	case v.variation != nil:
		s = v.variation.state()
	case n > 0:
		s.LastTurn = v.turns.Entries[n-1].Actions
		if _, replays := v.board.(game.Replayer); replays && len(v.turns.Positions()) >= n {
			s.Previous = v.turns.Positions()[n-1]
		}
	}
	s.Hint = v.hints.current.remaining(s.Draft)
	if s.Hint == nil && v.variation == nil {
		s.Hint, s.IsPlanned = v.viewer.markedTurn()
	}
	v.board.Show(s)
	v.lastBoard.isStale = true
}

// position returns the position on the board, without a draft.
func (v *view) position() engine.Position {
	switch {
	case v.variation != nil:
		return v.variation.Position()
	case v.isReviewing:
		return v.turns.Positions()[v.ply]
	}
	return v.Snapshot.Position
}

// shownDraft returns the actions of the unfinished turn on that position.
func (v *view) shownDraft() []string {
	switch {
	case v.variation != nil:
		return v.variation.draft
	case v.hasDraft():
		return v.viewer.draft()
	}
	return nil
}

// shownPly returns the number of entries before the position of the match that is shown.
func (v *view) shownPly() int {
	if v.isReviewing {
		return v.ply
	}
	return len(v.turns.Entries)
}

// errNoPositions is shown if the log of a match is damaged.
var errNoPositions = errors.New("the earlier positions cannot be shown")

// step moves by a number of turns, backwards if negative. The last turn returns to the live position.
func (v *view) step(by int) tea.Cmd {
	if v.variation != nil {
		v.variation.step(by)
		v.show()
		return nil
	}
	newest := len(v.turns.Entries)
	if len(v.turns.Positions()) != newest+1 {
		v.Shell.NotifyError("%v", errNoPositions)
		return nil
	}
	v.ply = max(min(v.shownPly()+by, newest), 0)
	v.isReviewing = v.ply < newest
	v.show()
	return nil
}

// askTurn prompts for the number of the turn to show.
func (v *view) askTurn() tea.Cmd {
	n := countTurns(v.turns.Entries)
	return v.Shell.OpenPrompt(&screen.Prompt{
		TextField: widget.TextField{Limit: 5}, Label: "Go to turn (0 to " + strconv.Itoa(n) + ")", EnterHelp: "go",
		Enter: func(text string) tea.Cmd {
			turn, err := strconv.Atoi(text)
			if err != nil || turn < 0 || turn > n {
				v.Shell.NotifyError("enter a turn number from 0 to %d", n)
				return nil
			}
			return v.step(v.turns.PlyOf(turn) - v.shownPly())
		},
	})
}

// startVariation starts a variation at the position that is shown.
func (v *view) startVariation() tea.Cmd {
	all := v.turns.Positions()
	from := v.shownPly()
	if from >= len(all) {
		v.Shell.NotifyError("%v", errNoPositions)
		return nil
	}
	line, err := op.NewVariation(all[from])
	if err != nil {
		v.Shell.NotifyError("%v", err)
		return nil
	}
	v.variation = &variation{Variation: line, base: from, draft: slices.Clone(v.shownDraft())}
	v.playback.stop()
	v.show()
	return nil
}

// canPlayFrom reports whether the user may play from the positions of the match.
func (v *view) canPlayFrom() bool { return op.CanHint(v.Snapshot, v.Seat) }

// playFrom opens the form of a game that begins with the position that is shown, without the draft.
func (v *view) playFrom() tea.Cmd {
	o, err := v.optionsHere()
	if err != nil {
		v.Shell.NotifyError("%v", err)
		return nil
	}
	return v.Shell.Open(dest.PositionGame{Options: o})
}

// endVariation returns to the match as it was left.
func (v *view) endVariation() tea.Cmd {
	v.variation = nil
	v.Shell.Notify("Back in the game. The moves that you tried are not shown to anyone.")
	v.show()
	return nil
}

// handleBoard gives a key to the board and reports whether the board used it.
func (v *view) handleBoard(key string) (cmd tea.Cmd, used bool) {
	res := v.board.Key(key)
	if !res.Handled {
		return nil, false
	}
	return v.handleResult(res), true
}

// handleResult applies the board's result of an input.
func (v *view) handleResult(res game.InputResult) tea.Cmd {
	switch {
	case res.Refused:
		v.Shell.NotifyError("%s", res.Message)
	case res.Message != "":
		v.Shell.Notify("%s", words.Sentence(res.Message))
	}
	if v.variation == nil {
		return v.viewer.handleTurn(res)
	}
	if err := v.variation.apply(res); err != nil {
		v.Shell.NotifyError("%v", err)
	}
	v.show()
	return nil
}

// StatusLine shows the turn that is being typed, otherwise the cell at the cursor.
func (v *view) StatusLine() (string, paint.Style) {
	t := v.Shell.Style.Theme
	if typed := v.board.Typed(); typed != "" {
		// The end of a long turn is shown, where the next character goes: two rows of it.
		if n := len(typed) - max(2*v.Shell.Width-60, 20); n > 0 {
			typed = "…" + typed[n:]
		}
		return "Your move: " + typed + "▏ Enter: play, Esc: clear.", t.Notice
	}
	// One row, so that the board stays visible while the cursor moves; ? shows more about the cell.
	return paint.Cut(v.board.DescribeCursor(), v.Shell.Width-2), t.Dim
}

// help returns the parts of a help page that do not depend on the screen.
func (v *view) help() screen.Help {
	p := screen.Help{Games: []game.Game{v.Game}, HasBoard: true}
	if e, ok := v.board.(game.Explainer); ok {
		p.CursorHelp = e.Explain()
	}
	return p
}

// reviewLine describes the reviewed position: "Turn 6 of 9. End: back to the live position."
func (v *view) reviewLine() string {
	turn := fmt.Sprintf("Turn %d of %d.", countTurns(v.turns.Entries[:v.ply]), v.Snapshot.Turns)
	if v.Snapshot.IsOver() {
		return turn + " End: last position."
	}
	return turn + " End: back to the live position."
}

// soonest keeps the earliest of some times after now.
type soonest struct{ now, at time.Time }

func (s *soonest) add(t time.Time) {
	if t.After(s.now) && (s.at.IsZero() || t.Before(s.at)) {
		s.at = t
	}
}
