// Package puzzle has the themes of puzzles of Mu: territory and explosions. Their solutions are exact: all
// turns that the rules allow are played.
//
// The package does no I/O, starts no goroutine and reads no clock.
package puzzle

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"ayumu/engine"
	"ayumu/engine/mu"
	"ayumu/engine/puzzle"
	"ayumu/engine/search"
)

// Shipped has the puzzles that ship with the program, one on each line (puzzle.Read). They are those that
// `ayumu-lab puzzles generate` found in games of the engine against itself.
//
//go:embed shipped.jsonl
var Shipped string

// Themes are the themes of Mu.
var Themes = []puzzle.Theme{
	territoryTheme{
		name: "territory", title: "Territory", task: "Find the turn after which you have the most territory: %d cells.",
		minGain: 3, moves: true,
	},
	territoryTheme{
		name: "explosions", title: "Order of explosions", task: "Choose the order of explosions that leaves you the most territory, %d cells, and end the turn.",
		minGain: 2,
	},
}

// maxPositions is the number of different positions of one turn above which there is no puzzle.
const maxPositions = 20_000

// maxBest is the number of different positions with the most territory above which there is no puzzle.
const maxBest = 4

// minChoice is how many times as many positions as solve a puzzle its turns end in at least, so that a turn by chance seldom
// solves it. No promise depends on the exact value: with 2 half of the positions could solve it.
const minChoice = 3

// territoryTheme asks for a turn after which the solver has the most territory.
type territoryTheme struct {
	name, title, task string // task has a verb for the number of cells
	moves             bool   // the turn begins here; otherwise explosions are pending, and no move is made after them
	minGain           int    // territory more than the worst turn, or than a pass, at least
}

// Name implements puzzle.Theme.
func (t territoryTheme) Name() string { return t.name }

// Title implements puzzle.Theme.
func (t territoryTheme) Title() string { return t.title }

// Task implements puzzle.Theme.
func (t territoryTheme) Task(p *puzzle.Puzzle) string {
	return fmt.Sprintf(t.task, p.Number)
}

// Length implements puzzle.Theme: the actions before the turn ends.
func (t territoryTheme) Length(p *puzzle.Puzzle, _ engine.Position) int {
	return max(len(p.Line[0].Actions)-1, 1)
}

// ending is a turn and the territory of the seat after it.
type ending struct {
	actions   []string
	territory int
}

// Find implements puzzle.Theme. The puzzle of explosions is one after a move of the position, the first that
// has one.
func (t territoryTheme) Find(ctx context.Context, p engine.Position, _ search.Engine) (puzzle.Puzzle, bool) {
	at, ok := p.(*mu.Position)
	if !ok || at.Phase() != mu.Play || at.MidTurn() || len(at.Critical()) > 0 {
		return puzzle.Puzzle{}, false
	}
	if at, ok = rebuild(at); !ok {
		return puzzle.Puzzle{}, false
	}
	if t.moves {
		return t.at(ctx, at)
	}
	for _, a := range at.AppendLegal(nil) {
		if a.Kind != mu.Move || ctx.Err() != nil {
			continue
		}
		after, err := at.Do(a)
		if err != nil || len(after.Critical()) == 0 {
			continue
		}
		if after, ok = rebuild(after); !ok {
			continue
		}
		if z, ok := t.at(ctx, after); ok {
			return z, true
		}
	}
	return puzzle.Puzzle{}, false
}

// setup returns the words of setposition before a position.
func setup(p *mu.Position) string {
	var centres []string
	for _, h := range p.Board().Centres() {
		centres = append(centres, h.String())
	}
	return strconv.Itoa(p.Seats()) + " " + strings.Join(centres, ";")
}

// rebuild returns a position without its history, as a puzzle starts. It returns false if that changes the
// position: a seat has left, or a section oscillates otherwise.
func rebuild(p *mu.Position) (*mu.Position, bool) {
	for seat := range p.Seats() {
		if p.HasLeft(seat) {
			return nil, false
		}
	}
	words := append(strings.Fields(setup(p)), strings.Fields(p.String())...)
	again, err := mu.Game{}.ParsePosition(words)
	if err != nil {
		return nil, false
	}
	at := again.(*mu.Position)
	return at, slices.Equal(at.Legal(), p.Legal())
}

// at returns the puzzle in a position.
func (t territoryTheme) at(ctx context.Context, p *mu.Position) (puzzle.Puzzle, bool) {
	all, ok := t.endings(ctx, p)
	if !ok {
		return puzzle.Puzzle{}, false
	}
	best, number := t.best(all)
	worst := p.Territory()[p.Turn()]
	if !t.moves {
		worst = slices.MinFunc(all, func(a, b ending) int { return a.territory - b.territory }).territory
	}
	if number > maxBest || len(all) < minChoice*number || best.territory < worst+t.minGain {
		return puzzle.Puzzle{}, false
	}
	z := puzzle.New(mu.Game{}, setup(p), p, t, puzzle.GoalLine)
	z.Number, z.Line, z.Effort = best.territory, []puzzle.Turn{{Actions: best.actions}}, len(all)/number
	return z, true
}

// best returns a turn with the most territory, one with the fewest actions, and the number of those.
func (t territoryTheme) best(all []ending) (best ending, number int) {
	best = slices.MinFunc(all, func(a, b ending) int {
		if a.territory != b.territory {
			return b.territory - a.territory
		}
		return len(a.actions) - len(b.actions)
	})
	for _, e := range all {
		if e.territory == best.territory {
			number++
		}
	}
	return best, number
}

// endings returns a turn of the seat to move to each position in which one can end, with as few actions as any that it meets,
// or false if there are more than maxPositions on the way or ctx ends.
func (t territoryTheme) endings(ctx context.Context, p *mu.Position) ([]ending, bool) {
	type draft struct {
		p       *mu.Position
		actions []string
	}
	var found []ending
	seen := map[string]bool{p.String(): true}
	ends := make(map[string]int) // index in found, by the position
	seat := p.Turn()
	for open := []draft{{p, nil}}; len(open) > 0; {
		d := open[len(open)-1]
		open = open[:len(open)-1]
		for _, a := range d.p.AppendLegal(nil) {
			if a.Kind == mu.Move && !t.moves {
				continue
			}
			next, err := d.p.Do(a)
			if err != nil {
				return nil, false
			}
			actions := append(slices.Clip(d.actions), a.String())
			if a.Kind == mu.End {
				line := next.String()
				if i, ok := ends[line]; !ok {
					ends[line] = len(found)
					found = append(found, ending{actions, next.Territory()[seat]})
				} else if len(actions) < len(found[i].actions) {
					found[i].actions = actions
				}
				continue
			}
			if line := next.String(); !seen[line] {
				seen[line] = true
				open = append(open, draft{next, actions})
			}
			if len(seen) > maxPositions || ctx.Err() != nil {
				return nil, false
			}
		}
	}
	return found, true
}

// Accepts implements puzzle.Theme: any turn that reaches the territory.
func (t territoryTheme) Accepts(p *puzzle.Puzzle, _ int, at engine.Position, actions []string) (bool, string, []string) {
	if !t.moves && slices.ContainsFunc(actions, func(a string) bool { return strings.HasPrefix(a, "move ") }) {
		return false, "end the turn without a further move", nil
	}
	after, err := engine.PlayTurn(at, actions)
	if err != nil {
		return false, err.Error(), nil
	}
	territory := after.(*mu.Position).Territory()[p.Turn]
	return territory >= p.Number, fmt.Sprintf("the territory is %d cells, and %d are possible", territory, p.Number), nil
}

// Verify implements puzzle.Theme.
func (t territoryTheme) Verify(p *puzzle.Puzzle, start engine.Position) error {
	at, ok := start.(*mu.Position)
	if !ok || len(p.Line) != 1 {
		return errors.New("no such position")
	}
	all, ok := t.endings(context.Background(), at)
	if !ok {
		return errors.New("there are too many turns")
	}
	if best, number := t.best(all); best.territory != p.Number || number > maxBest {
		return fmt.Errorf("%d turns reach %d cells, not %d", number, best.territory, p.Number)
	}
	if ok, why, _ := t.Accepts(p, 0, at, p.Line[0].Actions); !ok {
		return errors.New(why)
	}
	return nil
}

// TryRandom implements puzzle.RandomTrier: each action is one of the legal ones with the same probability.
func (t territoryTheme) TryRandom(p *puzzle.Puzzle, start engine.Position, randN func(n int) int) bool {
	at := start.(*mu.Position)
	for {
		legal := at.AppendLegal(nil)
		if !t.moves {
			legal = slices.DeleteFunc(legal, func(a mu.Action) bool { return a.Kind == mu.Move })
		}
		a := legal[randN(len(legal))]
		next, err := at.Do(a)
		if err != nil {
			return false
		}
		if a.Kind == mu.End {
			return next.Territory()[p.Turn] >= p.Number
		}
		at = next
	}
}
