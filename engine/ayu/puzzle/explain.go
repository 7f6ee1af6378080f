package puzzle

import (
	"fmt"
	"strings"

	"ayumu/engine"
	"ayumu/engine/ayu"
	"ayumu/engine/ayu/solve"
	"ayumu/engine/puzzle"
)

// explainLimit bounds the search for what a wrong answer allows, in boards: a user waits for it.
const explainLimit = 100

// turnsText returns a number of turns in words.
func turnsText(n int) string {
	if n == 1 {
		return "1 turn"
	}
	return fmt.Sprintf("%d turns", n)
}

// Hints implements puzzle.Theme: the stone, then the move.
func (onlyLine) Hints(p *puzzle.Puzzle, n int) []string {
	move := p.Line[n].Actions[0]
	from, _, _ := strings.Cut(move, "-")
	return []string{"Move the stone on " + from + ".", "The move is " + move + "."}
}

// Accepts implements puzzle.Theme. The reason is a reply of the opponent after which the solver cannot win in time.
func (finish) Accepts(p *puzzle.Puzzle, n int, at engine.Position, actions []string) (bool, string) {
	if ok, _ := (onlyLine{}).Accepts(p, n, at, actions); ok {
		return true, ""
	}
	m, err := ayu.ParseMove(actions[0])
	position, ok := at.(*ayu.Position)
	if err != nil || !ok {
		return false, ""
	}
	left := p.Number - n - 1
	after := position.Board().After(m)
	s := solve.Solver{Limit: explainLimit}
	for _, reply := range after.Moves(nil) {
		if wins, known := s.Wins(after.After(reply), left); !wins && known {
			return false, fmt.Sprintf("after the reply %s %s cannot win in %s", reply, side(p.Turn), turnsText(left))
		}
	}
	return false, ""
}

// Explain implements puzzle.Theme.
func (finish) Explain(p *puzzle.Puzzle, start engine.Position) []string {
	line := make([]string, 0, 2*len(p.Line))
	for _, t := range p.Line {
		line = append(line, t.Actions...)
		line = append(line, t.Reply...)
	}
	text := fmt.Sprintf("%s wins in %s, whatever %s does. No other first move wins even in %s.",
		p.Line[0].Actions[0], turnsText(p.Number), side(1-p.Turn), turnsText(p.Number+1))
	if len(line) == 1 {
		return []string{text}
	}
	end := "."
	if len(p.Line) < p.Number {
		end = "; from there more than one move wins."
	}
	return []string{text, "The longest resistance: " + strings.Join(line, ", ") + end}
}

// spanAfter returns the moves that the opponent of the solver needs after an answer to a cut.
func spanAfter(at engine.Position, action string) (int, bool) {
	m, err := ayu.ParseMove(action)
	position, ok := at.(*ayu.Position)
	if err != nil || !ok {
		return 0, false
	}
	b := position.Board()
	return b.After(m).Span(b.Turn().Other()), true
}

// Accepts implements puzzle.Theme. The reason is the length of the opponent's way.
func (cut) Accepts(p *puzzle.Puzzle, n int, at engine.Position, actions []string) (bool, string) {
	if ok, _ := (onlyLine{}).Accepts(p, n, at, actions); ok {
		return true, ""
	}
	given, ok := spanAfter(at, actions[0])
	best, known := spanAfter(at, p.Line[n].Actions[0])
	if !ok || !known {
		return false, ""
	}
	return false, fmt.Sprintf("%s then needs %d moves, and with the right move %d", side(1-p.Turn), given, best)
}

// Explain implements puzzle.Theme.
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
	return []string{fmt.Sprintf("After %s %s needs %d moves to join all stones, instead of %d. After any other move it needs at most %d.",
		best, side(1-p.Turn), after, b.Span(other), second)}
}

// Hints implements puzzle.Theme: how many moves are asked for, then one of them.
func (trap) Hints(p *puzzle.Puzzle, _ int) []string {
	number := "There is one such move."
	if len(p.Set) > 1 {
		number = fmt.Sprintf("There are %d such moves.", len(p.Set))
	}
	return []string{number, "One of them is " + p.Set[0] + "."}
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
			all = append(all, fmt.Sprintf("After %s %s cannot move, and has won.", action, side(1-p.Turn)))
			continue
		}
		s := solve.Solver{Limit: findLimit}
		for _, reply := range after.Moves(nil) {
			if wins, _ := s.WinsAfter(after.After(reply), 0); wins {
				all = append(all, fmt.Sprintf("After %s %s wins with %s.", action, side(1-p.Turn), reply))
				break
			}
		}
	}
	return all
}

// Hints implements puzzle.Theme: the moves that each side needs. A second hint would be the answer.
func (race) Hints(p *puzzle.Puzzle, _ int) []string {
	at, err := p.Start(engine.Games{ayu.Game{}})
	if err != nil {
		return nil
	}
	b := at.(*ayu.Position).Board()
	return []string{fmt.Sprintf("If the other side never moved, %s would need %d moves to join all stones, and %s %d.",
		side(p.Turn), b.Span(b.Turn()), side(1-p.Turn), b.Span(b.Turn().Other()))}
}

// Explain implements puzzle.Theme: the number of turns of the winner, and the first move of a winner who is to move.
func (race) Explain(p *puzzle.Puzzle, start engine.Position) []string {
	b := start.(*ayu.Position).Board()
	s := solve.Solver{Limit: findLimit}
	own := b.Turn().String() == p.Side
	for n := range maxRaceTurns + 1 {
		if !own {
			if wins, _ := s.WinsAfter(b, n); wins {
				return []string{fmt.Sprintf("%s wins in %s, whatever %s does.", side(1-p.Turn), turnsText(n), side(p.Turn))}
			}
			continue
		}
		if wins, _ := s.Wins(b, n); !wins {
			continue
		}
		for _, m := range b.Moves(nil) {
			if wins, _ := s.WinsAfter(b.After(m), n-1); wins {
				return []string{fmt.Sprintf("%s wins in %s, whatever %s does; %s begins it.", side(p.Turn), turnsText(n), side(1-p.Turn), m)}
			}
		}
	}
	return nil
}
