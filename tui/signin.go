package tui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby"
	"ayumu/tui/client"
	"ayumu/tui/screen"
	"ayumu/tui/screen/dest"
	"ayumu/tui/screen/match"
	"ayumu/tui/screen/moderation"
	"ayumu/tui/screen/player"
	"ayumu/tui/words"
)

// signIn identifies the visitor by account or key and opens the lobby or a welcome screen.
func (a *Model) signIn() tea.Cmd {
	if a.Config.IsGuest() {
		return a.Open(dest.Welcome{})
	}
	var account lobby.Account
	var known bool
	var failed error
	return a.Call(func(ctx context.Context) error {
		account, known, failed = a.Config.Identify(ctx)
		return nil
	}, func() tea.Cmd {
		switch {
		case failed != nil:
			return a.Open(dest.SignInFailed{Err: failed})
		case !known:
			return a.Open(dest.Welcome{})
		}
		return a.Enter(account)
	})
}

// Enter implements screen.Router: it opens the lobby's session for an account and the first screen.
func (a *Model) Enter(account lobby.Account) tea.Cmd {
	c, err := a.Config.Enter(account)
	if err != nil {
		return a.Open(dest.SignInFailed{Err: err})
	}
	a.SignedIn(c)
	a.account.Store(int64(account.ID))
	close(a.sessionReady)
	a.ReturnCode = c.Session.OwnAccount().ReturnCode()
	a.Settings = screen.ReadSettings(account.Settings)
	a.UpdateStyle()
	first := a.Open(dest.Lobby{})
	a.NotifyMore(a.Config.Message)
	return tea.Batch(first, a.openFirst(a.Config.Destination), moderation.NotifyReports(a.Shell))
}

// openFirst opens the destination of the connection: a match, a table or a replay; otherwise the match in
// which the user's clock is running.
func (a *Model) openFirst(d client.Destination) tea.Cmd {
	switch d.Kind {
	case client.ToMatch:
		return a.Open(dest.Match{ID: d.ID, Code: d.Code})
	case client.ToTable:
		return a.Open(dest.Table{ID: d.ID, Code: d.Code})
	case client.ToReplay:
		return a.Open(dest.Replay{ID: d.ID})
	}
	if m := a.Client.LiveMatch(); m != nil {
		return a.Open(dest.Match{ID: m.Info.ID})
	}
	return nil
}

// Refresh implements screen.Router: it updates everything after a wake.
func (a *Model) Refresh() tea.Cmd {
	if a.Client == nil {
		return nil
	}
	if news := a.Client.News(a.Current().Traits().Match, "→"); len(news) > 0 {
		a.NotifyEvents(news...)
		a.Bell()
	}
	cmd := a.openStarted()
	for _, t := range a.Client.NewChallenges() {
		if a.HasOverlay() || !a.Current().Traits().ShowsTables {
			a.NotifyEvents(t.Owner + " challenges you to " + lobby.Title(t.Options) + ". Answer it in the lobby (q).")
		}
		a.Bell()
	}
	return tea.Batch(cmd, player.OpenFollowed(a.Shell), a.Current().Refresh())
}

// openStarted opens a match of the user that has just started, unless the user is playing another one.
func (a *Model) openStarted() tea.Cmd {
	for m := a.Client.NextStarted(); m != nil; m = a.Client.NextStarted() {
		shown, opponents := a.Current().Traits(), words.WithOpponents(m.Info, a.Session.Account().ID)
		if shown.IsPlaying && shown.Match != m.Info.ID {
			a.NotifyEvents("Your game " + opponents + " has begun. Press q for the lobby.")
			a.Bell()
			continue
		}
		a.Bell()
		a.inputBlockedUntil = time.Now().Add(autoOpenGuard)
		if shown.Match != "" && shown.Match == m.Info.RematchOf {
			a.Notify("The rematch has begun.")
		} else {
			a.Notify("Your game %s has begun.", opponents)
		}
		return a.Open(dest.Match{ID: m.Info.ID})
	}
	return nil
}

// autoOpenGuard is the time for which keys are ignored after a match has opened by itself: keys meant
// for another screen must not resign it.
const autoOpenGuard = 700 * time.Millisecond

// openMatch opens a match, one that the user has just started without announcing it.
func (a *Model) openMatch(d dest.Match) tea.Cmd {
	if d.IsExpected { // the lobby may have reported the match first
		a.Client.Expect(d.ID)
		a.inputBlockedUntil = time.Time{}
	}
	return match.Open(a.Shell, d)
}

// openNextWaiting opens the next match in which it is the user's turn.
func (a *Model) openNextWaiting() tea.Cmd {
	shown := a.Current().Traits()
	list := a.Client.Waiting(shown.Match)
	if len(list) == 0 {
		a.Notify("It is not your turn in any other game.")
		return nil
	}
	next := list[0]
	open := func() tea.Cmd {
		a.Notify("Your game %s: it is your turn.", words.WithOpponents(next.Info, a.Session.Account().ID))
		return a.Open(dest.Match{ID: next.Info.ID})
	}
	if shown.ClockRuns {
		return a.Confirm(screen.YesNo("Your clock keeps running. Go to the next game?", "next game", "stay", open))
	}
	return open()
}

// join joins a table.
func (a *Model) join(id, code string) tea.Cmd {
	var match string
	wait := "the game starts by itself"
	for _, t := range a.Session.Lobby().View().Tables {
		if t.ID == id {
			wait = words.StartCondition(t.Options, "y")
		}
	}
	return a.Call(func(ctx context.Context) (err error) {
		match, err = a.Session.Tables().Join(ctx, id, code)
		return err
	}, func() tea.Cmd {
		if match == "" {
			a.Notify("You joined the table; %s.", wait)
			return a.Refresh()
		}
		return a.Open(dest.Match{ID: match, IsExpected: true})
	})
}
