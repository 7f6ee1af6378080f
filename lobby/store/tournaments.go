package store

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"ayumu/engine"
	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/errcode"
	"ayumu/lobby/tournament"
)

// maxTournaments is the largest number of tournaments in one list.
const maxTournaments = 200

// TournamentTable implements lobby.TournamentStore. NewTournamentTable is the constructor.
type TournamentTable struct {
	db    Database
	games engine.Games
}

// NewTournamentTable returns the tournaments of a database, which are of these games.
func NewTournamentTable(db Database, games engine.Games) TournamentTable {
	return TournamentTable{db, games}
}

// AppendTournament implements lobby.TournamentStore.
func (s TournamentTable) AppendTournament(ctx context.Context, a lobby.TournamentAppend) error {
	bodies := make([][]byte, len(a.Entries))
	for i := range a.Entries {
		var err error
		if bodies[i], err = tournament.Encode(&a.Entries[i]); err != nil {
			return s.db.Explain("storing a tournament in", err)
		}
	}
	listing, err := json.Marshal(a.Listing)
	if err != nil {
		return s.db.Explain("storing a tournament in", err)
	}
	id, version := a.Listing.ID, a.After+len(a.Entries)
	return s.db.Update(ctx, "storing a tournament in", func(t Tx) error {
		var rows int64
		var err error
		if a.After == 0 {
			rows, err = t.Exec("INSERT INTO tournaments (id, version, created, phase, listing) VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT DO NOTHING",
				id, version, a.Listing.Created.UnixNano(), string(a.Listing.Phase), string(listing))
		} else {
			rows, err = t.Exec("UPDATE tournaments SET version = ?2, phase = ?3, listing = ?4 WHERE id = ?1 AND version = ?5",
				id, version, string(a.Listing.Phase), string(listing), a.After)
		}
		if err == nil && rows == 0 {
			return errcode.ErrVersionConflict
		}
		for i, body := range bodies {
			if err != nil {
				return err
			}
			_, err = t.Exec("INSERT INTO tournament_entries (tournament, version, body) VALUES (?1, ?2, ?3)", id, a.After+i+1, body)
		}
		for _, at := range a.Attended {
			if err != nil {
				return err
			}
			_, err = t.Exec("INSERT INTO tournament_attendance (account, tournament, at, no_show) VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING",
				int64(at.User), id, at.At.UnixNano(), at.NoShow)
		}
		return err
	})
}

// TournamentEntries implements lobby.TournamentStore.
func (s TournamentTable) TournamentEntries(ctx context.Context, id string, after int) ([]tournament.Entry, error) {
	var bodies [][]byte
	var exists bool
	err := s.db.ReadTx(ctx, func(q Querier) (err error) {
		if exists, err = Exists(ctx, q, "SELECT 1 FROM tournaments WHERE id = ?1", id); err != nil {
			return err
		}
		bodies, err = All(ctx, q, "SELECT body FROM tournament_entries WHERE tournament = ?1 AND version > ?2 ORDER BY version", []any{id, after}, Value[[]byte])
		return err
	})
	switch {
	case err != nil:
		return nil, s.db.Explain("reading a tournament in", err)
	case !exists:
		return nil, errcode.ErrNotFound
	}
	entries := make([]tournament.Entry, len(bodies))
	for i, body := range bodies {
		if entries[i], err = tournament.Decode(body, s.games); err != nil {
			return nil, fmt.Errorf("tournament %s is %w: entry %d: %w", id, errcode.ErrCorrupt, after+i+1, err)
		}
	}
	return entries, nil
}

// UnsettledTournaments implements lobby.TournamentStore.
func (s TournamentTable) UnsettledTournaments(ctx context.Context) (map[string]int, error) {
	all := make(map[string]int)
	err := Scan(ctx, s.db, "SELECT id, version FROM tournaments WHERE NOT settled", nil, func(row RowScanner) error {
		var id string
		var version int
		err := row.Scan(&id, &version)
		all[id] = version
		return err
	})
	return all, s.db.Explain("reading the tournaments in", err)
}

// SettleTournament implements lobby.TournamentStore.
func (s TournamentTable) SettleTournament(ctx context.Context, id string, version int) error {
	return s.db.Update(ctx, "storing a tournament in", func(t Tx) error {
		_, err := t.Exec("UPDATE tournaments SET settled = TRUE WHERE id = ?1 AND version = ?2", id, version)
		return err
	})
}

// Tournaments implements lobby.TournamentStore.
func (s TournamentTable) Tournaments(ctx context.Context, q lobby.TournamentQuery) ([]lobby.TournamentListing, error) {
	args := []any{min(max(q.Limit, 1), maxTournaments)}
	var conditions []string
	if len(q.Phases) > 0 {
		var marks []string
		for _, p := range q.Phases {
			args = append(args, string(p))
			marks = append(marks, fmt.Sprintf("?%d", len(args)))
		}
		conditions = append(conditions, "phase IN ("+strings.Join(marks, ", ")+")")
	}
	if q.Before != "" {
		args = append(args, q.Before)
		conditions = append(conditions, fmt.Sprintf("(created, id) < (SELECT created, id FROM tournaments WHERE id = ?%d)", len(args)))
	}
	where := ""
	if len(conditions) > 0 {
		where = "WHERE " + strings.Join(conditions, " AND ")
	}
	all, err := All(ctx, s.db, "SELECT listing FROM tournaments "+where+" ORDER BY created DESC, id DESC LIMIT ?1", args, func(row RowScanner) (l lobby.TournamentListing, err error) {
		err = row.Scan(jsonIn(&l))
		return l, err
	})
	return all, s.db.Explain("reading the tournaments in", err)
}

// Attendance implements lobby.TournamentStore.
func (s TournamentTable) Attendance(ctx context.Context, id account.ID) ([]tournament.Attendance, error) {
	all, err := All(ctx, s.db, "SELECT tournament, at, no_show FROM tournament_attendance WHERE account = ?1 ORDER BY at, tournament", []any{int64(id)},
		func(row RowScanner) (a tournament.Attendance, err error) {
			err = row.Scan(&a.Tournament, timeIn(&a.At), &a.NoShow)
			return a, err
		})
	return all, s.db.Explain("reading the attendance at tournaments in", err)
}

// HighestRating implements lobby.TournamentStore.
func (s TournamentTable) HighestRating(ctx context.Context, id account.ID, pool string, since time.Time) (highest float64, err error) {
	err = Scan(ctx, s.db, `SELECT rating_after FROM seats WHERE account = ?1 AND pool = ?2
		AND ended >= coalesce((SELECT max(ended) FROM seats WHERE account = ?1 AND pool = ?2 AND ended < ?3), ?3)`, []any{int64(id), pool, since.UnixNano()}, func(row RowScanner) error {
		var after *storedRating
		if err := row.Scan(jsonIn(&after)); err != nil || after == nil {
			return err
		}
		highest = max(highest, after.Value)
		return nil
	})
	return highest, s.db.Explain("reading ratings in", err)
}
