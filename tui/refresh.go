package tui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby/match"
	"ayumu/tui/screen/club"
	"ayumu/tui/screen/dest"
	matchscreen "ayumu/tui/screen/match"
	"ayumu/tui/screen/player"
	"ayumu/tui/words"
)

// Refresh implements screen.Router: it updates everything after a wake.
func (m *Model) Refresh() tea.Cmd {
	if m.Visit == nil {
		return nil
	}
	if news := m.Visit.News(m.Current().Traits().Match, "→", "> goes there."); len(news) > 0 {
		m.NotifyEvents(news...)
		m.Bell()
	}
	club.Notify(m.Shell)
	cmd := tea.Batch(m.openStarted(), m.saveConditions(), matchscreen.PlayPremoves(m.Shell))
	for _, t := range m.Visit.NewChallenges() {
		if m.HasOverlay() || !m.Current().Traits().ShowsTables {
			m.NotifyEvents(t.Owner + " challenges you to " + match.Title(t.Options) + ". Answer it in the lobby (q).")
		}
		m.Bell()
	}
	return tea.Batch(cmd, player.OpenFollowed(m.Shell), m.Current().Refresh())
}

// saveConditions stores which conditional moves of the user the session has shown, if there are new ones.
func (m *Model) saveConditions() tea.Cmd {
	v := m.Visit
	at := v.ShownConditions()
	if at.IsZero() {
		return nil
	}
	return m.Call(func(ctx context.Context) error {
		v.SaveShownConditions(ctx, at)
		return nil
	}, func() tea.Cmd { return nil })
}

// openStarted opens a match of the user that has just started, unless the user is playing another one.
func (m *Model) openStarted() tea.Cmd {
	for started := m.Visit.NextStarted(); started != nil; started = m.Visit.NextStarted() {
		shown, opponents := m.Current().Traits(), words.WithOpponents(started.Info, m.Session.Account().ID)
		if shown.IsPlaying && shown.Match != started.Info.ID {
			m.NotifyEvents("Your game " + opponents + " has started. Press q for the lobby.")
			m.Bell()
			continue
		}
		m.Bell()
		m.inputBlockedUntil = time.Now().Add(autoOpenGuard)
		if shown.Match != "" && shown.Match == started.Info.RematchOf {
			m.Notify("The rematch has started.")
		} else {
			m.Notify("Your game %s has started.", opponents)
		}
		return m.Open(dest.Match{ID: started.Info.ID, Returns: shown.Name == "tournament"}) // to its table, when it is left
	}
	return nil
}

// autoOpenGuard is the time for which keys and clicks are ignored after a match has opened by itself: those meant
// for another screen must not resign it.
const autoOpenGuard = 700 * time.Millisecond
