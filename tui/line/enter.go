package line

import (
	"context"
	"strings"

	"ayumu/lobby"
	"ayumu/tui/words"
)

// begin finds out who comes.
func (t *talk) begin() {
	t.say("Ayumu, in lines of text. Type help at any time.")
	switch {
	case t.visit.Account != nil:
		t.enter(*t.visit.Account)
	case t.visit.Key == nil:
		t.say("You came without an SSH key, so you are a guest: you can play casual games, watch and talk.")
		t.say("With a key you keep a name and your games. To make one: ssh-keygen -t ed25519")
		t.enter(t.visit.Lobby.Guest())
	default:
		var a lobby.Account
		var known bool
		if !t.call(func(ctx context.Context) (err error) {
			a, known, err = t.visit.Lobby.AccountByKey(ctx, t.visit.Key)
			return err
		}) {
			t.left = true
			return
		}
		if known {
			t.enter(a)
			return
		}
		t.say("Your SSH key is new here. Type the name that you want to have: 2 to 16 letters, digits, - and _, a letter first.")
	}
}

// register takes a line as the name of a new account.
func (t *talk) register(name string) {
	var a lobby.Account
	if t.call(func(ctx context.Context) (err error) {
		a, err = t.visit.Lobby.Register(ctx, name, t.visit.Key, t.visit.From)
		return err
	}) {
		t.say("Welcome, %s. Your key is your password, so there is nothing else to remember.", a.Name)
		t.enter(a)
	}
}

func (t *talk) enter(a lobby.Account) {
	s, err := t.visit.Lobby.Enter(a, t.visit.Lag)
	if err != nil {
		t.sorry(err)
		t.left = true
		return
	}
	t.session = s
	if t.visit.Entered != nil {
		t.visit.Entered(s)
	}
	t.heard = s.Lobby().Chat.Last()
	t.say("You are %s.", a.Name)
	if t.visit.Message != "" {
		t.say("%s", t.visit.Message)
	}
	t.sayReports()
	if code := s.ReturnCode(); code != "" && t.visit.Host != "" {
		t.say("If your connection breaks during a game, come back with: ssh -l %s %s", code, t.visit.Host)
	}
	for _, m := range s.Seated() {
		t.known[m.Info.ID] = true
	}
	words := strings.Fields(t.visit.Open)
	switch {
	case len(words) > 1 && words[0] == "watch":
		t.watch(strings.Join(words[1:], " "))
	case len(words) > 1 && words[0] == "join":
		t.join(strings.Join(words[1:], " "))
	default:
		t.overview()
	}
}

// overview says what is going on, own games first.
func (t *talk) overview() {
	for _, m := range t.session.Seated() {
		if !t.session.Snapshot(m).Over() && m.Info.Control.Live() {
			t.open(m.Info.ID, "")
			return
		}
	}
	v := t.session.Lobby().View()
	if t.visit.Bots != nil {
		t.say("bot plays at once, against a bot; rules says how to play.")
	}
	t.say("%d here, %s, %s going on. quick finds you an opponent; tables and games list what there is.",
		len(v.People), words.Plural(len(v.TablesFor(t.session.Account().ID)), "open table"), words.Plural(len(v.Matches), "game"))
	t.ownGames(false)
}
