package lobbyscreen

import (
	"fmt"
	"strings"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/widget"
	"ayumu/tui/words"
)

// drawing draws the lobby at a time. Its parts, which other sessions may share, do not depend on the user; what does is
// drawn over them.
type drawing struct {
	*lobbyScreen
	now time.Time // a multiple of ageInterval if sessions share the list
	layout
	rowsAt   area // the part of the list that has its rows
	usersTop int  // index of the first user that is shown
	isNew    bool // the user may not know the games
}

// ageInterval is how long a shared drawing with ages is used.
const ageInterval = 10 * time.Second

// newDrawing scrolls the list for a canvas of w columns and h rows and returns the drawing on it.
func newDrawing(v *lobbyScreen, now time.Time, w, h int) drawing {
	d := drawing{lobbyScreen: v, now: now, layout: layOut(w, h, v.view.Users.Len(), v.usersFocused), isNew: isNew(v.Shell)}
	if v.rowsShared {
		d.now = now.Truncate(ageInterval)
	}
	d.rowsAt = d.list
	if d.isNew { // what to press first is above
		d.rowsAt.y, d.rowsAt.h = d.rowsAt.y+1, d.rowsAt.h-1
	}
	if len(v.rows.Rows) > d.rowsAt.h && d.rowsAt.h > 1 { // how many rows are not shown is below
		d.rowsAt.h--
	}
	v.rows.Scroll(d.rowsAt.y, d.rowsAt.h)
	if v.usersFocused {
		shown := d.users.h - 1
		d.usersTop = max(min(v.userIndex()-shown/2, v.view.Users.Len()-shown), 0)
	}
	return d
}

// Draw implements screen.Screen. It draws what Layers returns, without anything that is shared.
func (v *lobbyScreen) Draw(c paint.Canvas) {
	w, h := c.Size()
	d := newDrawing(v, time.Now(), w, h)
	if d.rowsShared {
		d.drawList(d.list.of(c))
	}
	d.drawUsers(d.users.of(c))
	d.drawChat(d.chat.of(c))
	d.drawOver(c)
}

// drawOver draws what depends on the user.
func (v drawing) drawOver(c paint.Canvas) {
	w, _ := c.Size()
	sh := v.Shell
	widget.DrawHeader(c, sh.Style.Theme, sh.Config.Site(), sh.Config.SSHCommand(), ownRatings(v.me(), sh.Config.Games, w/2))
	if !v.rowsShared {
		v.drawList(v.list.of(c))
	}
	if r, ok := v.selected(); ok {
		y := v.rows.Index() - v.rows.Top
		drawSelectionMark(v.rowsAt.of(c).Sub(0, y, 3, 1), sh.Style.Theme.Selected, v.cellsOf(r).mark)
	}
	v.drawOverUsers(v.users.of(c))
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
	t := v.Shell.Style.Theme
	widget.DrawRule(c, t, 0, "Chat"+widget.ChatZone, t.Dim)
	var lines []lobby.ChatLine
	if log := v.lastChat.Of(v.Shell, &v.Shell.Session.Lobby().Chat); log != nil {
		lines = *log
	}
	widget.DrawChat(c.Sub(1, 1, w-1, h-1), t, lines, "No messages yet. Press t to chat with everyone here.")
}

// drawUsers draws the users online.
func (v drawing) drawUsers(c paint.Canvas) {
	t := v.Shell.Style.Theme
	w, h := c.Size()
	title := words.Online(v.view.Users)
	widget.DrawRule(c, t, 0, title, t.Dim)
	for _, rating := range []string{" rating", ""} {
		rating = " " + v.Shell.Config.Games.Default().Engine().Title() + rating
		if n := paint.Width(rating); n+paint.Width(title)+4 <= w {
			c.Text(w-n, 0, t.Dim, rating)
			break
		}
	}
	v.drawUserRows(c.Sub(0, 1, w, h-1))
}

// drawUserRows draws the users that are shown, one per row.
func (v drawing) drawUserRows(c paint.Canvas) {
	w, _ := c.Size()
	for y, p := range v.shownUsers() {
		rating := ""
		if r, ok := (account.Account{ID: p.ID, Ratings: p.Ratings}).Rating(v.Shell.Config.Games.Default().Name()); ok {
			rating = words.Rating(r)
		}
		if p.Bot {
			rating = "bot " + rating
		}
		v.drawUser(c.Sub(0, y, w, 1), p, rating)
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

// shownUsers returns the users for whom there is space.
func (v drawing) shownUsers() []*lobby.UserListing {
	return v.view.Users.Slice(v.usersTop, v.usersTop+max(v.users.h-1, 0))
}

// drawOverUsers marks the users whom this user has blocked, and the selected one.
func (v drawing) drawOverUsers(c paint.Canvas) {
	w, _ := c.Size()
	for y, p := range v.shownUsers() {
		row := c.Sub(0, y+1, w, 1)
		if v.Shell.Session.HasBlocked(p.ID) {
			row.Fill(0, 0, w, 1, paint.Style{}, ' ')
			v.drawUser(row, p, "blocked")
		}
		if v.usersFocused && p.ID == v.user.ID {
			mark := ""
			if p.Match != "" {
				mark = playingMark
			}
			drawSelectionMark(row.Sub(0, 0, 2, 1), v.Shell.Style.Theme.Selected, mark)
		}
	}
}

// drawList draws the rows that are shown, without the mark of the selected one, and what is above and below them.
func (v drawing) drawList(c paint.Canvas) {
	w, h := c.Size()
	t := v.Shell.Style.Theme
	if v.isNew {
		c.Text(1, 0, t.Notice, v.firstSteps(w-2))
	}
	if rest := len(v.rows.Rows) - v.rows.Top - v.rowsAt.h; rest > 0 {
		text := fmt.Sprintf(" %d more ↓ ", rest)
		c.Text(w-paint.Width(text), h-1, t.Dim, text)
	}
	c = c.Sub(0, v.rowsAt.y-v.list.y, w, v.rowsAt.h)
	v.drawRows(c)
	v.drawBelowRows(c)
}

// drawRows draws the rows.
func (v drawing) drawRows(c paint.Canvas) {
	w, h := c.Size()
	t := v.Shell.Style.Theme
	all := v.rows.Rows
	columns := widget.LayOut(listColumns, minNames, w-markColumns)
	for y, r := range all[v.rows.Top:min(v.rows.Top+h, len(all))] {
		row := c.Sub(0, y, w, 1)
		switch {
		case r.Section != "":
			row.Text(1, 0, t.Strong, string(r.Section))
			if next := v.rows.Top + y + 1; next < len(all) && all[next].IsSelectable() {
				columns.Draw(row.Sub(markColumns, 0, w-markColumns, 1), t.Dim, columnTitles[r.Section]...)
			}
		case r.Empty != "":
			row.Text(3, 0, t.Dim, paint.Cut(r.Empty, w-4))
		case r.IsSelectable():
			drawRow(row, t, columns, v.cellsOf(r))
		}
	}
	if free := h - len(v.rows.Rows) - 2; free > 0 {
		style, picture := v.Shell.Style, v.Shell.Config.Picture
		_, rows := picture.Size(style.ASCII)
		picture.Draw(c, style.Theme.Text, style.ASCII, h-1-rows, free)
	}
}

// drawSelectionMark marks the selected row at its beginning. Highlighting the whole row would send two
// complete rows for each step of the cursor.
func drawSelectionMark(c paint.Canvas, s paint.Style, mark string) {
	w, _ := c.Size()
	c.Fill(0, 0, w, 1, s, ' ')
	c.Text(0, 0, s, "›"+mark)
}
