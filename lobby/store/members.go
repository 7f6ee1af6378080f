package store

import (
	"context"
	"database/sql"
	"maps"
	"slices"
	"strings"
	"time"

	"ayumu/engine"
	"ayumu/lobby/account"
	"ayumu/lobby/club"
	"ayumu/lobby/errcode"
)

// MemberTable implements club.MemberStore. NewMemberTable is the constructor.
type MemberTable struct {
	db    Database
	games engine.Games
}

// NewMemberTable returns the accounts of a database as the owners of a server see them. Options of games that are not in
// games are left out of statistics.
func NewMemberTable(db Database, games engine.Games) MemberTable { return MemberTable{db, games} }

// Members implements club.MemberStore.
func (s MemberTable) Members(ctx context.Context, after string, limit int) ([]club.Member, error) {
	args := append([]any{account.Skeleton(after), limit}, builtInRange()...)
	found, err := s.query(ctx, "SELECT id FROM accounts m WHERE skeleton > ?1 AND NOT EXISTS ("+builtInKeys("m.id", 3)+") ORDER BY skeleton LIMIT ?2", args...)
	return found, s.db.Explain("reading the members of", err)
}

// Member implements club.MemberStore.
func (s MemberTable) Member(ctx context.Context, name string) (club.Member, error) {
	found, err := s.query(ctx, "SELECT id FROM accounts WHERE skeleton = ?1", account.Skeleton(name))
	switch {
	case err != nil:
		return club.Member{}, s.db.Explain("reading a member of", err)
	case len(found) == 0 || !strings.EqualFold(found[0].Account.Name, name):
		return club.Member{}, errcode.ErrNotFound
	}
	return found[0], nil
}

// query returns the accounts whose ids a query returns, sorted by the skeletons of their names.
func (s MemberTable) query(ctx context.Context, ids string, args ...any) (all []club.Member, err error) {
	err = s.db.ReadTx(ctx, func(q Querier) error {
		accounts, err := queryAccounts(ctx, q, "WHERE a.id IN ("+ids+") ORDER BY a.skeleton, r.pool", args...)
		if err != nil {
			return err
		}
		all = make([]club.Member, len(accounts))
		byID := make(map[account.ID]*club.Member)
		for i, a := range accounts {
			a.Settings = nil
			all[i] = club.Member{Account: a.Account, Role: club.RolePlayer}
			byID[a.ID] = &all[i]
		}
		return Scan(ctx, q, `SELECT a.id,
				(SELECT count(*) FROM keys k WHERE k.account = a.id),
				EXISTS (SELECT 1 FROM keys k JOIN members m ON m.wire = k.wire WHERE k.account = a.id),
				(SELECT r.role FROM roles r WHERE r.account = a.id),
				(SELECT v.at FROM visits v WHERE v.account = a.id),
				(SELECT count(*) FROM seats s WHERE s.account = a.id AND s.ended IS NOT NULL),
				(SELECT count(*) FROM seats s WHERE s.account = a.id AND s.ended IS NULL),
				(SELECT max(s.ended) FROM seats s WHERE s.account = a.id)
			FROM accounts a WHERE a.id IN (`+ids+`)`, args, func(row RowScanner) error {
			var id account.ID
			var more club.Member
			var role sql.NullString
			err := row.Scan(&id, &more.Keys, &more.IsInvited, &role, timeIn(&more.LastSeen), &more.Games, &more.Unfinished, timeIn(&more.LastGame))
			if m := byID[id]; m != nil {
				more.Account, more.Role = m.Account, max(storedRole(role.String), club.RolePlayer)
				*m = more
			}
			return err
		})
	})
	return all, err
}

// storedRole returns the role with a stored name; the lowest one for others.
func storedRole(name string) club.Role {
	r, _ := club.RoleByName(name)
	return r
}

// Roles implements club.MemberStore.
func (s MemberTable) Roles(ctx context.Context) (map[account.ID]club.Role, error) {
	all := make(map[account.ID]club.Role)
	err := Scan(ctx, s.db, "SELECT account, role FROM roles", nil, func(row RowScanner) error {
		var id account.ID
		var name string
		err := row.Scan(&id, &name)
		if r := storedRole(name); r > club.RolePlayer {
			all[id] = r
		}
		return err
	})
	return all, s.db.Explain("reading roles in", err)
}

// SetRole implements club.MemberStore.
func (s MemberTable) SetRole(ctx context.Context, id account.ID, role club.Role, needsOther bool, actor, action string, at time.Time) error {
	return s.db.Update(ctx, "storing a role in", func(t Tx) error {
		if err := t.Lock("roles"); err != nil {
			return err
		}
		if err := t.LockAccount(int64(id)); err != nil {
			return err
		}
		if err := checkExists(t, id); err != nil {
			return err
		}
		hasOther, err := Exists(context.Background(), t, "SELECT 1 FROM roles WHERE account <> ?1 AND role = ?2", int64(id), club.RoleServerOwner.String())
		switch {
		case err != nil:
			return err
		case needsOther && !hasOther:
			return club.ErrLastOwner
		}
		_, err = t.Exec("DELETE FROM roles WHERE account = ?1", int64(id))
		if err == nil && role > club.RolePlayer {
			_, err = t.Exec("INSERT INTO roles (account, role) VALUES (?1, ?2)", int64(id), role.String())
		}
		if err != nil {
			return err
		}
		return addAuditEntry(t, club.AuditEntry{At: at, Actor: actor, Action: action})
	})
}

// checkNoOwner returns club.ErrIsOwner for an account with the stored role owner.
func checkNoOwner(t Tx, account int64) error {
	isOwner, err := Exists(context.Background(), t, "SELECT 1 FROM roles WHERE account = ?1 AND role = ?2", account, club.RoleServerOwner.String())
	if err == nil && isOwner {
		return club.ErrIsOwner
	}
	return err
}

// EndMembership implements club.MemberStore.
func (s MemberTable) EndMembership(ctx context.Context, id account.ID, actor, action string, at time.Time) error {
	return s.db.Update(ctx, "ending a membership in", func(t Tx) error {
		if _, err := t.Exec("DELETE FROM members WHERE wire IN (SELECT wire FROM keys WHERE account = ?1)", int64(id)); err != nil {
			return err
		}
		return addAuditEntry(t, club.AuditEntry{At: at, Actor: actor, Action: action})
	})
}

// RecordVisits implements club.MemberStore.
func (s MemberTable) RecordVisits(ctx context.Context, visits map[account.ID]time.Time) error {
	return s.db.Update(ctx, "storing visits in", func(t Tx) error {
		for _, id := range slices.Sorted(maps.Keys(visits)) { // in one order, so that two nodes cannot block each other
			_, err := t.Exec(`INSERT INTO visits (account, at) SELECT id, ?2 FROM accounts WHERE id = ?1 AND skeleton IS NOT NULL
				ON CONFLICT (account) DO UPDATE SET at = excluded.at WHERE excluded.at > visits.at`, int64(id), visits[id].UnixNano())
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// lastVisit is the query of MemberTable.LastVisit.
const lastVisit = "SELECT at FROM visits WHERE account = ?1"

// LastVisit implements club.MemberStore.
func (s MemberTable) LastVisit(ctx context.Context, id account.ID) (time.Time, error) {
	at, err := One(ctx, s.db, lastVisit, []any{int64(id)}, func(row RowScanner) (at time.Time, err error) {
		err = row.Scan(timeIn(&at))
		return at, err
	})
	return at, s.db.Explain("reading a visit in", err)
}

// Invitations implements club.MemberStore. An id can be given again once its invitation is removed, so that only members
// who joined after it was created count.
func (s MemberTable) Invitations(ctx context.Context, at time.Time, limit int) ([]club.ListedInvitation, error) {
	const query = `SELECT i.id, i.uses_left, (SELECT count(*) FROM members m WHERE m.invitation = i.id AND m.joined >= i.created), i.created, i.until, i.issuer
		FROM invitations i WHERE i.uses_left > 0 AND i.until > ?1 ORDER BY i.id LIMIT ?2`
	all, err := All(ctx, s.db, query, []any{at.UnixNano(), limit}, func(row RowScanner) (i club.ListedInvitation, err error) {
		err = row.Scan(&i.ID, &i.Left, &i.Used, timeIn(&i.Created), timeIn(&i.Until), &i.Issuer)
		return i, err
	})
	return all, s.db.Explain("reading the invitations in", err)
}

// RevokeInvitation implements club.MemberStore.
func (s MemberTable) RevokeInvitation(ctx context.Context, id int64, actor, action string, at time.Time) error {
	return s.db.Update(ctx, "revoking an invitation in", func(t Tx) error {
		if err := updateOne(t, "DELETE FROM invitations WHERE id = ?1", id); err != nil {
			return err
		}
		return addAuditEntry(t, club.AuditEntry{At: at, Actor: actor, Action: action})
	})
}

// maxPlayedSeats bounds the rows of PlayedSeat in one answer.
const maxPlayedSeats = 10_000

// Played implements club.MemberStore.
func (s MemberTable) Played(ctx context.Context, since time.Time) (all club.Played, err error) {
	from := since.UnixNano()
	err = s.db.ReadTx(ctx, func(q Querier) (err error) {
		all.NewAccounts, err = One(ctx, q, "SELECT count(*) FROM accounts WHERE created >= ?1 AND skeleton IS NOT NULL AND NOT bot", []any{from}, Value[int])
		if err != nil {
			return err
		}
		err = Scan(ctx, q, `SELECT (m.ended - ?1) / ?2 AS week, count(*) FROM matches m
			JOIN seats s ON s.match = m.id AND s.seat = 0 AND s.outcome IS NOT NULL
			WHERE m.ended >= ?1 GROUP BY 1 ORDER BY 1`, []any{from, int64(club.Week)}, func(row RowScanner) error {
			var week, games int
			err := row.Scan(&week, &games)
			if week >= 0 && week < maxPlayedSeats {
				all.Weeks = append(all.Weeks, make([]int, week+1-len(all.Weeks))...)
				all.Weeks[week] = games
			}
			return err
		})
		if err != nil {
			return err
		}
		return Scan(ctx, q, `SELECT m.game, m.options, s.seat, s.side, s.outcome, count(*) FROM matches m JOIN seats s ON s.match = m.id
			WHERE m.ended >= ?1 AND s.outcome IS NOT NULL GROUP BY m.game, m.options, s.seat, s.side, s.outcome LIMIT ?2`,
			[]any{from, maxPlayedSeats}, func(row RowScanner) error {
				var game, options string
				var p club.PlayedSeat
				var side sql.NullString
				if err := row.Scan(&game, &options, &p.Seat, &side, &p.Outcome, &p.Games); err != nil {
					return err
				}
				p.Side = side.String
				if g, known := s.games.ByName(game); known {
					if parsed, err := g.ParseOptions([]byte(options)); err == nil {
						p.Options = parsed
						all.Seats = append(all.Seats, p)
					}
				}
				return nil
			})
	})
	return all, s.db.Explain("reading statistics in", err)
}

// ActivePlayers implements club.MemberStore.
func (s MemberTable) ActivePlayers(ctx context.Context, since time.Time) (int, error) {
	n, err := One(ctx, s.db, `SELECT count(DISTINCT s.account) FROM matches m JOIN seats s ON s.match = m.id
		JOIN accounts a ON a.id = s.account
		WHERE m.ended >= ?1 AND NOT s.bot AND NOT a.bot AND s.outcome IS NOT NULL`, []any{since.UnixNano()}, Value[int])
	return n, s.db.Explain("reading statistics in", err)
}
