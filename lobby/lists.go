package lobby

import (
	"cmp"
	"maps"
	"reflect"
	"slices"
	"sync/atomic"
	"time"
)

// A change of the lists is displayed at once, and further changes after an interval that grows with the
// number of sessions that display them. Turns of matches, which change the lists all the time, are
// displayed at most once a second.
const (
	minNotifyInterval        = 100 * time.Millisecond
	notifyIntervalPerSession = time.Millisecond // for each session that displays the lists
	maxNotifyInterval        = time.Second      // the upper bound
)

// Sessions are woken in batches with pauses, so that a turn does not wait until thousands of sessions have
// drawn their lists.
const (
	wakeBatch      = 128
	wakeBatchPause = 20 * time.Millisecond
)

// View is an immutable state of the lobby's lists, shared by all sessions.
type View struct {
	Revision uint64
	Builds   uint64          // number of Views the lobby has built, including this one
	Tables   []*Table        // open tables, oldest first; private ones and challenges included
	Matches  []*MatchListing // running public matches, newest first
	Users    []UserListing   // users with a session on any node, by name
	Featured string          // the id of the match to show first; empty if there is none

	// The first Revisions with these Tables, Matches and Featured, and with these Users.
	RowsRevision, UsersRevision uint64

	order   []*user              // all users, by name
	playing map[AccountID]string // the public match that each account plays
}

// The upper half of lists.changes counts changes of users, their names and tables; the lower half counts
// turns.
const usersChange = 1 << 32

// sameUsers reports whether two values of lists.changes have the same tables, users and names.
func sameUsers(a, b uint64) bool { return a/usersChange == b/usersChange }

// MatchListing is a running match in the lists.
type MatchListing struct {
	ID         string
	Info       *MatchInfo
	Turn       int // the seat to move
	Turns      int
	Version    int
	LastAt     time.Time // time of the last turn, or of the start
	Spectators int
	Strength   float64 // mean rating of the seats
	Interest   Interest
}

// UserListing is a user in the lists.
type UserListing struct {
	ID      AccountID
	Name    string
	Bot     bool
	Ratings map[string]Rating
	Match   string // the id of a running public match in which the user plays, or empty
}

// TablesFor returns the tables that an account may see: the public ones of users who have not blocked it,
// and those that concern it.
func (v *View) TablesFor(id AccountID) []*Table {
	var visible []*Table
	for _, t := range v.Tables {
		if t.Concerns(id) || t.To == "" && !t.Private && !t.HasBlocked(id) {
			visible = append(visible, t)
		}
	}
	return visible
}

// HasPersonal reports whether the lists differ for the account: it plays a match, a table concerns it, or
// an owner has blocked it.
func (v *View) HasPersonal(id AccountID) bool {
	if v.playing[id] != "" {
		return true
	}
	return slices.ContainsFunc(v.Tables, func(t *Table) bool { return t.Concerns(id) || t.HasBlocked(id) })
}

// lists builds the lists of the lobby and wakes the sessions that display them. Its methods may be called
// from any goroutine after init.
type lists struct {
	l           *Lobby
	changes     atomic.Uint64 // revision of the lists, copied to View.Revision
	listSignal  chan struct{}
	matchSignal chan struct{}
	view        atomic.Pointer[View]
	featured    string // the id of the featured match; guarded by Lobby.mu
}

func (li *lists) init(l *Lobby) {
	li.l, li.listSignal, li.matchSignal = l, make(chan struct{}, 1), make(chan struct{}, 1)
	li.view.Store(&View{})
}

// View returns the newest state of the lists. After a turn of any match it builds a new View, which takes
// time for each match, so a caller that needs only the tables checks UsersRevision first. It may be called
// from any goroutine without locks.
func (l *Lobby) View() *View {
	if v := l.lists.view.Load(); v.Revision == l.lists.changes.Load() {
		return v
	}
	return l.lists.rebuild()
}

// UsersRevision counts changes of users and open tables, but not turns of matches. The tables of a View
// that was taken after this count are current as long as the count stays the same.
func (l *Lobby) UsersRevision() uint64 { return l.lists.changes.Load() / usersChange }

// changed marks the lists as changed, to be displayed soon. It never blocks.
func (li *lists) changed() {
	li.changes.Add(usersChange)
	signal(li.listSignal)
}

// matchChanged marks a match in the lists as changed, to be displayed within a second. It never blocks.
func (li *lists) matchChanged() {
	li.changes.Add(1)
	signal(li.matchSignal)
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
	pause := time.NewTimer(0)
	defer pause.Stop()
	for {
		select {
		case <-li.l.ctx.Done():
			return
		case <-li.listSignal:
		case <-li.matchSignal:
			pause.Reset(maxNotifyInterval)
			select {
			case <-li.l.ctx.Done():
				return
			case <-li.listSignal:
			case <-pause.C:
			}
		}
		listeners := 0
		li.l.report.recoverPanic("notify lists", func() { listeners = li.wakeListeners() })
		pause.Reset(min(max(minNotifyInterval, time.Duration(listeners)*notifyIntervalPerSession), maxNotifyInterval))
		select {
		case <-li.l.ctx.Done():
			return
		case <-pause.C:
		}
	}
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
	v := &View{Revision: li.changes.Load(), Builds: old.Builds + 1}
	if v.Revision == old.Revision {
		return old
	}
	same := sameUsers(v.Revision, old.Revision)
	if v.Tables = old.Tables; !same {
		v.Tables = tableHost{l}.open()
	}
	v.playing = make(map[AccountID]string)
	for _, m := range l.matches.byID {
		s := m.Snapshot()
		if s.IsOver() || s.Frozen || m.Info.Private {
			continue
		}
		for _, seat := range m.Info.Seats {
			v.playing[seat.Account] = m.Info.ID
		}
		v.Matches = append(v.Matches, m.listing(s))
	}
	slices.SortFunc(v.Matches, func(a, b *MatchListing) int {
		return cmp.Or(b.Info.Started.Compare(a.Info.Started), cmp.Compare(a.ID, b.ID))
	})
	if v.order = old.order; !same {
		v.order = l.users.sortByName(old.order)
	}
	if v.Users, v.UsersRevision = old.Users, old.UsersRevision; !same || !maps.Equal(v.playing, old.playing) {
		v.Users, v.UsersRevision = v.onlineUsers(), v.Revision
	}
	v.Featured = li.chooseFeatured(v.Matches)
	if v.RowsRevision = v.Revision; v.hasRowsOf(old) {
		v.RowsRevision = old.RowsRevision
	}
	li.view.Store(v)
	return v
}

// hasRowsOf reports whether the tables and matches are those of old, so that an arrival does not make all sessions
// draw them again.
func (v *View) hasRowsOf(old *View) bool {
	return v.Featured == old.Featured && slices.EqualFunc(v.Matches, old.Matches, func(a, b *MatchListing) bool { return *a == *b }) &&
		(len(v.Tables) == 0 && len(old.Tables) == 0 || reflect.DeepEqual(v.Tables, old.Tables))
}

// onlineUsers returns those in v.order who are present.
func (v *View) onlineUsers() []UserListing {
	all := make([]UserListing, 0, len(v.order))
	for _, u := range v.order {
		if !u.absence().IsPresent() {
			continue
		}
		a := u.account.Load()
		all = append(all, UserListing{ID: a.ID, Name: a.Name, Bot: a.Bot, Ratings: a.Ratings, Match: v.playing[a.ID]})
	}
	return all
}

func (m *Match) listing(s *Snapshot) *MatchListing {
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
func strength(s Seat) float64 {
	if s.Rating == nil {
		return 1000
	}
	return s.Rating.Value
}

// chooseFeatured returns the match to show first: of the highest interest, and among those the one shown so far,
// or else the strongest, or else the one with the latest turn. Matches whose players are away are never shown
// first. The caller holds Lobby.mu.
func (li *lists) chooseFeatured(matches []*MatchListing) string {
	better := func(a, b *MatchListing) int {
		return cmp.Or(cmp.Compare(a.Interest, b.Interest), compareBool(a.ID == li.featured, b.ID == li.featured),
			cmp.Compare(a.Strength, b.Strength), a.LastAt.Compare(b.LastAt))
	}
	choice := ""
	if len(matches) > 0 {
		if best := slices.MaxFunc(matches, better); best.Interest > InterestNone {
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
func (v *View) WatchableBy(id AccountID) []*MatchListing {
	var featured, people, others []*MatchListing
	for _, m := range v.Matches {
		switch {
		case m.Info.HasPlayer(id) || m.Interest == InterestNone:
		case m.ID == v.Featured:
			featured = append(featured, m)
		case m.Interest == InterestPeople:
			people = append(people, m)
		default:
			others = append(others, m)
		}
	}
	return slices.Concat(featured, people, others)
}
