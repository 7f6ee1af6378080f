package home

import (
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/club"
	"ayumu/tui/game"
	"ayumu/tui/op"
	"ayumu/tui/paint"
	"ayumu/tui/screen"
	"ayumu/tui/screen/dest"
	"ayumu/tui/screen/lists"
	"ayumu/tui/screen/player"
	"ayumu/tui/screen/preview"
	"ayumu/tui/words"
)

// lobbyScreen is the screen.
type lobbyScreen struct {
	screen.Base
	cursor
	play       lists.Play       // of which the rows were made
	rowsShared bool             // nothing in the rows depends on the user
	shown      *preview.Preview // the first board that was drawn; nil: none
	challenges challenges
	lastChat   screen.ShownChat
	frames     *sharedFrames
	boards     *preview.Boards

	furtherKeys string // the text of the status line about keys for which the bar has no space; "": not made yet
}

// Open shows the lobby, after a confirmation if the player's clock is running.
func Open(sh *screen.Shell, d dest.Lobby) tea.Cmd {
	open := func() tea.Cmd {
		if !d.KeepsFollowing {
			sh.Visit.Unfollow()
		}
		if a := sh.Session.Account(); !a.HasPlayed {
			sh.Visit.Experience.SetNone(sh.Config.Games)
		}
		boards := preview.BoardsOf(sh.Shared)
		if sh.Config.IsOffline() {
			return sh.Show(&offlineScreen{Base: screen.Base{Shell: sh}, boards: boards})
		}
		return sh.Show(&lobbyScreen{Base: screen.Base{Shell: sh}, frames: screen.SharedPart[sharedFrames](sh.Shared), boards: boards})
	}
	if sh.Current() != nil && sh.Current().Traits().ClockRuns {
		return sh.Confirm(screen.YesNo("Your clock keeps running. Go to the lobby?", "go to the lobby", "stay", open))
	}
	return open()
}

// Ranks order the status bar: what concerns the selected row or user comes first.
const (
	rankSelected = iota * 10
	rankOthers
	rankUsers
	rankRest
)

var bindings = screen.Bindings[*lobbyScreen]{
	{Key: screen.Keys("tab right", "Tab", ""), Rank: rankSelected, When: (*lobbyScreen).hasFocusedUser, LabelOf: (*lobbyScreen).nextPane, Do: inLists((*cursor).switchLists)},
	{Key: screen.Keys("tab right", "Tab", ""), Rank: rankUsers, LabelOf: (*lobbyScreen).nextPane, Do: inLists((*cursor).switchLists)},
	{Key: screen.Keys("shift+tab left", "", ""), Do: inLists((*cursor).switchBack)},
	{Key: screen.Keys("esc", "", ""), Do: func(v *lobbyScreen) tea.Cmd { v.Shell.AwayNews = ""; return v.focusRows() }},
	{Key: screen.Keys("up k down j pgup pgdown home end", "", ""), DoKey: func(v *lobbyScreen, key string) tea.Cmd { return v.move(key) }},
	{Key: screen.Keys("enter space", "Enter", "open the selected row: play, join a table, watch a game"), Rank: rankSelected + 1, LabelOf: (*lobbyScreen).openLabel, Do: (*lobbyScreen).openSelected},
	{Key: screen.Keys("p", "p", "quick match: find the next available opponent; Enter repeats your last choice; press p again to cancel"), Rank: rankOthers, LabelOf: func(v *lobbyScreen) string {
		if v.Shell.Visit.QuickRequest(v.view) != nil {
			return "cancel search"
		}
		return "quick match"
	}, Do: (*lobbyScreen).quickMatch},
	{Key: screen.Keys("n", "n", "open a new table: size, clock, rated or casual, public or private"), Rank: rankOthers + 2, Label: "new table", Do: opens(dest.NewTable{})},
	{Key: screen.Keys("b", "b", "play against a bot, if the server has bots"), Rank: rankOthers + 1, LabelOf: func(v *lobbyScreen) string {
		if !v.hasBots() {
			return ""
		}
		return "bot"
	}, Do: func(v *lobbyScreen) tea.Cmd {
		if !v.hasBots() {
			return nil
		}
		return v.Shell.Open(dest.BotGame{})
	}},
	{Key: screen.Keys("y", "y", "at a table that may start with fewer players: mark yourself as ready"), Rank: rankSelected + 1, LabelOf: func(v *lobbyScreen) string {
		if r, ok := v.selected(); !ok || r.Table == nil || !op.CanBeReady(r.Table, v.me()) {
			return ""
		}
		return "ready"
	}, Do: (*lobbyScreen).markReady},
	{Key: screen.Keys("+", "+", "at your own casual table: give the free seats to bots"), Rank: rankSelected + 1, LabelOf: func(v *lobbyScreen) string {
		if r, ok := v.selected(); !ok || r.Table == nil || !v.hasBots() || !op.CanFill(r.Table, v.me()) {
			return ""
		}
		return "add bots"
	}, Do: (*lobbyScreen).addBots},
	{Key: screen.Keys("c", "c", "challenge the selected player, or a player by name"), Rank: rankSelected + 2, When: (*lobbyScreen).hasFocusedUser, LabelOf: ofOther("challenge"), Do: (*lobbyScreen).challenge},
	{Key: screen.Keys("c", "c", ""), Rank: rankUsers + 1, LabelOf: whileInRows("challenge"), Do: (*lobbyScreen).challenge},
	{Key: screen.NoKey("open a private table by its code, or a game by its id"), Command: "code", Do: (*lobbyScreen).askCode},
	{Key: screen.Keys("x", "x", "close your table, leave another's, or decline a challenge"), Rank: rankSelected + 2, LabelOf: (*lobbyScreen).cancelLabel, Do: (*lobbyScreen).cancel},
	{Key: screen.Keys("w", "w", "watch the game of the selected player"), Do: (*lobbyScreen).watchUser},
	{Key: screen.Keys("f", "f", "follow a player: their games open automatically"), Rank: rankSelected + 3, LabelOf: (*lobbyScreen).followLabel, Do: (*lobbyScreen).follow},
	{Key: screen.NoKey("follow the featured games (★), one after the other"), Operation: "follow", Do: func(v *lobbyScreen) tea.Cmd { return player.FollowFeatured(v.Shell) }},
	{Key: screen.Keys(">", ">", "go to the next game in which it is your turn; also works in a game"), Do: opens(dest.NextWaiting{})},
	{Key: screen.Keys("g", "g", "several games: watch them at once"), Do: opens(dest.Grid{})},
	{Key: screen.Keys("a", "a", "archive: replay finished games"), Do: opens(dest.Archive{})},
	{Key: screen.NoKey("read the announcements of the club; moderators write them there"), Operation: "announcements", When: func(v *lobbyScreen) bool { return v.Shell.Config.Bulletin != nil }, Rank: rankOthers + 2, LabelOf: func(v *lobbyScreen) string {
		if len(v.Shell.Visit.Notices.Unread()) == 0 {
			return ""
		}
		return "announcements"
	}, Do: opens(dest.Announcements{})},
	{Key: screen.Keys("i", "i", "profile: that of the selected player, or of a player in the selected row"), Do: (*lobbyScreen).openProfile},
	{Key: screen.Keys("l", "l", "learn the games: short lessons on the board"), Rank: rankOthers + 3, LabelOf: func(v *lobbyScreen) string {
		if !isNew(v.Shell) {
			return ""
		}
		return "learn"
	}, Do: opens(dest.Lessons{})},
	{Key: screen.Keys("z", "z", "puzzles: the puzzle of the day first"), When: func(v *lobbyScreen) bool { return v.Shell.Config.Puzzles.Len() > 0 }, Do: opens(dest.Puzzle{})},
	{Key: screen.Keys("r", "r", "leaderboard: the best players"), Do: opens(dest.Leaderboard{})},
	{Key: screen.NoKey("list the tournaments: those that are open or running, and earlier ones"), Operation: "tournaments", Do: opens(dest.Tournaments{})},
	{Key: screen.NoKey("block the selected player: no pairing and no messages between you; they are not notified"), Operation: "block", Rank: rankSelected + 4,
		When: blocks(false), Label: "block", Do: withUser(func(v *lobbyScreen, p *lobby.UserListing) tea.Cmd { return player.ToggleBlock(v.Shell, p.ID, p.Name) })},
	{Key: screen.NoKey("unblock the selected player"), Operation: "unblock", Rank: rankSelected + 4,
		When: blocks(true), Label: "unblock", Do: withUser(func(v *lobbyScreen, p *lobby.UserListing) tea.Cmd { return player.ToggleBlock(v.Shell, p.ID, p.Name) })},
	{Key: screen.Keys("t", "t", "chat with everyone in the lobby"), Rank: rankOthers + 3, Label: "chat", Do: func(v *lobbyScreen) tea.Cmd {
		return v.Shell.OpenChat("Message to all", v.Shell.Session.Say)
	}},
	{Key: screen.Keys("o", "o", "settings: bell, colours, characters, confirmations"), Rank: rankRest + 2, Label: "settings", Do: opens(dest.Settings{})},
	{Key: screen.Keys("q", "q", "quit Ayumu"), Rank: rankOthers + 4, Label: "quit", Do: func(v *lobbyScreen) tea.Cmd { return v.Shell.AskQuit() }},
	{Key: screen.NoKey("report the selected player to the moderators"), Operation: "report", Rank: rankSelected + 5, Listed: can(club.PermissionReport),
		When: func(v *lobbyScreen) bool { _, ok := v.otherUser(); return ok && can(club.PermissionReport)(v) }, Do: withUser(func(v *lobbyScreen, p *lobby.UserListing) tea.Cmd { return player.Report(v.Shell, p.Name) })},
	{Key: screen.NoKey("for moderators: mute, kick or ban the selected player"), Command: "moderate", Rank: rankSelected + 3, Listed: can(club.PermissionSanctions), Label: "moderate",
		When: func(v *lobbyScreen) bool { _, ok := v.otherUser(); return ok && can(club.PermissionMute)(v) },
		Do:   withUser(func(v *lobbyScreen, p *lobby.UserListing) tea.Cmd { return v.Shell.Open(dest.Sanction{Name: p.Name}) })},
	{Key: screen.NoKey("for moderators: see sanctions, reports, members and invitations"), Command: "moderation", Rank: rankRest + 1, Listed: can(club.PermissionSanctions),
		When: can(club.PermissionSanctions), Label: "moderation", Do: opens(dest.Moderation{})},
	screen.HelpKey[*lobbyScreen](),
}

// opens returns a handler that opens a screen.
func opens(d dest.Destination) func(*lobbyScreen) tea.Cmd {
	return func(v *lobbyScreen) tea.Cmd { return v.Shell.Open(d) }
}

// inLists returns a handler that moves the cursor.
func inLists(move func(*cursor) tea.Cmd) func(*lobbyScreen) tea.Cmd {
	return func(v *lobbyScreen) tea.Cmd { return move(&v.cursor) }
}

// withUser returns a handler for the selected user.
func withUser(do func(*lobbyScreen, *lobby.UserListing) tea.Cmd) func(*lobbyScreen) tea.Cmd {
	return func(v *lobbyScreen) tea.Cmd {
		p, ok := v.selectedUser()
		if !ok {
			v.Shell.Notify("Select a player first (Tab).")
			return nil
		}
		return do(v, p)
	}
}

// can returns a condition: the user has a permission.
func can(p club.Permission) func(*lobbyScreen) bool {
	return func(v *lobbyScreen) bool { return v.Shell.Config.Can(p) }
}

// blocks returns a condition: another user is selected whom the user has blocked, or has not.
func blocks(isBlocked bool) func(*lobbyScreen) bool {
	return func(v *lobbyScreen) bool {
		p, ok := v.otherUser()
		return ok && v.Shell.Session.HasBlocked(p.ID) == isBlocked
	}
}

func (v *lobbyScreen) hasFocusedUser() bool {
	_, ok := v.selectedUser()
	return ok
}

// whileInRows returns a label for while the cursor is not in the list of users.
func whileInRows(label string) func(*lobbyScreen) string {
	return func(v *lobbyScreen) string {
		if v.usersFocused || v.boardFocused {
			return ""
		}
		return label
	}
}

// nextPane returns the label of the key that moves the cursor to the next pane.
func (v *lobbyScreen) nextPane() string {
	switch {
	case v.usersFocused && v.hasBoard:
		return "board"
	case v.usersFocused || v.boardFocused:
		return "games"
	}
	return "players"
}

// ofOther returns a label for while another user is selected.
func ofOther(label string) func(*lobbyScreen) string {
	return func(v *lobbyScreen) string {
		if _, ok := v.otherUser(); !ok {
			return ""
		}
		return label
	}
}

// openLabel returns the label of the key that opens the selected row or user.
func (v *lobbyScreen) openLabel() string {
	p, isUser := v.selectedUser()
	r, isRow := v.selected()
	switch {
	case v.boardFocused && v.shown != nil && v.shown.Match() == "":
		return "solve"
	case v.boardFocused:
		return "watch"
	case isRow && (r.Action != nil || r.Tournament != nil):
		return "open"
	case isUser && p.Match != "", isRow && r.Listing != nil, isRow && r.OwnMatch != nil && !v.Shell.Session.IsPlaying(r.OwnMatch):
		return "watch"
	case isRow && r.OwnMatch != nil:
		return "play"
	case isRow && isChallenge(r.Table, v.me()):
		return "accept"
	case isRow && r.Table != nil && !slices.Contains(r.Table.Seated, v.me().Name):
		return "join"
	}
	return ""
}

// cancelLabel returns the label of the key that closes, leaves or declines the selected table.
func (v *lobbyScreen) cancelLabel() string {
	r, ok := v.selected()
	switch me := v.me(); {
	case !ok || r.Table == nil:
		return ""
	case isChallenge(r.Table, v.me()):
		return "decline"
	case r.Table.Owner == me.Name && r.Table.To != "":
		return "withdraw"
	case r.Table.Quick:
		return "" // p cancels it
	case r.Table.Owner == me.Name:
		return "close table"
	case slices.Contains(r.Table.Seated, me.Name):
		return "leave table"
	}
	return ""
}

// followLabel returns the label of the key that follows the selected user or match.
func (v *lobbyScreen) followLabel() string {
	if r, ok := v.selected(); ok && r.Listing != nil {
		return "follow"
	}
	return ofOther("follow")(v)
}

// Handle implements screen.Screen.
func (v *lobbyScreen) Handle(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return bindings.HandleLast(v, msg.String())
	case tea.MouseWheelMsg:
		if msg.Button == tea.MouseWheelUp {
			return v.move("up")
		}
		return v.move("down")
	case tea.MouseClickMsg:
		again, ok := v.rows.Click(msg.Y)
		if again && !v.usersFocused && !v.boardFocused {
			return v.openSelected()
		}
		v.usersFocused, v.boardFocused = v.usersFocused && !ok, v.boardFocused && !ok
	}
	return nil
}

// Refresh applies the newest lists.
func (v *lobbyScreen) Refresh() tea.Cmd {
	v.setView(v.Shell.Session.Lobby().View())
	v.updateRows()
	if v.rowsShared {
		v.challenges.open = nil
	} else if v.challenges.update(&v.cursor, v.me(), time.Now()) && !v.Shell.HasOverlay() {
		r, _ := v.selected()
		v.Shell.NotifyEvents(v.challenges.text(r, v.me())) // in place of an older notice
	}
	return nil
}

// updateRows makes the rows of the lists.
func (v *lobbyScreen) updateRows() {
	v.play = newPlay(v.Shell)
	rows, shared := v.Shell.Shared.Lists.Rows(v.Shell.Session, v.view, v.play)
	v.rows.Update(rows)
	v.rowsShared = shared
}

// Traits implements screen.Screen.
func (v *lobbyScreen) Traits() screen.Traits {
	t := screen.Traits{Name: "lobby", ShowsLists: true, ShowsTables: true, CanFollow: true}
	if v.hasFocusedUser() { // what is about them comes first in the palette
		t.Operates = bindings.Operates(v)
	}
	return t
}

// Operate implements screen.OperationHandler.
func (v *lobbyScreen) Operate(name, args string) (cmd tea.Cmd, ok bool) {
	return bindings.Operate(v, name, args)
}

// Commands implements screen.Commander.
func (v *lobbyScreen) Commands() []screen.Command { return bindings.Commands(v) }

// NextChange returns the next full minute if the lists show ages.
func (v *lobbyScreen) NextChange(now time.Time) time.Time {
	if len(v.view.Matches)+len(v.view.Tables) == 0 {
		return time.Time{}
	}
	return now.Truncate(time.Minute).Add(time.Minute)
}

// StatusKeys implements screen.Screen.
func (v *lobbyScreen) StatusKeys() []game.Key { return bindings.Status(v) }

// StatusLine shows a challenge or the terms of the selected table, since joining it asks nothing, then in how many matches it
// is the user's turn, otherwise keys for which the status bar has no space.
func (v *lobbyScreen) StatusLine() (string, paint.Style) {
	t := v.Shell.Style.Theme
	selected, _ := v.selected()
	if text := v.challenges.text(selected, v.me()); text != "" {
		return text, t.Notice
	}
	if selected.Table != nil {
		return strings.TrimPrefix(v.Shell.AwayNews+"\n", "\n") + v.Shell.Visit.DescribeTerms(selected.Table) + ".", t.Text
	}
	if n := len(v.Shell.Visit.Waiting("")); n > 1 {
		return fmt.Sprintf("It is your turn in %s. Press > for the next one.", words.Plural(n, "game")), t.Notice
	}
	if v.Shell.AwayNews != "" {
		return v.Shell.AwayNews, t.Text
	}
	if v.furtherKeys == "" {
		v.furtherKeys = nameKeys(bindings.Help(v), "a", "r", "i", "g")
	}
	return paint.Cut(v.furtherKeys, v.Shell.Width-2), t.Dim
}

// nameKeys names some of the keys of the help, by what it says before a colon: "a archive · r leaderboard".
func nameKeys(help []game.Key, keys ...string) string {
	var all []string
	for _, key := range keys {
		if i := slices.IndexFunc(help, func(k game.Key) bool { return k.Key == key }); i >= 0 {
			name, _, _ := strings.Cut(help[i].Help, ":")
			all = append(all, key+" "+name)
		}
	}
	return strings.Join(all, " · ")
}

// Help implements screen.Screen.
func (v *lobbyScreen) Help() screen.Help {
	return screen.Help{
		Title: "The lobby", Games: v.Shell.Config.Games,
		About: "Find opponents and games to watch here. Select a row and press Enter. Tab goes on to the players and the board. ▸ marks what waits for you, · your other games and tables, ★ the featured game, and in the list of players ◆ those who are in a game. A question mark after a rating means that it is provisional: there are too few rated games to be sure of it. New players start at 1500, built-in players with the rating of their level.",
		Keys:  bindings.Help(v),
	}
}

func (v *lobbyScreen) me() account.Account { return v.Shell.Session.Account() }

func (v *lobbyScreen) hasBots() bool { return v.Shell.Config.Bots != nil }

// otherUser returns the selected user if that is somebody else.
func (v *lobbyScreen) otherUser() (p *lobby.UserListing, ok bool) {
	p, ok = v.selectedUser()
	return p, ok && p.ID != v.me().ID
}
