package plain

import (
	"context"
	"strings"

	"ayumu/lobby/puzzles"
	"ayumu/tui/op"
	"ayumu/tui/words"
)

// puzzleCommands show puzzles and check answers.
type puzzleCommands struct{ *session }

// puzzle prints the puzzle of the day or another one, a hint, its solution, or what an answer to it led to. Without a
// puzzle an answer is one to that of the day.
func (t puzzleCommands) puzzle(args string) {
	if t.puzzles == nil && !t.beginOfDay() {
		return
	}
	word, rest, _ := strings.Cut(args, " ")
	rest = strings.TrimSpace(rest)
	switch strings.ToLower(word) {
	case "":
		t.print()
	case "day":
		if t.beginOfDay() {
			t.print()
		}
	case "next", "new":
		t.begin(t.puzzles.Next())
	case "train":
		t.train(rest)
	case "streak":
		t.streak(rest)
	case "themes":
		t.printThemes()
	case "hint":
		t.hint()
	case "solution":
		t.puzzles.IsShown = true
		t.store()
		t.explain()
	case "report":
		t.report(rest)
	default:
		t.answer(args)
	}
}

// beginOfDay begins the puzzle of the day. It returns false if there is none.
func (t puzzleCommands) beginOfDay() bool {
	if t.puzzles == nil {
		t.session.puzzles = op.NewTraining(t.visit)
	}
	if err := t.puzzles.BeginOfDay(); err != nil {
		t.session.puzzles = nil
		t.printError(err)
		return false
	}
	rate := t.puzzles.Rater()
	return t.call(func(ctx context.Context) error {
		c, err := rate(ctx)
		t.puzzles.ApplyChoice(c)
		return err
	})
}

// begin prints the puzzle that choose chooses.
func (t puzzleCommands) begin(choose func(context.Context) (op.Chosen, error)) {
	if t.call(func(ctx context.Context) error {
		c, err := choose(ctx)
		if err == nil {
			t.puzzles.Begin(c)
		}
		return err
	}) {
		t.print()
	}
}

// game returns the game that a word names, if one does.
func (t puzzleCommands) game(word string) (name string, ok bool) {
	for _, g := range t.config.Games {
		if strings.EqualFold(word, g.Engine().Name()) {
			return g.Engine().Name(), true
		}
	}
	return "", false
}

// train begins a training: args are a game, a theme, or both.
func (t puzzleCommands) train(args string) {
	var f puzzles.Filter
	for _, word := range strings.Fields(args) {
		if name, ok := t.game(word); ok {
			f.Game = name
		} else {
			f.Theme = strings.ToLower(word)
		}
	}
	t.begin(t.puzzles.Train(f))
}

// streak begins or continues a streak of a game, without one of that of the puzzle.
func (t puzzleCommands) streak(args string) {
	game := t.puzzles.Puzzle.Game
	if args != "" {
		name, ok := t.game(args)
		if !ok {
			t.printf("Error: usage: puzzle streak GAME")
			return
		}
		game = name
	}
	t.begin(t.puzzles.NextOfStreak(game))
}

// printThemes prints what the user has done, by game and theme.
func (t puzzleCommands) printThemes() {
	t.call(func(ctx context.Context) error {
		all, err := op.TrainerOf(t.visit).Summaries(ctx)
		for _, s := range all {
			if s.Theme != "" {
				t.printf("puzzle train %s %s: %s, %s.", s.Game, s.Theme, s.Title, words.PuzzleSummary(s))
				continue
			}
			t.printf("puzzle train %s: %s, %s; best streak %d.", s.Game, words.PuzzleUser(s.Player.Rating), words.PuzzleSummary(s), s.Player.BestStreak)
		}
		return err
	})
}

// print prints the task, the form of the answer and the position.
func (t puzzleCommands) print() {
	c, p := t.config.Puzzles, t.puzzles.Puzzle
	title := words.PuzzleTitle(c, t.config.Games, p, t.puzzles.Choice.Rating)
	switch {
	case t.puzzles.Mode == op.PuzzleStreak:
		title += " · streak"
	case t.puzzles.Choice.User.Deviation > 0:
		title += " · " + words.PuzzleUser(t.puzzles.Choice.User)
	}
	t.printf("%s.", title)
	if t.puzzles.Choice.IsRepeated && t.puzzles.Result == nil {
		t.printf("You did not solve it on %s. Not rated.", t.puzzles.Choice.FirstTriedAt.UTC().Format("2 Jan"))
	}
	t.printf("%s", t.puzzles.Task())
	t.printf("Type puzzle and the answer: %s. puzzle hint helps, puzzle solution shows it, puzzle next is another puzzle.", words.PuzzleAnswer(p))
	if g, ok := t.config.Games.ByName(p.Game); ok {
		for _, l := range g.DescribePosition(c.Start(p)) {
			t.printf("%s", l)
		}
	}
}

// answer prints what an answer led to. Turns of a line can be given together or one after the other.
func (t puzzleCommands) answer(args string) {
	if t.puzzles.IsOver() {
		t.printf("Error: this puzzle is over. puzzle next is another one.")
		return
	}
	position := t.puzzles.State().Position
	o, err := t.puzzles.Check(words.PuzzleActions(position, args))
	if err != nil {
		t.printError(err)
		return
	}
	t.printf("%s", words.PuzzleOutcome(o, t.puzzles.IsOver()))
	t.store()
	if o.Solved || t.puzzles.IsOver() {
		t.explain()
	}
}

// store stores the try if it is over, and prints what it has changed.
func (t puzzleCommands) store() {
	record := t.puzzles.Recorder()
	if record == nil {
		return
	}
	if !t.call(func(ctx context.Context) error {
		r, err := record(ctx)
		if err == nil {
			t.puzzles.Apply(r)
		}
		return err
	}) {
		return
	}
	switch {
	case t.puzzles.Mode == op.PuzzleStreak:
		t.printf("%s", words.PuzzleStreak(t.puzzles.Streak, t.puzzles.BestStreak, t.puzzles.IsStreakAlive()))
	case t.puzzles.Result != nil:
		t.printf("%s", words.PuzzleResult(*t.puzzles.Result))
	}
}

// explain prints the solution and the reason.
func (t puzzleCommands) explain() {
	t.printf("The solution: %s.", words.PuzzleSolution(t.puzzles.Puzzle))
	if explain := t.puzzles.Explainer(); explain != nil {
		explain()()
	}
	for _, line := range t.puzzles.Explanation {
		t.printf("%s", line)
	}
}

// hint prints the next hint.
func (t puzzleCommands) hint() {
	if !t.puzzles.CanHint() {
		t.printf("Error: a streak has no hints.")
		return
	}
	hint, ok := t.puzzles.NextHint()
	if !ok {
		t.printf("Error: there is no further hint. puzzle solution shows the solution.")
		return
	}
	t.printf("%s", hint)
	t.store()
}

// report reports the puzzle to the moderators.
func (t puzzleCommands) report(text string) {
	if text == "" {
		t.printf("Error: usage: puzzle report WHAT IS WRONG")
		return
	}
	if t.call(t.puzzles.Reporter(text)) {
		t.printf("Puzzle %s is reported to the moderators.", t.puzzles.Puzzle.ID)
	}
}
