package store

import (
	"context"
	"fmt"
	"slices"
	"time"

	"ayumu/engine"
	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/match"
	"ayumu/lobby/rating"
)

// Archive implements lobby.ArchiveStore. NewArchive is the constructor.
type Archive struct {
	db    Database
	games engine.Games
}

// NewArchive returns the archive of a database with matches of these games.
func NewArchive(db Database, games engine.Games) Archive { return Archive{db, games} }

const maxFinishedMatches = 200 // in one result

// FinishedMatches implements lobby.ArchiveStore.
func (s Archive) FinishedMatches(ctx context.Context, q lobby.MatchQuery) ([]lobby.FinishedMatch, error) {
	args := []any{min(max(q.Limit, 1), maxFinishedMatches)}
	ids, id := "FROM matches WHERE ended IS NOT NULL", "id"
	if q.Player != 0 {
		ids, id = "FROM seats WHERE account = ?2 AND ended IS NOT NULL", "match"
		args = append(args, int64(q.Player))
	}
	if q.Before != "" {
		args = append(args, q.Before)
		ids += fmt.Sprintf(" AND (ended, %s) < (SELECT ended, id FROM matches WHERE id = ?%d)", id, len(args))
	}
	query := fmt.Sprintf(`SELECT %s, m.ended, m.turns, m.result, m.unrated_reason, s.rating_after
		FROM matches m JOIN seats s ON s.match = m.id
		WHERE m.id IN (SELECT %[2]s %s ORDER BY ended DESC, %[2]s DESC LIMIT ?1)
		ORDER BY m.ended DESC, m.id DESC, s.seat`, infoColumns, id, ids)
	found, err := queryFinished(ctx, s.db, s.games, query, args)
	return found, s.db.Explain("reading the archive in", err)
}

// queryFinished reads the result of a query with a row for each seat. Matches with corrupt options or
// results are left out; AllMatches names them.
func queryFinished(ctx context.Context, q Querier, games engine.Games, query string, args []any) ([]lobby.FinishedMatch, error) {
	var read []*storedMatch
	var all []lobby.FinishedMatch
	err := Scan(ctx, q, query, args, func(row RowScanner) error {
		var f lobby.FinishedMatch
		var result string
		var after *storedRating
		m, err := scanSeat(row, timeIn(&f.Ended), &f.Turns, &result, &f.Unrated, jsonIn(&after))
		if err != nil {
			return err
		}
		if n := len(read); n == 0 || read[n-1].info.ID != m.info.ID {
			f.Info = m.info
			if f.Result, f.Departures, err = decodeEnd([]byte(result)); err != nil {
				m.setCorrupt(err)
			}
			read, all = append(read, m), append(all, f)
		} else {
			read[n-1].info.Seats = append(read[n-1].info.Seats, m.info.Seats...)
		}
		if after != nil {
			last := &all[len(all)-1]
			last.RatingsAfter = append(last.RatingsAfter, rating.Rating(*after))
		}
		return nil
	})
	intact := all[:0]
	for i, m := range read {
		if m.readOptions(games); m.err == nil {
			intact = append(intact, all[i])
		}
	}
	return intact, err
}

// MatchRatings implements lobby.ArchiveStore. The rating before a match is the one after the
// previous rated match or, in the first one, that of the seat.
func (s Archive) MatchRatings(ctx context.Context, id string) (changes []rating.Change, unrated match.UnratedReason, err error) {
	err = Scan(ctx, s.db, `
		SELECT m.unrated_reason, s.rating_after, coalesce((SELECT b.rating_after FROM seats b WHERE b.account = s.account AND b.pool = s.pool
			AND (b.ended, b.match) < (s.ended, s.match) ORDER BY b.ended DESC, b.match DESC LIMIT 1), s.rating_before)
		FROM matches m JOIN seats s ON s.match = m.id WHERE m.id = ?1 ORDER BY s.seat`,
		[]any{id}, func(row RowScanner) error {
			var after, before *storedRating
			if err := row.Scan(&unrated, jsonIn(&after), jsonIn(&before)); err != nil || after == nil {
				return err
			}
			change := rating.Change{Before: rating.New, After: rating.Rating(*after)}
			if before != nil {
				change.Before = rating.Rating(*before)
			}
			changes = append(changes, change)
			return nil
		})
	return changes, unrated, s.db.Explain("reading ratings in", err)
}

// Leaderboard implements lobby.ArchiveStore. It stops counting opponents and days when there are enough.
func (s Archive) Leaderboard(ctx context.Context, pool string, since time.Time, r lobby.Requirements, limit int) ([]account.Account, error) {
	established := ""
	if r.Established {
		established = fmt.Sprintf(`
			JOIN accounts oa ON oa.id = o.account AND NOT oa.bot AND oa.created <= own.ended - %d
			JOIN ratings orr ON orr.account = o.account AND orr.pool = ?1 AND orr.established`, newcomerAge)
	}
	counted := func(what string, limit int) string {
		return fmt.Sprintf(`?%d = (SELECT count(*) FROM (SELECT DISTINCT %s FROM seats own
			JOIN seats o ON o.match = own.match AND o.seat <> own.seat%s
			WHERE own.account = top.account AND own.pool = ?1 AND own.ended > ?4 LIMIT ?%[1]d) AS counted)`, limit, what, established)
	}
	args := append([]any{pool, limit, r.Opponents, since.UnixNano(), r.Days}, builtInRange()...)
	found, err := queryAccounts(ctx, s.db, `
		JOIN ratings best ON best.account = a.id AND best.pool = ?1
		WHERE a.id IN (SELECT top.account FROM ratings top WHERE top.pool = ?1 AND top.established
				AND NOT EXISTS (`+builtInKeys("top.account", 6)+`)
				AND `+counted("o.account", 3)+`
				AND `+counted(fmt.Sprintf("own.ended / %d", 24*time.Hour), 5)+`
			ORDER BY top.value DESC, top.account LIMIT ?2)
		ORDER BY best.value DESC, a.id`, args...)
	var all []account.Account
	for _, f := range found {
		all = append(all, f.Account)
	}
	return all, s.db.Explain("reading the leaderboard in", err)
}

// IsOpen implements lobby.ArchiveStore.
func (s Archive) IsOpen(ctx context.Context) (bool, error) {
	open, err := isOpen(ctx, s.db)
	return open, s.db.Explain("reading who may connect in", err)
}

// RatingHistory implements lobby.ArchiveStore.
func (s Archive) RatingHistory(ctx context.Context, id account.ID, pool string, limit int) ([]lobby.RatingPoint, error) {
	points, err := All(ctx, s.db, `
		SELECT s.ended, s.rating_after FROM seats s JOIN accounts a ON a.id = s.account AND a.skeleton IS NOT NULL
		WHERE s.account = ?1 AND s.pool = ?2 ORDER BY s.ended DESC, s.match DESC LIMIT ?3`,
		[]any{int64(id), pool, limit}, func(row RowScanner) (p lobby.RatingPoint, err error) {
			var after storedRating
			err = row.Scan(timeIn(&p.At), jsonIn(&after))
			p.Value = after.Value
			return p, err
		})
	slices.Reverse(points)
	return points, s.db.Explain("reading ratings in", err)
}

// Faults implements lobby.ArchiveStore.
func (s Archive) Faults(ctx context.Context, id account.ID, guest string, since time.Time, limit int) ([]time.Time, error) {
	query, player := "SELECT ended FROM seats WHERE fault AND account = ?1 AND ended > ?2 ORDER BY ended DESC LIMIT ?3", any(int64(id))
	if id <= 0 {
		query, player = "SELECT ended FROM seats WHERE fault AND account IS NULL AND return_digest = ?1 AND ended > ?2 ORDER BY ended DESC LIMIT ?3", guest
	}
	all, err := All(ctx, s.db, query, []any{player, since.UnixNano(), limit}, readTime)
	return all, s.db.Explain("reading aborted games in", err)
}

// Tally implements lobby.ArchiveStore.
func (s Archive) Tally(ctx context.Context, id account.ID, game string) (lobby.Tally, error) {
	all := lobby.Tally{BySide: make(map[string]lobby.Tally), ByOptions: make(map[string]lobby.Tally)}
	err := Scan(ctx, s.db, `
		SELECT side, options, outcome, count(*) FROM seats
		WHERE account = ?1 AND game = ?2 AND outcome IS NOT NULL GROUP BY side, options, outcome`,
		[]any{int64(id), game}, func(row RowScanner) error {
			var side, options, outcome string
			var n int
			if err := row.Scan(&side, &options, &outcome, &n); err != nil {
				return err
			}
			AddToTally(&all, side, optionsText(s.games, game, options), Outcome(outcome), n)
			return nil
		})
	return all, s.db.Explain("counting games in", err)
}
