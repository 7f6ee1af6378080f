package learn

import (
	"context"
	"fmt"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/engine"
	"ayumu/lobby/learn"
	"ayumu/tui/game"
	"ayumu/tui/op"
	"ayumu/tui/paint"
	"ayumu/tui/screen"
	"ayumu/tui/screen/dest"
	"ayumu/tui/words"
)

// OpenLessons shows the lessons of a game where the user left them, or the list of games without one.
func OpenLessons(sh *screen.Shell, d dest.Lessons) tea.Cmd {
	for _, g := range sh.Visit.TaughtGames() {
		if g.Name() == d.Game {
			return openGame(sh, g)
		}
	}
	return openList(sh)
}

// lessonScreen shows one lesson.
type lessonScreen struct {
	screen.Base
	*op.Lessons
	task
	showsSolution bool // it is marked on the board
	nextStepAt    time.Time
}

func openGame(sh *screen.Shell, g game.Teacher) tea.Cmd {
	v := &lessonScreen{Base: screen.Base{Shell: sh}, Lessons: sh.Visit.Lessons(g), task: task{Board: g.New()}}
	v.show()
	return sh.Push(v)
}

var lessonBindings = screen.Bindings[*lessonScreen]{
	{Key: screen.Keys("enter space", "Enter", "when a lesson is solved: the next one"), When: (*lessonScreen).isSolved, LabelOf: (*lessonScreen).nextLabel, Do: (*lessonScreen).next},
	{Key: screen.Keys("h", "h", "a hint: show the solution on the board"), When: (*lessonScreen).isOpen, Label: "solution", Rank: 2, Do: (*lessonScreen).showSolution},
	{Key: screen.Keys("] .", "]", "the next lesson, solved or not"), When: (*lessonScreen).isNotLast, Label: "skip", Rank: 3, Do: func(v *lessonScreen) tea.Cmd { return v.step(1) }},
	{Key: screen.Keys("[ ,", "[", "the previous lesson; a solved one starts again"), Label: "back", Rank: 3, Do: (*lessonScreen).previous},
	{Key: screen.NoKey("play on from this position in a new game"), Command: "continue", Do: func(v *lessonScreen) tea.Cmd {
		o, err := v.optionsHere()
		return playFrom(v.Shell, o, v.Position().Turn() != v.Seat(), err)
	}},
	screen.HelpKey[*lessonScreen](),
}

// lessonLateBindings have the keys that the board gets first.
var lessonLateBindings = screen.Bindings[*lessonScreen]{
	{Key: screen.Keys("q esc", "q", "leave the lessons; next time you continue here"), Label: "leave", Rank: 4, Do: func(v *lessonScreen) tea.Cmd { return v.Shell.Back() }},
}

func (v *lessonScreen) isSolved() bool  { return v.IsSolved }
func (v *lessonScreen) isOpen() bool    { return !v.IsSolved }
func (v *lessonScreen) isNotLast() bool { return !v.IsLast() }

// show updates the board.
func (v *lessonScreen) show() {
	s := v.State()
	s.Static = v.IsSolved // no cursor hides what has changed
	if v.showsSolution {
		s.Hint = v.Answer()
	}
	v.Board.Show(s)
}

// step shows another lesson.
func (v *lessonScreen) step(by int) tea.Cmd {
	v.Step(by)
	v.Board, v.showsSolution, v.nextStepAt = v.Game.New(), false, time.Time{}
	v.show()
	return nil
}

// previous shows the lesson from its beginning if it is solved, otherwise the one before.
func (v *lessonScreen) previous() tea.Cmd {
	if v.IsSolved {
		return v.step(0)
	}
	return v.step(-1)
}

// next shows the next lesson, after the last one a first game against a bot.
func (v *lessonScreen) next() tea.Cmd {
	switch {
	case !v.IsLast():
		return v.step(1)
	case v.Shell.Config.Bots == nil:
		return v.Shell.Back()
	}
	return screen.Load(v.Shell, func(ctx context.Context) (string, error) {
		return v.Shell.Visit.PlayFirstGame(ctx, v.Game)
	}, func(match string) tea.Cmd {
		v.Shell.Visit.SetLessonGame(match)
		return v.Shell.Open(dest.Match{ID: match, IsExpected: true})
	})
}

// nextLabel returns the label of the key for next.
func (v *lessonScreen) nextLabel() string {
	switch {
	case !v.IsLast():
		return "next lesson"
	case v.Shell.Config.Bots == nil:
		return "end"
	}
	return "play " + v.Shell.Config.Bots.Name(op.FirstBotLevel)
}

// showSolution marks the solution on the board.
func (v *lessonScreen) showSolution() tea.Cmd {
	v.showsSolution = true
	v.show()
	v.Shell.Notify("%s", words.Sentence("the solution: "+v.Game.DescribeTurn(v.Position(), v.Answer(), "")))
	return nil
}

// Handle implements screen.Screen.
func (v *lessonScreen) Handle(msg tea.Msg) tea.Cmd {
	defer v.scheduleStep(time.Now())
	return taskInput(v, &v.task, msg, lessonBindings, lessonLateBindings, v.apply)
}

// apply checks what the user did on the board.
func (v *lessonScreen) apply(res game.InputResult) tea.Cmd {
	sh := v.Shell
	actions := res.Turn
	if actions == nil {
		actions = res.Draft
	}
	switch {
	case res.Refused:
		sh.NotifyError("%s", res.Message)
		return nil
	case len(actions) == 0:
		if res.Draft != nil {
			v.Actions = nil
			v.show()
		}
		if res.Message != "" {
			sh.Notify("%s", words.Sentence(res.Message))
		}
		return nil
	}
	outcome, why := v.Try(actions)
	switch outcome {
	case learn.Refused:
		sh.NotifyError("%s", why)
	case learn.Incomplete:
		sh.Notify("%s", words.Sentence(res.Message))
	case learn.Solved:
		return v.solved()
	}
	v.show()
	return nil
}

// solved shows the solution, step by step where it has steps, and stores the progress.
func (v *lessonScreen) solved() tea.Cmd {
	v.show()
	if r, ok := v.Board.(game.Replayer); ok && v.Shell.Settings.ReplaySpeed > 0 {
		r.Replay()
	}
	name, at := v.Game.Name(), v.At
	return v.Shell.Command(func() tea.Msg {
		ctx, cancel := context.WithTimeout(v.Shell.Context, op.CallTimeout)
		defer cancel()
		_ = v.Shell.Visit.SaveLesson(ctx, name, at) // the store reports a failure, which keeps nobody from learning
		return nil
	})
}

// scheduleStep shows the next step of a solution when it is due, and schedules the one after it.
func (v *lessonScreen) scheduleStep(now time.Time) {
	r, ok := v.Board.(game.Replayer)
	step := screen.ReplaySpeeds[max(v.Shell.Settings.ReplaySpeed, 1)].Step
	switch {
	case !ok || !r.IsReplaying():
		v.nextStepAt = time.Time{}
	case v.nextStepAt.IsZero():
		v.nextStepAt = now.Add(step)
	case !now.Before(v.nextStepAt):
		r.Advance()
		v.nextStepAt = now.Add(step)
	}
}

// Traits implements screen.Screen.
func (v *lessonScreen) Traits() screen.Traits {
	t := v.task.Traits()
	t.Here = v.optionsHere
	return t
}

// optionsHere returns the options of a game that begins with the position that is shown.
func (v *lessonScreen) optionsHere() (engine.Options, error) {
	return op.StartFrom(v.Game.Engine(), v.Position())
}

// Operate implements screen.OperationHandler.
func (v *lessonScreen) Operate(name, args string) (cmd tea.Cmd, ok bool) {
	switch {
	case name == "learn" && args == "next":
		return v.step(1), true
	case name == "learn" && args == "back":
		return v.previous(), true
	}
	return nil, false
}

// NextChange implements screen.Screen.
func (v *lessonScreen) NextChange(time.Time) time.Time { return v.nextStepAt }

// StatusLine implements screen.Screen.
func (v *lessonScreen) StatusLine() (string, paint.Style) {
	if v.IsSolved {
		return "", v.Shell.Style.Theme.Dim
	}
	return v.TaskLine(v.Shell)
}

// StatusKeys implements screen.Screen.
func (v *lessonScreen) StatusKeys() []game.Key {
	if v.Board.Typed() != "" {
		return v.Board.StatusKeys()
	}
	keys := slices.Insert(lessonBindings.Status(v), 1, lessonLateBindings.Status(v)...) // after the answer, or the next lesson
	if v.IsSolved {
		return keys
	}
	var shown []game.Key
	for i, k := range v.Board.StatusKeys() {
		if i == 0 || k.Key == "Enter" || k.Key == "Tab" { // Tab, since the arrows alone are slow on hexagons
			shown = append(shown, k)
		}
	}
	return append(shown, keys...)
}

// Help implements screen.Screen.
func (v *lessonScreen) Help() screen.Help {
	kept := "Your progress is kept."
	if !v.Shell.Config.IsOffline() {
		kept = fmt.Sprintf("The lessons of %s are for guests too; with an account your progress is kept.", v.Game.Engine().Title())
	}
	return screen.Help{
		Title: "Lessons", Games: []game.Game{v.Game}, HasBoard: true,
		About: "Each lesson asks for one or more actions on the board. A wrong one is explained and taken back. " + kept,
		Keys:  append(lessonBindings.Help(v), lessonLateBindings.Help(v)...),
	}
}
