package store

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/errcode"
	"ayumu/lobby/rating"
)

// Accounts implements lobby.AccountStore. NewAccounts is the constructor.
type Accounts struct{ db Database }

// NewAccounts returns the accounts of a database.
func NewAccounts(db Database) Accounts { return Accounts{db} }

// AccountByKey implements lobby.AccountStore.
func (s Accounts) AccountByKey(ctx context.Context, key []byte) (account.Account, error) {
	var found foundAccounts
	err := Scan(ctx, s.db, accountByKey, []any{key}, found.add)
	return s.accountOf(ctx, found, err)
}

// AccountByName implements lobby.AccountStore.
func (s Accounts) AccountByName(ctx context.Context, name string) (account.Account, error) {
	a, err := s.queryAccount(ctx, "WHERE a.skeleton = ?1", account.Skeleton(name))
	if err == nil && !strings.EqualFold(a.Name, name) {
		return account.Account{}, errcode.ErrNotFound // only similar
	}
	return a, err
}

// Account implements lobby.AccountStore.
func (s Accounts) Account(ctx context.Context, id account.ID) (account.Account, error) {
	return s.queryAccount(ctx, "WHERE a.id = ?1", int64(id))
}

func (s Accounts) queryAccount(ctx context.Context, where string, args ...any) (account.Account, error) {
	found, err := queryAccounts(ctx, s.db, where, args...)
	return s.accountOf(ctx, found, err)
}

// accountOf returns the account that a query has found, with its blocks, or errcode.ErrNotFound. err is the error of the
// query.
func (s Accounts) accountOf(ctx context.Context, found foundAccounts, err error) (account.Account, error) {
	switch {
	case err != nil:
		return account.Account{}, s.db.Explain("reading an account in", err)
	case len(found) == 0:
		return account.Account{}, errcode.ErrNotFound
	}
	a := found[0].Account
	if found[0].hasBlocks {
		a.Blocks, err = s.queryBlocks(ctx, a.ID)
	}
	return a, s.db.Explain("reading blocks in", err)
}

func (s Accounts) queryBlocks(ctx context.Context, id account.ID) ([]account.Block, error) {
	const query = "SELECT b.other, a.name, b.at FROM blocks b JOIN accounts a ON a.id = b.other WHERE b.account = ?1"
	return All(ctx, s.db, query, []any{int64(id)}, func(row RowScanner) (b account.Block, err error) {
		err = row.Scan(&b.ID, &b.Name, timeIn(&b.At))
		return b, err
	})
}

// AddBlock implements lobby.AccountStore.
func (s Accounts) AddBlock(ctx context.Context, id, other account.ID, at time.Time) error {
	return s.db.Update(ctx, "storing a block in", func(t Tx) error {
		_, err := t.Exec("INSERT INTO blocks (account, other, at) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING", int64(id), int64(other), at.UnixNano())
		return err
	})
}

// RemoveBlock implements lobby.AccountStore.
func (s Accounts) RemoveBlock(ctx context.Context, id, other account.ID) error {
	return s.db.Update(ctx, "removing a block in", func(t Tx) error {
		_, err := t.Exec("DELETE FROM blocks WHERE account = ?1 AND other = ?2", int64(id), int64(other))
		return err
	})
}

// foundAccount is an account without its blocks.
type foundAccount struct {
	account.Account
	hasBlocks bool
}

// foundAccounts are accounts in the order of their rows.
type foundAccounts []foundAccount

// selectAccounts selects accounts a with their ratings r. What selects and orders them follows; rows of one account must
// be adjacent.
const selectAccounts = `SELECT a.id, a.name, a.bot, a.created, a.renamed, a.settings, r.pool, r.value, r.deviation, r.volatility, r.games,
			EXISTS (SELECT 1 FROM seats s WHERE s.account = a.id AND s.outcome IS NOT NULL),
			EXISTS (SELECT 1 FROM blocks b WHERE b.account = a.id)
		FROM accounts a LEFT JOIN ratings r ON r.account = a.id `

// accountByKey is the query of Accounts.AccountByKey.
const accountByKey = selectAccounts + "JOIN keys k ON k.account = a.id WHERE k.wire = ?1"

// queryAccounts returns accounts a with their ratings r. where is the SQL that follows selectAccounts.
func queryAccounts(ctx context.Context, q Querier, where string, args ...any) (all foundAccounts, err error) {
	err = Scan(ctx, q, selectAccounts+where, args, all.add)
	return all, err
}

// add adds the account of a row of selectAccounts, or a further rating of the last account.
func (all *foundAccounts) add(row RowScanner) error {
	var (
		id                           int64
		a                            foundAccount
		pool                         sql.NullString
		value, deviation, volatility sql.NullFloat64
		games                        sql.NullInt64
	)
	err := row.Scan(&id, &a.Name, &a.Bot, timeIn(&a.CreatedAt), timeIn(&a.RenamedAt), &a.Settings, &pool, &value, &deviation, &volatility, &games, &a.HasPlayed, &a.hasBlocks)
	if err != nil {
		return err
	}
	a.ID = account.ID(id)
	if n := len(*all); n == 0 || (*all)[n-1].ID != a.ID {
		a.Ratings = make(map[string]rating.Rating)
		*all = append(*all, a)
	}
	if pool.Valid {
		(*all)[len(*all)-1].Ratings[pool.String] = rating.Rating{
			Value: value.Float64, Deviation: deviation.Float64, Volatility: volatility.Float64, Games: int(games.Int64),
		}
	}
	return nil
}

// CreateAccount implements lobby.AccountStore.
func (s Accounts) CreateAccount(ctx context.Context, name string, key []byte, at time.Time) (account.Account, error) {
	var id int64
	err := s.db.Update(ctx, "creating an account in", func(t Tx) error {
		err := t.Row("INSERT INTO accounts (name, skeleton, created) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING RETURNING id",
			name, account.Skeleton(name), at.UnixNano()).Scan(&id)
		if err == sql.ErrNoRows {
			return errcode.ErrTaken
		}
		if err != nil {
			return err
		}
		// Checked last, because the insertion may have waited for the deletion of an account with the name.
		if err := checkNotReserved(t, name, at); err != nil {
			return err
		}
		if err := addKey(t, id, key, at); err != nil {
			return err
		}
		return inheritSanctions(t, id, name, key, at)
	})
	if err != nil {
		return account.Account{}, err
	}
	return s.Account(ctx, account.ID(id))
}

// checkNotReserved returns errcode.ErrTaken for a name that is similar to a reserved one.
func checkNotReserved(t Tx, name string, at time.Time) error {
	isReserved, err := Exists(context.Background(), t, "SELECT 1 FROM reserved_names WHERE skeleton = ?1 AND until > ?2", account.Skeleton(name), at.UnixNano())
	if err == nil && isReserved {
		return errcode.ErrTaken
	}
	return err
}

// SetBot implements lobby.AccountStore.
func (s Accounts) SetBot(ctx context.Context, id account.ID, bot bool) error {
	return s.db.Update(ctx, "marking a bot in", func(t Tx) error {
		return updateOne(t, "UPDATE accounts SET bot = ?2 WHERE id = ?1 AND skeleton IS NOT NULL", int64(id), bot)
	})
}

// builtInKeys is a query for the keys of an account that are a built-in player's. The arguments from number n on are
// builtInRange.
func builtInKeys(account string, n int) string {
	return fmt.Sprintf("SELECT 1 FROM keys bk WHERE bk.account = %s AND bk.wire >= ?%d AND bk.wire < ?%d", account, n, n+1)
}

// builtInRange returns the first key that begins as those of built-in players do, and the first one behind them.
func builtInRange() []any {
	first := []byte(account.BuiltInKey)
	behind := slices.Clone(first)
	behind[len(behind)-1]++
	return []any{first, behind}
}

// StartRatings implements lobby.AccountStore.
func (s Accounts) StartRatings(ctx context.Context, id account.ID, ratings map[string]rating.Rating) error {
	return s.db.Update(ctx, "storing the first ratings of a built-in player in", func(t Tx) error {
		if err := t.LockAccount(int64(id)); err != nil {
			return err
		}
		for _, pool := range slices.Sorted(maps.Keys(ratings)) {
			r := ratings[pool]
			_, err := t.Exec(`
				INSERT INTO ratings (account, pool, value, deviation, volatility, games, established) VALUES (?1, ?2, ?3, ?4, ?5, 0, ?6)
				ON CONFLICT (account, pool) DO UPDATE SET value = excluded.value, deviation = excluded.deviation,
					volatility = excluded.volatility, established = excluded.established WHERE ratings.games = 0`,
				int64(id), pool, r.Value, r.Deviation, r.Volatility, r.IsEstablished())
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// addKey adds a key to an account, or returns errcode.ErrTaken.
func addKey(t Tx, account int64, key []byte, at time.Time) error {
	rows, err := t.Exec("INSERT INTO keys (account, wire, added) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING",
		account, key, at.UnixNano())
	if err == nil && rows == 0 {
		return errcode.ErrTaken
	}
	return err
}

// Rename implements lobby.AccountStore.
func (s Accounts) Rename(ctx context.Context, id account.ID, name string, at time.Time) (account.Account, error) {
	err := s.db.Update(ctx, "changing a name in", func(t Tx) error {
		skeleton := account.Skeleton(name)
		isTaken, err := Exists(context.Background(), t, "SELECT 1 FROM accounts WHERE skeleton = ?1 AND id <> ?2", skeleton, int64(id))
		if err == nil && isTaken {
			return errcode.ErrTaken
		}
		if err == nil {
			err = checkNotReserved(t, name, at)
		}
		if err != nil {
			return err
		}
		return updateOne(t, "UPDATE accounts SET name = ?2, skeleton = ?3, renamed = ?4 WHERE id = ?1 AND skeleton IS NOT NULL",
			int64(id), name, skeleton, at.UnixNano())
	})
	if err != nil {
		return account.Account{}, err
	}
	return s.Account(ctx, id)
}

// SaveSettings implements lobby.AccountStore.
func (s Accounts) SaveSettings(ctx context.Context, id account.ID, settings []byte) error {
	return s.db.Update(ctx, "saving settings in", func(t Tx) error {
		return updateOne(t, "UPDATE accounts SET settings = ?2 WHERE id = ?1 AND skeleton IS NOT NULL", int64(id), settings)
	})
}

// DeleteAccount implements lobby.AccountStore. The ratings before and after a match stay with the match. An account with
// the stored role owner is not deleted: it returns club.ErrIsOwner.
func (s Accounts) DeleteAccount(ctx context.Context, id account.ID, at time.Time) error {
	neutral := account.DeletedName(id)
	return s.db.Update(ctx, "deleting an account in", func(t Tx) error {
		if err := t.LockAccount(int64(id)); err != nil {
			return err
		}
		if err := checkNoOwner(t, int64(id)); err != nil {
			return err
		}
		if err := reserveName(t, int64(id), at); err != nil {
			return err
		}
		if err := keepSanctioned(t, int64(id), nil, at); err != nil {
			return err
		}
		err := updateOne(t, "UPDATE accounts SET name = ?2, skeleton = NULL, renamed = NULL, settings = NULL WHERE id = ?1 AND skeleton IS NOT NULL",
			int64(id), neutral)
		if err != nil {
			return err
		}
		for _, query := range []string{"DELETE FROM keys WHERE account = ?1", "DELETE FROM ratings WHERE account = ?1",
			"DELETE FROM puzzle_progress WHERE account = ?1", "DELETE FROM puzzle_tries WHERE account = ?1",
			"DELETE FROM blocks WHERE account = ?1 OR other = ?1",
			"DELETE FROM roles WHERE account = ?1", "DELETE FROM visits WHERE account = ?1", "DELETE FROM announcements_read WHERE account = ?1"} {
			if _, err := t.Exec(query, int64(id)); err != nil {
				return err
			}
		}
		if err := removeReceiver(t, int64(id)); err != nil {
			return err
		}
		_, err = t.Exec("UPDATE seats SET name = ?2 WHERE account = ?1", int64(id), neutral)
		return err
	})
}

// reserveName reserves the name of an account that is being deleted, and removes expired reservations.
func reserveName(t Tx, account int64, at time.Time) error {
	if _, err := t.Exec("DELETE FROM reserved_names WHERE until <= ?1", at.UnixNano()); err != nil {
		return err
	}
	_, err := t.Exec(`INSERT INTO reserved_names (skeleton, until) SELECT skeleton, ?2 FROM accounts WHERE id = ?1 AND skeleton IS NOT NULL
		ON CONFLICT (skeleton) DO UPDATE SET until = excluded.until`, account, at.Add(lobby.ReservedName).UnixNano())
	return err
}

// Keys implements lobby.AccountStore.
func (s Accounts) Keys(ctx context.Context, id account.ID) ([]account.Key, error) {
	keys, err := All(ctx, s.db, "SELECT wire, added FROM keys WHERE account = ?1 ORDER BY id", []any{int64(id)}, func(row RowScanner) (k account.Key, err error) {
		err = row.Scan(&k.Wire, timeIn(&k.Added))
		return k, err
	})
	return keys, s.db.Explain("reading keys in", err)
}

// AddKey implements lobby.AccountStore.
func (s Accounts) AddKey(ctx context.Context, id account.ID, key []byte, at time.Time) error {
	return s.db.Update(ctx, "adding a key in", func(t Tx) error {
		if err := t.LockAccount(int64(id)); err != nil {
			return err
		}
		if err := checkExists(t, id); err != nil {
			return err
		}
		return addKey(t, int64(id), key, at)
	})
}

// checkExists returns errcode.ErrNotFound for an account that does not exist, or was deleted.
func checkExists(t Tx, id account.ID) error {
	exists, err := Exists(context.Background(), t, "SELECT 1 FROM accounts WHERE id = ?1 AND skeleton IS NOT NULL", int64(id))
	if err == nil && !exists {
		err = errcode.ErrNotFound
	}
	return err
}

// RemoveKey implements lobby.AccountStore.
func (s Accounts) RemoveKey(ctx context.Context, id account.ID, key []byte, at time.Time) error {
	return s.db.Update(ctx, "removing a key in", func(t Tx) error {
		if err := t.LockAccount(int64(id)); err != nil {
			return err
		}
		if err := keepSanctioned(t, int64(id), key, at); err != nil {
			return err
		}
		rows, err := t.Exec("DELETE FROM keys WHERE account = ?1 AND wire = ?2", int64(id), key)
		if err != nil {
			return err
		}
		if rows == 0 {
			return errcode.ErrNotFound
		}
		hasKeys, err := Exists(context.Background(), t, "SELECT 1 FROM keys WHERE account = ?1", int64(id))
		if err == nil && !hasKeys {
			err = errcode.ErrLastKey // undoes the removal
		}
		return err
	})
}
