package learn

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/engine"
	"ayumu/engine/puzzle"
	"ayumu/lobby/club"
	"ayumu/lobby/puzzles"
	"ayumu/tui/game"
	"ayumu/tui/op"
	"ayumu/tui/paint"
	"ayumu/tui/screen"
	"ayumu/tui/screen/dest"
	"ayumu/tui/widget"
	"ayumu/tui/words"
)

// OpenPuzzle shows the puzzle of the day of a game.
func OpenPuzzle(sh *screen.Shell, d dest.Puzzle) tea.Cmd {
	v := &puzzleScreen{Base: screen.Base{Shell: sh}}
	return v.choose(op.PuzzleArgs{Day: true, Game: cmp.Or(d.Game, sh.Visit.PuzzleGame())}, func() tea.Cmd { return sh.Push(v) })
}

// puzzleScreen shows one puzzle after the other.
type puzzleScreen struct {
	screen.Base
	*puzzles.Try
	game  game.Game
	task  task
	draft []string // actions of an unfinished turn
	// marked are the actions that the user has marked as those of a set, sorted.
	marked []string
	// explanation are sentences that say why the solution is one, and steps the way through it; nil until they are known.
	explanation []string
	steps       []puzzles.Step
	// at is the number of steps that were made to the position on the board; ownEnd: it is that of the try.
	at int
	// refuted is the wrong turn that the board shows until refutedUntil, with the reply; nil: none.
	refuted      *puzzle.RefutedTurn
	refutedUntil time.Time
	isRunning    bool // an operation runs
	hasHint      bool // there is one that the user has not had
}

// ownEnd is the value of puzzleScreen.at while the board shows the position of the try.
const ownEnd = -1

// refutationTime is how long the board shows the refutation of a wrong answer.
const refutationTime = time.Second

// runPuzzle runs an operation as a command and continues with then; an error is shown. Until it has ended other keys that
// runPuzzle one do nothing, since they were meant for what it will show.
func runPuzzle[A any](v *puzzleScreen, o *op.Op[A, op.PuzzleResult], in A, then func(op.PuzzleResult) tea.Cmd) tea.Cmd {
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
	return runPuzzle(v, op.Puzzle, which, func(r op.PuzzleResult) tea.Cmd {
		g, ok := v.Shell.Config.Games.ByName(r.Puzzle.Game)
		if !ok {
			v.Shell.NotifyError("There is no board for this puzzle.")
			return nil
		}
		v.game, v.task, v.marked, v.explanation, v.steps, v.at, v.refuted = g, task{Board: g.New()}, nil, nil, nil, ownEnd, nil
		v.show(r)
		return then()
	})
}

// show shows the puzzle after an operation.
func (v *puzzleScreen) show(r op.PuzzleResult) {
	v.Try, v.draft = r.Try, nil
	v.showBoard()
}

// showBoard updates the board.
func (v *puzzleScreen) showBoard() {
	v.hasHint = v.HasHint()
	v.task.Board.Show(v.state())
}

// state returns what the board shows: the refutation of an answer, a step of the solution, or the position of the try.
func (v *puzzleScreen) state() game.State {
	s := game.State{Seat: v.Puzzle.Turn, Static: true}
	switch {
	case v.refuted != nil:
		s.Position, s.Previous, s.LastTurn = v.refutation()
		s.ShowsScore = true
	case v.IsOver() && v.at == 0:
		s.Position = v.Shell.Config.Puzzles.Start(v.Puzzle)
	case v.IsOver() && v.at > 0:
		step := &v.steps[v.at-1]
		s.Position, s.Previous, s.LastTurn, s.Draft = step.Position, step.Previous, step.LastTurn, step.Draft
		s.ShowsScore = step.IsTurn() && (v.at == len(v.steps) || v.steps[v.at].Line != step.Line)
	default:
		s.Position, s.Previous, s.LastTurn, s.Draft = v.Position, v.Previous, v.LastTurn, v.draft
		s.CanAct = v.canAct()
		s.Static, s.ShowsScore = !s.CanAct, v.IsOver()
		s.Marked = v.marked
		if len(v.draft) == 0 {
			s.HintPoint, s.Hint = v.HintMark()
		}
	}
	return s
}

// refutation returns the position after the wrong turn and the reply to it, with the turn that led there.
func (v *puzzleScreen) refutation() (after, before engine.Position, turn []string) {
	before, turn = v.refuted.At, v.refuted.Turn
	after, err := engine.PlayTurn(before, turn)
	if err != nil || len(v.refuted.Reply) == 0 {
		return after, before, turn
	}
	before, turn = after, v.refuted.Reply
	after, err = engine.PlayTurn(before, turn)
	if err != nil {
		return before, v.refuted.At, v.refuted.Turn
	}
	return after, before, turn
}

// showRefutation shows a wrong turn with the reply to it for a moment; nil: there is none.
func (v *puzzleScreen) showRefutation(refuted *puzzle.RefutedTurn) {
	if v.refuted = refuted; refuted == nil {
		return
	}
	if after, _, _ := v.refutation(); after == nil {
		v.refuted = nil
		return
	}
	v.refutedUntil = time.Now().Add(refutationTime)
	v.showBoard()
}

// endRefutation shows the puzzle again.
func (v *puzzleScreen) endRefutation() {
	v.refuted = nil
	v.showBoard()
}

// canStep reports whether the board shows steps of the solution.
func (v *puzzleScreen) canStep() bool { return v.IsOver() && len(v.steps) > 0 }

// step shows the solution a number of steps later, or earlier if by is negative, and stops at the ends.
func (v *puzzleScreen) step(by int) tea.Cmd {
	at := v.at
	if at == ownEnd {
		at = 0 // the user's own end is on no way
	}
	v.at = max(min(at+by, len(v.steps)), 0)
	v.showBoard()
	return nil
}

// canAct reports whether the answer is made on the board.
func (v *puzzleScreen) canAct() bool { return v.isOpen() && v.Puzzle.Goal != puzzle.GoalSide }

// stay is the end of an operation after which the screen stays as it is.
func stay() tea.Cmd { return nil }

var puzzleBindings = screen.Bindings[*puzzleScreen]{
	{Key: screen.Keys("1", "1", "answer: Black"), When: (*puzzleScreen).asksForSide, Label: "Black", Do: func(v *puzzleScreen) tea.Cmd { return v.answer([]string{"b"}) }},
	{Key: screen.Keys("2", "2", "answer: White"), When: (*puzzleScreen).asksForSide, Label: "White", Do: func(v *puzzleScreen) tea.Cmd { return v.answer([]string{"w"}) }},
	{Key: screen.Keys("=", "=", "answer with the marked moves; make a move to mark it, and again to unmark it"), When: (*puzzleScreen).asksForSet, Label: "answer", Do: func(v *puzzleScreen) tea.Cmd { return v.answer(v.marked) }},
	{Key: screen.Keys("enter space", "Enter", "when a puzzle is over: the next one"), When: func(v *puzzleScreen) bool { return v.IsOver() }, LabelOf: (*puzzleScreen).nextLabel, Do: (*puzzleScreen).next},
	{Key: screen.Keys("left", "← →", "when a puzzle is over: step through the solution; Home and End: its start and its end"), When: (*puzzleScreen).canStep, Label: "step", Do: func(v *puzzleScreen) tea.Cmd { return v.step(-1) }},
	{Key: screen.Keys("right", "", ""), When: (*puzzleScreen).canStep, Do: func(v *puzzleScreen) tea.Cmd { return v.step(1) }},
	{Key: screen.Keys("home", "", ""), When: (*puzzleScreen).canStep, Do: func(v *puzzleScreen) tea.Cmd { return v.step(-len(v.steps)) }},
	{Key: screen.Keys("end", "", ""), When: (*puzzleScreen).canStep, Do: func(v *puzzleScreen) tea.Cmd { return v.step(len(v.steps)) }},
	{Key: screen.Keys("h", "h", "a hint, a second one, and then the solution; the try is then not rated"), When: (*puzzleScreen).canHint, LabelOf: (*puzzleScreen).hintLabel, Rank: 1, Do: (*puzzleScreen).hint},
	{Key: screen.NoKey("show the solution, with the reason"), Operation: op.PuzzleSolution.Info().Name, When: (*puzzleScreen).isOpen, Do: (*puzzleScreen).showSolution},
	{Key: screen.Keys("z", "z", "choose puzzles: a game and a theme, a streak, or the daily five"), Label: "train", Rank: 2, Do: (*puzzleScreen).openList},
	{Key: screen.NoKey("see the five daily puzzles and your result"), Operation: op.Daily.Info().Name, Do: func(v *puzzleScreen) tea.Cmd { return v.openDaily(v.Puzzle.Game) }},
	{Key: screen.Keys("] .", "]", "the next puzzle, this one solved or not; not in a streak"), When: (*puzzleScreen).canSkip, Label: "next", Rank: 3, Do: (*puzzleScreen).next},
	{Key: screen.NoKey("play on from the position in a new game, when a puzzle is over"), Command: "continue", When: func(v *puzzleScreen) bool { return v.IsOver() },
		Do: func(v *puzzleScreen) tea.Cmd {
			o, err := v.Shell.Visit.StartAtPuzzle()
			return playFrom(v.Shell, o, false, err)
		}},
	{Key: screen.NoKey("report a puzzle with a wrong task or solution"), Operation: op.PuzzleReport.Info().Name, Listed: (*puzzleScreen).canReport, When: (*puzzleScreen).canReport, Do: (*puzzleScreen).report},
	screen.HelpKey[*puzzleScreen](),
}

// puzzleLateBindings have the keys that the board gets first.
var puzzleLateBindings = screen.Bindings[*puzzleScreen]{
	{Key: screen.Keys("q esc", "q", "leave the puzzles"), Label: "leave", Rank: 4, Do: func(v *puzzleScreen) tea.Cmd { return v.Shell.Back() }},
}

func (v *puzzleScreen) isOpen() bool      { return !v.IsOver() }
func (v *puzzleScreen) asksForSide() bool { return v.isOpen() && v.Puzzle.Goal == puzzle.GoalSide }
func (v *puzzleScreen) asksForSet() bool  { return v.isOpen() && v.Puzzle.Goal == puzzle.GoalSet }

// canHint reports whether there are hints, and after them the solution: a streak has none.
func (v *puzzleScreen) canHint() bool { return v.isOpen() && v.CanHint() }

// hintLabel returns the label of the key for a hint, which shows the solution after the last one.
func (v *puzzleScreen) hintLabel() string {
	if v.hasHint {
		return "hint"
	}
	return "solution"
}

func (v *puzzleScreen) canSkip() bool   { return v.isOpen() && v.Mode != puzzles.ModeStreak }
func (v *puzzleScreen) canReport() bool { return v.Shell.Config.Can(club.PermissionReport) }

// nextLabel returns the label of the key for what follows the puzzle.
func (v *puzzleScreen) nextLabel() string {
	if v.Mode == puzzles.ModeStreak && !v.IsStreakAlive() {
		return "new streak"
	}
	if v.isLastDaily() {
		return "your result"
	}
	return "next puzzle"
}

// next shows what follows the puzzle.
func (v *puzzleScreen) next() tea.Cmd {
	if v.isLastDaily() {
		return v.openDaily(v.Puzzle.Game)
	}
	return v.choose(v.Shell.Visit.FollowingPuzzle(), stay)
}

// isLastDaily reports whether the last of the daily puzzles is shown.
func (v *puzzleScreen) isLastDaily() bool {
	return v.Mode == puzzles.ModeDaily && v.Shell.Visit.FollowingPuzzle().Daily == 0
}

// shown returns the arguments for the puzzle that the screen shows.
func (v *puzzleScreen) shown() op.ShownPuzzleArgs { return op.ShownPuzzleArgs{Puzzle: v.Puzzle.ID} }

func (v *puzzleScreen) showSolution() tea.Cmd {
	return runPuzzle(v, op.PuzzleSolution, v.shown(), func(r op.PuzzleResult) tea.Cmd {
		v.show(r)
		return v.explain()
	})
}

// hint adds a hint to the text, and after the last one shows the solution.
func (v *puzzleScreen) hint() tea.Cmd {
	if !v.hasHint {
		return v.showSolution()
	}
	return runPuzzle(v, op.PuzzleHint, v.shown(), func(r op.PuzzleResult) tea.Cmd {
		v.show(r)
		return nil
	})
}

// explain explains the solution of a puzzle that is over.
func (v *puzzleScreen) explain() tea.Cmd {
	if !v.IsOver() || v.explanation != nil {
		return nil
	}
	p, all := v.Puzzle, v.Shell.Config.Puzzles
	return screen.Load(v.Shell, func(context.Context) ([]string, error) {
		return all.Explain(p), nil
	}, func(text []string) tea.Cmd {
		if v.Puzzle != p {
			return nil
		}
		v.explanation, v.steps = text, all.Steps(p)
		switch taken := v.StepsTaken(v.steps); {
		case v.IsSolved:
			v.at = taken
		case len(v.steps) > 0:
			v.at = min(max(taken, 0)+1, len(v.steps)) // the first step that the user has not found
		}
		v.showBoard()
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
	return runPuzzle(v, op.AnswerPuzzle, op.AnswerArgs{Puzzle: v.Puzzle.ID, Actions: actions, Retry: true}, func(r op.PuzzleResult) tea.Cmd {
		switch o := r.Outcome; {
		case o.Wrong:
			v.Shell.NotifyError("%s", words.PuzzleOutcome(*o, r.IsOver()))
		case !o.Solved:
			v.Shell.Notify("Right so far. The reply is %s.", v.game.ShortTurn(o.Reply))
		}
		v.show(r)
		v.showRefutation(r.Outcome.Refuted)
		return v.explain()
	})
}

// Handle implements screen.Screen.
func (v *puzzleScreen) Handle(msg tea.Msg) tea.Cmd {
	if v.refuted != nil {
		switch msg := msg.(type) {
		case tea.KeyPressMsg:
			v.endRefutation()
			if key := msg.String(); key == "enter" || key == "space" || key == "esc" {
				return nil // the key only skips it
			}
		case tea.MouseClickMsg:
			v.endRefutation()
			return nil
		default:
			if !time.Now().Before(v.refutedUntil) {
				v.endRefutation()
			}
		}
	}
	return taskInput(v, &v.task, msg, puzzleBindings, puzzleLateBindings, v.apply)
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
func (v *puzzleScreen) text() []paragraph {
	t := v.Shell.Style.Theme
	all := []paragraph{{Text: v.Shell.Config.Puzzles.Theme(v.Puzzle).Title(), Style: t.Strong, CanCut: true}}
	add := func(style paint.Style, format string, args ...any) {
		all = append(all, paragraph{Text: fmt.Sprintf(format, args...), Style: style})
	}
	cut := func(style paint.Style, kept int, text string) {
		all = append(all, paragraph{Text: text, Style: style, CanCut: true, Kept: kept})
	}
	solution := words.PuzzleSolution(v.Shell.Config.Puzzles, v.Shell.Config.Games, v.Puzzle)
	switch {
	case v.IsSolved && v.IsFailed:
		cut(t.Notice, 1, "Solved, after a wrong answer: "+solution+".")
	case v.IsSolved:
		cut(t.Good, 1, "Solved: "+solution+".")
	case v.IsShown:
		cut(t.Notice, 1, "The solution: "+solution+".")
	default:
		cut(t.Text, 1, v.Task())
	}
	switch {
	case v.IsOver():
		for _, line := range v.explanation {
			cut(t.Text, 0, words.PuzzleReason(v.Puzzle, line))
		}
		if v.canStep() && v.at > 0 {
			text := "the turn ends"
			if s := &v.steps[v.at-1]; len(s.LastTurn) <= 1 || !s.IsTurn() {
				text = words.PuzzleStep(v.game, s)
			}
			if s := &v.steps[v.at-1]; s.IsTurn() {
				if r, over := s.Position.Result(); over {
					text += ". The game is over: " + v.game.DescribeEnding(s.Position, r)
				}
			}
			add(t.Strong, "Step %d of %d: %s.", v.at, len(v.steps), text)
		}
	case v.asksForSide():
		add(t.Notice, "1: Black wins, 2: White wins.")
	case v.asksForSet() && len(v.marked) == 0:
		cut(t.Notice, 0, "Make each of these moves to mark it, then answer with =.")
	case v.asksForSet():
		var marked []string
		for i, move := range v.marked {
			marked = append(marked, fmt.Sprintf("%d %s", i+1, move))
		}
		add(t.Notice, "Marked: %s. =: answer.", strings.Join(marked, ", "))
	default:
		cut(t.Notice, 0, makeYourMove)
	}
	for i := range v.Hints {
		if v.IsOver() {
			break
		}
		add(t.Text, "Hint %d: %s", i+1, words.PuzzleHint(v.Shell.Config.Games, v.Try, i))
	}
	switch {
	case v.Mode == puzzles.ModeStreak && v.IsStreakAlive(): // the title has its length
	case v.Mode == puzzles.ModeStreak:
		add(t.Strong, "%s", words.PuzzleStreak(v.Try))
	case v.Result != nil && (v.Result.Rated || v.IsOver()):
		add(t.Strong, "%s", words.PuzzleResult(v.Try))
	case v.Result == nil && v.IsRepeated:
		add(t.Dim, "You did not solve it on %s. Not rated.", v.FirstTriedAt.UTC().Format("2 Jan"))
	}
	if v.IsOver() {
		add(t.Notice, "Enter: %s.%s", v.nextLabel(), v.moreToday())
	}
	return all
}

// moreToday names the daily puzzles after the puzzle of the day; "": they are not what follows it, or done.
func (v *puzzleScreen) moreToday() string {
	r := v.Shell.Visit.DailyResults(v.Puzzle.Game)
	switch open := strings.Count(r.Results, string(puzzles.DailyOpen)); {
	case v.Mode != puzzles.ModeDay || open == 0:
		return ""
	default:
		return fmt.Sprintf(" z: %d more today.", open)
	}
}

// makeYourMove asks for a turn on the board.
const makeYourMove = "Make your move on the board."

// sizeText returns the text that decides how large the board is. It is the same for all of a puzzle.
func (v *puzzleScreen) sizeText() []paragraph {
	return []paragraph{{Text: v.Task()}, {Text: makeYourMove}, {Text: "Enter: " + v.nextLabel() + "."}}
}

// title returns the title of the screen.
func (v *puzzleScreen) title() string {
	switch {
	case v.Mode == puzzles.ModeDay:
		return "Puzzle of the day"
	case v.Mode == puzzles.ModeDaily:
		return fmt.Sprintf("Daily puzzle %d of %d", v.Number, puzzles.DailyLen)
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
	right := ""
	if v.ShowsRating() {
		right = "you " + words.PuzzleRating(v.UserRating)
	}
	w, _ := c.Size()
	p := boardPage{Title: v.title(), Side: v.details(w - paint.Width(v.title()) - paint.Width(right) - headerSpace), ShortSide: v.details(0), Note: right, Text: v.text(), SizeText: v.sizeText()}
	p.Status, p.StatusStyle = v.StatusLine()
	v.task.area = p.Draw(c, v.Shell.Style, v.task.Board)
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
	t.Name, t.DrawsStatus, t.Operates = "puzzle", true, puzzleBindings.Operates(v)
	t.Operates["hint"] = "h"
	t.Here = v.Shell.Visit.StartAtPuzzle
	return t
}

// Operate implements screen.OperationHandler.
func (v *puzzleScreen) Operate(name, args string) (cmd tea.Cmd, ok bool) {
	switch word, game, _ := strings.Cut(strings.ToLower(args), " "); {
	case name == "hint" || name == "puzzle_hint":
		return v.hint(), true
	case name == "puzzle_solution":
		return v.showSolution(), true
	case name == "puzzles" || name == "puzzle" && (word == "train" || word == "streak"):
		return v.openList(), true
	case name == "daily" && args == "":
		return v.openDaily(v.Puzzle.Game), true
	case name == "puzzle_report" && args == "":
		return v.report(), true
	case name != "puzzle":
		return nil, false
	case word == "day":
		return v.choose(op.PuzzleArgs{Day: true, Game: strings.TrimSpace(game)}, stay), true
	case word == "next" || word == "new":
		return v.next(), true
	case args == "":
		return nil, true
	}
	return v.answer(words.PuzzleActions(v.Shell.Config.Games, v.Try, args)), true
}

// NextChange implements screen.Screen.
func (v *puzzleScreen) NextChange(time.Time) time.Time {
	if v.refuted == nil {
		return time.Time{}
	}
	return v.refutedUntil
}

// StatusKeys implements screen.Screen.
func (v *puzzleScreen) StatusKeys() []game.Key {
	if v.task.Board.Typed() != "" {
		return v.task.Board.StatusKeys()
	}
	keys := screen.ShownKeys(v.task.Board, puzzleBindings.Status(v))
	last := keys[len(keys)-1]
	keys = append(append(keys[:len(keys)-1], puzzleLateBindings.Status(v)...), last)
	if !v.canAct() {
		return keys
	}
	return slices.Concat(turnKeys(v.task.Board), keys)
}

// turnKeys returns the keys with which a turn is made on a board, for the status bar: the first one, and those that end the turn
// and take an action back.
func turnKeys(b game.Board) (keys []game.Key) {
	for i, k := range b.StatusKeys() {
		if i == 0 || k.Key == "e" || k.Key == "u" || k.Key == "*" {
			keys = append(keys, k)
		}
	}
	return keys
}

// Help implements screen.Screen.
func (v *puzzleScreen) Help() screen.Help {
	return screen.Help{
		Title: "Puzzles", Games: []game.Game{v.game}, HasBoard: true,
		About: "The puzzle of the day of each game is the same for everyone and changes at midnight UTC; it is not rated until you have a rating, which you see from your fifth puzzle on. The first try of a puzzle changes your puzzle rating and the puzzle's rating, unless you used a hint. A puzzle that you did not solve comes again after 1, 3, 7 and 21 days. All solutions are proven.",
		Keys:  append(puzzleBindings.Help(v), puzzleLateBindings.Help(v)...),
	}
}
