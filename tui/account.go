package tui

import (
	"bytes"
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby"
	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/screen"
	"ayumu/tui/widget"
	"ayumu/tui/words"
)

// accountScreen shows the account's name and keys, and lets the user link, remove, rename and delete.
// It is an overlay.
type accountScreen struct {
	screen.Base
	app         *Model
	accountKeys []lobby.Key
	loaded      bool
	list        widget.ListCursor
	linkCode    string // adds a further key; "" until requested
	codeExpires time.Time
}

func (a *Model) openAccount() tea.Cmd {
	v := &accountScreen{app: a}
	a.OpenOverlay(v)
	return v.loadKeys()
}

func (v *accountScreen) loadKeys() tea.Cmd {
	var keys []lobby.Key
	return v.app.Call(func(ctx context.Context) (err error) {
		keys, err = v.app.Session.Keys(ctx)
		return err
	}, func() tea.Cmd {
		v.accountKeys, v.loaded = keys, true
		return nil
	})
}

func (v *accountScreen) isGuest() bool { return v.app.Session.Account().IsGuest() }

func (v *accountScreen) Handle(msg tea.Msg) tea.Cmd {
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
		return v.app.OpenHelp()
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
	v.list.Key(key.String(), len(v.accountKeys))
	return nil
}

// linkCodeTTL is the lifetime of a link code (lobby.Session.LinkCode).
const linkCodeTTL = 10 * time.Minute

func (v *accountScreen) newLinkCode() tea.Cmd {
	code, err := v.app.Session.LinkCode()
	if err != nil {
		_, text := lobby.PublicError(err)
		v.app.NotifyError("%s", text)
		return nil
	}
	v.linkCode, v.codeExpires = code, time.Now().Add(linkCodeTTL)
	return nil
}

// removeKey removes the selected key after a confirmation.
func (v *accountScreen) removeKey() tea.Cmd {
	if v.list.Index >= len(v.accountKeys) {
		return nil
	}
	a, k := v.app, v.accountKeys[v.list.Index]
	text := "Remove the key " + k.Fingerprint()[:15] + "… from the account?"
	if v.isCurrent(k) {
		text = "Remove the key you are using? You could no longer sign in with it."
	}
	return a.Ask(screen.YesNo(text, "remove", "keep", func() tea.Cmd {
		return a.Call(func(ctx context.Context) error { return a.Session.RemoveKey(ctx, k.Wire) }, func() tea.Cmd {
			a.Notify("Key removed.")
			return v.loadKeys()
		})
	}))
}

func (v *accountScreen) isCurrent(k lobby.Key) bool { return bytes.Equal(k.Wire, v.app.Config.Key) }

// rename prompts for a new name.
func (v *accountScreen) rename() tea.Cmd {
	a := v.app
	l := &screen.Prompt{TextField: widget.TextField{Limit: lobby.MaxName}, Label: "New name", EnterHelp: "rename"}
	l.Enter = func(name string) tea.Cmd {
		return a.Call(func(ctx context.Context) error { return a.Session.Rename(ctx, name) }, func() tea.Cmd {
			a.Notify("You are now %s. You can rename again tomorrow.", a.Session.Account().Name)
			return nil
		})
	}
	return a.OpenPrompt(l)
}

// deleteAccount deletes the account after the user has typed its name.
func (v *accountScreen) deleteAccount() tea.Cmd {
	a := v.app
	name := a.Session.Account().Name
	l := &screen.Prompt{TextField: widget.TextField{Limit: lobby.MaxName}, Label: "To delete the account, type " + name, EnterHelp: "delete permanently"}
	l.Enter = func(typed string) tea.Cmd {
		if typed != name {
			a.Notify("That is not the account's name; nothing was deleted.")
			return nil
		}
		return a.Call(a.Session.DeleteAccount, a.Exit)
	}
	return a.OpenPrompt(l)
}

func (v *accountScreen) Draw(c paint.Canvas) {
	t := v.app.Style.Theme
	me := v.app.Session.Account()
	w, h := c.Size()
	widget.DrawHeader(c, v.app.Style.Theme, "Account", me.Name, "")
	if v.isGuest() {
		v.drawGuest(widget.NewTextColumn(c))
		return
	}
	c.Text(3, 2, t.Dim, "Name")
	n := c.Text(12, 2, t.Strong, me.Name)
	c.Text(14+n, 2, t.Dim, "joined "+words.Date(me.CreatedAt))
	c.Text(3, 4, t.Dim, "Keys")
	c.Text(12, 4, t.Text, "Each of these keys signs in to this account.")
	below := 6
	if v.linkCode != "" {
		below = 8
	}
	from, to := v.list.Window(5, h-5-below, len(v.accountKeys))
	for i := from; i < to; i++ {
		v.drawKey(c.Sub(0, 5+i-from, w, 1), v.accountKeys[i], i == v.list.Index)
	}
	v.drawLink(c, max(6, 6+to-from))
}

// drawKey draws the row of a key.
func (v *accountScreen) drawKey(c paint.Canvas, k lobby.Key, selected bool) {
	t := v.app.Style.Theme
	w, _ := c.Size()
	style, dim := t.Text, t.Dim
	if selected {
		style, dim = t.Selected, t.Selected
		c.Fill(0, 0, w, 1, t.Selected, ' ')
		c.Text(1, 0, t.Selected, "›")
	}
	right := words.Date(k.Added)
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
	t := v.app.Style.Theme
	w, _ := c.Size()
	line := func(s paint.Style, text string) {
		for _, l := range widget.Wrap(text, w-6) {
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
		line(t.Link, "ssh "+v.app.Config.SSHArguments()+" link "+v.linkCode)
		line(t.Dim, "The code works once. Then press r to list the new key.")
	}
	y++
	line(t.Dim, "n: rename, once a day. D: delete the account; its games stay, under a neutral name.")
}

func (v *accountScreen) drawGuest(box widget.TextColumn) {
	t := v.app.Style.Theme
	y := box.Draw(1, t.Text, "You are a guest: without an SSH key you have no account, and your settings are lost when you leave.")
	y = box.Draw(y+1, t.Text, "To get an account, create a key on your computer and reconnect:")
	y = box.Draw(y, t.Link, "ssh-keygen -t ed25519")
	box.Draw(y, t.Link, "ssh "+v.app.Config.SSHArguments())
}

func (v *accountScreen) StatusLine() (string, paint.Style) {
	t := v.app.Style.Theme
	if v.loaded && !v.isGuest() {
		return words.Plural(len(v.accountKeys), "key") + ". The last key cannot be removed.", t.Dim
	}
	return "", t.Dim
}

func (v *accountScreen) StatusKeys() []game.Key {
	if v.isGuest() {
		return []game.Key{{Key: "b", Help: "blocked players"}, {Key: "?", Help: "help"}, {Key: "q", Help: "back"}}
	}
	return []game.Key{{Key: "l", Help: "add key"}, {Key: "x", Help: "remove key"}, {Key: "n", Help: "rename"}, {Key: "b", Help: "blocked"}, {Key: "D", Help: "delete"}, {Key: "?", Help: "help"}, {Key: "q", Help: "back"}}
}

func (v *accountScreen) Help() screen.Help {
	p := screen.Help{Title: "Account", About: "Your SSH keys are your account: every connection with one of them signs in as you. Guests have no account.",
		Keys: []game.Key{{Key: "b", Help: "the players you have blocked"}, {Key: "q", Help: "back to the settings"}}}
	if v.isGuest() {
		return p
	}
	p.Keys = append([]game.Key{
		{Key: "l", Help: "get a code to add a key from another machine"},
		{Key: "↑ ↓", Help: "select a key"},
		{Key: "x", Help: "remove the selected key; the last key cannot be removed"},
		{Key: "r", Help: "reload the list of keys"},
		{Key: "n", Help: "rename the account, once a day. Running games keep the old name"},
		{Key: "D", Help: "delete the account permanently; its games stay, under a neutral name"},
	}, p.Keys...)
	return p
}
