package tui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"ayumu/tui/screen/account"
	"ayumu/tui/screen/analysis"
	"ayumu/tui/screen/announcement"
	"ayumu/tui/screen/archive"
	"ayumu/tui/screen/blocks"
	"ayumu/tui/screen/dest"
	"ayumu/tui/screen/grid"
	"ayumu/tui/screen/help"
	"ayumu/tui/screen/leaderboard"
	"ayumu/tui/screen/lesson"
	"ayumu/tui/screen/lobbyscreen"
	"ayumu/tui/screen/match"
	"ayumu/tui/screen/moderation"
	"ayumu/tui/screen/newtable"
	"ayumu/tui/screen/notifications"
	"ayumu/tui/screen/palette"
	"ayumu/tui/screen/profile"
	"ayumu/tui/screen/puzzle"
	"ayumu/tui/screen/settings"
	"ayumu/tui/screen/textview"
	"ayumu/tui/screen/welcome"
)

// Open implements screen.Router: it is the list of screens by their destinations.
func (m *Model) Open(d dest.Destination) tea.Cmd {
	switch d := d.(type) {
	case dest.Welcome:
		return welcome.Open(m.Shell, d)
	case dest.SignInFailed:
		return welcome.OpenFailure(m.Shell, d)
	case dest.Lobby:
		return lobbyscreen.Open(m.Shell, d)
	case dest.Match:
		return m.openMatch(d)
	case dest.NextWaiting:
		return m.openNextWaiting()
	case dest.Table:
		return m.join(d.ID, d.Code)
	case dest.Replay:
		return match.OpenReplay(m.Shell, d)
	case dest.Analysis:
		return analysis.Open(m.Shell, d)
	case dest.Grid:
		return grid.Open(m.Shell, d)
	case dest.NewTable:
		return newtable.Open(m.Shell, d, &m.tableMemory)
	case dest.Challenge:
		return newtable.OpenChallenge(m.Shell, d, &m.tableMemory)
	case dest.QuickMatch:
		return newtable.OpenQuickMatch(m.Shell, d)
	case dest.BotGame:
		return newtable.OpenBotGame(m.Shell, d)
	case dest.LocalGame:
		return newtable.OpenLocalGame(m.Shell, d)
	case dest.PositionGame:
		return newtable.OpenPositionGame(m.Shell, d)
	case dest.Archive:
		return archive.Open(m.Shell, d)
	case dest.Leaderboard:
		return leaderboard.Open(m.Shell, d)
	case dest.Lessons:
		return lesson.Open(m.Shell, d)
	case dest.Puzzle:
		return puzzle.Open(m.Shell, d)
	case dest.Profile:
		return profile.Open(m.Shell, d)
	case dest.Announcements:
		return announcement.Open(m.Shell, d)
	case dest.NewAnnouncement:
		return announcement.OpenForm(m.Shell, d)
	case dest.Moderation:
		return moderation.Open(m.Shell, d)
	case dest.Members:
		return moderation.OpenMembers(m.Shell, d)
	case dest.Invitations:
		return moderation.OpenInvitations(m.Shell, d)
	case dest.Sanction:
		return moderation.OpenSanction(m.Shell, d)
	case dest.Settings:
		return settings.Open(m.Shell, d)
	case dest.Notifications:
		return notifications.Open(m.Shell, d)
	case dest.Account:
		return account.Open(m.Shell, d)
	case dest.Blocks:
		return blocks.Open(m.Shell, d)
	case dest.Palette:
		return palette.Open(m.Shell, &m.paletteMemory)
	case dest.Help:
		return help.Open(m.Shell, d)
	case dest.Text:
		return textview.Open(m.Shell, d)
	}
	panic(fmt.Sprintf("tui: no screen for %T", d))
}
