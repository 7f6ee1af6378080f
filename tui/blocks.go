package tui

import (
	"context"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby"
	"ayumu/tui/game"
	"ayumu/tui/paint"
)

// toggleBlock blocks a user after a confirmation, or removes the block.
func (a *app) toggleBlock(id lobby.AccountID, name string) tea.Cmd {
	if id == a.session.Account().ID {
		a.notify("You cannot block yourself.")
		return nil
	}
	if a.session.HasBlocked(id) {
		return a.unblock(id)
	}
	return a.ask(yesNo("Block "+name+"? You will no longer be paired or see each other's messages. They are not notified.", "block", "cancel", func() tea.Cmd {
		return a.call(func(ctx context.Context) error { return a.session.Block(ctx, name) }, func() tea.Cmd {
			a.notify("You blocked %s. Your account lists blocked players (o, a, b).", name)
			return a.refresh()
		})
	}))
}

// unblock removes a block by its id, since the user's name may have changed.
func (a *app) unblock(id lobby.AccountID) tea.Cmd {
	all := a.session.Blocks()
	i := slices.IndexFunc(all, func(b lobby.Block) bool { return b.ID == id })
	if i < 0 {
		return nil
	}
	return a.call(func(ctx context.Context) error { return a.session.Unblock(ctx, all[i].Name) }, func() tea.Cmd {
		a.notify("You unblocked %s.", all[i].Name)
		return a.refresh()
	})
}

// blockKey returns the key that blocks or unblocks a user.
func (a *app) blockKey(id lobby.AccountID) game.Key {
	if a.session.HasBlocked(id) {
		return game.Key{Key: "B", Help: "unblock"}
	}
	return game.Key{Key: "B", Help: "block"}
}

// blocksScreen lists the users that the user has blocked. It is an overlay.
type blocksScreen struct {
	baseScreen
	app  *app
	list listCursor
}

func (a *app) openBlocks() tea.Cmd {
	a.overlay = &blocksScreen{app: a}
	return nil
}

func (v *blocksScreen) handle(msg tea.Msg) tea.Cmd {
	key, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return nil
	}
	a := v.app
	all := a.session.Blocks()
	switch key.String() {
	case "q", "esc", "b":
		return a.openAccount()
	case "x", "delete", "B":
		if v.list.index < len(all) {
			return a.unblock(all[v.list.index].ID)
		}
	case "n":
		return a.openPrompt(&prompt{textField: textField{limit: lobby.MaxName}, label: "Block which player", enterHelp: "block", enter: func(name string) tea.Cmd {
			return a.call(func(ctx context.Context) error { return a.session.Block(ctx, name) }, func() tea.Cmd { return nil })
		}})
	}
	v.list.key(key.String(), len(all))
	return nil
}

func (v *blocksScreen) draw(c paint.Canvas) {
	a := v.app
	t := a.style.Theme
	w, h := c.Size()
	a.drawHeader(c, "Blocked players", a.session.Account().Name, "")
	all := a.session.Blocks()
	about := "You do not see their messages, except those of moderators. They cannot challenge you or join your tables, and quick match does not pair you. They are not notified."
	y := 2
	for _, l := range wrap(about, w-6) {
		c.Text(3, y, t.Dim, l)
		y++
	}
	y++
	if len(all) == 0 {
		c.Text(3, y, t.Text, "You have not blocked anyone.")
		return
	}
	from, to := v.list.window(y, h-y, len(all))
	for i := from; i < to; i++ {
		row, style, dim := y+i-from, t.Text, t.Dim
		if i == v.list.index {
			style, dim = t.Selected, t.Selected
			c.Fill(0, row, w, 1, t.Selected, ' ')
			c.Text(1, row, t.Selected, "›")
		}
		c.Text(3, row, style, all[i].Name)
		since := "since " + dateText(all[i].At)
		if all[i].ID < 0 || a.session.Account().IsGuest() {
			since = "until the server restarts"
		}
		c.Text(5+lobby.MaxName, row, dim, since)
	}
}

func (v *blocksScreen) statusLine() (string, paint.Style) {
	t := v.app.style.Theme
	if n := len(v.app.session.Blocks()); n > 0 {
		return fmt.Sprintf("%d of at most %d names", n, v.app.session.Lobby().Limits().BlocksPerUser), t.Dim
	}
	return "", t.Dim
}

func (v *blocksScreen) statusKeys() []game.Key {
	return []game.Key{{Key: "x", Help: "unblock"}, {Key: "n", Help: "block by name"}, {Key: "q", Help: "back"}}
}

func (v *blocksScreen) help() helpPage { return helpPage{} }
