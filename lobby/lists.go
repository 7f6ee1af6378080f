package lobby

import (
	"cmp"
	"maps"
	"slices"
	"strings"
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
	Users    []UserListing   // users with a session, by name
	Featured string          // the id of the match to show first; empty if there is none

	order   []*user              // all users, by name
	playing map[AccountID]string // the public match that each account plays
}

// The upper half of Lobby.changes counts changes of users, their names and tables; the lower half counts
// turns.
const usersChange = 1 << 32

// sameUsers reports whether two values of Lobby.changes have the same tables, users and names.
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
		if t.Concerns(id) || t.To == "" && !t.Private && !t.hasBlocked(id) {
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
	return slices.ContainsFunc(v.Tables, func(t *Table) bool { return t.Concerns(id) || t.hasBlocked(id) })
}

// View returns the newest state of the lists. After a turn of any match it builds a new View, which takes
// time for each match, so a caller that needs only the tables checks UsersRevision first. It may be called
// from any goroutine without locks.
func (l *Lobby) View() *View {
	if v := l.view.Load(); v.Revision == l.changes.Load() {
		return v
	}
	return l.rebuildView()
}

// UsersRevision counts changes of users and open tables, but not turns of matches. The tables of a View
// that was taken after this count are current as long as the count stays the same.
func (l *Lobby) UsersRevision() uint64 { return l.changes.Load() / usersChange }

// listsChanged marks the lists as changed and wakes notifyLists. It never blocks.
func (l *Lobby) listsChanged() {
	l.changes.Add(usersChange)
	signal(l.listSignal)
}

// matchChanged marks a match in the lists as changed, to be displayed within a second. It never blocks.
func (l *Lobby) matchChanged() {
	l.changes.Add(1)
	signal(l.matchSignal)
}

func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// notifyLists wakes the sessions that display the lists when they have changed, until the lobby closes.
func (l *Lobby) notifyLists() {
	pause := time.NewTimer(0)
	defer pause.Stop()
	for {
		select {
		case <-l.ctx.Done():
			return
		case <-l.listSignal:
		case <-l.matchSignal:
			pause.Reset(maxNotifyInterval)
			select {
			case <-l.ctx.Done():
				return
			case <-l.listSignal:
			case <-pause.C:
			}
		}
		listeners := 0
		l.recoverPanic("notify lists", func() { listeners = l.wakeListeners() })
		pause.Reset(min(max(minNotifyInterval, time.Duration(listeners)*notifyIntervalPerSession), maxNotifyInterval))
		select {
		case <-l.ctx.Done():
			return
		case <-pause.C:
		}
	}
}

// wakeListeners wakes the sessions that display the lists, and returns their number.
func (l *Lobby) wakeListeners() int {
	listeners := l.listeners()
	for i, s := range listeners {
		if i > 0 && i%wakeBatch == 0 {
			select {
			case <-l.ctx.Done():
				return len(listeners)
			case <-time.After(wakeBatchPause):
			}
		}
		s.wake()
	}
	return len(listeners)
}

func (l *Lobby) listeners() (all []*Session) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for s := range l.sessions {
		if !s.ignoresLists.Load() {
			all = append(all, s)
		}
	}
	return all
}

// rebuildView builds the newest View, unless another session has done so since the last change.
func (l *Lobby) rebuildView() *View {
	l.mu.Lock()
	defer l.mu.Unlock()
	old := l.view.Load()
	v := &View{Revision: l.changes.Load(), Builds: old.Builds + 1}
	if v.Revision == old.Revision {
		return old
	}
	same := sameUsers(v.Revision, old.Revision)
	if v.Tables = old.Tables; !same {
		v.Tables = l.tables.open()
	}
	v.playing = make(map[AccountID]string)
	for _, m := range l.matches {
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
		v.order = l.usersByName(old.order)
	}
	if v.Users = old.Users; !same || !maps.Equal(v.playing, old.playing) {
		v.Users = v.onlineUsers()
	}
	v.Featured = l.chooseFeatured(v.Matches)
	l.view.Store(v)
	return v
}

// onlineUsers returns those in v.order who have a session.
func (v *View) onlineUsers() []UserListing {
	all := make([]UserListing, 0, len(v.order))
	for _, p := range v.order {
		if since, _ := p.absent(); !since.IsZero() {
			continue
		}
		a := p.account.Load()
		all = append(all, UserListing{ID: a.ID, Name: a.Name, Bot: a.Bot, Ratings: a.Ratings, Match: v.playing[a.ID]})
	}
	return all
}

// usersByName returns all users by name. It starts with the previous order, in which few users are out of
// place, so that sorting takes little time. The caller holds l.mu.
func (l *Lobby) usersByName(before []*user) []*user {
	all := make([]*user, 0, len(l.users))
	for _, p := range before {
		if l.users[p.account.Load().ID] == p {
			all = append(all, p)
		}
	}
	if len(all) < len(l.users) {
		for _, p := range l.users {
			if !p.listed {
				p.listed = true
				all = append(all, p)
			}
		}
	}
	for _, p := range all {
		p.updateNameKey()
	}
	slices.SortFunc(all, func(a, b *user) int { return cmp.Compare(a.nameKey, b.nameKey) })
	return all
}

// updateNameKey updates the key by which the user is sorted. The caller holds Lobby.mu.
func (p *user) updateNameKey() {
	if a := p.account.Load(); p.nameKeyOf != a {
		p.nameKeyOf, p.nameKey = a, strings.ToLower(a.Name)
	}
}

func (m *Match) listing(s *Snapshot) *MatchListing {
	li := &MatchListing{
		ID: m.Info.ID, Info: m.Info, Turn: s.Position.Turn(), Turns: s.Turns, Version: s.Version,
		LastAt: s.LastAt, Spectators: m.SpectatorCount(),
	}
	for _, seat := range m.Info.Seats {
		li.Strength += strength(seat) / float64(len(m.Info.Seats))
	}
	return li
}

// strength returns the rating that a seat counts for in the choice of the featured match: a guest counts
// less than an average account.
func strength(s Seat) float64 {
	if s.Rating == nil {
		return 1000
	}
	return s.Rating.Value
}

// chooseFeatured returns the match to show first: the strongest, until it ends. The caller holds l.mu.
func (l *Lobby) chooseFeatured(matches []*MatchListing) string {
	best := -1.0
	choice := ""
	for _, m := range matches {
		if m.ID == l.featured {
			return m.ID
		}
		if m.Strength > best {
			best, choice = m.Strength, m.ID
		}
	}
	l.featured = choice
	return choice
}
