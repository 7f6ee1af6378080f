package limit

import (
	"cmp"
	"time"
)

// Limits bound what players and programs can ask of the lobby. They may be changed while it runs.
// Default has the values. Those that are settings depend on the machine and its players; the
// others are the same everywhere, for the reasons given here.
type Limits struct {
	Tables         int // open at once, quick matches included
	TablesPerUser  int // of those by one player
	Matches        int // in memory at once
	MatchesPerUser int // unfinished ones of one player
	VacationDays   int // of one player in a year; 0: there are no vacations

	// TablesPerAddress bounds the open tables from one address (Origin), and MatchesPerAddress
	// the matches that were started from one or from tables of one. 0: half of Tables and a quarter
	// of Matches, so that one address cannot take all; but never less than one player may have.
	TablesPerAddress, MatchesPerAddress int

	SessionsPerUser int // at once

	// WatchedPerSession is how many matches a session may watch at once. Each match keeps a list of
	// its spectators; a program that needs more opens a second session.
	WatchedPerSession int
	// BlocksPerUser is how many players one player can block. The whole list is in memory while the
	// player is online and is searched whenever another user does something.
	BlocksPerUser int

	ChatRate  float64 // lines a second by one player, in all rooms together
	ChatBurst int     // of those at once

	// ActionRate and ActionBurst bound actions at tables and offers by one player: a second, and at once. The API
	// promises 200 requests a second, in bursts of 400, so that they are a tenth above.
	ActionRate  float64
	ActionBurst int
	// KeyRate and KeyBurst bound keys, clicks and the like of one screen: a second, and at once. A
	// keyboard repeats 30 keys a second; a paste has up to a thousand. What is above waits, and so in
	// the end does the client.
	KeyRate  float64
	KeyBurst int

	// RequestRate and RequestBurst bound the requests of one program, and ByteRate and ByteBurst
	// their bytes: a second, and at once. The API promises 200 requests and 256 KiB a second,
	// in bursts of 400.
	RequestRate  float64
	RequestBurst int
	ByteRate     float64
	ByteBurst    int

	// UserRequestRate and UserRequestBurst bound the requests of all programs of one user, and the lines
	// in line mode: a second, and at once. One address may send four times as many. What is above waits,
	// since even to refuse a request takes 40 µs: 880 a second, those of four programs at their full
	// rate, take 4 % of a core.
	UserRequestRate  float64
	UserRequestBurst int

	// CodeRate and CodeBurst bound the codes of returning guests and of further keys that one address
	// may try: a second, and at once. A code has 50 random bits, so that all addresses that can be
	// connected together find none in years.
	CodeRate  float64
	CodeBurst int

	NewAccountRate  float64 // new accounts a minute from one address
	NewAccountBurst int     // of those at once

	// RatedDistinctAddresses refuses rated games between players from the same address.
	RatedDistinctAddresses bool

	// IdleLobby and IdleWatching are how long a session may have no input while the player plays no
	// live match.
	IdleLobby, IdleWatching time.Duration
}

// Default returns the limits of a server whose operator has set none.
func Default() Limits {
	return Limits{
		Tables: 1000, Matches: 5000, TablesPerUser: 5, MatchesPerUser: 50, VacationDays: 21,
		SessionsPerUser: 200, WatchedPerSession: 64, BlocksPerUser: 200,
		ChatRate: 1, ChatBurst: 10, ActionRate: 220, ActionBurst: 450, KeyRate: 200, KeyBurst: 1000,
		RequestRate: 220, RequestBurst: 450, ByteRate: 300 << 10, ByteBurst: 1 << 20,
		UserRequestRate: 880, UserRequestBurst: 3600, CodeRate: 1, CodeBurst: 30,
		NewAccountRate: 2, NewAccountBurst: 40,
		IdleLobby: 30 * time.Minute, IdleWatching: 6 * time.Hour,
	}
}

// TablesFromAddress returns how many tables may be open from one address.
func (l *Limits) TablesFromAddress() int {
	return cmp.Or(l.TablesPerAddress, max(l.Tables/2, l.TablesPerUser))
}

// MatchesFromAddress returns how many matches that were started from one address there may be.
func (l *Limits) MatchesFromAddress() int {
	return cmp.Or(l.MatchesPerAddress, max(l.Matches/4, l.MatchesPerUser))
}

// The identifiers of limits in Hits. They are labels of metrics and must not change.
const (
	HitTables            = "tables"
	HitTablesPerUser     = "tables_per_person"
	HitTablesPerAddress  = "tables_per_address"
	HitMatches           = "matches"
	HitMatchesPerUser    = "matches_per_person"
	HitMatchesPerAddress = "matches_per_address"
	HitSessionsPerUser   = "sessions_per_person"
	HitWatchedPerSession = "watched_per_session"
	HitBlocks            = "blocks_per_person"
	HitChat              = "chat"
	HitActions           = "actions"
	HitKeys              = "keys"
	HitRequests          = "requests"
	HitCodes             = "account_codes"
	HitNewAccounts       = "new_accounts_per_address"
	HitChallenges        = "challenges"
	HitHints             = "concurrent_hints"
	HitThought           = "bot_time"
	HitFaults            = "faults"
)
