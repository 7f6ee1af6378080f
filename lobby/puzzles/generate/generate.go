// Package generate finds puzzles in finished matches: in those of records, and, while the machine is idle, in those of
// the server.
//
// Search has no side effects. A Worker reads matches and writes puzzles, on a goroutine of its caller.
package generate

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"strings"

	"ayumu/engine"
	"ayumu/engine/puzzle"
	"ayumu/engine/search"
	"ayumu/lobby/record"
)

// Search searches positions of one match for puzzles, and rates those that it returns: at most one of each theme, that
// with the largest effort, ordered by theme. pause is called before each position and can wait; nil: no pause. It returns an
// error of the positions, or that of ctx.
func Search(ctx context.Context, positions iter.Seq2[engine.Position, error], games engine.Games, themes []puzzle.Theme, e search.Engine, pause func(context.Context)) ([]puzzle.Puzzle, error) {
	best := make(map[string]puzzle.Puzzle) // by theme
	for p, err := range positions {
		if err != nil {
			return nil, err
		}
		if pause != nil {
			pause(ctx)
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		for _, theme := range themes {
			if z, ok := theme.Find(ctx, p, e); ok && best[theme.Name()].Effort < z.Effort {
				best[theme.Name()] = z
			}
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	found := make([]puzzle.Puzzle, 0, len(best))
	for _, theme := range themes {
		z, ok := best[theme.Name()]
		if !ok {
			continue
		}
		start, err := z.Start(games)
		if err != nil {
			return nil, err
		}
		if _, err := puzzle.Rate(ctx, e, theme, &z, start); err != nil {
			return nil, err
		}
		found = append(found, z)
	}
	slices.SortFunc(found, func(a, b puzzle.Puzzle) int {
		return cmp.Or(strings.Compare(a.Theme, b.Theme), strings.Compare(a.ID, b.ID))
	})
	return found, nil
}

// Positions returns the positions of a record before each of its lines. The error is that of a line that cannot be
// played.
func Positions(r *record.Record) iter.Seq2[engine.Position, error] {
	return func(yield func(engine.Position, error) bool) {
		p := r.Options.Game().New(r.Options)
		for _, l := range r.Lines {
			if !yield(p, nil) {
				return
			}
			var err error
			if len(l.Actions) == 0 {
				p, err = p.Leave(l.Seat)
			} else {
				p, err = engine.PlayTurn(p, l.Actions)
			}
			if err != nil {
				yield(nil, err)
				return
			}
		}
	}
}
