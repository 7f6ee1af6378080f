package home

import (
	"cmp"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby/bots"
	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/screen"
	"ayumu/tui/screen/dest"
	"ayumu/tui/screen/lists"
	"ayumu/tui/screen/preview"
	"ayumu/tui/widget"
	"ayumu/tui/words"
)

// offlineScreen is the lobby of a user who is offline: the user's matches, and what can be begun without other people. There are
// no tables, users and chat.
type offlineScreen struct {
	screen.Base
	rows   lists.Cursor
	boards *preview.Boards
}

var homeBindings = screen.Bindings[*offlineScreen]{
	{Key: screen.Keys(screen.CursorNames, "↑ ↓", "select a row"), DoKey: func(v *offlineScreen, key string) tea.Cmd {
		v.rows.Key(key)
		return nil
	}},
	{Key: screen.Keys("enter space", "Enter", "open the selected row"), Rank: rankSelected, LabelOf: (*offlineScreen).openLabel, Do: (*offlineScreen).openSelected},
	{Key: screen.Keys("b", "b", "play a bot"), Rank: rankOthers, Label: "bot", When: (*offlineScreen).hasBots, Do: homeOpens(dest.BotGame{})},
	{Key: screen.Keys("n", "n", "play a new game with others at this keyboard"), Rank: rankOthers + 3, Label: "one keyboard", Do: homeOpens(dest.LocalGame{})},
	{Key: screen.Keys("l", "l", "learn the games: short lessons on the board"), Rank: rankOthers + 1, Label: "learn", Do: homeOpens(dest.Lessons{})},
	{Key: screen.Keys("z", "z", "puzzles: the puzzle of the day first"), Rank: rankOthers + 2, Label: "puzzles", When: (*offlineScreen).hasPuzzles, Do: homeOpens(dest.Puzzle{})},
	{Key: screen.Keys(">", ">", "go to the next game in which it is your turn; also works in a game"), Do: homeOpens(dest.NextWaiting{})},
	{Key: screen.Keys("a", "a", "archive: replay finished games"), Rank: rankRest, Label: "archive", Do: homeOpens(dest.Archive{})},
	{Key: screen.Keys("i", "i", "your profile: ratings and results"), Rank: rankRest + 1, Label: "profile", Do: func(v *offlineScreen) tea.Cmd { return v.Shell.Open(v.profile()) }},
	{Key: screen.Keys("o", "o", "settings: bell, colours, characters, confirmations"), Rank: rankRest + 2, Label: "settings", Do: homeOpens(dest.Settings{})},
	{Key: screen.Keys("q", "q", "quit Ayumu"), Rank: rankOthers + 4, Label: "quit", Do: func(v *offlineScreen) tea.Cmd { return v.Shell.AskQuit() }},
	screen.HelpKey[*offlineScreen](),
}

// homeOpens returns a handler that opens a screen.
func homeOpens(d dest.Destination) func(*offlineScreen) tea.Cmd {
	return func(v *offlineScreen) tea.Cmd { return v.Shell.Open(d) }
}

func (v *offlineScreen) hasBots() bool    { return v.Shell.Config.Bots != nil }
func (v *offlineScreen) hasPuzzles() bool { return v.Shell.Config.Puzzles.Len() > 0 }

// actions are the sections of what the user can begin, each row with the key that does the same.
func (v *offlineScreen) actions() []lists.Actions {
	var play, learn []lists.Action
	if v.hasBots() {
		about := words.Plural(bots.MaxLevel-bots.MinLevel+1, "level") + ", beginner to expert"
		if isNew(v.Shell) {
			about = "your first game: " + firstGame(v.Shell)
		}
		play = append(play, lists.Action{Key: "b", Name: "Play a bot", About: about, To: dest.BotGame{}})
	}
	play = append(play, lists.Action{Key: "n", Name: "Play at one keyboard", About: "with the people beside you", To: dest.LocalGame{}})
	learn = append(learn, lists.Action{Key: "l", Name: "Lessons", About: "the games, step by step", To: dest.Lessons{}})
	if v.hasPuzzles() {
		learn = append(learn, lists.Action{Key: "z", Name: "Puzzles", About: "one for each day, and training", To: dest.Puzzle{}})
	}
	return []lists.Actions{
		{Title: "Play", Rows: play},
		{Title: "Learn", Rows: learn},
		{Title: "More", Rows: []lists.Action{
			{Key: "a", Name: "Finished games", About: "replay and analysis", To: dest.Archive{}},
			{Key: "i", Name: "Your profile", About: "ratings and results", To: v.profile()},
			{Key: "o", Name: "Settings", About: "colours, characters, coaching", To: dest.Settings{}},
		}},
	}
}

// profile returns the destination of the user's own profile.
func (v *offlineScreen) profile() dest.Destination {
	return dest.Profile{ID: v.Shell.Session.Account().ID}
}

// openLabel returns the label of the key that opens the selected row.
func (v *offlineScreen) openLabel() string {
	switch r, ok := v.rows.Selected(); {
	case !ok:
		return ""
	case r.OwnMatch != nil:
		return "play"
	}
	return "open"
}

// openSelected opens the selected match, or what can be begun.
func (v *offlineScreen) openSelected() tea.Cmd {
	r, ok := v.rows.Selected()
	switch {
	case !ok:
		return nil
	case r.OwnMatch != nil:
		return v.Shell.Open(dest.Match{ID: r.OwnMatch.Info.ID})
	}
	return v.Shell.Open(r.Action.To)
}

// Handle implements screen.Screen.
func (v *offlineScreen) Handle(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.MouseWheelMsg:
		if msg.Button == tea.MouseWheelUp {
			v.rows.Move(-1)
		} else {
			v.rows.Move(1)
		}
	case tea.MouseClickMsg:
		if again, _ := v.rows.Click(msg.Y); again {
			return v.openSelected()
		}
	}
	return homeBindings.HandleKey(v, msg)
}

// Refresh implements screen.Screen.
func (v *offlineScreen) Refresh() tea.Cmd {
	v.rows.Update(lists.Offline(v.Shell.Session, v.actions()))
	return nil
}

// Traits implements screen.Screen.
func (v *offlineScreen) Traits() screen.Traits { return screen.Traits{Name: "lobby", ShowsLists: true} }

// NextChange returns the next full minute if the rows show ages.
func (v *offlineScreen) NextChange(now time.Time) time.Time {
	if r := v.rows.Rows; len(r) == 0 || r[0].Section != lists.OwnMatches {
		return time.Time{}
	}
	return now.Truncate(time.Minute).Add(time.Minute)
}

// minOffline is the minimum width of the rows beside the puzzle of the day.
const minOffline = 60

// Draw implements screen.Screen.
func (v *offlineScreen) Draw(c paint.Canvas) {
	w, h := c.Size()
	sh := v.Shell
	t := sh.Style.Theme
	widget.DrawHeader(c, t, sh.Config.Site(), "", ownRatings(sh.Session.Account(), sh.Config.Games, w/2))
	list := widget.Pane{Y: 1, W: w, H: h - 1, NoBorder: w < widget.MinBordered}
	var board widget.Pane
	if p := v.boards.OfDay(sh, time.Now()); p != nil && w >= minOffline+sideColumns && p.Rows(sideColumns-2, h-3) > 0 {
		side := min(max(w*2/5, sideColumns), w-minOffline)
		list.W = w - side + 1
		board = widget.Pane{X: w - side, Y: 1, W: side, H: h - 1, Title: p.Title, Hint: cmp.Or(p.PuzzleHint(sh), p.Hint)}
		x, y, w, h := board.Inside()
		p.Draw(c.Sub(x, y, w, h), sh)
	}
	x, y, w, rows := list.Inside()
	list.Title = string(v.rows.ScrollUnder(y, rows))
	below := v.rows.Below(rows)
	widget.DrawPanes(c, t, list, board)
	drawBesideSection(c.Sub(x, y-1, w, 1), t, lists.Section(list.Title), below, list.NoBorder)
	inner := list.Of(c)
	shown := v.rows.Rows[v.rows.Top:min(v.rows.Top+rows, len(v.rows.Rows))]
	for i, r := range shown {
		row := inner.Sub(0, i, w, 1)
		switch {
		case r.Section != "":
			drawSection(row, t, r.Section, below, list.NoBorder)
		case r.OwnMatch != nil:
			drawRow(row, t, lists.OwnMatches, ownCells(sh, r.OwnMatch, time.Now()))
		case r.Action != nil:
			drawAction(row, t, r.Action, offlineAbout, false)
		}
		if v.rows.Top+i == v.rows.Index() {
			drawSelection(row, t)
		}
	}
	if y := len(shown) + 1; isNew(sh) && y < rows {
		drawGames(inner.Sub(0, y, w, rows-y), sh)
	}
}

// StatusKeys implements screen.Screen.
func (v *offlineScreen) StatusKeys() []game.Key { return homeBindings.Status(v) }

// StatusLine shows in how many matches it is the user's turn, otherwise what the selected row is.
func (v *offlineScreen) StatusLine() (string, paint.Style) {
	t := v.Shell.Style.Theme
	if n := len(v.Shell.Visit.Waiting("")); n > 1 {
		return fmt.Sprintf("Your turn in %s. >: the next one.", words.Plural(n, "game")), t.Notice
	}
	if r, ok := v.rows.Selected(); ok && r.Action != nil {
		return words.Sentence(r.Action.About), t.Dim
	}
	return "", t.Dim
}

// Help implements screen.Screen.
func (v *offlineScreen) Help() screen.Help {
	return screen.Help{
		Title: "The lobby", Games: v.Shell.Config.Games,
		About: "Begin a game, or go on with one: your games are kept when you quit. Select a row and press Enter, or press its key. ▸ marks the games in which it is your turn. A question mark after a rating means that it is provisional: there are too few rated games to be sure of it. You start at 1500, bots with the rating of their level.",
		Keys:  homeBindings.Help(v),
	}
}
