package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"

	"ayumu/engine"
	"ayumu/engine/games"
	"ayumu/lobby"
	"ayumu/lobby/rating"
)

// ending is what the end of a match brings besides its entry, worked out before the writer's turn.
type ending struct {
	info   *lobby.Info
	end    lobby.Entry
	result []byte
	turns  int      // that stand
	sides  []string // that the seats had at the end
	pool   string   // in which it is rated; empty if it is not
}

// ending reads the log that these entries end. A log of another length than version will refuse
// them anyway; what is worked out holds for this one alone.
func (s *SQLite) ending(ctx context.Context, match string, version int, entries []lobby.Entry) (*ending, error) {
	info, log, err := s.Match(ctx, match)
	if err != nil {
		return nil, err
	}
	if len(log) != version {
		return nil, lobby.ErrVersion
	}
	e := &ending{info: info, end: entries[len(entries)-1]}
	if e.result, err = encodeResult(*e.end.Result); err != nil {
		return nil, err
	}
	standing := (&lobby.Snapshot{Log: append(log, entries...)}).Standing()
	made := make([]int, len(info.Seats))
	for _, t := range standing {
		if t.Kind == lobby.Turn && t.Seat >= 0 && t.Seat < len(made) {
			made[t.Seat]++
			e.turns++
		}
	}
	if info.Rated && e.end.Result.Reason != engine.Abort && !slices.Contains(made, 0) {
		e.pool = lobby.Pool(info.Game, len(info.Seats))
	}
	e.sides, err = sides(info, standing)
	return e, err
}

// sides returns which side each seat has after turns and leaves that stand; empty ones in a game
// without sides, whose turns need not be played again for that.
func sides(info *lobby.Info, standing []lobby.Entry) ([]string, error) {
	of := make([]string, len(info.Seats))
	game, _ := games.ByName(info.Game)
	p := game.New(info.Options)
	if p.Color(0) == "" {
		return of, nil
	}
	for i, e := range standing {
		var err error
		if e.Kind == lobby.Leave {
			p, err = p.Leave(e.Seat)
		} else {
			p, err = engine.PlayTurn(p, e.Actions)
		}
		if err != nil {
			return nil, fmt.Errorf("match %s is %w: turn %d: %w", info.ID, lobby.ErrDamaged, i+1, err)
		}
	}
	for seat := range of {
		of[seat] = p.Color(seat)
	}
	return of, nil
}

// record files the match in the archive and rates it.
func (e *ending) record(t *tx) error {
	ended := e.end.At.UnixNano()
	rows, err := t.change("UPDATE matches SET ended = ?1, turns = ?2, result = ?3 WHERE id = ?4 AND ended IS NULL",
		ended, e.turns, string(e.result), e.info.ID)
	if err != nil {
		return err
	}
	if rows != 1 {
		return lobby.ErrVersion // append has seen to that; ratings are never given twice
	}
	delete(t.lengths, e.info.ID)
	after, err := e.rate(t)
	if err != nil {
		return err
	}
	for i := range e.info.Seats {
		var pool sql.NullString
		var made *lobby.Rating
		if after != nil {
			pool, made = sql.NullString{String: e.pool, Valid: true}, &after[i]
		}
		_, err := t.change("UPDATE seats SET ended = ?1, side = ?2, outcome = ?3, pool = ?4, after = ?5 WHERE match = ?6 AND seat = ?7",
			ended, e.sides[i], outcome(*e.end.Result, i), pool, encodeRating(made), e.info.ID, i)
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

// rate gives the seats their new ratings and returns them; nil if the match does not count.
func (e *ending) rate(t *tx) ([]lobby.Rating, error) {
	if e.pool == "" {
		return nil, nil
	}
	var before []lobby.Rating
	for _, seat := range e.info.Seats {
		r, keys, err := t.rating(seat.Account, e.pool)
		if err != nil {
			return nil, err
		}
		if keys == 0 {
			return nil, nil // a guest, or an account that was deleted meanwhile
		}
		before = append(before, r)
	}
	after := rating.Update(before, places(*e.end.Result, len(before)))
	for i, seat := range e.info.Seats {
		r := after[i]
		_, err := t.change(`
			INSERT INTO ratings (account, pool, value, deviation, volatility, games, settled) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
			ON CONFLICT (account, pool) DO UPDATE SET value = excluded.value, deviation = excluded.deviation,
				volatility = excluded.volatility, games = excluded.games, settled = excluded.settled`,
			int64(seat.Account), e.pool, r.Value, r.Deviation, r.Volatility, r.Games, r.Settled())
		if err != nil {
			return nil, err
		}
	}
	return after, nil
}

// rating returns an account's rating in a pool, and how many keys it has.
func (t *tx) rating(id lobby.AccountID, pool string) (r lobby.Rating, keys int, err error) {
	if err = t.row("SELECT count(*) FROM keys WHERE account = ?1", int64(id)).Scan(&keys); err != nil {
		return r, 0, err
	}
	err = t.row("SELECT value, deviation, volatility, games FROM ratings WHERE account = ?1 AND pool = ?2", int64(id), pool).
		Scan(&r.Value, &r.Deviation, &r.Volatility, &r.Games)
	if err == sql.ErrNoRows {
		return rating.New, keys, nil
	}
	return r, keys, err
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
