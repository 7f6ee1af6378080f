package lobby

import (
	"maps"
	"net/netip"
	"sync"
	"time"
)

// Limits bound what people and programs can ask of the lobby. They may be changed while it runs.
type Limits struct {
	// Tables may be open at once, quick requests included, and Matches be in memory.
	Tables, Matches int
	// TablesPerUser may be open at once by one person, and OwnMatches unfinished.
	TablesPerUser, MatchesPerUser int
	// TablesPerAddress may be open at once that were opened from one address (see Origin), and
	// OriginMatches go on that were begun from one, or from tables of one.
	TablesPerAddress, MatchesPerAddress int

	SessionsPerUser   int // that one person may have at once
	WatchedPerSession int // matches that a session may watch at once
	BlocksPerUser     int // people whom one person can block

	ChatRate  float64 // lines a second by one person, in all rooms together
	ChatBurst int     // of those at once
	// Actions of one person at tables, and offers: a second, at once.
	ActionRate  float64
	ActionBurst int
	// KeyRate is how many keys, clicks and the like a second a screen takes, KeyBurst how many at
	// once. What is above it waits, and so in the end does the client.
	KeyRate  float64
	KeyBurst int

	// RequestRate and ByteRate are what a program may send a second, and the bursts what at once.
	RequestRate  float64
	RequestBurst int
	ByteRate     float64
	ByteBurst    int

	// CodeRate is how many codes of returning guests and of further keys may be tried a second from
	// one address, and CodeBurst how many at once. A code has 50 random bits, so that all
	// addresses that can be here together find none in years.
	CodeRate  float64
	CodeBurst int
	// NewAccountRate is how many accounts may be made a minute from one address, and NewcomerBurst how
	// many at once.
	NewAccountRate  float64
	NewAccountBurst int

	// RatedDistinctAddresses refuses rated games between people who are here from the same address (Origin).
	RatedDistinctAddresses bool

	// Idle times are without input, where no game of the person's goes on that is played in one
	// sitting.
	IdleLobby, IdleWatching time.Duration
}

// DefaultLimits are the limits where nothing else is said.
func DefaultLimits() Limits {
	return Limits{
		Tables: 1000, Matches: 5000, TablesPerUser: 5, MatchesPerUser: 50, TablesPerAddress: 500, MatchesPerAddress: 1250,
		SessionsPerUser: 200, WatchedPerSession: 64, BlocksPerUser: 200,
		ChatRate: 1, ChatBurst: 10, ActionRate: 220, ActionBurst: 450, KeyRate: 200, KeyBurst: 1000,
		RequestRate: 220, RequestBurst: 450, ByteRate: 300 << 10, ByteBurst: 1 << 20, CodeRate: 1, CodeBurst: 30,
		NewAccountRate: 2, NewAccountBurst: 1024,
		IdleLobby: 30 * time.Minute, IdleWatching: 6 * time.Hour,
	}
}

// Limits returns those that hold now.
func (l *Lobby) Limits() Limits { return *l.limits.Load() }

// SetLimits makes others hold from now on.
func (l *Lobby) SetLimits(to Limits) { l.limits.Store(&to) }

// Identifiers of limits, as LimitHits counts them. They are labels of metrics, so they do not change.
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
)

// LimitHits counts how often limits were exceeded, by their names: words of the program, so that there
// are few. Its zero value has counted nothing; any goroutine may use it.
type LimitHits struct {
	mu     sync.Mutex
	counts map[string]uint64
}

// Add counts one more.
func (h *LimitHits) Add(limit string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.counts == nil {
		h.counts = make(map[string]uint64)
	}
	h.counts[limit]++
}

// All returns the counts.
func (h *LimitHits) All() map[string]uint64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	return maps.Clone(h.counts)
}

// checkActionRate counts one action of a person, or says why he has to wait. Programs of the house are
// bounded by how fast they think.
func (s *Session) checkActionRate() error {
	if s.user.deleted.Load() {
		return errDeleted
	}
	if s.Account().Bot {
		return nil
	}
	limits := s.l.limits.Load()
	s.user.mu.Lock()
	ok := s.user.actionBucket.take(time.Now(), limits.ActionRate, limits.ActionBurst)
	s.user.mu.Unlock()
	if !ok {
		s.l.LimitHits.Add(HitActions)
		return errorf(CodeRateLimited, "that was a lot at once; wait a moment")
	}
	return nil
}

// mayStore counts one action that changes the stored account.
func (s *Session) mayStore() error {
	if err := s.checkActionRate(); err != nil {
		return err
	}
	return s.Spend(WorkAccount)
}

// allowCodeGuess counts a code that is tried.
func (l *Lobby) allowCodeGuess(from netip.Addr) bool {
	limits := l.limits.Load()
	ok := l.codeGuesses.Allow(from, time.Now(), limits.CodeRate, limits.CodeBurst)
	if !ok {
		l.LimitHits.Add(HitCodes)
	}
	return ok
}

// countLimitHit counts a refusal by mayJoin, if it is because of a limit.
func (l *Lobby) countLimitHit(err error) {
	if code, _ := PublicError(err); code == CodeFull {
		l.LimitHits.Add(HitMatchesPerUser)
	}
}

// limitError counts a limit that is reached and says so.
func (l *Lobby) limitError(limit, format string, args ...any) error {
	l.LimitHits.Add(limit)
	return errorf(CodeFull, format, args...)
}
