package lobbyscreen

import (
	"fmt"
	"strings"
	"time"

	"ayumu/lobby"
	"ayumu/tui/paint"
	"ayumu/tui/screen/lists"
	"ayumu/tui/widget"
	"ayumu/tui/words"
)

// The lobby's layout.
const (
	wideColumns   = 110 // from this width on, users and chat are beside the lists
	sideColumns   = 42  // width of that side
	usersColumn   = 26  // width of the users below the lists
	narrowColumns = 60  // below this width, the users are shown in place of the chat while one is selected
	narrowRows    = 4   // below the lists, with a title
)

// drawing draws the lobby at a time.
type drawing struct {
	*lobbyScreen
	now time.Time
}

// Draw implements screen.Screen.
func (v *lobbyScreen) Draw(c paint.Canvas) { drawing{v, time.Now()}.draw(c) }

func (v drawing) draw(c paint.Canvas) {
	w, h := c.Size()
	sh, me := v.Shell, v.me()
	right := me.Name + " (guest)"
	if !me.IsGuest() {
		right = me.Name
		for _, g := range sh.Config.Games {
			if r, ok := me.Rating(g.Name()); ok {
				right += " · " + g.Engine().Title() + " " + words.Rating(r)
			}
		}
	}
	widget.DrawHeader(c, sh.Style.Theme, sh.Config.Site(), sh.Config.SSHCommand(), right)
	if w >= wideColumns {
		side := c.Sub(w-sideColumns, 1, sideColumns, h-1)
		v.drawList(c.Sub(0, 1, w-sideColumns-2, h-1))
		rows := max(min(len(v.view.Users)+1, (h-1)/3), 5)
		v.drawUsers(side.Sub(0, 0, sideColumns, rows))
		v.drawLobbyChat(side.Sub(0, rows, sideColumns, h))
		return
	}
	if w < narrowColumns {
		rows := max(h/3, narrowRows)
		v.drawList(c.Sub(0, 1, w, h-1-rows))
		if below := c.Sub(0, h-rows, w, rows); v.usersFocused {
			v.drawUsers(below)
		} else {
			v.drawLobbyChat(below)
		}
		return
	}
	rows := 7
	if h > 22 {
		rows = h / 3
	}
	v.drawList(c.Sub(0, 1, w, h-1-rows))
	v.drawLobbyChat(c.Sub(0, h-rows, w-usersColumn-1, rows))
	v.drawUsers(c.Sub(w-usersColumn, h-rows, usersColumn, rows))
}

func (v drawing) drawLobbyChat(c paint.Canvas) {
	sh := v.Shell
	w, h := c.Size()
	widget.DrawRule(c, sh.Style.Theme, 0, "Chat", sh.Style.Theme.Dim)
	widget.DrawChat(c.Sub(1, 1, w-1, h-1), sh.Style.Theme, sh.Session.VisibleChat(&sh.Session.Lobby().Chat, 0), "No messages yet. Press t to chat with everyone here.")
}

// drawUsers draws the users online, scrolled to the selected one.
func (v drawing) drawUsers(c paint.Canvas) {
	t := v.Shell.Style.Theme
	w, h := c.Size()
	widget.DrawRule(c, v.Shell.Style.Theme, 0, fmt.Sprintf("%d online", len(v.view.Users)), t.Dim)
	rows := h - 1
	top := 0
	selected := -1
	if v.usersFocused {
		selected = v.userIndex()
		top = max(min(selected-rows/2, len(v.view.Users)-rows), 0)
	}
	v.drawShared(c.Sub(0, 1, w, rows), lists.FrameKey{IsUsers: true, Top: top}, func(c paint.Canvas) { v.drawUserRows(c, top) })
	v.drawBlockedUsers(c.Sub(0, 1, w, rows), top)
	if y := selected - top; selected >= 0 && y < rows {
		mark := ""
		if v.view.Users[selected].Match != "" {
			mark = "▸"
		}
		drawSelectionMark(c.Sub(0, y+1, 2, 1), t.Selected, mark)
	}
}

// drawShared draws a part of the lists that is the same for many sessions, once for all of them.
func (v drawing) drawShared(c paint.Canvas, k lists.FrameKey, draw func(paint.Canvas)) {
	k.Key = lists.KeyOf(v.Shell.Session.Lobby(), v.view, v.hasBots())
	k.Width, k.Height = c.Size()
	k.Style = v.Shell.Style
	c.Blit(0, 0, v.Shell.Shared.Lists.Frame(k, draw))
}

// drawUserRows draws the users from index top on, one per row.
func (v drawing) drawUserRows(c paint.Canvas, top int) {
	w, h := c.Size()
	for y, p := range v.view.Users[top:min(top+h, len(v.view.Users))] {
		rating := ""
		if r, ok := (lobby.Account{ID: p.ID, Ratings: p.Ratings}).Rating(v.Shell.Config.Games.Default().Name()); ok {
			rating = words.Rating(r)
		}
		if p.Bot {
			rating = "bot " + rating
		}
		v.drawUser(c.Sub(0, y, w, 1), p, rating)
	}
}

// drawUser draws a user with a rating or another short text.
func (v drawing) drawUser(c paint.Canvas, p lobby.UserListing, rating string) {
	t := v.Shell.Style.Theme
	w, _ := c.Size()
	if p.Match != "" {
		c.Text(1, 0, t.Dim, "▸")
	}
	c.Text(w-paint.Width(rating), 0, t.Dim, rating)
	c.Text(2, 0, t.Text, paint.Cut(p.Name, w-3-paint.Width(rating)))
}

// drawBlockedUsers draws the users again whom this user has blocked, since the list is shared with others.
func (v drawing) drawBlockedUsers(c paint.Canvas, top int) {
	w, h := c.Size()
	for y, p := range v.view.Users[top:min(top+h, len(v.view.Users))] {
		if v.Shell.Session.OwnAccount().HasBlocked(p.ID) {
			row := c.Sub(0, y, w, 1)
			row.Fill(0, 0, w, 1, paint.Style{}, ' ')
			v.drawUser(row, p, "blocked")
		}
	}
}

// drawList draws the rows, scrolled so that the selected one is visible.
func (v drawing) drawList(c paint.Canvas) {
	_, h := c.Size()
	v.rows.Scroll(1, h)
	if v.rowsShared {
		v.drawShared(c, lists.FrameKey{Top: v.rows.Top, Interval: v.now.Unix() / ageStep}, func(c paint.Canvas) { v.drawRows(c) })
	} else {
		v.drawRows(c)
	}
	if r, ok := v.selected(); ok {
		drawSelectionMark(c.Sub(0, v.rows.Index()-v.rows.Top, 3, 1), v.Shell.Style.Theme.Selected, v.cellsOf(r).mark)
	}
}

// ageStep is how long, in seconds, a shared drawing with ages is used.
const ageStep = 10

// drawRows draws the visible rows without the mark of the selected one.
func (v drawing) drawRows(c paint.Canvas) {
	w, h := c.Size()
	t := v.Shell.Style.Theme
	for y, r := range v.rows.Rows[v.rows.Top:min(v.rows.Top+h, len(v.rows.Rows))] {
		row := c.Sub(0, y, w, 1)
		switch {
		case r.Title != "":
			row.Text(1, 0, t.Strong, r.Title)
		case r.Empty != "":
			row.Text(3, 0, t.Dim, paint.Cut(r.Empty, w-4))
		case r.IsSelectable():
			v.drawRow(row, v.cellsOf(r))
		}
	}
	if free := h - len(v.rows.Rows) - 2; free > 0 {
		style, picture := v.Shell.Style, v.Shell.Config.Picture
		_, rows := picture.Size(style.ASCII)
		picture.Draw(c, style.Theme.Text, style.ASCII, h-1-rows, free)
	}
	if rest := len(v.rows.Rows) - v.rows.Top - h; rest > 0 {
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

// drawRow draws a match or a table.
func (v drawing) drawRow(c paint.Canvas, cells rowCells) {
	t := v.Shell.Style.Theme
	w, _ := c.Size()
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

// cellsOf returns the content of a row.
func (v drawing) cellsOf(r lists.Row) rowCells {
	switch {
	case r.OwnMatch != nil:
		return v.ownCells(r.OwnMatch)
	case r.Table != nil:
		return v.tableCells(r.Table)
	}
	return v.matchCells(r.Listing)
}

func (v drawing) ownCells(m *lobby.Match) rowCells {
	s := v.Shell.Session.Matches().Snapshot(m)
	me := v.Shell.Session.Account().ID
	seat, _ := m.Info.SeatOf(me)
	l := rowCells{mark: "·", state: "waiting", game: m.Info.Title(), clock: m.Info.Control.String(), age: words.AgoText(v.now.Sub(s.LastAt))}
	if s.Position.Turn() == seat {
		l.mark, l.isWaiting, l.state = "▸", true, "your turn"
	}
	if left, ok := s.Remaining(seat, v.now); ok {
		l.more = words.Clock(left)
	}
	l.names[0] = words.WithOpponents(m.Info, me)
	if len(m.Info.Seats) == 2 {
		l.ratings[0] = words.SeatRating(m.Info.Seats[1-seat].Rating)
	}
	return l
}

func (v drawing) tableCells(t *lobby.Table) rowCells {
	me := v.Shell.Session.Account()
	l := rowCells{names: [2]string{t.Owner}, game: lobby.Title(t.Options), clock: t.Control.String(), state: "casual", age: words.AgoText(v.now.Sub(t.Opened))}
	l.ratings[0] = words.SeatRating(t.Rating)
	if t.Rated {
		l.state = "rated"
	}
	switch own := t.Owner == me.Name; {
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

func (v drawing) matchCells(m *lobby.MatchListing) rowCells {
	l := rowCells{game: m.Info.Title(), clock: m.Info.Control.String(), state: fmt.Sprintf("turn %d", m.Turns+1), age: words.AgoText(v.now.Sub(m.LastAt))}
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

// seatedText describes the seats of a table: "2 of 3"; empty for two seats, where one more player
// starts it.
func seatedText(t *lobby.Table) string {
	minimum, limit := t.Options.Seats()
	switch {
	case limit == 2:
		return ""
	case minimum < limit && len(t.Ready) > 0:
		return fmt.Sprintf("%d of %d ready", len(t.Ready), len(t.Seated))
	case minimum < limit:
		return fmt.Sprintf("%d of %d–%d", len(t.Seated), minimum, limit)
	}
	return fmt.Sprintf("%d of %d", len(t.Seated), limit)
}
