package tui

import (
	"fmt"
	"strings"
	"time"

	"ayumu/lobby"
	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/widget"
	"ayumu/tui/words"
)

// The lobby's layout.
const (
	wideColumns = 110 // from this width on, users and chat are beside the lists
	sideColumns = 42  // width of that side
	usersColumn = 26  // width of the users below the lists
)

func (v *lobbyScreen) Draw(c paint.Canvas) {
	w, h := c.Size()
	a := v.app
	me := a.Session.Account()
	right := me.Name + " (guest)"
	if !me.IsGuest() {
		right = me.Name
		for _, g := range a.Config.Games {
			if r, ok := me.Rating(g.Name()); ok {
				right += " · " + g.Engine().Title() + " " + words.Rating(r)
			}
		}
	}
	widget.DrawHeader(c, a.Style.Theme, a.Config.Site(), a.Config.SSHCommand(), right)
	now := time.Now()
	if w >= wideColumns {
		side := c.Sub(w-sideColumns, 1, sideColumns, h-1)
		v.drawList(c.Sub(0, 1, w-sideColumns-2, h-1), now)
		rows := max(min(len(v.view.Users)+1, (h-1)/3), 5)
		v.drawUsers(side.Sub(0, 0, sideColumns, rows))
		v.drawLobbyChat(side.Sub(0, rows, sideColumns, h))
		return
	}
	rows := 7
	if h > 22 {
		rows = h / 3
	}
	v.drawList(c.Sub(0, 1, w, h-1-rows), now)
	v.drawLobbyChat(c.Sub(0, h-rows, w-usersColumn-1, rows))
	v.drawUsers(c.Sub(w-usersColumn, h-rows, usersColumn, rows))
}

func (v *lobbyScreen) drawLobbyChat(c paint.Canvas) {
	a := v.app
	w, h := c.Size()
	widget.DrawRule(c, a.Style.Theme, 0, "Chat", a.Style.Theme.Dim)
	widget.DrawChat(c.Sub(1, 1, w-1, h-1), a.Style.Theme, a.Session.VisibleChat(&a.Session.Lobby().Chat, 0), "No messages yet. Press t to chat with everyone here.")
}

// drawUsers draws the users online, scrolled to the selected one.
func (v *lobbyScreen) drawUsers(c paint.Canvas) {
	t := v.app.Style.Theme
	w, h := c.Size()
	widget.DrawRule(c, v.app.Style.Theme, 0, fmt.Sprintf("%d online", len(v.view.Users)), t.Dim)
	rows := h - 1
	top := 0
	selected := -1
	if v.usersFocused {
		selected = v.selectedUserIndex()
		top = max(min(selected-rows/2, len(v.view.Users)-rows), 0)
	}
	v.drawShared(c.Sub(0, 1, w, rows), listFrameKey{users: true, top: top}, func(c paint.Canvas) { v.drawUserRows(c, top) })
	if y := selected - top; selected >= 0 && y < rows {
		mark := ""
		if v.view.Users[selected].Match != "" {
			mark = "▸"
		}
		drawSelectionMark(c.Sub(0, y+1, 2, 1), t.Selected, mark)
	}
}

// listFrameKey identifies a part of the lists as drawn for all sessions with the same size and style.
type listFrameKey struct {
	listsKey
	users    bool // the users; otherwise tables and matches
	top      int  // the first row
	w, h     int
	style    game.Style
	interval int64 // time in units of ageStep, which changes ages
}

// listFrameCache holds a few sizes and styles of the newest revision; a large one takes a megabyte.
var listFrameCache = game.Cache[listFrameKey, *paint.Frame]{Capacity: 32}

// drawShared draws a part of the lists that is the same for many sessions, once for all of them.
func (v *lobbyScreen) drawShared(c paint.Canvas, d listFrameKey, draw func(paint.Canvas)) {
	l := v.app.Session.Lobby()
	d.listsKey = listsKey{lobby: l, number: v.view.Revision, bots: v.app.Config.Bots != nil}
	d.w, d.h = c.Size()
	d.style = v.app.Style
	c.Blit(0, 0, listFrameCache.Get(d, func() *paint.Frame { return paint.Draw(nil, d.w, d.h, draw) }))
}

// drawUserRows draws the users from index top on, one per row.
func (v *lobbyScreen) drawUserRows(c paint.Canvas, top int) {
	t := v.app.Style.Theme
	w, h := c.Size()
	for y, p := range v.view.Users[top:min(top+h, len(v.view.Users))] {
		rating := ""
		if r, ok := (lobby.Account{ID: p.ID, Ratings: p.Ratings}).Rating(v.app.Config.Games.Default().Name()); ok {
			rating = words.Rating(r)
		}
		if p.Bot {
			rating = "bot " + rating
		}
		if v.app.Session.HasBlocked(p.ID) {
			rating = "blocked"
		}
		if p.Match != "" {
			c.Text(1, y, t.Dim, "▸")
		}
		c.Text(w-paint.Width(rating), y, t.Dim, rating)
		c.Text(2, y, t.Text, paint.Cut(p.Name, w-3-paint.Width(rating)))
	}
}

// drawList draws the rows, scrolled so that the selected one is visible.
func (v *lobbyScreen) drawList(c paint.Canvas, now time.Time) {
	_, h := c.Size()
	at := max(v.index(), 0)
	if at < v.top+1 {
		v.top = max(at-1, 0) // include the section's title
	}
	if at >= v.top+h {
		v.top = at - h + 1
	}
	v.top = max(min(v.top, len(v.items)-h), 0)
	v.area = listArea{y: 1, rows: h, top: v.top}
	if v.itemsShared {
		v.drawShared(c, listFrameKey{top: v.top, interval: now.Unix() / ageStep}, func(c paint.Canvas) { v.drawRows(c, now) })
	} else {
		v.drawRows(c, now)
	}
	if it, ok := v.selected(); ok {
		drawSelectionMark(c.Sub(0, at-v.top, 3, 1), v.app.Style.Theme.Selected, v.cellsOf(it, now).mark)
	}
}

// ageStep is how long, in seconds, a shared drawing with ages is used.
const ageStep = 10

// drawRows draws the visible rows without the mark of the selected one.
func (v *lobbyScreen) drawRows(c paint.Canvas, now time.Time) {
	w, h := c.Size()
	t := v.app.Style.Theme
	for y, it := range v.items[v.top:min(v.top+h, len(v.items))] {
		row := c.Sub(0, y, w, 1)
		switch {
		case it.title != "":
			row.Text(1, 0, t.Strong, it.title)
		case it.empty != "":
			row.Text(3, 0, t.Dim, paint.Cut(it.empty, w-4))
		case it.selectable():
			v.drawItem(row, it, now)
		}
	}
	if free := h - len(v.items) - 2; free > 0 {
		style, picture := v.app.Style, v.app.Config.Picture
		_, rows := picture.Size(style.ASCII)
		picture.Draw(c, style.Theme.Text, style.ASCII, h-1-rows, free)
	}
	if rest := len(v.items) - v.top - h; rest > 0 {
		text := fmt.Sprintf(" %d more ↓ ", rest)
		c.Text(w-paint.Width(text), h-1, t.Dim, text)
	}
}

// drawSelectionMark marks the selected row at its beginning. Highlighting the whole row would send two
// complete rows for each step of the cursor.
func drawSelectionMark(c paint.Canvas, s paint.Style, mark string) {
	w, _ := c.Size()
	c.Fill(0, 0, w, 1, s, ' ')
	c.Text(0, 0, s, "›"+mark)
}

// rowCells is the content of a row: the players, and columns that all sections share.
type rowCells struct {
	mark      string
	names     [2]string // names; the second may be empty
	ratings   [2]string
	isWaiting bool // it waits for the user

	game, clock, state, age, more string
}

// Widths of the columns, from left to right. Columns that do not fit beside the names are left out, the
// least important first.
const (
	gameColumn  = 13 // without the options
	wideGame    = 16
	clockColumn = 9
	stateColumn = 10
	ageColumn   = 7
	moreColumn  = 13
)

func (v *lobbyScreen) drawItem(c paint.Canvas, it item, now time.Time) {
	t := v.app.Style.Theme
	w, _ := c.Size()
	cells := v.cellsOf(it, now)
	style, dim := t.Text, t.Dim
	if cells.isWaiting {
		style = t.Notice
	}
	c.Text(1, 0, t.Notice, cells.mark)
	game := wideGame
	if w < 90 {
		game = gameColumn
		cells.game, _, _ = strings.Cut(cells.game, ",")
	}
	columns := []struct {
		text  string
		width int
	}{{cells.game, game}, {cells.clock, clockColumn}, {cells.state, stateColumn}, {cells.age, ageColumn}, {cells.more, moreColumn}}
	space := w - 3 - widget.PlayersColumns
	var fits [5]bool
	for _, i := range [...]int{0, 4, 3, 2, 1} {
		if columns[i].width <= space {
			space -= columns[i].width
			fits[i] = true
		}
	}
	x := w
	for i := len(columns) - 1; i >= 0; i-- {
		if !fits[i] {
			continue
		}
		x -= columns[i].width
		c.Text(x, 0, dim, paint.Cut(columns[i].text, columns[i].width-1))
	}
	c.Text(3, 0, style, widget.Players(cells.names, cells.ratings, x-4))
}

func (v *lobbyScreen) cellsOf(it item, now time.Time) rowCells {
	switch {
	case it.ownMatch != nil:
		return v.ownCells(it.ownMatch, now)
	case it.table != nil:
		return v.tableCells(it.table, now)
	}
	return v.matchCells(it.listing, now)
}

func (v *lobbyScreen) ownCells(m *lobby.Match, now time.Time) rowCells {
	s := v.app.Session.Snapshot(m)
	me := v.app.Session.Account().ID
	seat := seatOf(m.Info, me)
	l := rowCells{mark: "·", state: "waiting", game: m.Info.Title(), clock: m.Info.Control.String(), age: words.AgoText(now.Sub(s.LastAt))}
	if s.Position.Turn() == seat {
		l.mark, l.isWaiting, l.state = "▸", true, "your turn"
	}
	if left, ok := s.Remaining(seat, now); ok {
		l.more = words.Clock(left)
	}
	l.names[0] = words.WithOpponents(m.Info, me)
	if len(m.Info.Seats) == 2 {
		l.ratings[0] = words.SeatRating(m.Info.Seats[1-seat].Rating)
	}
	return l
}

func (v *lobbyScreen) tableCells(t *lobby.Table, now time.Time) rowCells {
	me := v.app.Session.Account()
	l := rowCells{names: [2]string{t.Owner}, game: lobby.Title(t.Options), clock: t.Control.String(), state: "casual", age: words.AgoText(now.Sub(t.Opened))}
	l.ratings[0] = words.SeatRating(t.Rating)
	if t.Rated {
		l.state = "rated"
	}
	switch own := isOwner(t, me); {
	case own:
		l.mark, l.names[0], l.ratings[0] = "·", "your table", ""
		switch {
		case t.Quick:
			l.names[0], l.more = "looking for an opponent", "p to cancel"
		case t.Private:
			l.names[0], l.more = "your private table", t.Code(me.ID)
		case t.To != "":
			l.names[0] = "you challenge " + t.To
		}
	case t.To == me.Name:
		l.mark, l.isWaiting = "▸", true
		l.names[0], l.ratings[0] = t.Owner+" challenges you", ""
	case t.Quick:
		l.more = "quick match"
	}
	if t.Delay > 0 && l.more == "" {
		l.more = words.Plural(t.Delay, "turn") + " late"
	}
	if seated := seatedText(t); seated != "" {
		l.more = seated
	}
	return l
}

func (v *lobbyScreen) matchCells(m *lobby.MatchListing, now time.Time) rowCells {
	l := rowCells{game: m.Info.Title(), clock: m.Info.Control.String(), state: fmt.Sprintf("turn %d", m.Turns+1), age: words.AgoText(now.Sub(m.LastAt))}
	if m.ID == v.view.Featured {
		l.mark = "★"
	}
	for i, s := range m.Info.Seats {
		if i < 2 {
			l.names[i], l.ratings[i] = s.Name, words.SeatRating(s.Rating)
		} else {
			l.names[1] += " – " + s.Name
		}
	}
	if m.Spectators > 0 {
		if l.more = words.Plural(m.Spectators, "spectator"); paint.Width(l.more) >= moreColumn {
			l.more = fmt.Sprintf("%d watching", m.Spectators)
		}
	}
	return l
}
