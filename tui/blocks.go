package tui

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby"
	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/screen"
	"ayumu/tui/screen/player"
	"ayumu/tui/widget"
	"ayumu/tui/words"
)

// blockKey returns the key that blocks or unblocks a user.
func (a *Model) blockKey(id lobby.AccountID) game.Key {
	return game.Key{Key: "B", Help: player.BlockLabel(a.Shell, id)}
}

// blocksScreen lists the users that the user has blocked. It is an overlay.
type blocksScreen struct {
	screen.Base
	app  *Model
	list widget.ListCursor
}

func (a *Model) openBlocks() tea.Cmd {
	a.OpenOverlay(&blocksScreen{app: a})
	return nil
}

func (v *blocksScreen) Handle(msg tea.Msg) tea.Cmd {
	key, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return nil
	}
	a := v.app
	all := a.Session.Blocks()
	switch key.String() {
	case "q", "esc", "b":
		return a.openAccount()
	case "x", "delete", "B":
		if v.list.Index < len(all) {
			return player.Unblock(a.Shell, all[v.list.Index].ID)
		}
	case "n":
		return a.OpenPrompt(&screen.Prompt{TextField: widget.TextField{Limit: lobby.MaxName}, Label: "Block which player", EnterHelp: "block", Enter: func(name string) tea.Cmd {
			return a.Call(func(ctx context.Context) error { return a.Session.Block(ctx, name) }, func() tea.Cmd { return nil })
		}})
	}
	v.list.Key(key.String(), len(all))
	return nil
}

func (v *blocksScreen) Draw(c paint.Canvas) {
	a := v.app
	t := a.Style.Theme
	w, h := c.Size()
	widget.DrawHeader(c, a.Style.Theme, "Blocked players", a.Session.Account().Name, "")
	all := a.Session.Blocks()
	about := "You do not see their messages, except those of moderators. They cannot challenge you or join your tables, and quick match does not pair you. They are not notified."
	y := 2
	for _, l := range widget.Wrap(about, w-6) {
		c.Text(3, y, t.Dim, l)
		y++
	}
	y++
	if len(all) == 0 {
		c.Text(3, y, t.Text, "You have not blocked anyone.")
		return
	}
	from, to := v.list.Window(y, h-y, len(all))
	for i := from; i < to; i++ {
		row, style, dim := y+i-from, t.Text, t.Dim
		if i == v.list.Index {
			style, dim = t.Selected, t.Selected
			c.Fill(0, row, w, 1, t.Selected, ' ')
			c.Text(1, row, t.Selected, "›")
		}
		c.Text(3, row, style, all[i].Name)
		since := "since " + words.Date(all[i].At)
		if all[i].ID < 0 || a.Session.Account().IsGuest() {
			since = "until the server restarts"
		}
		c.Text(5+lobby.MaxName, row, dim, since)
	}
}

func (v *blocksScreen) StatusLine() (string, paint.Style) {
	t := v.app.Style.Theme
	if n := len(v.app.Session.Blocks()); n > 0 {
		return fmt.Sprintf("%d of at most %d names", n, v.app.Session.Lobby().Limits().BlocksPerUser), t.Dim
	}
	return "", t.Dim
}

func (v *blocksScreen) StatusKeys() []game.Key {
	return []game.Key{{Key: "x", Help: "unblock"}, {Key: "n", Help: "block by name"}, {Key: "q", Help: "back"}}
}

func (v *blocksScreen) Help() screen.Help { return screen.Help{} }
