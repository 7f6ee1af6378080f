package puzzle

import (
	"fmt"
	"strings"

	"ayumu/engine"
	"ayumu/engine/mu"
	"ayumu/engine/puzzle"
)

// Hints implements puzzle.Theme: the cell with which the turn begins, then its first action.
func (t territoryTheme) Hints(p *puzzle.Puzzle, n int) []string {
	first := p.Line[n].Actions[0]
	if words := strings.Fields(first); len(words) > 1 {
		return []string{"Begin on the cell " + words[1] + ".", "First: " + first + "."}
	}
	return []string{"First: " + first + "."}
}

// HintMark implements puzzle.Theme.
func (t territoryTheme) HintMark(p *puzzle.Puzzle, n, number int) (point string, actions []string) {
	first := p.Line[n].Actions[:1]
	switch words := strings.Fields(first[0]); {
	case number == 0:
		return "", nil
	case number == 1 && len(words) > 1:
		return words[1], nil
	}
	return "", first
}

// Lines implements puzzle.Theme: the turn.
func (territoryTheme) Lines(p *puzzle.Puzzle, _ engine.Position) [][]string {
	return [][]string{p.Solution()}
}

// Explain implements puzzle.Theme: the territory before and after the turn. What a wrong answer reaches is the reason
// of Accepts.
func (t territoryTheme) Explain(p *puzzle.Puzzle, start engine.Position) []string {
	actions := p.Line[0].Actions
	others := "no other turn reaches more"
	if !t.moves {
		others = "no other order of explosions leaves you more without a further move"
	}
	text := fmt.Sprintf("%s: you have %d cells of territory, and %s.", strings.Join(actions, "; "), p.Number, others)
	at, ok := start.(*mu.Position)
	if !ok || !t.moves {
		return []string{text}
	}
	return []string{text, fmt.Sprintf("A pass would leave you %d cells.", at.Territory()[p.Turn])}
}
