package account

import (
	"fmt"
	"strconv"
	"time"

	"ayumu/lobby/rating"
)

// Pool returns the rating pool of matches of a game with that number of seats: one pool for two players and
// one for three and more.
func Pool(game string, seats int) string {
	if seats > 2 {
		return game + "-multi"
	}
	return game
}

// ID identifies an account for ever. Ids of guests are negative and follow from their return codes; 0 is no
// account.
type ID int64

// String returns the id in decimal digits, as the ids of rows about an account have it.
func (id ID) String() string { return strconv.FormatInt(int64(id), 10) }

// ParseID reads what ID.String has returned; ok is false for anything else.
func ParseID(text string) (id ID, ok bool) {
	n, err := strconv.ParseInt(text, 10, 64)
	return ID(n), err == nil
}

// Account is a copy of an account's data; the store has the original.
type Account struct {
	ID        ID
	Name      string
	Bot       bool
	CreatedAt time.Time
	RenamedAt time.Time                // when the name was last changed; zero: never
	Ratings   map[string]rating.Rating // by pool; must not be changed
	// Settings are the front ends' settings; nil: none stored.
	Settings []byte
	// HasPlayed reports whether the account had finished a match, other than an aborted one, when it was read.
	HasPlayed bool
	// Blocks are the blocks at the time when the account was read. Session.Blocks has the current ones.
	Blocks []Block
}

// IsGuest reports whether the account is a guest's.
func (a Account) IsGuest() bool { return a.ID < 0 }

// DeletedName returns the name of an account that has been deleted. No other account can have it.
func DeletedName(id ID) string { return fmt.Sprintf("deleted-%d", id) }

// IsDeleted reports whether the account has been deleted.
func (a Account) IsDeleted() bool { return a.Name == DeletedName(a.ID) }

// Rating returns the account's rating in a pool; ok is false for guests.
func (a Account) Rating(pool string) (r rating.Rating, ok bool) {
	if a.IsGuest() {
		return rating.Rating{}, false
	}
	if r, ok := a.Ratings[pool]; ok {
		return r, true
	}
	return rating.New, true
}

// Block is a user whom another user has blocked. Blocked users are not notified: their chat is hidden from
// the blocker, they do not see the blocker's tables, and their requests are refused in words that could
// have other reasons.
type Block struct {
	ID   ID
	Name string // when the block was read from the store or made
	At   time.Time
}
