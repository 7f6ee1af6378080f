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

// Errors of a Store on which the lobby acts.
var (
	// ErrVersionConflict: the log does not have the length that the append was made for.
	ErrVersionConflict = errors.New("the log has another version")
	// ErrTaken: an account has this name, a similar one, or this key.
	ErrTaken = errors.New("taken")
	// ErrNotFound: there is no such account, key or match.
	ErrNotFound = errors.New("unknown")
	// ErrLastKey: the account has only this key.
	ErrLastKey = errors.New("the last key")
	// ErrCorrupt: the stored data of a match cannot be read. The error names the match.
	ErrCorrupt = errors.New("damaged")
	// ErrClosed: the store is closed, because the server is stopping.
	ErrClosed = errors.New("the store is closed")
)

// Store stores accounts, the logs of matches and their results. A change is durable when its method has
// returned nil. All methods may be called from any goroutine; callers hold no lock.
//
// An error that is neither one of the above nor context.Canceled is a failure of the store. The store
// reports it to the operator before it returns it, so that callers do not. The exception is Unfinished,
// which is called before the server runs: its caller reports.
type Store interface {
	// AccountByKey returns the account of a key in SSH wire format, with its blocks, or ErrNotFound.
	AccountByKey(ctx context.Context, key []byte) (Account, error)
	// AccountByName returns the account with this name, ignoring case, or ErrNotFound.
	AccountByName(ctx context.Context, name string) (Account, error)
	// Account returns the account with this id, with its blocks, or ErrNotFound.
	Account(ctx context.Context, id AccountID) (Account, error)
	// CreateAccount creates an account with a free name for a key that has no account, or returns ErrTaken.
	// A name is free if no account has it or a similar one (Skeleton), and no account with such a name was
	// deleted within ReservedName.
	CreateAccount(ctx context.Context, name string, key []byte, at time.Time) (Account, error)
	// Rename changes an account's name to a free one and returns the account, or returns ErrTaken.
	Rename(ctx context.Context, id AccountID, name string, at time.Time) (Account, error)
	// SaveSettings replaces an account's settings. Only the screens interpret them.
	SaveSettings(ctx context.Context, id AccountID, settings []byte) error
	// DeleteAccount removes an account's name, keys, settings and ratings. Its matches remain under a
	// neutral name.
	DeleteAccount(ctx context.Context, id AccountID, at time.Time) error

	// Keys lists an account's keys, oldest first.
	Keys(ctx context.Context, id AccountID) ([]Key, error)
	// AddKey adds a key to an account, or returns ErrTaken.
	AddKey(ctx context.Context, id AccountID, key []byte, at time.Time) error
	// RemoveKey removes a key from an account, or returns ErrNotFound. It returns ErrLastKey and changes
	// nothing if it is the only one.
	RemoveKey(ctx context.Context, id AccountID, key []byte, at time.Time) error

	// AddBlock stores that an account has blocked another; RemoveBlock removes that. Both do nothing if it
	// is so already.
	AddBlock(ctx context.Context, id, other AccountID, at time.Time) error
	RemoveBlock(ctx context.Context, id, other AccountID) error

	// CreateMatch stores a match with an empty log.
	CreateMatch(ctx context.Context, info *MatchInfo) error
	// Append appends entries to a log of exactly version entries, all or none, or returns
	// ErrVersionConflict and changes nothing. After any other error the outcome is unclear. If the last
	// entry is an EntryEnd, the result and, in a rated match, the new ratings of all seats or the
	// UnratedReason are stored in the same transaction, exactly once.
	Append(ctx context.Context, match string, version int, entries ...Entry) error
	// Match returns a match and its whole log, or ErrNotFound or ErrCorrupt.
	Match(ctx context.Context, match string) (*MatchInfo, []Entry, error)
	// Unfinished calls f for each match whose log has no end, until f fails. Corrupt matches are left out;
	// the error is then ErrCorrupt, after f was called for all others. Seats of guests have the account 0.
	Unfinished(ctx context.Context, f func(*MatchInfo, []Entry) error) error

	// FinishedMatches lists ended matches, newest first.
	FinishedMatches(ctx context.Context, q MatchQuery) ([]FinishedMatch, error)
	// MatchRatings returns the rating changes of a finished match, by seat, or the reason why it changed
	// none; nil and "" for a casual or unfinished match.
	MatchRatings(ctx context.Context, match string) (changes []RatingChange, unrated UnratedReason, err error)
	// Leaderboard lists the accounts with the highest established ratings in a pool, best first, that have
	// met at least the given number of different opponents in rated matches of the pool that ended after
	// since.
	Leaderboard(ctx context.Context, pool string, since time.Time, opponents, limit int) ([]Account, error)
	// RatingHistory returns an account's ratings in a pool after its last matches, oldest first, at most
	// limit.
	RatingHistory(ctx context.Context, id AccountID, pool string, limit int) ([]RatingPoint, error)
	// Tally counts an account's finished matches of a game.
	Tally(ctx context.Context, id AccountID, game string) (Tally, error)

	// WriteFailure returns the error of the last write and the time of the first of the consecutive
	// failures that it belongs to; the zero time and nil if the last write succeeded or there was none. It
	// never blocks.
	WriteFailure() (since time.Time, err error)
}

// ReservedName is the time for which the name of a deleted account, and similar names, are not free.
const ReservedName = 30 * 24 * time.Hour

// MatchQuery selects finished matches.
type MatchQuery struct {
	Player AccountID // 0: all players
	Before string    // the id of a match: only matches that ended before it; empty: no bound
	Limit  int       // maximum number of results, 1 to 200
}

// FinishedMatch is a finished match in a list.
type FinishedMatch struct {
	Info   *MatchInfo
	Result engine.Result
	Ended  time.Time
	Turns  int
	// RatingsAfter has the ratings after a rated match, by seat; nil for others.
	RatingsAfter []Rating
	// Unrated is the reason for which a rated match changed no rating.
	Unrated UnratedReason
	// Departures has the reason for which each seat left a match of three or more players, or "". It is nil
	// if nobody left, and in matches that versions without this field finished.
	Departures []string
}

// Key is a key of an account.
type Key struct {
	Wire  []byte // SSH wire format
	Added time.Time
}

// RatingPoint is a rating after a match.
type RatingPoint struct {
	At    time.Time
	Value float64
}

// Tally counts an account's finished matches of a game, without aborted ones.
type Tally struct {
	Won, Drawn, Lost int
	// BySide and ByOptions count the same by the side played ("b", "w"; "" where the game has none) and by
	// the options ("11×11, pie").
	BySide, ByOptions map[string]Tally
}

// Pool returns the rating pool of matches of a game with that number of seats: one pool for two players and
// one for three and more.
func Pool(game string, seats int) string {
	if seats > 2 {
		return game + "-multi"
	}
	return game
}

// AccountID identifies an account for ever. Ids of guests are negative and last until the server stops; 0
// is no account.
type AccountID int64

// Account is a copy of an account's data; the store has the original.
type Account struct {
	ID        AccountID
	Name      string
	Bot       bool
	CreatedAt time.Time
	RenamedAt time.Time         // when the name was last changed; zero: never
	Ratings   map[string]Rating // by pool; must not be changed
	// Settings are the screens' settings; nil: none stored.
	Settings []byte
	// Blocks are the blocks at the time when the account was read. Session.Blocks has the current ones.
	Blocks []Block
}

// IsGuest reports whether the account is a guest's.
func (a Account) IsGuest() bool { return a.ID < 0 }

// Rating returns the account's rating in a pool; ok is false for guests.
func (a Account) Rating(pool string) (r Rating, ok bool) {
	if a.IsGuest() {
		return Rating{}, false
	}
	if r, ok := a.Ratings[pool]; ok {
		return r, true
	}
	return rating.New, true
}

// Rating is an estimate of strength.
type Rating = rating.Rating

// MatchInfo describes a match. It is immutable once the match is in the lobby.
type MatchInfo struct {
	ID        string
	Game      string
	Options   engine.Options
	Control   clock.Control
	Rated     bool
	Private   bool
	Code      string // the code of a private match, stored until the end; see Snapshot.Code
	Seats     []Seat
	Started   time.Time
	RematchOf string // the id of the previous match, or empty
	Delay     int    // turns by which everybody but the players sees the match late
}

// Seat describes the player of a seat at the start of the match.
type Seat struct {
	Account      AccountID
	Name         string
	Bot          bool
	Rating       *Rating // at the start of the match; nil for a guest
	ReturnDigest string  // digest of a guest's return code; "" for others
}

// seatOf returns the seat of an account; ok is false if it has none.
func (i *MatchInfo) seatOf(id AccountID) (seat int, ok bool) {
	for n, s := range i.Seats {
		if s.Account == id {
			return n, true
		}
	}
	return 0, false
}

// EntryKind is the kind of an entry.
type EntryKind uint8

// The kinds of entries.
const (
	EntryTurn   EntryKind = iota + 1 // a seat's complete turn
	EntryUndo                        // a take-back, agreed between two players
	EntryLeave                       // a seat leaves a match of three or more players
	EntryEnd                         // the result; always the last entry
	EntryCredit                      // clock time given to a seat, such as after a restart
)

// Entry is one entry of a match's log.
type Entry struct {
	Kind      EntryKind
	Seat      int             // the seat of the turn, leave or credit; the seat that asked for the take-back; -1 for the end
	Actions   []string        // of a turn
	Undone    int             // of a take-back: the number of turns
	Credit    time.Duration   // time given to Seat; of a turn: lag compensation
	Reason    string          // of a leave: LeftResigned and so on; of the end: the AbortReason
	Result    *engine.Result  // of the end
	TurnsMade []int           // of the end: number of turns by seat, without those taken back
	Sides     []string        // of the end: Position.Side by seat
	At        time.Time       // the server's time
	Clocks    []time.Duration // left by seat after the entry; nil in an untimed match
	Digest    string          // Digest of the position after the entry
}

// Digest returns a short hash of a position, its sides and the seats that have left.
func Digest(p engine.Position) string {
	text := []byte(p.String())
	for seat := range p.Seats() {
		text = append(append(text, 0), p.Side(seat)...)
		if p.HasLeft(seat) {
			text = append(text, '!')
		}
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}
