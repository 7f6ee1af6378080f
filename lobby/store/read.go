package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"ayumu/engine/games"
	"ayumu/lobby"
)

// chunk is how many matches are read in one transaction where all are wanted. A longer one would
// keep the write-ahead log from shrinking.
const chunk = 128

// usualLog is the room that a log gets at first, in entries.
const usualLog = 96

// Match implements lobby.Store.
func (s *SQLite) Match(ctx context.Context, match string) (*lobby.Info, []lobby.Entry, error) {
	found, err := load(ctx, s.queries, "SELECT ?1", match)
	switch {
	case err != nil:
		return nil, nil, s.explain("reading a match in", err)
	case len(found) == 0:
		return nil, nil, lobby.ErrUnknown
	}
	return found[0].info, found[0].log, found[0].damage
}

// Unfinished implements lobby.Store.
func (s *SQLite) Unfinished(ctx context.Context, f func(*lobby.Info, []lobby.Entry) error) error {
	return s.each(ctx, "SELECT id FROM matches WHERE ended IS NULL AND id > ?1 ORDER BY id LIMIT ?2", f)
}

// All calls f for every match, finished or not, with its log, in the order of the ids. As with
// Unfinished, matches that cannot be read are left out and named in the error.
func (s *SQLite) All(ctx context.Context, f func(*lobby.Info, []lobby.Entry) error) error {
	return s.each(ctx, "SELECT id FROM matches WHERE id > ?1 ORDER BY id LIMIT ?2", f)
}

// each calls f for the matches that a query chooses, given the last id before and how many. No
// transaction is open while f runs.
func (s *SQLite) each(ctx context.Context, ids string, f func(*lobby.Info, []lobby.Entry) error) error {
	var damages []error
	last := ""
	for {
		found, err := s.loadAtOnce(ctx, ids, last, chunk)
		if err != nil {
			return s.describe("reading the matches in", err)
		}
		for _, m := range found {
			last = m.info.ID
			if m.damage != nil {
				damages = append(damages, m.damage)
			} else if err := f(m.info, m.log); err != nil {
				return err
			}
		}
		if len(found) < chunk {
			return errors.Join(damages...)
		}
	}
}

// stored is a match as it was read. damage says why it cannot be used, if so.
type stored struct {
	info    *lobby.Info
	options string // JSON of those of info
	log     []lobby.Entry
	damage  error
}

// loadAtOnce loads matches as they are at one moment.
func (s *SQLite) loadAtOnce(ctx context.Context, ids string, args ...any) ([]*stored, error) {
	tx, err := s.read.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return nil, err
	}
	defer tx.Rollback()
	return load(ctx, tx, ids, args...)
}

// load reads the matches whose ids a query gives, in the order of the ids. It reads what they were
// made with, which never changes, and then their logs.
func load(ctx context.Context, q querier, ids string, args ...any) ([]*stored, error) {
	var all []*stored
	byID := make(map[string]*stored)
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
		m.readOptions()
	}
	query = "SELECT match, version, body FROM log WHERE match IN (" + ids + ") ORDER BY match, version"
	err = scan(ctx, q, query, args, func(rows *sql.Rows) error {
		var id string
		var version int
		var body sql.RawBytes
		if err := rows.Scan(&id, &version, &body); err != nil {
			return err
		}
		if m := byID[id]; m != nil && m.damage == nil {
			m.add(version, body)
		}
		return nil
	})
	return all, err
}

// add puts an entry at the end of the log.
func (m *stored) add(version int, body []byte) {
	e, err := decode(body)
	if want := len(m.log) + 1; err == nil && version != want {
		err = fmt.Errorf("%d should stand there", want)
	}
	if err != nil {
		m.damaged(fmt.Errorf("entry %d: %w", version, err))
		return
	}
	if m.log == nil {
		m.log = make([]lobby.Entry, 0, usualLog)
	}
	m.log = append(m.log, e)
}

func (m *stored) damaged(cause error) {
	m.damage = fmt.Errorf("match %s is %w: %w", m.info.ID, lobby.ErrDamaged, cause)
}

// readOptions fills in the options once all seats are known.
func (m *stored) readOptions() {
	game, ok := games.ByName(m.info.Game)
	if !ok {
		m.damaged(fmt.Errorf("there is no game %q", m.info.Game))
		return
	}
	o, err := game.ParseOptions([]byte(m.options))
	if err != nil {
		m.damaged(err)
		return
	}
	m.info.Options = o.WithSeats(len(m.info.Seats))
}

// infoColumns are the columns of a match m and its seat s that scanSeat reads.
const infoColumns = `m.id, m.game, m.options, m.initial, m.increment, m.days, m.rated, m.private, m.code, m.prior, m.delay, m.started,
s.account, s.name, s.bot, s.before, s.return`

// scanSeat reads infoColumns, and any that follow them, as a match with the one seat.
func scanSeat(rows *sql.Rows, further ...any) (*stored, error) {
	var (
		seat    lobby.Seat
		started int64
		account sql.NullInt64
		before  sql.NullString
	)
	m := &stored{info: &lobby.Info{}}
	i := m.info
	columns := []any{
		&i.ID, &i.Game, &m.options, &i.Control.Initial, &i.Control.Increment, &i.Control.Days,
		&i.Rated, &i.Private, &i.Code, &i.Prior, &i.Delay, &started,
		&account, &seat.Name, &seat.Bot, &before, &seat.Return,
	}
	err := rows.Scan(append(columns, further...)...)
	if err != nil {
		return nil, err
	}
	i.Started, seat.Account = moment(started), lobby.AccountID(account.Int64)
	seat.Rating, err = decodeRating(before)
	i.Seats = []lobby.Seat{seat}
	return m, err
}
