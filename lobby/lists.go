package lobby

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"ayumu/engine"
)

// How soon a change of the lists is shown: at once, then no more often than this, and less often
// the more sessions have to be shown it; the turns of matches, which change the lists all the time,
// at most once a second.
const (
	minNotifyInterval        = 100 * time.Millisecond
	notifyIntervalPerSession = time.Millisecond // for each session
	maxNotifyInterval        = time.Second      // the longest
)

// So many sessions are woken together, then the others get a moment, so that a turn need not wait
// until thousands have drawn their lists.
const (
	wakeBatch      = 128
	wakeBatchPause = 20 * time.Millisecond
)

// View is one state of the lobby's lists: immutable, shared by all sessions.
type View struct {
	Revision uint64
	Builds   uint64          // how many Views the lobby has made, this one included
	Tables   []*Table        // open ones, oldest first; private ones and challenges included
	Matches  []*MatchListing // public ones that go on, newest first
	Users    []UserListing   // who is here, by name
	Featured string          // the match to show first; empty if there is none

	order   []*user              // who may be here, by name
	playing map[AccountID]string // in which public match
}

// The counter of changes counts in its upper half what may change who is here and how he is called.
const usersChange = 1 << 32

// sameUsers reports whether two states of the counter have the same tables, and the same people
// with the same names.
func sameUsers(a, b uint64) bool { return a/usersChange == b/usersChange }

// MatchListing is a running match in a list.
type MatchListing struct {
	ID         string
	Info       *MatchInfo
	Turn       int // the seat to move
	Turns      int
	Version    int
	LastAt     time.Time // of the last turn, or of the start
	Spectators int
	Strength   float64 // mean rating of the seats
}

// UserListing is somebody who is here.
type UserListing struct {
	ID      AccountID
	Name    string
	Bot     bool
	Ratings map[string]Rating
	Match   string // a public match that he plays and that goes on, or empty
}

// TablesFor returns the tables that somebody may see: the public ones, and those that concern him.
func (v *View) TablesFor(id AccountID) []*Table {
	var seen []*Table
	for _, t := range v.Tables {
		if t.Concerns(id) || t.To == "" && !t.Private && !t.hasBlocked(id) {
			seen = append(seen, t)
		}
	}
	return seen
}

// HasPersonal reports whether the lists hold something that is there for somebody alone, or not there
// for him: a table or a match of his, a challenge, a table of somebody who does not want to meet him.
func (v *View) HasPersonal(id AccountID) bool {
	if v.playing[id] != "" {
		return true
	}
	return slices.ContainsFunc(v.Tables, func(t *Table) bool { return t.Concerns(id) || t.hasBlocked(id) })
}

// Title describes what is played: "Ayu 11×11, pie".
func (i *MatchInfo) Title() string { return Title(i.Game, i.Options) }

// Title describes a game with its options for people.
func Title(game string, o engine.Options) string {
	return strings.ToUpper(game[:1]) + game[1:] + " " + o.String()
}

// View returns the newest state of the lists. After each turn of any match it makes a new one, which
// takes time for each match, so who needs only the tables asks Crowd first whether they can have changed.
func (l *Lobby) View() *View {
	if v := l.view.Load(); v.Revision == l.changes.Load() {
		return v
	}
	return l.rebuildView()
}

// UsersRevision counts what may have changed the people who are here and the open tables, and not the turns
// of matches. Who has seen the tables of a View that he took after this count need not look for
// others until it is another.
func (l *Lobby) UsersRevision() uint64 { return l.changes.Load() / usersChange }

// listsChanged notes that the lists have changed, and shows it soon. It never waits.
func (l *Lobby) listsChanged() {
	l.changes.Add(usersChange)
	signal(l.listSignal)
}

// matchChanged notes that a match in the lists has moved on, and shows it within a second.
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

// notifyLists wakes the sessions that look at the lists after these have changed.
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
		l.recoverPanic("telling of changes", func() { listeners = l.wakeListeners() })
		pause.Reset(min(max(minNotifyInterval, time.Duration(listeners)*notifyIntervalPerSession), maxNotifyInterval))
		select {
		case <-l.ctx.Done():
			return
		case <-pause.C:
		}
	}
}

// wakeListeners wakes the sessions that look at the lists, and returns how many do.
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

// rebuildView makes the newest View. Of all sessions that want it after a change, the first makes it.
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
		v.Tables = l.openTables()
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

// openTables returns the tables as they are shown, oldest first. mu must be held.
func (l *Lobby) openTables() (all []*Table) {
	for _, t := range l.tablesByAge() {
		if !t.starting {
			all = append(all, t.snapshot())
		}
	}
	return all
}

// onlineUsers returns those of the order who are here.
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

// usersByName returns all people in the order of their names. It begins with the order of before, in
// which hardly anybody stands wrong, so that it takes little time however many are here. mu must be
// held.
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

// updateNameKey brings up to date by what the person is listed.
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

// strength is what a seat counts for in the choice of the featured match: a guest less than a
// member of average strength.
func strength(s Seat) float64 {
	if s.Rating == nil {
		return 1000
	}
	return s.Rating.Value
}

// chooseFeatured chooses the match to show first: the strongest, and then that one until it ends. mu
// must be held.
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
