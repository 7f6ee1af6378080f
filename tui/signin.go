package tui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby"
	"ayumu/tui/client"
	"ayumu/tui/words"
)

// signIn identifies the visitor by account or key and opens the lobby or a welcome screen.
func (a *app) signIn() tea.Cmd {
	if a.config.Account != nil {
		return a.enterLobby(*a.config.Account)
	}
	if a.config.Key == nil {
		return a.showWelcome(&guestScreen{app: a})
	}
	var account lobby.Account
	var known bool
	var failed error
	return a.call(func(ctx context.Context) error {
		account, known, failed = a.config.Lobby.AccountByKey(ctx, a.config.Key)
		return nil
	}, func() tea.Cmd {
		switch {
		case failed != nil:
			return a.showError(failed)
		case !known:
			return a.showWelcome(newNameScreen(a))
		}
		return a.enterLobby(account)
	})
}

// enterLobby opens the lobby's session for an account and the first screen.
func (a *app) enterLobby(account lobby.Account) tea.Cmd {
	s, err := a.config.Lobby.Enter(account, a.config.Lag)
	if err != nil {
		return a.showError(err)
	}
	a.session = s
	a.account.Store(int64(account.ID))
	if a.config.OnEnter != nil {
		a.config.OnEnter(s)
	}
	close(a.sessionReady)
	a.returnCode = s.ReturnCode()
	a.settings = readSettings(account.Settings)
	a.setStyle()
	for _, m := range s.SeatedMatches() {
		a.knownMatches[m.Info.ID] = true // already listed in the lobby
	}
	first := a.setView(newLobbyScreen(a))
	a.notifyMore(a.config.Message)
	return tea.Batch(first, a.open(a.config.Destination), a.notifyReports())
}

// open opens the destination of the connection: a match, a table or a replay; otherwise the match in
// which the user's clock is running.
func (a *app) open(d client.Destination) tea.Cmd {
	switch d.Kind {
	case client.ToMatch:
		return a.watch(d.ID, d.Code)
	case client.ToTable:
		return a.join(d.ID, d.Code)
	case client.ToReplay:
		return a.openReview(d.ID)
	}
	if m := a.liveMatch(); m != nil {
		return a.watch(m.Info.ID, "")
	}
	return nil
}

// refresh updates everything after a wake.
func (a *app) refresh() tea.Cmd {
	if a.session == nil {
		return nil
	}
	a.notifyEvents(a.news.Read(a.session, a.openMatch())...)
	cmd := a.openNewMatch()
	if revision := a.session.Lobby().UsersRevision(); revision != a.usersRevision {
		a.usersRevision = revision
		a.notifyChallenges()
	}
	return tea.Batch(cmd, a.openFollowed(), a.current.refresh())
}

// openMatch returns the id of the match that is shown, or "".
func (a *app) openMatch() string {
	if screen, ok := a.current.(*matchScreen); ok && !screen.isArchived() {
		return screen.match.Info.ID
	}
	return ""
}

// openNewMatch opens a match of the user that has just started, unless the user is playing another one.
func (a *app) openNewMatch() tea.Cmd {
	for _, m := range a.session.SeatedMatches() {
		if a.knownMatches[m.Info.ID] {
			continue
		}
		a.knownMatches[m.Info.ID] = true
		s := a.session.Snapshot(m)
		if s.IsOver() || time.Since(m.Info.Started) > time.Minute {
			continue
		}
		if screen, ok := a.current.(*matchScreen); ok && screen.player != nil && !screen.snapshot.IsOver() && screen.match != m {
			a.notify("Your game %s has begun. Press q for the lobby.", words.WithOpponents(m.Info, a.session.Account().ID))
			continue
		}
		a.bell()
		a.inputBlockedUntil = time.Now().Add(autoOpenGuard)
		if screen, ok := a.current.(*matchScreen); ok && screen.snapshot.Info.ID == m.Info.RematchOf {
			return screen.openRematch(m.Info.ID)
		}
		a.notify("Your game %s has begun.", words.WithOpponents(m.Info, a.session.Account().ID))
		return a.watch(m.Info.ID, "")
	}
	return nil
}

// expectMatch records that a match opens at the user's request, so that its keys are not blocked. The
// lobby may have reported the match first.
func (a *app) expectMatch(match string) {
	a.knownMatches[match] = true
	a.inputBlockedUntil = time.Time{}
}

// autoOpenGuard is the time for which keys are ignored after a match has opened by itself: keys meant
// for another screen must not resign it.
const autoOpenGuard = 700 * time.Millisecond

// notifyChallenges announces new challenges to the user.
func (a *app) notifyChallenges() {
	me := a.session.Account()
	var open map[string]bool // without the tables that are gone
	for _, t := range a.session.Lobby().View().Tables {
		if t.To != me.Name || !t.Concerns(me.ID) {
			continue
		}
		if open == nil {
			open = make(map[string]bool)
		}
		if open[t.ID] = true; a.knownChallenges[t.ID] {
			continue
		}
		if _, here := a.current.(*lobbyScreen); !here {
			a.notify("%s challenges you to %s. Answer it in the lobby (q).", t.Owner, lobby.Title(t.Options))
		}
		a.bell()
	}
	a.knownChallenges = open
}

// setIdleLimit passes a changed idle limit to config.SetIdleLimit.
func (a *app) setIdleLimit() {
	if a.config.SetIdleLimit == nil || a.session == nil {
		return
	}
	looking := false
	switch a.current.(type) {
	case *matchScreen, *gridScreen:
		looking = true
	}
	if limit := client.IdleLimit(a.session, looking); limit != a.idle {
		a.idle = limit
		a.config.SetIdleLimit(limit)
	}
}

// bell rings the bell if the settings allow it.
func (a *app) bell() {
	if a.settings.Bell {
		a.screen.Bell()
	}
}

// watch opens a match at the user's seat, otherwise as a spectator.
func (a *app) watch(id, code string) tea.Cmd {
	v, err := newMatchScreen(a, id, code)
	if err != nil {
		_, text := lobby.PublicError(err)
		a.notifyError("%s", text)
		return nil
	}
	return a.setView(v)
}

// join joins a table.
func (a *app) join(id, code string) tea.Cmd {
	var match string
	wait := "the game starts by itself"
	for _, t := range a.session.Lobby().View().Tables {
		if t.ID == id {
			wait = startCondition(t.Options)
		}
	}
	return a.call(func(ctx context.Context) (err error) {
		match, err = a.session.Join(ctx, id, code)
		return err
	}, func() tea.Cmd {
		if match == "" {
			a.notify("You joined the table; %s.", wait)
			return a.refresh()
		}
		a.expectMatch(match)
		return a.watch(match, "")
	})
}

// followTarget selects the matches that open by themselves: those of a user, or the featured ones. The
// zero value is none.
type followTarget struct {
	id       lobby.AccountID
	name     string
	featured bool
}

func (f followTarget) isSet() bool { return f.featured || f.id != 0 }

// resultDelay is how long the result of a followed match is shown before the next one opens.
const resultDelay = 5 * time.Second

// openFollowed opens the next match of the followed user, or the next featured one.
func (a *app) openFollowed() tea.Cmd {
	if !a.follow.isSet() {
		return nil
	}
	screen, watching := a.current.(*matchScreen)
	if watching && screen.isArchived() {
		return nil
	}
	if watching && (screen.player != nil || !screen.snapshot.IsOver() || time.Since(screen.snapshot.LastAt) < resultDelay) {
		return nil
	}
	if _, inLobby := a.current.(*lobbyScreen); !watching && !inLobby {
		return nil
	}
	next := a.followedMatch()
	if next == "" || watching && next == screen.match.Info.ID {
		return nil
	}
	return a.watch(next, "")
}

// followedMatch returns the id of the match to show for the follow target, or "".
func (a *app) followedMatch() string {
	v := a.session.Lobby().View()
	if a.follow.featured {
		return v.Featured
	}
	for _, p := range v.Users {
		if p.ID == a.follow.id {
			return p.Match
		}
	}
	return ""
}
