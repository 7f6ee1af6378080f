// Package leaderboard is the screen that lists the highest established ratings of a pool.
package leaderboard

import (
	"context"
	"fmt"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/errcode"
	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/screen"
	"ayumu/tui/screen/dest"
	"ayumu/tui/widget"
	"ayumu/tui/words"
)

// leaderboard is the screen.
type leaderboard struct {
	screen.Base
	pools []words.RatingPool
	pool  int // index into pools
	standings
	loaded bool
	err    string
	list   widget.ListCursor
}

// standings is what is loaded of a pool.
type standings struct {
	top      []account.Account
	required lobby.Requirements // what a place requires; read if top is empty
}

// size is the maximum number of players on the leaderboard.
const size = 100

// Open shows the first pool.
func Open(sh *screen.Shell, _ dest.Leaderboard) tea.Cmd {
	v := &leaderboard{Base: screen.Base{Shell: sh}, pools: words.RatingPools(sh.Config.Games)}
	return tea.Batch(sh.Push(v), v.load(0))
}

var bindings = screen.Bindings[*leaderboard]{
	{Key: screen.Keys("enter space i I", "Enter", "the profile of the selected player"), Do: (*leaderboard).openProfile,
		LabelOf: func(v *leaderboard) string {
			if len(v.top) == 0 {
				return ""
			}
			return "profile"
		}},
	{Key: screen.Keys("left h shift+tab", "← →", "another game"), Label: "game", Do: func(v *leaderboard) tea.Cmd { return v.load(v.pool - 1) }},
	{Key: screen.Keys("right l tab", "", ""), Do: func(v *leaderboard) tea.Cmd { return v.load(v.pool + 1) }},
	screen.CursorKeys(func(v *leaderboard) (*widget.ListCursor, int) { return &v.list, len(v.top) }),
	screen.BackKey[*leaderboard](),
	screen.HelpKey[*leaderboard](),
}

// load loads a pool and then shows it; pools follow each other in a circle.
func (v *leaderboard) load(pool int) tea.Cmd {
	pool = (pool + len(v.pools)) % len(v.pools)
	return screen.Try(v.Shell, func(ctx context.Context) (s standings, err error) {
		s.top, err = v.Shell.Visit.Archive().Leaderboard(ctx, v.pools[pool].Key, size)
		if err == nil && len(s.top) == 0 {
			s.required, err = v.Shell.Visit.Archive().Requirements(ctx)
		}
		return s, err
	}, func(s standings, err error) tea.Cmd {
		failed := ""
		if err != nil {
			var code errcode.Code
			if code, failed = lobby.PublicError(err); code == errcode.RateLimited {
				v.Shell.NotifyFailure(err)
				return v.Shell.Refresh()
			}
		}
		v.pool, v.standings, v.err, v.loaded = pool, s, failed, true
		v.list = widget.ListCursor{}
		return nil
	})
}

func (v *leaderboard) openProfile() tea.Cmd {
	if v.list.Index >= len(v.top) {
		return nil
	}
	return v.Shell.Open(dest.Profile{ID: v.top[v.list.Index].ID})
}

func (v *leaderboard) Handle(msg tea.Msg) tea.Cmd {
	cmd, _ := bindings.Handle(v, v.list.Input(msg, len(v.top)))
	return cmd
}

func (v *leaderboard) Draw(c paint.Canvas) {
	t := v.Shell.Style.Theme
	widget.DrawHeader(c, t, "Leaderboard", "established ratings, highest first", "")
	c = widget.Middle(c, widget.ColumnWidth)
	w, h := c.Size()
	x := 3
	for i, p := range v.pools {
		style, text := t.Text, " "+p.Title+" "
		if i == v.pool {
			style, text = t.Selected, "["+p.Title+"]"
		}
		x += c.Text(x, 2, style, text)
	}
	title := v.pools[v.pool].Title
	message, style := "", t.Dim
	switch {
	case v.err != "":
		message, style = words.Sentence(v.err), t.Bad
	case !v.loaded:
		message = "Loading …"
	case len(v.top) == 0:
		message = "Nobody has a place in " + title + " yet. " + words.PlaceRequirements(v.required)
	}
	for i, text := range widget.Wrap(message, min(w-6, widget.ColumnWidth)) {
		c.Text(3, 4+i, style, text)
	}
	me := v.Shell.Session.Account()
	columns := widget.LayOut(listColumns, minNames, w-placeColumns)
	if len(v.top) > 0 {
		c.Text(2, 3, t.Dim, "Place")
		c.Text(placeColumns, 3, t.Dim, "Player")
		columns.DrawTitles(c.Sub(placeColumns, 3, w-placeColumns, 1), t.Dim)
	}
	from, to := v.list.Window(4, h-7, len(v.top))
	for i := from; i < to; i++ {
		v.drawRow(c.Sub(0, 4+i-from, w, 1), columns, i, v.top[i].ID == me.ID)
	}
	if r, ok := me.Rating(v.pools[v.pool].Key); ok {
		text := "You: " + words.RatingWithDeviation(r)
		if !r.IsEstablished() {
			text += ", provisional"
		}
		c.Text(3, h-2, t.Dim, text+".")
	}
}

// The columns of the list.
const (
	placeColumns = 9
	minNames     = 18 // minimum width of the players
)

var listColumns = []widget.Column{{Title: "Rating", Width: 13, Rank: 0}, {Title: "Games", Width: 6, Rank: 1}}

// drawRow draws the row of the player with index i of top.
func (v *leaderboard) drawRow(c paint.Canvas, columns widget.Columns, i int, isOwn bool) {
	t, account := v.Shell.Style.Theme, v.top[i]
	rating := account.Ratings[v.pools[v.pool].Key]
	w, _ := c.Size()
	style, dim := v.list.RowStyles(c, t, i, 0)
	if isOwn && i != v.list.Index {
		style = t.Strong
	}
	c.Text(2, 0, dim, fmt.Sprintf("%4d.", i+1))
	name := account.Name
	switch {
	case account.Bot:
		name += " (bot)"
	case isOwn:
		name += " (you)"
	}
	c = c.Sub(placeColumns, 0, w-placeColumns, 1)
	c.Text(0, 0, style, paint.Cut(name, columns.First-1))
	columns.Draw(c, style, words.RatingWithDeviation(rating))
	columns.Draw(c, dim, "", strconv.Itoa(rating.Games))
}

func (v *leaderboard) StatusKeys() []game.Key { return bindings.Status(v) }

func (v *leaderboard) Help() screen.Help {
	return screen.Help{
		Title: "Leaderboard",
		About: "A rating estimates a player's strength; the number after ± is its deviation. Games of two players count for one rating of that game, games of three and more for another. Every rated game changes it. The leaderboard lists established ratings (±110 or less) of those who have met enough opponents in recent rated games. Built-in players are not on it.",
		Keys:  bindings.Help(v),
	}
}
