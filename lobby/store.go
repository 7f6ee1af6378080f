package lobby

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"time"

	"ayumu/engine"
	"ayumu/lobby/clock"
	"ayumu/lobby/rating"
)

// Errors of a Store that the lobby acts on.
var (
	// ErrVersion: the log does not have the length that the append was made for.
	ErrVersionConflict = errors.New("the log has another version")
	// ErrTaken: an account has this name, one that looks like it, or this key.
	ErrTaken = errors.New("taken")
	// ErrUnknown: there is no such account, key or match.
	ErrNotFound = errors.New("unknown")
	// ErrLastKey: an account keeps at least one key.
	ErrLastKey = errors.New("the last key")
	// ErrDamaged: what is kept of a match cannot be read. The error names the match.
	ErrCorrupt = errors.New("damaged")
	// ErrClosed: the store has been closed, because the server is closing.
	ErrClosed = errors.New("the store is closed")
)

// Store keeps accounts, the logs of matches, and what became of them. What a method has returned
// without an error is kept for good. All methods may be called from any goroutine.
//
// An error that is neither one of those above nor context.Canceled is a failure of the store. The
// store reports it to the operator before it returns it, so that callers do not; only that of
// Unfinished, which is called before the server runs, is for the caller to report.
type Store interface {
	// AccountByKey returns the account that a key belongs to, or ErrUnknown. Keys are in SSH
	// wire format.
	AccountByKey(ctx context.Context, key []byte) (Account, error)
	// AccountByName finds by exact name, letter case aside, or returns ErrUnknown.
	AccountByName(ctx context.Context, name string) (Account, error)
	// Account returns an account by its id, or ErrUnknown.
	Account(ctx context.Context, id AccountID) (Account, error)
	// CreateAccount binds a free name to a key that has no account, or returns ErrTaken. A name is
	// free if no account has it or one that looks like it, and none has been deleted with such a name
	// within ReservedName.
	CreateAccount(ctx context.Context, name string, key []byte, at time.Time) (Account, error)
	// Rename gives an account a free name, or returns ErrTaken.
	Rename(ctx context.Context, id AccountID, name string, at time.Time) (Account, error)
	// SaveSettings replaces an account's settings, which are the screens' own text.
	SaveSettings(ctx context.Context, id AccountID, settings []byte) error
	// DeleteAccount takes an account's name, keys, settings and ratings away; its games stay
	// under a neutral name.
	DeleteAccount(ctx context.Context, id AccountID, at time.Time) error

	// Keys lists an account's keys, oldest first.
	Keys(ctx context.Context, id AccountID) ([]Key, error)
	// AddKey binds a further key to an account, or returns ErrTaken.
	AddKey(ctx context.Context, id AccountID, key []byte, at time.Time) error
	// RemoveKey takes a key from an account, or returns ErrUnknown; it never takes the last one
	// (ErrLastKey).
	RemoveKey(ctx context.Context, id AccountID, key []byte, at time.Time) error

	// AddBlock keeps that an account has blocked another, and DropBlock that it has not; both do
	// nothing if it is so already. Account and AccountByKey return an account with its blocks.
	AddBlock(ctx context.Context, id, other AccountID, at time.Time) error
	RemoveBlock(ctx context.Context, id, other AccountID) error

	// CreateMatch keeps a match with an empty log.
	CreateMatch(ctx context.Context, info *MatchInfo) error
	// Append adds entries to a log of exactly version entries, all or none, or returns
	// ErrVersion and changes nothing. After any other error the outcome is unclear. Where the
	// last entry is an End, the result and, in a rated match, the new ratings of all seats or why
	// there are none (Unrated) are kept in the same transaction, exactly once.
	Append(ctx context.Context, match string, version int, entries ...Entry) error
	// Match returns what a match was made with, and its whole log, or ErrUnknown or ErrDamaged.
	Match(ctx context.Context, match string) (*MatchInfo, []Entry, error)
	// Unfinished calls f for each match whose log has no end, until f fails. Damaged ones are
	// left out; the error is then ErrDamaged, after f has had all others. Seats of guests, who
	// are nobody any more, have the account 0.
	Unfinished(ctx context.Context, f func(*MatchInfo, []Entry) error) error

	// FinishedMatches lists ended matches, newest first.
	FinishedMatches(ctx context.Context, q MatchQuery) ([]FinishedMatch, error)
	// MatchRatings returns what the end of a match did to the ratings of its seats, in their order, or why it
	// changed none; nil and "" for a casual match and one that has not ended.
	MatchRatings(ctx context.Context, match string) (changes []RatingChange, unrated UnratedReason, err error)
	// Leaderboard lists the accounts with the highest settled ratings in a pool, best first: only those that
	// have met at least so many different opponents in rated matches of the pool that ended after
	// since.
	Leaderboard(ctx context.Context, pool string, since time.Time, opponents, limit int) ([]Account, error)
	// RatingHistory returns how an account's rating in a pool went, oldest first, at most the last
	// limit games.
	RatingHistory(ctx context.Context, id AccountID, pool string, limit int) ([]RatingPoint, error)
	// Tally returns how an account's games of a kind went.
	Tally(ctx context.Context, id AccountID, game string) (Tally, error)

	// WriteFailure returns the error of the last write and the time of the first of the failures
	// that end with it; nil and the zero time if the last write succeeded or there was none. It
	// never waits.
	WriteFailure() (since time.Time, err error)
}

// ReservedName is how long nobody can take the name of a deleted account, or one that looks like it.
const ReservedName = 30 * 24 * time.Hour

// MatchQuery chooses finished matches.
type MatchQuery struct {
	Player AccountID // 0: everybody's
	Before string    // only those that ended before that match did; empty: the newest
	Limit  int       // at most so many, 1 to 200
}

// FinishedMatch is a match in an archive.
type FinishedMatch struct {
	Info   *MatchInfo
	Result engine.Result
	Ended  time.Time
	Turns  int
	// RatingsAfter has each seat's rating after a rated match; nil for others.
	RatingsAfter []Rating
	// Unrated says why a rated match changed no rating.
	Unrated UnratedReason
	// Departures has for each seat why it left a match of three or more, or "". It is nil if nobody
	// left, and in matches that were finished by a version that did not keep it.
	Departures []string
}

// Key is a key of an account.
type Key struct {
	Wire  []byte // SSH wire format
	Added time.Time
}

// RatingPoint is a rating after a game.
type RatingPoint struct {
	At    time.Time
	Value float64
}

// Tally counts an account's finished games of a kind that were not aborted.
type Tally struct {
	Won, Drawn, Lost int
	// By counts the same for each side that was played ("b", "w"; "" where there are no sides)
	// and each form of the options ("11×11, pie").
	BySide, ByOptions map[string]Tally
}

// Pool names the ratings that count for a game with so many seats: two players have one rating
// for each game, three and more another.
func Pool(game string, seats int) string {
	if seats > 2 {
		return game + "-multi"
	}
	return game
}

// AccountID names an account for ever. Those of guests are negative and last as long as the
// server runs; 0 is nobody.
type AccountID int64

// Account is somebody who can sit at a table. It is a value; the store has the truth.
type Account struct {
	ID        AccountID
	Name      string
	Bot       bool
	CreatedAt time.Time
	RenamedAt time.Time         // when the name was last changed; zero: never
	Ratings   map[string]Rating // by pool; never changed once it is here
	// Settings are what the screens keep for the account; nil: nothing yet.
	Settings []byte
	// Blocks are whom the account had blocked when it was read for its owner; see Session.Blocks.
	Blocks []Block
}

// IsGuest reports whether the account belongs to no key.
func (a Account) IsGuest() bool { return a.ID < 0 }

// Rating returns the account's rating in a pool; ok is false for guests, who have none.
func (a Account) Rating(pool string) (r Rating, ok bool) {
	if a.IsGuest() {
		return Rating{}, false
	}
	if r, ok := a.Ratings[pool]; ok {
		return r, true
	}
	return rating.New, true
}

// Rating is a strength.
type Rating = rating.Rating

// MatchInfo is what a match was made with; it never changes.
type MatchInfo struct {
	ID        string
	Game      string
	Options   engine.Options
	Control   clock.Control
	Rated     bool
	Private   bool
	Code      string // opens a private match to spectators. The store keeps it until the end; see Snapshot.Code
	Seats     []Seat
	Started   time.Time
	RematchOf string // the match of which this is the rematch, or empty
	Delay     int    // turns that everybody but the players sees the match late
}

// Seat is who sits at a match. People and their order never change.
type Seat struct {
	Account      AccountID
	Name         string
	Bot          bool
	Rating       *Rating // when the match began; nil for a guest
	ReturnDigest string  // digest of the code with which a guest takes the seat back; "" for others
}

// seatOf returns where an account sits.
func (i *MatchInfo) seatOf(id AccountID) (int, bool) {
	for n, s := range i.Seats {
		if s.Account == id {
			return n, true
		}
	}
	return 0, false
}

// EntryKind is what an entry of a log records.
type EntryKind uint8

// The kinds of entries.
const (
	EntryTurn   EntryKind = iota + 1 // a seat's whole turn
	EntryUndo                        // a take-back, agreed between two players
	EntryLeave                       // a seat leaves a match of three or more
	EntryEnd                         // the result; always the last entry
	EntryCredit                      // clock time given, such as after a restart
)

// Entry is one entry of a match's log. The match's version is the number of its entries.
type Entry struct {
	Kind      EntryKind
	Seat      int             // whose turn, leave or credit; who asked for the take-back; -1 at the end
	Actions   []string        // of a turn
	Undone    int             // how many turns a take-back takes back
	Credit    time.Duration   // given to Seat; of a turn, for its lag
	Reason    string          // why a seat leaves (LeftResigned and so on), or of the end: why it was aborted (AbortReason)
	Result    *engine.Result  // of the end
	TurnsMade []int           // of the end: how many turns of each seat stand
	Sides     []string        // of the end: the side that each seat has (Position.Color)
	At        time.Time       // the server's time
	Clocks    []time.Duration // left for each seat after the entry; nil in an untimed match
	Digest    string          // of the position after the entry (Digest)
}

// Digest is a short fingerprint of a position and of who plays which side of it.
func Digest(p engine.Position) string {
	said := []byte(p.String())
	for seat := range p.Seats() {
		said = append(append(said, 0), p.Side(seat)...)
		if p.HasLeft(seat) {
			said = append(said, '!')
		}
	}
	sum := sha256.Sum256(said)
	return hex.EncodeToString(sum[:8])
}
