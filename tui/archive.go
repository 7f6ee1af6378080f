package tui

import (
	"context"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ayumu/engine"
	"ayumu/lobby"
	"ayumu/tui/board"
	"ayumu/tui/paint"
	"ayumu/tui/words"
)

// archivePage is how many finished games are read at once.
const archivePage = 50

// finishedPage is one page of the finished games of somebody, or of everybody.
type finishedPage struct {
	player string // whose games; empty: everybody's
	who    lobby.AccountID
	before []string // the games before which this page and those above it begin
	games  []lobby.Finished
	more   bool // there is a page after this one
	loaded bool
	failed string
}

// load reads the page that begins after the last of before, and then runs done.
func (a *app) load(player string, before []string, done func(finishedPage)) tea.Cmd {
	p := finishedPage{player: player, before: before}
	var after string
	if n := len(before); n > 0 {
		after = before[n-1]
	}
	return a.call(func(ctx context.Context) error {
		if err := a.session.Spend(lobby.WorkArchive); err != nil {
			return err
		}
		if player != "" {
			account, err := a.session.Lobby().Find(ctx, player)
			if err != nil {
				_, p.failed = lobby.Explain(err)
				return nil
			}
			p.player, p.who = account.Name, account.ID
		}
		games, err := a.session.Lobby().Games(ctx, a.session.Account().ID, player, after, archivePage+1)
		if err != nil {
			_, p.failed = lobby.Explain(err)
		}
		p.loaded, p.more = true, len(games) > archivePage
		p.games = games[:min(len(games), archivePage)]
		return nil
	}, func() tea.Cmd {
		done(p)
		return nil
	})
}

// older and newer return the beginnings with which the next and the last page are read.
func (p *finishedPage) older() []string {
	return append(p.before[:len(p.before):len(p.before)], p.games[len(p.games)-1].Info.ID)
}

func (p *finishedPage) newer() []string { return p.before[:len(p.before)-1] }

// finishedList is a page of finished games of which one is chosen.
type finishedList struct {
	page finishedPage
	list list
}

// input returns the key that was pressed, or the one that does the same as what the mouse did.
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
		if again, ok := l.list.click(msg.Y, len(l.page.games)); ok && again {
			return "enter"
		}
	}
	return ""
}

// choose takes the keys that go through the games and open one; turnTo reads another page and puts
// the cursor on one of its rows.
func (l *finishedList) choose(a *app, key string, turnTo func(before []string, at int) tea.Cmd) tea.Cmd {
	n := len(l.page.games)
	switch key {
	case "down", "j", "pgdown":
		if l.list.at == n-1 && l.page.more {
			return turnTo(l.page.older(), 0)
		}
	case "up", "k", "pgup":
		if l.list.at == 0 && len(l.page.before) > 0 {
			return turnTo(l.page.newer(), archivePage-1)
		}
	case "enter", "space":
		if l.list.at < n {
			return a.openReplay(l.page.games[l.list.at].Info.ID)
		}
	case "i", "I":
		if l.list.at < n {
			return a.profileOf(l.page.games[l.list.at].Info)
		}
	}
	l.list.key(key, n)
	return nil
}

// archiveView lists finished games, newest first.
type archiveView struct {
	app *app
	finishedList
	plain
}

// openArchive lists the games of the person, or everybody's if he is a guest.
func (a *app) openArchive() tea.Cmd {
	v := &archiveView{app: a}
	whose := ""
	if me := a.session.Account(); !me.Guest() {
		whose = me.Name
	}
	cmd := a.deeper(v)
	return tea.Batch(cmd, v.turnTo(whose, nil, 0))
}

// turnTo reads a page and puts the cursor on one of its rows.
func (v *archiveView) turnTo(player string, before []string, at int) tea.Cmd {
	return v.app.load(player, before, func(p finishedPage) { v.page, v.list.at = p, at })
}

func (v *archiveView) handle(msg tea.Msg) tea.Cmd {
	a := v.app
	me := a.session.Account()
	switch key := v.input(msg); key {
	case "left", "right", "tab", "h", "l":
		if v.page.player == "" && !me.Guest() {
			return v.turnTo(me.Name, nil, 0)
		}
		return v.turnTo("", nil, 0)
	case "/":
		return a.typing(&line{
			field: field{limit: lobby.MaxName}, label: "Games of whom", does: "list them",
			enter: func(name string) tea.Cmd { return v.turnTo(name, nil, 0) },
		})
	case "?":
		return a.openHelp()
	case "q", "esc":
		return a.up()
	default:
		return v.choose(a, key, func(before []string, at int) tea.Cmd { return v.turnTo(v.page.player, before, at) })
	}
}

// whose says whose games are listed.
func (v *archiveView) whose() string {
	switch v.page.player {
	case "":
		return "everybody's"
	case v.app.session.Account().Name:
		return "yours"
	}
	return v.page.player + "'s"
}

func (v *archiveView) draw(c paint.Canvas) {
	a := v.app
	_, h := c.Size()
	page := ""
	if len(v.page.before) > 0 || v.page.more {
		page = fmt.Sprintf("page %d", len(v.page.before)+1)
	}
	a.header(c, "Finished games", v.whose()+", the newest first", page)
	v.page.draw(a, c, &v.list, 2, h-2, v.empty())
}

func (v *archiveView) empty() string {
	switch v.page.player {
	case "":
		return "No game has been finished yet."
	case v.app.session.Account().Name:
		return "You have finished no game yet. In the lobby p finds you an opponent; → lists everybody's games."
	}
	return v.page.player + " has finished no game yet."
}

// draw draws the page's rows from y on, or why there are none.
func (p *finishedPage) draw(a *app, c paint.Canvas, l *list, y, rows int, empty string) {
	t := a.look.Theme
	w, _ := c.Size()
	say, style := "", t.Dim
	switch {
	case p.failed != "":
		say, style = words.Sentence(p.failed), t.Bad
	case !p.loaded:
		say = "Reading …"
	case len(p.games) == 0:
		say = empty
	}
	for i, text := range wrap(say, w-6) {
		c.Text(3, y+i, style, text)
	}
	from, to := l.window(y, rows, len(p.games))
	for i := from; i < to; i++ {
		a.drawFinished(c.Sub(0, y+i-from, w, 1), &p.games[i], p.who, i == l.at)
	}
}

// drawFinished draws a row about a finished game, seen from a player if there is one.
func (a *app) drawFinished(c paint.Canvas, f *lobby.Finished, who lobby.AccountID, chosen bool) {
	t := a.look.Theme
	w, _ := c.Size()
	style, dim, mark := t.Text, t.Dim, t.Good
	if chosen {
		style, dim, mark = t.Pick, t.Pick, t.Pick
		c.Fill(0, 0, w, 1, t.Pick, ' ')
		c.Text(0, 0, t.Pick, "›")
	}
	result, good := outcome(f, who)
	if !good && !chosen {
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
	room := w - dates - whoLeast
	fits := 0
	for fits < len(columns) && columns[fits].width <= room {
		room -= columns[fits].width
		fits++
	}
	c.Text(1, 0, dim, day(f.Ended))
	x := w
	for i := fits - 1; i >= 0; i-- {
		x -= columns[i].width
		c.Text(x, 0, columns[i].style, paint.Cut(columns[i].text, columns[i].width-1))
	}
	var cells listCells
	for i, s := range f.Info.Seats {
		if i < 2 {
			cells.who[i], cells.ratings[i] = s.Name, ratingOf(s.Rating)
		} else {
			cells.who[1] += " – " + s.Name
		}
	}
	c.Text(dates, 0, style, pair(cells, x-dates-1))
}

// shortTitle names a game and its size: "Ayu 11×11".
func shortTitle(info *lobby.Info) string {
	title, _, _ := strings.Cut(info.Title(), ",")
	return title
}

// reasons are the endings that are worth a word in a list.
var reasons = map[string]string{
	engine.Resign: "resigned", engine.Time: "time", engine.Left: "went away",
	engine.Repetition: "repetition", engine.Draw: "agreed",
}

// outcome says how a game ended: to a player of it "won (time)", and whether that is good; to others
// "1–0 (time)" in a game of two, else "ana won".
func outcome(f *lobby.Finished, who lobby.AccountID) (text string, good bool) {
	winners, seats := f.Result.Winners, f.Info.Seats
	seat := -1
	if who != 0 {
		seat = seatOf(f.Info, who)
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

// reason says why a game ended, to a seat that left it before (-1: none) why it did; "" where that is
// not worth a word.
func reason(f *lobby.Finished, seat int) string {
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
	if f.Result.Reason == engine.Left && len(f.Info.Seats) > 2 {
		return "others left"
	}
	return reasons[f.Result.Reason]
}

func (v *archiveView) hint() (string, paint.Style) {
	t := v.app.look.Theme
	n := len(v.page.games)
	switch {
	case n > 0 && v.list.at == n-1 && v.page.more:
		return "↓ reads older games.", t.Dim
	case n > 0 && v.list.at == 0 && len(v.page.before) > 0:
		return "↑ goes back to newer games.", t.Dim
	}
	return "", t.Dim
}

func (v *archiveView) keys() []board.Key {
	other := "yours"
	if v.page.player != "" {
		other = "everybody's"
	}
	keys := []board.Key{{Key: "Enter", Does: "replay"}, {Key: "←→", Does: other}, {Key: "q", Does: "back"}, {Key: "/", Does: "a player's"}, {Key: "i", Does: "profile"}}
	if len(v.page.games) == 0 {
		keys = keys[1:]
	}
	return append(keys, board.Key{Key: "?", Does: "help"})
}

func (v *archiveView) help() helpPage {
	return helpPage{
		title: "Finished games",
		about: "Every finished game is kept. Private games are listed for their players alone.",
		keys: []board.Key{
			{Key: "Enter", Does: "replay the chosen game"},
			{Key: "↑ ↓", Does: "choose; beyond the last row older games are read"},
			{Key: "← →", Does: "your games, everybody's games"},
			{Key: "/", Does: "the games of a player"},
			{Key: "i", Does: "the profile of one of its players"},
			{Key: "q", Does: "back"},
		},
	}
}
