package tui

import (
	"bytes"
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby"
	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/words"
)

// accountScreen shows the account's name and keys, and lets the user link, remove, rename and delete.
// It is an overlay.
type accountScreen struct {
	baseScreen
	app         *app
	accountKeys []lobby.Key
	loaded      bool
	list        listCursor
	linkCode    string // adds a further key; "" until requested
	codeExpires time.Time
}

func (a *app) openAccount() tea.Cmd {
	v := &accountScreen{app: a}
	a.overlay = v
	return v.loadKeys()
}

func (v *accountScreen) loadKeys() tea.Cmd {
	var keys []lobby.Key
	return v.app.call(func(ctx context.Context) (err error) {
		keys, err = v.app.session.Keys(ctx)
		return err
	}, func() tea.Cmd {
		v.accountKeys, v.loaded = keys, true
		return nil
	})
}

func (v *accountScreen) isGuest() bool { return v.app.session.Account().IsGuest() }

func (v *accountScreen) handle(msg tea.Msg) tea.Cmd {
	key, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return nil
	}
	switch key.String() {
	case "q", "esc", "a":
		return v.app.openSettings()
	case "b":
		return v.app.openBlocks()
	case "?":
		return v.app.openHelp()
	}
	if v.isGuest() {
		return nil
	}
	switch key.String() {
	case "l":
		return v.newLinkCode()
	case "x", "delete":
		return v.removeKey()
	case "n":
		return v.rename()
	case "D":
		return v.deleteAccount()
	case "r":
		return v.loadKeys()
	}
	v.list.key(key.String(), len(v.accountKeys))
	return nil
}

// linkCodeTTL is the lifetime of a link code (lobby.Session.LinkCode).
const linkCodeTTL = 10 * time.Minute

func (v *accountScreen) newLinkCode() tea.Cmd {
	code, err := v.app.session.LinkCode()
	if err != nil {
		_, text := lobby.PublicError(err)
		v.app.notifyError("%s", text)
		return nil
	}
	v.linkCode, v.codeExpires = code, time.Now().Add(linkCodeTTL)
	return nil
}

// removeKey removes the selected key after a confirmation.
func (v *accountScreen) removeKey() tea.Cmd {
	if v.list.index >= len(v.accountKeys) {
		return nil
	}
	a, k := v.app, v.accountKeys[v.list.index]
	text := "Remove the key " + k.Fingerprint()[:15] + "… from the account?"
	if v.isCurrent(k) {
		text = "Remove the key you are using? You could no longer sign in with it."
	}
	return a.ask(yesNo(text, "remove", "keep", func() tea.Cmd {
		return a.call(func(ctx context.Context) error { return a.session.RemoveKey(ctx, k.Wire) }, func() tea.Cmd {
			a.notify("Key removed.")
			return v.loadKeys()
		})
	}))
}

func (v *accountScreen) isCurrent(k lobby.Key) bool { return bytes.Equal(k.Wire, v.app.config.Key) }

// rename prompts for a new name.
func (v *accountScreen) rename() tea.Cmd {
	a := v.app
	l := &prompt{textField: textField{limit: lobby.MaxName}, label: "New name", enterHelp: "rename"}
	l.enter = func(name string) tea.Cmd {
		return a.call(func(ctx context.Context) error { return a.session.Rename(ctx, name) }, func() tea.Cmd {
			a.notify("You are now %s. You can rename again tomorrow.", a.session.Account().Name)
			return nil
		})
	}
	return a.openPrompt(l)
}

// deleteAccount deletes the account after the user has typed its name.
func (v *accountScreen) deleteAccount() tea.Cmd {
	a := v.app
	name := a.session.Account().Name
	l := &prompt{textField: textField{limit: lobby.MaxName}, label: "To delete the account, type " + name, enterHelp: "delete permanently"}
	l.enter = func(typed string) tea.Cmd {
		if typed != name {
			a.notify("That is not the account's name; nothing was deleted.")
			return nil
		}
		return a.call(a.session.DeleteAccount, a.exit)
	}
	return a.openPrompt(l)
}

func (v *accountScreen) draw(c paint.Canvas) {
	t := v.app.style.Theme
	me := v.app.session.Account()
	w, h := c.Size()
	v.app.drawHeader(c, "Account", me.Name, "")
	if v.isGuest() {
		v.drawGuest(newTextColumn(c))
		return
	}
	c.Text(3, 2, t.Dim, "Name")
	n := c.Text(12, 2, t.Strong, me.Name)
	c.Text(14+n, 2, t.Dim, "joined "+dateText(me.CreatedAt))
	c.Text(3, 4, t.Dim, "Keys")
	c.Text(12, 4, t.Text, "Each of these keys signs in to this account.")
	below := 6
	if v.linkCode != "" {
		below = 8
	}
	from, to := v.list.window(5, h-5-below, len(v.accountKeys))
	for i := from; i < to; i++ {
		v.drawKey(c.Sub(0, 5+i-from, w, 1), v.accountKeys[i], i == v.list.index)
	}
	v.drawLink(c, max(6, 6+to-from))
}

// drawKey draws the row of a key.
func (v *accountScreen) drawKey(c paint.Canvas, k lobby.Key, selected bool) {
	t := v.app.style.Theme
	w, _ := c.Size()
	style, dim := t.Text, t.Dim
	if selected {
		style, dim = t.Selected, t.Selected
		c.Fill(0, 0, w, 1, t.Selected, ' ')
		c.Text(1, 0, t.Selected, "›")
	}
	right := dateText(k.Added)
	if v.isCurrent(k) {
		right += ", in use"
	}
	space := w - 6 - paint.Width(right)
	c.Text(w-1-paint.Width(right), 0, dim, right)
	text := k.Fingerprint()
	if long := text + "  " + k.Type(); paint.Width(long) <= space {
		text = long
	}
	c.Text(3, 0, style, paint.Cut(text, space))
}

// drawLink draws how to add a further key to the account, from row y on.
func (v *accountScreen) drawLink(c paint.Canvas, y int) {
	t := v.app.style.Theme
	w, _ := c.Size()
	line := func(s paint.Style, text string) {
		for _, l := range wrap(text, w-6) {
			c.Text(3, y, s, l)
			y++
		}
	}
	switch {
	case v.linkCode == "":
		line(t.Dim, "l: get a code to add a key from another machine.")
	case time.Now().After(v.codeExpires):
		line(t.Dim, "The code has expired. l: get a new one.")
	default:
		line(t.Text, "Within 10 minutes, run this on the machine with the new key (a key that has no account here):")
		line(t.Link, "ssh "+v.app.sshTarget()+" link "+v.linkCode)
		line(t.Dim, "The code works once. Then press r to list the new key.")
	}
	y++
	line(t.Dim, "n: rename, once a day. D: delete the account; its games stay, under a neutral name.")
}

func (v *accountScreen) drawGuest(box textColumn) {
	t := v.app.style.Theme
	y := box.draw(1, t.Text, "You are a guest: without an SSH key you have no account, and your settings are lost when you leave.")
	y = box.draw(y+1, t.Text, "To get an account, create a key on your computer and reconnect:")
	y = box.draw(y, t.Link, "ssh-keygen -t ed25519")
	box.draw(y, t.Link, "ssh "+v.app.sshTarget())
}

func (v *accountScreen) statusLine() (string, paint.Style) {
	t := v.app.style.Theme
	if v.loaded && !v.isGuest() {
		return words.Plural(len(v.accountKeys), "key") + ". The last key cannot be removed.", t.Dim
	}
	return "", t.Dim
}

func (v *accountScreen) statusKeys() []game.Key {
	if v.isGuest() {
		return []game.Key{{Key: "b", Help: "blocked players"}, {Key: "?", Help: "help"}, {Key: "q", Help: "back"}}
	}
	return []game.Key{{Key: "l", Help: "add key"}, {Key: "x", Help: "remove key"}, {Key: "n", Help: "rename"}, {Key: "b", Help: "blocked"}, {Key: "D", Help: "delete"}, {Key: "?", Help: "help"}, {Key: "q", Help: "back"}}
}

func (v *accountScreen) help() helpPage {
	p := helpPage{title: "Account", about: "Your SSH keys are your account: every connection with one of them signs in as you. Guests have no account.",
		keys: []game.Key{{Key: "b", Help: "the players you have blocked"}, {Key: "q", Help: "back to the settings"}}}
	if v.isGuest() {
		return p
	}
	p.keys = append([]game.Key{
		{Key: "l", Help: "get a code to add a key from another machine"},
		{Key: "↑ ↓", Help: "select a key"},
		{Key: "x", Help: "remove the selected key; the last key cannot be removed"},
		{Key: "r", Help: "reload the list of keys"},
		{Key: "n", Help: "rename the account, once a day. Running games keep the old name"},
		{Key: "D", Help: "delete the account permanently; its games stay, under a neutral name"},
	}, p.keys...)
	return p
}
