package words

import (
	"fmt"
	"strings"

	"ayumu/engine"
	"ayumu/engine/puzzle"
	"ayumu/lobby/puzzles"
	"ayumu/tui/game"
)

// PuzzleTitle returns the first line about a puzzle: its game, theme, rating and ID, and the side of the solver.
func PuzzleTitle(c *puzzles.Collection, g game.List, p *puzzle.Puzzle) string {
	text := fmt.Sprintf("%s · rating %.0f · puzzle %s", c.Theme(p).Title(), p.Rating(), p.ID)
	if board, ok := g.ByName(p.Game); ok {
		return fmt.Sprintf("%s · %s · you are %s", board.Engine().Title(), text, board.Side(c.Start(p), p.Turn))
	}
	return text
}

// PuzzleDiagram returns the position of a puzzle in characters, or in its one-line form.
func PuzzleDiagram(at engine.Position) string {
	if d, ok := at.(engine.Drawer); ok {
		return d.Diagram()
	}
	return at.String()
}

// PuzzleAnswer returns the form of the answer to a puzzle: "your move", "all of them, with spaces between".
func PuzzleAnswer(p *puzzle.Puzzle) string {
	switch {
	case p.Goal == puzzle.GoalSide:
		return "b for Black or w for White"
	case p.Goal == puzzle.GoalSet:
		return "all of them, with spaces between"
	case len(p.Line) > 1:
		return "your moves so far, with spaces between; the reply follows"
	case len(p.Line[0].Actions) == 1:
		return "your move"
	}
	return "a whole turn, with ; between its actions"
}

// PuzzleActions splits an answer into actions: at semicolons, or else at spaces, unless the whole text is an
// action.
func PuzzleActions(at engine.Position, text string) []string {
	text = strings.TrimSpace(text)
	if strings.Contains(text, ";") {
		var all []string
		for part := range strings.SplitSeq(text, ";") {
			if part = strings.Join(strings.Fields(part), " "); part != "" {
				all = append(all, part)
			}
		}
		return all
	}
	text = strings.Join(strings.Fields(text), " ")
	if _, err := at.Play(text); err == nil {
		return []string{text}
	}
	return strings.Fields(text)
}

// PuzzleOutcome returns what an answer led to, as sentences.
func PuzzleOutcome(o puzzle.Outcome) string {
	switch {
	case o.Solved:
		return "Solved."
	case o.Wrong && o.Turns > 0:
		return fmt.Sprintf("Wrong from turn %d on%s. %s", o.Turns+1, because(o.Reason), tryAgain)
	case o.Wrong:
		return fmt.Sprintf("Wrong%s. %s", because(o.Reason), tryAgain)
	}
	return fmt.Sprintf("Right so far; the reply is %s. Add your next turn.", strings.Join(o.Reply, "; "))
}

const tryAgain = "Try again."

func because(reason string) string {
	if reason == "" {
		return ""
	}
	return ": " + reason
}

// PuzzleSolution returns the solution of a puzzle in the text form of its actions.
func PuzzleSolution(p *puzzle.Puzzle) string {
	separator := " "
	if p.Goal == puzzle.GoalLine {
		separator = "; "
	}
	return strings.Join(puzzles.Solution(p), separator)
}
