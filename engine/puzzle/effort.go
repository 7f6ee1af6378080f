package puzzle

import (
	"context"

	"ayumu/engine"
	"ayumu/engine/search"
)

// Limits of Effort: a solution that is found with trivialEffort playouts is too simple for a puzzle, and one
// that mostEffort playouts do not find is doubtful.
const (
	trivialEffort = 16
	mostEffort    = 8192
)

// Effort returns the number of playouts from which on a search of the highest level is right, in powers of
// 2, whichever of two seeds it has. found reports whether advice is right. It returns false if the search is
// right at once, or never, or if ctx ends.
func Effort(ctx context.Context, e search.Engine, p engine.Position, found func(search.Advice) bool) (int, bool) {
	isFound := func(playouts int) bool {
		for seed := uint64(1); seed <= 2; seed++ {
			o := search.Options{Level: search.MaxLevel, Playouts: playouts, Seed: seed}
			advice, err := e.NewSearcher().Search(ctx, p, o)
			if err != nil || ctx.Err() != nil || !found(advice) {
				return false
			}
		}
		return true
	}
	if isFound(trivialEffort) || !isFound(mostEffort) {
		return 0, false
	}
	effort := mostEffort
	for effort > 2*trivialEffort && isFound(effort/2) {
		effort /= 2
	}
	return effort, ctx.Err() == nil
}
