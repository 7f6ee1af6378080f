package api

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	"ayumu/engine/puzzle"
	"ayumu/lobby"
	"ayumu/lobby/lobbytest"
	"ayumu/lobby/puzzles"
	"ayumu/lobby/puzzles/puzzlestest"
	"ayumu/tui/game/gametest"
	"ayumu/tui/op"
)

// askPuzzles sends requests in one session and returns the answers.
func askPuzzles(t *testing.T, c *puzzles.Collection, requests ...string) []map[string]any {
	t.Helper()
	l := lobbytest.New(t, lobby.Config{Store: lobbytest.Store(t)})
	s := lobbytest.Guests(t, l, 1)[0]
	return askVisit(t, (&op.Config{Lobby: l, Games: gametest.Games, Puzzles: c}).Attach(s), requests...)
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

// TestAChoiceOfAPuzzleComesBeforeTheIDOfTheRequest: the id of a request, which a program chooses, is that of a puzzle only if
// nothing else says which puzzle is meant.
func TestAChoiceOfAPuzzleComesBeforeTheIDOfTheRequest(t *testing.T) {
	all := askPuzzles(t, puzzlestest.Collection(t), `{"id":"da19da14","op":"puzzle"}`, `{"id":"da19da14","op":"puzzle","next":true}`,
		`{"id":"da19da14","op":"puzzle","theme":"trap"}`, `{"id":"da19da14","op":"puzzle","streak":true}`)
	if p := all[1]["puzzle"].(map[string]any); p["id"] == puzzlestest.LineID {
		t.Errorf("next is the same puzzle: %v", all[1])
	}
	if p := all[2]["puzzle"].(map[string]any); p["theme"] != "trap" {
		t.Errorf("of the theme trap: %v", all[2])
	}
	if all[3]["streak"] != 0.0 {
		t.Errorf("a streak: %v", all[3])
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
		for field, want := range c.want {
			if !reflect.DeepEqual(got[field], want) {
				t.Errorf("%v: %s is %v, want %v", c.requests, field, got[field], want)
			}
		}
		if over := got["reply"] == nil; over != (got["solution"] != nil) || over != (got["rated"] == true) || over != (got["explanation"] != nil) {
			t.Errorf("%v: %v", c.requests, got)
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

// TestTraining asks for a puzzle by its rating, takes a hint, answers, and asks for the next one.
func TestTraining(t *testing.T) {
	all := askPuzzles(t, puzzlestest.Collection(t),
		`{"id":1,"op":"puzzle","theme":"finish","game":"ayu"}`, `{"id":2,"op":"puzzle_hint"}`, `{"id":3,"op":"puzzle_hint"}`,
		`{"id":4,"op":"puzzle_hint"}`, `{"id":5,"op":"answer","actions":["c4-f6"]}`, `{"id":6,"op":"puzzle","next":true}`, `{"id":7,"op":"puzzles"}`,
		`{"id":8,"op":"puzzle_report","text":"wrong"}`)
	if all[0]["rated"] != true || all[0]["rating"] != 900.0 {
		t.Errorf("the puzzle: %v", all[0])
	}
	if all[1]["hint"] != "Move the stone on b1." || all[1]["rated"] != false || all[2]["hint"] != "The move is b1-f6." || errorCode(all[3]) != "not_allowed" {
		t.Errorf("hints: %v", all[1:4])
	}
	if a := all[4]; a["rated"] != false || a["rating"] != nil || a["solution"] == nil {
		t.Errorf("the answer after a hint: %v", a)
	}
	if p, ok := all[5]["puzzle"].(map[string]any); !ok || p["id"] == puzzlestest.LineID {
		t.Errorf("the next puzzle: %v", all[5])
	}
	list, ok := all[6]["puzzles"].([]any)
	if !ok || len(list) != 4 {
		t.Fatalf("the list: %v", all[6])
	}
	if ayu := list[0].(map[string]any); ayu["puzzles"] != 3.0 || ayu["tried"] != 1.0 || ayu["solved"] != 0.0 || ayu["rating"] != 900.0 {
		t.Errorf("the list: %v", ayu)
	}
	if errorCode(all[7]) != "not_allowed" {
		t.Errorf("a report without moderators: %v", all[7])
	}
}

// TestStreak solves the puzzles of a streak until the first wrong answer.
func TestStreak(t *testing.T) {
	only, err := puzzles.New(gametest.Games.Engine(), puzzlestest.Themes, puzzlestest.Puzzles(t)[:2])
	if err != nil {
		t.Fatal(err)
	}
	next, right := `{"id":1,"op":"puzzle","streak":true,"game":"ayu"}`, map[string]string{puzzlestest.LineID: `["b1-f6","c1-g6"]`, puzzlestest.SetID: `["c5-e6"]`}
	for id, actions := range right { // whichever comes first, the other one is wrong for it
		all := askPuzzles(t, only, next, fmt.Sprintf(`{"id":2,"op":"answer","actions":%s}`, actions), next, `{"id":3,"op":"puzzle_hint"}`)
		first := all[0]["puzzle"].(map[string]any)["id"]
		want := 1.0
		if first != id {
			want = 0
		}
		if all[0]["streak"] != 0.0 || all[1]["rated"] != nil || errorCode(all[1]) == "" && (all[1]["streak"] != want || all[1]["best"] != want) {
			t.Errorf("first %v, answered %s: %v", first, id, all[:2])
		}
		if errorCode(all[3]) != "not_allowed" {
			t.Errorf("a hint in a streak: %v", all[3])
		}
	}
}

// TestPuzzlesThatShipArePlayed plays puzzles that ship over the API: a hint, a wrong answer, the right turns with their replies,
// and the solution with its lines to the end. With AYUMU_ALL_PUZZLES it plays all of them.
func TestPuzzlesThatShipArePlayed(t *testing.T) {
	for _, p := range puzzlestest.Sample(t) {
		c := puzzlestest.OnlyOf(t, p)
		request := func(op, more string) string { return fmt.Sprintf(`{"id":1,"op":%q,"puzzle":%q%s}`, op, p.ID, more) }
		actions := func(all []string) string {
			raw, err := json.Marshal(all)
			if err != nil {
				t.Fatal(err)
			}
			return `,"retry":true,"actions":` + string(raw)
		}
		requests := []string{request("puzzle", ""), request("puzzle_hint", ""), request("answer", actions(puzzlestest.WrongAnswer(t, &p)))}
		turns := puzzlestest.OwnTurns(&p)
		if p.Goal == puzzle.GoalSide { // a wrong one leaves nothing to find
			wrong := askPuzzles(t, c, append(requests, request("answer", actions(turns[0])))...)
			if wrong[2]["solved"] != false || !reflect.DeepEqual(wrong[2]["solution"], anySlice(p.Solution())) || errorCode(wrong[3]) != "not_allowed" {
				t.Errorf("%s %s: a wrong side, and the other one: %v", p.Theme, p.ID, wrong[2:])
			}
			requests = requests[:2]
		}
		for _, turn := range turns {
			requests = append(requests, request("answer", actions(turn)))
		}
		all := askPuzzles(t, c, requests...)
		if all[1]["hint"] == nil {
			t.Errorf("%s %s: hint: %v", p.Theme, p.ID, all[1])
		}
		if wrong := all[2]; p.Goal != puzzle.GoalSide && (wrong["solved"] != false || wrong["solution"] != nil || p.Theme == "cut" && wrong["reason"] == nil) {
			t.Errorf("%s %s: wrong answer: %v", p.Theme, p.ID, wrong)
		}
		for i, answer := range all[len(requests)-len(turns):] {
			if last := i == len(turns)-1; answer["solved"] != last || !last && !reflect.DeepEqual(answer["reply"], anySlice(p.Line[i].Reply)) {
				t.Errorf("%s %s: turn %d: %v", p.Theme, p.ID, i+1, answer)
			}
		}
		shown := askPuzzles(t, c, request("puzzle_solution", ""))[0]
		if solved := all[len(all)-1]; !reflect.DeepEqual(solved["solution"], shown["solution"]) || !reflect.DeepEqual(solved["lines"], shown["lines"]) || !reflect.DeepEqual(shown["solution"], anySlice(p.Solution())) {
			t.Errorf("%s %s: the solution: %v, %v", p.Theme, p.ID, solved, shown)
		}
		puzzlestest.CheckLines(t, &p, c.Lines(&c.All()[0]))
	}
}

func anySlice(texts []string) (all []any) {
	for _, text := range texts {
		all = append(all, text)
	}
	return all
}
