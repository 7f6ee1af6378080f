package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"ayumu/engine/enginetest"
	"ayumu/engine/search/searchtest"
	"ayumu/lobby"
	"ayumu/lobby/bots"
	"ayumu/lobby/lobbytest"
	"ayumu/tui/game/gametest"
	"ayumu/tui/op"
)

// TestFill gives the seats of a table to bots.
func TestFill(t *testing.T) {
	db := lobbytest.Store(t)
	l := lobbytest.New(t, lobby.Config{Store: db})
	builtin, err := bots.Open(t.Context(), bots.Config{Lobby: l, Store: db, Engines: searchtest.Engines(enginetest.Games, firstLegal)})
	if err != nil {
		t.Fatal(err)
	}
	defer builtin.Close()
	ana := lobbytest.Member(t, l, "ana")
	ask := func(line string) (answer map[string]any) {
		t.Helper()
		var out bytes.Buffer
		c := (&op.Config{Lobby: l, Games: gametest.Games, Bots: builtin}).Attach(ana)
		if err := Serve(t.Context(), strings.NewReader(line+"\n"), &out, c); err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(out.Bytes()) {
			var o map[string]any
			if err := json.Unmarshal(line, &o); err != nil {
				t.Fatal(err)
			}
			if o["re"] != nil {
				answer = o
			}
		}
		return answer
	}
	table := ask(`{"id":1,"op":"open","game":"mu","options":{"players":4,"segments":1}}`)["table"]
	if got := ask(fmt.Sprintf(`{"id":1,"op":"fill","table":%q,"level":1,"seats":1}`, table)); got["ok"] != true || got["match"] != nil {
		t.Fatalf("one seat: %v", got)
	}
	match, _ := ask(fmt.Sprintf(`{"id":1,"op":"fill","table":%q}`, table))["match"].(string)
	m, err := l.Match(match)
	if err != nil {
		t.Fatal(err)
	}
	levels := make(map[int]int)
	for _, s := range m.Info.Seats {
		levels[builtin.Level(s.Account)]++
	}
	if levels[bots.NoLevel] != 1 || levels[1] != 1 || levels[op.DefaultBotLevel] != 2 {
		t.Errorf("the seats by level: %v", levels)
	}
	// Programs see the levels too, in a match and in the list.
	running, _ := ask(`{"id":1,"op":"matches"}`)["matches"].([]any)
	if len(running) != 1 {
		t.Fatalf("running matches: %v", running)
	}
	for what, o := range map[string]any{"watch": ask(fmt.Sprintf(`{"id":1,"op":"watch","match":%q}`, match)), "matches": running[0]} {
		seen := make(map[int]int)
		for _, s := range o.(map[string]any)["seats"].([]any) {
			level, ok := s.(map[string]any)["level"].(float64)
			if !ok {
				level = bots.NoLevel
			}
			seen[int(level)]++
		}
		if !maps.Equal(seen, levels) {
			t.Errorf("%s has the levels %v, not %v", what, seen, levels)
		}
	}
	rated := ask(`{"id":1,"op":"open","game":"ayu","rated":true}`)["table"]
	if got := ask(fmt.Sprintf(`{"id":1,"op":"fill","table":%q}`, rated)); errorCode(got) != "not_allowed" {
		t.Errorf("a rated table: %v", got)
	}
	if got := askAll(t, ana, fmt.Sprintf(`{"id":1,"op":"fill","table":%q}`, rated))[0]; errorCode(got) != "not_allowed" {
		t.Errorf("without bots: %v", got)
	}
}

// TestQuickStatesWhatMayBeAnything: what a request leaves out may be anything, the game too.
func TestQuickStatesWhatMayBeAnything(t *testing.T) {
	l := lobbytest.Open(t)
	ana := lobbytest.Member(t, l, "ana")
	for line, want := range map[string][]any{
		`{"id":1,"op":"quick"}`:                                             {"game", "options", "clock", "rated"},
		`{"id":1,"op":"quick","game":"ayu","options":{"size":7}}`:           {"clock", "rated"},
		`{"id":1,"op":"quick","game":"mu","clock":{"days":1},"rated":true}`: {"options"},
	} {
		table := askAll(t, ana, line)[0]["table"]
		tables := askAll(t, ana, `{"id":2,"op":"tables"}`)[0]["tables"].([]any)
		got := tables[len(tables)-1].(map[string]any)
		if anyOf, _ := got["any"].([]any); got["table"] != table || got["quick"] != true || !slices.Equal(anyOf, want) {
			t.Errorf("%s: %v", line, got)
		}
	}
	if got := askAll(t, ana, `{"id":1,"op":"quick","options":{"size":7}}`)[0]; errorCode(got) != "bad_request" {
		t.Errorf("options without a game: %v", got)
	}
}

// TestWhoMovesFirst is chosen with a challenge.
func TestWhoMovesFirst(t *testing.T) {
	l := lobbytest.Open(t)
	ana, bob := lobbytest.Member(t, l, "ana"), lobbytest.Member(t, l, "bob")
	table := askAll(t, ana, `{"id":1,"op":"open","game":"ayu","to":"bob","first":"opponent"}`)[0]["table"]
	if got := askAll(t, bob, `{"id":1,"op":"tables"}`)[0]["tables"].([]any)[0].(map[string]any); got["first"] != "opponent" {
		t.Errorf("the challenge: %v", got)
	}
	match, _ := askAll(t, bob, fmt.Sprintf(`{"id":1,"op":"join","table":%q}`, table))[0]["match"].(string)
	m, err := l.Match(match)
	if err != nil {
		t.Fatal(err)
	}
	if m.Info.Seats[0].Name != "bob" {
		t.Errorf("%s moves first", m.Info.Seats[0].Name)
	}
	for line, code := range map[string]string{
		`{"id":1,"op":"open","game":"ayu","first":"me"}`:                 "bad_request",
		`{"id":1,"op":"open","game":"mu","first":"owner"}`:               "bad_request",
		`{"id":1,"op":"open","game":"ayu","first":"owner","rated":true}`: "not_allowed",
	} {
		if got := askAll(t, ana, line)[0]; errorCode(got) != code {
			t.Errorf("%s: %v", line, got)
		}
	}
}
