package plain

import (
	"context"
	"strings"

	"ayumu/lobby"
	"ayumu/tui/client"
	"ayumu/tui/words"
)

// signIn enters the lobby with the account of the key, as a guest without a key, or asks for a name.
func (t *session) signIn() {
	t.printf("Ayumu, line mode. Type help at any time.")
	switch {
	case t.config.Account != nil:
		t.enter(*t.config.Account)
	case t.config.Key == nil:
		t.printf("You connected without an SSH key, so you are a guest: you can play casual games, watch and chat.")
		t.printf("With a key you keep your name and your games. To make one: ssh-keygen -t ed25519")
		t.enter(t.config.Lobby.NewGuest())
	default:
		var a lobby.Account
		var known bool
		if !t.call(func(ctx context.Context) (err error) {
			a, known, err = t.config.Lobby.AccountByKey(ctx, t.config.Key)
			return err
		}) {
			t.leaving = true
			return
		}
		if known {
			t.enter(a)
			return
		}
		t.printf("Your SSH key is new here. Choose a name and type it: 2 to 16 letters, digits, - and _, a letter first.")
	}
}

// register creates an account with a name and enters the lobby.
func (t *session) register(name string) {
	var a lobby.Account
	if t.call(func(ctx context.Context) (err error) {
		a, err = t.config.Lobby.Register(ctx, name, t.config.Key, t.config.Addr)
		return err
	}) {
		t.printf("Welcome, %s. You sign in with your SSH key; there is no password to remember.", a.Name)
		t.enter(a)
	}
}

func (t *session) enter(a lobby.Account) {
	s, err := t.config.Lobby.Enter(a, t.config.Lag)
	if err != nil {
		t.printError(err)
		t.leaving = true
		return
	}
	t.session = s
	if t.config.OnEnter != nil {
		t.config.OnEnter(s)
	}
	t.lastChat = s.Lobby().Chat.Last()
	t.printf("You are %s.", a.Name)
	if t.config.Message != "" {
		t.printf("%s", t.config.Message)
	}
	t.printReports()
	if code := s.ReturnCode(); code != "" && t.config.SSHTarget != "" {
		t.printf("To resume after a disconnect: ssh -l %s %s", code, t.config.SSHTarget)
	}
	for _, m := range s.SeatedMatches() {
		t.knownMatches[m.Info.ID] = true
	}
	switch d := t.config.Destination; d.Kind {
	case client.ToMatch:
		t.watch(strings.TrimSpace(d.ID + " " + d.Code))
	case client.ToTable:
		t.join(strings.TrimSpace(d.ID + " " + d.Code))
	default:
		t.printOverview()
	}
}

// printOverview opens the user's live game if there is one, else prints the state of the lobby.
func (t *session) printOverview() {
	for _, m := range t.session.SeatedMatches() {
		if !t.session.Snapshot(m).IsOver() && m.Info.Control.IsLive() {
			t.openMatch(m.Info.ID, "")
			return
		}
	}
	v := t.session.Lobby().View()
	if t.config.Bots != nil {
		t.printf("Type bot to play a bot, or rules to learn how to play.")
	}
	t.printf("%d online, %s, %s in progress. Type quick to find an opponent, tables or games for the lists.",
		len(v.Users), words.Plural(len(v.TablesFor(t.session.Account().ID)), "open table"), words.Plural(len(v.Matches), "game"))
	t.printOwnMatches(false)
}
