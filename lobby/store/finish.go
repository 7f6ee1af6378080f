package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"

	"ayumu/engine"
	"ayumu/lobby"
	"ayumu/lobby/rating"
)

// finish files a match in the archive and rates it.
func (t *tx) finish(match string, end lobby.Entry) error {
	delete(t.lengths, match)
	result, err := encodeResult(*end.Result)
	if err != nil {
		return err
	}
	turns := 0
	for _, n := range end.Made {
		turns += n
	}
	ended := end.At.UnixNano()
	rows, err := t.change("UPDATE matches SET ended = ?1, turns = ?2, result = ?3 WHERE id = ?4 AND ended IS NULL",
		ended, turns, string(result), match)
	if err != nil {
		return err
	}
	if rows != 1 {
		return lobby.ErrVersion // append has seen to that; ratings are never given twice
	}
	pool, after, err := t.rate(match, end)
	if err != nil {
		return err
	}
	for seat := range end.Made {
		rows, err := t.change("UPDATE seats SET ended = ?1, side = ?2, outcome = ?3, pool = ?4, after = ?5 WHERE match = ?6 AND seat = ?7",
			ended, end.Sides[seat], outcome(*end.Result, seat), pool, encodeRating(after[seat]), match, seat)
		if err == nil && rows != 1 {
			err = fmt.Errorf("match %s has no seat %d", match, seat)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// The outcomes of a match for a seat.
const (
	won   = "won"
	drawn = "drawn"
	lost  = "lost"
)

func outcome(r engine.Result, seat int) sql.NullString {
	switch wins := slices.Contains(r.Winners, seat); {
	case r.Reason == engine.Abort:
		return sql.NullString{}
	case wins && len(r.Winners) == 1:
		return sql.NullString{String: won, Valid: true}
	case wins:
		return sql.NullString{String: drawn, Valid: true}
	}
	return sql.NullString{String: lost, Valid: true}
}

// rate gives the seats their new ratings and returns the pool and them; null and nils if the match
// does not count.
func (t *tx) rate(match string, end lobby.Entry) (pool sql.NullString, after []*lobby.Rating, err error) {
	after = make([]*lobby.Rating, len(end.Made))
	if end.Result.Reason == engine.Abort || slices.Contains(end.Made, 0) {
		return pool, after, nil
	}
	var game string
	var rated bool
	if err := t.row("SELECT game, rated FROM matches WHERE id = ?1", match).Scan(&game, &rated); err != nil || !rated {
		return pool, after, err
	}
	pool.String = lobby.Pool(game, len(end.Made))
	accounts, before, err := t.rated(match, pool.String)
	if err != nil || len(before) != len(end.Made) {
		return pool, after, err // not everybody has an account with a key, or has it still
	}
	pool.Valid = true
	now := rating.Update(before, places(*end.Result, len(before)))
	for i, r := range now {
		after[i] = &now[i]
		_, err := t.change(`
			INSERT INTO ratings (account, pool, value, deviation, volatility, games, settled) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
			ON CONFLICT (account, pool) DO UPDATE SET value = excluded.value, deviation = excluded.deviation,
				volatility = excluded.volatility, games = excluded.games, settled = excluded.settled`,
			accounts[i], pool.String, r.Value, r.Deviation, r.Volatility, r.Games, r.Settled())
		if err != nil {
			return pool, after, err
		}
	}
	return pool, after, nil
}

// rated returns the accounts in a match that have keys, and their ratings in a pool, in the order
// of the seats.
func (t *tx) rated(match, pool string) (accounts []int64, ratings []lobby.Rating, err error) {
	err = scan(context.Background(), t, `
		SELECT s.account, r.value, r.deviation, r.volatility, r.games
		FROM seats s LEFT JOIN ratings r ON r.account = s.account AND r.pool = ?2
		WHERE s.match = ?1 AND EXISTS (SELECT 1 FROM keys k WHERE k.account = s.account) ORDER BY s.seat`,
		[]any{match, pool}, func(rows *sql.Rows) error {
			var account int64
			var value, deviation, volatility sql.NullFloat64
			var games sql.NullInt64
			err := rows.Scan(&account, &value, &deviation, &volatility, &games)
			r := rating.New
			if value.Valid {
				r = lobby.Rating{Value: value.Float64, Deviation: deviation.Float64, Volatility: volatility.Float64, Games: int(games.Int64)}
			}
			accounts, ratings = append(accounts, account), append(ratings, r)
			return err
		})
	return accounts, ratings, err
}

// places returns the final places of all seats. Where winning is all there is, the winners share
// the first one and the others the next.
func places(r engine.Result, seats int) []int {
	if len(r.Places) == seats {
		return r.Places
	}
	p := make([]int, seats)
	for i := range p {
		if !slices.Contains(r.Winners, i) {
			p[i] = 1
		}
	}
	return p
}

// strength is the stored form of a lobby.Rating.
type strength struct {
	Value      float64 `json:"value"`
	Deviation  float64 `json:"deviation"`
	Volatility float64 `json:"volatility"`
	Games      int     `json:"games"`
}

func encodeRating(r *lobby.Rating) sql.NullString {
	if r == nil {
		return sql.NullString{}
	}
	raw, err := json.Marshal(strength(*r))
	return sql.NullString{String: string(raw), Valid: err == nil}
}

func decodeRating(raw sql.NullString) (*lobby.Rating, error) {
	if !raw.Valid {
		return nil, nil
	}
	var r strength
	err := json.Unmarshal([]byte(raw.String), &r)
	return (*lobby.Rating)(&r), err
}
