package account

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"strconv"
	"sync"
	"time"

	"ayumu/lobby/cluster/rows"
)

// KindLink is the kind of the rows with the link codes of accounts, by the ids of the accounts.
const KindLink = "link"

// Links are the link codes, each of which adds a key to an account once. All nodes have them. NewLinks is the
// constructor. Methods may be called from any goroutine that holds no lock, Follow also by one that does. Times are
// those of the store's clock.
type Links struct {
	store rows.Store

	mu   sync.Mutex
	rows map[ID]linkRow
}

// linkRow is a row as it was last read or written.
type linkRow struct {
	Digest  string    `json:"digest"` // of the code
	Expires time.Time `json:"expires"`
	version int64
}

// NewLinks returns the link codes in a store, as far as Follow is told of them.
func NewLinks(store rows.Store) *Links { return &Links{store: store, rows: make(map[ID]linkRow)} }

// Set makes a code the only one of an account until it expires. It also removes codes that expired before now.
func (l *Links) Set(ctx context.Context, id ID, code string, now, expires time.Time) error {
	for _, old := range l.expired(now) {
		_ = l.Remove(ctx, old) // another call will, if this one could not
	}
	data, err := json.Marshal(linkRow{Digest: digest(code), Expires: expires})
	if err != nil {
		return err
	}
	return l.write(ctx, id, data)
}

// Remove removes the code of an account, if it has one.
func (l *Links) Remove(ctx context.Context, id ID) error {
	if _, known := l.row(id); !known {
		return nil
	}
	return l.write(ctx, id, nil)
}

// write replaces or deletes the row of an account, whatever it is.
func (l *Links) write(ctx context.Context, id ID, data []byte) error {
	known, _ := l.row(id)
	w := rows.Write{Key: linkKey(id), Replaces: known.version, Data: data}
	found, err := l.store.Write(ctx, w)
	for errors.Is(err, rows.ErrConflict) { // another session of the account, or an unclear outcome
		if found, err = l.store.Read(ctx, w.Key); err != nil {
			return err
		}
		w.Replaces = 0
		for _, r := range found {
			w.Replaces = r.Version
		}
		found, err = l.store.Write(ctx, w)
	}
	if err != nil {
		return err
	}
	l.Follow(found[0])
	return nil
}

// Take uses up a code and returns its account; 0 if there is no such code, or somebody else was faster.
func (l *Links) Take(ctx context.Context, code string, now time.Time) (ID, error) {
	id, r := l.withDigest(digest(code), now)
	if id == 0 {
		return 0, nil
	}
	found, err := l.store.Write(ctx, rows.Write{Key: linkKey(id), Replaces: r.version})
	switch {
	case errors.Is(err, rows.ErrConflict):
		return 0, nil
	case err != nil:
		return 0, err
	}
	l.Follow(found[0])
	return id, nil
}

// Follow takes over a row of the store.
func (l *Links) Follow(r rows.Row) {
	number, err := strconv.ParseInt(r.ID, 10, 64)
	if err != nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	id, row := ID(number), linkRow{version: r.Version}
	switch {
	case r.Version < l.rows[id].version:
	case r.IsDeleted() || json.Unmarshal(r.Data, &row) != nil:
		delete(l.rows, id)
	default:
		l.rows[id] = row
	}
}

func (l *Links) row(id ID) (r linkRow, known bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	r, known = l.rows[id]
	return r, known
}

// withDigest returns the account and the row of a code that has not expired; 0 if there is none.
func (l *Links) withDigest(digest string, now time.Time) (ID, linkRow) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for id, r := range l.rows {
		if r.Digest == digest && !now.After(r.Expires) {
			return id, r
		}
	}
	return 0, linkRow{}
}

func (l *Links) expired(now time.Time) (ids []ID) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for id, r := range l.rows {
		if now.After(r.Expires) {
			ids = append(ids, id)
		}
	}
	return ids
}

func linkKey(id ID) rows.Key {
	return rows.Key{Kind: KindLink, ID: strconv.FormatInt(int64(id), 10)}
}

func digest(code string) string {
	sum := sha256.Sum256([]byte(code))
	return hex.EncodeToString(sum[:])
}
