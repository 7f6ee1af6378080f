package lobbyscreen

import (
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby/bots"
	"ayumu/tui/game"
	"ayumu/tui/op"
	"ayumu/tui/paint"
	"ayumu/tui/screen"
	"ayumu/tui/screen/dest"
	"ayumu/tui/screen/lists"
	"ayumu/tui/widget"
	"ayumu/tui/words"
)

// home is the lobby of a user who is offline: the user's matches, and what can be begun without other people. There are
// no tables, users and chat.
type home struct {
	screen.Base
	rows lists.Cursor
}

var homeBindings = screen.Bindings[*home]{
	{Key: screen.Keys(screen.CursorNames, "↑ ↓", "select a row"), DoKey: func(v *home, key string) tea.Cmd {
		v.rows.Key(key)
		return nil
	}},
	{Key: screen.Keys("enter space", "Enter", "open the selected row"), Rank: rankSelected, LabelOf: (*home).openLabel, Do: (*home).openSelected},
	{Key: screen.Keys("b", "b", "play a bot"), Rank: rankOthers, Label: "bot", When: (*home).hasBots, Do: homeOpens(dest.BotGame{})},
	{Key: screen.Keys("p", "p", "play with others at this keyboard"), Rank: rankOthers + 3, Label: "one keyboard", Do: homeOpens(dest.LocalGame{})},
	{Key: screen.Keys("L", "L", "learn the games: short lessons on the board"), Rank: rankOthers + 1, Label: "learn", Do: homeOpens(dest.Lessons{})},
	{Key: screen.Keys("z", "z", "puzzles: the puzzle of the day first"), Rank: rankOthers + 2, Label: "puzzles", When: (*home).hasPuzzles, Do: homeOpens(dest.Puzzle{})},
	{Key: screen.Keys("N", "N", "go to the next game in which it is your turn; also works in a game"), Do: homeOpens(dest.NextWaiting{})},
	{Key: screen.Keys("a", "a", "archive: replay finished games"), Rank: rankRest, Label: "archive", Do: homeOpens(dest.Archive{})},
	{Key: screen.Keys("i", "i", "your profile: ratings and results"), Rank: rankRest + 1, Label: "profile", Do: func(v *home) tea.Cmd { return v.Shell.Open(v.profile()) }},
	{Key: screen.Keys("o", "o", "settings: bell, colours, characters, confirmations"), Rank: rankRest + 2, Label: "settings", Do: homeOpens(dest.Settings{})},
	{Key: screen.Keys("q", "q", "quit Ayumu"), Rank: rankOthers + 4, Label: "quit", Do: func(v *home) tea.Cmd { return v.Shell.AskQuit() }},
	screen.HelpKey[*home](),
}

// homeOpens returns a handler that opens a screen.
func homeOpens(d dest.Destination) func(*home) tea.Cmd {
	return func(v *home) tea.Cmd { return v.Shell.Open(d) }
}

func (v *home) hasBots() bool    { return v.Shell.Config.Bots != nil }
func (v *home) hasPuzzles() bool { return v.Shell.Config.Puzzles.Len() > 0 }

// actions are the sections of what the user can begin, each row with the key that does the same.
func (v *home) actions() []lists.Actions {
	var play, learn []lists.Action
	if v.hasBots() {
		about := words.Plural(bots.Levels, "level") + ", beginner to expert"
		if isNew(v.Shell) {
			about = "your first game: " + v.firstGame()
		}
		play = append(play, lists.Action{Key: "b", Name: "Play a bot", About: about, To: dest.BotGame{}})
	}
	play = append(play, lists.Action{Key: "p", Name: "Play at one keyboard", About: "with the people beside you", To: dest.LocalGame{}})
	learn = append(learn, lists.Action{Key: "L", Name: "Lessons", About: "the games, step by step", To: dest.Lessons{}})
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
func (v *home) profile() dest.Destination { return dest.Profile{ID: v.Shell.Session.Account().ID} }

// firstGame describes the game against a bot that a new user is offered.
func (v *home) firstGame() string {
	return v.Shell.Config.Bots.Name(op.FirstBotLevel) + " on " + op.FirstBotOptions(v.Shell.Config.Games).Short()
}

// openLabel returns the label of the key that opens the selected row.
func (v *home) openLabel() string {
	switch r, ok := v.rows.Selected(); {
	case !ok:
		return ""
	case r.OwnMatch != nil:
		return "play"
	}
	return "open"
}

// openSelected opens the selected match, or what can be begun.
func (v *home) openSelected() tea.Cmd {
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
func (v *home) Handle(msg tea.Msg) tea.Cmd {
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
func (v *home) Refresh() tea.Cmd {
	v.rows.Update(lists.Offline(v.Shell.Session, v.actions()))
	return nil
}

// Traits implements screen.Screen.
func (v *home) Traits() screen.Traits { return screen.Traits{Name: "lobby", ShowsLists: true} }

// NextChange returns the next full minute if the rows show ages.
func (v *home) NextChange(now time.Time) time.Time {
	if r := v.rows.Rows; len(r) == 0 || r[0].Section != lists.OwnMatches {
		return time.Time{}
	}
	return now.Truncate(time.Minute).Add(time.Minute)
}

// The columns of the rows of what can be begun.
const (
	aboutColumn     = 26 // in which the description begins
	minAboutColumns = 24
)

// Draw implements screen.Screen.
func (v *home) Draw(c paint.Canvas) {
	w, h := c.Size()
	sh := v.Shell
	t := sh.Style.Theme
	widget.DrawHeader(c, t, sh.Config.Site(), "", ownRatings(sh.Session.Account(), sh.Config.Games, w/2))
	list := widget.Middle(c.Sub(0, 1, w, h-1), widget.ListWidth)
	w, h = list.Size()
	if len(v.rows.Rows) > h { // how many rows are not shown is below
		h--
	}
	v.rows.Scroll(1, h)
	if rest := len(v.rows.Rows) - v.rows.Top - h; rest > 0 {
		text := fmt.Sprintf(" %d more ↓ ", rest)
		list.Text(w-paint.Width(text), h, t.Dim, text)
	}
	columns := widget.LayOut(listColumns, minNames, w-markColumns)
	selected := v.rows.Index()
	for y, r := range v.rows.Rows[v.rows.Top:min(v.rows.Top+h, len(v.rows.Rows))] {
		row, mark := list.Sub(0, y, w, 1), ""
		switch {
		case r.Section != "":
			row.Text(1, 0, t.Strong, string(r.Section))
			columns.Draw(row.Sub(markColumns, 0, w-markColumns, 1), t.Dim, columnTitles[r.Section]...)
		case r.OwnMatch != nil:
			cells := ownCells(sh, r.OwnMatch, time.Now())
			drawRow(row, t, columns, cells)
			mark = cells.mark
		case r.Action != nil:
			row.Text(markColumns, 0, t.Text, r.Action.Name)
			row.Text(w-2, 0, t.Dim, r.Action.Key)
			if w >= aboutColumn+minAboutColumns+markColumns {
				row.Text(aboutColumn, 0, t.Dim, paint.Cut(r.Action.About, w-aboutColumn-markColumns))
			}
		}
		if v.rows.Top+y == selected {
			drawSelectionMark(row.Sub(0, 0, markColumns, 1), t.Selected, mark)
		}
	}
	if y := len(v.rows.Rows) + 1; isNew(sh) && y < h {
		drawGames(list.Sub(0, y, w, h-y), sh)
	}
}

// StatusKeys implements screen.Screen.
func (v *home) StatusKeys() []game.Key { return homeBindings.Status(v) }

// StatusLine shows in how many matches it is the user's turn, otherwise what the selected row is.
func (v *home) StatusLine() (string, paint.Style) {
	t := v.Shell.Style.Theme
	if n := len(v.Shell.Visit.Waiting("")); n > 1 {
		return fmt.Sprintf("Your turn in %s. N: the next one.", words.Plural(n, "game")), t.Notice
	}
	if r, ok := v.rows.Selected(); ok && r.Action != nil {
		return words.Sentence(r.Action.About), t.Dim
	}
	return "", t.Dim
}

// Help implements screen.Screen.
func (v *home) Help() screen.Help {
	return screen.Help{
		Title: "The lobby", Games: v.Shell.Config.Games,
		About: "Begin a game, or go on with one: your games are kept when you quit. Select a row and press Enter, or press its key. ▸ marks the games in which it is your turn. A question mark after a rating means that it is provisional: there are too few rated games to be sure of it. You start at 1500, bots with the rating of their level.",
		Keys:  homeBindings.Help(v),
	}
}
