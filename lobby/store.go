package lobby

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"time"

	"ayumu/engine"
	"ayumu/lobby/clock"
)

// Errors of a Store that the lobby acts on.
var (
	// ErrVersion: the log does not have the length that the append was made for.
	ErrVersion = errors.New("the log has another version")
	// ErrTaken: an account has this name, one that looks like it, or this key.
	ErrTaken = errors.New("taken")
	// ErrUnknown: there is no such account or match.
	ErrUnknown = errors.New("unknown")
)

// Store keeps accounts and the logs of matches. What a method has returned without an error is
// kept for good. All methods may be called from any goroutine.
type Store interface {
	// AccountByKey returns the account that a key belongs to, or ErrUnknown. Keys are in SSH
	// wire format.
	AccountByKey(ctx context.Context, key []byte) (Account, error)
	// AccountByName finds by exact name, letter case aside, or returns ErrUnknown.
	AccountByName(ctx context.Context, name string) (Account, error)
	// CreateAccount binds a free name to a key that has no account, or returns ErrTaken.
	CreateAccount(ctx context.Context, name string, key []byte, at time.Time) (Account, error)
	// Rename gives an account a free name, or returns ErrTaken.
	Rename(ctx context.Context, id AccountID, name string) (Account, error)

	// CreateMatch keeps a match with an empty log.
	CreateMatch(ctx context.Context, info *Info) error
	// Append adds entries to a log of exactly version entries, all or none, or returns
	// ErrVersion and changes nothing. After any other error the outcome is unclear.
	Append(ctx context.Context, match string, version int, entries ...Entry) error
	// Log returns a match's whole log.
	Log(ctx context.Context, match string) ([]Entry, error)
	// Unfinished returns the matches whose logs have no end.
	Unfinished(ctx context.Context) ([]*Info, error)
}

// AccountID names an account for ever. Those of guests are negative and last as long as the
// server runs; 0 is nobody.
type AccountID int64

// Account is somebody who can sit at a table. It is a value; the store has the truth.
type Account struct {
	ID      AccountID
	Name    string
	Bot     bool
	Created time.Time
	Ratings map[string]Rating // by game; never changed once it is here
}

// Guest reports whether the account belongs to no key.
func (a Account) Guest() bool { return a.ID < 0 }

// Rating returns the account's rating in a game; ok is false for guests, who have none.
func (a Account) Rating(game string) (r Rating, ok bool) {
	if a.Guest() {
		return Rating{}, false
	}
	if r, ok := a.Ratings[game]; ok {
		return r, true
	}
	return NewRating, true
}

// Rating is a strength on the Glicko-2 scale.
type Rating struct {
	Value, Deviation, Volatility float64
}

// NewRating is what an account has before its first rated game (Glicko-2, step 1).
var NewRating = Rating{Value: 1500, Deviation: 350, Volatility: 0.06}

// Info is what a match was made with; it never changes.
type Info struct {
	ID      string
	Game    string
	Options engine.Options
	Control clock.Control
	Rated   bool
	Private bool
	Code    string // lets people watch a private match; empty in a public one
	Seats   []Seat
	Started time.Time
	Prior   string // the match of which this is the rematch, or empty
}

// Seat is who sits at a match. People and their order never change.
type Seat struct {
	Account AccountID
	Name    string
	Bot     bool
	Rating  *Rating // when the match began; nil for a guest
}

// seat returns where an account sits.
func (i *Info) seat(id AccountID) (int, bool) {
	for n, s := range i.Seats {
		if s.Account == id {
			return n, true
		}
	}
	return 0, false
}

// Kind is what an entry of a log records.
type Kind uint8

// The kinds of entries.
const (
	Turn   Kind = iota + 1 // a seat's whole turn
	Undo                   // a take-back, agreed between two players
	Leave                  // a seat leaves a match of three or more
	End                    // the result; always the last entry
	Credit                 // clock time given, such as after a restart
)

// Entry is one entry of a match's log. The match's version is the number of its entries.
type Entry struct {
	Kind    Kind
	Seat    int             // whose turn, leave or credit; who asked for the take-back; -1 at the end
	Actions []string        // of a turn
	Undone  int             // how many turns a take-back takes back
	Credit  time.Duration   // given to Seat
	Reason  string          // why a seat leaves: resign, time, absent
	Result  *engine.Result  // of the end
	At      time.Time       // the server's time
	Clocks  []time.Duration // left for each seat after the entry; nil in an untimed match
	Digest  string          // of the position after the entry (Digest)
}

// Digest is a short fingerprint of a position and of who plays which side of it.
func Digest(p engine.Position) string {
	h := sha256.New()
	h.Write([]byte(p.String()))
	for seat := range p.Seats() {
		h.Write([]byte{0})
		h.Write([]byte(p.Color(seat)))
		if p.Left(seat) {
			h.Write([]byte{'!'})
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}
