package linemode

import (
	"context"
	"slices"
	"strings"

	"ayumu/lobby/account"
	"ayumu/tui/op"
	"ayumu/tui/words"
)

// signIn enters the lobby with the account of the key, as a guest without a key, or asks for a name.
func (t *session) signIn() {
	t.printf("%s, line mode. Type help at any time.", t.config.Site())
	var a account.Account
	var known bool
	if !t.call(func(ctx context.Context) (err error) {
		a, known, err = t.config.Identify(ctx)
		return err
	}) {
		t.hasEnded = true
		return
	}
	switch {
	case !known:
		t.printf("Your SSH key is new here. %s", chooseName)
		return
	case t.config.IsNewGuest():
		t.printf("You connected without an SSH key, so you are a guest: you can play casual games of %s, watch and chat.", t.config.Games.Engine().Titles())
		t.printf("With a key you keep your name and your games. To make one: ssh-keygen -t ed25519")
	}
	t.enter(a)
}

const chooseName = "Choose a name and type it: 2 to 16 letters, digits, - and _, beginning with a letter."

// register creates an account with a name and enters the lobby. The names of commands are not taken for one.
func (t *session) register(name string) {
	word, _, _ := strings.Cut(strings.ToLower(name), " ")
	if o := t.config.Operations.ForLine(word); o != nil && (word == o.Info().Name || slices.Contains(o.Info().On.Line.All(o.Info().Name), word)) {
		switch o.Info().Name {
		case "quit":
			t.exit()
		case "help":
			t.printf("%s Commands come after that. Type quit to leave.", chooseName)
		default:
			t.printf("%s is a command, which works once you have a name. %s", word, chooseName)
		}
		return
	}
	var a account.Account
	if t.call(func(ctx context.Context) (err error) {
		a, err = t.config.Register(ctx, name)
		return err
	}) {
		t.printf("Welcome, %s. You sign in with your SSH key; there is no password to remember.", a.Name)
		t.enter(a)
	}
}

// enter enters the lobby and opens the start point.
func (t *session) enter(a account.Account) {
	c, err := t.config.Enter(a)
	if err != nil {
		t.printError(err)
		t.hasEnded = true
		return
	}
	t.visit = c
	c.Here = t.optionsHere
	t.printf("You are %s.", a.Name)
	if t.config.Message != "" {
		t.printf("%s", t.config.Message)
	}
	t.printUnread()
	if t.config.Notify.HasStopped(a.ID) {
		t.printf("%s", op.StoppedNotice)
	}
	for _, text := range c.MissedConditions() {
		t.printf("%s", text)
	}
	t.saveShownConditions()
	t.printAway()
	t.printReports()
	if code := c.Session.ReturnCode(); code != "" && t.config.SSHTarget != "" {
		t.printf("To resume after a disconnect: ssh -l %s %s", code, t.config.SSHTarget)
	}
	if t.config.StartPoint == (op.StartPoint{}) {
		t.printOverview()
		return
	}
	t.open(t.config.StartPoint)
}

// open opens a start point.
func (t *session) open(d op.StartPoint) {
	switch d = t.visit.Resolve(d); d.Kind {
	case op.ToMatch:
		t.openMatch(d.ID, d.Code)
	case op.ToTable:
		t.runOperation(op.Join, "join", d.ID+" "+d.Code)
	case op.ToReplay:
		t.openReplay(d.ID)
	}
}

// printOverview opens the user's live game if there is one, else prints the state of the lobby.
func (t *session) printOverview() {
	if m := t.visit.LiveMatch(); m != nil {
		t.openMatch(m.Info.ID, "")
		return
	}
	v := t.visit.Session.Lobby().View()
	if t.config.Bots != nil {
		t.printf("Type learn to learn the games, or bot to play a bot.")
	} else {
		t.printf("Type learn to learn the games.")
	}
	t.printf("%s, %s, %s in progress. Type quick to find an opponent, tables or games for the lists.",
		words.Online(v.Users), words.Plural(len(v.TablesFor(t.visit.Session.Account().ID)), "open table"), words.Plural(len(v.Matches), "game"))
	if own := t.visit.OwnMatches(); len(own.Rows) > 0 {
		t.printRows(own)
		t.printf("Type play and a number to go to a game.")
	}
}
