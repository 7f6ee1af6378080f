package lobbyscreen

import (
	"fmt"
	"strings"
	"time"

	"ayumu/lobby"
	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/screen/lists"
	"ayumu/tui/widget"
	"ayumu/tui/words"
)

// The lobby's layout.
const (
	// From wideColumns on, users and chat are beside the lists, in which no column is missing. In the widest lists
	// no name is cut.
	wideColumns                    = minListColumns + 2 + minSideColumns
	minListColumns, maxListColumns = 82, 106
	minSideColumns, maxSideColumns = 36, 48

	usersColumn   = 26 // width of the users below the lists
	narrowColumns = 60 // below this width, the users are shown in place of the chat while one is selected
	narrowRows    = 4  // below the lists, with a title
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
	sh := v.Shell
	widget.DrawHeader(c, sh.Style.Theme, sh.Config.Site(), sh.Config.SSHCommand(), ownRatings(v.me(), sh.Config.Games, w/2))
	c = c.Sub(0, 1, w, h-1)
	if h--; w >= wideColumns {
		list := min(w-minSideColumns-2, maxListColumns)
		side := min(w-list-2, maxSideColumns)
		c = widget.Middle(c, list+2+side)
		v.drawList(c.Sub(0, 0, list, h))
		rows := max(min(len(v.view.Users)+1, h/3), 5)
		v.drawUsers(c.Sub(list+2, 0, side, rows))
		v.drawLobbyChat(c.Sub(list+2, rows, side, h-rows))
		return
	}
	c = widget.Middle(c, widget.ListWidth)
	w, _ = c.Size()
	if w < narrowColumns {
		rows := max((h+1)/3, narrowRows)
		v.drawList(c.Sub(0, 0, w, h-rows))
		if below := c.Sub(0, h-rows, w, rows); v.usersFocused {
			v.drawUsers(below)
		} else {
			v.drawLobbyChat(below)
		}
		return
	}
	rows := 7
	if h > 21 {
		rows = (h + 1) / 3
	}
	v.drawList(c.Sub(0, 0, w, h-rows))
	v.drawLobbyChat(c.Sub(0, h-rows, w-usersColumn-1, rows))
	v.drawUsers(c.Sub(w-usersColumn, h-rows, usersColumn, rows))
}

// ownRatings formats the user's name and ratings in at most width columns, with provisional ratings explained if
// that fits.
func ownRatings(me lobby.Account, games game.List, width int) string {
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

func (v drawing) drawLobbyChat(c paint.Canvas) {
	sh := v.Shell
	w, h := c.Size()
	widget.DrawRule(c, sh.Style.Theme, 0, "Chat"+widget.ChatZone, sh.Style.Theme.Dim)
	widget.DrawChat(c.Sub(1, 1, w-1, h-1), sh.Style.Theme, sh.Session.VisibleChat(&sh.Session.Lobby().Chat, 0), "No messages yet. Press t to chat with everyone here.")
}

// drawUsers draws the users online, scrolled to the selected one.
func (v drawing) drawUsers(c paint.Canvas) {
	t := v.Shell.Style.Theme
	w, h := c.Size()
	widget.DrawRule(c, v.Shell.Style.Theme, 0, fmt.Sprintf("%d online", len(v.view.Users)), t.Dim)
	rating := " " + v.Shell.Config.Games.Default().Engine().Title() + " rating"
	c.Text(w-paint.Width(rating), 0, t.Dim, rating)
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
	c.Text(2, 0, t.Text, paint.Cut(words.ShortBotName(p.Name, v.Shell.Config.Bots.Level(p.ID)), w-3-paint.Width(rating)))
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

// drawList draws the rows, scrolled so that the selected one is visible, below a line for newly arrived users.
func (v drawing) drawList(c paint.Canvas) {
	w, h := c.Size()
	y := 1
	if text := v.firstSteps(w - 2); text != "" {
		c.Text(1, 0, v.Shell.Style.Theme.Notice, text)
		c, h, y = c.Sub(0, 1, w, h-1), h-1, y+1
	}
	all, isCut := c, len(v.rows.Rows) > h && h > 1
	if isCut { // the last row says how many are below
		c, h = c.Sub(0, 0, w, h-1), h-1
	}
	v.rows.Scroll(y, h)
	if rest := len(v.rows.Rows) - v.rows.Top - h; isCut && rest > 0 {
		text := fmt.Sprintf(" %d more ↓ ", rest)
		all.Text(w-paint.Width(text), h, v.Shell.Style.Theme.Dim, text)
	}
	if v.rowsShared {
		v.drawShared(c, lists.FrameKey{Top: v.rows.Top, Interval: v.now.Unix() / ageStep}, func(c paint.Canvas) { v.drawRows(c) })
	} else {
		v.drawRows(c)
	}
	v.drawBelowRows(c)
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
			v.drawRow(row, columns, v.cellsOf(r))
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
