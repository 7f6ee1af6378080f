package puzzle

import (
	"fmt"
	"slices"
	"strings"

	"ayumu/engine"
	"ayumu/engine/ayu"
	"ayumu/engine/ayu/solve"
	"ayumu/engine/puzzle"
)

// explainLimit bounds the search for what a wrong answer allows, in boards: a user waits for it.
const explainLimit = 100

// pathText says what the path of a side is: its span.
const pathText = "the total length of the shortest connections that join the units of a side; what cannot be joined adds nothing"

// countText returns a number with a noun: "1 turn", "2 turns".
func countText(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Hints implements puzzle.Theme: of a win with one move where the move leads, otherwise the stone; then the move.
func (finish) Hints(p *puzzle.Puzzle, n int) []string {
	if p.Number > 1 {
		return onlyLine{}.Hints(p, n)
	}
	move := p.Line[n].Actions[0]
	_, to, _ := strings.Cut(move, "-")
	return []string{"Move a stone to " + to + ".", "A move that wins is " + move + "."}
}

// HintMark implements puzzle.Theme.
func (finish) HintMark(p *puzzle.Puzzle, n, number int) (point string, actions []string) {
	if _, to, _ := strings.Cut(p.Line[n].Actions[0], "-"); p.Number == 1 && number == 1 {
		return to, nil
	}
	return onlyLine{}.HintMark(p, n, number)
}

// Hints implements puzzle.Theme: the stone, then the move.
func (onlyLine) Hints(p *puzzle.Puzzle, n int) []string {
	move := p.Line[n].Actions[0]
	from, _, _ := strings.Cut(move, "-")
	return []string{"Move the stone on " + from + ".", "The move is " + move + "."}
}

// HintMark implements puzzle.Theme.
func (onlyLine) HintMark(p *puzzle.Puzzle, n, number int) (point string, actions []string) {
	switch from, _, _ := strings.Cut(p.Line[n].Actions[0], "-"); number {
	case 0:
		return "", nil
	case 1:
		return from, nil
	}
	return "", p.Line[n].Actions
}

// Lines implements puzzle.Theme: the line.
func (onlyLine) Lines(p *puzzle.Puzzle, _ engine.Position) [][]string {
	return [][]string{p.Solution()}
}

// toTheEnd returns the moves with which a side wins within n own moves: it makes the first one that wins as fast, and the other
// side resists as long as it can. They end early where a proof needs too many boards.
func toTheEnd(s *solve.Solver, b ayu.Board, winner ayu.Color, n int) (moves []string) {
	for !b.IsImmobile() {
		var m ayu.Move
		var ok bool
		if b.Turn() == winner {
			m, ok = winningMove(s, b, n)
			n--
		} else {
			m, n, ok = longestResistance(s, b, n)
		}
		if !ok {
			break
		}
		moves, b = append(moves, m.String()), b.After(m)
	}
	return moves
}

// winningMove returns a move with which the side to move wins within n own moves.
func winningMove(s *solve.Solver, b ayu.Board, n int) (ayu.Move, bool) {
	for _, m := range b.Moves(nil) {
		if wins, _ := s.WinsAfter(b.After(m), n-1); wins {
			return m, true
		}
	}
	return ayu.Move{}, false
}

// longestResistance returns the move after which the opponent of the side to move needs most moves of at most n to win, and how
// many.
func longestResistance(s *solve.Solver, b ayu.Board, n int) (m ayu.Move, left int, ok bool) {
	moves := b.Moves(nil)
	for left = n; left > 0; left-- {
		for _, m := range moves {
			if wins, known := s.Wins(b.After(m), left-1); !wins && known {
				return m, left, true
			}
		}
	}
	return moves[0], 0, len(moves) > 0
}

// Accepts implements puzzle.Theme. The reason is a reply of the opponent after which the solver cannot win in time.
func (finish) Accepts(p *puzzle.Puzzle, n int, at engine.Position, actions []string) (bool, string, []string) {
	if ok, _, _ := (onlyLine{}).Accepts(p, n, at, actions); ok {
		return true, "", nil
	}
	m, err := ayu.ParseMove(actions[0])
	position, ok := at.(*ayu.Position)
	if err != nil || !ok {
		return false, "", nil
	}
	left := p.Number - n - 1
	after := position.Board().After(m)
	if after.IsImmobile() {
		return false, fmt.Sprintf("%s then has no move and wins", side(1-p.Turn)), nil
	}
	s := solve.Solver{Limit: explainLimit}
	if p.Number == 1 {
		if wins, _ := s.WinsAfter(after, 0); wins {
			return true, "", nil
		}
	}
	for _, reply := range after.Moves(nil) {
		if wins, known := s.Wins(after.After(reply), left); !wins && known && left == 0 {
			return false, fmt.Sprintf("after the reply %s, %s can still move", reply, side(p.Turn)), []string{reply.String()}
		} else if !wins && known {
			return false, fmt.Sprintf("after the reply %s, %s cannot win in %s", reply, side(p.Turn), countText(left, "move")), []string{reply.String()}
		}
	}
	return false, "", nil
}

// Lines implements puzzle.Theme: the line, and from its end moves that win.
func (finish) Lines(p *puzzle.Puzzle, start engine.Position) [][]string {
	line := p.Solution()
	b := start.(*ayu.Position).Board()
	winner := b.Turn()
	for _, action := range line {
		m, err := ayu.ParseMove(action)
		if err != nil {
			return [][]string{line}
		}
		b = b.After(m)
	}
	return [][]string{append(line, toTheEnd(&solve.Solver{Limit: findLimit}, b, winner, p.Number-len(p.Line))...)}
}

// Explain implements puzzle.Theme.
func (finish) Explain(p *puzzle.Puzzle, start engine.Position) []string {
	line := make([]string, 0, 2*len(p.Line))
	for _, t := range p.Line {
		line = append(line, t.Actions...)
		line = append(line, t.Reply...)
	}
	if p.Number == 1 {
		return explainWinAtOnce(p, start)
	}
	text := fmt.Sprintf("%s wins in %s, whatever %s does; no other first move does.",
		p.Line[0].Actions[0], countText(p.Number, "move"), side(1-p.Turn))
	if len(line) == 1 {
		return []string{text}
	}
	end := "."
	if len(p.Line) < p.Number {
		end = "; from there more than one move wins."
	}
	return []string{text, "Best defence: " + strings.Join(line, ", ") + end}
}

// explainWinAtOnce explains a win with one move: what it does, and which others win too.
func explainWinAtOnce(p *puzzle.Puzzle, start engine.Position) []string {
	b := start.(*ayu.Position).Board()
	move, own, other := p.Line[0].Actions[0], side(p.Turn), side(1-p.Turn)
	how := "After " + move + ", " + own
	if m, err := ayu.ParseMove(move); err == nil && b.After(m).CountUnits(b.Turn()) == 1 {
		how = fmt.Sprintf("%s joins all stones of %s, which", move, own)
	}
	text := fmt.Sprintf("%s has no move left on its next turn and wins, whatever %s does.", how, other)
	wins, _ := winsAtOnce(&solve.Solver{Limit: findLimit}, b, b.Moves(nil))
	var others []string
	for _, m := range wins {
		if m.String() != move {
			others = append(others, m.String())
		}
	}
	if len(others) == 0 {
		return []string{text + " No other move wins at once."}
	}
	slices.Sort(others)
	return []string{text, "So does " + strings.Join(others, ", ") + "."}
}

// spanAfter returns the length of the opponent's path after an answer to a cut.
func spanAfter(at engine.Position, action string) (int, bool) {
	m, err := ayu.ParseMove(action)
	position, ok := at.(*ayu.Position)
	if err != nil || !ok {
		return 0, false
	}
	b := position.Board()
	return b.After(m).Span(b.Turn().Other()), true
}

// Accepts implements puzzle.Theme. The reason is the length of the opponent's path.
func (cut) Accepts(p *puzzle.Puzzle, n int, at engine.Position, actions []string) (bool, string, []string) {
	if ok, _, _ := (onlyLine{}).Accepts(p, n, at, actions); ok {
		return true, "", nil
	}
	given, ok := spanAfter(at, actions[0])
	best, known := spanAfter(at, p.Line[n].Actions[0])
	if !ok || !known {
		return false, "", nil
	}
	return false, fmt.Sprintf("%s's path is then %s long, and with the right move %d", side(1-p.Turn), countText(given, "point"), best), nil
}

// Explain implements puzzle.Theme. It says nothing of moves: the path is only an estimate of them (ayu.Board.Span).
func (cut) Explain(p *puzzle.Puzzle, start engine.Position) []string {
	best := p.Line[0].Actions[0]
	after, _ := spanAfter(start, best)
	b := start.(*ayu.Position).Board()
	second, other := 0, b.Turn().Other()
	for _, m := range b.Moves(nil) {
		if m.String() != best {
			second = max(second, b.After(m).Span(other))
		}
	}
	return []string{fmt.Sprintf("After %s, %s's path is %s long instead of %d. After any other move it is at most %s long.",
		best, side(1-p.Turn), countText(after, "point"), b.Span(other), countText(second, "point"))}
}

// Hints implements puzzle.Theme: how many moves are asked for, then one of them.
func (trap) Hints(p *puzzle.Puzzle, _ int) []string {
	if len(p.Set) == 1 {
		return []string{"There is one such move.", "It is " + p.Set[0] + "."}
	}
	return []string{fmt.Sprintf("There are %d such moves.", len(p.Set)), "One of them is " + p.Set[0] + "."}
}

// HintMark implements puzzle.Theme.
func (trap) HintMark(p *puzzle.Puzzle, _, number int) (point string, actions []string) {
	if number < 2 {
		return "", nil
	}
	return "", p.Set[:1]
}

// Lines implements puzzle.Theme: each of the moves with the opponent's win.
func (trap) Lines(p *puzzle.Puzzle, start engine.Position) (all [][]string) {
	b := start.(*ayu.Position).Board()
	for _, action := range p.Set {
		m, err := ayu.ParseMove(action)
		if err != nil {
			return [][]string{p.Set[:1]}
		}
		all = append(all, append([]string{action}, toTheEnd(&solve.Solver{Limit: findLimit}, b.After(m), b.Turn().Other(), 1)...))
	}
	return all
}

// Explain implements puzzle.Theme: the move with which the opponent wins, after each of the moves.
func (trap) Explain(p *puzzle.Puzzle, start engine.Position) (all []string) {
	b := start.(*ayu.Position).Board()
	for _, action := range p.Set {
		m, err := ayu.ParseMove(action)
		if err != nil {
			return nil
		}
		after := b.After(m)
		if after.IsImmobile() {
			all = append(all, fmt.Sprintf("After %s, %s has no move and wins.", action, side(1-p.Turn)))
			continue
		}
		s := solve.Solver{Limit: findLimit}
		for _, reply := range after.Moves(nil) {
			if wins, _ := s.WinsAfter(after.After(reply), 0); wins {
				all = append(all, fmt.Sprintf("After %s, %s wins with %s.", action, side(1-p.Turn), reply))
				break
			}
		}
	}
	return all
}

// Hints implements puzzle.Theme: the length of each side's path. A second hint would be the answer.
func (race) Hints(p *puzzle.Puzzle, _ int) []string {
	at, err := p.Start(engine.Games{ayu.Game{}})
	if err != nil {
		return nil
	}
	b := at.(*ayu.Position).Board()
	return []string{fmt.Sprintf("%s's path is %s long and %s's %d, so each side needs about as many moves. A path is %s.",
		side(p.Turn), countText(b.Span(b.Turn()), "point"), side(1-p.Turn), b.Span(b.Turn().Other()), pathText)}
}

// HintMark implements puzzle.Theme.
func (race) HintMark(*puzzle.Puzzle, int, int) (point string, actions []string) { return "", nil }

// winnersTurns returns the side that wins a race, and within how many own turns; -1: that needs too many boards.
func winnersTurns(p *puzzle.Puzzle, start engine.Position) (winner ayu.Color, n int) {
	b := start.(*ayu.Position).Board()
	s := solve.Solver{Limit: findLimit}
	winner = b.Turn()
	if winner.String() != p.Side {
		winner = winner.Other()
	}
	for n := range maxRaceTurns + 1 {
		wins, _ := s.WinsAfter(b, n)
		if winner == b.Turn() {
			wins, _ = s.Wins(b, n)
		}
		if wins {
			return winner, n
		}
	}
	return winner, -1
}

// Lines implements puzzle.Theme: the winner's moves against the longest resistance.
func (race) Lines(p *puzzle.Puzzle, start engine.Position) [][]string {
	winner, n := winnersTurns(p, start)
	if n < 0 {
		return nil
	}
	return [][]string{toTheEnd(&solve.Solver{Limit: findLimit}, start.(*ayu.Position).Board(), winner, n)}
}

// Explain implements puzzle.Theme: the number of turns of the winner, and the first move of a winner who is to move.
func (race) Explain(p *puzzle.Puzzle, start engine.Position) []string {
	b := start.(*ayu.Position).Board()
	winner, n := winnersTurns(p, start)
	switch {
	case n < 0:
		return nil
	case winner != b.Turn():
		return []string{fmt.Sprintf("%s wins in %s, whatever %s does.", side(1-p.Turn), countText(n, "move"), side(p.Turn))}
	}
	first, _ := winningMove(&solve.Solver{Limit: findLimit}, b, n)
	return []string{fmt.Sprintf("%s wins in %s, whatever %s does, starting with %s.", side(p.Turn), countText(n, "move"), side(1-p.Turn), first)}
}
