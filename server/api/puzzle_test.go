package api

import (
	"fmt"
	"reflect"
	"testing"

	"ayumu/lobby"
	"ayumu/lobby/lobbytest"
	"ayumu/lobby/puzzles"
	"ayumu/lobby/puzzles/puzzlestest"
	"ayumu/tui/client"
	"ayumu/tui/game/gametest"
)

// askPuzzles sends requests in one session and returns the answers.
func askPuzzles(t *testing.T, c *puzzles.Collection, requests ...string) []map[string]any {
	t.Helper()
	l := lobbytest.New(t, lobby.Config{Store: lobbytest.Store(t)})
	s := lobbytest.Guests(t, l, 1)[0]
	return askClient(t, (&client.Config{Lobby: l, Games: gametest.Games, Puzzles: c}).Attach(s), requests...)
}

func TestPuzzlesAreShownWithoutTheirSolution(t *testing.T) {
	for i, a := range askPuzzles(t, puzzlestest.Collection(t),
		`{"id":1,"op":"puzzle"}`, `{"id":2,"op":"puzzle","theme":"finish"}`,
		`{"id":3,"op":"puzzle","puzzle":"da19da14"}`, `{"id":"da19da14","op":"puzzle"}`,
	) {
		p, ok := a["puzzle"].(map[string]any)
		if !ok || p["task"] == "" || p["position"] == "" || p["line"] != nil || p["set"] != nil || p["side"] != nil {
			t.Errorf("%d: %v", i, a)
		}
		if i > 0 && (p["id"] != puzzlestest.LineID || p["goal"] != "line" || p["theme"] != "finish") {
			t.Errorf("%d: %v", i, p)
		}
	}
	if a := askPuzzles(t, nil, `{"id":1,"op":"puzzle"}`)[0]; errorCode(a) != "not_allowed" {
		t.Errorf("without puzzles: %v", a)
	}
}

func TestAnswersToPuzzles(t *testing.T) {
	solution := []any{"b1-f6", "b3-e7", "c1-g6"}
	answer := func(id, actions string) string {
		return fmt.Sprintf(`{"id":1,"op":"answer","puzzle":"%s","actions":%s}`, id, actions)
	}
	for _, c := range []struct {
		requests []string
		want     map[string]any // the last answer
	}{
		{[]string{answer(puzzlestest.LineID, `["b1-f6"]`)}, map[string]any{"solved": false, "reply": []any{"b3-e7"}}},
		{[]string{answer(puzzlestest.LineID, `["b1-f6","c1-g6"]`)}, map[string]any{"solved": true, "solution": solution}},
		{[]string{answer(puzzlestest.LineID, `["b1-f6"]`), answer(puzzlestest.LineID, `["c1-g6"]`)}, map[string]any{"solved": true, "solution": solution}},
		{[]string{`{"id":1,"op":"puzzle","theme":"finish"}`, `{"id":2,"op":"answer","actions":["b1-f6"]}`, `{"id":3,"op":"answer","actions":["c1-g6"]}`}, map[string]any{"solved": true, "solution": solution}},
		{[]string{answer(puzzlestest.LineID, `["c4-f6"]`)}, map[string]any{"solved": false, "solution": solution}},
		{[]string{answer(puzzlestest.SetID, `["c5-e6"]`)}, map[string]any{"solved": true, "solution": []any{"c5-e6"}}},
		{[]string{answer(puzzlestest.SideID, `["w"]`)}, map[string]any{"solved": false, "solution": []any{"b"}}},
	} {
		all := askPuzzles(t, puzzlestest.Collection(t), c.requests...)
		got := all[len(all)-1]
		delete(got, "re")
		if delete(got, "ok"); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%v: %v, want %v", c.requests, got, c.want)
		}
	}
	for request, code := range map[string]string{
		answer(puzzlestest.LineID, `["a1-a2"]`): "illegal_action",
		answer(puzzlestest.LineID, `[]`):        "bad_request",
		answer("none", `["b1-f6"]`):             "bad_request",
	} {
		if got := askPuzzles(t, puzzlestest.Collection(t), request)[0]; errorCode(got) != code {
			t.Errorf("%s: %v, want %s", request, got, code)
		}
	}
}
