package puzzles

import (
	"context"
	"maps"
	"sync"
	"time"

	"ayumu/engine/puzzle"
	"ayumu/lobby/account"
	"ayumu/lobby/rating"
)

// Store keeps what accounts do with puzzles, the ratings of puzzles, and the puzzles that the server has found
// itself. Changes are durable when a method has returned nil. Any goroutine may call the methods.
type Store interface {
	ProgressStore
	// AddPuzzles stores puzzles that the server has found, without those whose IDs are stored, and returns
	// their number.
	AddPuzzles(ctx context.Context, found []puzzle.Puzzle, at time.Time) (added int, err error)
	// AddedPuzzles returns the puzzles that AddPuzzles has stored, in the order of their times and IDs.
	AddedPuzzles(ctx context.Context) ([]puzzle.Puzzle, error)
}

// ProgressStore is the part of a Store that a Trainer uses.
type ProgressStore interface {
	// PuzzleProgress returns what an account has done with puzzles.
	PuzzleProgress(ctx context.Context, id account.ID) (Progress, error)
	// PuzzleRatings returns the ratings of the puzzles that were tried, by ID.
	PuzzleRatings(ctx context.Context) (map[string]rating.Rating, error)
	// RecordTry stores what a try of an account changes (Try.Apply), all or nothing. Of several first tries at once one is
	// rated. It returns errcode.ErrNotFound if the account was deleted.
	RecordTry(ctx context.Context, id account.ID, t Try, at time.Time) (Result, error)
	// RecordStreak keeps the number of puzzles of a game solved in a streak if it is the best of an account,
	// and returns the best one, or errcode.ErrNotFound if the account was deleted.
	RecordStreak(ctx context.Context, id account.ID, game string, solved int) (best int, err error)
}

// memory is the ProgressStore of one session: of a guest, or of anyone if the server keeps no progress. The ratings of
// puzzles do not change, because anyone can be as many guests as they like.
type memory struct {
	ratings func(context.Context) (map[string]rating.Rating, error)

	mu       sync.Mutex // guards progress
	progress Progress
}

// newMemory returns an empty memory. ratings returns those of the puzzles.
func newMemory(ratings func(context.Context) (map[string]rating.Rating, error)) *memory {
	return &memory{ratings: ratings, progress: Progress{make(map[string]rating.Rating), make(map[string]int), make(map[string]TriedPuzzle)}}
}

// PuzzleProgress implements ProgressStore. It returns a copy.
func (m *memory) PuzzleProgress(context.Context, account.ID) (Progress, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	p := m.progress
	return Progress{maps.Clone(p.Ratings), maps.Clone(p.BestStreaks), maps.Clone(p.Puzzles)}, nil
}

// PuzzleRatings implements ProgressStore.
func (m *memory) PuzzleRatings(ctx context.Context) (map[string]rating.Rating, error) {
	return m.ratings(ctx)
}

// RecordTry implements ProgressStore.
func (m *memory) RecordTry(ctx context.Context, _ account.ID, t Try, at time.Time) (Result, error) {
	ratings, err := m.ratings(ctx)
	if err != nil {
		return Result{}, err
	}
	of := currentRating(t.Puzzle, ratings)
	m.mu.Lock()
	defer m.mu.Unlock()
	after, r := t.Apply(m.progress.Puzzles[t.Puzzle.ID], m.progress.rating(t.Puzzle.Game), of, at)
	m.progress.Puzzles[t.Puzzle.ID], m.progress.Ratings[t.Puzzle.Game] = after, r.User.After
	r.Puzzle.After = of
	return r, nil
}

// RecordStreak implements ProgressStore.
func (m *memory) RecordStreak(_ context.Context, _ account.ID, game string, solved int) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	best := max(m.progress.BestStreaks[game], solved)
	m.progress.BestStreaks[game] = best
	return best, nil
}
