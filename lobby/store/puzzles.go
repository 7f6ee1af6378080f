package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"ayumu/engine/puzzle"
	"ayumu/lobby/account"
	"ayumu/lobby/errcode"
	"ayumu/lobby/puzzles"
	"ayumu/lobby/rating"
)

// Puzzles implements puzzles.Store. NewPuzzles is the constructor.
type Puzzles struct{ db Database }

// NewPuzzles returns the puzzles in a database.
func NewPuzzles(db Database) Puzzles { return Puzzles{db} }

// ratingTargets are the targets of Scan for the columns value, deviation, volatility and games.
func ratingTargets(r *rating.Rating) []any {
	return []any{&r.Value, &r.Deviation, &r.Volatility, &r.Games}
}

// PuzzleProgress implements puzzles.ProgressStore.
func (s Puzzles) PuzzleProgress(ctx context.Context, id account.ID) (puzzles.Progress, error) {
	p := puzzles.Progress{Ratings: make(map[string]rating.Rating), BestStreaks: make(map[string]int), Puzzles: make(map[string]puzzles.TriedPuzzle)}
	err := Scan(ctx, s.db, "SELECT game, best_streak, value, deviation, volatility, games FROM puzzle_progress WHERE account = ?1", []any{int64(id)}, func(row RowScanner) error {
		var game string
		var best int
		var r rating.Rating
		err := row.Scan(append([]any{&game, &best}, ratingTargets(&r)...)...)
		p.Ratings[game], p.BestStreaks[game] = r, best
		return err
	})
	if err == nil {
		err = Scan(ctx, s.db, "SELECT puzzle, tried, solved, step, due FROM puzzle_tries WHERE account = ?1", []any{int64(id)}, func(row RowScanner) error {
			var puzzle string
			tried, err := scanTried(row, &puzzle)
			p.Puzzles[puzzle] = tried
			return err
		})
	}
	return p, s.db.Explain("reading the puzzles of an account in", err)
}

// scanTried scans the columns tried, solved, step and due of a row, which follow those of the targets.
func scanTried(row RowScanner, targets ...any) (p puzzles.TriedPuzzle, err error) {
	err = row.Scan(append(targets, timeIn(&p.TriedAt), &p.Solved, &p.Step, timeIn(&p.DueAt))...)
	return p, err
}

// PuzzleRatings implements puzzles.ProgressStore.
func (s Puzzles) PuzzleRatings(ctx context.Context) (map[string]rating.Rating, error) {
	all := make(map[string]rating.Rating)
	err := Scan(ctx, s.db, "SELECT id, value, deviation, volatility, games FROM puzzles", nil, func(row RowScanner) error {
		var id string
		var r rating.Rating
		err := row.Scan(append([]any{&id}, ratingTargets(&r)...)...)
		all[id] = r
		return err
	})
	return all, s.db.Explain("reading the ratings of puzzles in", err)
}

// lockPlayer locks an account, or returns errcode.ErrNotFound if it was deleted.
func lockPlayer(t Tx, id account.ID) error {
	if err := t.LockAccount(int64(id)); err != nil {
		return err
	}
	exists, err := Exists(context.Background(), t, "SELECT 1 FROM keys WHERE account = ?1", int64(id))
	if err == nil && !exists {
		err = errcode.ErrNotFound
	}
	return err
}

// RecordTry implements puzzles.ProgressStore.
func (s Puzzles) RecordTry(ctx context.Context, id account.ID, try puzzles.Try, at time.Time) (res puzzles.Result, err error) {
	err = s.db.Update(ctx, "storing a try of a puzzle in", func(t Tx) error {
		if err := lockPlayer(t, id); err != nil {
			return err
		}
		if err := t.Lock("puzzle " + try.Puzzle.ID); err != nil {
			return err
		}
		before, err := scanTried(t.Row("SELECT tried, solved, step, due FROM puzzle_tries WHERE account = ?1 AND puzzle = ?2", int64(id), try.Puzzle.ID))
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		user, puzzle := puzzles.FirstRating, puzzles.InitialRating(try.Puzzle)
		err = t.Row("SELECT value, deviation, volatility, games FROM puzzle_progress WHERE account = ?1 AND game = ?2", int64(id), try.Puzzle.Game).
			Scan(ratingTargets(&user)...)
		if err == nil || errors.Is(err, sql.ErrNoRows) {
			err = t.Row("SELECT value, deviation, volatility, games FROM puzzles WHERE id = ?1", try.Puzzle.ID).Scan(ratingTargets(&puzzle)...)
		}
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		after, result := try.Apply(before, user, puzzle, at)
		res = result
		if _, err := t.Exec(`INSERT INTO puzzle_tries (account, puzzle, tried, solved, step, due) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
			ON CONFLICT (account, puzzle) DO UPDATE SET step = excluded.step, due = excluded.due`,
			int64(id), try.Puzzle.ID, after.TriedAt.UnixNano(), after.Solved, after.Step, nanosOrNull(after.DueAt)); err != nil || !res.Rated {
			return err
		}
		u, p := res.User.After, res.Puzzle.After
		if _, err := t.Exec(`INSERT INTO puzzle_progress (account, game, value, deviation, volatility, games, best_streak) VALUES (?1, ?2, ?3, ?4, ?5, ?6, 0)
			ON CONFLICT (account, game) DO UPDATE SET value = excluded.value, deviation = excluded.deviation,
				volatility = excluded.volatility, games = excluded.games`,
			int64(id), try.Puzzle.Game, u.Value, u.Deviation, u.Volatility, u.Games); err != nil {
			return err
		}
		_, err = t.Exec(`INSERT INTO puzzles (id, value, deviation, volatility, games, added) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
			ON CONFLICT (id) DO UPDATE SET value = excluded.value, deviation = excluded.deviation,
				volatility = excluded.volatility, games = excluded.games`,
			try.Puzzle.ID, p.Value, p.Deviation, p.Volatility, p.Games, at.UnixNano())
		return err
	})
	return res, err
}

// RecordStreak implements puzzles.ProgressStore.
func (s Puzzles) RecordStreak(ctx context.Context, id account.ID, game string, solved int) (best int, err error) {
	err = s.db.Update(ctx, "storing a streak in", func(t Tx) error {
		if err := lockPlayer(t, id); err != nil {
			return err
		}
		r := puzzles.FirstRating
		if _, err := t.Exec(`INSERT INTO puzzle_progress (account, game, value, deviation, volatility, games, best_streak) VALUES (?1, ?2, ?3, ?4, ?5, 0, ?6)
			ON CONFLICT (account, game) DO UPDATE SET best_streak = excluded.best_streak WHERE puzzle_progress.best_streak < excluded.best_streak`,
			int64(id), game, r.Value, r.Deviation, r.Volatility, solved); err != nil {
			return err
		}
		return t.Row("SELECT best_streak FROM puzzle_progress WHERE account = ?1 AND game = ?2", int64(id), game).Scan(&best)
	})
	return best, err
}

// AddPuzzles implements puzzles.Store.
func (s Puzzles) AddPuzzles(ctx context.Context, found []puzzle.Puzzle, at time.Time) (added int, err error) {
	err = s.db.Update(ctx, "storing puzzles in", func(t Tx) error {
		added = 0
		for i := range found {
			body, err := json.Marshal(found[i])
			if err != nil {
				return err
			}
			r := puzzles.InitialRating(&found[i])
			n, err := t.Exec(`INSERT INTO puzzles (id, value, deviation, volatility, games, body, added) VALUES (?1, ?2, ?3, ?4, 0, ?5, ?6)
				ON CONFLICT (id) DO NOTHING`, found[i].ID, r.Value, r.Deviation, r.Volatility, body, at.UnixNano())
			if err != nil {
				return err
			}
			added += int(n)
		}
		return nil
	})
	return added, err
}

// AddedPuzzles implements puzzles.Store.
func (s Puzzles) AddedPuzzles(ctx context.Context) ([]puzzle.Puzzle, error) {
	all, err := All(ctx, s.db, "SELECT id, body FROM puzzles WHERE body IS NOT NULL ORDER BY added, id", nil, func(row RowScanner) (p puzzle.Puzzle, err error) {
		var id string
		if err = row.Scan(&id, jsonIn(&p)); err != nil {
			err = fmt.Errorf("puzzle %s: %w", id, err)
		}
		return p, err
	})
	return all, s.db.Explain("reading puzzles in", err)
}
