// Package puzzle is the screens of puzzles: one that shows a puzzle on a board and checks the user's answer, and the
// list of themes to train.
package puzzle

import (
	"context"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ayumu/engine/puzzle"
	"ayumu/lobby/club"
	"ayumu/lobby/puzzles"
	"ayumu/tui/game"
	"ayumu/tui/op"
	"ayumu/tui/paint"
	"ayumu/tui/screen"
	"ayumu/tui/screen/dest"
	"ayumu/tui/screen/taskboard"
	"ayumu/tui/widget"
	"ayumu/tui/words"
)

// Open shows the puzzle of the day.
func Open(sh *screen.Shell, _ dest.Puzzle) tea.Cmd {
	v := &puzzleScreen{Base: screen.Base{Shell: sh}}
	return v.choose(op.PuzzleArgs{Day: true}, func() tea.Cmd { return sh.Push(v) })
}

// puzzleScreen shows one puzzle after the other.
type puzzleScreen struct {
	screen.Base
	*puzzles.Try
	game  game.Game
	task  taskboard.Task
	draft []string // actions of an unfinished turn
	// marked are the actions that the user has marked as those of a set, sorted.
	marked []string
	// explanation are sentences that say why the solution is one; nil until they are known.
	explanation []string
	isRunning   bool // an operation runs
}

// run runs an operation as a command and continues with then; an error is shown. Until it has ended other keys that
// run one do nothing, since they were meant for what it will show.
func run[A any](v *puzzleScreen, o *op.Op[A, op.PuzzleResult], in A, then func(op.PuzzleResult) tea.Cmd) tea.Cmd {
	if v.isRunning {
		return nil
	}
	v.isRunning = true
	return screen.Try(v.Shell, func(ctx context.Context) (op.PuzzleResult, error) {
		return o.Run(ctx, v.Shell.Visit, in)
	}, func(r op.PuzzleResult, err error) tea.Cmd {
		v.isRunning = false
		if err != nil {
			v.Shell.NotifyFailure(err)
			if v.Try != nil {
				v.showBoard()
			}
			return nil
		}
		return then(r)
	})
}

// choose shows another puzzle on a board and continues with then.
func (v *puzzleScreen) choose(which op.PuzzleArgs, then func() tea.Cmd) tea.Cmd {
	return run(v, op.Puzzle, which, func(r op.PuzzleResult) tea.Cmd {
		g, ok := v.Shell.Config.Games.ByName(r.Puzzle.Game)
		if !ok {
			v.Shell.NotifyError("There is no board for this puzzle.")
			return nil
		}
		v.game, v.task, v.marked, v.explanation = g, taskboard.Task{Board: g.New()}, nil, nil
		v.show(r)
		return then()
	})
}

// show shows the puzzle after an operation.
func (v *puzzleScreen) show(r op.PuzzleResult) {
	v.Try, v.draft = r.Try, nil
	v.showBoard()
}

func (v *puzzleScreen) showBoard() {
	canAct := v.canAct()
	v.task.Board.Show(game.State{
		Position: v.Position, Previous: v.Previous, LastTurn: v.LastTurn, Draft: v.draft,
		Seat: v.Puzzle.Turn, CanAct: canAct, Static: !canAct,
	})
}

// canAct reports whether the answer is made on the board.
func (v *puzzleScreen) canAct() bool { return v.isOpen() && v.Puzzle.Goal != puzzle.GoalSide }

// stay is the end of an operation after which the screen stays as it is.
func stay() tea.Cmd { return nil }

var bindings = screen.Bindings[*puzzleScreen]{
	{Key: screen.Keys("b", "b", "answer: Black"), When: (*puzzleScreen).asksForSide, Label: "Black", Do: func(v *puzzleScreen) tea.Cmd { return v.answer([]string{"b"}) }},
	{Key: screen.Keys("w", "w", "answer: White"), When: (*puzzleScreen).asksForSide, Label: "White", Do: func(v *puzzleScreen) tea.Cmd { return v.answer([]string{"w"}) }},
	{Key: screen.Keys("A", "A", "answer with the marked moves; make a move to mark it, and again to unmark it"), When: (*puzzleScreen).asksForSet, Label: "answer", Do: func(v *puzzleScreen) tea.Cmd { return v.answer(v.marked) }},
	{Key: screen.Keys("enter space", "Enter", "when a puzzle is over: the next one"), When: func(v *puzzleScreen) bool { return v.IsOver() }, LabelOf: (*puzzleScreen).nextLabel, Do: (*puzzleScreen).next},
	{Key: screen.Keys("H", "H", "a hint, and then a second one; the try is then not rated"), When: (*puzzleScreen).canHint, Label: "hint", Rank: 1, Do: (*puzzleScreen).hint},
	{Key: screen.Keys("S", "S", "show the solution, with the reason"), When: (*puzzleScreen).isOpen, Label: "solution", Rank: 2, Do: (*puzzleScreen).showSolution},
	{Key: screen.Keys("T", "T", "train: choose a game and a theme, or a streak"), Label: "train", Rank: 2, Do: (*puzzleScreen).openList},
	{Key: screen.Keys("] .", "]", "the next puzzle, this one solved or not; not in a streak"), When: (*puzzleScreen).canSkip, Label: "next", Rank: 3, Do: (*puzzleScreen).next},
	{Key: screen.Keys("G", "G", "when a puzzle is over: play on from its position in a new game"), When: func(v *puzzleScreen) bool { return v.IsOver() },
		Label: "play on", Rank: 3, Do: func(v *puzzleScreen) tea.Cmd {
			o, err := v.Shell.Visit.StartAtPuzzle()
			return taskboard.PlayFrom(v.Shell, o, err)
		}},
	{Key: screen.Keys("R", "R", "report a puzzle with a wrong task or solution"), Listed: (*puzzleScreen).canReport, When: (*puzzleScreen).canReport, Label: "report", Rank: 3, Do: (*puzzleScreen).report},
	screen.HelpKey[*puzzleScreen](),
}

// lateBindings have the keys that the board gets first.
var lateBindings = screen.Bindings[*puzzleScreen]{
	{Key: screen.Keys("q esc", "q", "leave the puzzles"), Label: "leave", Rank: 4, Do: func(v *puzzleScreen) tea.Cmd { return v.Shell.Back() }},
}

func (v *puzzleScreen) isOpen() bool      { return !v.IsOver() }
func (v *puzzleScreen) asksForSide() bool { return v.isOpen() && v.Puzzle.Goal == puzzle.GoalSide }
func (v *puzzleScreen) asksForSet() bool  { return v.isOpen() && v.Puzzle.Goal == puzzle.GoalSet }
func (v *puzzleScreen) canHint() bool     { return v.isOpen() && v.CanHint() }
func (v *puzzleScreen) canSkip() bool     { return v.isOpen() && v.Mode != puzzles.ModeStreak }
func (v *puzzleScreen) canReport() bool   { return v.Shell.Config.Can(club.PermissionReport) }

// nextLabel returns the label of the key for what follows the puzzle.
func (v *puzzleScreen) nextLabel() string {
	if v.Mode == puzzles.ModeStreak && !v.IsStreakAlive() {
		return "new streak"
	}
	return "next puzzle"
}

// next shows what follows the puzzle.
func (v *puzzleScreen) next() tea.Cmd { return v.choose(v.Shell.Visit.FollowingPuzzle(), stay) }

// shown returns the arguments for the puzzle that the screen shows.
func (v *puzzleScreen) shown() op.ShownPuzzleArgs { return op.ShownPuzzleArgs{Puzzle: v.Puzzle.ID} }

func (v *puzzleScreen) showSolution() tea.Cmd {
	return run(v, op.PuzzleSolution, v.shown(), func(r op.PuzzleResult) tea.Cmd {
		v.show(r)
		return v.explain()
	})
}

// hint adds a hint to the text.
func (v *puzzleScreen) hint() tea.Cmd {
	return run(v, op.PuzzleHint, v.shown(), func(r op.PuzzleResult) tea.Cmd {
		v.show(r)
		return nil
	})
}

// explain explains the solution of a puzzle that is over.
func (v *puzzleScreen) explain() tea.Cmd {
	if !v.IsOver() || v.explanation != nil {
		return nil
	}
	p := v.Puzzle
	return screen.Load(v.Shell, func(context.Context) ([]string, error) {
		return v.Shell.Config.Puzzles.Explain(p), nil
	}, func(text []string) tea.Cmd {
		if v.Puzzle == p {
			v.explanation = text
		}
		return nil
	})
}

// report asks what is wrong with the puzzle.
func (v *puzzleScreen) report() tea.Cmd {
	id := v.Puzzle.ID
	return v.Shell.OpenPrompt(&screen.Prompt{
		TextField: widget.TextField{Limit: 200}, Label: "What is wrong with puzzle " + id, EnterHelp: "report",
		Enter: func(text string) tea.Cmd {
			return screen.Run(v.Shell, op.PuzzleReport, op.PuzzleReportArgs{Puzzle: id, Text: text}, func(*puzzle.Puzzle) tea.Cmd {
				v.Shell.Notify("Reported to the moderators.")
				return nil
			})
		},
	})
}

// answer checks an answer.
func (v *puzzleScreen) answer(actions []string) tea.Cmd {
	if len(actions) == 0 {
		v.Shell.NotifyError("Mark a move first: make it on the board.")
		return nil
	}
	v.draft = nil
	return run(v, op.AnswerPuzzle, op.AnswerArgs{Puzzle: v.Puzzle.ID, Actions: actions, Retry: true}, func(r op.PuzzleResult) tea.Cmd {
		switch o := r.Outcome; {
		case o.Wrong:
			v.Shell.NotifyError("%s", words.PuzzleOutcome(*o, r.IsOver()))
		case !o.Solved:
			v.Shell.Notify("Right so far. The reply is %s.", v.game.ShortTurn(o.Reply))
		}
		v.show(r)
		return v.explain()
	})
}

// Handle implements screen.Screen.
func (v *puzzleScreen) Handle(msg tea.Msg) tea.Cmd {
	return taskboard.Input(v, &v.task, msg, bindings, lateBindings, v.apply)
}

// apply does with the puzzle what the user did on the board.
func (v *puzzleScreen) apply(res game.InputResult) tea.Cmd {
	switch {
	case res.Refused:
		v.Shell.NotifyError("%s", res.Message)
		return nil
	case res.Turn != nil && v.Puzzle.Goal == puzzle.GoalSet:
		v.mark(strings.Join(res.Turn, "; "))
		v.showBoard()
		return nil
	case res.Turn != nil:
		return v.answer(res.Turn)
	case res.Draft != nil:
		v.draft = res.Draft
		v.showBoard()
	}
	if res.Message != "" {
		v.Shell.Notify("%s", words.Sentence(res.Message))
	}
	return nil
}

// mark adds an action to the marked ones of a set, or removes it.
func (v *puzzleScreen) mark(action string) {
	if i := slices.Index(v.marked, action); i >= 0 {
		v.marked = slices.Delete(v.marked, i, i+1)
		return
	}
	v.marked = append(v.marked, action)
	slices.Sort(v.marked)
}

// text returns what is beside the board: the task, or the solution with its reason, and what the try has changed.
func (v *puzzleScreen) text() []taskboard.Paragraph {
	t := v.Shell.Style.Theme
	all := []taskboard.Paragraph{{Text: v.Shell.Config.Puzzles.Theme(v.Puzzle).Title(), Style: t.Strong}}
	add := func(style paint.Style, format string, args ...any) {
		all = append(all, taskboard.Paragraph{Text: fmt.Sprintf(format, args...), Style: style})
	}
	switch {
	case v.IsSolved && v.IsFailed:
		add(t.Notice, "Solved, after a wrong answer: %s.", words.PuzzleSolution(v.Puzzle))
	case v.IsSolved:
		add(t.Notice, "Solved: %s.", words.PuzzleSolution(v.Puzzle))
	case v.IsShown:
		add(t.Notice, "The solution: %s.", words.PuzzleSolution(v.Puzzle))
	default:
		add(t.Text, "%s", v.Task())
	}
	switch {
	case v.IsOver():
		for _, line := range v.explanation {
			add(t.Text, "%s", line)
		}
	case v.asksForSide():
		add(t.Notice, "b: Black wins, w: White wins.")
	case v.asksForSet() && len(v.marked) == 0:
		add(t.Notice, "Make each of these moves to mark it, then answer with A.")
	case v.asksForSet():
		add(t.Notice, "Marked: %s. A: answer.", strings.Join(v.marked, ", "))
	default:
		add(t.Notice, "Make your move on the board.")
	}
	for i, hint := range v.Hints {
		add(t.Text, "Hint %d: %s", i+1, hint)
	}
	switch {
	case v.Mode == puzzles.ModeStreak:
		add(t.Strong, "%s", words.PuzzleStreak(v.Try))
	case v.Result != nil && (v.Result.Rated || v.IsOver()):
		add(t.Strong, "%s", words.PuzzleResult(*v.Result))
	case v.Result == nil && v.IsRepeated:
		add(t.Dim, "You did not solve it on %s. Not rated.", v.FirstTriedAt.UTC().Format("2 Jan"))
	}
	if v.IsOver() {
		add(t.Notice, "Enter: %s.", v.nextLabel())
	}
	return all
}

// title returns the title of the screen.
func (v *puzzleScreen) title() string {
	switch {
	case v.Mode == puzzles.ModeDay:
		return "Puzzle of the day"
	case v.Mode == puzzles.ModeStreak:
		return fmt.Sprintf("Streak: %d", v.Streak)
	}
	return "Training"
}

// headerSpace is the space in a header around its parts.
const headerSpace = 5

// details returns the game, the side and the rating of the puzzle for the header, in short where they are wider than width.
func (v *puzzleScreen) details(width int) string {
	game, side := v.game.Engine().Title(), v.game.Side(v.Position, v.Puzzle.Turn)
	details := fmt.Sprintf("%s · you are %s · rating %.0f", game, side, v.PuzzleRating.Value)
	if paint.Width(details) > width {
		details = fmt.Sprintf("%s · %s · rating %.0f", game, side, v.PuzzleRating.Value)
	}
	return details
}

// Draw implements screen.Screen.
func (v *puzzleScreen) Draw(c paint.Canvas) {
	t := v.Shell.Style.Theme
	right := v.Puzzle.ID
	if v.UserRating.Deviation > 0 && v.Mode != puzzles.ModeStreak {
		right = "you " + words.PuzzleRating(v.UserRating)
	}
	w, _ := c.Size()
	widget.DrawHeader(c, t, v.title(), v.details(w-paint.Width(v.title())-paint.Width(right)-headerSpace), right)
	v.task.DrawTask(c, v.Shell.Style, v.text())
}

// StatusLine implements screen.Screen.
func (v *puzzleScreen) StatusLine() (string, paint.Style) {
	if !v.canAct() && v.task.Board.Typed() == "" {
		return "", v.Shell.Style.Theme.Dim
	}
	return v.task.TaskLine(v.Shell)
}

// Traits implements screen.Screen.
func (v *puzzleScreen) Traits() screen.Traits {
	t := v.task.Traits()
	t.Name, t.Operates = "puzzle", []string{"hint"}
	t.Here = v.Shell.Visit.StartAtPuzzle
	return t
}

// Operate implements screen.Operator.
func (v *puzzleScreen) Operate(name, args string) (cmd tea.Cmd, ok bool) {
	switch word, _, _ := strings.Cut(strings.ToLower(args), " "); {
	case name == "hint" || name == "puzzle_hint":
		return v.hint(), true
	case name == "puzzle_solution":
		return v.showSolution(), true
	case name == "puzzles" || name == "puzzle" && (word == "train" || word == "streak"):
		return v.openList(), true
	case name == "puzzle_report" && args == "":
		return v.report(), true
	case name != "puzzle":
		return nil, false
	case word == "day":
		return v.choose(op.PuzzleArgs{Day: true}, stay), true
	case word == "next" || word == "new":
		return v.next(), true
	case args == "":
		return nil, true
	}
	return v.answer(words.PuzzleActions(v.Position, args)), true
}

// StatusKeys implements screen.Screen.
func (v *puzzleScreen) StatusKeys() []game.Key {
	if v.task.Board.Typed() != "" {
		return v.task.Board.StatusKeys()
	}
	keys := bindings.Status(v)
	last := keys[len(keys)-1]
	return append(append(keys[:len(keys)-1], lateBindings.Status(v)...), last)
}

// Help implements screen.Screen.
func (v *puzzleScreen) Help() screen.Help {
	return screen.Help{
		Title: "Puzzles", Games: []game.Game{v.game}, HasBoard: true,
		About: "The puzzle of the day is the same for everyone and changes at midnight UTC. The first try of a puzzle changes your puzzle rating and the puzzle's rating, unless you used a hint. A puzzle that you did not solve comes again after 1, 3, 7 and 21 days. All solutions are proven.",
		Keys:  append(bindings.Help(v), lateBindings.Help(v)...),
	}
}
