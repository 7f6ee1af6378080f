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
	viewPause = 100 * time.Millisecond
	lookPause = time.Millisecond // for each session
	stirPause = time.Second      // the longest
)

// So many sessions are woken together, then the others get a moment, so that a turn need not wait
// until thousands have drawn their lists.
const (
	together = 128
	breath   = 20 * time.Millisecond
)

// View is one state of the lobby's lists: immutable, shared by all sessions.
type View struct {
	Number   uint64
	Builds   uint64     // how many Views the lobby has made, this one included
	Tables   []*Table   // open ones, oldest first; private ones and challenges included
	Matches  []*Listing // public ones that go on, newest first
	People   []Presence // who is here, by name
	Featured string     // the match to show first; empty if there is none

	order   []*person            // who may be here, by name
	playing map[AccountID]string // in which public match
}

// The counter of changes counts in its upper half what may change who is here and how he is called.
const crowdChange = 1 << 32

// sameCrowd reports whether two states of the counter have the same tables, and the same people
// with the same names.
func sameCrowd(a, b uint64) bool { return a/crowdChange == b/crowdChange }

// Listing is a running match in a list.
type Listing struct {
	ID       string
	Info     *Info
	Turn     int // the seat to move
	Turns    int
	Version  int
	LastAt   time.Time // of the last turn, or of the start
	Watchers int
	Strength float64 // mean rating of the seats
}

// Presence is somebody who is here.
type Presence struct {
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
		if t.Concerns(id) || t.To == "" && !t.Private && !t.shutTo(id) {
			seen = append(seen, t)
		}
	}
	return seen
}

// Personal reports whether the lists hold something that is there for somebody alone, or not there
// for him: a table or a match of his, a challenge, a table of somebody who does not want to meet him.
func (v *View) Personal(id AccountID) bool {
	if v.playing[id] != "" {
		return true
	}
	return slices.ContainsFunc(v.Tables, func(t *Table) bool { return t.Concerns(id) || t.shutTo(id) })
}

// Title describes what is played: "Ayu 11×11, pie".
func (i *Info) Title() string { return Title(i.Game, i.Options) }

// Title describes a game with its options for people.
func Title(game string, o engine.Options) string {
	return strings.ToUpper(game[:1]) + game[1:] + " " + o.String()
}

// View returns the newest state of the lists. After each turn of any match it makes a new one, which
// takes time for each match, so who needs only the tables asks Crowd first whether they can have changed.
func (l *Lobby) View() *View {
	if v := l.view.Load(); v.Number == l.changes.Load() {
		return v
	}
	return l.rebuild()
}

// Crowd counts what may have changed the people who are here and the open tables, and not the turns
// of matches. Who has seen the tables of a View that he took after this count need not look for
// others until it is another.
func (l *Lobby) Crowd() uint64 { return l.changes.Load() / crowdChange }

// changed notes that the lists have changed, and shows it soon. It never waits.
func (l *Lobby) changed() {
	l.changes.Add(crowdChange)
	signal(l.dirty)
}

// stirred notes that a match in the lists has moved on, and shows it within a second.
func (l *Lobby) stirred() {
	l.changes.Add(1)
	signal(l.stir)
}

func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// herald wakes the sessions that look at the lists after these have changed.
func (l *Lobby) herald() {
	pause := time.NewTimer(0)
	defer pause.Stop()
	for {
		select {
		case <-l.ctx.Done():
			return
		case <-l.dirty:
		case <-l.stir:
			pause.Reset(stirPause)
			select {
			case <-l.ctx.Done():
				return
			case <-l.dirty:
			case <-pause.C:
			}
		}
		lookers := 0
		l.guard("telling of changes", func() { lookers = l.wakeLookers() })
		pause.Reset(min(max(viewPause, time.Duration(lookers)*lookPause), stirPause))
		select {
		case <-l.ctx.Done():
			return
		case <-pause.C:
		}
	}
}

// wakeLookers wakes the sessions that look at the lists, and returns how many do.
func (l *Lobby) wakeLookers() int {
	lookers := l.lookers()
	for i, s := range lookers {
		if i > 0 && i%together == 0 {
			select {
			case <-l.ctx.Done():
				return len(lookers)
			case <-time.After(breath):
			}
		}
		s.poke()
	}
	return len(lookers)
}

func (l *Lobby) lookers() (all []*Session) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for s := range l.sessions {
		if !s.idle.Load() {
			all = append(all, s)
		}
	}
	return all
}

// rebuild makes the newest View. Of all sessions that want it after a change, the first makes it.
func (l *Lobby) rebuild() *View {
	l.mu.Lock()
	defer l.mu.Unlock()
	old := l.view.Load()
	v := &View{Number: l.changes.Load(), Builds: old.Builds + 1}
	if v.Number == old.Number {
		return old
	}
	same := sameCrowd(v.Number, old.Number)
	if v.Tables = old.Tables; !same {
		v.Tables = l.openTables()
	}
	v.playing = make(map[AccountID]string)
	for _, m := range l.matches {
		s := m.Snapshot()
		if s.Over() || s.Frozen || m.Info.Private {
			continue
		}
		for _, seat := range m.Info.Seats {
			v.playing[seat.Account] = m.Info.ID
		}
		v.Matches = append(v.Matches, m.listing(s))
	}
	slices.SortFunc(v.Matches, func(a, b *Listing) int {
		return cmp.Or(b.Info.Started.Compare(a.Info.Started), cmp.Compare(a.ID, b.ID))
	})
	if v.order = old.order; !same {
		v.order = l.byName(old.order)
	}
	if v.People = old.People; !same || !maps.Equal(v.playing, old.playing) {
		v.People = v.present()
	}
	v.Featured = l.feature(v.Matches)
	l.view.Store(v)
	return v
}

// openTables returns the tables as they are shown, oldest first. mu must be held.
func (l *Lobby) openTables() (all []*Table) {
	for _, t := range l.byAge() {
		if !t.starting {
			all = append(all, t.show())
		}
	}
	return all
}

// present returns those of the order who are here.
func (v *View) present() []Presence {
	all := make([]Presence, 0, len(v.order))
	for _, p := range v.order {
		if since, _ := p.absent(); !since.IsZero() {
			continue
		}
		a := p.account.Load()
		all = append(all, Presence{ID: a.ID, Name: a.Name, Bot: a.Bot, Ratings: a.Ratings, Match: v.playing[a.ID]})
	}
	return all
}

// byName returns all people in the order of their names. It begins with the order of before, in
// which hardly anybody stands wrong, so that it takes little time however many are here. mu must be
// held.
func (l *Lobby) byName(before []*person) []*person {
	all := make([]*person, 0, len(l.people))
	for _, p := range before {
		if l.people[p.account.Load().ID] == p {
			all = append(all, p)
		}
	}
	if len(all) < len(l.people) {
		for _, p := range l.people {
			if !p.listed {
				p.listed = true
				all = append(all, p)
			}
		}
	}
	for _, p := range all {
		p.nameKey()
	}
	slices.SortFunc(all, func(a, b *person) int { return cmp.Compare(a.key, b.key) })
	return all
}

// nameKey brings up to date by what the person is listed.
func (p *person) nameKey() {
	if a := p.account.Load(); p.keyOf != a {
		p.keyOf, p.key = a, strings.ToLower(a.Name)
	}
}

func (m *Match) listing(s *Snapshot) *Listing {
	li := &Listing{
		ID: m.Info.ID, Info: m.Info, Turn: s.Position.Turn(), Turns: s.Turns, Version: s.Version,
		LastAt: s.LastAt, Watchers: m.Watchers(),
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

// feature chooses the match to show first: the strongest, and then that one until it ends. mu
// must be held.
func (l *Lobby) feature(matches []*Listing) string {
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
