package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"ayumu/engine"
	"ayumu/lobby/errcode"
	"ayumu/lobby/match"
	"ayumu/lobby/rating"
)

// FinishMatch stores the end of a match in the archive and rates the match, in the transaction that has
// stored end, the last entry of its log. It returns errcode.ErrVersionConflict if the match has ended before.
func FinishMatch(t Tx, games engine.Games, id string, end match.Entry) error {
	log, err := logOf(t, id, end)
	if err != nil {
		return err
	}
	result, err := encodeEnd(*end.Result, match.Departures(len(end.TurnsMade), log))
	if err != nil {
		return err
	}
	turns := 0
	for _, n := range end.TurnsMade {
		turns += n
	}
	ended := end.At.UnixNano()
	rows, err := t.Exec("UPDATE matches SET ended = ?1, turns = ?2, result = ?3, code = '' WHERE id = ?4 AND ended IS NULL",
		ended, turns, string(result), id)
	if err != nil {
		return err
	}
	if rows != 1 {
		return errcode.ErrVersionConflict // a match is never rated twice
	}
	if _, err := t.Exec("DELETE FROM conditions WHERE match = ?1", id); err != nil {
		return err
	}
	change, err := rateMatch(t, games, id, end)
	if err != nil {
		return err
	}
	if change.Unrated != "" {
		if _, err := t.Exec("UPDATE matches SET unrated_reason = ?1 WHERE id = ?2", string(change.Unrated), id); err != nil {
			return err
		}
	}
	faults := match.Faults(len(end.TurnsMade), log)
	for seat := range end.TurnsMade {
		rows, err := t.Exec("UPDATE seats SET ended = ?1, side = ?2, outcome = ?3, pool = ?4, rating_after = ?5, fault = ?8 WHERE match = ?6 AND seat = ?7",
			ended, end.Sides[seat], orNull(string(OutcomeOf(*end.Result, seat))), orNull(change.Pool), encodeRating(change.rating(seat)), id, seat, faults[seat])
		if err == nil && rows != 1 {
			err = fmt.Errorf("match %s has no seat %d", id, seat)
		}
		if err != nil {
			return err
		}
	}
	if change.Pool == "" {
		return nil
	}
	return reportNewcomers(t, id, end)
}

// orNull returns a text, or null for "".
func orNull(text string) sql.NullString { return sql.NullString{String: text, Valid: text != ""} }

// logOf returns the log of a match of three or more players, which seats may have left before the end, with entries
// that cannot be read as zero values. A match of two ends when one leaves: of such a one it returns the end alone.
func logOf(t Tx, id string, end match.Entry) ([]match.Entry, error) {
	if len(end.TurnsMade) <= 2 {
		return []match.Entry{end}, nil
	}
	return All(context.Background(), t, "SELECT body FROM log WHERE match = ?1 ORDER BY version", []any{id}, func(row RowScanner) (e match.Entry, err error) {
		var body sql.RawBytes
		if err = row.Scan(&body); err != nil {
			return e, err
		}
		if e, err = DecodeEntry(body); err != nil {
			e = match.Entry{} // the result is stored even if the log is corrupt
		}
		return e, nil
	})
}

// rateMatch stores the new ratings of the accounts of a rated match.
func rateMatch(t Tx, games engine.Games, id string, end match.Entry) (RatedMatch, error) {
	var game, options string
	var rated bool
	if err := t.Row("SELECT game, options, rated FROM matches WHERE id = ?1", id).Scan(&game, &options, &rated); err != nil || !rated {
		return RatedMatch{}, err
	}
	o, err := parseOptions(games, game, options)
	if err != nil {
		return RatedMatch{}, fmt.Errorf("match %s: options: %w", id, err)
	}
	players := &ratedPlayers{t: t, match: id}
	change, err := Rate(o, end, players)
	if err != nil {
		return RatedMatch{}, err
	}
	for i, r := range change.After {
		_, err := t.Exec(`
			INSERT INTO ratings (account, pool, value, deviation, volatility, games, established) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
			ON CONFLICT (account, pool) DO UPDATE SET value = excluded.value, deviation = excluded.deviation,
				volatility = excluded.volatility, games = excluded.games, established = excluded.established`,
			players.accounts[i], change.Pool, r.Value, r.Deviation, r.Volatility, r.Games, r.IsEstablished())
		if err != nil {
			return RatedMatch{}, err
		}
	}
	return change, nil
}

// ratedPlayers is the RatingSource of a match.
type ratedPlayers struct {
	t        Tx
	match    string
	accounts []int64 // set by Players: the accounts of the players that it returned
}

func (p *ratedPlayers) IsOpen() (bool, error) { return isOpen(context.Background(), p.t) }

func (p *ratedPlayers) Players(pool string) (players []RatedPlayer, err error) {
	err = Scan(context.Background(), p.t, `
		SELECT s.account, a.created, r.value, r.deviation, r.volatility, r.games, EXISTS (`+builtInKeys("s.account", 3)+`)
		FROM seats s JOIN accounts a ON a.id = s.account LEFT JOIN ratings r ON r.account = s.account AND r.pool = ?2
		WHERE s.match = ?1 AND EXISTS (SELECT 1 FROM keys k WHERE k.account = s.account) ORDER BY s.seat`,
		append([]any{p.match, pool}, builtInRange()...), func(row RowScanner) error {
			var account int64
			var value, deviation, volatility sql.NullFloat64
			var games sql.NullInt64
			player := RatedPlayer{Rating: rating.New}
			err := row.Scan(&account, timeIn(&player.Created), &value, &deviation, &volatility, &games, &player.BuiltIn)
			if value.Valid {
				player.Rating = rating.Rating{Value: value.Float64, Deviation: deviation.Float64, Volatility: volatility.Float64, Games: int(games.Int64)}
			}
			p.accounts, players = append(p.accounts, account), append(players, player)
			return err
		})
	return players, err
}

func (p *ratedPlayers) Meetings(pool string, since time.Time) (count int, err error) {
	err = p.t.Row(`SELECT coalesce(max(n), 0) FROM (
		SELECT count(*) AS n FROM seats me
			JOIN seats a ON a.account = me.account AND a.pool = ?2 AND a.ended > ?3
			JOIN seats b ON b.match = a.match AND b.account > a.account
		WHERE me.match = ?1 AND b.account IN (SELECT account FROM seats WHERE match = ?1)
		GROUP BY a.account, b.account) AS meetings`, p.match, pool, since.UnixNano()).Scan(&count)
	return count, err
}
