package tui

import (
	"fmt"
	"strings"
	"time"

	"ayumu/lobby"
	"ayumu/tui/board"
	"ayumu/tui/boards"
	"ayumu/tui/paint"
	"ayumu/tui/words"
)

// Where the lobby's parts lie.
const (
	wideFrom     = 110 // columns from which people and talk stand beside the lists
	wideSide     = 42  // columns of that side
	peopleColumn = 26  // columns of the people below the lists
)

func (v *lobbyView) draw(c paint.Canvas) {
	w, h := c.Size()
	a := v.app
	me := a.session.Account()
	right := me.Name + " (guest)"
	if !me.Guest() {
		right = me.Name
		for _, g := range boards.All {
			if r, ok := me.Rating(g.Name()); ok {
				right += " · " + gameTitle(g) + " " + words.Rating(r)
			}
		}
	}
	a.header(c, a.visit.club(), a.address(), right)
	now := time.Now()
	if w >= wideFrom {
		side := c.Sub(w-wideSide, 1, wideSide, h-1)
		v.drawList(c.Sub(0, 1, w-wideSide-2, h-1), now)
		rows := max(min(len(v.view.People)+1, (h-1)/3), 5)
		v.drawPeople(side.Sub(0, 0, wideSide, rows))
		v.drawLobbyTalk(side.Sub(0, rows, wideSide, h))
		return
	}
	rows := 7
	if h > 22 {
		rows = h / 3
	}
	v.drawList(c.Sub(0, 1, w, h-1-rows), now)
	v.drawLobbyTalk(c.Sub(0, h-rows, w-peopleColumn-1, rows))
	v.drawPeople(c.Sub(w-peopleColumn, h-rows, peopleColumn, rows))
}

func (v *lobbyView) drawLobbyTalk(c paint.Canvas) {
	a := v.app
	w, h := c.Size()
	a.rule(c, 0, "Talk", a.look.Theme.Dim)
	a.drawChat(c.Sub(1, 1, w-1, h-1), a.session.Heard(&a.session.Lobby().Chat, 0), "Nobody has said anything yet. t talks to all who are here.")
}

// drawPeople draws who is here, around the chosen one.
func (v *lobbyView) drawPeople(c paint.Canvas) {
	t := v.app.look.Theme
	w, h := c.Size()
	v.app.rule(c, 0, fmt.Sprintf("%d here", len(v.view.People)), t.Dim)
	rows := h - 1
	top := 0
	chosen := -1
	if v.people {
		chosen = v.personIndex()
		top = max(min(chosen-rows/2, len(v.view.People)-rows), 0)
	}
	v.blit(c.Sub(0, 1, w, rows), drawing{people: true, top: top}, func(c paint.Canvas) { v.drawPresent(c, top) })
	if y := chosen - top; chosen >= 0 && y < rows {
		mark := ""
		if v.view.People[chosen].Match != "" {
			mark = "▸"
		}
		pick(c.Sub(0, y+1, 2, 1), t.Pick, mark)
	}
}

// drawing names a part of the lists as it is drawn for all who have the same size and look.
type drawing struct {
	listsKey
	people   bool // else the tables and matches
	top      int  // the first row
	w, h     int
	look     board.Look
	interval int64 // of time, which changes ages
}

// A few sizes and looks of the newest state; a large one takes a megabyte.
var drawings = board.Cache[drawing, *paint.Frame]{Keep: 32}

// blit draws a part of the lists that looks the same for everybody: once for all.
func (v *lobbyView) blit(c paint.Canvas, d drawing, draw func(paint.Canvas)) {
	l := v.app.session.Lobby()
	d.listsKey = listsKey{lobby: l, number: v.view.Number, bots: v.app.visit.Bots != nil}
	d.w, d.h = c.Size()
	d.look = v.app.look
	c.Blit(0, 0, drawings.Get(d, func() *paint.Frame { return paint.Draw(nil, d.w, d.h, draw) }))
}

// drawPresent draws people, one to a row.
func (v *lobbyView) drawPresent(c paint.Canvas, top int) {
	t := v.app.look.Theme
	w, h := c.Size()
	for y, p := range v.view.People[top:min(top+h, len(v.view.People))] {
		rating := ""
		if r, ok := (lobby.Account{ID: p.ID, Ratings: p.Ratings}).Rating(boards.All[0].Name()); ok {
			rating = words.Rating(r)
		}
		if p.Bot {
			rating = "bot " + rating
		}
		if v.app.session.Blocked(p.ID) {
			rating = "blocked"
		}
		if p.Match != "" {
			c.Text(1, y, t.Dim, "▸")
		}
		c.Text(w-paint.Width(rating), y, t.Dim, rating)
		c.Text(2, y, t.Text, paint.Cut(p.Name, w-3-paint.Width(rating)))
	}
}

// drawList draws the rows, scrolled so that the chosen one is in view.
func (v *lobbyView) drawList(c paint.Canvas, now time.Time) {
	_, h := c.Size()
	at := max(v.index(), 0)
	if at < v.top+1 {
		v.top = max(at-1, 0) // with the section's title
	}
	if at >= v.top+h {
		v.top = at - h + 1
	}
	v.top = max(min(v.top, len(v.items)-h), 0)
	v.area = listArea{y: 1, rows: h, top: v.top}
	if v.common {
		v.blit(c, drawing{top: v.top, interval: now.Unix() / ageStep}, func(c paint.Canvas) { v.drawRows(c, now) })
	} else {
		v.drawRows(c, now)
	}
	if it, ok := v.selected(); ok {
		pick(c.Sub(0, at-v.top, 3, 1), v.app.look.Theme.Pick, v.cellsOf(it, now).mark)
	}
}

// ageStep is how long, in seconds, a drawing with ages is good for all.
const ageStep = 10

// drawRows draws what fits of the rows, without the mark of the chosen one.
func (v *lobbyView) drawRows(c paint.Canvas, now time.Time) {
	w, h := c.Size()
	t := v.app.look.Theme
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
		_, rows := v.app.pictureSize()
		v.app.drawPicture(c, h-1-rows, free)
	}
	if rest := len(v.items) - v.top - h; rest > 0 {
		text := fmt.Sprintf(" %d more ↓ ", rest)
		c.Text(w-paint.Width(text), h-1, t.Dim, text)
	}
}

// pick marks the row of a list that is chosen, at its beginning: with a ground under all of it a
// step would send two whole rows.
func pick(c paint.Canvas, s paint.Style, mark string) {
	w, _ := c.Size()
	c.Fill(0, 0, w, 1, s, ' ')
	c.Text(0, 0, s, "›"+mark)
}

// listCells is what a row shows: the players, and columns that are the same in all sections.
type listCells struct {
	mark    string
	who     [2]string // names; the second may be empty
	ratings [2]string
	note    bool // it waits for the person

	game, clock, state, age, more string
}

// The columns' widths, from left to right. What does not fit beside the names is left out, the
// least important first.
const (
	gameColumn  = 13 // wideGame in a wide list, with the options
	wideGame    = 16
	clockColumn = 9
	stateColumn = 10
	ageColumn   = 7
	moreColumn  = 13
	whoLeast    = 23
)

func (v *lobbyView) drawItem(c paint.Canvas, it item, now time.Time) {
	t := v.app.look.Theme
	w, _ := c.Size()
	cells := v.cellsOf(it, now)
	style, dim := t.Text, t.Dim
	if cells.note {
		style = t.Note
	}
	c.Text(1, 0, t.Note, cells.mark)
	game := wideGame
	if w < 90 {
		game = gameColumn
		cells.game, _, _ = strings.Cut(cells.game, ",")
	}
	columns := []struct {
		text  string
		width int
	}{{cells.game, game}, {cells.clock, clockColumn}, {cells.state, stateColumn}, {cells.age, ageColumn}, {cells.more, moreColumn}}
	room := w - 3 - whoLeast
	var fits [5]bool
	for _, i := range [...]int{0, 4, 3, 2, 1} {
		if columns[i].width <= room {
			room -= columns[i].width
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
	c.Text(3, 0, style, pair(cells, x-4))
}

// pair writes two names with their ratings, as much of them as fits.
func pair(l listCells, width int) string {
	const between = " – "
	with := func(i int) string {
		if l.ratings[i] == "" {
			return l.who[i]
		}
		return l.who[i] + " " + l.ratings[i]
	}
	if l.who[1] == "" {
		if s := with(0); paint.Width(s) <= width {
			return s
		}
		return paint.Cut(l.who[0], width)
	}
	if s := with(0) + between + with(1); paint.Width(s) <= width {
		return s
	}
	if s := l.who[0] + between + l.who[1]; paint.Width(s) <= width {
		return s
	}
	half := (width - paint.Width(between)) / 2
	return paint.Cut(l.who[0], half) + between + paint.Cut(l.who[1], half)
}

func (v *lobbyView) cellsOf(it item, now time.Time) listCells {
	switch {
	case it.own != nil:
		return v.ownCells(it.own, now)
	case it.table != nil:
		return v.tableCells(it.table, now)
	}
	return v.matchCells(it.match, now)
}

func ratingOf(r *lobby.Rating) string {
	if r == nil {
		return ""
	}
	return words.Rating(*r)
}

func (v *lobbyView) ownCells(m *lobby.Match, now time.Time) listCells {
	s := v.app.session.Snapshot(m)
	me := v.app.session.Account().ID
	seat := seatOf(m.Info, me)
	l := listCells{mark: "·", state: "waiting", game: m.Info.Title(), clock: m.Info.Control.String(), age: words.Ago(now.Sub(s.LastAt))}
	if s.Position.Turn() == seat {
		l.mark, l.note, l.state = "▸", true, "your turn"
	}
	if left, ok := s.Left(seat, now); ok {
		l.more = words.Clock(left)
	}
	l.who[0] = words.Versus(m.Info, me)
	if len(m.Info.Seats) == 2 {
		l.ratings[0] = ratingOf(m.Info.Seats[1-seat].Rating)
	}
	return l
}

func (v *lobbyView) tableCells(t *lobby.Table, now time.Time) listCells {
	me := v.app.session.Account()
	l := listCells{who: [2]string{t.Owner}, game: lobby.Title(t.Game, t.Options), clock: t.Control.String(), state: "casual", age: words.Ago(now.Sub(t.Opened))}
	l.ratings[0] = ratingOf(t.Rating)
	if t.Rated {
		l.state = "rated"
	}
	switch own := ownedBy(t, me); {
	case own:
		l.mark, l.who[0], l.ratings[0] = "·", "your table", ""
		switch {
		case t.Quick:
			l.who[0], l.more = "you look for a game", "p stops that"
		case t.Private:
			l.who[0], l.more = "your private table", t.Code(me.ID)
		case t.To != "":
			l.who[0] = "you challenge " + t.To
		}
	case t.To == me.Name:
		l.mark, l.note = "▸", true
		l.who[0], l.ratings[0] = t.Owner+" challenges you", ""
	case t.Quick:
		l.more = "quick match"
	}
	if t.Delay > 0 && l.more == "" {
		l.more = words.Plural(t.Delay, "turn") + " late"
	}
	if seated := seatedAs(t); seated != "" {
		l.more = seated
	}
	return l
}

func (v *lobbyView) matchCells(m *lobby.Listing, now time.Time) listCells {
	l := listCells{game: m.Info.Title(), clock: m.Info.Control.String(), state: fmt.Sprintf("turn %d", m.Turns+1), age: words.Ago(now.Sub(m.LastAt))}
	if m.ID == v.view.Featured {
		l.mark = "★"
	}
	for i, s := range m.Info.Seats {
		if i < 2 {
			l.who[i], l.ratings[i] = s.Name, ratingOf(s.Rating)
		} else {
			l.who[1] += " – " + s.Name
		}
	}
	if m.Watchers > 0 {
		l.more = words.Plural(m.Watchers, "watcher")
	}
	return l
}
