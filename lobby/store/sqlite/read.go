package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"ayumu/engine"
	"ayumu/lobby"
)

// readBatch is the number of matches that are read in one transaction when all are read. A longer
// transaction would keep the write-ahead log from shrinking.
const readBatch = 128

// initialLogCap is the initial capacity of a log, in entries.
const initialLogCap = 96

// Match implements lobby.Store.
func (s *Store) Match(ctx context.Context, match string) (*lobby.MatchInfo, []lobby.Entry, error) {
	found, err := loadMatches(ctx, s.readStatements, s.games, "SELECT ?1", match)
	switch {
	case err != nil:
		return nil, nil, s.explainError("reading a match in", err)
	case len(found) == 0:
		return nil, nil, lobby.ErrNotFound
	}
	return found[0].info, found[0].log, found[0].err
}

// Unfinished implements lobby.Store.
func (s *Store) Unfinished(ctx context.Context, f func(*lobby.MatchInfo, []lobby.Entry) error) error {
	return s.eachMatch(ctx, "SELECT id FROM matches WHERE ended IS NULL AND id > ?1 ORDER BY id LIMIT ?2", f)
}

// AllMatches calls f for every match with its log, in the order of the ids. Like Unfinished it leaves out
// corrupt matches and names them in the error.
func (s *Store) AllMatches(ctx context.Context, f func(*lobby.MatchInfo, []lobby.Entry) error) error {
	return s.eachMatch(ctx, "SELECT id FROM matches WHERE id > ?1 ORDER BY id LIMIT ?2", f)
}

// eachMatch calls f for the matches of a query, whose arguments are the last id before and a limit. No
// transaction is open while f runs.
func (s *Store) eachMatch(ctx context.Context, ids string, f func(*lobby.MatchInfo, []lobby.Entry) error) error {
	var corrupt []error
	last := ""
	for {
		found, err := s.loadInTx(ctx, ids, last, readBatch)
		if err != nil {
			return s.describeError("reading the matches in", err)
		}
		for _, m := range found {
			last = m.info.ID
			if m.err != nil {
				corrupt = append(corrupt, m.err)
			} else if err := f(m.info, m.log); err != nil {
				return err
			}
		}
		if len(found) < readBatch {
			return errors.Join(corrupt...)
		}
	}
}

// storedMatch is a match as it was read. err is why it cannot be used, or nil.
type storedMatch struct {
	info    *lobby.MatchInfo
	options string // JSON of info.Options
	log     []lobby.Entry
	err     error
}

// loadInTx loads matches in one read transaction.
func (s *Store) loadInTx(ctx context.Context, ids string, args ...any) ([]*storedMatch, error) {
	tx, err := s.read.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return nil, err
	}
	defer tx.Rollback()
	return loadMatches(ctx, tx, s.games, ids, args...)
}

// loadMatches reads the matches whose ids a query returns, in the order of the ids: first their
// descriptions, which never change, and then their logs.
func loadMatches(ctx context.Context, q querier, games engine.Games, ids string, args ...any) ([]*storedMatch, error) {
	var all []*storedMatch
	byID := make(map[string]*storedMatch)
	query := "SELECT " + infoColumns + " FROM matches m JOIN seats s ON s.match = m.id WHERE m.id IN (" + ids + ") ORDER BY m.id, s.seat"
	err := scan(ctx, q, query, args, func(rows *sql.Rows) error {
		m, err := scanSeat(rows)
		if err != nil {
			return err
		}
		if known := byID[m.info.ID]; known != nil {
			known.info.Seats = append(known.info.Seats, m.info.Seats...)
			return nil
		}
		all, byID[m.info.ID] = append(all, m), m
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, m := range all {
		m.readOptions(games)
	}
	query = "SELECT match, version, body FROM log WHERE match IN (" + ids + ") ORDER BY match, version"
	err = scan(ctx, q, query, args, func(rows *sql.Rows) error {
		var id string
		var version int
		var body sql.RawBytes
		if err := rows.Scan(&id, &version, &body); err != nil {
			return err
		}
		if m := byID[id]; m != nil && m.err == nil {
			m.appendEntry(version, body)
		}
		return nil
	})
	return all, err
}

// appendEntry appends an entry to the log that is being read.
func (m *storedMatch) appendEntry(version int, body []byte) {
	e, err := decode(body)
	if want := len(m.log) + 1; err == nil && version != want {
		err = fmt.Errorf("its number should be %d", want)
	}
	if err != nil {
		m.setCorrupt(fmt.Errorf("entry %d: %w", version, err))
		return
	}
	if m.log == nil {
		m.log = make([]lobby.Entry, 0, initialLogCap)
	}
	m.log = append(m.log, e)
}

func (m *storedMatch) setCorrupt(cause error) {
	m.err = fmt.Errorf("match %s is %w: %w", m.info.ID, lobby.ErrCorrupt, cause)
}

// readOptions sets the options once all seats have been read.
func (m *storedMatch) readOptions(games engine.Games) {
	game, ok := games.ByName(m.info.Game)
	if !ok {
		m.setCorrupt(fmt.Errorf("there is no game %q", m.info.Game))
		return
	}
	o, err := game.ParseOptions([]byte(m.options))
	if err != nil {
		m.setCorrupt(err)
		return
	}
	m.info.Options = o.WithSeats(len(m.info.Seats))
}

// infoColumns are the columns of a match m and its seat s that scanSeat reads.
const infoColumns = `m.id, m.game, m.options, m.initial, m.increment, m.days, m.rated, m.private, m.code, m.prior, m.delay, m.started,
s.account, s.name, s.bot, s.before, s.return`

// scanSeat reads infoColumns, and further columns after them, as a match with one seat.
func scanSeat(rows *sql.Rows, further ...any) (*storedMatch, error) {
	var (
		seat    lobby.Seat
		started int64
		account sql.NullInt64
		before  sql.NullString
	)
	m := &storedMatch{info: &lobby.MatchInfo{}}
	i := m.info
	columns := []any{
		&i.ID, &i.Game, &m.options, &i.Control.Initial, &i.Control.Increment, &i.Control.Days,
		&i.Rated, &i.Private, &i.Code, &i.RematchOf, &i.Delay, &started,
		&account, &seat.Name, &seat.Bot, &before, &seat.ReturnDigest,
	}
	err := rows.Scan(append(columns, further...)...)
	if err != nil {
		return nil, err
	}
	i.Started, seat.Account = timeOfNanos(started), lobby.AccountID(account.Int64)
	seat.Rating, err = decodeRating(before)
	i.Seats = []lobby.Seat{seat}
	return m, err
}
