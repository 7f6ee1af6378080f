package lobby

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"ayumu/lobby/account"
	"ayumu/lobby/errcode"
	"ayumu/lobby/guard"
	"ayumu/lobby/sanitize"
	"ayumu/lobby/tournament"
)

// Times of tournaments.
const (
	tournamentPoll = time.Second      // between two looks at what other nodes have recorded, and at who may no longer play
	tournamentKeep = 10 * time.Minute // for which a tournament that is over stays in memory
	tournamentTry  = 5 * time.Second  // until a node without the lease, or whose store has failed, tries again
	nameAge        = time.Minute      // for which the name of a user who is not in memory is not read again

	tournamentNoticesKept = 32 // for each user
)

// Tournaments are the tournaments of the lobby. Package tournament decides what happens in each; the runner of each that is not
// settled does it. Every node has them all in memory. It is a field of the Lobby; its methods may be called from any goroutine.
type Tournaments struct {
	l         *Lobby
	onNotices func(context.Context, []TournamentNotice) error
	isBanned  func(account.ID) bool

	revision atomic.Uint64 // counts the changes of all
	added    chan struct{} // holds one signal for watch

	mu         sync.Mutex // a leaf
	byID       map[string]*tournamentRunner
	byUser     map[account.ID][]*tournamentRunner // those that the user has entered
	notices    map[account.ID][]SeenNotice        // the newest of users of this node
	lastNotice uint64
	names      map[account.ID]knownName
}

// knownName is the name of a user who is not in memory.
type knownName struct {
	name string
	at   time.Time
}

// TournamentNotice is a notice with what a message says of its tournament.
type TournamentNotice struct {
	Tournament, Name string
	Game, Clock      string   // of Match, in words
	Rated            bool     // of Match
	Against          []string // the names of Opponents
	tournament.Notice
}

// SeenNotice is a notice for users who are here.
type SeenNotice struct {
	Seq              uint64 // number among those of this node
	Tournament, Name string
	tournament.Notice
}

func (ts *Tournaments) init(l *Lobby, c Config) {
	ts.l, ts.onNotices, ts.isBanned = l, c.Notices, c.IsBanned
	ts.byID, ts.byUser = make(map[string]*tournamentRunner), make(map[account.ID][]*tournamentRunner)
	ts.added = make(chan struct{}, 1)
	ts.notices, ts.names = make(map[account.ID][]SeenNotice), make(map[account.ID]knownName)
}

// Revision changes whenever a tournament does.
func (ts *Tournaments) Revision() uint64 { return ts.revision.Load() }

func (ts *Tournaments) runner(id string) *tournamentRunner {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	return ts.byID[id]
}

func (ts *Tournaments) runners() []*tournamentRunner {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	return slices.Collect(maps.Values(ts.byID))
}

// isEntrant reports whether a user has entered a tournament in memory.
func (ts *Tournaments) isEntrant(id account.ID) bool {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	return len(ts.byUser[id]) > 0
}

// Entered returns the tournaments in memory that a user has entered, in the order of their ids.
func (ts *Tournaments) Entered(id account.ID) []*tournament.State {
	ts.mu.Lock()
	entered := ts.byUser[id]
	ts.mu.Unlock()
	all := make([]*tournament.State, 0, len(entered))
	for _, r := range entered {
		all = append(all, r.state.Load())
	}
	slices.SortFunc(all, func(a, b *tournament.State) int { return cmp.Compare(a.ID, b.ID) })
	return all
}

// check has a tournament look at its games, its players and the time. It never blocks.
func (ts *Tournaments) check(id string) {
	if r := ts.runner(id); r != nil {
		signal(r.checks)
	}
}

// userCame has the tournaments of a user checked, who may be waited for. It never blocks.
func (ts *Tournaments) userCame(id account.ID) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	for _, r := range ts.byUser[id] {
		signal(r.checks)
	}
}

// Known returns the state of a tournament in memory; nil if it is not there.
func (ts *Tournaments) Known(id string) *tournament.State {
	if r := ts.runner(id); r != nil {
		return r.state.Load()
	}
	return nil
}

// Chat returns the room of a tournament in memory; nil if it is not there.
func (ts *Tournaments) Chat(id string) *Chat {
	if r := ts.runner(id); r != nil {
		return &r.chat
	}
	return nil
}

// SayInTournament posts a line in the room of a tournament, for its players and those who follow it.
func (s *Session) SayInTournament(id, text string) error {
	ts := &s.l.Tournaments
	r := ts.runner(id)
	if r == nil {
		return errcode.Errorf(errcode.UnknownTournament, "there is no running tournament %q; its chat ends with it", sanitize.Line(id, 20))
	}
	return s.postChat(TournamentRoom, tournamentRoomID(id), &r.chat, text, func() { ts.wakeForChat(r.state.Load()) })
}

// wakeForChat wakes those who see the room of a tournament.
func (ts *Tournaments) wakeForChat(s *tournament.State) {
	ts.revision.Add(1)
	ts.wake(s)
}

func errUnknownTournament(id string) error {
	if id == "" {
		return errcode.Errorf(errcode.UnknownTournament, "no tournament is named; the command tournaments lists them with their ids")
	}
	return errcode.Errorf(errcode.UnknownTournament, "there is no tournament %q; the command tournaments lists them with their ids", sanitize.Line(id, 20))
}

// listed returns the tournaments that are open or running, in the order of View.Tournaments. The caller may hold Lobby.mu.
func (ts *Tournaments) listed() (all []*TournamentListing) {
	for _, r := range ts.runners() {
		if s := r.state.Load(); !s.IsOver() {
			all = append(all, new(NewTournamentListing(s)))
		}
	}
	rank := func(t *TournamentListing) int {
		switch {
		case t.Phase == tournament.PhaseCheckIn:
			return 0
		case t.Phase != tournament.PhaseOpen:
			return 1
		case !t.Start.IsZero():
			return 2
		}
		return 3
	}
	slices.SortFunc(all, func(a, b *TournamentListing) int {
		return cmp.Or(rank(a)-rank(b), a.Start.Compare(b.Start), b.Created.Compare(a.Created), cmp.Compare(a.ID, b.ID))
	})
	return all
}

// isListedAlike reports whether two states are the same in lists.
func isListedAlike(before, after *tournament.State) bool {
	a, b := NewTournamentListing(before), NewTournamentListing(after)
	a.Version = b.Version
	return reflect.DeepEqual(a, b)
}

// State returns the state of a tournament, which it reads from the store if it is not in memory.
func (ts *Tournaments) State(ctx context.Context, id string) (*tournament.State, error) {
	if s := ts.Known(id); s != nil {
		return s, nil
	}
	entries, err := ts.l.store.TournamentEntries(ctx, id, 0)
	switch {
	case errors.Is(err, errcode.ErrNotFound):
		return nil, errUnknownTournament(id)
	case errors.Is(err, errcode.ErrCorrupt):
		return nil, ts.l.InternalError("damaged tournament", err, "tournament", id)
	case err != nil:
		return nil, err
	}
	s, err := tournament.Fold(id, entries)
	if err != nil {
		return nil, ts.l.InternalError("damaged tournament", err, "tournament", id)
	}
	return &s, nil
}

// List lists tournaments, newest first.
func (ts *Tournaments) List(ctx context.Context, q TournamentQuery) ([]TournamentListing, error) {
	return ts.l.store.Tournaments(ctx, q)
}

// Names returns the names of users. It reads those that are not in memory from the store.
func (ts *Tournaments) Names(ctx context.Context, ids []account.ID) (tournament.Names, error) {
	names := make(map[account.ID]string, len(ids))
	now := time.Now()
	var unknown []account.ID
	ts.l.mu.Lock()
	for _, id := range ids {
		if u := ts.l.users.byID[id]; u != nil {
			names[id] = u.Account().Name
		} else {
			unknown = append(unknown, id)
		}
	}
	ts.l.mu.Unlock()
	for _, id := range unknown {
		ts.mu.Lock()
		known, ok := ts.names[id]
		ts.mu.Unlock()
		if !ok || now.Sub(known.at) > nameAge {
			a, err := ts.l.store.Account(ctx, id)
			if err != nil && !errors.Is(err, errcode.ErrNotFound) {
				return nil, err
			}
			known = knownName{a.Name, now}
			ts.remember(id, known)
		}
		names[id] = known.name
	}
	return func(id account.ID) string { return names[id] }, nil
}

// remember keeps a name that was read, and forgets the old ones when there are many.
func (ts *Tournaments) remember(id account.ID, name knownName) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	if len(ts.names) > 4*tournament.MaxPlayers {
		clear(ts.names)
	}
	ts.names[id] = name
}

// NamesIn returns the names of all who appear in a tournament.
func (ts *Tournaments) NamesIn(ctx context.Context, s *tournament.State) (tournament.Names, error) {
	ids := []account.ID{s.Organizer}
	for i := range s.Players {
		ids = append(ids, s.Players[i].User)
	}
	for i := range s.Removed {
		ids = append(ids, s.Removed[i].User)
	}
	return ts.Names(ctx, ids)
}

// follow takes over what is in the store of the tournaments that are not settled.
func (ts *Tournaments) follow(ctx context.Context) error {
	versions, err := ts.l.store.UnsettledTournaments(ctx)
	if err != nil {
		return err
	}
	for id, version := range versions {
		r := ts.runner(id)
		if r == nil {
			if s, err := ts.State(ctx, id); err == nil {
				ts.add(s)
			} // damaged ones are left out, and reported
			continue
		}
		if r.state.Load().Version < version {
			r.isBehind.Store(true)
			signal(r.checks)
		}
	}
	return nil
}

// add puts a tournament into memory and starts its runner, unless it is there.
func (ts *Tournaments) add(s *tournament.State) *tournamentRunner {
	l := ts.l
	r := &tournamentRunner{
		ts: ts, id: s.ID, queue: make(chan *tournamentInput, maxQueuedCommands), checks: make(chan struct{}, 1), done: make(chan struct{}),
		seen: make(map[string]bool), passed: make(map[string]bool),
	}
	r.alarm = NewAlarm(func() { signal(r.checks) })
	r.state.Store(s)
	for _, n := range tournament.Want(s).Notices {
		r.seen[n.Key] = true // it has been shown before
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil
	}
	ts.mu.Lock()
	known := ts.byID[s.ID]
	if known == nil {
		ts.byID[s.ID] = r
		ts.enterLocked(r, &tournament.State{}, s)
	}
	ts.mu.Unlock()
	if known != nil {
		return known
	}
	signal(ts.added)
	l.lists.tournamentsChanged()
	l.wg.Go(func() {
		defer guard.Recover(l.report.PanicIn("tournament " + s.ID))
		r.run(l.ctx)
	})
	return r
}

// enterLocked adds and removes the users whose tournament it has become and is no longer. The caller holds ts.mu.
func (ts *Tournaments) enterLocked(r *tournamentRunner, before, after *tournament.State) {
	in := make(map[account.ID]bool, len(after.Players))
	for i := range after.Players {
		in[after.Players[i].User] = true
	}
	for i := range before.Players {
		if id := before.Players[i].User; !in[id] {
			ts.leaveLocked(r, id)
		} else {
			delete(in, id)
		}
	}
	for id := range in {
		ts.byUser[id] = append(slices.Clip(ts.byUser[id]), r)
	}
}

func (ts *Tournaments) leaveLocked(r *tournamentRunner, id account.ID) {
	left := slices.DeleteFunc(slices.Clone(ts.byUser[id]), func(o *tournamentRunner) bool { return o == r })
	if ts.byUser[id] = left; len(left) == 0 {
		delete(ts.byUser, id)
	}
}

// forget removes a tournament from memory, and users who were there only for it.
func (ts *Tournaments) forget(r *tournamentRunner) {
	s := r.state.Load()
	ts.mu.Lock()
	delete(ts.byID, r.id)
	ts.enterLocked(r, s, &tournament.State{})
	ts.mu.Unlock()
	ts.l.chats.forget(&r.chat)
	ts.l.mu.Lock()
	defer ts.l.mu.Unlock()
	for i := range s.Players {
		if u := ts.l.users.byID[s.Players[i].User]; u != nil {
			ts.l.dropUser(u)
		}
	}
}

// watch looks every second at what other nodes have recorded, and at who may no longer play, until the lobby closes. A single node
// without tournaments has nothing to look at.
func (ts *Tournaments) watch() {
	tick := time.NewTimer(tournamentPoll)
	defer tick.Stop()
	for {
		select {
		case <-ts.l.ctx.Done():
			return
		case <-ts.added:
		case <-tick.C:
			ts.l.report.RecoverPanic("watch tournaments", ts.look)
		}
		if ts.l.node != nil || len(ts.runners()) > 0 {
			tick.Reset(tournamentPoll)
		}
	}
}

func (ts *Tournaments) look() {
	if ts.l.node != nil {
		ctx, cancel := context.WithTimeout(ts.l.ctx, storeTimeout)
		defer cancel()
		_ = ts.follow(ctx) // which reports its errors
	}
	for _, r := range ts.runners() {
		if len(ts.excluded(r.state.Load())) > 0 {
			signal(r.checks)
		}
	}
}

// excluded returns the inputs that take players out who may no longer play.
func (ts *Tournaments) excluded(s *tournament.State) (all []tournament.Input) {
	if s.IsOver() {
		return nil
	}
	l := ts.l
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range s.Players {
		p := &s.Players[i]
		if !p.IsIn() {
			continue
		}
		var a account.Account
		if u := l.users.byID[p.User]; u != nil {
			a = u.Account()
		}
		_, isDeleted := l.Accounts.deleted[p.User]
		if in, isOut := ts.exclusion(s, p, isDeleted || a.IsDeleted(), a.Bot); isOut {
			all = append(all, in)
		}
	}
	return all
}

// exclusion returns the input that takes a player out who may no longer play. Of users who are not in memory, accounts are looked at
// when their game begins (startGame).
func (ts *Tournaments) exclusion(s *tournament.State, p *tournament.Player, isDeleted, isBot bool) (in tournament.Input, isOut bool) {
	switch {
	case ts.isBanned != nil && ts.isBanned(p.User):
		return tournament.Input{Kind: tournament.InputBan, User: p.User}, true
	case isDeleted:
		return tournament.Input{Kind: tournament.InputWithdraw, By: p.User}, true
	case isBot && !p.Bot && !s.Terms.Bots:
		return tournament.Input{Kind: tournament.InputBecameBot, User: p.User}, true
	}
	return in, false
}

// ShareAddress reports whether two of the users are connected from one origin now (limit.Origin).
func (ts *Tournaments) ShareAddress(ids ...account.ID) bool {
	l := ts.l
	l.mu.Lock()
	defer l.mu.Unlock()
	var here []*user
	for _, id := range ids {
		if u := l.users.byID[id]; u != nil {
			here = append(here, u)
		}
	}
	return sameOrigin(here)
}

// changed wakes the users to whom a change of a tournament matters, and shows new notices to those who are here.
func (ts *Tournaments) changed(r *tournamentRunner, before, after *tournament.State) {
	ts.mu.Lock()
	ts.enterLocked(r, before, after)
	for _, n := range tournament.Want(after).Notices {
		if r.seen[n.Key] {
			continue
		}
		r.seen[n.Key] = true
		ts.lastNotice++
		kept := ts.notices[n.User]
		kept = kept[max(len(kept)+1-tournamentNoticesKept, 0):]
		ts.notices[n.User] = append(slices.Clip(kept), SeenNotice{ts.lastNotice, after.ID, after.Terms.Name, n})
	}
	ts.mu.Unlock()
	ts.revision.Add(1)
	if before.Version > 0 && !isListedAlike(before, after) { // add marks a new one
		ts.l.lists.tournamentsChanged()
	}
	ts.wake(after)
}

// wake wakes the players of a tournament, those who were taken out, and the sessions that follow it.
func (ts *Tournaments) wake(s *tournament.State) {
	l := ts.l
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range s.Removed {
		if u := l.users.byID[s.Removed[i].User]; u != nil {
			u.wake()
		}
	}
	for i := range s.Players {
		if u := l.users.byID[s.Players[i].User]; u != nil {
			u.wake()
		}
	}
	for session := range l.sessions {
		if f := session.tournament.Load(); f != nil && f.id == s.ID {
			session.wake()
		}
	}
}

// FollowTournament has the session woken when a tournament changes, beside those that its user has entered; "": none.
func (s *Session) FollowTournament(id string) {
	if f := s.tournament.Load(); f != nil && f.id == id {
		return
	}
	f := &followedTournament{id: id}
	if room := s.l.Tournaments.Chat(id); room != nil {
		f.chat = room.Last()
	}
	s.tournament.Store(f)
}

// followedTournament is the tournament that a session follows.
type followedTournament struct {
	id   string
	chat uint64 // Seq of the last line of its room when the session began to follow it
}

// FollowedTournament returns the tournament of FollowTournament, and the Seq of the last line of its room at that time.
func (s *Session) FollowedTournament() (id string, chat uint64) {
	if f := s.tournament.Load(); f != nil {
		return f.id, f.chat
	}
	return "", 0
}

// TournamentNotices returns the notices to the user with a Seq above seq, oldest first. The slice is shared and must not be
// changed.
func (s *Session) TournamentNotices(seq uint64) []SeenNotice {
	ts := &s.l.Tournaments
	ts.mu.Lock()
	defer ts.mu.Unlock()
	all := ts.notices[s.Account().ID]
	for len(all) > 0 && all[0].Seq <= seq {
		all = all[1:]
	}
	return all
}

// LastNotice returns the Seq of the newest notice to any user.
func (ts *Tournaments) LastNotice() uint64 {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	return ts.lastNotice
}
