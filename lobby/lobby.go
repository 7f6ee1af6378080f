package lobby

import (
	"context"
	"errors"
	"maps"
	mathrand "math/rand/v2"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"ayumu/engine"
	"ayumu/lobby/account"
	"ayumu/lobby/clock"
	"ayumu/lobby/errcode"
	"ayumu/lobby/guard"
	"ayumu/lobby/limit"
	"ayumu/lobby/sanitize"
	"ayumu/lobby/table"
)

// Config configures a Lobby.
type Config struct {
	Store Store
	// Games are the games that can be played, those of the Store.
	Games engine.Games
	// Report reports internal errors to the operator: a message and key-value pairs. It must not block and
	// may be called from any goroutine. Nil discards them. The Store reports its own failures.
	Report func(msg string, keyvals ...any)
	// CheckChat returns the error with which an account may not write in a room, or nil. It must not block
	// and may be called from any goroutine. Nil allows everybody to write everywhere.
	CheckChat func(a Account, room Room) error
	// Deleted ends all sessions of a deleted account with the notice AccountDeleted. It is called without
	// locks, from the goroutine that deletes the account. Nil: there are no sessions to end.
	Deleted func(ctx context.Context, id AccountID)
	// Limits are the initial limits; the zero value means DefaultLimits.
	Limits Limits
}

// Lobby holds the state that all sessions share: users, tables, matches and the lobby's chat. New is the
// only constructor. Its methods may be called from any goroutine.
type Lobby struct {
	store     Store
	games     engine.Games
	report    func(msg string, keyvals ...any)
	checkChat func(a Account, room Room) error
	onDeleted func(ctx context.Context, id AccountID) // may be nil
	ctx       context.Context                         // cancelled by Close
	cancel    context.CancelFunc
	wg        sync.WaitGroup
	Chat      Chat         // of the lobby
	LimitHits limit.Hits   // counts of exceeded limits
	Alarms    clock.Alarms // the one timer of all matches, and of the screens that show clocks
	limits    atomic.Pointer[Limits]

	draining atomic.Bool // no new matches start

	changes     atomic.Uint64 // revision of the lists, copied to View.Revision
	retried     atomic.Int64  // time of the last attempt to end an outage, in Unix nanoseconds
	listSignal  chan struct{}
	matchSignal chan struct{}
	view        atomic.Pointer[View]

	mu              sync.Mutex
	closed          bool
	sessions        map[*Session]struct{}
	users           map[AccountID]*user
	tables          tables
	matches         map[string]*Match
	starting        int // matches that are being recorded
	evicting        int // matches that are being evicted
	featured        string
	lastGuest       AccountID              // the id given to the newest guest; ids of guests are negative
	guestByCode     map[string]AccountID   // guests by their return codes
	guestByDigest   map[string]AccountID   // guests from before a restart, by the digests of their return codes
	linkCodes       map[string]linkCode    // by code
	deleted         map[AccountID]struct{} // accounts that have been deleted since the start, or are being deleted
	matchesByOrigin map[netip.Prefix]int   // number of running and starting matches by the origin that started them

	budgets     [workKinds]*limit.Budget
	challenges  challenges
	codeGuesses *limit.Buckets[netip.Prefix] // attempts at return and link codes
	newAccounts *limit.Buckets[netip.Prefix] // new accounts
}

// New creates a lobby and resumes the unfinished matches of c.Store. ctx is used for reading them only; the
// lobby runs until Close.
func New(ctx context.Context, c Config) (*Lobby, error) {
	if err := c.Games.Check(); err != nil {
		return nil, err
	}
	l := &Lobby{
		store: c.Store, games: c.Games, report: c.Report, listSignal: make(chan struct{}, 1), matchSignal: make(chan struct{}, 1),
		sessions: make(map[*Session]struct{}), users: make(map[AccountID]*user),
		matches:     make(map[string]*Match),
		guestByCode: make(map[string]AccountID), guestByDigest: make(map[string]AccountID), linkCodes: make(map[string]linkCode),
		matchesByOrigin: make(map[netip.Prefix]int), deleted: make(map[AccountID]struct{}), onDeleted: c.Deleted,
		budgets: newBudgets(), challenges: newChallenges(),
		codeGuesses: limit.NewBuckets[netip.Prefix](limit.Rate{}), newAccounts: limit.NewBuckets[netip.Prefix](limit.Rate{}),
	}
	l.tables = tables{l: l, byID: make(map[string]*table.State)}
	if c.Limits == (Limits{}) {
		c.Limits = DefaultLimits()
	}
	l.SetLimits(c.Limits)
	if l.report == nil {
		l.report = func(string, ...any) {}
	}
	if l.checkChat = c.CheckChat; l.checkChat == nil {
		l.checkChat = func(Account, Room) error { return nil }
	}
	l.Alarms.OnPanic = l.reportPanic("alarm")
	l.ctx, l.cancel = context.WithCancel(context.WithoutCancel(ctx))
	l.view.Store(&View{})
	if err := l.resume(ctx); err != nil {
		l.Close()
		return nil, err
	}
	l.wg.Go(func() {
		defer guard.Recover(l.reportPanic("notify lists"))
		l.notifyLists()
	})
	l.wg.Go(func() {
		defer guard.Recover(l.reportPanic("quick match"))
		l.tables.runWaves()
	})
	return l, nil
}

// Games returns the games that can be played, the default one first. The list must not be changed.
func (l *Lobby) Games() engine.Games { return l.games }

// Close stops all matches without ending them; the next New on the same store resumes them. It returns when
// every goroutine of the lobby has ended.
func (l *Lobby) Close() {
	l.mu.Lock()
	l.closed = true
	l.mu.Unlock()
	l.cancel()
	l.wg.Wait()
}

// Drain stops new matches from starting, before the server closes. Running matches continue.
func (l *Lobby) Drain() {
	l.draining.Store(true)
}

// Announce posts a line by the server in the lobby's chat and in both rooms of every match.
func (l *Lobby) Announce(text string) {
	const author = "*" // no account can have this name
	line := ChatLine{At: time.Now(), Author: author, Text: sanitize.Line(text, MaxChat), ByModerator: true}
	l.mu.Lock()
	all := slices.Collect(maps.Values(l.matches))
	l.mu.Unlock()
	l.Chat.add(line)
	for _, m := range all {
		m.PlayerChat.add(line)
		m.SpectatorChat.add(line)
		m.wakeAll()
	}
	l.listsChanged()
}

// resume adds the unfinished matches of the store. It reports damaged matches and leaves them out.
func (l *Lobby) resume(ctx context.Context) error {
	err := l.store.Unfinished(ctx, func(info *MatchInfo, log []Entry) error {
		l.assignGuestIDs(info)
		_ = l.addMatch(info, log, netip.Prefix{}, true) // addMatch reports its errors
		return nil
	})
	if errors.Is(err, ErrCorrupt) {
		l.report("damaged matches left out", "err", err)
		err = nil
	}
	l.listsChanged()
	return err
}

// assignGuestIDs gives the seats of guests from before a restart new guest ids, and registers the ids under
// the digests of their return codes. Seats with the same digest belong to the same guest.
func (l *Lobby) assignGuestIDs(info *MatchInfo) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range info.Seats {
		seat := &info.Seats[i]
		if seat.Account != 0 {
			continue
		}
		id, known := l.guestByDigest[seat.ReturnDigest] // from another seat of the same guest
		if !known {
			l.lastGuest--
			id = l.lastGuest
		}
		if seat.Account = id; seat.ReturnDigest != "" {
			l.guestByDigest[seat.ReturnDigest] = id
		}
	}
}

// addMatch adds a match to the lobby and starts its goroutine. from is the origin that it counts for;
// resumed means that it was restored from the store at the start.
func (l *Lobby) addMatch(info *MatchInfo, log []Entry, from netip.Prefix, resumed bool) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return errcode.Errorf(errcode.Unavailable, "the server is restarting; try again in a moment")
	}
	var seats []*user
	for _, s := range info.Seats {
		seats = append(seats, l.user(Account{ID: s.Account, Name: s.Name, Bot: s.Bot}))
	}
	m, err := newMatch(l, info, seats, log)
	if err != nil {
		return l.InternalError("match not opened", err, "match", info.ID)
	}
	m.origin, m.resumed = from, resumed
	l.matches[info.ID] = m
	for _, p := range seats {
		p.addMatch(m)
	}
	l.wg.Go(func() {
		defer guard.Recover(l.reportPanic("match " + info.ID))
		m.run(l.ctx)
	})
	return nil
}

// createMatch records a new match between seats, in this order, starts it and returns its id. rematchOf is
// the id of the previous match, or empty. The caller must not hold a lock.
func (l *Lobby) createMatch(ctx context.Context, t table.Terms, rematchOf string, seats []*user) (string, error) {
	l.mu.Lock()
	if l.draining.Load() {
		l.mu.Unlock()
		return "", errcode.Errorf(errcode.Unavailable, "the server is restarting and starts no new games; try again in a moment")
	}
	if slices.ContainsFunc(seats, func(p *user) bool { return p.deleted.Load() }) {
		l.mu.Unlock()
		return "", errDeleted
	}
	if t.Rated && l.limits.Load().RatedDistinctAddresses && sameOrigin(seats) {
		l.mu.Unlock()
		return "", table.ErrSameOrigin
	}
	if l.matchesByOrigin[t.Origin] >= l.limits.Load().matchesPerAddress() {
		l.mu.Unlock()
		return "", l.limitError(HitMatchesPerAddress, "too many matches have been started from your address; finish one of yours first")
	}
	if len(l.matches)-l.evicting+l.starting >= l.limits.Load().Matches && !l.evict() {
		l.mu.Unlock()
		return "", l.limitError(HitMatches, "the server is full; try again later")
	}
	if err := l.reserve(seats); err != nil {
		l.mu.Unlock()
		return "", err
	}
	l.starting++
	l.countMatch(t.Origin, 1)
	info := &MatchInfo{
		ID: l.newID(), Game: t.Game, Options: t.Options.WithSeats(len(seats)), Control: t.Control,
		Rated: t.Rated, Private: t.Private, Code: t.Code, RematchOf: rematchOf, Delay: t.Delay, Started: time.Now(),
	}
	l.mu.Unlock()
	for _, p := range seats {
		a := p.Account()
		seat := Seat{Account: a.ID, Name: a.Name, Bot: a.Bot, ReturnDigest: l.returnDigest(a.ID)}
		if r, ok := a.Rating(account.Pool(t.Game, len(seats))); ok {
			seat.Rating = &r
		}
		info.Seats = append(info.Seats, seat)
	}
	err := l.store.CreateMatch(ctx, info)
	if err == nil {
		err = l.addMatch(info, nil, t.Origin, false)
	}
	l.mu.Lock()
	l.starting--
	for _, p := range seats {
		p.starting--
	}
	if err != nil {
		l.countMatch(t.Origin, -1)
	}
	l.mu.Unlock()
	if err != nil {
		var refusal *Error
		if errors.As(err, &refusal) {
			return "", err
		}
		return "", &Error{Code: CodeUnavailable, Message: "the server could not record the new match; try again later", Cause: err}
	}
	if info.Control.IsLive() {
		l.tables.startElsewhere(seats)
	}
	for _, p := range seats {
		p.wake()
	}
	l.listsChanged()
	return info.ID, nil
}

// reserve counts one more starting match for each of the seats, or returns which of them has too many. It
// counts before the match is recorded, so that parallel requests cannot exceed the limit. The caller holds
// l.mu.
func (l *Lobby) reserve(seats []*user) error {
	for _, p := range seats {
		if n := p.busy(); n >= l.limits.Load().MatchesPerUser && !p.Account().Bot {
			return l.limitError(HitMatchesPerUser, "%s already plays %d matches; one of them has to end first", p.Account().Name, n)
		}
	}
	for _, p := range seats {
		p.starting++
	}
	return nil
}

// countMatch adds n to the matches of an origin. The caller holds l.mu.
func (l *Lobby) countMatch(from netip.Prefix, n int) {
	if !from.IsValid() {
		return
	}
	if l.matchesByOrigin[from] += n; l.matchesByOrigin[from] == 0 {
		delete(l.matchesByOrigin, from)
	}
}

// shuffledSeats returns a copy of users in random order.
func shuffledSeats(users []*user) []*user {
	seats := slices.Clone(users)
	mathrand.Shuffle(len(seats), func(i, j int) { seats[i], seats[j] = seats[j], seats[i] })
	return seats
}

// matchEnded updates the lobby after the end of a match, reads the accounts of its seats anew and returns
// the changes of their ratings, or why there are none. Only the match's goroutine calls it, once.
func (l *Lobby) matchEnded(m *Match) ([]RatingChange, UnratedReason) {
	l.mu.Lock()
	l.countMatch(m.origin, -1)
	if l.featured == m.Info.ID {
		l.featured = ""
	}
	l.mu.Unlock()
	defer l.listsChanged() // the users' ratings are shown there
	ctx, cancel := context.WithTimeout(l.ctx, storeTimeout)
	defer cancel()
	changes, unrated := l.rated(ctx, m.Info)
	for i := range changes {
		a, err := l.store.Account(ctx, m.seats[i].Account().ID)
		if err != nil {
			break
		}
		m.seats[i].account.Store(&a)
	}
	return changes, unrated
}

// forgetMatch removes a match from memory. Only the match's goroutine calls it, before it returns.
func (l *Lobby) forgetMatch(m *Match) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.matches, m.Info.ID)
	if !m.liveSnapshot.Load().IsOver() { // frozen, so matchEnded did not run
		l.countMatch(m.origin, -1)
	}
	if m.evicting {
		l.evicting--
	}
	for _, p := range m.seats {
		p.removeMatch(m)
		l.dropUser(p)
	}
	return true
}

// Match returns the match with this id if it is in memory, or a CodeUnknownMatch error.
func (l *Lobby) Match(id string) (*Match, error) {
	l.mu.Lock()
	m := l.matches[id]
	l.mu.Unlock()
	if m == nil {
		return nil, errcode.Errorf(errcode.UnknownMatch, "there is no match %q", sanitize.Line(id, 20))
	}
	return m, nil
}

// newID returns an id that no table and no match in memory has. The caller holds l.mu.
func (l *Lobby) newID() string {
	for {
		id := RandomCode(35)
		if l.tables.byID[id] == nil && l.matches[id] == nil {
			return id
		}
	}
}
