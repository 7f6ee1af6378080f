// Package account is the overlay with the account's name and keys: the user links and removes keys, renames
// the account and deletes it.
package account

import (
	"bytes"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/tui/game"
	"ayumu/tui/op"
	"ayumu/tui/paint"
	"ayumu/tui/screen"
	"ayumu/tui/screen/dest"
	"ayumu/tui/screen/player"
	"ayumu/tui/widget"
	"ayumu/tui/words"
)

// accountScreen is the screen.
type accountScreen struct {
	screen.Base
	keys        []account.Key
	loaded      bool
	list        widget.ListCursor
	linkCode    string // adds a further key; "" until requested
	codeExpires time.Time
}

// Open shows the account over the current screen and loads its keys.
func Open(sh *screen.Shell, _ dest.Account) tea.Cmd {
	v := &accountScreen{Base: screen.Base{Shell: sh}}
	sh.OpenOverlay(v)
	return v.loadKeys()
}

var bindings = screen.Bindings[*accountScreen]{
	forMembers(screen.Binding[*accountScreen]{Key: screen.Keys("l", "l", "get a code to add a key from another machine"), Label: "add key", Do: (*accountScreen).newLinkCode}),
	forMembers(screen.Binding[*accountScreen]{Key: screen.Keys(screen.CursorNames, "↑ ↓", "select a key"), DoKey: (*accountScreen).moveCursor}),
	forMembers(screen.Binding[*accountScreen]{Key: screen.Keys("x delete", "x", "remove the selected key; the last key cannot be removed"), Label: "remove key", Do: (*accountScreen).removeKey}),
	forMembers(screen.Binding[*accountScreen]{Key: screen.Keys("r", "r", "reload the list of keys"), Do: (*accountScreen).loadKeys}),
	forMembers(screen.Binding[*accountScreen]{Key: screen.Keys("n", "n", "rename the account, once a day. Running games keep the old name"), Label: "rename", Do: (*accountScreen).rename}),
	forMembers(screen.Binding[*accountScreen]{Key: screen.Keys("D", "D", "delete the account permanently; its games stay, under a neutral name"), Label: "delete", Rank: 1, Do: (*accountScreen).deleteAccount}),
	forMembers(screen.Binding[*accountScreen]{Key: screen.Keys("v", "v", "begin or end a vacation, which stops your clocks in correspondence games"), LabelOf: (*accountScreen).vacationLabel, Do: func(v *accountScreen) tea.Cmd { return player.AskVacation(v.Shell) }}),
	{Key: screen.Keys("b", "b", "the players you have blocked"), LabelOf: (*accountScreen).blocksLabel, Do: func(v *accountScreen) tea.Cmd { return v.Shell.Open(dest.Blocks{}) }},
	screen.HelpKey[*accountScreen](),
	{Key: screen.Keys("q esc a", "q", "back to the settings"), Label: "back", Rank: screen.LastRank, Do: func(v *accountScreen) tea.Cmd { return v.Shell.Open(dest.Settings{}) }},
}

// forMembers returns a binding that guests do not have.
func forMembers(b screen.Binding[*accountScreen]) screen.Binding[*accountScreen] {
	b.When, b.Listed = (*accountScreen).isMember, (*accountScreen).isMember
	return b
}

func (v *accountScreen) loadKeys() tea.Cmd {
	return screen.Run(v.Shell, op.Keys, op.None{}, func(keys []account.Key) tea.Cmd {
		v.keys, v.loaded = keys, true
		return nil
	})
}

// isMember reports whether the user has an account.
func (v *accountScreen) isMember() bool { return !v.Shell.Session.Account().IsGuest() }

func (v *accountScreen) Handle(msg tea.Msg) tea.Cmd { return bindings.HandleKey(v, msg) }

// Traits implements screen.Screen.
func (v *accountScreen) Traits() screen.Traits { return screen.Traits{Name: "account"} }

// Operate implements screen.Operator.
func (v *accountScreen) Operate(name, _ string) (cmd tea.Cmd, ok bool) {
	switch {
	case !v.isMember():
		return nil, false
	case name == "account_key":
		return v.newLinkCode(), true
	case name == "account_remove" && !v.loaded:
		v.Shell.Notify("Select the key to remove, and press x.")
		return nil, true
	case name == "account_remove":
		return v.removeKey(), true
	case name == "account_delete":
		return v.deleteAccount(), true
	}
	return nil, false
}

// moveCursor handles a key that selects an SSH key.
func (v *accountScreen) moveCursor(key string) tea.Cmd {
	v.list.Key(key, len(v.keys))
	return nil
}

func (v *accountScreen) newLinkCode() tea.Cmd {
	return screen.Run(v.Shell, op.LinkCode, op.None{}, func(code string) tea.Cmd {
		v.linkCode, v.codeExpires = code, time.Now().Add(lobby.LinkCodeTTL)
		return nil
	})
}

// removeKey removes the selected key after a confirmation.
func (v *accountScreen) removeKey() tea.Cmd {
	if v.list.Index >= len(v.keys) {
		return nil
	}
	sh, k := v.Shell, v.keys[v.list.Index]
	text := "Remove the key " + k.Fingerprint()[:15] + "… from the account?"
	if v.isCurrent(k) {
		text = "Remove the key you are using? You could no longer sign in with it."
	}
	return sh.Ask(screen.YesNo(text, "remove", "keep", func() tea.Cmd {
		return screen.Run(sh, op.RemoveKey, op.RemoveKeyArgs{Key: k.Wire}, func(left []account.Key) tea.Cmd {
			v.keys = left
			sh.Notify("Key removed.")
			return nil
		})
	}))
}

func (v *accountScreen) isCurrent(k account.Key) bool { return bytes.Equal(k.Wire, v.Shell.Config.Key) }

// rename prompts for a new name.
func (v *accountScreen) rename() tea.Cmd {
	sh := v.Shell
	l := &screen.Prompt{TextField: widget.TextField{Limit: account.MaxName}, Label: "New name", EnterHelp: "rename"}
	l.Enter = func(name string) tea.Cmd {
		return screen.Run(sh, op.Name, op.RenameArgs{Name: name}, func(op.NameResult) tea.Cmd {
			sh.Notify("You are now %s. You can change your name again tomorrow.", sh.Session.Account().Name)
			return nil
		})
	}
	return sh.OpenPrompt(l)
}

// vacationLabel returns the label of the key of vacations.
func (v *accountScreen) vacationLabel() string {
	if !player.CanGoOnVacation(v.Shell) {
		return ""
	}
	return "vacation"
}

// deleteAccount deletes the account after the user has typed its name.
func (v *accountScreen) deleteAccount() tea.Cmd {
	sh := v.Shell
	name := sh.Session.Account().Name
	l := &screen.Prompt{TextField: widget.TextField{Limit: account.MaxName}, Label: "To delete the account, type " + name, EnterHelp: "delete permanently"}
	l.Enter = func(typed string) tea.Cmd {
		if typed != name {
			sh.Notify("That is not the account's name; nothing was deleted.")
			return nil
		}
		return screen.Run(sh, op.DeleteAccount, op.NameArgs{Name: typed}, func(op.None) tea.Cmd { return sh.Exit() })
	}
	return sh.OpenPrompt(l)
}

func (v *accountScreen) Draw(c paint.Canvas) {
	t := v.Shell.Style.Theme
	me := v.Shell.Session.Account()
	w, h := c.Size()
	widget.DrawHeader(c, v.Shell.Style.Theme, "Account", me.Name, "")
	if !v.isMember() {
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
	from, to := v.list.Window(5, h-5-below, len(v.keys))
	for i := from; i < to; i++ {
		v.drawKey(c.Sub(0, 5+i-from, w, 1), i)
	}
	v.drawLink(c, max(6, 6+to-from))
}

// drawKey draws the row of the key with an index.
func (v *accountScreen) drawKey(c paint.Canvas, i int) {
	k := v.keys[i]
	w, _ := c.Size()
	style, dim := v.list.RowStyles(c, v.Shell.Style.Theme, i, 1)
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
	t := v.Shell.Style.Theme
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
		line(t.Link, "ssh "+v.Shell.Config.SSHArguments()+" link "+v.linkCode)
		line(t.Dim, "The code works once. Then press r to list the new key.")
	}
	y++
	if status := v.Shell.Session.Vacation(); status.Allowed > 0 {
		line(t.Dim, "v: "+words.VacationStatus(status))
	}
	line(t.Dim, "n: rename, once a day. D: delete the account; its games stay, under a neutral name.")
}

func (v *accountScreen) drawGuest(box widget.TextColumn) {
	t := v.Shell.Style.Theme
	y := box.Draw(1, t.Text, "You are a guest: without an SSH key you have no account, and your settings are lost when you leave.")
	y = box.Draw(y+1, t.Text, "To get an account, create a key on your computer and reconnect:")
	y = box.Draw(y, t.Link, "ssh-keygen -t ed25519")
	box.Draw(y, t.Link, "ssh "+v.Shell.Config.SSHArguments())
}

func (v *accountScreen) StatusLine() (string, paint.Style) {
	t := v.Shell.Style.Theme
	if v.loaded && v.isMember() {
		return words.Plural(len(v.keys), "key") + ". The last key cannot be removed.", t.Dim
	}
	return "", t.Dim
}

func (v *accountScreen) StatusKeys() []game.Key { return bindings.Status(v) }

// blocksLabel returns the label of the key that lists the blocked players.
func (v *accountScreen) blocksLabel() string {
	if v.isMember() {
		return "blocked"
	}
	return "blocked players"
}

func (v *accountScreen) Help() screen.Help {
	return screen.Help{
		Title: "Account",
		About: "Your SSH keys are your account: every connection with one of them signs in as you. Guests have no account.",
		Keys:  bindings.Help(v),
	}
}
