package tui

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby"
	"ayumu/tui/board"
	"ayumu/tui/boards"
)

// lobbyView shows own matches, open tables, running matches, who is here, and the talk.
type lobbyView struct {
	app    *app
	view   *lobby.View
	items  []item // shared with others where they are common
	common bool   // the lists are the same for everybody who has nothing of his own in them
	sel    itemKey
	top    int  // first item shown
	people bool // the cursor is among the people
	person lobby.AccountID
	area   listArea
}

// item is a row of the list.
type item struct {
	key   itemKey
	title string         // of a section, if it is one
	empty string         // what a section without rows says
	own   *lobby.Match   // a match of the person
	table *lobby.Table   // an open table
	match *lobby.Listing // a running match
}

type itemKey struct{ kind, id string }

func (i item) selectable() bool { return i.key != itemKey{} }

// listArea is where the rows were drawn, for clicks.
type listArea struct{ y, rows, top int }

func newLobbyView(a *app) *lobbyView { return &lobbyView{app: a} }

func (v *lobbyView) leave() {}

// refresh takes over the newest lists. The chosen row stays chosen wherever it moves.
func (v *lobbyView) refresh() tea.Cmd {
	s := v.app.session
	v.view = s.Lobby().View()
	at := v.index()
	if v.common = v.isCommon(); v.common {
		key := listsKey{lobby: s.Lobby(), number: v.view.Number, bots: v.app.visit.Bots != nil}
		v.items = commonItems.Get(key, v.list)
	} else {
		v.items = v.list()
	}
	if v.index() < 0 {
		v.selectNear(max(at, 0))
	}
	if v.personIndex() < 0 && len(v.view.People) > 0 {
		v.person = v.view.People[0].ID
	}
	return nil
}

// listsKey names what is made once of a state of the lists.
type listsKey struct {
	lobby  *lobby.Lobby
	number uint64 // of the View
	bots   bool
}

// Only those who have not seen the newest state yet ask for an older one.
var commonItems = board.Cache[listsKey, []item]{Keep: 4}

// isCommon reports whether the lists have nothing in them that is the person's own.
func (v *lobbyView) isCommon() bool {
	s := v.app.session
	mine := slices.ContainsFunc(s.Seated(), func(m *lobby.Match) bool { return !s.Snapshot(m).Over() })
	return !mine && !v.view.Personal(s.Account().ID)
}

// list makes the rows: what waits for the person first.
func (v *lobbyView) list() []item {
	s := v.app.session
	me := s.Account()
	var turn, wait []item
	for _, m := range s.Seated() {
		snap := s.Snapshot(m)
		if snap.Over() {
			continue
		}
		it := item{key: itemKey{"own", m.Info.ID}, own: m}
		if seatOf(m.Info, me.ID) == snap.Position.Turn() {
			turn = append(turn, it)
		} else {
			wait = append(wait, it)
		}
	}
	var items []item
	if mine := append(turn, wait...); len(mine) > 0 {
		items = append(append(items, item{title: "Your games"}), mine...)
	}
	if len(items) > 0 {
		items = append(items, item{})
	}
	items = append(items, item{title: "Open tables"})
	tables := v.view.TablesFor(me.ID)
	slices.SortStableFunc(tables, func(a, b *lobby.Table) int { return rank(b, me) - rank(a, me) })
	for _, t := range tables {
		items = append(items, item{key: itemKey{"table", t.ID}, table: t})
	}
	if len(tables) == 0 {
		empty := "Nobody waits. p finds an opponent, n opens a table."
		if v.app.visit.Bots != nil {
			empty = "Nobody waits. b plays a bot, p finds you a person."
		}
		items = append(items, item{empty: empty})
	}
	return append(items, v.running()...)
}

// rank puts challenges and one's own tables first.
func rank(t *lobby.Table, me lobby.Account) int {
	switch {
	case t.Concerns(me.ID) && !ownedBy(t, me):
		return 2
	case t.Concerns(me.ID):
		return 1
	}
	return 0
}

// ownedBy reports whether somebody opened the table.
func ownedBy(t *lobby.Table, me lobby.Account) bool { return t.Owner == me.Name }

// running lists the matches that go on, the featured one first.
func (v *lobbyView) running() []item {
	items := []item{{}, {title: "Games to watch"}}
	me := v.app.session.Account().ID
	for _, m := range v.view.Matches {
		if seatOf(m.Info, me) >= 0 {
			continue // it stands among one's own
		}
		it := item{key: itemKey{"match", m.ID}, match: m}
		if m.ID == v.view.Featured {
			items = slices.Insert(items, 2, it)
		} else {
			items = append(items, it)
		}
	}
	if len(items) == 2 {
		items = append(items, item{empty: "No game is going on just now."})
	}
	return items
}

func seatOf(info *lobby.Info, id lobby.AccountID) int {
	return slices.IndexFunc(info.Seats, func(s lobby.Seat) bool { return s.Account == id })
}

func (v *lobbyView) index() int {
	return slices.IndexFunc(v.items, func(i item) bool { return i.selectable() && i.key == v.sel })
}

func (v *lobbyView) personIndex() int {
	if v.view == nil {
		return -1
	}
	return slices.IndexFunc(v.view.People, func(p lobby.Presence) bool { return p.ID == v.person })
}

// selectNear chooses the first row from a place on that can be chosen, or else the last before it.
func (v *lobbyView) selectNear(at int) {
	v.sel = itemKey{}
	for i, it := range v.items {
		if it.selectable() {
			v.sel = it.key
			if i >= at {
				return
			}
		}
	}
}

func (v *lobbyView) selected() (item, bool) {
	if i := v.index(); i >= 0 && !v.people {
		return v.items[i], true
	}
	return item{}, false
}

func (v *lobbyView) selectedPerson() (lobby.Presence, bool) {
	if i := v.personIndex(); i >= 0 && v.people {
		return v.view.People[i], true
	}
	return lobby.Presence{}, false
}

// move moves the cursor by so many rows.
func (v *lobbyView) move(by int) {
	if v.people {
		if n := len(v.view.People); n > 0 {
			v.person = v.view.People[max(min(v.personIndex()+by, n-1), 0)].ID
		}
		return
	}
	i := v.index()
	for step := sign(by); by != 0; by -= step {
		j := i + step
		for j >= 0 && j < len(v.items) && !v.items[j].selectable() {
			j += step
		}
		if j < 0 || j >= len(v.items) {
			break
		}
		i = j
	}
	if i >= 0 && i < len(v.items) {
		v.sel = v.items[i].key
	}
}

func sign(n int) int {
	if n < 0 {
		return -1
	}
	return 1
}

// due: the times in the lists are in minutes.
func (v *lobbyView) due(now time.Time) time.Time {
	if len(v.view.Matches)+len(v.view.Tables) == 0 {
		return time.Time{}
	}
	return now.Truncate(time.Minute).Add(time.Minute)
}

func (v *lobbyView) keys() []board.Key {
	var keys []board.Key
	add := func(key, does string) { keys = append(keys, board.Key{Key: key, Does: does}) }
	me := v.app.session.Account()
	if p, ok := v.selectedPerson(); ok {
		add("Tab", "games")
		if p.Match != "" {
			add("Enter", "watch")
		}
		if p.ID != me.ID {
			add("c", "challenge")
			add("f", "follow")
			keys = append(append(keys, v.app.blockKey(p.ID)), v.app.moderateKeys("report", "moderate")...)
		}
	} else if it, ok := v.selected(); ok {
		switch {
		case it.own != nil:
			add("Enter", "play")
		case it.match != nil:
			add("Enter", "watch")
			add("f", "follow")
		case mayBeReady(it.table, me):
			add("y", "ready")
			add("x", "leave it")
		case ownedBy(it.table, me):
			add("x", "close it")
		case slices.Contains(it.table.Seated, me.Name):
			add("x", "leave it")
		default:
			add("Enter", "join")
			if it.table.Concerns(me.ID) {
				add("x", "decline")
			}
		}
	}
	if v.ownQuick() != nil {
		add("p", "stop looking")
	} else {
		add("p", "quick match")
	}
	if v.app.visit.Bots != nil {
		add("b", "bot")
	}
	add("n", "new table")
	add("t", "talk")
	add("q", "leave")
	if !v.people {
		add("Tab", "people")
		add("c", "challenge")
	}
	add("e", "code")
	if _, ok := v.selectedPerson(); !ok && v.app.may("bans") {
		add("M", "moderation")
	}
	add("o", "settings")
	add("?", "help")
	return keys
}

func (v *lobbyView) help() helpPage {
	page := helpPage{
		title: "The lobby", games: boards.All,
		about: "Here you find opponents and games to watch. Choose a row and press Enter. Tab leads to the people and back.",
		keys: []board.Key{
			{Key: "Enter", Does: "open what is chosen: play, join a table, watch a game"},
			{Key: "p", Does: "quick match: the next fitting opponent; the game opens by itself; p again stops looking"},
			{Key: "n", Does: "open a table: size, clock, rated or casual, public or private"},
			{Key: "b", Does: "play against a bot, on a server that has some"},
			{Key: "y", Does: "at a table that may start with fewer: you are ready"},
			{Key: "c", Does: "challenge somebody by name, or the one chosen among the people"},
			{Key: "e", Does: "enter the code of a private table or game"},
			{Key: "x", Does: "close your table, leave another's, or decline a challenge"},
			{Key: "w", Does: "watch the game of the one chosen among the people"},
			{Key: "f", Does: "follow a player: each next game opens by itself"},
			{Key: "F", Does: "watch the featured game, marked ★, and then the next one"},
			{Key: "N", Does: "go to the next game in which it is your turn; works in a game as well"},
			{Key: "g", Does: "grid: watch several games at once"},
			{Key: "a", Does: "archive: finished games, to be replayed"},
			{Key: "i", Does: "profile of the chosen player, or of a player of the chosen row"},
			{Key: "r", Does: "ratings: the best players"},
			{Key: "B", Does: "block the one chosen among the people, or lift that: you meet no more, and nobody is told"},
			{Key: "t", Does: "talk to all"},
			{Key: "o", Does: "settings: bell, light or dark, ASCII"},
			{Key: "q", Does: "leave Ayumu"},
		},
	}
	if v.app.may("report") {
		page.keys = append(page.keys, board.Key{Key: "R", Does: "report the one chosen among the people to the moderators"})
	}
	if v.app.may("bans") {
		page.keys = append(page.keys, board.Key{Key: "M", Does: "for moderators: act on the one chosen among the people; otherwise sanctions, reports, invitations"})
	}
	return page
}
