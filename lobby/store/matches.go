package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"ayumu/engine"
	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/errcode"
	"ayumu/lobby/match"
	"ayumu/lobby/rating"
)

// readBatch is the number of matches that are read in one transaction when all are read. A longer
// transaction would keep the write-ahead log from shrinking.
const readBatch = 128

// initialLogCap is the initial capacity of a log, in entries.
const initialLogCap = 96

// Matches implements lobby.MatchStore except Append and CreateMatch, whose cost decides how many turns a
// server takes: a database combines them with other changes in its own way. NewMatches is the constructor.
type Matches struct {
	db    Database
	games engine.Games
}

// NewMatches returns the matches of a database, which are of these games.
func NewMatches(db Database, games engine.Games) Matches { return Matches{db, games} }

// Match implements lobby.MatchStore.
func (s Matches) Match(ctx context.Context, id string) (*match.Info, []match.Entry, error) {
	found, err := loadMatches(ctx, s.db, s.games, "SELECT ?1", id)
	switch {
	case err != nil:
		return nil, nil, s.db.Explain("reading a match in", err)
	case len(found) == 0:
		return nil, nil, errcode.ErrNotFound
	}
	return found[0].info, found[0].log, found[0].err
}

// Unfinished implements lobby.MatchStore.
func (s Matches) Unfinished(ctx context.Context, f func(*match.Info, []match.Entry) error) error {
	return s.eachMatch(ctx, "SELECT id FROM matches WHERE ended IS NULL AND id > ?1 ORDER BY id LIMIT ?2", f)
}

// AllMatches implements lobby.MatchStore.
func (s Matches) AllMatches(ctx context.Context, f func(*match.Info, []match.Entry) error) error {
	return s.eachMatch(ctx, "SELECT id FROM matches WHERE id > ?1 ORDER BY id LIMIT ?2", f)
}

// eachMatch calls f for the matches of a query, whose arguments are the last id before and a limit. No
// transaction is open while f runs.
func (s Matches) eachMatch(ctx context.Context, ids string, f func(*match.Info, []match.Entry) error) error {
	var corrupt []error
	last := ""
	for {
		var found []*storedMatch
		err := s.db.ReadTx(ctx, func(q Querier) (err error) {
			found, err = loadMatches(ctx, q, s.games, ids, last, readBatch)
			return err
		})
		if err != nil {
			return s.db.Describe("reading the matches in", err)
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
	info    *match.Info
	options string // JSON of info.Options
	log     []match.Entry
	err     error
}

// loadMatches reads the matches whose ids a query returns, in the order of the ids: first their
// descriptions, which never change, and then their logs.
func loadMatches(ctx context.Context, q Querier, games engine.Games, ids string, args ...any) ([]*storedMatch, error) {
	var all []*storedMatch
	byID := make(map[string]*storedMatch)
	query := "SELECT " + infoColumns + " FROM matches m JOIN seats s ON s.match = m.id WHERE m.id IN (" + ids + ") ORDER BY m.id, s.seat"
	err := Scan(ctx, q, query, args, func(row RowScanner) error {
		m, err := scanSeat(row)
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
	query = "SELECT match, version, body, append_id FROM log WHERE match IN (" + ids + ") ORDER BY match, version"
	err = Scan(ctx, q, query, args, func(row RowScanner) error {
		var id string
		var version int
		var body, appendID sql.RawBytes
		if err := row.Scan(&id, &version, &body, &appendID); err != nil {
			return err
		}
		if m := byID[id]; m != nil && m.err == nil {
			m.appendEntry(version, body, appendID)
		}
		return nil
	})
	return all, err
}

// appendEntry appends an entry to the log that is being read.
func (m *storedMatch) appendEntry(version int, body, appendID []byte) {
	e, err := DecodeEntry(body)
	copy(e.AppendID[:], appendID)
	if want := len(m.log) + 1; err == nil && version != want {
		err = fmt.Errorf("its number should be %d", want)
	}
	if err != nil {
		m.setCorrupt(fmt.Errorf("entry %d: %w", version, err))
		return
	}
	if m.log == nil {
		m.log = make([]match.Entry, 0, initialLogCap)
	}
	m.log = append(m.log, e)
}

func (m *storedMatch) setCorrupt(cause error) {
	m.err = fmt.Errorf("match %s is %w: %w", m.info.ID, errcode.ErrCorrupt, cause)
}

// readOptions sets the options once all seats have been read.
func (m *storedMatch) readOptions(games engine.Games) {
	o, err := parseOptions(games, m.info.Game, m.options)
	if err != nil {
		m.setCorrupt(err)
		return
	}
	m.info.Options = o.WithSeats(len(m.info.Seats))
}

// EncodeOptions returns the stored form of a match's options.
func EncodeOptions(info *match.Info) (string, error) {
	raw, err := json.Marshal(info.Options)
	if err != nil {
		err = fmt.Errorf("match %s: options: %w", info.ID, err)
	}
	return string(raw), err
}

// InsertMatch implements CreateMatch of lobby.MatchStore except for the rows that change with it. options is the stored
// form of the match's options.
func InsertMatch(t Tx, info *match.Info, options string, maxUnfinished int) error {
	if err := checkUnfinished(t, info, maxUnfinished); err != nil {
		return err
	}
	rows, err := t.Exec(`
		INSERT INTO matches (id, game, options, initial, increment, days, rated, private, code, rematch_of, delay, started,
			tournament, tournament_round, tournament_table, first_turn, no_vacation)
		VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17) ON CONFLICT DO NOTHING`,
		info.ID, info.Game, options, int64(info.Control.Initial), int64(info.Control.Increment), info.Control.Days,
		info.Rated, info.Private, info.Code, info.RematchOf, info.Delay, info.Started.UnixNano(),
		info.Tournament.ID, info.Tournament.Round, info.Tournament.Table, int64(info.Tournament.FirstTurn), info.Tournament.NoVacation)
	if err == nil && rows == 0 {
		return matchInstead(t, info)
	}
	for i, seat := range info.Seats {
		if err != nil {
			break
		}
		_, err = t.Exec(`
			INSERT INTO seats (match, seat, account, name, bot, rating_before, return_digest, game, options)
			VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)`,
			info.ID, i, sql.NullInt64{Int64: int64(seat.Account), Valid: seat.Account > 0}, seat.Name, seat.Bot,
			encodeRating(seat.Rating), seat.ReturnDigest, info.Game, options)
	}
	return err
}

// checkUnfinished locks the accounts of a match in the order of their ids, and returns a *lobby.UnfinishedError if one
// that is no bot's has limit unfinished matches. 0 is no limit. Games of tournaments do not count.
func checkUnfinished(t Tx, info *match.Info, limit int) error {
	if limit == 0 {
		return nil
	}
	var accounts []account.ID
	for _, seat := range info.Seats {
		if seat.Account > 0 && !seat.Bot {
			accounts = append(accounts, seat.Account)
		}
	}
	slices.Sort(accounts)
	for _, id := range accounts {
		if err := t.LockAccount(int64(id)); err != nil {
			return err
		}
	}
	for _, id := range accounts {
		n := 0
		err := t.Row(`SELECT count(*) FROM seats WHERE account = ?1 AND ended IS NULL AND match <> ?2
			AND NOT EXISTS (SELECT 1 FROM matches m WHERE m.id = seats.match AND m.tournament <> '')`, int64(id), info.ID).Scan(&n)
		if err != nil {
			return err
		}
		if n >= limit {
			return &lobby.UnfinishedError{Account: id, Count: n}
		}
	}
	return nil
}

// matchInstead returns why a match could not be inserted.
func matchInstead(t Tx, info *match.Info) error {
	var id string
	err := t.Row("SELECT id FROM matches WHERE id = ?1 OR rematch_of <> '' AND rematch_of = ?2 ORDER BY id <> ?1 LIMIT 1", info.ID, info.RematchOf).Scan(&id)
	switch {
	case err != nil:
		return err
	case id != info.ID:
		return &lobby.RematchError{ID: id}
	}
	return errcode.ErrTaken
}

// infoColumns are the columns of a match m and its seat s that scanSeat reads.
const infoColumns = `m.id, m.game, m.options, m.initial, m.increment, m.days, m.rated, m.private, m.code, m.rematch_of, m.delay, m.started,
m.tournament, m.tournament_round, m.tournament_table, m.first_turn, m.no_vacation, s.account, s.name, s.bot, s.rating_before, s.return_digest`

// scanSeat reads infoColumns, and further columns after them, as a match with one seat.
func scanSeat(row RowScanner, further ...any) (*storedMatch, error) {
	var (
		seat      match.Seat
		accountID sql.NullInt64
		before    *storedRating
	)
	m := &storedMatch{info: &match.Info{}}
	i := m.info
	columns := []any{
		&i.ID, &i.Game, &m.options, &i.Control.Initial, &i.Control.Increment, &i.Control.Days,
		&i.Rated, &i.Private, &i.Code, &i.RematchOf, &i.Delay, timeIn(&i.Started),
		&i.Tournament.ID, &i.Tournament.Round, &i.Tournament.Table, &i.Tournament.FirstTurn, &i.Tournament.NoVacation,
		&accountID, &seat.Name, &seat.Bot, jsonIn(&before), &seat.ReturnDigest,
	}
	if err := row.Scan(append(columns, further...)...); err != nil {
		return nil, err
	}
	seat.Account, seat.Rating = account.ID(accountID.Int64), (*rating.Rating)(before)
	i.Seats = []match.Seat{seat}
	return m, nil
}

// parseOptions reads the stored options of a match.
func parseOptions(games engine.Games, game, options string) (engine.Options, error) {
	g, ok := games.ByName(game)
	if !ok {
		return nil, fmt.Errorf("there is no game %q", game)
	}
	return g.ParseOptions([]byte(options))
}

// optionsText returns stored options in words; the stored text if they cannot be read.
func optionsText(games engine.Games, game, options string) string {
	o, err := parseOptions(games, game, options)
	if err != nil {
		return options
	}
	return o.String()
}
