package tui

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby"
	"ayumu/lobby/club"
	"ayumu/tui/client"
	"ayumu/tui/game"
	"ayumu/tui/screen"
	"ayumu/tui/screen/player"
)

// lobbyScreen shows the user's matches, open tables, running matches, the users online and the chat.
type lobbyScreen struct {
	screen.Base
	app            *Model
	view           *lobby.View
	items          []item // shared with other sessions if itemsShared
	itemsShared    bool   // nothing in items depends on the user
	selectedKey    itemKey
	top            int  // index of the first item shown
	usersFocused   bool // the cursor is in the list of users
	selectedUserID lobby.AccountID
	area           listArea
}

// item is a row of the list: a title, the text of an empty section, a match or a table. The zero value
// is an empty row.
type item struct {
	key      itemKey
	title    string              // of a section
	empty    string              // the text of a section without rows
	ownMatch *lobby.Match        // a match of the user
	table    *lobby.Table        // an open table
	listing  *lobby.MatchListing // a running match
}

type itemKey struct{ kind, id string }

func (i item) selectable() bool { return i.key != itemKey{} }

// listArea is where the rows were drawn, for clicks.
type listArea struct{ y, rows, top int }

func newLobbyScreen(a *Model) *lobbyScreen { return &lobbyScreen{app: a} }

// Traits implements screen.Screen.
func (v *lobbyScreen) Traits() screen.Traits {
	return screen.Traits{ShowsLists: true, ShowsTables: true, CanFollow: true}
}

// refresh applies the newest lists. The selected row stays selected wherever it moves.
func (v *lobbyScreen) Refresh() tea.Cmd {
	s := v.app.Session
	v.view = s.Lobby().View()
	at := v.index()
	if v.itemsShared = v.isCommon(); v.itemsShared {
		key := listsKey{lobby: s.Lobby(), number: v.view.Revision, bots: v.app.Config.Bots != nil}
		v.items = itemCache.Get(key, v.buildItems)
	} else {
		v.items = v.buildItems()
	}
	if v.index() < 0 {
		v.selectNear(max(at, 0))
	}
	if v.selectedUserIndex() < 0 && len(v.view.Users) > 0 {
		v.selectedUserID = v.view.Users[0].ID
	}
	return nil
}

// listsKey identifies a revision of the lists in the shared caches.
type listsKey struct {
	lobby  *lobby.Lobby
	number uint64 // the View's revision
	bots   bool
}

// itemCache holds the rows of recent revisions; only sessions that are behind ask for an older one.
var itemCache = game.Cache[listsKey, []item]{Capacity: 4}

// isCommon reports whether nothing in the lists concerns this user alone.
func (v *lobbyScreen) isCommon() bool {
	s := v.app.Session
	mine := slices.ContainsFunc(s.SeatedMatches(), func(m *lobby.Match) bool { return !s.Snapshot(m).IsOver() })
	return !mine && !v.view.HasPersonal(s.Account().ID)
}

// buildItems returns the rows: matches in which it is the user's turn first.
func (v *lobbyScreen) buildItems() []item {
	s := v.app.Session
	me := s.Account()
	var turn, wait []item
	for _, m := range s.SeatedMatches() {
		snap := s.Snapshot(m)
		if snap.IsOver() {
			continue
		}
		it := item{key: itemKey{"own", m.Info.ID}, ownMatch: m}
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
	slices.SortStableFunc(tables, func(a, b *lobby.Table) int { return tablePriority(b, me) - tablePriority(a, me) })
	for _, t := range tables {
		items = append(items, item{key: itemKey{"table", t.ID}, table: t})
	}
	if len(tables) == 0 {
		empty := "No open tables. p: find an opponent, n: open a table."
		if v.app.Config.Bots != nil {
			empty = "No open tables. p: find an opponent, b: play a bot."
		}
		items = append(items, item{empty: empty})
	}
	return append(items, v.runningItems()...)
}

// tablePriority returns the sort priority of a table: challenges to the user are first, then the user's
// own tables.
func tablePriority(t *lobby.Table, me lobby.Account) int {
	switch {
	case t.Concerns(me.ID) && !isOwner(t, me):
		return 2
	case t.Concerns(me.ID):
		return 1
	}
	return 0
}

// isOwner reports whether account me opened the table.
func isOwner(t *lobby.Table, me lobby.Account) bool { return t.Owner == me.Name }

// runningItems lists the running matches of others, the featured one first.
func (v *lobbyScreen) runningItems() []item {
	items := []item{{}, {title: "Games to watch"}}
	me := v.app.Session.Account().ID
	for _, m := range v.view.Matches {
		if seatOf(m.Info, me) >= 0 {
			continue // listed as the user's own
		}
		it := item{key: itemKey{"match", m.ID}, listing: m}
		if m.ID == v.view.Featured {
			items = slices.Insert(items, 2, it)
		} else {
			items = append(items, it)
		}
	}
	if len(items) == 2 {
		items = append(items, item{empty: "No games in progress."})
	}
	return items
}

func seatOf(info *lobby.MatchInfo, id lobby.AccountID) int {
	return slices.IndexFunc(info.Seats, func(s lobby.Seat) bool { return s.Account == id })
}

func (v *lobbyScreen) index() int {
	return slices.IndexFunc(v.items, func(i item) bool { return i.selectable() && i.key == v.selectedKey })
}

func (v *lobbyScreen) selectedUserIndex() int {
	if v.view == nil {
		return -1
	}
	return slices.IndexFunc(v.view.Users, func(p lobby.UserListing) bool { return p.ID == v.selectedUserID })
}

// selectNear selects the first selectable row from index at on, or else the last one before it.
func (v *lobbyScreen) selectNear(at int) {
	v.selectedKey = itemKey{}
	for i, it := range v.items {
		if it.selectable() {
			v.selectedKey = it.key
			if i >= at {
				return
			}
		}
	}
}

func (v *lobbyScreen) selected() (item, bool) {
	if i := v.index(); i >= 0 && !v.usersFocused {
		return v.items[i], true
	}
	return item{}, false
}

func (v *lobbyScreen) selectedUser() (lobby.UserListing, bool) {
	if i := v.selectedUserIndex(); i >= 0 && v.usersFocused {
		return v.view.Users[i], true
	}
	return lobby.UserListing{}, false
}

// move moves the cursor by a number of rows.
func (v *lobbyScreen) move(by int) {
	if v.usersFocused {
		if n := len(v.view.Users); n > 0 {
			v.selectedUserID = v.view.Users[max(min(v.selectedUserIndex()+by, n-1), 0)].ID
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
		v.selectedKey = v.items[i].key
	}
}

func sign(n int) int {
	if n < 0 {
		return -1
	}
	return 1
}

// nextChange returns the next full minute if the lists show ages.
func (v *lobbyScreen) NextChange(now time.Time) time.Time {
	if len(v.view.Matches)+len(v.view.Tables) == 0 {
		return time.Time{}
	}
	return now.Truncate(time.Minute).Add(time.Minute)
}

func (v *lobbyScreen) StatusKeys() []game.Key {
	var keys []game.Key
	add := func(key, help string) { keys = append(keys, game.Key{Key: key, Help: help}) }
	me := v.app.Session.Account()
	if p, ok := v.selectedUser(); ok {
		add("Tab", "games")
		if p.Match != "" {
			add("Enter", "watch")
		}
		if p.ID != me.ID {
			add("c", "challenge")
			add("f", "follow")
			keys = append(append(keys, game.Key{Key: "B", Help: player.BlockLabel(v.app.Shell, p.ID)}), v.app.moderationKeys("report", "moderate")...)
		}
	} else if it, ok := v.selected(); ok {
		switch {
		case it.ownMatch != nil:
			add("Enter", "play")
		case it.listing != nil:
			add("Enter", "watch")
			add("f", "follow")
		case client.CanBeReady(it.table, me):
			add("y", "ready")
			add("x", "leave table")
		case isOwner(it.table, me):
			add("x", "close table")
		case slices.Contains(it.table.Seated, me.Name):
			add("x", "leave table")
		default:
			add("Enter", "join")
			if it.table.Concerns(me.ID) {
				add("x", "decline")
			}
		}
	}
	if v.app.Client.QuickRequest(v.view) != nil {
		add("p", "cancel search")
	} else {
		add("p", "quick match")
	}
	if v.app.Config.Bots != nil {
		add("b", "bot")
	}
	add("n", "new table")
	add("t", "chat")
	add("q", "quit")
	if !v.usersFocused {
		add("Tab", "players")
		add("c", "challenge")
	}
	add("e", "code")
	if _, ok := v.selectedUser(); !ok && v.app.Config.Can(club.PermissionSanctions) {
		add("M", "moderation")
	}
	add("o", "settings")
	add("?", "help")
	return keys
}

func (v *lobbyScreen) Help() screen.Help {
	page := screen.Help{
		Title: "The lobby", Games: v.app.Config.Games,
		About: "Find opponents and games to watch here. Select a row and press Enter. Tab switches between the lists and the players.",
		Keys: []game.Key{
			{Key: "Enter", Help: "open the selected row: play, join a table, watch a game"},
			{Key: "p", Help: "quick match: find the next available opponent; the game opens by itself; press p again to cancel"},
			{Key: "n", Help: "open a new table: size, clock, rated or casual, public or private"},
			{Key: "b", Help: "play against a bot, if the server has bots"},
			{Key: "y", Help: "at a table that may start with fewer players: mark yourself as ready"},
			{Key: "c", Help: "challenge the selected player, or a player by name"},
			{Key: "e", Help: "enter the code of a private table or game"},
			{Key: "x", Help: "close your table, leave another's, or decline a challenge"},
			{Key: "w", Help: "watch the game of the selected player"},
			{Key: "f", Help: "follow a player: every next game opens by itself"},
			{Key: "F", Help: "follow the featured games (★), one after the other"},
			{Key: "N", Help: "go to the next game in which it is your turn; also works in a game"},
			{Key: "g", Help: "watch several games at once"},
			{Key: "a", Help: "archive: replay finished games"},
			{Key: "i", Help: "profile of the selected player, or of a player in the selected row"},
			{Key: "r", Help: "leaderboard: the best players"},
			{Key: "B", Help: "block or unblock the selected player: you are no longer paired or see each other's messages; they are not notified"},
			{Key: "t", Help: "chat with everyone in the lobby"},
			{Key: "o", Help: "settings: bell, colours, characters, confirmations"},
			{Key: "q", Help: "quit Ayumu"},
		},
	}
	if v.app.Config.Can(club.PermissionReport) {
		page.Keys = append(page.Keys, game.Key{Key: "R", Help: "report the selected player to the moderators"})
	}
	if v.app.Config.Can(club.PermissionSanctions) {
		page.Keys = append(page.Keys, game.Key{Key: "M", Help: "for moderators: act on the selected player; without one, see sanctions, reports and invitations"})
	}
	return page
}
