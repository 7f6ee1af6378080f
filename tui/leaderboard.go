package tui

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"ayumu/engine"
	"ayumu/lobby"
	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/words"
)

// ratingPool is a rating pool with its title.
type ratingPool struct{ key, title string }

// ratingPools returns all rating pools: for each game two players, and three and more if the game
// allows that.
func ratingPools(games game.List) []ratingPool {
	var all []ratingPool
	for _, g := range games {
		all = append(all, ratingPool{lobby.Pool(g.Name(), 2), g.Engine().Title()})
		if engine.SeatLimit(g.Engine()) > 2 {
			all = append(all, ratingPool{lobby.Pool(g.Name(), 3), g.Engine().Title() + ", 3 and more"})
		}
	}
	return all
}

// leaderboardScreen lists the highest established ratings of a pool.
type leaderboardScreen struct {
	baseScreen
	app    *app
	pools  []ratingPool
	pool   int
	top    []lobby.Account
	loaded bool
	err    string
	list   listCursor
}

// leaderboardSize is the maximum number of players on the leaderboard.
const leaderboardSize = 100

func (a *app) openLeaderboard() tea.Cmd {
	v := &leaderboardScreen{app: a, pools: ratingPools(a.config.Games)}
	cmd := a.push(v)
	return tea.Batch(cmd, v.loadPool(0))
}

func (v *leaderboardScreen) loadPool(n int) tea.Cmd {
	n = (n + len(v.pools)) % len(v.pools)
	var top []lobby.Account
	var failed string
	return v.app.call(func(ctx context.Context) error {
		if err := v.app.session.Spend(lobby.WorkArchive); err != nil {
			return err
		}
		var err error
		if top, err = v.app.session.Lobby().Leaderboard(ctx, v.pools[n].key, leaderboardSize); err != nil {
			_, failed = lobby.PublicError(err)
		}
		return nil
	}, func() tea.Cmd {
		v.pool, v.top, v.err, v.loaded = n, top, failed, true
		v.list = listCursor{}
		return nil
	})
}

func (v *leaderboardScreen) handle(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return v.handleKey(msg.String())
	case tea.MouseClickMsg:
		if again, ok := v.list.click(msg.Y, len(v.top)); ok && again {
			return v.open()
		}
	case tea.MouseWheelMsg:
		if msg.Button == tea.MouseWheelUp {
			return v.handleKey("up")
		}
		return v.handleKey("down")
	}
	return nil
}

func (v *leaderboardScreen) handleKey(key string) tea.Cmd {
	switch key {
	case "left", "h", "shift+tab":
		return v.loadPool(v.pool - 1)
	case "right", "l", "tab":
		return v.loadPool(v.pool + 1)
	case "enter", "space", "i", "I":
		return v.open()
	case "?":
		return v.app.openHelp()
	case "q", "esc":
		return v.app.pop()
	}
	v.list.key(key, len(v.top))
	return nil
}

func (v *leaderboardScreen) open() tea.Cmd {
	if v.list.index >= len(v.top) {
		return nil
	}
	return v.app.openProfileOf(v.top[v.list.index].ID)
}

func (v *leaderboardScreen) draw(c paint.Canvas) {
	t := v.app.style.Theme
	w, h := c.Size()
	v.app.drawHeader(c, "Leaderboard", "established ratings, highest first", "")
	x := 3
	for i, p := range v.pools {
		style, text := t.Text, " "+p.title+" "
		if i == v.pool {
			style, text = t.Selected, "["+p.title+"]"
		}
		x += c.Text(x, 2, style, text)
	}
	title := v.pools[v.pool].title
	message, style := "", t.Dim
	switch {
	case v.err != "":
		message, style = words.Sentence(v.err), t.Bad
	case !v.loaded:
		message = "Loading …"
	case len(v.top) == 0:
		message = "No established ratings in " + title + " yet. A rating is provisional until its deviation (±) drops to 110, after some rated games."
	}
	for i, text := range wrap(message, min(w-6, columnWidth)) {
		c.Text(3, 4+i, style, text)
	}
	me := v.app.session.Account()
	from, to := v.list.window(4, h-7, len(v.top))
	for i := from; i < to; i++ {
		a := v.top[i]
		v.app.drawLeaderboardRow(c.Sub(0, 4+i-from, w, 1), i+1, a, a.Ratings[v.pools[v.pool].key], i == v.list.index, a.ID == me.ID)
	}
	if r, ok := me.Rating(v.pools[v.pool].key); ok {
		text := "You: " + ratingWithDeviation(r)
		if !r.IsEstablished() {
			text += ", provisional"
		}
		c.Text(3, h-2, t.Dim, text+".")
	}
}

func (a *app) drawLeaderboardRow(c paint.Canvas, rank int, account lobby.Account, r lobby.Rating, selected, me bool) {
	t := a.style.Theme
	w, _ := c.Size()
	style, dim := t.Text, t.Dim
	if me {
		style = t.Strong
	}
	if selected {
		style, dim = t.Selected, t.Selected
		c.Fill(0, 0, w, 1, t.Selected, ' ')
		c.Text(0, 0, t.Selected, "›")
	}
	c.Text(2, 0, dim, fmt.Sprintf("%4d.", rank))
	name := account.Name
	switch {
	case account.Bot:
		name += " (bot)"
	case me:
		name += " (you)"
	}
	c.Text(9, 0, style, name)
	c.Text(33, 0, style, ratingWithDeviation(r))
	c.Text(46, 0, dim, words.Plural(r.Games, "game"))
}

// ratingWithDeviation formats a rating with its deviation, "1512 ±60", and a question mark if it is
// provisional.
func ratingWithDeviation(r lobby.Rating) string {
	text := fmt.Sprintf("%.0f ±%.0f", r.Value, r.Deviation)
	if !r.IsEstablished() {
		text += " ?"
	}
	return text
}

func (v *leaderboardScreen) statusLine() (string, paint.Style) { return "", paint.Style{} }

func (v *leaderboardScreen) statusKeys() []game.Key {
	keys := []game.Key{{Key: "Enter", Help: "profile"}, {Key: "←→", Help: "game"}, {Key: "q", Help: "back"}, {Key: "?", Help: "help"}}
	if len(v.top) == 0 {
		keys = keys[1:]
	}
	return keys
}

func (v *leaderboardScreen) help() helpPage {
	return helpPage{
		title: "Leaderboard",
		about: "A rating estimates a player's strength; the number after ± is its deviation. Games of two players count for one rating of that game, games of three and more for another. Every rated game changes it. The leaderboard lists established ratings only (±110 or less).",
		keys:  []game.Key{{Key: "Enter", Help: "the profile of the selected player"}, {Key: "← →", Help: "another game"}, {Key: "q", Help: "back"}},
	}
}
