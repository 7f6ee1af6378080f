package account

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"time"

	"ayumu/lobby/cluster/rows"
)

// Links are the link codes, each of which adds a key to an account once. All nodes have them, in rows by the ids of the
// accounts. NewLinks is the constructor. Methods may be called from any goroutine that holds no lock. Times are those of
// the store's clock.
type Links struct{ rows rows.Shared[link] }

// link is the content of a row.
type link struct {
	Digest  string    `json:"digest"` // of the code
	Expires time.Time `json:"expires"`
}

// NewLinks returns the link codes.
func NewLinks() *Links { return &Links{rows.Shared[link]{Name: "link"}} }

// Rows returns the kind of the rows.
func (l *Links) Rows() rows.Kind { return &l.rows }

// Set makes a code the only one of an account until it expires. It also removes codes that expired before now.
func (l *Links) Set(ctx context.Context, id ID, code string, now, expires time.Time) error {
	for old, s := range l.rows.All() {
		if s.Value != nil && now.After(s.Value.Expires) {
			_ = l.remove(ctx, old) // another call will, if this one could not
		}
	}
	return l.rows.Update(ctx, id.String(), func(*link) (*link, error) { return &link{digest(code), expires}, nil })
}

// Remove removes the code of an account, if it has one.
func (l *Links) Remove(ctx context.Context, id ID) error { return l.remove(ctx, id.String()) }

func (l *Links) remove(ctx context.Context, row string) error {
	if l.rows.Get(row).Version == 0 {
		return nil
	}
	return l.rows.Update(ctx, row, func(*link) (*link, error) { return nil, nil })
}

// Take uses up a code and returns its account; 0 if there is no such code, or somebody else was faster.
func (l *Links) Take(ctx context.Context, code string, now time.Time) (ID, error) {
	for row, s := range l.rows.All() {
		if s.Value == nil || s.Value.Digest != digest(code) || now.After(s.Value.Expires) {
			continue
		}
		id, ok := ParseID(row)
		if !ok {
			continue // no node writes it
		}
		_, err := l.rows.Write(ctx, rows.Change[link]{ID: row, Replaces: s.Version})
		switch {
		case errors.Is(err, rows.ErrConflict):
			return 0, nil
		case err != nil:
			return 0, err
		}
		return id, nil
	}
	return 0, nil
}

func digest(code string) string {
	sum := sha256.Sum256([]byte(code))
	return hex.EncodeToString(sum[:])
}
