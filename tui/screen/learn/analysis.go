package learn

import (
	"cmp"
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/engine"
	"ayumu/tui/game"
	"ayumu/tui/op"
	"ayumu/tui/paint"
	"ayumu/tui/screen"
	"ayumu/tui/screen/dest"
	"ayumu/tui/words"
)

// analysis is the screen.
type analysis struct {
	screen.Base
	*op.Analysis
	board     game.Board
	area      area      // where the board was drawn, for clicks
	chartSeat int       // whose chances the chart shows
	showsBest bool      // the board shows the engine's turn instead of the one that was played
	open      *exercise // nil: none
}

// exercise is the exercise that is open.
type exercise struct {
	*op.Exercise
	draft   []string // actions of an unfinished turn
	judging bool     // the engine is thinking about an answer
	opinion string   // on the last answer
}

// OpenAnalysis shows the analysis of a match, which begins to be computed if it is not known.
func OpenAnalysis(sh *screen.Shell, d dest.Analysis) tea.Cmd {
	return screen.Load(sh, func(ctx context.Context) (*op.Analysis, error) {
		s := d.Snapshot
		if s == nil {
			var err error
			if s, err = sh.Visit.Archive().Snapshot(ctx, d.ID); err != nil {
				return nil, err
			}
		}
		return sh.Visit.Analyze(sh.Context, s)
	}, func(a *op.Analysis) tea.Cmd {
		v := &analysis{Base: screen.Base{Shell: sh}, Analysis: a, board: a.Game.New(), chartSeat: max(a.Seat, 0)}
		v.show()
		return sh.Push(v)
	})
}

var analysisBindings = screen.Bindings[*analysis]{
	{Key: screen.Keys("enter space", "Enter", "find a better move than one that cost a lot"), When: (*analysis).hasTask, LabelOf: (*analysis).nextLabel, Do: (*analysis).next},
	{Key: screen.Keys("left [ , pgup", "← →", "step through the moves"), When: (*analysis).isStepping, Label: "step", Rank: 1, Do: func(v *analysis) tea.Cmd { return v.step(-1) }},
	{Key: screen.Keys("right ] . pgdown", "", ""), When: (*analysis).isStepping, Do: func(v *analysis) tea.Cmd { return v.step(1) }},
	{Key: screen.Keys("home", "Home End", "go to the start or the end of the game"), When: (*analysis).isStepping, Do: func(v *analysis) tea.Cmd { return v.step(-len(v.Turns)) }},
	{Key: screen.Keys("end", "", ""), When: (*analysis).isStepping, Do: func(v *analysis) tea.Cmd { return v.step(len(v.Turns)) }},
	{Key: screen.Keys("h", "h", "a hint: show the engine's move on the board instead of the one that was played"), When: (*analysis).hasBest, LabelOf: (*analysis).bestLabel, Rank: 2, Do: (*analysis).toggleBest},
	{Key: screen.Keys("down", "↑ ↓", "the next or the previous move that was a mistake, by any player"), When: (*analysis).isStepping, Label: "mistakes", Rank: 3, Do: func(v *analysis) tea.Cmd { return v.nextMistake(1) }},
	{Key: screen.Keys("up", "", ""), When: (*analysis).isStepping, Do: func(v *analysis) tea.Cmd { return v.nextMistake(-1) }},
	{Key: screen.Keys("tab", "Tab", "the chart of another player"), When: (*analysis).isStepping, Label: "player", Rank: 5, Do: (*analysis).nextSeat},
	{Key: screen.Keys("h", "h", "a hint in an exercise: show the engine's move"), When: (*analysis).isSolving, Label: "solution", Rank: 1, Do: (*analysis).showSolution},
	{Key: screen.NoKey("play on from this position in a new game"), Command: "continue", When: (*analysis).canPlayOn, Label: "continue", Rank: 6, Do: (*analysis).playFrom},
	screen.HelpKey[*analysis](),
}

// analysisLateBindings have the keys that the board gets first.
var analysisLateBindings = screen.Bindings[*analysis]{
	{Key: screen.Keys("q esc", "q", "back; from an exercise to the moves of the game"), LabelOf: (*analysis).backLabel, Rank: 4, Do: (*analysis).back},
}

func (v *analysis) isStepping() bool { return v.open == nil }
func (v *analysis) isSolving() bool  { return v.open != nil && !v.open.IsOver() }
func (v *analysis) hasTask() bool    { return !v.isSolving() && v.NextExercise() != nil || v.isFinished() }
func (v *analysis) hasBest() bool    { return v.isStepping() && v.best() != nil }

// isFinished reports whether an exercise is open that is over.
func (v *analysis) isFinished() bool { return v.open != nil && v.open.IsOver() }

// canPlayOn reports whether a game can begin with the position that is shown.
func (v *analysis) canPlayOn() bool {
	_, over := v.position().Result()
	return !v.isSolving() && !over
}

// best returns the engine's turn before the position that is shown; nil if it is not known, or still to be found.
func (v *analysis) best() []string {
	if v.At == 0 || len(v.Turns[v.At-1].Actions) == 0 {
		return nil
	}
	if v.openExercise() != nil {
		return nil
	}
	e, ok := v.Evaluation(v.At - 1)
	if !ok || slices.Equal(e.Best, v.Turns[v.At-1].Actions) {
		return nil
	}
	return e.Best
}

// position returns the position on the board, without a draft.
func (v *analysis) position() engine.Position {
	switch {
	case v.open != nil:
		return v.Positions[v.open.Turn]
	case v.showsBest:
		return v.Positions[v.At-1]
	}
	return v.Positions[v.At]
}

// show updates the board.
func (v *analysis) show() {
	s := game.State{Position: v.position(), Seat: v.Seat, Static: true}
	n := v.At
	switch {
	case v.open != nil:
		n = v.open.Turn
		s.Seat, s.Static, s.Draft = v.open.Seat, v.open.IsOver(), v.open.draft
		if s.CanAct = !v.open.IsOver() && !v.open.judging; v.open.IsOver() {
			s.Hint = v.Evaluations[n].Best
		}
	case v.showsBest:
		n--
		s.Hint = v.best()
	}
	if n > 0 {
		s.LastTurn, s.Previous = v.Turns[n-1].Actions, v.Positions[n-1]
	}
	s.Static = s.Static && s.Hint == nil // a board without a cursor shows no hint either
	v.board.Show(s)
}

// step shows another position.
func (v *analysis) step(by int) tea.Cmd {
	v.Step(by)
	v.showsBest = false
	v.show()
	return nil
}

// nextMistake shows the position after the next mistake of any player, after the last one the first; for by -1 after the
// previous one.
func (v *analysis) nextMistake(by int) tea.Cmd {
	all := v.mistakes()
	if len(all) == 0 {
		v.Shell.Notify("No mistakes so far.")
		return nil
	}
	at := slices.IndexFunc(all, func(n int) bool { return n > v.At })
	if by < 0 {
		at = slices.IndexFunc(all, func(n int) bool { return n >= v.At })
		if at < 0 {
			at = len(all)
		}
		at--
	}
	if at < 0 && by < 0 {
		at = len(all) - 1
	}
	return v.step(all[max(at, 0)] - v.At)
}

// toggleBest shows the engine's turn on the board, or again the one that was played.
func (v *analysis) toggleBest() tea.Cmd {
	v.showsBest = !v.showsBest
	v.show()
	return nil
}

// nextSeat shows the chart of the next seat.
func (v *analysis) nextSeat() tea.Cmd {
	v.chartSeat = (v.chartSeat + 1) % len(v.Snapshot.Info.Seats)
	return nil
}

// openExercise returns the exercise about the turn that led to the position that is shown; nil: none, or it is over.
func (v *analysis) openExercise() *op.Exercise {
	if v.open != nil || v.At == 0 {
		return nil
	}
	if e := v.ExerciseAt(v.At - 1); e != nil && !e.IsOver() {
		return e
	}
	return nil
}

// next opens the exercise about the turn that is shown, or else the costliest one that is not over, or returns to the turns if
// there is none.
func (v *analysis) next() tea.Cmd {
	e := cmp.Or(v.openExercise(), v.NextExercise())
	if e == nil {
		return v.back()
	}
	v.open, v.showsBest, v.board = &exercise{Exercise: e}, false, v.Game.New()
	v.show()
	return nil
}

func (v *analysis) nextLabel() string {
	switch {
	case v.NextExercise() == nil:
		return "all moves"
	case v.open != nil:
		return "next exercise"
	}
	return "exercise"
}

func (v *analysis) bestLabel() string {
	if v.showsBest {
		return "played move"
	}
	return "better move"
}

func (v *analysis) backLabel() string {
	switch {
	case v.isFinished() && v.NextExercise() == nil:
		return "" // Enter does the same
	case v.open != nil:
		return "all moves"
	}
	return v.Shell.BackLabel()
}

// back leaves the exercise, at the position after its turn, or else the screen.
func (v *analysis) back() tea.Cmd {
	if v.open == nil {
		return v.Shell.Back()
	}
	v.At, v.open = v.open.Turn+1, nil
	v.show()
	return nil
}

func (v *analysis) showSolution() tea.Cmd {
	v.open.IsShown, v.open.draft = true, nil
	v.show()
	return nil
}

// playFrom opens the form of a game that begins with the position that is shown.
func (v *analysis) playFrom() tea.Cmd {
	o, err := op.StartAt(v.Snapshot, v.Seat, v.position())
	return playFrom(v.Shell, o, v.Seat >= 0 && v.position().Turn() != v.Seat, err)
}

// judge asks the engine about an answer.
func (v *analysis) judge(turn []string) tea.Cmd {
	if err := v.PaceJudge(time.Now()); err != nil {
		v.Shell.NotifyFailure(err)
		return nil
	}
	x := v.open
	x.judging, x.draft, x.opinion = true, turn, ""
	v.show()
	return screen.Try(v.Shell, func(ctx context.Context) (op.Answer, error) {
		return v.Judge(ctx, x.Exercise, turn)
	}, func(answer op.Answer, failure error) tea.Cmd {
		x.judging, x.draft = false, nil
		switch {
		case failure != nil:
			v.Shell.NotifyFailure(failure)
		default:
			x.Accept(answer)
			x.opinion = v.DescribeAnswer(x.Exercise, answer)
		}
		v.show()
		return nil
	})
}

// Handle implements screen.Screen.
func (v *analysis) Handle(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return v.handleKey(msg.String())
	case tea.MouseClickMsg:
		if x, y, ok := v.area.At(msg.X, msg.Y); ok && msg.Button == tea.MouseLeft && v.canAnswer() {
			return v.apply(v.board.Click(x, y))
		}
	case tea.MouseWheelMsg:
		if v.open != nil {
			return nil
		}
		if msg.Button == tea.MouseWheelUp {
			return v.step(-1)
		}
		return v.step(1)
	}
	return nil
}

// canAnswer reports whether the board takes an answer.
func (v *analysis) canAnswer() bool { return v.isSolving() && !v.open.judging }

// handleKey gives a key to the analysisBindings and the board. A turn that is being typed has priority.
func (v *analysis) handleKey(key string) tea.Cmd {
	if v.board.Typed() == "" && !(v.canAnswer() && screen.TakesLetter(v.board, key)) {
		key = screen.CommandKey(key)
		if cmd, used := analysisBindings.Handle(v, key); used {
			return cmd
		}
	}
	if v.canAnswer() {
		if res := v.board.Key(key); res.Handled {
			return v.apply(res)
		}
	}
	return analysisLateBindings.HandleLast(v, key)
}

// apply does with the exercise what the user did on the board.
func (v *analysis) apply(res game.InputResult) tea.Cmd {
	switch {
	case res.Refused:
		v.Shell.NotifyError("%s", res.Message)
		return nil
	case res.Turn != nil:
		return v.judge(res.Turn)
	case res.Draft != nil:
		v.open.draft = res.Draft
		v.show()
	}
	if res.Message != "" {
		v.Shell.Notify("%s", words.Sentence(res.Message))
	}
	return nil
}

// Refresh implements screen.Screen.
func (v *analysis) Refresh() tea.Cmd {
	if v.Update() {
		v.show()
	}
	return nil
}

// Reopen implements screen.Screen.
func (v *analysis) Reopen() dest.Destination {
	if v.IsComplete {
		return nil
	}
	return dest.Analysis{ID: v.Snapshot.Info.ID, Snapshot: v.Snapshot}
}

// Close implements screen.Screen.
func (v *analysis) Close() { v.Analysis.Close() }

// Traits implements screen.Screen.
func (v *analysis) Traits() screen.Traits {
	return screen.Traits{DrawsStatus: true, Board: v.area.Rect(), TakesText: v.board.Typed() != ""}
}

// StatusLine implements screen.Screen.
func (v *analysis) StatusLine() (string, paint.Style) {
	t := v.Shell.Style.Theme
	if typed := v.board.Typed(); typed != "" {
		return "Your move: " + typed + "▏ Enter: play, Esc: clear.", t.Notice
	}
	if !v.canAnswer() {
		return v.Progress(), t.Dim
	}
	return paint.Cut(v.board.DescribeCursor(), v.Shell.Width-2), t.Dim
}

// StatusKeys implements screen.Screen.
func (v *analysis) StatusKeys() []game.Key {
	if v.board.Typed() != "" {
		return v.board.StatusKeys()
	}
	keys := screen.ShownKeys(v.board, analysisBindings.Status(v))
	keys = slices.Insert(keys, min(2, len(keys)-1), analysisLateBindings.Status(v)...)
	if !v.canAnswer() {
		return keys
	}
	ofBoard := v.board.StatusKeys()
	return slices.Concat(ofBoard[:min(2, len(ofBoard))], keys)
}

// Help implements screen.Screen.
func (v *analysis) Help() screen.Help {
	return screen.Help{
		Title: "Analysis", Games: []game.Game{v.Game}, HasBoard: true,
		About: "The engine has estimated the chances in each position of the game. The chart shows a player's chance of winning after each turn; ^ marks the position on the board, ? a mistake. By this estimate, a move that cost a tenth of the chance is a mistake, and one that cost a quarter is a blunder. In an exercise you look for a better move: it must win back at least half of what the played one cost.",
		Keys:  append(analysisBindings.Help(v), analysisLateBindings.Help(v)...),
	}
}
