package tui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby/account"
	"ayumu/lobby/match"
	"ayumu/tui/op"
	"ayumu/tui/screen"
	"ayumu/tui/screen/announcement"
	"ayumu/tui/screen/dest"
	matchscreen "ayumu/tui/screen/match"
	"ayumu/tui/screen/moderation"
	"ayumu/tui/screen/player"
	"ayumu/tui/words"
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
	return tea.Batch(m.saveConditions(), first, m.openFirst(m.Config.Destination), announcement.Load(m.Shell), moderation.NotifyReports(m.Shell))
}

// openFirst opens the record of the configuration; without one the destination of the connection: a match, a table or a
// replay; otherwise the match in which the user's clock is running.
func (m *Model) openFirst(d op.Destination) tea.Cmd {
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

// Refresh implements screen.Router: it updates everything after a wake.
func (m *Model) Refresh() tea.Cmd {
	if m.Visit == nil {
		return nil
	}
	if news := m.Visit.News(m.Current().Traits().Match, "→"); len(news) > 0 {
		m.NotifyEvents(news...)
		m.Bell()
	}
	announcement.Notify(m.Shell)
	cmd := tea.Batch(m.openStarted(), m.saveConditions())
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
		return m.Open(dest.Match{ID: started.Info.ID})
	}
	return nil
}

// autoOpenGuard is the time for which keys and clicks are ignored after a match has opened by itself: those meant
// for another screen must not resign it.
const autoOpenGuard = 700 * time.Millisecond

// openMatch opens a match, one that the user has just started without announcing it.
func (m *Model) openMatch(d dest.Match) tea.Cmd {
	if d.IsExpected { // the lobby may have reported the match first
		m.Visit.Expect(d.ID)
		m.inputBlockedUntil = time.Time{}
	}
	return matchscreen.Open(m.Shell, d)
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
