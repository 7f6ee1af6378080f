package api

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/engine"
	"ayumu/engine/enginetest"
	"ayumu/engine/search"
	"ayumu/engine/search/searchtest"
	"ayumu/lobby"
	"ayumu/lobby/bots"
	"ayumu/lobby/lobbytest"
	"ayumu/lobby/table"
	"ayumu/tui/game/gametest"
	"ayumu/tui/op"
)

// slowly searches for all of its time.
func slowly(ctx context.Context, p engine.Position, o search.Options) (search.Advice, error) {
	select {
	case <-time.After(o.Time):
	case <-ctx.Done():
		return search.Advice{}, ctx.Err()
	}
	return firstLegal(ctx, p, o)
}

// TestAnalysis asks for an analysis, follows its progress and gets its turns. Another request, or the kind cancel, ends
// the events.
func TestAnalysis(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := lobbytest.Store(t)
		l := lobbytest.New(t, lobby.Config{Store: db})
		builtin, err := bots.Open(t.Context(), bots.Config{Lobby: l, Store: db, Engines: searchtest.Engines(enginetest.Games, slowly)})
		if err != nil {
			t.Fatal(err)
		}
		defer builtin.Close()
		ana, bob := lobbytest.Member(t, l, "ana"), lobbytest.Member(t, l, "bob")
		id := lobbytest.Start(t, ana, bob, table.Proposal{Game: "ayu", Options: []byte(`{"size":5,"pie":false}`)})
		eve := lobbytest.Member(t, l, "eve")
		c := connectAs(t, eve, (&op.Config{Lobby: l, Games: gametest.Games, Bots: builtin}).Attach(eve))
		defer c.leave()
		ask := func(more string) map[string]any {
			t.Helper()
			return c.ask("analysis", `,"match":"`+id+`"`+more)
		}
		if a := ask(""); errorCode(a) != "not_allowed" {
			t.Errorf("of a running match: %v", a)
		}
		for _, s := range []*lobby.Session{ana, bob} {
			p, err := s.AsPlayer(id)
			if err == nil && p.Snapshot().Position.Turn() == p.Seat() {
				_, err = p.Act(t.Context(), p.Snapshot().Version, []string{p.Snapshot().Position.Legal()[1]})
			}
			if err == nil && s == bob {
				err = p.Resign(t.Context())
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		first := ask("")
		if first["ok"] != true || first["complete"] != false || first["turns"] != nil {
			t.Errorf("at the beginning: %v", first)
		}
		c.take("")
		<-time.After(10 * time.Second)
		events := c.take("analysis")
		if n := len(events); n < 2 || events[n-1]["complete"] != true || events[n-1]["match"] != id || events[n-1]["done"] != events[n-1]["all"] {
			t.Errorf("the events are %v", events)
		}
		whole := ask("")
		turns, _ := whole["turns"].([]any)
		if whole["complete"] != true || len(turns) == 0 {
			t.Fatalf("at the end: %v", whole)
		}
		turn := turns[0].(map[string]any)
		if turn["turn"] != 1.0 || turn["seat"] != 0.0 || turn["loss"] != 0.362 || turn["best_chance"] != 0.612 || len(turn["best"].([]any)) != 1 || len(turn["chances"].([]any)) != 2 {
			t.Errorf("the first turn is %v", turn)
		}
		if a := ask(`,"kind":"x"`); errorCode(a) != "bad_request" {
			t.Errorf("an unknown kind: %v", a)
		}
		if a := ask(`,"kind":"cancel"`); a["ok"] != true {
			t.Errorf("cancelling: %v", a)
		}
		if a := ask(`,"kind":"cancel"`); errorCode(a) != "bad_request" {
			t.Errorf("cancelling again: %v", a)
		}
		if a := c.ask("analysis", `,"match":"none"`); errorCode(a) != "unknown_match" {
			t.Errorf("of no match: %v", a)
		}
	})
}
