package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby/account"
	"ayumu/tui/op"
	"ayumu/tui/screen"
	"ayumu/tui/screen/club"
	"ayumu/tui/screen/dest"
)

// signIn identifies the visitor by account or key and opens the lobby or a welcome screen.
func (m *Model) signIn() tea.Cmd {
	switch {
	case m.Config.IsNewGuest():
		return m.Open(dest.Welcome{})
	case m.Config.Account != nil:
		return m.Enter(*m.Config.Account)
	}
	var account account.Account
	var known bool
	var failed error
	return m.Call(func(ctx context.Context) error {
		account, known, failed = m.Config.Identify(ctx)
		return nil
	}, func() tea.Cmd {
		switch {
		case failed != nil:
			return m.Open(dest.SignInFailed{Err: failed})
		case !known:
			return m.Open(dest.Welcome{})
		}
		return m.Enter(account)
	})
}

// Enter implements screen.Router: it opens the lobby's session for an account and the first screen.
func (m *Model) Enter(account account.Account) tea.Cmd {
	c, err := m.Config.Enter(account)
	if err != nil {
		return m.Open(dest.SignInFailed{Err: err})
	}
	m.SignedIn(c)
	m.account.Store(int64(account.ID))
	c.Session.OnWake(m.updates.wake)
	m.ReturnCode = c.Session.ReturnCode()
	m.Settings = screen.ReadSettings(account.Settings)
	m.UpdateStyle()
	first := m.Open(dest.Lobby{})
	m.NotifyMore(m.Config.Message)
	if m.Config.Notify.HasStopped(account.ID) {
		m.NotifyEvents(op.StoppedNotice)
	}
	if missed := c.MissedConditions(); len(missed) > 0 {
		m.NotifyEvents(missed...)
	}
	return tea.Batch(m.saveConditions(), m.notifyAway(), first, m.openFirst(m.Config.StartPoint), club.LoadAnnouncements(m.Shell), club.NotifyReports(m.Shell))
}

// notifyAway shows what has happened since the user was online before.
func (m *Model) notifyAway() tea.Cmd {
	if m.Visit.LastVisit == nil {
		return nil
	}
	return screen.Try(m.Shell, m.Visit.Away, func(text string, err error) tea.Cmd {
		if err == nil && text != "" { // it is only help
			m.AwayNews = text
			m.NotifyEvents(text)
		}
		return nil
	})
}

// openFirst opens the record of the configuration; without one the start point of the connection: a match, a table or a
// replay; otherwise the match in which the user's clock is running.
func (m *Model) openFirst(d op.StartPoint) tea.Cmd {
	if r := m.Config.Record; r != nil {
		cmd := m.Open(dest.Replay{Snapshot: r})
		if m.Visit.CanAnalyze(r) {
			cmd = tea.Batch(cmd, m.Open(dest.Analysis{Snapshot: r}))
		}
		return cmd
	}
	switch d.Kind {
	case op.ToMatch:
		return m.Open(dest.Match{ID: d.ID, Code: d.Code})
	case op.ToTable:
		return m.Open(dest.Table{ID: d.ID, Code: d.Code})
	case op.ToReplay:
		return m.Open(dest.Replay{ID: d.ID})
	}
	if live := m.Visit.LiveMatch(); live != nil {
		return m.Open(dest.Match{ID: live.Info.ID})
	}
	return nil
}
