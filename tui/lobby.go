package tui

import (
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/engine/games"
	"ayumu/lobby"
	"ayumu/tui/board"
	"ayumu/tui/boards"
	"ayumu/tui/paint"
)

// lobbyView shows own matches, open tables, running matches, who is here, and the talk.
type lobbyView struct {
	app    *app
	view   *lobby.View
	items  []item
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
	v.items = v.list()
	if v.index() < 0 {
		v.selectNear(max(at, 0))
	}
	if v.personIndex() < 0 && len(v.view.People) > 0 {
		v.person = v.view.People[0].ID
	}
	return nil
}

// list makes the rows: what waits for the person first.
func (v *lobbyView) list() []item {
	s := v.app.session
	me := s.Account()
	var turn, wait []item
	for _, m := range s.Seated() {
		snap := m.Snapshot()
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
		items = append(items, item{empty: "Nobody waits at a table. p finds you an opponent, n opens a table."})
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
		items = append(items, item{empty: "No game is going on that you could watch. One begins as soon as two people sit down."})
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

func (v *lobbyView) handle(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return v.key(msg.String())
	case tea.MouseWheelMsg:
		if msg.Button == tea.MouseWheelUp {
			v.move(-1)
		} else {
			v.move(1)
		}
	case tea.MouseClickMsg:
		return v.click(msg.X, msg.Y)
	}
	return nil
}

// click chooses a row; a click on the chosen one opens it.
func (v *lobbyView) click(_, y int) tea.Cmd {
	i := v.area.top + y - v.area.y
	if y < v.area.y || y >= v.area.y+v.area.rows || i >= len(v.items) || !v.items[i].selectable() {
		return nil
	}
	if !v.people && v.items[i].key == v.sel {
		return v.enter()
	}
	v.people, v.sel = false, v.items[i].key
	return nil
}

func (v *lobbyView) key(key string) tea.Cmd {
	a := v.app
	switch key {
	case "up", "k":
		v.move(-1)
	case "down", "j":
		v.move(1)
	case "pgup":
		v.move(-10)
	case "pgdown":
		v.move(10)
	case "home":
		v.move(-1000)
	case "end":
		v.move(1000)
	case "tab", "shift+tab", "left", "right", "h", "l":
		v.people = !v.people
	case "enter", "space":
		return v.enter()
	case "n":
		return a.show(newTableView(a, ""))
	case "p":
		return v.quick()
	case "c":
		return v.challenge()
	case "e":
		return v.code()
	case "f":
		return v.followKey()
	case "F":
		return v.followFeatured()
	case "w":
		return v.watchPerson()
	case "x":
		return v.cancel()
	case "t":
		return a.chatLine("Say to all", a.session.Say)
	case "o":
		return a.openOptions()
	case "?":
		return a.openHelp()
	case "q":
		return a.quit()
	case "esc":
		v.people = false
	}
	return nil
}

// enter opens what is chosen.
func (v *lobbyView) enter() tea.Cmd {
	a := v.app
	if p, ok := v.selectedPerson(); ok {
		if p.Match != "" {
			return a.watch(p.Match, "")
		}
		return v.challenge()
	}
	it, ok := v.selected()
	switch {
	case !ok:
		a.tell("Nothing is chosen; p finds you an opponent.")
	case it.own != nil:
		return a.watch(it.own.Info.ID, "")
	case it.match != nil:
		return a.watch(it.match.ID, "")
	case ownedBy(it.table, a.session.Account()):
		a.tell("This is your own table; the game begins when somebody sits down; x closes it.")
	default:
		return a.join(it.table.ID, "")
	}
	return nil
}

func (v *lobbyView) watchPerson() tea.Cmd {
	p, ok := v.selectedPerson()
	switch {
	case !ok:
		v.app.tell("Choose somebody among the people first (Tab).")
	case p.Match == "":
		v.app.tell("%s does not play just now; f follows, and opens the next game.", p.Name)
	default:
		return v.app.watch(p.Match, "")
	}
	return nil
}

// quick looks for an opponent, or stops looking.
func (v *lobbyView) quick() tea.Cmd {
	a := v.app
	if t := v.ownQuick(); t != nil {
		return a.call(func(context.Context) error { return a.session.Cancel(t.ID) }, func() tea.Cmd {
			a.tell("You no longer look for an opponent.")
			return a.refresh()
		})
	}
	start := func(game string) tea.Cmd {
		return a.call(func(ctx context.Context) error {
			_, err := a.session.Open(ctx, lobby.Proposal{Game: game, Quick: true})
			return err
		}, func() tea.Cmd {
			a.tell("Looking for an opponent; the game opens by itself.")
			return a.refresh()
		})
	}
	return a.chooseGame("Quick match in which game?", func(g board.Game) tea.Cmd { return start(g.Name()) })
}

func (v *lobbyView) ownQuick() *lobby.Table {
	me := v.app.session.Account().ID
	for _, t := range v.view.Tables {
		if t.Quick && t.Concerns(me) {
			return t
		}
	}
	return nil
}

// chooseGame asks for a game if there are several; each has its first letter for a key.
func (a *app) chooseGame(text string, do func(board.Game) tea.Cmd) tea.Cmd {
	if len(boards.All) == 1 {
		return do(boards.All[0])
	}
	q := &question{text: text, no: "none"}
	for _, g := range boards.All {
		q.answers = append(q.answers, answer{board.Key{Key: g.Name()[:1], Does: gameTitle(g)}, func() tea.Cmd { return do(g) }})
	}
	return a.ask(q)
}

// gameTitle is a game's name for people.
func gameTitle(g board.Game) string {
	if e, ok := games.ByName(g.Name()); ok {
		return e.Title()
	}
	return g.Name()
}

// challenge opens the form of a new table with a name in it.
func (v *lobbyView) challenge() tea.Cmd {
	a := v.app
	if p, ok := v.selectedPerson(); ok && p.ID != a.session.Account().ID {
		return a.show(newTableView(a, p.Name))
	}
	return a.typing(&line{
		field: field{limit: lobby.MaxName}, label: "Challenge whom", does: "go on",
		enter: func(name string) tea.Cmd { return a.show(newTableView(a, name)) },
	})
}

// code asks for the code of a private table or game.
func (v *lobbyView) code() tea.Cmd {
	a := v.app
	return a.typing(&line{
		field: field{limit: 20}, label: "Code of the private table", does: "go there",
		enter: func(code string) tea.Cmd {
			table, match := a.session.ByCode(code)
			switch {
			case table != "":
				return a.join(table, code)
			case match != "":
				return a.watch(match, code)
			}
			a.complain("no open table and no game has the code %q; ask for it again", code)
			return nil
		},
	})
}

// followKey follows the chosen person, or one of the players of the chosen game.
func (v *lobbyView) followKey() tea.Cmd {
	a := v.app
	if p, ok := v.selectedPerson(); ok {
		return a.followPlayer(p.ID, p.Name)
	}
	it, ok := v.selected()
	if !ok || it.match == nil {
		a.tell("Choose a game or somebody to follow.")
		return nil
	}
	return a.followSeat(it.match.Info)
}

// followSeat asks which player of a game is to be followed.
func (a *app) followSeat(info *lobby.Info) tea.Cmd {
	q := &question{text: "Follow whom? Every next game opens by itself.", no: "nobody"}
	for i, s := range info.Seats {
		q.answers = append(q.answers, answer{board.Key{Key: string(rune('1' + i)), Does: s.Name},
			func() tea.Cmd { return a.followPlayer(s.Account, s.Name) }})
	}
	return a.ask(q)
}

func (a *app) followPlayer(id lobby.AccountID, name string) tea.Cmd {
	if id == a.session.Account().ID {
		a.tell("Your own games open by themselves anyway.")
		return nil
	}
	a.follow = follow{who: id, name: name}
	a.session.LookAway(false)
	if a.followed() == "" {
		a.tell("You follow %s: the next game opens here by itself.", name)
		return nil
	}
	return a.followOn()
}

func (v *lobbyView) followFeatured() tea.Cmd {
	a := v.app
	a.follow = follow{featured: true}
	if a.followed() == "" {
		a.tell("No game is going on; the next featured one opens by itself.")
		return nil
	}
	return a.followOn()
}

// cancel closes one's own table, leaves another's, or declines a challenge.
func (v *lobbyView) cancel() tea.Cmd {
	a := v.app
	me := a.session.Account()
	t := v.ownQuick()
	if it, ok := v.selected(); ok && it.table != nil {
		t = it.table
	}
	if t == nil || !t.Concerns(me.ID) {
		a.tell("Choose a table of yours, or a challenge to you.")
		return nil
	}
	return a.call(func(context.Context) error {
		if t.To == me.Name && !slices.Contains(t.Seated, me.Name) {
			return a.session.Decline(t.ID)
		}
		return a.session.Cancel(t.ID)
	}, func() tea.Cmd {
		a.tell("The table is closed.")
		return a.refresh()
	})
}

func (v *lobbyView) hint() (string, paint.Style) { return "", paint.Style{} }

func (v *lobbyView) keys() []board.Key {
	var keys []board.Key
	add := func(key, does string) { keys = append(keys, board.Key{Key: key, Does: does}) }
	me := v.app.session.Account()
	if p, ok := v.selectedPerson(); ok {
		if p.Match != "" {
			add("Enter", "watch")
		}
		if p.ID != me.ID {
			add("c", "challenge")
			add("f", "follow")
		}
	} else if it, ok := v.selected(); ok {
		switch {
		case it.own != nil:
			add("Enter", "play")
		case it.match != nil:
			add("Enter", "watch")
			add("f", "follow")
		case ownedBy(it.table, me):
			add("x", "close it")
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
	add("n", "new table")
	add("t", "talk")
	add("q", "leave")
	if v.people {
		add("Tab", "games")
	} else {
		add("Tab", "people")
	}
	add("c", "challenge")
	add("e", "code")
	add("o", "settings")
	add("?", "help")
	return keys
}

func (v *lobbyView) help() helpPage {
	return helpPage{
		title: "The lobby", games: boards.All,
		about: "Here you find opponents and games to watch. Choose a row and press Enter. Tab leads to the people and back.",
		keys: []board.Key{
			{Key: "Enter", Does: "open what is chosen: play, join a table, watch a game"},
			{Key: "p", Does: "quick match: the next fitting opponent; the game opens by itself; p again stops looking"},
			{Key: "n", Does: "open a table: size, clock, rated or casual, public or private"},
			{Key: "c", Does: "challenge somebody by name, or the one chosen among the people"},
			{Key: "e", Does: "enter the code of a private table or game"},
			{Key: "x", Does: "close your table, or decline a challenge"},
			{Key: "w", Does: "watch the game of the one chosen among the people"},
			{Key: "f", Does: "follow a player: each next game opens by itself"},
			{Key: "F", Does: "watch the featured game, marked ★, and then the next one"},
			{Key: "t", Does: "talk to all"},
			{Key: "o", Does: "settings: bell, light or dark, ASCII"},
			{Key: "q", Does: "leave Ayumu"},
		},
	}
}
