package tui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"ayumu/tui/screen/account"
	"ayumu/tui/screen/archive"
	"ayumu/tui/screen/blocks"
	"ayumu/tui/screen/dest"
	"ayumu/tui/screen/grid"
	"ayumu/tui/screen/help"
	"ayumu/tui/screen/leaderboard"
	"ayumu/tui/screen/lobbyscreen"
	"ayumu/tui/screen/match"
	"ayumu/tui/screen/moderation"
	"ayumu/tui/screen/newtable"
	"ayumu/tui/screen/profile"
	"ayumu/tui/screen/settings"
	"ayumu/tui/screen/textview"
	"ayumu/tui/screen/welcome"
)

// Open implements screen.Router: it is the list of screens by their destinations.
func (a *Model) Open(d dest.Destination) tea.Cmd {
	switch d := d.(type) {
	case dest.Welcome:
		return welcome.Open(a.Shell, d)
	case dest.SignInFailed:
		return welcome.OpenFailure(a.Shell, d)
	case dest.Lobby:
		return lobbyscreen.Open(a.Shell, d)
	case dest.Match:
		return a.openMatch(d)
	case dest.NextWaiting:
		return a.openNextWaiting()
	case dest.Table:
		return a.join(d.ID, d.Code)
	case dest.Replay:
		return match.OpenReplay(a.Shell, d)
	case dest.Grid:
		return grid.Open(a.Shell, d)
	case dest.NewTable:
		return newtable.Open(a.Shell, d, &a.lastBotGame)
	case dest.BotGame:
		return newtable.OpenBotGame(a.Shell, d, &a.lastBotGame)
	case dest.Archive:
		return archive.Open(a.Shell, d)
	case dest.Leaderboard:
		return leaderboard.Open(a.Shell, d)
	case dest.Profile:
		return profile.Open(a.Shell, d)
	case dest.Moderation:
		return moderation.Open(a.Shell, d)
	case dest.Sanction:
		return moderation.OpenSanction(a.Shell, d)
	case dest.Settings:
		return settings.Open(a.Shell, d)
	case dest.Account:
		return account.Open(a.Shell, d)
	case dest.Blocks:
		return blocks.Open(a.Shell, d)
	case dest.Help:
		return help.Open(a.Shell, d)
	case dest.Text:
		return textview.Open(a.Shell, d)
	}
	panic(fmt.Sprintf("tui: no screen for %T", d))
}
