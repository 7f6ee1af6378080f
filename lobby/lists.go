package lobby

import (
	"cmp"
	"reflect"
	"slices"
	"sync/atomic"
	"time"

	"ayumu/lobby/account"
	"ayumu/lobby/match"
	"ayumu/lobby/table"
)

// A change of the lists is displayed at once, and further changes after an interval that grows with the
// number of sessions that display them, so that arrivals take a bounded share of the server's time. Turns of
// matches, which change the lists all the time, are displayed at most once a second.
const (
	minNotifyInterval        = 100 * time.Millisecond
	notifyIntervalPerSession = time.Millisecond // for each session that displays the lists
	maxNotifyInterval        = time.Second      // the upper bound
	maxSlowInterval          = 2 * time.Second  // that of users who come and go, and of turns
)

// Sessions are woken in batches with pauses, so that a turn does not wait until thousands of sessions have
// drawn their lists.
const (
	wakeBatch      = 128
	wakeBatchPause = 20 * time.Millisecond
)

// View is an immutable state of the lobby's lists, shared by all sessions.
type View struct {
	TableList
	Revision uint64
	Builds   uint64          // number of Views the lobby has built, including this one
	Matches  []*MatchListing // running public matches, newest first
	Users    UserList        // users with a session on any node
	Featured string          // the id of the match to show first; empty if there is none
	// Tournaments are those that are open or running, first those whose check-in is open, then the running ones, and then by
	// their start.
	Tournaments []*TournamentListing

	// Views with the same RowsRevision have the same Tables, Matches, Featured and Tournaments; with the same UsersRevision,
	// the same Users.
	RowsRevision, UsersRevision uint64

	matchesRevision     uint64                // of lists.matchChanges
	tournamentsRevision uint64                // of lists.tournamentChanges
	playing             map[account.ID]string // the newest public match that each account plays
}

// MatchListing is a running match in the lists.
type MatchListing struct {
	ID         string
	Info       *match.Info
	Turn       int // the seat to move
	Turns      int
	Version    int
	LastAt     time.Time // time of the last turn, or of the start
	Spectators int
	Strength   float64 // mean rating of the seats
	Interest   match.Interest
}

// TableList is an immutable state of the open tables.
type TableList struct {
	Tables         []*table.View // oldest first; private ones and challenges included
	TablesRevision uint64        // another one after each change
}

// TablesFor returns the tables that an account may see: the public ones of users who have not blocked it, and
// those that concern it.
func (l *TableList) TablesFor(id account.ID) []*table.View {
	var visible []*table.View
	for _, t := range l.Tables {
		if t.Concerns(id) || t.To == "" && !t.Private && !t.HasBlocked(id) {
			visible = append(visible, t)
		}
	}
	return visible
}

// HasPersonal reports whether the lists differ for the account: it plays a match, a table concerns it, or
// an owner has blocked it.
func (v *View) HasPersonal(id account.ID) bool {
	if v.playing[id] != "" {
		return true
	}
	return slices.ContainsFunc(v.Tables, func(t *table.View) bool { return t.Concerns(id) || t.HasBlocked(id) })
}

// MatchPlayedBy returns the id of the public match that a user who is online plays; "" if there is none. name is the last
// name of the user that the caller knows.
func (v *View) MatchPlayedBy(id account.ID, name string) string {
	if v.playing[id] == "" {
		return ""
	}
	if i := v.Users.Index(id, name); i >= 0 {
		return v.Users.At(i).Match
	}
	return ""
}

// lists builds the lists of the lobby and wakes the sessions that display them. Its methods may be called
// from any goroutine after init.
type lists struct {
	l            *Lobby
	changes      atomic.Uint64 // of the lists, copied to View.Revision; it counts after those of tables and matches
	tableChanges atomic.Uint64 // of open tables, or of the names of users at them
	matchChanges atomic.Uint64
	// tournamentChanges counts what View.Tournaments shows of tournaments.
	tournamentChanges atomic.Uint64

	listSignal, usersSignal, matchSignal chan struct{} // each with room for one
	view                                 atomic.Pointer[View]
	tableList                            atomic.Pointer[TableList]

	// Guarded by Lobby.mu.
	users         UserList              // those who are present
	usersRevision uint64                // number of changes of users
	playing       map[account.ID]string // the newest public match that each account plays
	featured      string                // the id of the featured match
}

func (li *lists) init(l *Lobby) {
	li.l, li.listSignal, li.usersSignal, li.matchSignal = l, make(chan struct{}, 1), make(chan struct{}, 1), make(chan struct{}, 1)
	li.view.Store(&View{})
	li.tableList.Store(&TableList{})
}

// View returns the newest state of the lists. After a turn of any match it builds a new View, which takes
// time for each match, so a caller that needs only the tables calls TableList. It may be called from any
// goroutine without locks.
func (l *Lobby) View() *View {
	if v := l.lists.view.Load(); v.Revision == l.lists.changes.Load() {
		return v
	}
	return l.lists.rebuild()
}

// TableList returns the newest state of the open tables. It may be called from any goroutine without locks.
func (l *Lobby) TableList() *TableList {
	if list := l.lists.tableList.Load(); list.TablesRevision == l.lists.tableChanges.Load() {
		return list
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.lists.rebuildTables()
}

// rebuildTables builds the newest TableList, unless another session has done so since the last change. The caller holds
// Lobby.mu.
func (li *lists) rebuildTables() *TableList {
	list := li.tableList.Load()
	if revision := li.tableChanges.Load(); revision != list.TablesRevision {
		list = &TableList{TablesRevision: revision}
		for _, t := range li.l.tables.Open() {
			list.Tables = append(list.Tables, table.NewView(t, li.l.listedUser))
		}
		li.tableList.Store(list)
	}
	return list
}

// tablesChanged marks the open tables as changed, to be displayed soon. It never blocks.
func (li *lists) tablesChanged() {
	li.tableChanges.Add(1)
	li.changes.Add(1)
	signal(li.listSignal)
}

// matchStarted marks the matches as changed, to be displayed soon. It never blocks.
func (li *lists) matchStarted() {
	li.matchChanges.Add(1)
	li.changes.Add(1)
	signal(li.listSignal)
}

// tournamentsChanged marks the tournaments as changed, to be displayed soon. It never blocks.
func (li *lists) tournamentsChanged() {
	li.tournamentChanges.Add(1)
	li.changes.Add(1)
	signal(li.listSignal)
}

// matchChanged marks a match in the lists as changed, to be displayed within seconds. It never blocks.
func (li *lists) matchChanged() {
	li.matchChanges.Add(1)
	li.changes.Add(1)
	signal(li.matchSignal)
}

// chatChanged has a new line of the lobby's chat displayed soon. It never blocks.
func (li *lists) chatChanged() { signal(li.listSignal) }

// userChanged updates the listing of a user, whose presence or account may have changed, to be displayed soon. The
// caller holds Lobby.mu. It never blocks.
func (li *lists) userChanged(u *user) {
	if li.list(u) {
		li.changes.Add(1)
		signal(li.usersSignal)
	}
}

// list updates the listing of a user, and reports whether it has changed. The caller holds Lobby.mu.
func (li *lists) list(u *user) (changed bool) {
	var now *UserListing
	if u.absence().IsPresent() {
		a := u.account.Load()
		now = newUserListing(*a, li.playing[a.ID])
	}
	if now.Equal(u.listed) {
		return false
	}
	li.users = li.users.Replace(u.listed, now)
	li.usersRevision++
	u.listed = now
	return true
}

// user returns the user of that name, ignoring case, who is present; nil if there is none. The caller holds Lobby.mu.
func (li *lists) user(name string) *user {
	if listed := li.users.Named(name); listed != nil {
		return li.l.users.byID[listed.ID]
	}
	return nil
}

// accountChanged updates what the lists have of a user whose account has changed. The caller does not hold Lobby.mu.
func (li *lists) accountChanged(u *user) {
	li.l.mu.Lock()
	li.userChanged(u)
	li.l.mu.Unlock()
	li.tablesChanged()
}

// signal sends a signal on a channel with room for one, unless it has one. It never blocks.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// notify wakes the sessions that display the lists when they have changed, until the lobby closes.
func (li *lists) notify() {
	wake := time.NewTimer(time.Hour)
	wake.Stop()
	listeners := 0
	var last, due time.Time // when sessions were woken, and when they will be; the zero time: no change is waiting
	for {
		var at time.Time
		select {
		case <-li.l.ctx.Done():
			return
		case <-li.listSignal:
			at = last.Add(notifyInterval(listeners, maxNotifyInterval))
		case <-li.usersSignal:
			at = last.Add(notifyInterval(listeners, maxSlowInterval))
		case <-li.matchSignal:
			at = time.Now().Add(min(maxNotifyInterval+notifyInterval(listeners, maxSlowInterval), maxSlowInterval))
		case <-wake.C:
			li.l.report.RecoverPanic("notify lists", func() { listeners = li.wakeListeners() })
			last, due = time.Now(), time.Time{}
			continue
		}
		if due.IsZero() || at.Before(due) {
			due = at
			wake.Reset(time.Until(due))
		}
	}
}

// notifyInterval returns the time between two wakes of a number of sessions, of at most longest.
func notifyInterval(listeners int, longest time.Duration) time.Duration {
	return min(max(minNotifyInterval, time.Duration(listeners)*notifyIntervalPerSession), longest)
}

// wakeListeners wakes the sessions that display the lists, and returns their number.
func (li *lists) wakeListeners() int {
	listeners := li.listeners()
	for i, s := range listeners {
		if i > 0 && i%wakeBatch == 0 {
			select {
			case <-li.l.ctx.Done():
				return len(listeners)
			case <-time.After(wakeBatchPause):
			}
		}
		s.wake()
	}
	return len(listeners)
}

func (li *lists) listeners() (all []*Session) {
	l := li.l
	l.mu.Lock()
	defer l.mu.Unlock()
	for s := range l.sessions {
		if !s.ignoresLists.Load() {
			all = append(all, s)
		}
	}
	return all
}

// rebuild builds the newest View, unless another session has done so since the last change.
func (li *lists) rebuild() *View {
	l := li.l
	l.mu.Lock()
	defer l.mu.Unlock()
	old := li.view.Load()
	v := *old
	if v.Revision = li.changes.Load(); v.Revision == old.Revision {
		return old
	}
	v.Builds++
	v.TableList = *li.rebuildTables()
	if v.matchesRevision = li.matchChanges.Load(); v.matchesRevision != old.matchesRevision {
		v.Matches, v.playing = li.runningMatches()
		v.Featured = li.chooseFeatured(v.Matches)
	}
	if v.tournamentsRevision = li.tournamentChanges.Load(); v.tournamentsRevision != old.tournamentsRevision {
		v.Tournaments = l.Tournaments.listed()
	}
	if !v.hasSameRows(old) {
		v.RowsRevision = v.Revision
	}
	v.Users, v.UsersRevision = li.users, li.usersRevision
	li.view.Store(&v)
	return &v
}

// runningMatches returns the running public matches, newest first, and the newest one that each account plays. It
// updates the listings of users who have begun or ended one. The caller holds Lobby.mu.
func (li *lists) runningMatches() (all []*MatchListing, playing map[account.ID]string) {
	for _, m := range li.l.matches.byID {
		if s := m.Snapshot(); !s.IsOver() && !s.Frozen && !m.Info.Private {
			all = append(all, m.listing(s))
		}
	}
	slices.SortFunc(all, func(a, b *MatchListing) int {
		return cmp.Or(b.Info.Started.Compare(a.Info.Started), cmp.Compare(a.ID, b.ID))
	})
	playing = make(map[account.ID]string)
	for _, m := range slices.Backward(all) {
		for _, seat := range m.Info.Seats {
			playing[seat.Account] = m.ID
		}
	}
	before := li.playing
	li.playing = playing
	for _, matches := range []map[account.ID]string{before, playing} {
		for id := range matches {
			if u := li.l.users.byID[id]; u != nil && before[id] != playing[id] {
				li.list(u)
			}
		}
	}
	return all, playing
}

// hasSameRows reports whether the view has the tables, matches, featured match and tournaments of old, so that sessions need not draw
// them again.
func (v *View) hasSameRows(old *View) bool {
	sameMatches := v.matchesRevision == old.matchesRevision ||
		v.Featured == old.Featured && slices.EqualFunc(v.Matches, old.Matches, func(a, b *MatchListing) bool { return *a == *b })
	sameTables := v.TablesRevision == old.TablesRevision ||
		len(v.Tables) == 0 && len(old.Tables) == 0 || reflect.DeepEqual(v.Tables, old.Tables)
	return sameMatches && sameTables && v.tournamentsRevision == old.tournamentsRevision
}

func (m *Match) listing(s *match.Snapshot) *MatchListing {
	listing := &MatchListing{
		ID: m.Info.ID, Info: m.Info, Turn: s.Position.Turn(), Turns: s.Turns, Version: s.Version,
		LastAt: s.LastAt, Spectators: m.SpectatorCount(), Interest: s.Interest(),
	}
	for _, seat := range m.Info.Seats {
		listing.Strength += strength(seat) / float64(len(m.Info.Seats))
	}
	return listing
}

// strength returns the rating that a seat counts for in the choice of the featured match: a guest counts
// less than an average account.
func strength(s match.Seat) float64 {
	if s.Rating == nil {
		return 1000
	}
	return s.Rating.Value
}

// chooseFeatured returns the match to show first: of the highest interest, and among those a live one, then the one
// shown so far, or else the strongest, or else the one with the latest turn. Matches whose players are away are never shown
// first. The caller holds Lobby.mu.
func (li *lists) chooseFeatured(matches []*MatchListing) string {
	better := func(a, b *MatchListing) int {
		return cmp.Or(cmp.Compare(a.Interest, b.Interest), compareBool(a.Info.Control.IsLive(), b.Info.Control.IsLive()), compareBool(a.ID == li.featured, b.ID == li.featured),
			cmp.Compare(a.Strength, b.Strength), a.LastAt.Compare(b.LastAt))
	}
	choice := ""
	if len(matches) > 0 {
		if best := slices.MaxFunc(matches, better); best.Interest > match.InterestNone {
			choice = best.ID
		}
	}
	li.featured = choice
	return choice
}

// compareBool orders false before true.
func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// WatchableBy returns the matches to offer to an account for watching: those of others, without matches whose
// players are all away. The featured match is first; then come matches between people, and then the others, each
// with the newest first.
func (v *View) WatchableBy(id account.ID) []*MatchListing {
	var featured, people, others []*MatchListing
	for _, m := range v.Matches {
		switch {
		case m.Info.HasPlayer(id) || m.Interest == match.InterestNone:
		case m.ID == v.Featured:
			featured = append(featured, m)
		case m.Interest == match.InterestPeople:
			people = append(people, m)
		default:
			others = append(others, m)
		}
	}
	return slices.Concat(featured, people, others)
}
