package lobby

import (
	"context"
	"crypto/rand"
	"encoding/base32"
	"errors"
	"maps"
	mathrand "math/rand/v2"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"ayumu/engine"
	"ayumu/lobby/clock"
	"ayumu/lobby/guard"
	"ayumu/lobby/limit"
)

// Config is what a Lobby is made of.
type Config struct {
	Store Store
	// Report reports internal errors to the operator: a message and key-value pairs. It must not
	// block. Nil: they are not reported. The Store reports its failures itself.
	Report func(msg string, keyvals ...any)
	// CheckChat returns why somebody may not speak in a room; nil: everybody may everywhere. It is
	// called from any goroutine and must not wait.
	CheckChat func(a Account, room Room) error
	// Deleted ends all sessions of an account that was deleted, with the notice AccountDeleted; nil:
	// there is nothing to end. It is called from the goroutine that deletes the account.
	Deleted func(ctx context.Context, id AccountID)
	// Limits hold from the beginning; the zero value: DefaultLimits.
	Limits Limits
}

// Lobby is the one place where everybody meets. Its methods may be called from any goroutine.
type Lobby struct {
	store     Store
	report    func(msg string, keyvals ...any)
	checkChat func(a Account, room Room) error
	onDeleted func(ctx context.Context, id AccountID) // nil: nothing
	ctx       context.Context                         // ends with the lobby
	cancel    context.CancelFunc
	wg        sync.WaitGroup
	Chat      Chat         // what is said in the lobby
	LimitHits LimitHits    // of limits
	Alarms    clock.Alarms // the one timer of all matches, and of the screens that show clocks
	limits    atomic.Pointer[Limits]

	draining atomic.Bool // no new games

	changes     atomic.Uint64 // of the lists; a View has the number it was made at
	retried     atomic.Int64  // when a match last tried whether the store works, in nanoseconds since 1970
	listSignal  chan struct{}
	matchSignal chan struct{}
	view        atomic.Pointer[View]

	mu              sync.Mutex
	closed          bool
	sessions        map[*Session]struct{}
	users           map[AccountID]*user
	tables          map[string]*tableState
	matches         map[string]*Match
	starting        int // matches that are being recorded
	evicting        int // matches that make room
	featured        string
	lastGuest       AccountID              // the last one given out
	guestByCode     map[string]AccountID   // guests by the codes with which they come back
	guestByDigest   map[string]AccountID   // those from before a restart, by the digests of these codes
	linkCodes       map[string]linkCode    // codes that bind a further key
	deleted         map[AccountID]struct{} // accounts that were deleted since the start, or are about to be
	matchesByOrigin map[netip.Prefix]int   // matches that go on or begin, by the origin that began them

	budgets     [workKinds]*limit.Budget
	challenges  challenges
	codeGuesses OriginLimiter // of codes
	newAccounts OriginLimiter // accounts that are made
}

// New opens a lobby and brings back the unfinished matches of its store.
func New(ctx context.Context, c Config) (*Lobby, error) {
	l := &Lobby{
		store: c.Store, report: c.Report, listSignal: make(chan struct{}, 1), matchSignal: make(chan struct{}, 1),
		sessions: make(map[*Session]struct{}), users: make(map[AccountID]*user),
		tables: make(map[string]*tableState), matches: make(map[string]*Match),
		guestByCode: make(map[string]AccountID), guestByDigest: make(map[string]AccountID), linkCodes: make(map[string]linkCode),
		matchesByOrigin: make(map[netip.Prefix]int), deleted: make(map[AccountID]struct{}), onDeleted: c.Deleted,
		budgets: newBudgets(), challenges: newChallenges(),
	}
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
		defer guard.Recover(l.reportPanic("telling of changes"))
		l.notifyLists()
	})
	l.wg.Go(func() {
		defer guard.Recover(l.reportPanic("waves"))
		l.runWaves()
	})
	return l, nil
}

// Close stops all matches where they are; they come back with the next New on the same store.
// It returns when nothing of the lobby runs any more.
func (l *Lobby) Close() {
	l.mu.Lock()
	l.closed = true
	l.mu.Unlock()
	l.cancel()
	l.wg.Wait()
}

// Drain lets no new game begin, because the server is about to close; those that go on do.
func (l *Lobby) Drain() {
	l.draining.Store(true)
}

// Announce says something from the host in the lobby and in every room of every match.
func (l *Lobby) Announce(text string) {
	const host = "*" // nobody's name
	line := ChatLine{At: time.Now(), Author: host, Text: CleanText(text, MaxChat), ByModerator: true}
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

// resume brings back the unfinished matches.
func (l *Lobby) resume(ctx context.Context) error {
	err := l.store.Unfinished(ctx, func(info *MatchInfo, log []Entry) error {
		l.assignGuestIDs(info)
		_ = l.addMatch(info, log, netip.Prefix{}, true) // it reports what it leaves out
		return nil
	})
	if errors.Is(err, ErrCorrupt) {
		l.report("damaged matches left out", "err", err)
		err = nil
	}
	l.listsChanged()
	return err
}

// assignGuestIDs gives the seats of guests from before a restart ids that no guest of now has, by which
// their codes bring them back.
func (l *Lobby) assignGuestIDs(info *MatchInfo) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range info.Seats {
		seat := &info.Seats[i]
		if seat.Account != 0 {
			continue
		}
		id, known := l.guestByDigest[seat.ReturnDigest] // from another seat of his
		if !known {
			l.lastGuest--
			id = l.lastGuest
		}
		if seat.Account = id; seat.ReturnDigest != "" {
			l.guestByDigest[seat.ReturnDigest] = id
		}
	}
}

// addMatch takes a match into the lobby, which counts for an origin, and starts its goroutine. resumed:
// the match was there before a restart.
func (l *Lobby) addMatch(info *MatchInfo, log []Entry, from netip.Prefix, resumed bool) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return errorf(CodeUnavailable, "the server is closing")
	}
	var seats []*user
	for _, s := range info.Seats {
		seats = append(seats, l.user(Account{ID: s.Account, Name: s.Name, Bot: s.Bot}))
	}
	m, err := newMatch(l, info, seats, log)
	if err != nil {
		return l.InternalError("match not opened", err, "match", info.ID)
	}
	m.origin = from
	if resumed {
		m.restartedAt = time.Now()
	}
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

// terms is what a match or a table is for.
type terms struct {
	game      string
	options   engine.Options
	control   clock.Control
	rated     bool
	private   bool
	code      string
	rematchOf string
	delay     int
	origin    netip.Prefix // whose share of tables and matches it takes; invalid: nobody's
}

// createMatch records and runs a new match with these people in these seats. No lock may be held.
func (l *Lobby) createMatch(ctx context.Context, p terms, seats []*user) (string, error) {
	l.mu.Lock()
	if l.draining.Load() {
		l.mu.Unlock()
		return "", errorf(CodeUnavailable, "the server is closing, so no new game begins; come back in a moment")
	}
	if slices.ContainsFunc(seats, func(p *user) bool { return p.deleted.Load() }) {
		l.mu.Unlock()
		return "", errDeleted
	}
	if p.rated && l.limits.Load().RatedDistinctAddresses && sameAddress(seats) {
		l.mu.Unlock()
		return "", errSameAddress
	}
	if l.matchesByOrigin[p.origin] >= l.limits.Load().matchesPerAddress() {
		l.mu.Unlock()
		return "", l.limitError(HitMatchesPerAddress, "as many matches go on as may begin from one address; finish one of yours first")
	}
	if len(l.matches)-l.evicting+l.starting >= l.limits.Load().Matches && !l.evict() {
		l.mu.Unlock()
		return "", l.limitError(HitMatches, "the server has as many matches as it can hold; try again later")
	}
	if err := l.reserve(seats); err != nil {
		l.mu.Unlock()
		return "", err
	}
	l.starting++
	l.countMatch(p.origin, 1)
	info := &MatchInfo{
		ID: l.newID(), Game: p.game, Options: p.options.WithSeats(len(seats)), Control: p.control,
		Rated: p.rated, Private: p.private, Code: p.code, RematchOf: p.rematchOf, Delay: p.delay, Started: time.Now(),
	}
	l.mu.Unlock()
	for _, who := range seats {
		a := who.Account()
		seat := Seat{Account: a.ID, Name: a.Name, Bot: a.Bot, ReturnDigest: l.returnDigest(a.ID)}
		if r, ok := a.Rating(Pool(p.game, len(seats))); ok {
			seat.Rating = &r
		}
		info.Seats = append(info.Seats, seat)
	}
	err := l.store.CreateMatch(ctx, info)
	if err == nil {
		err = l.addMatch(info, nil, p.origin, false)
	}
	l.mu.Lock()
	l.starting--
	for _, who := range seats {
		who.starting--
	}
	if err != nil {
		l.countMatch(p.origin, -1)
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
		l.leaveLiveTables(seats)
	}
	for _, who := range seats {
		who.wake()
	}
	l.listsChanged()
	return info.ID, nil
}

// reserve counts one more match that begins for each of the seats, or says who may begin none. It is
// counted before the match is recorded, so that those who begin many at once get no more than one
// after the other. mu must be held.
func (l *Lobby) reserve(seats []*user) error {
	for _, p := range seats {
		if n := p.busy(); n >= l.limits.Load().MatchesPerUser && !p.Account().Bot {
			return l.limitError(HitMatchesPerUser, "%s plays %d matches already; one of them has to end first", p.Account().Name, n)
		}
	}
	for _, p := range seats {
		p.starting++
	}
	return nil
}

// countMatch counts matches of an origin. mu must be held.
func (l *Lobby) countMatch(from netip.Prefix, n int) {
	if !from.IsValid() {
		return
	}
	if l.matchesByOrigin[from] += n; l.matchesByOrigin[from] == 0 {
		delete(l.matchesByOrigin, from)
	}
}

// shuffledSeats returns people in the random order in which they will sit.
func shuffledSeats(people []*user) []*user {
	seats := slices.Clone(people)
	mathrand.Shuffle(len(seats), func(i, j int) { seats[i], seats[j] = seats[j], seats[i] })
	return seats
}

// matchEnded is called by a match that has ended. It returns what became of the seats' ratings.
func (l *Lobby) matchEnded(m *Match) ([]RatingChange, UnratedReason) {
	l.mu.Lock()
	l.countMatch(m.origin, -1)
	if l.featured == m.Info.ID {
		l.featured = ""
	}
	l.mu.Unlock()
	defer l.listsChanged() // with the new ratings
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

// forgetMatch drops a finished match that nobody looks at; false if the lobby still needs it.
func (l *Lobby) forgetMatch(m *Match) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.matches, m.Info.ID)
	if !m.liveSnapshot.Load().IsOver() { // its end could not be recorded
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

// Match returns a match that is in memory.
func (l *Lobby) Match(id string) (*Match, error) {
	l.mu.Lock()
	m := l.matches[id]
	l.mu.Unlock()
	if m == nil {
		return nil, errorf(CodeUnknownMatch, "there is no match %q here", CleanText(id, 20))
	}
	return m, nil
}

// randomCode returns a random text of at least that many bits in letters and digits that are hard to
// confuse.
func randomCode(bits int) string {
	b := make([]byte, (bits+39)/40*5)
	rand.Read(b)
	return codeEncoding.EncodeToString(b)[:(bits+4)/5]
}

const codeAlphabet = "0123456789abcdefghjkmnpqrstvwxyz"

var codeEncoding = base32.NewEncoding(codeAlphabet).WithPadding(base32.NoPadding)

// newID returns an id that no table and no match in memory has. mu must be held.
func (l *Lobby) newID() string {
	for {
		id := randomCode(35)
		if l.tables[id] == nil && l.matches[id] == nil {
			return id
		}
	}
}
