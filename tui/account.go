package tui

import (
	"bytes"
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby"
	"ayumu/tui/board"
	"ayumu/tui/paint"
	"ayumu/tui/words"
)

// accountView is the account, over the screen from which the settings were opened: its name, its
// keys, and its end.
type accountView struct {
	plain
	app    *app
	keyed  []lobby.Key
	loaded bool
	list   list
	code   string // that links a further key
	until  time.Time
}

func (a *app) openAccount() tea.Cmd {
	v := &accountView{app: a}
	a.over = v
	return v.load()
}

func (v *accountView) load() tea.Cmd {
	var keys []lobby.Key
	return v.app.call(func(ctx context.Context) (err error) {
		keys, err = v.app.session.Keys(ctx)
		return err
	}, func() tea.Cmd {
		v.keyed, v.loaded = keys, true
		return nil
	})
}

func (v *accountView) guest() bool { return v.app.session.Account().Guest() }

func (v *accountView) handle(msg tea.Msg) tea.Cmd {
	key, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return nil
	}
	switch key.String() {
	case "q", "esc", "a":
		return v.app.openOptions()
	case "b":
		return v.app.openBlocks()
	case "?":
		return v.app.openHelp()
	}
	if v.guest() {
		return nil
	}
	switch key.String() {
	case "l":
		return v.link()
	case "x", "delete":
		return v.remove()
	case "n":
		return v.rename()
	case "D":
		return v.delete()
	case "r":
		return v.load()
	}
	v.list.key(key.String(), len(v.keyed))
	return nil
}

// linkTime is how long a link code lasts (lobby.Session.LinkCode).
const linkTime = 10 * time.Minute

func (v *accountView) link() tea.Cmd {
	code, err := v.app.session.LinkCode()
	if err != nil {
		_, text := lobby.Explain(err)
		v.app.complain("%s", text)
		return nil
	}
	v.code, v.until = code, time.Now().Add(linkTime)
	return nil
}

// remove takes the chosen key away, after asking.
func (v *accountView) remove() tea.Cmd {
	if v.list.at >= len(v.keyed) {
		return nil
	}
	a, k := v.app, v.keyed[v.list.at]
	text := "Remove the key " + k.Fingerprint()[:15] + "… from the account?"
	if v.current(k) {
		text = "Remove the key with which you came? It could not come in any more."
	}
	return a.ask(yes(text, "remove", "keep", func() tea.Cmd {
		return a.call(func(ctx context.Context) error { return a.session.RemoveKey(ctx, k.Wire) }, func() tea.Cmd {
			a.tell("The key is removed.")
			return v.load()
		})
	}))
}

func (v *accountView) current(k lobby.Key) bool { return bytes.Equal(k.Wire, v.app.visit.Key) }

// rename asks for another name.
func (v *accountView) rename() tea.Cmd {
	a := v.app
	l := &line{field: field{limit: lobby.MaxName}, label: "New name", does: "take this name"}
	l.enter = func(name string) tea.Cmd {
		return a.call(func(ctx context.Context) error { return a.session.Rename(ctx, name) }, func() tea.Cmd {
			a.tell("You are %s now; another name can be had tomorrow.", a.session.Account().Name)
			return nil
		})
	}
	return a.typing(l)
}

// delete deletes the account once its name has been typed.
func (v *accountView) delete() tea.Cmd {
	a := v.app
	name := a.session.Account().Name
	l := &line{field: field{limit: lobby.MaxName}, label: "To delete the account, type " + name, does: "delete it for good"}
	l.enter = func(typed string) tea.Cmd {
		if typed != name {
			a.tell("The account stays: that was not its name.")
			return nil
		}
		return a.call(a.session.DeleteAccount, a.leaveNow)
	}
	return a.typing(l)
}

func (v *accountView) draw(c paint.Canvas) {
	t := v.app.look.Theme
	me := v.app.session.Account()
	w, h := c.Size()
	v.app.header(c, "Account", me.Name, "")
	if v.guest() {
		v.drawGuest(column(c))
		return
	}
	c.Text(3, 2, t.Dim, "Name")
	n := c.Text(12, 2, t.Strong, me.Name)
	c.Text(14+n, 2, t.Dim, "here since "+day(me.Created))
	c.Text(3, 4, t.Dim, "Keys")
	c.Text(12, 4, t.Text, "Each of these opens the account.")
	below := 6
	if v.code != "" {
		below = 8
	}
	from, to := v.list.window(5, h-5-below, len(v.keyed))
	for i := from; i < to; i++ {
		v.drawKey(c.Sub(0, 5+i-from, w, 1), v.keyed[i], i == v.list.at)
	}
	v.drawLink(c, max(6, 6+to-from))
}

// drawKey draws a row about a key.
func (v *accountView) drawKey(c paint.Canvas, k lobby.Key, chosen bool) {
	t := v.app.look.Theme
	w, _ := c.Size()
	style, dim := t.Text, t.Dim
	if chosen {
		style, dim = t.Pick, t.Pick
		c.Fill(0, 0, w, 1, t.Pick, ' ')
		c.Text(1, 0, t.Pick, "›")
	}
	right := day(k.Added)
	if v.current(k) {
		right += ", this one"
	}
	room := w - 6 - paint.Width(right)
	c.Text(w-1-paint.Width(right), 0, dim, right)
	text := k.Fingerprint()
	if long := text + "  " + k.Type(); paint.Width(long) <= room {
		text = long
	}
	c.Text(3, 0, style, paint.Cut(text, room))
}

// drawLink says how a further key gets into the account.
func (v *accountView) drawLink(c paint.Canvas, y int) {
	t := v.app.look.Theme
	w, _ := c.Size()
	say := func(s paint.Style, text string) {
		for _, l := range wrap(text, w-6) {
			c.Text(3, y, s, l)
			y++
		}
	}
	switch {
	case v.code == "":
		say(t.Dim, "l shows a code with which a key on another machine joins this account.")
	case time.Now().After(v.until):
		say(t.Dim, "The code is too old now; l shows a new one.")
	default:
		say(t.Text, "Within 10 minutes, on the machine with the new key, which must not have an account here yet:")
		say(t.Link, "ssh "+v.app.host()+" link "+v.code)
		say(t.Dim, "The code works once; r then lists the new key.")
	}
	y++
	say(t.Dim, "A name changes once a day (n). D deletes the account; its games stay, under a neutral name.")
}

func (v *accountView) drawGuest(box textColumn) {
	t := v.app.look.Theme
	y := box.say(1, t.Text, "You are a guest: without an SSH key there is no account, and your settings last as long as this visit.")
	y = box.say(y+1, t.Text, "To get one, make a key at home and connect again:")
	y = box.say(y, t.Link, "ssh-keygen -t ed25519")
	box.say(y, t.Link, "ssh "+v.app.host())
}

func (v *accountView) hint() (string, paint.Style) {
	t := v.app.look.Theme
	if v.loaded && !v.guest() {
		return words.Plural(len(v.keyed), "key") + "; the last one cannot be removed.", t.Dim
	}
	return "", t.Dim
}

func (v *accountView) keys() []board.Key {
	if v.guest() {
		return []board.Key{{Key: "b", Does: "blocked people"}, {Key: "?", Does: "help"}, {Key: "q", Does: "back"}}
	}
	return []board.Key{{Key: "l", Does: "link a key"}, {Key: "x", Does: "remove key"}, {Key: "n", Does: "new name"}, {Key: "b", Does: "blocked"}, {Key: "D", Does: "delete"}, {Key: "?", Does: "help"}, {Key: "q", Does: "back"}}
}

func (v *accountView) help() helpPage {
	p := helpPage{title: "Account", about: "Your SSH key is your account: whoever connects with one of its keys is you. A guest has no account.",
		keys: []board.Key{{Key: "b", Does: "the people whom you have blocked"}, {Key: "q", Does: "back to the settings"}}}
	if v.guest() {
		return p
	}
	p.keys = append([]board.Key{
		{Key: "l", Does: "a code with which a key on another machine joins this account"},
		{Key: "↑ ↓", Does: "choose a key"},
		{Key: "x", Does: "remove the chosen key; the last one cannot be removed"},
		{Key: "r", Does: "read the list of keys again"},
		{Key: "n", Does: "take another name, once a day. Games that go on keep the name with which they began"},
		{Key: "D", Does: "delete the account for good; its games stay, under a neutral name"},
	}, p.keys...)
	return p
}
