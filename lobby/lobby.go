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
	// MaySpeak returns why somebody may not speak in a room; nil: everybody may everywhere. It is
	// called from any goroutine and must not wait.
	MaySpeak func(a Account, room Room) error
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
	speak     func(a Account, room Room) error
	onDeleted func(ctx context.Context, id AccountID) // nil: nothing
	ctx       context.Context                         // ends with the lobby
	cancel    context.CancelFunc
	work      sync.WaitGroup
	Chat      Chat         // what is said in the lobby
	Hits      Hits         // of limits
	Alarms    clock.Alarms // the one timer of all matches, and of the screens that show clocks
	limits    atomic.Pointer[Limits]

	draining atomic.Bool // no new games

	changes atomic.Uint64 // of the lists; a View has the number it was made at
	retried atomic.Int64  // when a match last tried whether the store works, in nanoseconds since 1970
	dirty   chan struct{}
	stir    chan struct{}
	view    atomic.Pointer[View]

	mu       sync.Mutex
	closed   bool
	sessions map[*Session]struct{}
	people   map[AccountID]*person
	tables   map[string]*table
	matches  map[string]*Match
	starting int // matches that are being recorded
	going    int // matches that make room
	featured string
	guests   AccountID              // the last one given out
	returns  map[string]AccountID   // guests by the codes with which they come back
	earlier  map[string]AccountID   // those from before a restart, by the digests of these codes
	links    map[string]link        // codes that bind a further key
	deleted  map[AccountID]struct{} // accounts that were deleted since the start, or are about to be
	held     map[netip.Prefix]int   // matches that go on or begin, by the origin that began them

	budgets    [workKinds]*limit.Budget
	challenges challenges
	guesses    Shares // of codes
	newcomers  Shares // accounts that are made
}

// New opens a lobby and brings back the unfinished matches of its store.
func New(ctx context.Context, c Config) (*Lobby, error) {
	l := &Lobby{
		store: c.Store, report: c.Report, dirty: make(chan struct{}, 1), stir: make(chan struct{}, 1),
		sessions: make(map[*Session]struct{}), people: make(map[AccountID]*person),
		tables: make(map[string]*table), matches: make(map[string]*Match),
		returns: make(map[string]AccountID), earlier: make(map[string]AccountID), links: make(map[string]link),
		held: make(map[netip.Prefix]int), deleted: make(map[AccountID]struct{}), onDeleted: c.Deleted,
		budgets: newBudgets(), challenges: newChallenges(),
	}
	if c.Limits == (Limits{}) {
		c.Limits = DefaultLimits()
	}
	l.SetLimits(c.Limits)
	if l.report == nil {
		l.report = func(string, ...any) {}
	}
	if l.speak = c.MaySpeak; l.speak == nil {
		l.speak = func(Account, Room) error { return nil }
	}
	l.Alarms.Fault = l.reportPanic("alarm")
	l.ctx, l.cancel = context.WithCancel(context.WithoutCancel(ctx))
	l.view.Store(&View{})
	if err := l.resume(ctx); err != nil {
		l.Close()
		return nil, err
	}
	l.work.Go(func() {
		defer guard.Recover(l.reportPanic("telling of changes"))
		l.herald()
	})
	l.work.Go(func() {
		defer guard.Recover(l.reportPanic("waves"))
		l.waves()
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
	l.work.Wait()
}

// Drain lets no new game begin, because the server is about to close; those that go on do.
func (l *Lobby) Drain() {
	l.draining.Store(true)
}

// Announce says something from the host in the lobby and in every room of every match.
func (l *Lobby) Announce(text string) {
	const host = "*" // nobody's name
	line := ChatLine{At: time.Now(), From: host, Text: CleanText(text, MaxChat), Staff: true}
	l.mu.Lock()
	all := slices.Collect(maps.Values(l.matches))
	l.mu.Unlock()
	l.Chat.add(line)
	for _, m := range all {
		m.Players.add(line)
		m.Gallery.add(line)
		m.wakeAll()
	}
	l.changed()
}

// resume brings back the unfinished matches.
func (l *Lobby) resume(ctx context.Context) error {
	err := l.store.Unfinished(ctx, func(info *Info, log []Entry) error {
		l.adopt(info)
		_ = l.run(info, log, netip.Prefix{}, true) // it reports what it leaves out
		return nil
	})
	if errors.Is(err, ErrDamaged) {
		l.report("damaged matches left out", "err", err)
		err = nil
	}
	l.changed()
	return err
}

// adopt gives the seats of guests from before a restart ids that no guest of now has, by which
// their codes bring them back.
func (l *Lobby) adopt(info *Info) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range info.Seats {
		seat := &info.Seats[i]
		if seat.Account != 0 {
			continue
		}
		id, known := l.earlier[seat.Return] // from another seat of his
		if !known {
			l.guests--
			id = l.guests
		}
		if seat.Account = id; seat.Return != "" {
			l.earlier[seat.Return] = id
		}
	}
}

// run takes a match into the lobby, which counts for an origin, and starts its goroutine. resumed:
// the match was there before a restart.
func (l *Lobby) run(info *Info, log []Entry, from netip.Prefix, resumed bool) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return fail(Unavailable, "the server is closing")
	}
	var seats []*person
	for _, s := range info.Seats {
		seats = append(seats, l.person(Account{ID: s.Account, Name: s.Name, Bot: s.Bot}))
	}
	m, err := newMatch(l, info, seats, log)
	if err != nil {
		return l.Fault("match not opened", err, "match", info.ID)
	}
	m.from = from
	if resumed {
		m.resumed = time.Now()
	}
	l.matches[info.ID] = m
	for _, p := range seats {
		p.add(m)
	}
	l.work.Go(func() {
		defer guard.Recover(l.reportPanic("match " + info.ID))
		m.run(l.ctx)
	})
	return nil
}

// proposal is what a match or a table is for.
type proposal struct {
	game    string
	options engine.Options
	control clock.Control
	rated   bool
	private bool
	code    string
	prior   string
	delay   int
	from    netip.Prefix // whose share of tables and matches it takes; invalid: nobody's
}

// start records and runs a new match with these people in these seats. No lock may be held.
func (l *Lobby) start(ctx context.Context, p proposal, seats []*person) (string, error) {
	l.mu.Lock()
	if l.draining.Load() {
		l.mu.Unlock()
		return "", fail(Unavailable, "the server is closing, so no new game begins; come back in a moment")
	}
	if slices.ContainsFunc(seats, func(p *person) bool { return p.deleted.Load() }) {
		l.mu.Unlock()
		return "", errDeleted
	}
	if p.rated && l.limits.Load().RatedApart && shareAddress(seats) {
		l.mu.Unlock()
		return "", errOneAddress
	}
	if l.held[p.from] >= l.limits.Load().OriginMatches {
		l.mu.Unlock()
		return "", l.full(HitOriginMatches, "as many matches go on as may begin from one address; finish one of yours first")
	}
	if len(l.matches)-l.going+l.starting >= l.limits.Load().Matches && !l.makeRoom() {
		l.mu.Unlock()
		return "", l.full(HitMatches, "the server has as many matches as it can hold; try again later")
	}
	if err := l.reserve(seats); err != nil {
		l.mu.Unlock()
		return "", err
	}
	l.starting++
	l.hold(p.from, 1)
	info := &Info{
		ID: l.newID(), Game: p.game, Options: p.options.WithSeats(len(seats)), Control: p.control,
		Rated: p.rated, Private: p.private, Code: p.code, Prior: p.prior, Delay: p.delay, Started: time.Now(),
	}
	l.mu.Unlock()
	for _, who := range seats {
		a := who.Account()
		seat := Seat{Account: a.ID, Name: a.Name, Bot: a.Bot, Return: l.returnDigest(a.ID)}
		if r, ok := a.Rating(Pool(p.game, len(seats))); ok {
			seat.Rating = &r
		}
		info.Seats = append(info.Seats, seat)
	}
	err := l.store.CreateMatch(ctx, info)
	if err == nil {
		err = l.run(info, nil, p.from, false)
	}
	l.mu.Lock()
	l.starting--
	for _, who := range seats {
		who.starting--
	}
	if err != nil {
		l.hold(p.from, -1)
	}
	l.mu.Unlock()
	if err != nil {
		var refusal *Error
		if errors.As(err, &refusal) {
			return "", err
		}
		return "", &Error{Code: Unavailable, Message: "the server could not record the new match; try again later", Cause: err}
	}
	if info.Control.Live() {
		l.clearTables(seats)
	}
	for _, who := range seats {
		who.poke()
	}
	l.changed()
	return info.ID, nil
}

// reserve counts one more match that begins for each of the seats, or says who may begin none. It is
// counted before the match is recorded, so that those who begin many at once get no more than one
// after the other. mu must be held.
func (l *Lobby) reserve(seats []*person) error {
	for _, p := range seats {
		if n := p.busy(); n >= l.limits.Load().OwnMatches && !p.Account().Bot {
			return l.full(HitOwnMatches, "%s plays %d matches already; one of them has to end first", p.Account().Name, n)
		}
	}
	for _, p := range seats {
		p.starting++
	}
	return nil
}

// hold counts matches of an origin. mu must be held.
func (l *Lobby) hold(from netip.Prefix, n int) {
	if !from.IsValid() {
		return
	}
	if l.held[from] += n; l.held[from] == 0 {
		delete(l.held, from)
	}
}

// shuffled returns people in the random order in which they will sit.
func shuffled(people []*person) []*person {
	seats := slices.Clone(people)
	mathrand.Shuffle(len(seats), func(i, j int) { seats[i], seats[j] = seats[j], seats[i] })
	return seats
}

// over is called by a match that has ended. It returns what became of the seats' ratings.
func (l *Lobby) over(m *Match) ([]RatingChange, Unrated) {
	l.mu.Lock()
	l.hold(m.from, -1)
	if l.featured == m.Info.ID {
		l.featured = ""
	}
	l.mu.Unlock()
	defer l.changed() // with the new ratings
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

// forget drops a finished match that nobody looks at; false if the lobby still needs it.
func (l *Lobby) forget(m *Match) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.matches, m.Info.ID)
	if !m.live.Load().Over() { // its end could not be recorded
		l.hold(m.from, -1)
	}
	if m.going {
		l.going--
	}
	for _, p := range m.seats {
		p.remove(m)
		l.dropPerson(p)
	}
	return true
}

// Match returns a match that is in memory.
func (l *Lobby) Match(id string) (*Match, error) {
	l.mu.Lock()
	m := l.matches[id]
	l.mu.Unlock()
	if m == nil {
		return nil, fail(UnknownMatch, "there is no match %q here", CleanText(id, 20))
	}
	return m, nil
}

// token returns a random text of at least that many bits in letters and digits that are hard to
// confuse.
func token(bits int) string {
	b := make([]byte, (bits+39)/40*5)
	rand.Read(b)
	return alphabet.EncodeToString(b)[:(bits+4)/5]
}

const codeLetters = "0123456789abcdefghjkmnpqrstvwxyz"

var alphabet = base32.NewEncoding(codeLetters).WithPadding(base32.NoPadding)

// newID returns an id that no table and no match in memory has. mu must be held.
func (l *Lobby) newID() string {
	for {
		id := token(35)
		if l.tables[id] == nil && l.matches[id] == nil {
			return id
		}
	}
}
