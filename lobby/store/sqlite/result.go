package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"ayumu/engine"
	"ayumu/lobby"
	"ayumu/lobby/rating"
)

// finishMatch stores the end of a match in the archive and rates the match.
func (t *tx) finishMatch(match string, end lobby.Entry) error {
	delete(t.logLengths, match)
	departures, err := t.departures(match, len(end.TurnsMade))
	if err != nil {
		return err
	}
	result, err := encodeOutcome(*end.Result, departures)
	if err != nil {
		return err
	}
	turns := 0
	for _, n := range end.TurnsMade {
		turns += n
	}
	ended := end.At.UnixNano()
	rows, err := t.exec("UPDATE matches SET ended = ?1, turns = ?2, result = ?3, code = '' WHERE id = ?4 AND ended IS NULL",
		ended, turns, string(result), match)
	if err != nil {
		return err
	}
	if rows != 1 {
		return lobby.ErrVersionConflict // append checks it; a match is never rated twice
	}
	change, err := t.rateMatch(match, end)
	if err != nil {
		return err
	}
	if change.unrated != "" {
		if _, err := t.exec("UPDATE matches SET unrated = ?1 WHERE id = ?2", string(change.unrated), match); err != nil {
			return err
		}
	}
	for seat := range end.TurnsMade {
		rows, err := t.exec("UPDATE seats SET ended = ?1, side = ?2, outcome = ?3, pool = ?4, after = ?5 WHERE match = ?6 AND seat = ?7",
			ended, end.Sides[seat], outcome(*end.Result, seat), change.pool, encodeRating(change.rating(seat)), match, seat)
		if err == nil && rows != 1 {
			err = fmt.Errorf("match %s has no seat %d", match, seat)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// departures returns why each seat left a match, from its log; nil if none did.
func (t *tx) departures(match string, seats int) ([]string, error) {
	if seats <= 2 {
		return nil, nil // a match of two ends when one leaves
	}
	if err := t.flush(); err != nil {
		return nil, err
	}
	var log []lobby.Entry
	err := scan(context.Background(), t, "SELECT body FROM log WHERE match = ?1 ORDER BY version", []any{match}, func(rows *sql.Rows) error {
		var body sql.RawBytes
		if err := rows.Scan(&body); err != nil {
			return err
		}
		e, err := decode(body)
		if err != nil {
			e = lobby.Entry{} // the result is stored even if the log is corrupt
		}
		log = append(log, e)
		return nil
	})
	return lobby.Departures(seats, log), err
}

// The outcomes of a match for a seat.
const (
	won   = "won"
	drawn = "drawn"
	lost  = "lost"
)

func outcome(r engine.Result, seat int) sql.NullString {
	switch wins := slices.Contains(r.Winners, seat); {
	case r.Reason == engine.ReasonAbort:
		return sql.NullString{}
	case wins && len(r.Winners) == 1:
		return sql.NullString{String: won, Valid: true}
	case wins:
		return sql.NullString{String: drawn, Valid: true}
	}
	return sql.NullString{String: lost, Valid: true}
}

// ratingChange is the effect of a match on ratings.
type ratingChange struct {
	pool    sql.NullString      // the pool of a match that was rated; null otherwise
	after   []lobby.Rating      // by seat; nil if the match was not rated
	unrated lobby.UnratedReason // why a rated match changed no ratings
}

func (r ratingChange) rating(seat int) *lobby.Rating {
	if r.after == nil {
		return nil
	}
	return &r.after[seat]
}

// rateMatch updates the ratings of a rated match, if it counts.
func (t *tx) rateMatch(match string, end lobby.Entry) (ratingChange, error) {
	var game, options string
	var rated bool
	if err := t.row("SELECT game, options, rated FROM matches WHERE id = ?1", match).Scan(&game, &options, &rated); err != nil || !rated {
		return ratingChange{}, err
	}
	switch long, err := isLongEnough(t.games, game, options, end); {
	case err != nil:
		return ratingChange{}, fmt.Errorf("match %s: options: %w", match, err)
	case end.Result.Reason == engine.ReasonAbort:
		return ratingChange{unrated: lobby.UnratedAborted}, nil
	case !long:
		return ratingChange{unrated: lobby.UnratedShort}, nil
	}
	pool := lobby.Pool(game, len(end.TurnsMade))
	accounts, before, err := t.ratedAccounts(match, pool)
	if err != nil {
		return ratingChange{}, err
	}
	if len(before) != len(end.TurnsMade) {
		return ratingChange{unrated: lobby.UnratedAccount}, nil
	}
	earlier, err := t.ratedMeetings(match, pool, end.At.Add(-24*time.Hour))
	if err != nil {
		return ratingChange{}, err
	}
	weight := rating.Weight(earlier)
	if weight == 0 {
		return ratingChange{unrated: lobby.UnratedRepeated}, nil
	}
	after := rating.UpdateWeighted(before, places(*end.Result, len(before)), weight)
	for i, r := range after {
		_, err := t.exec(`
			INSERT INTO ratings (account, pool, value, deviation, volatility, games, settled) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
			ON CONFLICT (account, pool) DO UPDATE SET value = excluded.value, deviation = excluded.deviation,
				volatility = excluded.volatility, games = excluded.games, settled = excluded.settled`,
			accounts[i], pool, r.Value, r.Deviation, r.Volatility, r.Games, r.IsEstablished())
		if err != nil {
			return ratingChange{}, err
		}
	}
	return ratingChange{pool: sql.NullString{String: pool, Valid: true}, after: after}, nil
}

// isLongEnough is lobby.IsLongEnough for stored options.
func isLongEnough(games engine.Games, game, options string, end lobby.Entry) (bool, error) {
	g, ok := games.ByName(game)
	if !ok {
		return false, fmt.Errorf("no game %q", game)
	}
	o, err := g.ParseOptions([]byte(options))
	return err == nil && lobby.IsLongEnough(o, end), err
}

// ratedMeetings returns the number of matches that were rated in a pool, ended after since and had the same
// two accounts as the match; for several pairs of accounts, the highest of these numbers.
func (t *tx) ratedMeetings(match, pool string, since time.Time) (count int, err error) {
	err = t.row(`SELECT coalesce(max(n), 0) FROM (
		SELECT count(*) AS n FROM seats me
			JOIN seats a ON a.account = me.account AND a.pool = ?2 AND a.ended > ?3
			JOIN seats b ON b.match = a.match AND b.account > a.account
		WHERE me.match = ?1 AND b.account IN (SELECT account FROM seats WHERE match = ?1)
		GROUP BY a.account, b.account)`, match, pool, since.UnixNano()).Scan(&count)
	return count, err
}

// ratedAccounts returns the accounts of a match that have keys, and their ratings in a pool, in the order
// of the seats.
func (t *tx) ratedAccounts(match, pool string) (accounts []int64, ratings []lobby.Rating, err error) {
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

// places returns the final places of all seats. Without places in the result, the winners share the first
// place and the others the second.
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

// storedRating is the stored form of a lobby.Rating.
type storedRating struct {
	Value      float64 `json:"value"`
	Deviation  float64 `json:"deviation"`
	Volatility float64 `json:"volatility"`
	Games      int     `json:"games"`
}

func encodeRating(r *lobby.Rating) sql.NullString {
	if r == nil {
		return sql.NullString{}
	}
	raw, err := json.Marshal(storedRating(*r))
	return sql.NullString{String: string(raw), Valid: err == nil}
}

func decodeRating(raw sql.NullString) (*lobby.Rating, error) {
	if !raw.Valid {
		return nil, nil
	}
	var r storedRating
	err := json.Unmarshal([]byte(raw.String), &r)
	return (*lobby.Rating)(&r), err
}
