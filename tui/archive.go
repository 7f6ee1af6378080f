package tui

import (
	"context"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ayumu/engine"
	"ayumu/lobby"
	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/screen"
	"ayumu/tui/screen/player"
	"ayumu/tui/widget"
	"ayumu/tui/words"
)

// archivePageSize is the number of finished matches on a page.
const archivePageSize = 50

// finishedPage is one page of finished matches, of one player or of all.
type finishedPage struct {
	player   string // the player's name; "": all players
	playerID lobby.AccountID
	before   []string // match ids: page i of the pages so far begins after before[i-1]
	games    []lobby.FinishedMatch
	hasMore  bool // older matches follow
	loaded   bool
	err      string
}

// loadFinished loads the page that begins after the last element of before and calls done with it in
// the event loop.
func (a *Model) loadFinished(player string, before []string, done func(finishedPage)) tea.Cmd {
	p := finishedPage{player: player, before: before}
	var after string
	if n := len(before); n > 0 {
		after = before[n-1]
	}
	return a.Call(func(ctx context.Context) error {
		if err := a.Session.Spend(lobby.WorkArchive); err != nil {
			return err
		}
		if player != "" {
			account, err := a.Session.Lobby().AccountByName(ctx, player)
			if err != nil {
				_, p.err = lobby.PublicError(err)
				return nil
			}
			p.player, p.playerID = account.Name, account.ID
		}
		games, err := a.Session.Lobby().FinishedMatches(ctx, a.Session.Account().ID, player, after, archivePageSize+1)
		if err != nil {
			_, p.err = lobby.PublicError(err)
		}
		p.loaded, p.hasMore = true, len(games) > archivePageSize
		p.games = games[:min(len(games), archivePageSize)]
		return nil
	}, func() tea.Cmd {
		done(p)
		return nil
	})
}

// olderPage and newerPage return the value of before for the adjacent pages.
func (p *finishedPage) olderPage() []string {
	return append(p.before[:len(p.before):len(p.before)], p.games[len(p.games)-1].Info.ID)
}

func (p *finishedPage) newerPage() []string { return p.before[:len(p.before)-1] }

// finishedList is a page of finished matches with a cursor.
type finishedList struct {
	page finishedPage
	list widget.ListCursor
}

// input returns the name of the pressed key, or of the key that matches the mouse event; "": none.
func (l *finishedList) input(msg tea.Msg) string {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return msg.String()
	case tea.MouseWheelMsg:
		if msg.Button == tea.MouseWheelUp {
			return "up"
		}
		return "down"
	case tea.MouseClickMsg:
		if again, ok := l.list.Click(msg.Y, len(l.page.games)); ok && again {
			return "enter"
		}
	}
	return ""
}

// choose handles the keys that move the cursor and open a match; turnTo loads another page and sets the
// cursor to row at.
func (l *finishedList) choose(a *Model, key string, turnTo func(before []string, at int) tea.Cmd) tea.Cmd {
	n := len(l.page.games)
	switch key {
	case "down", "j", "pgdown":
		if l.list.Index == n-1 && l.page.hasMore {
			return turnTo(l.page.olderPage(), 0)
		}
	case "up", "k", "pgup":
		if l.list.Index == 0 && len(l.page.before) > 0 {
			return turnTo(l.page.newerPage(), archivePageSize-1)
		}
	case "enter", "space":
		if l.list.Index < n {
			return a.openReview(l.page.games[l.list.Index].Info.ID)
		}
	case "i", "I":
		if l.list.Index < n {
			return player.AskProfile(a.Shell, l.page.games[l.list.Index].Info)
		}
	}
	l.list.Key(key, n)
	return nil
}

// archiveScreen lists finished matches, newest first.
type archiveScreen struct {
	app *Model
	finishedList
	screen.Base
}

// openArchive opens the list of the user's finished matches, or of all matches for a guest.
func (a *Model) openArchive() tea.Cmd {
	v := &archiveScreen{app: a}
	whose := ""
	if me := a.Session.Account(); !me.IsGuest() {
		whose = me.Name
	}
	cmd := a.Push(v)
	return tea.Batch(cmd, v.turnTo(whose, nil, 0))
}

// turnTo loads a page and sets the cursor to row at.
func (v *archiveScreen) turnTo(player string, before []string, at int) tea.Cmd {
	return v.app.loadFinished(player, before, func(p finishedPage) { v.page, v.list.Index = p, at })
}

func (v *archiveScreen) Handle(msg tea.Msg) tea.Cmd {
	a := v.app
	me := a.Session.Account()
	switch key := v.input(msg); key {
	case "left", "right", "tab", "h", "l":
		if v.page.player == "" && !me.IsGuest() {
			return v.turnTo(me.Name, nil, 0)
		}
		return v.turnTo("", nil, 0)
	case "/":
		return a.OpenPrompt(&screen.Prompt{
			TextField: widget.TextField{Limit: lobby.MaxName}, Label: "Games of which player", EnterHelp: "list games",
			Enter: func(name string) tea.Cmd { return v.turnTo(name, nil, 0) },
		})
	case "?":
		return a.OpenHelp()
	case "q", "esc":
		return a.Back()
	default:
		return v.choose(a, key, func(before []string, at int) tea.Cmd { return v.turnTo(v.page.player, before, at) })
	}
}

// ownerText describes whose games are listed.
func (v *archiveScreen) ownerText() string {
	switch v.page.player {
	case "":
		return "all games"
	case v.app.Session.Account().Name:
		return "your games"
	}
	return v.page.player + "'s games"
}

func (v *archiveScreen) Draw(c paint.Canvas) {
	a := v.app
	_, h := c.Size()
	page := ""
	if len(v.page.before) > 0 || v.page.hasMore {
		page = fmt.Sprintf("page %d", len(v.page.before)+1)
	}
	widget.DrawHeader(c, a.Style.Theme, "Finished games", v.ownerText()+", newest first", page)
	v.page.draw(a, c, &v.list, 2, h-2, v.emptyText())
}

func (v *archiveScreen) emptyText() string {
	switch v.page.player {
	case "":
		return "No finished games yet."
	case v.app.Session.Account().Name:
		return "You have no finished games yet. Press p in the lobby to find an opponent, → to list all games."
	}
	return v.page.player + " has no finished games yet."
}

// draw draws the page's rows from row y on, or why there are none.
func (p *finishedPage) draw(a *Model, c paint.Canvas, l *widget.ListCursor, y, rows int, empty string) {
	t := a.Style.Theme
	w, _ := c.Size()
	message, style := "", t.Dim
	switch {
	case p.err != "":
		message, style = words.Sentence(p.err), t.Bad
	case !p.loaded:
		message = "Loading …"
	case len(p.games) == 0:
		message = empty
	}
	for i, text := range widget.Wrap(message, w-6) {
		c.Text(3, y+i, style, text)
	}
	from, to := l.Window(y, rows, len(p.games))
	for i := from; i < to; i++ {
		a.drawFinished(c.Sub(0, y+i-from, w, 1), &p.games[i], p.playerID, i == l.Index)
	}
}

// drawFinished draws the row of a finished match. viewer is the player from whose point of view the
// outcome is described; 0: none.
func (a *Model) drawFinished(c paint.Canvas, f *lobby.FinishedMatch, viewer lobby.AccountID, selected bool) {
	t := a.Style.Theme
	w, _ := c.Size()
	style, dim, mark := t.Text, t.Dim, t.Good
	if selected {
		style, dim, mark = t.Selected, t.Selected, t.Selected
		c.Fill(0, 0, w, 1, t.Selected, ' ')
		c.Text(0, 0, t.Selected, "›")
	}
	result, good := outcomeText(f, viewer)
	if !good && !selected {
		mark = t.Text
	}
	columns := []struct {
		text  string
		width int
		style paint.Style
	}{
		{result, 24, mark}, {f.Info.Title(), 17, dim},
		{words.Plural(f.Turns, "turn"), 10, dim}, {f.Info.Control.String(), 10, dim},
	}
	if w < 90 {
		columns[1].text, columns[1].width = shortTitle(f.Info), 13
		columns[0].width = 18
	}
	const dates = 13
	space := w - dates - widget.PlayersColumns
	fits := 0
	for fits < len(columns) && columns[fits].width <= space {
		space -= columns[fits].width
		fits++
	}
	c.Text(1, 0, dim, words.Date(f.Ended))
	x := w
	for i := fits - 1; i >= 0; i-- {
		x -= columns[i].width
		c.Text(x, 0, columns[i].style, paint.Cut(columns[i].text, columns[i].width-1))
	}
	var cells rowCells
	for i, s := range f.Info.Seats {
		if i < 2 {
			cells.names[i], cells.ratings[i] = s.Name, words.SeatRating(s.Rating)
		} else {
			cells.names[1] += " – " + s.Name
		}
	}
	c.Text(dates, 0, style, widget.Players(cells.names, cells.ratings, x-dates-1))
}

// shortTitle returns a match's game and the first of its options.
func shortTitle(info *lobby.MatchInfo) string {
	title, _, _ := strings.Cut(info.Title(), ",")
	return title
}

// endingTexts names the reasons for an end that the list shows.
var endingTexts = map[string]string{
	engine.ReasonResign: "resignation", engine.ReasonTime: "time", engine.ReasonLeft: "abandoned",
	engine.ReasonRepetition: "repetition", engine.ReasonDraw: "agreement",
}

// outcomeText describes the outcome of a match: to one of its players "won (time)"; to others "1–0
// (time)" with two players, else "ana won". good reports whether that player won.
func outcomeText(f *lobby.FinishedMatch, viewer lobby.AccountID) (text string, good bool) {
	winners, seats := f.Result.Winners, f.Info.Seats
	seat := -1
	if viewer != 0 {
		seat = seatOf(f.Info, viewer)
	}
	good = slices.Contains(winners, seat)
	switch n := len(winners); {
	case n == 0:
		return "aborted", false
	case n > 1 && (good || seat < 0):
		text = "draw"
	case good:
		text = "won"
	case seat >= 0:
		text = "lost"
	case len(seats) == 2:
		text = []string{"1–0", "0–1"}[winners[0]]
	default:
		text = seats[winners[0]].Name + " won"
	}
	if why := reason(f, seat); why != "" {
		text += " (" + why + ")"
	}
	return text, good && len(winners) == 1
}

// reason returns why a match ended, or, to a seat that left before the end, why it left. It is "" where
// the list shows no reason. seat is -1 for others.
func reason(f *lobby.FinishedMatch, seat int) string {
	if seat >= 0 && seat < len(f.Departures) {
		switch f.Departures[seat] {
		case lobby.LeftResigned:
			return "resigned"
		case lobby.LeftTime:
			return "time"
		case lobby.LeftAbsent:
			return "voted out"
		}
	}
	if f.Result.Reason == engine.ReasonLeft && len(f.Info.Seats) > 2 {
		return "others left"
	}
	if f.Result.Reason == engine.ReasonResign && seat >= 0 && !slices.Contains(f.Result.Winners, seat) {
		return "resigned"
	}
	return endingTexts[f.Result.Reason]
}

func (v *archiveScreen) StatusLine() (string, paint.Style) {
	t := v.app.Style.Theme
	n := len(v.page.games)
	switch {
	case n > 0 && v.list.Index == n-1 && v.page.hasMore:
		return "↓: older games.", t.Dim
	case n > 0 && v.list.Index == 0 && len(v.page.before) > 0:
		return "↑: newer games.", t.Dim
	}
	return "", t.Dim
}

func (v *archiveScreen) StatusKeys() []game.Key {
	other := "your games"
	if v.page.player != "" {
		other = "all games"
	}
	keys := []game.Key{{Key: "Enter", Help: "replay"}, {Key: "←→", Help: other}, {Key: "q", Help: "back"}, {Key: "/", Help: "player"}, {Key: "i", Help: "profile"}}
	if len(v.page.games) == 0 {
		keys = keys[1:]
	}
	return append(keys, game.Key{Key: "?", Help: "help"})
}

func (v *archiveScreen) Help() screen.Help {
	return screen.Help{
		Title: "Finished games",
		About: "All finished games are kept. Private games are listed only for their players.",
		Keys: []game.Key{
			{Key: "Enter", Help: "replay the selected game"},
			{Key: "↑ ↓", Help: "select a game; below the last row, load older games"},
			{Key: "← →", Help: "your games, all games"},
			{Key: "/", Help: "the games of a player"},
			{Key: "i", Help: "the profile of one of the game's players"},
			{Key: "q", Help: "back"},
		},
	}
}
