package tui

import (
	"context"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby"
	"ayumu/tui/words"
)

// begin finds out who comes.
func (a *app) begin() tea.Cmd {
	if a.visit.Account != nil {
		return a.enter(*a.visit.Account)
	}
	if a.visit.Key == nil {
		return a.welcomed(&guestView{app: a})
	}
	var account lobby.Account
	var known bool
	var failed error
	return a.call(func(ctx context.Context) error {
		account, known, failed = a.visit.Lobby.AccountByKey(ctx, a.visit.Key)
		return nil
	}, func() tea.Cmd {
		switch {
		case failed != nil:
			return a.sorry(failed)
		case !known:
			return a.welcomed(newNameView(a))
		}
		return a.enter(account)
	})
}

// enter lets the person into the lobby and opens the first screen.
func (a *app) enter(account lobby.Account) tea.Cmd {
	s, err := a.visit.Lobby.Enter(account, a.visit.Lag)
	if err != nil {
		return a.sorry(err)
	}
	a.session = s
	a.account.Store(int64(account.ID))
	if a.visit.Entered != nil {
		a.visit.Entered(s)
	}
	close(a.entered)
	a.code = s.ReturnCode()
	a.settings = readSettings(account.Settings)
	a.setLook()
	for _, m := range s.Seated() {
		a.known[m.Info.ID] = true // those that go on already are in the lobby's list
	}
	first := a.show(newLobbyView(a))
	a.tellMore(a.visit.Message)
	return tea.Batch(first, a.open(strings.Fields(a.visit.Open)), a.tellReports())
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
		return a.openReplay(words[1])
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
	a.tellEvents(a.news.Read(a.session, a.openMatch())...)
	cmd := a.newMatch()
	if crowd := a.session.Lobby().Crowd(); crowd != a.crowd {
		a.crowd = crowd
		a.newChallenge()
	}
	return tea.Batch(cmd, a.followOn(), a.at.refresh())
}

// openMatch returns the id of the match that is shown, or "".
func (a *app) openMatch() string {
	if at, ok := a.at.(*matchView); ok && !at.archived() {
		return at.match.Info.ID
	}
	return ""
}

// newMatch looks for a match of the person that has just begun, and goes there unless he plays
// another one.
func (a *app) newMatch() tea.Cmd {
	for _, m := range a.session.Seated() {
		if a.known[m.Info.ID] {
			continue
		}
		a.known[m.Info.ID] = true
		s := a.session.Snapshot(m)
		if s.Over() || time.Since(m.Info.Started) > time.Minute {
			continue
		}
		if at, ok := a.at.(*matchView); ok && at.player != nil && !at.snap.Over() && at.match != m {
			a.tell("Your game %s has begun; q leads to the lobby.", words.Versus(m.Info, a.session.Account().ID))
			continue
		}
		a.ring()
		a.deaf = time.Now().Add(surprise)
		if at, ok := a.at.(*matchView); ok && at.snap.Info.ID == m.Info.Prior {
			return at.goOn(m.Info.ID)
		}
		a.tell("Your game %s has begun.", words.Versus(m.Info, a.session.Account().ID))
		return a.watch(m.Info.ID, "")
	}
	return nil
}

// expected notes that a match opens because the person asked for it. The lobby may have told of it
// first, so that it was taken for a surprise.
func (a *app) expected(match string) {
	a.known[match] = true
	a.deaf = time.Time{}
}

// surprise is how long keys do nothing after a screen has opened by itself: what was being typed
// into another one must not resign a game.
const surprise = 700 * time.Millisecond

// newChallenge tells of a challenge that has come in.
func (a *app) newChallenge() {
	me := a.session.Account()
	var open map[string]bool // without the tables that are gone
	for _, t := range a.session.Lobby().View().Tables {
		if t.To != me.Name || !t.Concerns(me.ID) {
			continue
		}
		if open == nil {
			open = make(map[string]bool)
		}
		if open[t.ID] = true; a.invited[t.ID] {
			continue
		}
		if _, here := a.at.(*lobbyView); !here {
			a.tell("%s challenges you to %s; the lobby has the challenge (q).", t.Owner, lobby.Title(t.Game, t.Options))
		}
		a.ring()
	}
	a.invited = open
}

// Patience returns how long a session may stay without input, 0 for ever: that is so while a game
// of the person's goes on that is played in one sitting. looking says whether he looks at a match.
func Patience(l lobby.Limits, s *lobby.Session, looking bool) time.Duration {
	for _, m := range s.Seated() {
		if m.Info.Control.Days == 0 && s.Plays(m) {
			return 0
		}
	}
	if looking {
		return l.IdleWatching
	}
	return l.IdleLobby
}

// setPatience tells whoever keeps the connection how long the person may be quiet, once he is in
// the lobby.
func (a *app) setPatience() {
	if a.visit.Idle == nil || a.session == nil {
		return
	}
	looking := false
	switch a.at.(type) {
	case *matchView, *gridView:
		looking = true
	}
	if limit := Patience(a.visit.Lobby.Limits(), a.session, looking); limit != a.idle {
		a.idle = limit
		a.visit.Idle(limit)
	}
}

// ring rings the bell if the person wants that.
func (a *app) ring() {
	if a.settings.Bell {
		a.screen.Bell()
	}
}

// watch opens a match: at the person's seat if he has one, else as a watcher.
func (a *app) watch(id, code string) tea.Cmd {
	v, err := newMatchView(a, id, code)
	if err != nil {
		_, text := lobby.Explain(err)
		a.complain("%s", text)
		return nil
	}
	return a.show(v)
}

// join sits down at a table.
func (a *app) join(id, code string) tea.Cmd {
	var match string
	wait := "the game opens by itself"
	for _, t := range a.session.Lobby().View().Tables {
		if t.ID == id {
			wait = startsWhen(t.Options)
		}
	}
	return a.call(func(ctx context.Context) (err error) {
		match, err = a.session.Join(ctx, id, code)
		return err
	}, func() tea.Cmd {
		if match == "" {
			a.tell("You sit at the table; %s.", wait)
			return a.refresh()
		}
		a.expected(match)
		return a.watch(match, "")
	})
}

// follow is whose games open by themselves.
type follow struct {
	who      lobby.AccountID
	name     string
	featured bool
}

func (f follow) any() bool { return f.featured || f.who != 0 }

// resultShown is how long the result of a followed game stays before the next one opens.
const resultShown = 5 * time.Second

// followOn goes to the next game of the person, or of the featured table, that is followed.
func (a *app) followOn() tea.Cmd {
	if !a.follow.any() {
		return nil
	}
	at, watching := a.at.(*matchView)
	if watching && at.archived() {
		return nil
	}
	if watching && (at.player != nil || !at.snap.Over() || time.Since(at.snap.LastAt) < resultShown) {
		return nil
	}
	if _, inLobby := a.at.(*lobbyView); !watching && !inLobby {
		return nil
	}
	next := a.followed()
	if next == "" || watching && next == at.match.Info.ID {
		return nil
	}
	return a.watch(next, "")
}

// followed returns the match that is to be shown now, or "".
func (a *app) followed() string {
	v := a.session.Lobby().View()
	if a.follow.featured {
		return v.Featured
	}
	for _, p := range v.People {
		if p.ID == a.follow.who {
			return p.Match
		}
	}
	return ""
}
