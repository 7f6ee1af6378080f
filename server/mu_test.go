package server_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"ayumu/engine"
	"ayumu/engine/mu"
	"ayumu/server/servertest"
)

// completeTurn returns a random turn from a position to its end.
func completeTurn(t *testing.T, p engine.Position, r *rand.Rand) ([]string, engine.Position) {
	t.Helper()
	var actions []string
	for {
		legal := p.Legal()
		action := legal[r.IntN(len(legal))]
		next, err := p.Play(action)
		if err != nil {
			t.Fatal(err)
		}
		actions, p = append(actions, action), next
		if !p.MidTurn() {
			return actions, p
		}
	}
}

func TestThreeProgramsPlayMuAndOneLeaves(t *testing.T) {
	h := open(t)
	r := rand.New(rand.NewPCG(5, 5))
	people := []*apiClient{h.program("ana", servertest.NewKey(t)), h.program("bob", nil), h.program("cleo", servertest.NewKey(t))}
	table := people[0].must("open", object{"game": "mu", "options": object{"players": 3, "segments": 2}})
	people[1].must("join", object{"table": table["table"]})
	people[2].must("join", object{"table": table["table"]})
	seats := make([]*apiClient, 3)
	var match string
	for _, p := range people {
		m := p.event("match")
		match, seats[m.number("you")] = m.text("match"), p
	}
	options, err := mu.Game{}.ParseOptions([]byte(`{"players":3,"segments":2}`))
	if err != nil {
		t.Fatal(err)
	}
	pos := mu.Game{}.New(options)
	version := 0
	sent := func(action string) {
		t.Helper()
		version++
		for _, p := range people {
			e := p.event("turn")
			if e.number("version") != version || e.text("position") != pos.String() || e.number("turn") != pos.Turn() {
				t.Fatalf("told %v, want version %d, %s", e, version, pos)
			}
			if got := e["actions"].([]any); action != "" && got[0] != action {
				t.Errorf("told of %v, want %s", got, action)
			}
		}
	}
	for _, over := pos.Result(); !over; _, over = pos.Result() {
		if version == 15 {
			leaver := pos.Turn()
			seats[leaver].must("resign", object{"match": match})
			if pos, err = pos.Leave(leaver); err != nil {
				t.Fatal(err)
			}
			sent(fmt.Sprintf("leave %d", leaver))
			left := seats[0].must("watch", object{"match": match})
			if fmt.Sprint(left["left"]) != fmt.Sprintf("[%d]", leaver) || len(left["centres"].([]any)) != 6 {
				t.Errorf("snapshot %v", left)
			}
			if o := seats[leaver].ask("act", object{"match": match, "version": version, "actions": []string{"end"}}); o.code() != "not_your_turn" {
				t.Errorf("the leaver acts: %v", o)
			}
			continue
		}
		mover := seats[pos.Turn()]
		actions, next := completeTurn(t, pos, r)
		if version > 20 { // everybody passes until the count
			actions = []string{"end"}
			if next, err = pos.Play("end"); err != nil {
				t.Fatal(err)
			}
		}
		if o := mover.ask("act", object{"match": match, "version": version, "actions": append(slices.Clone(actions), "end")}); o.code() != "illegal_action" {
			t.Errorf("an action after the turn's end: %v", o)
		}
		mover.must("act", object{"match": match, "version": version, "actions": actions})
		pos = next
		sent(actions[0])
	}
	want, _ := pos.Result()
	var places []int
	for _, n := range want.Places {
		places = append(places, n+1)
	}
	for _, p := range people {
		got, _ := p.event("over")["result"].(map[string]any)
		if fmt.Sprint(got["winners"]) != fmt.Sprint(want.Winners) || got["reason"] != want.Reason || fmt.Sprint(got["scores"]) != fmt.Sprint(want.Scores) || fmt.Sprint(got["places"]) != fmt.Sprint(places) {
			t.Errorf("over with %v, want %+v", got, want)
		}
	}
}

func TestMuStartsWithItsMinimumWhenAllAreReady(t *testing.T) {
	h := open(t)
	ana, bob := h.program("ana", servertest.NewKey(t)), h.program("bob", servertest.NewKey(t))
	table := ana.must("open", object{"game": "mu", "options": object{"players": 4, "segments": 1, "min": 2}})
	in := object{"table": table["table"]}
	ana.must("ready", in)
	bob.must("join", in)
	bob.must("ready", in)
	for _, p := range []*apiClient{ana, bob} {
		m := p.event("match")
		o, _ := m["options"].(map[string]any)
		if len(m["seats"].([]any)) != 2 || object(o).number("players") != 2 {
			t.Errorf("starts as %v", m)
		}
	}
}
