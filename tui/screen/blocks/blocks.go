// Package blocks is the overlay that lists the users that the user has blocked.
package blocks

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby/account"
	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/screen"
	"ayumu/tui/screen/dest"
	"ayumu/tui/screen/player"
	"ayumu/tui/widget"
	"ayumu/tui/words"
)

// blocks is the screen.
type blocks struct {
	screen.Base
	list widget.ListCursor
}

// Open shows the list over the current screen.
func Open(sh *screen.Shell, _ dest.Blocks) tea.Cmd {
	sh.OpenOverlay(&blocks{Base: screen.Base{Shell: sh}})
	return nil
}

var bindings = screen.Bindings[*blocks]{
	{Key: screen.Keys("x delete B", "x", ""), Label: "unblock", Do: (*blocks).unblock},
	{Key: screen.Keys("n", "n", ""), Label: "block by name", Do: (*blocks).blockByName},
	{Key: screen.Keys("q esc b", "q", ""), Label: "back", Do: func(v *blocks) tea.Cmd { return v.Shell.Open(dest.Account{}) }},
	screen.CursorKeys(func(v *blocks) (*widget.ListCursor, int) { return &v.list, len(v.Shell.Session.Blocks()) }),
}

func (v *blocks) Handle(msg tea.Msg) tea.Cmd { return bindings.HandleKey(v, msg) }

// unblock removes the selected block.
func (v *blocks) unblock() tea.Cmd {
	all := v.Shell.Session.Blocks()
	if v.list.Index >= len(all) {
		return nil
	}
	return player.Unblock(v.Shell, all[v.list.Index].ID)
}

// blockByName prompts for a name and blocks that user.
func (v *blocks) blockByName() tea.Cmd {
	sh := v.Shell
	return sh.OpenPrompt(&screen.Prompt{TextField: widget.TextField{Limit: account.MaxName}, Label: "Block which player", EnterHelp: "block", Enter: func(name string) tea.Cmd {
		return sh.Call(func(ctx context.Context) error { return sh.Session.Block(ctx, name) }, func() tea.Cmd { return nil })
	}})
}

func (v *blocks) Draw(c paint.Canvas) {
	t := v.Shell.Style.Theme
	w, h := c.Size()
	widget.DrawHeader(c, t, "Blocked players", v.Shell.Session.Account().Name, "")
	all := v.Shell.Session.Blocks()
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
		row := c.Sub(0, y+i-from, w, 1)
		style, dim := v.list.RowStyles(row, t, i, 1)
		row.Text(3, 0, style, all[i].Name)
		since := "since " + words.Date(all[i].At)
		if all[i].ID < 0 || v.Shell.Session.Account().IsGuest() {
			since = "until the server restarts"
		}
		row.Text(5+account.MaxName, 0, dim, since)
	}
}

func (v *blocks) StatusLine() (string, paint.Style) {
	t := v.Shell.Style.Theme
	if n := len(v.Shell.Session.Blocks()); n > 0 {
		return fmt.Sprintf("%d of at most %d names", n, v.Shell.Session.Lobby().Limits().BlocksPerUser), t.Dim
	}
	return "", t.Dim
}

func (v *blocks) StatusKeys() []game.Key { return bindings.Status(v) }

func (v *blocks) Help() screen.Help { return screen.Help{} }
