package account

import (
	"bytes"
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/tui/op"
	"ayumu/tui/paint"
	"ayumu/tui/screen"
	"ayumu/tui/screen/dest"
	"ayumu/tui/screen/player"
	"ayumu/tui/widget"
	"ayumu/tui/words"
)

// accountScreen is the list of the account's keys, with what else can be done with an account. Guests have no keys.
type accountScreen struct {
	*screen.List[account.Key]
	sh          *screen.Shell
	linkCode    string // adds a further key; "" until requested
	codeExpires time.Time
}

// fingerprintColumns is the width of a fingerprint with the gap after it.
const fingerprintColumns = 51

// Open shows the account over the current screen and loads its keys.
func Open(sh *screen.Shell, _ dest.Account) tea.Cmd {
	v := &accountScreen{sh: sh}
	v.List = &screen.List[account.Key]{
		Name: "account", Title: "Account", Subtitle: func() string { return sh.Session.Account().Name },
		About:     "Your SSH keys are your account: every connection with one of them signs in as you. Guests have no account.",
		DrawAbove: v.draw,
		ID:        func(k account.Key) any { return string(k.Wire) },
		Columns: []screen.Column[account.Key]{
			{Title: "Key", Width: fingerprintColumns, Narrow: 16, Fills: true, Text: account.Key.Fingerprint},
			{Title: "Type", Width: 12, Rank: 2, Text: account.Key.Type},
			{Title: "Added", Width: 12, Rank: 1, Text: func(k account.Key) string { return words.Date(k.Added) }},
			{Width: 7, Rank: 0, Text: func(k account.Key) string {
				if v.isCurrent(k) {
					return "in use"
				}
				return ""
			}},
		},
		Detail: v.details,
		Actions: []screen.RowAction[account.Key]{
			{Key: screen.NoKey("get a code to add a key from another machine"), Label: "add key", Operation: "account_key", DoAny: v.newLinkCode},
			{Key: screen.Keys("x delete", "x", "remove the selected key; the last key cannot be removed"), Label: "remove key", Operation: "account_remove", Ask: v.askRemoval, Do: v.removeKey},
			{Key: screen.NoKey("rename the account, once a day. Running games keep the old name"), Label: "rename", When: v.isMember, DoAny: v.rename},
			{Key: screen.NoKey("begin or end a vacation, which stops your clocks in correspondence games"), Label: "vacation", Operation: op.Vacation.Info().Name, When: v.hasVacations, DoAny: func() tea.Cmd { return player.AskVacation(sh) }},
			{Key: screen.NoKey("the players you have blocked"), Label: "blocked players", DoAny: func() tea.Cmd { return sh.Open(dest.Blocks{}) }},
			{Key: screen.NoKey("delete the account permanently; its games stay, under a neutral name"), Label: "delete", Rank: 1, Operation: "account_delete", DoAny: v.deleteAccount},
		},
		Back: v.back,
	}
	if !v.isMember() {
		v.Rows = func() []account.Key { return nil }
		return v.Overlay(sh)
	}
	v.Load = func(ctx context.Context, _ string, _ *account.Key) (p screen.Page[account.Key], err error) {
		p.Rows, err = op.Keys.Run(ctx, sh.Visit, op.None{})
		return p, err
	}
	v.Status = func(int) string { return words.Plural(len(v.Shown()), "key") + ". The last key cannot be removed." }
	return v.Overlay(sh)
}

// isMember reports whether the user has an account.
func (v *accountScreen) isMember() bool { return !v.sh.Session.Account().IsGuest() }

// hasVacations reports whether the user may go on a vacation.
func (v *accountScreen) hasVacations() bool { return v.isMember() && player.CanGoOnVacation(v.sh) }

func (v *accountScreen) back() tea.Cmd { return v.sh.Open(dest.Settings{}) }

func (v *accountScreen) newLinkCode() tea.Cmd {
	return screen.Run(v.sh, op.LinkCode, op.None{}, func(code string) tea.Cmd {
		v.linkCode, v.codeExpires = code, time.Now().Add(lobby.LinkCodeTTL)
		return nil
	})
}

// askRemoval returns the question before a key is removed; "" for the only one, which cannot be.
func (v *accountScreen) askRemoval(k account.Key) string {
	if len(v.Shown()) == 1 {
		return ""
	}
	if v.isCurrent(k) {
		return "Remove the key you are using? You could no longer sign in with it."
	}
	return "Remove the key " + k.Fingerprint()[:15] + "… from the account?"
}

func (v *accountScreen) removeKey(k account.Key) tea.Cmd {
	if len(v.Shown()) == 1 {
		v.sh.NotifyError("this is the only key of your account; add another one first (:add key), or you could not sign in")
		return nil
	}
	return screen.Change(v.List, op.RemoveKey, op.RemoveKeyArgs{Key: k.Wire}, "Key removed.")
}

func (v *accountScreen) isCurrent(k account.Key) bool { return bytes.Equal(k.Wire, v.sh.Config.Key) }

// details describes a key in full, which its row may not have room for, and the vacations of the account.
func (v *accountScreen) details(k account.Key) (about, text string) {
	text = k.Fingerprint() + " " + k.Type() + ", added " + words.Date(k.Added)
	if status := v.sh.Session.Vacation(); status.Allowed > 0 {
		text += "\n" + words.VacationStatus(status)
	}
	return "", text
}

// rename prompts for a new name.
func (v *accountScreen) rename() tea.Cmd {
	sh := v.sh
	l := &screen.Prompt{TextField: widget.TextField{Limit: account.MaxName}, Label: "New name", EnterHelp: "rename"}
	l.Enter = func(name string) tea.Cmd {
		return screen.Run(sh, op.Name, op.RenameArgs{Name: name}, func(op.NameResult) tea.Cmd {
			sh.Notify("You are now %s. You can change your name again tomorrow.", sh.Session.Account().Name)
			return nil
		})
	}
	return sh.OpenPrompt(l)
}

// deleteAccount deletes the account after the user has typed its name.
func (v *accountScreen) deleteAccount() tea.Cmd {
	sh := v.sh
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

// draw draws what is above the keys: how to get an account, or a further key.
func (v *accountScreen) draw(c paint.Canvas) (y int) {
	t := v.sh.Style.Theme
	w, _ := c.Size()
	y = 2
	line := func(s paint.Style, lines ...string) {
		for _, text := range lines {
			c.Text(2, y, s, text)
			y++
		}
	}
	wrapped := func(s paint.Style, text string) { line(s, widget.Wrap(text, w-4)...) }
	command := func(text string) { line(t.Link, widget.WrapCommand(text, w-4)...) }
	switch me := v.sh.Session.Account(); {
	case me.IsGuest():
		wrapped(t.Text, "You are a guest: without an SSH key you have no account, and your settings are lost when you leave.")
		y++
		wrapped(t.Text, "To get an account, create a key on your computer and reconnect:")
		command("ssh-keygen -t ed25519")
		command("ssh " + v.sh.Config.SSHArguments())
	case v.linkCode == "":
		wrapped(t.Dim, "Each of these keys signs in to this account, which exists since "+words.Date(me.CreatedAt)+".")
	case time.Now().After(v.codeExpires):
		wrapped(t.Dim, "The code has expired. :add key gets a new one.")
	default:
		wrapped(t.Text, "Within 10 minutes, run this on the machine with the new key (a key that has no account here):")
		command("ssh " + v.sh.Config.SSHArguments() + " link " + v.linkCode)
		wrapped(t.Dim, "The code works once. Then press Ctrl+R to list the new key.")
	}
	return y + 1
}
