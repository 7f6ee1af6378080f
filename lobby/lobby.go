package lobby

import (
	"context"
	"errors"
	"maps"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"ayumu/engine"
	"ayumu/lobby/account"
	"ayumu/lobby/cluster"
	"ayumu/lobby/errcode"
	"ayumu/lobby/guard"
	"ayumu/lobby/limit"
	"ayumu/lobby/match"
	"ayumu/lobby/measure"
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
	CheckChat func(a account.Account, room Room) error
	// Deleted ends all sessions of a deleted account with the notice AccountDeleted. It is called without
	// locks, from the goroutine that deletes the account. Nil: there are no sessions to end.
	Deleted func(ctx context.Context, id account.ID)
	// FollowModeration takes over what the moderators of another node did: a row that was passed to its
	// Lobby.ShareModeration, and when. After an error it is called again. It is called on one goroutine. Nil:
	// there are no moderators.
	FollowModeration func(ctx context.Context, id string, data []byte, at time.Time) error
	// Correspondence gets each recorded state of a correspondence match. It must not block or call the lobby, and may
	// be called from any goroutine, with locks held. Nil: nobody needs it.
	Correspondence func(s *match.Snapshot)
	// Notices stores the notices of tournaments for those who want to get them outside of this server. It gets each at least once,
	// also after a restart and on another node: what it knows by its key it ignores. After an error it is called again, and
	// a tournament is not settled before. It is called without locks from the goroutines of tournaments, and may do what takes as long as
	// an append. Nil: nobody needs them.
	Notices func(ctx context.Context, notices []TournamentNotice) error
	// IsBanned reports whether an account is banned, which takes it out of tournaments. It must not block and may be called from
	// any goroutine. Nil: nobody is.
	IsBanned func(id account.ID) bool
	// Connect is called once, with the resumed lobby and before it has goroutines: what the functions above need of the lobby
	// can be set there. Nil: they need nothing.
	Connect func(l *Lobby)
	// Local means that the process has no other users than the one at its keyboard, where several people can play
	// (Session.StartLocal).
	Local bool
	// Limits are the initial limits; the zero value means DefaultLimits.
	Limits limit.Limits
	// Cluster has what this process needs to be one of several nodes; nil: it is the only one.
	Cluster *cluster.Config
}

// Lobby holds the state that all sessions share: users, tables, matches and the lobby's chat. New is the
// only constructor. Its methods, and those of its fields, may be called from any goroutine.
type Lobby struct {
	store            Store
	rows             sharedRows    // in memory if this process is the only one
	node             *cluster.Node // nil: this process is the only one
	isLocal          bool          // Config.Local
	games            engine.Games
	report           guard.Reporter
	checkChat        func(a account.Account, room Room) error
	onDeleted        func(ctx context.Context, id account.ID) // may be nil
	onCorrespondence func(s *match.Snapshot)                  // Config.Correspondence; may be nil

	onModeration func(ctx context.Context, id string, data []byte, at time.Time) error // Config.FollowModeration; may be nil

	ctx         context.Context // cancelled by Close
	cancel      context.CancelFunc
	wg          sync.WaitGroup
	Chat        Chat // of the lobby
	chats       *chatWriter
	Accounts    Accounts
	Archive     Archive
	Tournaments Tournaments
	Budgets     *limit.Budgets
	LimitHits   limit.Hits // counts of exceeded limits
	Appends     measure.Appends
	Alarms      Alarms // the one timer of all matches, and of the screens that show clocks
	limits      atomic.Pointer[limit.Limits]

	began    time.Time    // when it was made, by the store's clock; never changed after New
	draining atomic.Bool  // no new matches start
	retried  atomic.Int64 // time of the last attempt to end an outage, in Unix nanoseconds
	lists    lists

	mu         sync.Mutex
	closed     bool
	sessions   map[*Session]struct{}
	users      users
	guests     guestCodes
	guestNames guestSlot // never changed after New
	tables     table.Set
	matches    matches

	challenges limit.Challenges // has locks of its own
}

// New creates a lobby and resumes the unfinished matches of c.Store. ctx is used for reading them only; the
// lobby runs until Close.
func New(ctx context.Context, c Config) (*Lobby, error) {
	if err := c.Games.Check(); err != nil {
		return nil, err
	}
	l := &Lobby{
		store: c.Store, games: c.Games, isLocal: c.Local, report: c.Report, onDeleted: c.Deleted, onCorrespondence: c.Correspondence, onModeration: c.FollowModeration,
		sessions: make(map[*Session]struct{}), users: newUsers(), guests: newGuestCodes(),
		challenges: limit.NewChallenges(),
	}
	l.Accounts.init(l)
	l.Budgets = limit.NewBudgets(&l.LimitHits)
	l.lists.init(l)
	l.matches = matches{l: l, byID: make(map[string]*Match), creating: make(map[string]bool), byOrigin: make(map[netip.Prefix]int)}
	l.Archive = Archive{l}
	l.Tournaments.init(l, c)
	if c.Limits == (limit.Limits{}) {
		c.Limits = limit.Default()
	}
	l.SetLimits(c.Limits)
	if l.report == nil {
		l.report = func(string, ...any) {}
	}
	if l.checkChat = c.CheckChat; l.checkChat == nil {
		l.checkChat = func(account.Account, Room) error { return nil }
	}
	l.Alarms.OnPanic = l.report.PanicIn("alarm")
	l.ctx, l.cancel = context.WithCancel(context.WithoutCancel(ctx))
	isFirst := true
	if c.Cluster == nil {
		follower{l}.addKinds(c.Store.Shared(), "")
	} else {
		follower{l}.addKinds(c.Cluster.Store, c.Cluster.Name)
		var err error
		if isFirst, err = (follower{l}).open(ctx, *c.Cluster); err != nil {
			l.Close()
			return nil, err
		}
	}
	l.began = l.node.Now()
	if err := l.resume(ctx, isFirst); err != nil {
		l.Close()
		return nil, err
	}
	if c.Connect != nil {
		c.Connect(l)
	}
	if l.node != nil {
		follower{l}.start()
	}
	l.wg.Go(func() {
		defer guard.Recover(l.report.PanicIn("notify lists"))
		l.lists.notify()
	})
	l.wg.Go(func() {
		defer guard.Recover(l.report.PanicIn("read accounts"))
		l.Accounts.updates.Run(l.ctx, l.Accounts.Refresh)
	})
	l.wg.Go(func() {
		defer guard.Recover(l.report.PanicIn("waves"))
		l.runWaves()
	})
	if !l.isLocal {
		if err := l.Tournaments.follow(ctx); err != nil {
			l.Close()
			return nil, err
		}
		l.wg.Go(func() {
			defer guard.Recover(l.report.PanicIn("tournaments"))
			l.Tournaments.watch()
		})
	}
	return l, nil
}

// Games returns the games that can be played, the default one first. The list must not be changed.
func (l *Lobby) Games() engine.Games { return l.games }

// Game returns the game with this name, or an errcode.BadRequest error.
func (l *Lobby) Game(name string) (engine.Game, error) {
	game, ok := l.games.ByName(name)
	if !ok {
		return nil, errcode.Errorf(errcode.BadRequest, "there is no game %q", sanitize.Line(name, 20))
	}
	return game, nil
}

// Close stops all matches without ending them; the next New on the same store resumes them. It returns when
// every goroutine of the lobby has ended.
func (l *Lobby) Close() {
	l.mu.Lock()
	l.closed = true
	l.mu.Unlock()
	l.cancel()
	l.wg.Wait()
	l.node.Close()
}

// Node returns this process as one of several nodes; nil if it is the only one.
func (l *Lobby) Node() *cluster.Node { return l.node }

// MatchCount returns the number of matches in memory, of which some may have ended.
func (l *Lobby) MatchCount() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.matches.byID)
}

// Drain stops new matches from starting, before the server closes. Running matches continue.
func (l *Lobby) Drain() { l.draining.Store(true) }

// Announce posts a line by the server in the lobby's chat and in both rooms of every match, on all nodes.
func (l *Lobby) Announce(text string) {
	line := l.announcement(text)
	l.chats.add(lobbyRoomID, &l.Chat, line)
	l.announceInMatches(line)
}

// announceHere posts a line by the server in the rooms of this node.
func (l *Lobby) announceHere(text string) {
	line := l.announcement(text)
	l.Chat.Add(line)
	l.announceInMatches(line)
}

func (l *Lobby) announcement(text string) ChatLine {
	const author = "*" // no account can have this name
	return ChatLine{At: l.node.Now(), Author: author, Text: sanitize.Line(text, MaxChat), ByModerator: true}
}

// announceInMatches posts a line by the server in both rooms of every match, on this node.
func (l *Lobby) announceInMatches(line ChatLine) {
	l.mu.Lock()
	all := slices.Collect(maps.Values(l.matches.byID))
	l.mu.Unlock()
	for _, m := range all {
		m.PlayerChat.Add(line)
		m.SpectatorChat.Add(line)
		m.wakeAll()
	}
	l.lists.chatChanged()
}

// resume adds the unfinished matches and the durable tables of the store. It reports damaged matches and leaves them
// out. isFirst means that no node has been alive: the time since then is given back to the players.
func (l *Lobby) resume(ctx context.Context, isFirst bool) error {
	if l.node == nil { // which has followed the rows
		found, _, err := l.rows.Store.Changes(ctx, "")
		if err != nil {
			return err
		}
		for _, r := range found {
			if err := l.rows.Follow(ctx, r); err != nil {
				return err
			}
		}
	}
	err := l.store.Unfinished(ctx, func(info *match.Info, log []match.Entry) error {
		l.markLocal(info)
		l.mu.Lock()
		l.guests.assign(info)
		l.mu.Unlock()
		_ = l.matches.add(info, log, netip.Prefix{}, isFirst) // which reports its errors
		return nil
	})
	if errors.Is(err, errcode.ErrCorrupt) {
		l.report("damaged matches left out", "err", err)
		err = nil
	}
	l.lists.tablesChanged()
	l.lists.matchStarted()
	return err
}

// Match returns the match with this id if it is in memory, or an errcode.UnknownMatch error.
func (l *Lobby) Match(id string) (*Match, error) {
	l.mu.Lock()
	m := l.matches.byID[id]
	l.mu.Unlock()
	if id == "" {
		return nil, errcode.Errorf(errcode.UnknownMatch, "no game is named; the command matches lists them with their ids")
	}
	if m == nil {
		return nil, errcode.Errorf(errcode.UnknownMatch, "there is no game %q", sanitize.Line(id, 20))
	}
	return m, nil
}

// newID returns an id that no table and no match in memory has. The caller holds l.mu.
func (l *Lobby) newID() string {
	for {
		id := RandomCode(35)
		if l.tables.Version(id) == 0 && l.tables.Get(id) == nil && l.matches.byID[id] == nil {
			return id
		}
	}
}
