package api

import (
	"context"
	"slices"
	"testing"

	"ayumu/engine"
	"ayumu/engine/enginetest"
	"ayumu/engine/search"
	"ayumu/engine/search/searchtest"
	"ayumu/lobby"
	"ayumu/lobby/bots"
	"ayumu/lobby/lobbytest"
	"ayumu/lobby/match"
	"ayumu/lobby/table"
	"ayumu/tui/game/gametest"
	"ayumu/tui/op"
)

// firstLegal lists the first legal action as the best turn.
func firstLegal(_ context.Context, p engine.Position, _ search.Options) (search.Advice, error) {
	return search.Advice{Choices: []search.Choice{{Actions: p.Legal()[:1], Chance: 0.61239}}, Chances: []float64{0.25, 0.75}}, nil
}

func TestHint(t *testing.T) {
	db := lobbytest.Store(t)
	l := lobbytest.New(t, lobby.Config{Store: db})
	builtin, err := bots.Open(t.Context(), bots.Config{Lobby: l, Store: db, Engines: searchtest.Engines(enginetest.Games, firstLegal)})
	if err != nil {
		t.Fatal(err)
	}
	defer builtin.Close()
	people := lobbytest.Guests(t, l, 2)
	ana, eve := people[0], people[1]
	ask := func(s *lobby.Session, lines ...string) []map[string]any {
		t.Helper()
		return askVisit(t, (&op.Config{Lobby: l, Games: gametest.Games, Bots: builtin}).Attach(s), lines...)
	}
	id, _ := ask(ana, `{"id":1,"op":"bot","game":"ayu","options":{"size":5,"pie":false}}`)[0]["match"].(string)
	m, err := l.Match(id)
	if err != nil {
		t.Fatal(err)
	}
	if level := slices.IndexFunc(m.Info.Seats, func(s match.Seat) bool { return s.Name == builtin.Name(op.DefaultBotLevel) }); level < 0 {
		t.Errorf("without a level the opponents are %v", m.Info.Seats)
	}
	hint := func(more string) string { return `{"id":1,"op":"hint","match":"` + id + `"` + more + `}` }
	got := ask(ana, hint(`,"version":0`))[0]
	turns, _ := got["turns"].([]any)
	if got["ok"] != true || got["version"] != 0.0 || len(turns) != 1 || turns[0].(map[string]any)["chance"] != 0.612 {
		t.Errorf("the hint is %v", got)
	}
	for _, wrong := range []struct {
		who  *lobby.Session
		line string
		code string
	}{
		{eve, hint(""), "not_allowed"}, {ana, hint(`,"version":99`), "bad_request"},
		{ana, hint(`,"version":0,"actions":["x"]`), "illegal_action"}, {ana, `{"id":1,"op":"hint","match":"none"}`, "unknown_match"},
	} {
		if got := ask(wrong.who, wrong.line)[0]; errorCode(got) != wrong.code {
			t.Errorf("%s: %v, want %s", wrong.line, got, wrong.code)
		}
	}
	if got := askAll(t, ana, hint(""))[0]; errorCode(got) != "not_allowed" {
		t.Errorf("without bots: %v", got)
	}
	player, err := ana.AsPlayer(id)
	if err == nil {
		err = player.Resign(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	if got := ask(eve, hint(`,"version":0`))[0]; got["ok"] != true {
		t.Errorf("in a finished match a spectator gets %v", got)
	}
}

func TestUsersRatingsAndProfiles(t *testing.T) {
	l := lobbytest.Open(t)
	ana := lobbytest.Member(t, l, "ana")
	bob := lobbytest.Guests(t, l, 1)[0]
	match := lobbytest.Start(t, ana, bob, table.Proposal{Game: "ayu"})
	got := askAll(t, bob, `{"id":1,"op":"users"}`, `{"id":2,"op":"top"}`, `{"id":3,"op":"top","game":"chess"}`,
		`{"id":4,"op":"profile","name":"ana"}`, `{"id":5,"op":"profile","name":"nobody"}`)
	users, _ := got[0]["users"].([]any)
	if len(users) != 2 || users[0].(map[string]any)["match"] != match {
		t.Errorf("users are %v", got[0])
	}
	if top, ok := got[1]["top"].([]any); !ok || len(top) != 0 {
		t.Errorf("top is %v", got[1])
	}
	if errorCode(got[2]) != "bad_request" || errorCode(got[4]) != "bad_request" {
		t.Errorf("unknown names are answered with %v and %v", got[2], got[4])
	}
	if got[3]["name"] != "ana" || got[3]["ratings"] == nil || got[3]["played"] == nil {
		t.Errorf("the profile is %v", got[3])
	}
}

func TestACodeIsEnough(t *testing.T) {
	l := lobbytest.Open(t)
	people := lobbytest.Guests(t, l, 3)
	open := askAll(t, people[0], `{"id":1,"op":"open","game":"ayu","private":true}`)[0]
	code, _ := open["code"].(string)
	got := askAll(t, people[1], `{"id":1,"op":"join","code":"wrong"}`, `{"id":2,"op":"join","code":"`+code+`"}`)
	if errorCode(got[0]) != "unknown_table" || got[1]["match"] == nil {
		t.Fatalf("joining by code: %v", got)
	}
	m, err := l.Match(got[1]["match"].(string))
	if err != nil {
		t.Fatal(err)
	}
	got = askAll(t, people[2], `{"id":1,"op":"watch","code":"wrong"}`, `{"id":2,"op":"watch","code":"`+m.Snapshot().Code+`"}`)
	if errorCode(got[0]) != "unknown_match" || got[1]["match"] != m.Info.ID {
		t.Errorf("watching by code: %v", got)
	}
}
