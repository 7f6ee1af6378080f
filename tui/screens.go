package tui

import (
	"context"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/tui/op"
	"ayumu/tui/screen"
	"ayumu/tui/screen/account"
	"ayumu/tui/screen/archive"
	"ayumu/tui/screen/club"
	"ayumu/tui/screen/dest"
	"ayumu/tui/screen/help"
	"ayumu/tui/screen/home"
	"ayumu/tui/screen/learn"
	"ayumu/tui/screen/match"
	"ayumu/tui/screen/palette"
	"ayumu/tui/screen/textview"
	"ayumu/tui/screen/tournaments"
	"ayumu/tui/words"
)

// Open implements screen.Router: it is the list of screens by their destinations.
func (m *Model) Open(d dest.Destination) tea.Cmd {
	switch d := d.(type) {
	case dest.Welcome:
		return home.OpenWelcome(m.Shell, d)
	case dest.SignInFailed:
		return home.OpenFailure(m.Shell, d)
	case dest.Lobby:
		return home.Open(m.Shell, d)
	case dest.Match:
		return m.openMatch(d)
	case dest.NextWaiting:
		return m.openNextWaiting()
	case dest.Table:
		return m.join(d.ID, d.Code)
	case dest.Replay:
		return match.OpenReplay(m.Shell, d)
	case dest.Analysis:
		return learn.OpenAnalysis(m.Shell, d)
	case dest.Grid:
		return match.OpenGrid(m.Shell, d)
	case dest.NewTable:
		return home.OpenNewTable(m.Shell, d)
	case dest.Challenge:
		return home.OpenChallenge(m.Shell, d)
	case dest.QuickMatch:
		return home.OpenQuickMatch(m.Shell, d)
	case dest.BotGame:
		return home.OpenBotGame(m.Shell, d)
	case dest.LocalGame:
		return home.OpenLocalGame(m.Shell, d)
	case dest.PositionGame:
		return home.OpenPositionGame(m.Shell, d)
	case dest.Archive:
		return archive.Open(m.Shell, d)
	case dest.Leaderboard:
		return account.OpenLeaderboard(m.Shell, d)
	case dest.Lessons:
		return learn.OpenLessons(m.Shell, d)
	case dest.Puzzle:
		return learn.OpenPuzzle(m.Shell, d)
	case dest.Profile:
		return account.OpenProfile(m.Shell, d)
	case dest.Tournaments:
		return tournaments.Open(m.Shell, d)
	case dest.Tournament:
		return tournaments.OpenTournament(m.Shell, d)
	case dest.NewTournament:
		return home.OpenNewTournament(m.Shell, d)
	case dest.EditTournament:
		return home.OpenEditTournament(m.Shell, d)
	case dest.Announcements:
		return club.OpenAnnouncements(m.Shell, d)
	case dest.NewAnnouncement:
		return club.OpenNewAnnouncement(m.Shell, d)
	case dest.Moderation:
		return club.OpenModeration(m.Shell, d)
	case dest.Members:
		return club.OpenMembers(m.Shell, d)
	case dest.Invitations:
		return club.OpenInvitations(m.Shell, d)
	case dest.Sanction:
		return club.OpenSanction(m.Shell, d)
	case dest.Settings:
		return account.OpenSettings(m.Shell, d)
	case dest.Notifications:
		return account.OpenNotifications(m.Shell, d)
	case dest.Account:
		return account.Open(m.Shell, d)
	case dest.Blocks:
		return account.OpenBlocks(m.Shell, d)
	case dest.Palette:
		return palette.Open(m.Shell, &m.paletteMemory)
	case dest.Help:
		return help.Open(m.Shell, d)
	case dest.Text:
		return textview.Open(m.Shell, d)
	}
	panic(fmt.Sprintf("tui: no screen for %T", d))
}

// openMatch opens a match, one that the user has just started without announcing it.
func (m *Model) openMatch(d dest.Match) tea.Cmd {
	if d.IsExpected { // the lobby may have reported the match first
		m.Visit.Expect(d.ID)
		m.inputBlockedUntil = time.Time{}
	}
	return match.Open(m.Shell, d)
}

// openNextWaiting opens the next match in which it is the user's turn.
func (m *Model) openNextWaiting() tea.Cmd {
	shown := m.Current().Traits()
	list := m.Visit.Waiting(shown.Match)
	if len(list) == 0 {
		m.Notify("It is not your turn in any other game.")
		return nil
	}
	next := list[0]
	open := func() tea.Cmd {
		m.Notify("Your game %s: it is your turn.", words.WithOpponents(next.Info, m.Session.Account().ID))
		return m.Open(dest.Match{ID: next.Info.ID})
	}
	if shown.ClockRuns {
		return m.Confirm(screen.YesNo("Your clock keeps running. Go to the next game?", "next game", "stay", open))
	}
	return open()
}

// join joins a table.
func (m *Model) join(id, code string) tea.Cmd {
	var r op.StartResult
	wait := "the game starts automatically"
	for _, t := range m.Session.Lobby().TableList().Tables {
		if t.ID == id {
			wait = words.StartCondition(t.Options, "y")
		}
	}
	return m.Call(func(ctx context.Context) (err error) {
		r, err = op.Join.Run(ctx, m.Visit, op.JoinArgs{Table: op.TableID(id), Code: code})
		return err
	}, func() tea.Cmd {
		if r.Match == "" {
			m.Notify("You joined the table; %s.", wait)
			return m.Refresh()
		}
		return m.Open(dest.Match{ID: r.Match, IsExpected: true})
	})
}
