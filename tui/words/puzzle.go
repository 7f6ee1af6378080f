package words

import (
	"fmt"
	"math"
	"strings"

	"ayumu/engine"
	"ayumu/engine/puzzle"
	"ayumu/lobby/puzzles"
	"ayumu/lobby/rating"
	"ayumu/tui/game"
)

// PuzzleTitle returns the first line about a puzzle: its game, theme, rating and ID, and the side of the solver.
func PuzzleTitle(c *puzzles.Collection, g game.List, p *puzzle.Puzzle, of rating.Rating) string {
	text := fmt.Sprintf("%s · rating %.0f · puzzle %s", c.Theme(p).Title(), of.Value, p.ID)
	if board, ok := g.ByName(p.Game); ok {
		return fmt.Sprintf("%s · %s · you are %s", board.Engine().Title(), text, board.Side(c.Start(p), p.Turn))
	}
	return text
}

// Diagram returns a position in characters, with those of the seat to move among them, or in its one-line form.
func Diagram(at engine.Position) string {
	if d, ok := at.(engine.Drawer); ok {
		return fmt.Sprintf("%s\nyou are %s in this drawing", d.Diagram(), d.Mark(at.Turn()))
	}
	return at.String()
}

// PuzzleAnswer returns the form of the answer to a puzzle: "your move", "all of them, separated by spaces".
func PuzzleAnswer(p *puzzle.Puzzle) string {
	switch {
	case p.Goal == puzzle.GoalSide:
		return "b for Black or w for White"
	case p.Goal == puzzle.GoalSet:
		return "all of them, separated by spaces"
	case len(p.Line) > 1:
		return "your moves so far, separated by spaces; the reply follows"
	case len(p.Line[0].Actions) == 1:
		return "your move"
	}
	return "a whole turn as in a game, its actions separated by ;"
}

// PuzzleActions returns the actions of an answer to a try: a turn as people type it in a game, or else actions between semicolons or
// spaces, unless the whole text is one.
func PuzzleActions(g game.List, t *puzzles.Try, text string) []string {
	at := t.Position
	text = strings.TrimSpace(text)
	if board, ok := g.ByName(t.Puzzle.Game); ok && t.Puzzle.Goal == puzzle.GoalLine {
		if turn, err := board.ParseTurn(at, text); err == nil {
			return turn
		}
	}
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

// PuzzleOutcome returns what an answer led to, as sentences. isOver reports that a wrong answer cannot be followed by
// another one.
func PuzzleOutcome(o puzzle.Outcome, isOver bool) string {
	tryAgain := " Try again."
	if isOver {
		tryAgain = ""
	}
	switch {
	case o.Solved:
		return "Solved."
	case o.Wrong && o.Turns > 0:
		return fmt.Sprintf("Wrong from turn %d on%s.%s", o.Turns+1, because(o.Reason), tryAgain)
	case o.Wrong:
		return fmt.Sprintf("Wrong%s.%s", because(o.Reason), tryAgain)
	}
	return fmt.Sprintf("Right so far; the reply is %s. Add your next turn.", strings.Join(o.Reply, "; "))
}

func because(reason string) string {
	if reason == "" {
		return ""
	}
	return ": " + reason
}

// PuzzleSolution returns the solution of a puzzle as people read it, as a clause: its turns, the moves of a set, or the side that
// wins.
func PuzzleSolution(c *puzzles.Collection, g game.List, p *puzzle.Puzzle) string {
	switch p.Goal {
	case puzzle.GoalSide:
		return map[string]string{"b": "Black wins", "w": "White wins"}[p.Side]
	case puzzle.GoalSet:
		return strings.Join(p.Solution(), " ")
	}
	var all []string
	at := c.Start(p)
	for _, turn := range p.Line {
		for _, actions := range [][]string{turn.Actions, turn.Reply} {
			if next, err := engine.PlayTurn(at, actions); err == nil && len(actions) > 0 {
				at = next
				all = append(all, puzzleActions(g, p, at, actions))
			}
		}
	}
	return strings.Join(all, "; ")
}

// puzzleActions returns actions as they stand in a sentence. One that is a single word, such as b1-b2, is notation that people
// read; others are for programs, and are described as an instruction. after is the position after them, or before if they do not
// end a turn.
func puzzleActions(g game.List, p *puzzle.Puzzle, after engine.Position, actions []string) string {
	text := strings.Join(actions, "; ")
	if board, ok := g.ByName(p.Game); ok && strings.Contains(text, " ") {
		return board.DescribeTurn(after, actions, "")
	}
	return text
}

// PuzzleHint returns the hint of a try with an index as people read it.
func PuzzleHint(g game.List, t *puzzles.Try, i int) string {
	until := *t
	until.Hints = t.Hints[:i+1]
	_, actions := until.HintMark()
	if len(actions) == 0 {
		return t.Hints[i]
	}
	return strings.Replace(t.Hints[i], strings.Join(actions, "; "), puzzleActions(g, t.Puzzle, t.Position, actions), 1)
}

// PuzzleReason returns a sentence of the explanation of a puzzle as it follows the solution, which it does not repeat.
func PuzzleReason(p *puzzle.Puzzle, sentence string) string {
	solution := p.Solution()
	if rest, ok := strings.CutPrefix(sentence, strings.Join(solution, "; ")+": "); ok {
		return Sentence(rest)
	}
	if p.Goal == puzzle.GoalLine && len(solution) > 1 {
		return strings.Replace(sentence, ": "+strings.Join(solution, ", "), ": as above", 1)
	}
	return sentence
}

// PuzzleSteps returns the turns that show the solution of a puzzle in words, numbered within each line.
func PuzzleSteps(c *puzzles.Collection, g game.List, p *puzzle.Puzzle) (lines []string) {
	board, ok := g.ByName(p.Game)
	if !ok {
		return nil
	}
	line, n := -1, 0
	for _, s := range c.Steps(p) {
		if !s.IsTurn() {
			continue
		}
		if n++; s.Line != line {
			line, n = s.Line, 1
		}
		lines = append(lines, fmt.Sprintf("%d. %s.", n, PuzzleStep(board, &s)))
	}
	return lines
}

// PuzzleStep describes a step of a solution, as a clause: the turn that it ends, or the action that it is.
func PuzzleStep(g game.Game, s *puzzles.Step) string {
	if s.IsTurn() {
		return g.DescribeTurn(s.Position, s.LastTurn, g.Side(s.Previous, s.Previous.Turn()))
	}
	return g.DescribeTurn(s.Position, s.Draft[len(s.Draft)-1:], g.Side(s.Position, s.Position.Turn()))
}

// PuzzleUser returns the rating of a user in the puzzles of a game: "your rating 1512?"; a question mark marks a
// provisional one.
func PuzzleUser(r rating.Rating) string { return "your rating " + PuzzleRating(r) }

// PuzzleRating returns a rating of a user in puzzles; a question mark marks a provisional one.
func PuzzleRating(r rating.Rating) string {
	mark := "?"
	if r.IsEstablished() {
		mark = ""
	}
	return fmt.Sprintf("%.0f%s", r.Value, mark)
}

// PuzzleResult returns what a try has changed, as a sentence.
func PuzzleResult(t *puzzles.Try) string {
	r := t.Result
	text := "Not rated: only the first try of a puzzle counts, and only without a hint."
	switch {
	case t.IsUnrated():
		text = "The puzzle of the day is not rated until you have trained."
	case r.Rated && !t.ShowsRating():
		text = fmt.Sprintf("Rated. You will see your rating after %s.", Plural(t.PuzzlesToRating(), "more puzzle"))
	case r.Rated:
		text = fmt.Sprintf("Your rating: %s, the puzzle's: %s.", change(r.User), change(r.Puzzle))
	}
	if !r.DueAt.IsZero() {
		text += " You will see this puzzle again on " + r.DueAt.UTC().Format("2 Jan") + "."
	}
	return text
}

// change returns a rating after a try, with the difference: "1662 (+162)".
func change(c rating.Change) string {
	before, after := math.Round(c.Before.Value), math.Round(c.After.Value)
	return fmt.Sprintf("%.0f (%+.0f)", after, after-before)
}

// PuzzleStreak returns how the streak of a try stands, as a sentence.
func PuzzleStreak(t *puzzles.Try) string {
	switch {
	case t.IsStreakAlive():
		return fmt.Sprintf("%d in a row.", t.Streak)
	case t.BestStreak > t.Streak:
		return fmt.Sprintf("The streak ends with %d; your best is %d.", t.Streak, t.BestStreak)
	case t.BestStreak > 0:
		return fmt.Sprintf("The streak ends with %d, your best.", t.Streak)
	}
	return fmt.Sprintf("The streak ends with %d.", t.Streak)
}

// DailyResult returns the result of a daily puzzle; "" for none.
func DailyResult(r puzzles.DailyResult) string {
	switch r {
	case puzzles.DailySolved:
		return "+ solved"
	case puzzles.DailyFailed:
		return "- not solved"
	}
	return ""
}

// DailyShare returns the results of daily puzzles as a line for others: "Ayumu daily GAME, 28 Nov 2026: 4 of 5 ++-++". It says
// nothing of the solutions.
func DailyShare(game string, r puzzles.DailyResults) string {
	return fmt.Sprintf("Ayumu daily %s, %s: %d of %d %s", game, Date(r.Date()), r.Solved(), len(r.Results), r.Results)
}

// PuzzleSummary returns what a user has done with the puzzles of a game or theme: "12 of 30 tried, 9 solved, 2
// due" for repetition.
func PuzzleSummary(s puzzles.Summary) string {
	text := fmt.Sprintf("%d of %d tried, %d solved", s.Tried, s.Total, s.Solved)
	if s.Due > 0 {
		text += fmt.Sprintf(", %d due", s.Due)
	}
	return text
}
