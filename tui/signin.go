package tui

import (
	"context"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby"
	"ayumu/tui/words"
)

// signIn finds out who comes.
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

// enterLobby lets the person into the lobby and opens the first screen.
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
		a.knownMatches[m.Info.ID] = true // those that go on already are in the lobby's list
	}
	first := a.setView(newLobbyScreen(a))
	a.notifyMore(a.config.Message)
	return tea.Batch(first, a.open(strings.Fields(a.config.Destination)), a.notifyReports())
}

// open goes where the visit asked to go: into a match, to a table, or into the game in which the
// person's clock runs.
func (a *app) open(words []string) tea.Cmd {
	code := ""
	if len(words) > 2 {
		code = words[2]
	}
	switch {
	case len(words) > 1 && words[0] == "watch":
		return a.watch(words[1], code)
	case len(words) > 1 && words[0] == "join":
		return a.join(words[1], code)
	case len(words) > 1 && words[0] == "replay":
		return a.openReview(words[1])
	}
	if m := a.liveMatch(); m != nil {
		return a.watch(m.Info.ID, "")
	}
	return nil
}

// refresh brings everything up to date after a wake.
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
	if at, ok := a.current.(*matchScreen); ok && !at.isArchived() {
		return at.match.Info.ID
	}
	return ""
}

// openNewMatch looks for a match of the person that has just begun, and goes there unless he plays
// another one.
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
		if at, ok := a.current.(*matchScreen); ok && at.player != nil && !at.snapshot.IsOver() && at.match != m {
			a.notify("Your game %s has begun. Press q for the lobby.", words.WithOpponents(m.Info, a.session.Account().ID))
			continue
		}
		a.bell()
		a.inputBlockedUntil = time.Now().Add(autoOpenGuard)
		if at, ok := a.current.(*matchScreen); ok && at.snapshot.Info.ID == m.Info.RematchOf {
			return at.openRematch(m.Info.ID)
		}
		a.notify("Your game %s has begun.", words.WithOpponents(m.Info, a.session.Account().ID))
		return a.watch(m.Info.ID, "")
	}
	return nil
}

// expectMatch notes that a match opens because the person asked for it. The lobby may have told of it
// first, so that it was taken for a surprise.
func (a *app) expectMatch(match string) {
	a.knownMatches[match] = true
	a.inputBlockedUntil = time.Time{}
}

// autoOpenGuard is how long keys do nothing after a screen has opened by itself: what was being typed
// into another one must not resign a game.
const autoOpenGuard = 700 * time.Millisecond

// notifyChallenges tells of a challenge that has come in.
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

// IdleLimit returns how long a session may stay without input, 0 for ever: that is so while a game
// of the person's goes on that is played in one sitting. looking says whether he looks at a match.
func IdleLimit(l lobby.Limits, s *lobby.Session, looking bool) time.Duration {
	for _, m := range s.SeatedMatches() {
		if m.Info.Control.Days == 0 && s.IsPlaying(m) {
			return 0
		}
	}
	if looking {
		return l.IdleWatching
	}
	return l.IdleLobby
}

// setIdleLimit tells whoever keeps the connection how long the person may be quiet, once he is in
// the lobby.
func (a *app) setIdleLimit() {
	if a.config.SetIdleLimit == nil || a.session == nil {
		return
	}
	looking := false
	switch a.current.(type) {
	case *matchScreen, *gridScreen:
		looking = true
	}
	if limit := IdleLimit(a.config.Lobby.Limits(), a.session, looking); limit != a.idle {
		a.idle = limit
		a.config.SetIdleLimit(limit)
	}
}

// bell rings the bell if the person wants that.
func (a *app) bell() {
	if a.settings.Bell {
		a.screen.Bell()
	}
}

// watch opens a match: at the person's seat if he has one, else as a watcher.
func (a *app) watch(id, code string) tea.Cmd {
	v, err := newMatchScreen(a, id, code)
	if err != nil {
		_, text := lobby.PublicError(err)
		a.notifyError("%s", text)
		return nil
	}
	return a.setView(v)
}

// join sits down at a table.
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

// followTarget is whose games open by themselves.
type followTarget struct {
	id       lobby.AccountID
	name     string
	featured bool
}

func (f followTarget) isSet() bool { return f.featured || f.id != 0 }

// resultDelay is how long the result of a followed game stays before the next one opens.
const resultDelay = 5 * time.Second

// openFollowed goes to the next game of the person, or of the featured table, that is followed.
func (a *app) openFollowed() tea.Cmd {
	if !a.follow.isSet() {
		return nil
	}
	at, watching := a.current.(*matchScreen)
	if watching && at.isArchived() {
		return nil
	}
	if watching && (at.player != nil || !at.snapshot.IsOver() || time.Since(at.snapshot.LastAt) < resultDelay) {
		return nil
	}
	if _, inLobby := a.current.(*lobbyScreen); !watching && !inLobby {
		return nil
	}
	next := a.followedMatch()
	if next == "" || watching && next == at.match.Info.ID {
		return nil
	}
	return a.watch(next, "")
}

// followedMatch returns the match that is to be shown now, or "".
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
