package home

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/screen/lists"
	"ayumu/tui/screen/preview"
	"ayumu/tui/theme"
	"ayumu/tui/widget"
	"ayumu/tui/words"
)

// drawing draws the lobby at a time. Its parts, which other sessions may share, do not depend on the user; what does is
// drawn over them.
type drawing struct {
	*lobbyScreen
	now time.Time // a multiple of ageInterval if sessions share the list
	layout
	previews [1 + maxMoreBoards]*preview.Preview // in board and more; nil: none
	usersTop int                                 // index of the first user that is shown
	below    lists.Below                         // the list
}

// ageInterval is how long a shared drawing with ages is used.
const ageInterval = 10 * time.Second

// newDrawing scrolls the list for a canvas of w columns and h rows and returns the drawing on it.
func newDrawing(v *lobbyScreen, now time.Time, w, h int) drawing {
	if v.play.First != isNew(v.Shell) { // since it became known which games the user has finished
		v.updateRows()
	}
	boards := chooser{all: v.boards, sh: v.Shell, day: v.boards.OfDay(v.Shell, now)}
	for _, r := range v.rows.Rows {
		if r.Listing != nil && len(boards.candidates) < maxCandidates {
			boards.candidates = append(boards.candidates, r.Listing)
		}
	}
	d := drawing{lobbyScreen: v, now: now, layout: layOut(w, h, contents{v.view.Users.Len(), len(v.rows.Rows), v.usersFocused, &boards})}
	if v.rowsShared {
		d.now = now.Truncate(ageInterval)
	}
	if d.board.IsShown() {
		d.previews[0] = boards.main
		d.board.Title, d.board.Hint = boards.main.Title, boards.main.Hint
		if boards.main.Match() != "" {
			d.board.Title = "Live · " + d.board.Title
		}
	}
	for i := range d.more {
		if d.more[i].IsShown() {
			d.previews[1+i] = boards.others[i]
			d.more[i].Title, d.more[i].Hint = boards.others[i].Title, boards.others[i].Hint
		}
	}
	v.shown = d.previews[0]
	if v.hasBoard = v.shown != nil || v.usersFocused && v.hasBoard; !v.hasBoard {
		v.boardFocused = false
	}
	d.chat.Title, d.chat.Hint = "Chat"+widget.ChatZone, "t"
	d.users.Title = words.Online(v.view.Users)
	if d.usersAreListed() {
		d.users.Hint = v.Shell.Config.Games.Default().Engine().Title() + " rating"
	}
	_, y, _, rows := d.list.Inside()
	d.list.Title = string(v.rows.ScrollUnder(y, rows))
	d.below = v.rows.Below(rows)
	if v.usersFocused {
		shown := d.shownUserCount()
		d.usersTop = max(min(v.userIndex()-shown/2, v.view.Users.Len()-shown), 0)
	}
	return d
}

// Draw implements screen.Screen. It draws what Layers returns, without anything that is shared.
func (v *lobbyScreen) Draw(c paint.Canvas) {
	w, h := c.Size()
	d := newDrawing(v, time.Now(), w, h)
	d.drawBase(c, func(pane widget.Pane, p *preview.Preview) {
		x, y, w, h := pane.Inside()
		p.Draw(c.Sub(x, y, w, h), v.Shell)
	})
	if d.rowsShared {
		d.drawTitle(c)
		d.drawList(inside(d.list).of(c))
	}
	d.users.DrawTitle(c, v.Shell.Style.Theme)
	d.drawUsers(inside(d.users).of(c))
	d.drawChat(inside(d.chat).of(c))
	d.drawOver(c)
}

// drawBase draws the borders, and by a function the boards in their panes.
func (v drawing) drawBase(c paint.Canvas, drawPreview func(widget.Pane, *preview.Preview)) {
	list := v.list
	list.Title = "" // drawTitle draws it
	panes := append([]widget.Pane{list, v.board, v.users, v.chat}, v.more[:]...)
	panes[2].Title, panes[2].Hint = "", "" // which change more often
	widget.DrawPanes(c, v.Shell.Style.Theme, panes...)
	for i, p := range v.previews {
		switch {
		case p == nil:
		case i == 0:
			drawPreview(v.board, p)
		default:
			drawPreview(v.more[i-1], p)
		}
	}
}

// drawTitle draws the title of the list, with those of the columns of its first section, over its border.
func (v drawing) drawTitle(c paint.Canvas) {
	v.list.DrawTitle(c, v.Shell.Style.Theme)
	x, y, w, _ := v.list.Inside()
	drawBesideSection(c.Sub(x, y-1, w, 1), v.Shell.Style.Theme, lists.Section(v.list.Title), v.below, v.list.NoBorder)
}

// drawOver draws what depends on the user.
func (v drawing) drawOver(c paint.Canvas) {
	w, _ := c.Size()
	sh, t := v.Shell, v.Shell.Style.Theme
	widget.DrawHeader(c, t, sh.Config.Site(), sh.Config.SSHCommand(), ownRatings(v.me(), sh.Config.Games, w/2))
	list := inside(v.list)
	if !v.rowsShared {
		v.drawTitle(c)
		v.drawList(list.of(c))
	}
	if _, ok := v.selected(); ok {
		drawSelection(c.Sub(list.x, list.y+v.rows.Index()-v.rows.Top, list.w, 1), t)
	}
	for i, p := range v.previews {
		if p == nil {
			continue
		}
		pane := v.board
		if i > 0 {
			pane = v.more[i-1]
		}
		hint := p.PuzzleHint(sh)
		if pane.IsFocused = i == 0 && v.boardFocused; hint != "" || pane.IsFocused {
			pane.Hint = cmp.Or(hint, pane.Hint)
			pane.DrawTitle(c, t)
		}
	}
	v.drawOverUsers(inside(v.users).of(c))
}

// drawSelection marks a row that has been drawn as the selected one, over its whole width.
func drawSelection(row paint.Canvas, t *theme.Theme) {
	w, h := row.Size()
	row.Restyle(0, 0, w, h, func(paint.Style) paint.Style { return t.Selected })
	row.Text(0, 0, t.Selected, "›")
}

// ownRatings formats the user's name and ratings in at most width columns, with provisional ratings explained if
// that fits.
func ownRatings(me account.Account, games game.List, width int) string {
	if me.IsGuest() {
		return me.Name + " (guest)"
	}
	long, short, isRated := me.Name, me.Name, false
	for _, g := range games {
		r, ok := me.Rating(g.Name())
		if title := " · " + g.Engine().Title() + " "; ok && r.Games > 0 {
			isRated = true
			short += title + words.Rating(r)
			long += title + strings.Replace(words.Rating(r), "?", " (provisional)", 1)
		}
	}
	switch {
	case !isRated:
		return me.Name + " · not rated yet"
	case paint.Width(long) <= width:
		return long
	}
	return short
}

// drawChat draws the chat as the session was shown it last.
func (v drawing) drawChat(c paint.Canvas) {
	w, h := c.Size()
	var lines []lobby.ChatLine
	if log := v.lastChat.Of(v.Shell, &v.Shell.Session.Lobby().Chat); log != nil {
		lines = *log
	}
	widget.DrawChat(c.Sub(1, 0, w-2, h), v.Shell.Style.Theme, lines, "No messages yet. Press t to chat with everyone here.")
}

// minUserRows is the minimum number of rows in which users are listed; with fewer their names stand behind each other.
const minUserRows = 2

// usersAreListed reports whether each user has a row.
func (v drawing) usersAreListed() bool { return v.users.IsShown() && inside(v.users).h >= minUserRows }

// userColumns is the minimum width of a column of users.
const userColumns = 26

// userGrid returns the number of columns and rows of the list of users, and the width of a column.
func (v drawing) userGrid() (columns, rows, width int) {
	a := inside(v.users)
	columns = max(a.w/userColumns, 1)
	return columns, a.h, a.w / columns
}

// shownUserCount returns the number of users for whom there is space in the list.
func (v drawing) shownUserCount() int {
	columns, rows, _ := v.userGrid()
	return max(columns*rows, 1)
}

// userPlace returns where the list has the user with an index among those that are shown.
func (v drawing) userPlace(i int) area {
	_, rows, width := v.userGrid()
	return area{i / rows * width, i % rows, width - 1, 1}
}

// drawUsers draws the users online.
func (v drawing) drawUsers(c paint.Canvas) {
	if !v.usersAreListed() {
		v.drawUserNames(c)
		return
	}
	for i, p := range v.shownUsers() {
		rating := ""
		if r, ok := (account.Account{ID: p.ID, Ratings: p.Ratings}).Rating(v.Shell.Config.Games.Default().Name()); ok {
			rating = words.Rating(r)
		}
		if p.Bot {
			rating = "bot " + rating
		}
		v.drawUser(v.userPlace(i).of(c), p, rating)
	}
}

// drawUserNames draws the names of the users behind each other, and the number of those for whom there is no space.
func (v drawing) drawUserNames(c paint.Canvas) {
	w, _ := c.Size()
	t := v.Shell.Style.Theme
	x, n := 1, v.view.Users.Len()
	for i := range n {
		p := v.view.Users.At(i)
		name := words.ShortBotName(p.Name, v.Shell.Config.Bots.Level(p.ID))
		rest := ""
		if i < n-1 {
			rest = fmt.Sprintf("+%d", n-i)
		}
		need := paint.Width(name) + 1
		if p.Match != "" {
			need++
		}
		if x+need+paint.Width(rest) > w-1 {
			c.Text(x, 0, t.Dim, fmt.Sprintf("+%d", n-i))
			return
		}
		if p.Match != "" {
			x += c.Text(x, 0, t.Dim, playingMark)
		}
		x += c.Text(x, 0, t.Text, name) + 1
	}
}

// playingMark marks a user who plays a match. What waits for the user has another mark.
const playingMark = "◆"

// drawUser draws a user with a rating or another short text.
func (v drawing) drawUser(c paint.Canvas, p *lobby.UserListing, rating string) {
	t := v.Shell.Style.Theme
	w, _ := c.Size()
	if p.Match != "" {
		c.Text(1, 0, t.Dim, playingMark)
	}
	c.Text(w-paint.Width(rating), 0, t.Dim, rating)
	c.Text(2, 0, t.Text, paint.Cut(words.ShortBotName(p.Name, v.Shell.Config.Bots.Level(p.ID)), w-3-paint.Width(rating)))
}

// shownUsers returns the users for whom there is space in the list.
func (v drawing) shownUsers() []*lobby.UserListing {
	return v.view.Users.Slice(v.usersTop, v.usersTop+v.shownUserCount())
}

// drawOverUsers marks the users whom this user has blocked, and the selected one.
func (v drawing) drawOverUsers(c paint.Canvas) {
	if !v.usersAreListed() {
		return
	}
	for i, p := range v.shownUsers() {
		row := v.userPlace(i).of(c)
		w, _ := row.Size()
		if v.Shell.Session.HasBlocked(p.ID) {
			row.Fill(0, 0, w, 1, paint.Style{}, ' ')
			v.drawUser(row, p, "blocked")
		}
		if v.usersFocused && p.ID == v.user.ID {
			drawSelection(row, v.Shell.Style.Theme)
		}
	}
}

// drawList draws the rows that are shown, without the mark of the selected one, and what is below them.
func (v drawing) drawList(c paint.Canvas) {
	v.drawRows(c)
	v.drawBelowRows(c)
}

// drawRows draws the rows.
func (v drawing) drawRows(c paint.Canvas) {
	w, h := c.Size()
	t := v.Shell.Style.Theme
	all := v.rows.Rows
	for y, r := range all[min(v.rows.Top, len(all)):min(v.rows.Top+h, len(all))] {
		row := c.Sub(0, y, w, 1)
		switch {
		case r.Section != "":
			drawSection(row, t, r.Section, v.below, v.list.NoBorder)
		case r.Empty != "":
			row.Text(3, 0, t.Dim, paint.Cut(r.Empty, w-4))
		case r.Action != nil:
			drawAction(row, t, r.Action, actionAbout, v.play.First && *r.Action == v.play.Rows[0])
		case r.IsSelectable():
			drawRow(row, t, sectionOf(r), v.cellsOf(r))
		}
	}
	if free := h - (len(all) - v.rows.Top) - 1; free > 0 {
		style, picture := v.Shell.Style, v.Shell.Config.Picture
		_, rows := picture.Size(style.ASCII)
		picture.Draw(c, style.Theme.Text, style.ASCII, h-rows, free)
	}
}
