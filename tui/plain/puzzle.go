package plain

import (
	"math/rand/v2"
	"time"

	"ayumu/engine/puzzle"
	"ayumu/tui/words"
)

// puzzleCommands show puzzles and check answers.
type puzzleCommands struct{ *session }

// puzzle prints the puzzle of the day or another one, its solution, or what an answer to it led to. Without a puzzle an
// answer is one to that of the day.
func (t puzzleCommands) puzzle(args string) {
	p, err := t.session.puzzle, error(nil)
	if args == "new" {
		p, err = t.config.Puzzles.Random("", rand.IntN)
	} else if p == nil {
		p, err = t.config.Puzzles.OfDay(time.Now())
	}
	if err != nil {
		t.printError(err)
		return
	}
	t.session.puzzle = p
	switch args {
	case "", "new":
		t.printPuzzle(p)
	case "solution":
		t.printf("The solution: %s.", words.PuzzleSolution(p))
	default:
		t.answer(p, args)
	}
}

// printPuzzle prints the task, the form of the answer and the position.
func (t puzzleCommands) printPuzzle(p *puzzle.Puzzle) {
	c := t.config.Puzzles
	t.printf("%s.", words.PuzzleTitle(c, t.config.Games, p))
	t.printf("%s", c.Theme(p).Task(p))
	t.printf("Type puzzle and the answer: %s. puzzle solution shows it, puzzle new is another puzzle.", words.PuzzleAnswer(p))
	if g, ok := t.config.Games.ByName(p.Game); ok {
		for _, l := range g.DescribePosition(c.Start(p)) {
			t.printf("%s", l)
		}
	}
}

// answer prints what an answer led to.
func (t puzzleCommands) answer(p *puzzle.Puzzle, args string) {
	c := t.config.Puzzles
	o, err := c.Answer(p, words.PuzzleActions(c.Start(p), args))
	if err != nil {
		t.printError(err)
		return
	}
	t.printf("%s", words.PuzzleOutcome(o))
}
