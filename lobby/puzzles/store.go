package puzzles

import (
	"context"
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
	// RecordTry applies a try (Apply), all or nothing. Of several first tries at once one is rated. It returns
	// errcode.ErrNotFound if the account was deleted.
	RecordTry(ctx context.Context, t Try) (TryResult, error)
	// RecordStreak keeps the number of puzzles of a game solved in a streak if it is the best of an account,
	// and returns the best one, or errcode.ErrNotFound if the account was deleted.
	RecordStreak(ctx context.Context, id account.ID, game string, solved int) (best int, err error)
}

// memory is the ProgressStore of one session: of a guest, or of anybody if the server keeps no progress. The ratings of
// puzzles do not change, because anybody can be as many guests as they like.
type memory struct {
	ratings func(context.Context) (map[string]rating.Rating, error)

	mu       sync.Mutex // guards progress
	progress Progress
}

// newMemory returns an empty memory. ratings returns those of the puzzles.
func newMemory(ratings func(context.Context) (map[string]rating.Rating, error)) *memory {
	return &memory{ratings: ratings, progress: Progress{make(map[string]Player), make(map[string]Attempt)}}
}

// PuzzleProgress implements ProgressStore. It returns a copy.
func (m *memory) PuzzleProgress(context.Context, account.ID) (Progress, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	all := Progress{make(map[string]Player), make(map[string]Attempt)}
	for game, p := range m.progress.Players {
		all.Players[game] = p
	}
	for id, a := range m.progress.Attempts {
		all.Attempts[id] = a
	}
	return all, nil
}

// PuzzleRatings implements ProgressStore.
func (m *memory) PuzzleRatings(ctx context.Context) (map[string]rating.Rating, error) {
	return m.ratings(ctx)
}

// RecordTry implements ProgressStore.
func (m *memory) RecordTry(ctx context.Context, t Try) (TryResult, error) {
	ratings, err := m.ratings(ctx)
	if err != nil {
		return TryResult{}, err
	}
	of, ok := ratings[t.Puzzle.ID]
	if !ok {
		of = FirstRating(t.Puzzle)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	old, tried := m.progress.Attempts[t.Puzzle.ID]
	player := m.progress.Players[t.Puzzle.Game]
	next, res := Apply(old, tried, player.Rating, of, t)
	player.Rating, res.Puzzle.After = res.User.After, of
	m.progress.Attempts[t.Puzzle.ID], m.progress.Players[t.Puzzle.Game] = next, player
	return res, nil
}

// RecordStreak implements ProgressStore.
func (m *memory) RecordStreak(_ context.Context, _ account.ID, game string, solved int) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	player := m.progress.Players[game]
	player.BestStreak = max(player.BestStreak, solved)
	m.progress.Players[game] = player
	return player.BestStreak, nil
}
