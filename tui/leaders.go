package tui

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby"
	"ayumu/tui/board"
	"ayumu/tui/boards"
	"ayumu/tui/paint"
	"ayumu/tui/words"
)

// pool is a kind of rating, with its name for people.
type pool struct{ key, title string }

// pools are the ratings that there are: for each game those of two players, and those of more
// where more can play.
func pools() []pool {
	var all []pool
	for _, g := range boards.All {
		all = append(all, pool{lobby.Pool(g.Name(), 2), gameTitle(g)})
		if mostSeats(g) > 2 {
			all = append(all, pool{lobby.Pool(g.Name(), 3), gameTitle(g) + ", 3 and more"})
		}
	}
	return all
}

// leadersView lists the best settled ratings of a pool.
type leadersView struct {
	plain
	app    *app
	pools  []pool
	pool   int
	top    []lobby.Account
	loaded bool
	failed string
	list   list
}

// leadersListed is how many players the leaderboard has.
const leadersListed = 100

func (a *app) openLeaders() tea.Cmd {
	v := &leadersView{app: a, pools: pools()}
	cmd := a.deeper(v)
	return tea.Batch(cmd, v.load(0))
}

func (v *leadersView) load(n int) tea.Cmd {
	n = (n + len(v.pools)) % len(v.pools)
	var top []lobby.Account
	var failed string
	return v.app.call(func(ctx context.Context) error {
		if err := v.app.session.Spend(lobby.WorkArchive); err != nil {
			return err
		}
		var err error
		if top, err = v.app.session.Lobby().Top(ctx, v.pools[n].key, leadersListed); err != nil {
			_, failed = lobby.Explain(err)
		}
		return nil
	}, func() tea.Cmd {
		v.pool, v.top, v.failed, v.loaded = n, top, failed, true
		v.list = list{}
		return nil
	})
}

func (v *leadersView) handle(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return v.key(msg.String())
	case tea.MouseClickMsg:
		if again, ok := v.list.click(msg.Y, len(v.top)); ok && again {
			return v.open()
		}
	case tea.MouseWheelMsg:
		if msg.Button == tea.MouseWheelUp {
			return v.key("up")
		}
		return v.key("down")
	}
	return nil
}

func (v *leadersView) key(key string) tea.Cmd {
	switch key {
	case "left", "h", "shift+tab":
		return v.load(v.pool - 1)
	case "right", "l", "tab":
		return v.load(v.pool + 1)
	case "enter", "space", "i", "I":
		return v.open()
	case "?":
		return v.app.openHelp()
	case "q", "esc":
		return v.app.up()
	}
	v.list.key(key, len(v.top))
	return nil
}

func (v *leadersView) open() tea.Cmd {
	if v.list.at >= len(v.top) {
		return nil
	}
	return v.app.openProfileOf(v.top[v.list.at].ID)
}

func (v *leadersView) draw(c paint.Canvas) {
	t := v.app.look.Theme
	w, h := c.Size()
	v.app.header(c, "Ratings", "settled ones, the highest first", "")
	x := 3
	for i, p := range v.pools {
		style, text := t.Text, " "+p.title+" "
		if i == v.pool {
			style, text = t.Pick, "["+p.title+"]"
		}
		x += c.Text(x, 2, style, text)
	}
	title := v.pools[v.pool].title
	say, style := "", t.Dim
	switch {
	case v.failed != "":
		say, style = words.Sentence(v.failed), t.Bad
	case !v.loaded:
		say = "Reading …"
	case len(v.top) == 0:
		say = "Nobody has a settled rating in " + title + " yet. A rating settles when its deviation, the number after ±, has come down to 110; some rated games do that."
	}
	for i, text := range wrap(say, min(w-6, columnWidth)) {
		c.Text(3, 4+i, style, text)
	}
	me := v.app.session.Account()
	from, to := v.list.window(4, h-7, len(v.top))
	for i := from; i < to; i++ {
		a := v.top[i]
		v.app.drawLeader(c.Sub(0, 4+i-from, w, 1), i+1, a, a.Ratings[v.pools[v.pool].key], i == v.list.at, a.ID == me.ID)
	}
	if r, ok := me.Rating(v.pools[v.pool].key); ok {
		text := "You: " + deviating(r)
		if !r.Settled() {
			text += ", not settled yet"
		}
		c.Text(3, h-2, t.Dim, text+".")
	}
}

func (a *app) drawLeader(c paint.Canvas, place int, who lobby.Account, r lobby.Rating, chosen, me bool) {
	t := a.look.Theme
	w, _ := c.Size()
	style, dim := t.Text, t.Dim
	if me {
		style = t.Strong
	}
	if chosen {
		style, dim = t.Pick, t.Pick
		c.Fill(0, 0, w, 1, t.Pick, ' ')
		c.Text(0, 0, t.Pick, "›")
	}
	c.Text(2, 0, dim, fmt.Sprintf("%4d.", place))
	name := who.Name
	switch {
	case who.Bot:
		name += " (bot)"
	case me:
		name += " (you)"
	}
	c.Text(9, 0, style, name)
	c.Text(33, 0, style, deviating(r))
	c.Text(46, 0, dim, words.Plural(r.Games, "game"))
}

// deviating is a rating with its deviation: "1512 ±60", and a question mark while it is not
// settled.
func deviating(r lobby.Rating) string {
	text := fmt.Sprintf("%.0f ±%.0f", r.Value, r.Deviation)
	if !r.Settled() {
		text += " ?"
	}
	return text
}

func (v *leadersView) hint() (string, paint.Style) { return "", paint.Style{} }

func (v *leadersView) keys() []board.Key {
	keys := []board.Key{{Key: "Enter", Does: "profile"}, {Key: "←→", Does: "game"}, {Key: "q", Does: "back"}, {Key: "?", Does: "help"}}
	if len(v.top) == 0 {
		keys = keys[1:]
	}
	return keys
}

func (v *leadersView) help() helpPage {
	return helpPage{
		title: "Ratings",
		about: "A rating says how strong somebody has shown to be; the number after ± says how far off it may well be. Games of two players count for one rating of that game, games of three and more for another. Every rated game changes it; here stand only those that have settled (±110 and less).",
		keys:  []board.Key{{Key: "Enter", Does: "the profile of the chosen player"}, {Key: "← →", Does: "another game"}, {Key: "q", Does: "back"}},
	}
}
