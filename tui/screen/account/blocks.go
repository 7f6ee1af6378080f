package account

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby/account"
	"ayumu/tui/paint"
	"ayumu/tui/screen"
	"ayumu/tui/screen/dest"
	"ayumu/tui/screen/player"
	"ayumu/tui/words"
)

// OpenBlocks shows the list over the current screen.
func OpenBlocks(sh *screen.Shell, _ dest.Blocks) tea.Cmd {
	session := sh.Session
	list := &screen.List[account.Block]{
		Name: "blocks", Title: "Blocked players", Subtitle: func() string { return session.Account().Name },
		Note:  "You do not see their messages, except those of moderators. They cannot challenge you or join your tables, and quick match does not pair you. They are not notified.",
		About: "The players whom you have blocked. They are not notified of it.",
		Rows:  session.Blocks,
		ID:    func(b account.Block) any { return b.ID },
		Columns: []screen.Column[account.Block]{
			{Width: account.MaxName + 2, Text: func(b account.Block) string { return b.Name }, Style: func(account.Block) paint.Style { return sh.Style.Theme.Text }},
			{Fills: true, Style: func(account.Block) paint.Style { return sh.Style.Theme.Dim }, Text: func(b account.Block) string {
				if b.ID < 0 || session.Account().IsGuest() {
					return "until the server restarts"
				}
				return "since " + words.Date(b.At)
			}},
		},
		Empty: func() string { return "You have not blocked anyone." },
		Status: func(int) string {
			n := len(session.Blocks())
			if n == 0 {
				return ""
			}
			return fmt.Sprintf("%d of at most %d names", n, session.Lobby().Limits().BlocksPerUser)
		},
		Actions: []screen.RowAction[account.Block]{
			{Key: screen.Keys("x delete", "x", "unblock the selected player"), Label: "unblock", Operation: "unblock", Do: func(b account.Block) tea.Cmd { return player.Unblock(sh, b.ID) }},
			{Key: screen.NoKey("block a player by name"), Label: "block by name", Operation: "block", DoAny: func() tea.Cmd { return blockByName(sh) }},
		},
		Back: func() tea.Cmd { return sh.Open(dest.Account{}) },
	}
	return list.Overlay(sh)
}

// blockByName prompts for a name and blocks that user.
func blockByName(sh *screen.Shell) tea.Cmd {
	return sh.OpenPrompt(sh.NewNamePrompt("Block which player", "block", func(name string) tea.Cmd {
		return player.Block(sh, name, func() tea.Cmd { return nil })
	}))
}
