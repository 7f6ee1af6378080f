package lobby

import (
	"context"
	"fmt"
	"time"

	"ayumu/lobby/account"
	"ayumu/lobby/cluster/rows"
	"ayumu/lobby/match"
	"ayumu/lobby/rating"
	"ayumu/lobby/tournament"
)

// RematchError is the error of a second rematch of a match.
type RematchError struct{ ID string } // of the first one

func (e *RematchError) Error() string { return "match " + e.ID + " is the rematch" }

// UnfinishedError is the error of a match of an account that plays too many others.
type UnfinishedError struct {
	Account account.ID
	Count   int // of its unfinished matches
}

func (e *UnfinishedError) Error() string {
	return fmt.Sprintf("account %d has %d unfinished matches", e.Account, e.Count)
}

// MatchStart is what changes when a match is stored.
type MatchStart struct {
	MaxUnfinished int          // matches of each account that is not a bot's, with this one and without games of tournaments; 0: any number
	Rows          []rows.Write // of what the nodes share: tables which close
}

// Store stores accounts, the logs of matches and their results. A change is durable when its method has
// returned nil. All methods may be called from any goroutine; callers hold no lock.
//
// An error that is none of those that a method names (of package errcode, rows.ErrConflict and the types above), and neither
// errcode.ErrClosed nor context.Canceled, is a failure of the store. The store reports it to the operator before it
// returns it, so that callers do not. The exceptions are Unfinished and AllMatches, which are called while no server runs:
// their callers report.
//
// Package lobby/store has the interface of a whole store, which also keeps the club's data.
type Store interface {
	AccountStore
	MatchStore
	ArchiveStore
	TournamentStore

	// Shared returns what the lobby has beside its accounts and matches. Of a store that only one process uses,
	// only the rows that are durable outlive it. It is always the same value.
	Shared() rows.Store

	// WriteFailure returns the error of the last write and the time of the first of the consecutive
	// failures that it belongs to; the zero time and nil if the last write succeeded or there was none. It
	// never blocks.
	WriteFailure() (since time.Time, err error)
}

// AccountReader finds accounts.
type AccountReader interface {
	// AccountByKey returns the account of a key in SSH wire format, with its blocks, or errcode.ErrNotFound.
	AccountByKey(ctx context.Context, key []byte) (account.Account, error)
	// AccountByName returns the account with this name, ignoring case, with its blocks, or errcode.ErrNotFound.
	AccountByName(ctx context.Context, name string) (account.Account, error)
	// Account returns the account with this id, with its blocks, or errcode.ErrNotFound. A deleted account has only
	// its neutral name.
	Account(ctx context.Context, id account.ID) (account.Account, error)
	// Keys lists an account's keys, in the order in which they were added.
	Keys(ctx context.Context, id account.ID) ([]account.Key, error)
}

// AccountStore stores accounts. A deleted account does not exist for the methods that change something.
type AccountStore interface {
	AccountReader

	// CreateAccount creates an account with a free name for a key that has no account, or returns errcode.ErrTaken.
	// A name is free if no account has it or a similar one (Skeleton), and no account with such a name was
	// deleted within ReservedName.
	CreateAccount(ctx context.Context, name string, key []byte, at time.Time) (account.Account, error)
	// Rename changes an account's name to a free one and returns the account, or returns errcode.ErrTaken or
	// errcode.ErrNotFound.
	Rename(ctx context.Context, id account.ID, name string, at time.Time) (account.Account, error)
	// SaveSettings replaces an account's settings, or returns errcode.ErrNotFound. Only the screens interpret them.
	SaveSettings(ctx context.Context, id account.ID, settings []byte) error
	// SetBot sets whether an account is a bot's, or returns errcode.ErrNotFound.
	SetBot(ctx context.Context, id account.ID, bot bool) error
	// StartRatings stores the first ratings of an account by pool, in pools in which it has no rated games.
	StartRatings(ctx context.Context, id account.ID, ratings map[string]rating.Rating) error
	// DeleteAccount removes an account's name, keys, blocks, settings and ratings, or returns errcode.ErrNotFound.
	// Its matches remain under a neutral name.
	DeleteAccount(ctx context.Context, id account.ID, at time.Time) error

	// AddKey adds a key to an account, or returns errcode.ErrTaken or errcode.ErrNotFound.
	AddKey(ctx context.Context, id account.ID, key []byte, at time.Time) error
	// RemoveKey removes a key from an account, or returns errcode.ErrNotFound. It returns errcode.ErrLastKey and changes
	// nothing if it is the only one.
	RemoveKey(ctx context.Context, id account.ID, key []byte, at time.Time) error

	// AddBlock stores that an account has blocked another; RemoveBlock removes that. Both do nothing if it
	// is so already.
	AddBlock(ctx context.Context, id, other account.ID, at time.Time) error
	RemoveBlock(ctx context.Context, id, other account.ID) error
}

// MatchStore stores matches and their logs.
type MatchStore interface {
	// CreateMatch stores a match with an empty log and makes the changes that come with it, all or nothing. Of
	// guests it stores the name and the digest of the return code. It returns errcode.ErrTaken if the id exists, a
	// *RematchError if there is a rematch of the same match, an *UnfinishedError if an account plays too many
	// matches, or rows.ErrConflict.
	CreateMatch(ctx context.Context, info *match.Info, with MatchStart) error
	// Append appends entries to a log with exactly this end, all or none, or returns errcode.ErrNotFound, or
	// errcode.ErrVersionConflict also for a match that has ended, and changes nothing. After any other error the
	// outcome is unclear: the entries are recorded, may be recorded later, or never. Then the caller can
	// repeat the identical append. The last entry has the AppendID; an append whose id is in the log is
	// recorded, so that repeating it returns nil and changes nothing. If the last entry is an EntryEnd, the
	// result and, in a rated match, the new ratings of all seats or the UnratedReason are stored in the same
	// transaction, exactly once.
	Append(ctx context.Context, match string, after match.LogEnd, entries ...match.Entry) error
	// AppendTurn is Append if the conditional moves of the match also have that version. Otherwise it returns
	// errcode.ErrVersionConflict and changes nothing.
	AppendTurn(ctx context.Context, match string, after match.LogEnd, conditions int64, entries ...match.Entry) error
	// Conditions returns the conditional moves of a match, or errcode.ErrNotFound. Their version is 1 if there never
	// were any.
	Conditions(ctx context.Context, match string) (match.StoredConditions, error)
	// SaveConditions replaces the row of a seat, and gives the conditional moves of the match a version that they never
	// had, if the log has exactly this end and the conditional moves the version replaces. Otherwise, and if the match has
	// ended, it returns errcode.ErrVersionConflict and changes nothing.
	SaveConditions(ctx context.Context, match string, after match.LogEnd, replaces int64, r match.ConditionsRow) error
	// Match returns a match and its whole log, or errcode.ErrNotFound or errcode.ErrCorrupt.
	Match(ctx context.Context, match string) (*match.Info, []match.Entry, error)
	// Unfinished calls f for each match whose log has no end, in the order of the ids, until f fails. f may
	// use the store. Corrupt matches are left out; the error is then errcode.ErrCorrupt, after f was called for all
	// others. Seats of guests have the account 0.
	Unfinished(ctx context.Context, f func(*match.Info, []match.Entry) error) error
	// AllMatches is Unfinished for all matches.
	AllMatches(ctx context.Context, f func(*match.Info, []match.Entry) error) error
}

// ReservedName is the time for which the name of a deleted account, and similar names, are not free.
const ReservedName = 30 * 24 * time.Hour

// TournamentStore stores the logs of tournaments.
type TournamentStore interface {
	// AppendTournament appends entries to the log of a tournament with exactly the version After, all or none, and stores what
	// else follows from them. After 0 creates the tournament. It returns errcode.ErrVersionConflict, and changes nothing, if the log
	// has another version. After any other error the outcome is unclear: the entries are recorded, or will be, or never.
	AppendTournament(ctx context.Context, a TournamentAppend) error
	// TournamentEntries returns the entries of a tournament after a version, or errcode.ErrNotFound or errcode.ErrCorrupt.
	TournamentEntries(ctx context.Context, id string, after int) ([]tournament.Entry, error)
	// UnsettledTournaments returns the versions of the tournaments that SettleTournament was not called for, by their ids.
	UnsettledTournaments(ctx context.Context) (map[string]int, error)
	// SettleTournament marks a tournament of that version as one that is over and has nothing left to be done.
	SettleTournament(ctx context.Context, id string, version int) error
	// Tournaments lists tournaments, newest first.
	Tournaments(ctx context.Context, q TournamentQuery) ([]TournamentListing, error)
	// Attendance returns the tournaments that an account has finished or did not come to.
	Attendance(ctx context.Context, id account.ID) ([]tournament.Attendance, error)
	// HighestRating returns the highest rating that an account has had in a pool since a time, with the one that it had then; 0: it has
	// finished no rated match in the pool.
	HighestRating(ctx context.Context, id account.ID, pool string, since time.Time) (float64, error)
}

// TournamentAppend is what AppendTournament stores.
type TournamentAppend struct {
	After    int                // the version of the log that the entries follow
	Entries  []tournament.Entry // at least one
	Listing  TournamentListing  // after the entries
	Attended []tournament.Attended
}

// TournamentListing is a tournament in lists. Its JSON is stored.
type TournamentListing struct {
	ID        string           `json:"id"`
	Name      string           `json:"name"`
	Format    string           `json:"format"` // tournament.Terms.FormatName
	Game      string           `json:"game"`   // and its options, in words
	Clock     string           `json:"clock"`
	Rated     bool             `json:"rated"`
	Organizer account.ID       `json:"organizer"`
	Phase     tournament.Phase `json:"phase"`
	Version   int              `json:"version"`
	Created   time.Time        `json:"created"`
	Start     time.Time        `json:"start,omitzero"` // by the terms; zero: the organizer starts it
	Round     int              `json:"round"`          // the latest that was paired
	Rounds    int              `json:"rounds"`         // 0 before the start
	Entered   int              `json:"entered"`        // who have not withdrawn
	Winners   []account.ID     `json:"winners,omitempty"`
}

// TournamentQuery selects tournaments.
type TournamentQuery struct {
	Phases []tournament.Phase // none: all
	Before string             // only those that were created before this one; "": from the newest
	Limit  int
}
