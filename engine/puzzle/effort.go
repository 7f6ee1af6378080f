package puzzle

import (
	"context"

	"ayumu/engine"
	"ayumu/engine/search"
)

// Limits of Effort: a solution that is found with trivialEffort playouts is too simple for a puzzle, and one
// that maxEffort playouts do not find is doubtful.
const (
	trivialEffort = 4
	maxEffort     = 8192
)

// Effort returns the number of playouts with which a search of the highest level is right, in powers of
// 2, whichever of two seeds it has. found reports whether advice is right. It returns false if the search is
// right at once, or never (NotFound), or is not right any more with the most playouts, or if ctx ends (0).
func Effort(ctx context.Context, e search.Engine, p engine.Position, found func(search.Advice) bool) (int, bool) {
	isFound := func(playouts int, seed uint64) bool {
		o := search.Options{Level: search.MaxLevel, Playouts: playouts, Seed: seed}
		advice, err := e.NewSearcher().Search(ctx, p, o)
		return err == nil && ctx.Err() == nil && found(advice)
	}
	effort := minPlayouts(isFound, RatingSeed)
	ok := effort > trivialEffort && effort < NotFound && isFound(maxEffort, RatingSeed) && isFound(maxEffort, RatingSeed+1)
	if ctx.Err() != nil {
		return 0, false
	}
	return effort, ok
}

// minPlayouts returns the smallest power of 2 with which, and with the next one, both of two searches are right, up to
// maxEffort, which needs no next one; otherwise NotFound. seed is the first of the two seeds.
func minPlayouts(isFound func(playouts int, seed uint64) bool, seed uint64) int {
	least := NotFound
	for playouts := 1; playouts <= maxEffort; playouts *= 2 {
		switch {
		case !isFound(playouts, seed) || !isFound(playouts, seed+1):
			least = NotFound
		case least < NotFound:
			return least
		default:
			least = playouts
		}
	}
	return least
}
