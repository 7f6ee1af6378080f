package ayu

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ayumu/engine"
)

// startAt returns the first position of a match that begins with p.
func startAt(t *testing.T, p engine.Position) engine.Position {
	t.Helper()
	o, err := Game{}.StartAt(p)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	again, err := Game{}.ParseOptions(raw)
	if err != nil || again != o {
		t.Fatalf("%s is read as %v, %v", raw, again, err)
	}
	return Game{}.New(again)
}

// TestStartAt begins matches with the positions of random games.
func TestStartAt(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, size := range []int{3, 5, 11} {
		var p engine.Position = Game{}.New(Options{Size: size, Pie: true})
		for {
			legal := p.Legal()
			if len(legal) == 0 {
				break
			}
			start := startAt(t, p)
			want := slices.DeleteFunc(legal, func(a string) bool { return a == swap })
			if start.String() != p.String() || start.Side(start.Turn()) != p.Side(p.Turn()) || !slices.Equal(start.Legal(), want) {
				t.Fatalf("%s begins as %s", p, start)
			}
			var err error
			if p, err = p.Play(legal[rng.IntN(len(legal))]); err != nil {
				t.Fatal(err)
			}
		}
		if o, err := (Game{}).StartAt(p); err == nil {
			t.Errorf("a match begins with %v, which is over", o)
		}
	}
}

func TestOptionsOfStartsRefused(t *testing.T) {
	const position = `"position":"5 w .x.x./o.o.o/.x.x./oxo.o/...x."`
	for raw, want := range map[string]string{
		`{` + position + `,"size":7}`:     "size is 7",
		`{` + position + `,"pie":true}`:   "no pie rule",
		`{` + position + `,"handicap":1}`: "no handicap",
		`{"position":"5 b"}`:              "position: ",
		`{"position":"3 b x../x../xoo"}`:  "the game is over, because Black has no move",
		`{"position":7}`:                  "position must be a string",
		`{"handicap":"2"}`:                "handicap must be a whole number",
		`{"handicap":-1}`:                 "0 to 5",
		`{"handicap":3,"size":5}`:         "0 to 2",
		`{"handicap":1,"pie":true}`:       "no pie rule",
		`{"position":"` + strings.Repeat("x", engine.MaxStartBytes+1) + `"}`: "at most",
	} {
		if o, err := (Game{}).ParseOptions([]byte(raw)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60s: %v, %v; want %q", raw, o, err, want)
		}
	}
}

// TestHandicap plays a game in which Black begins with three moves.
func TestHandicap(t *testing.T) {
	o, err := Game{}.ParseOptions([]byte(`{"size":5,"handicap":2}`))
	if err != nil || o.(Options).Pie || !engine.NeverRated(o) {
		t.Fatalf("%+v, %v", o, err)
	}
	sides := ""
	for p := (Game{}).New(o); ; {
		legal := p.Legal()
		if len(legal) == 0 || len(sides) == 8 {
			break
		}
		sides += p.Side(p.Turn())
		if _, err := (Game{}).StartAt(p); (err != nil) != (len(sides) <= 2) {
			t.Errorf("a match begins after %d moves: %v", len(sides)-1, err)
		}
		if _, err := p.Play(swap); err == nil {
			t.Errorf("%s allows to swap", p)
		}
		if p, err = p.Play(legal[0]); err != nil {
			t.Fatal(err)
		}
	}
	if sides != "bbbwbwbw" {
		t.Errorf("the sides move in the order %s", sides)
	}
}

func TestOptionsInWords(t *testing.T) {
	for raw, want := range map[string][2]string{
		`{"size":5}`:              {"5×5, pie", "5×5 pie"},
		`{"size":5,"pie":false}`:  {"5×5", "5×5"},
		`{"size":5,"handicap":2}`: {"5×5, handicap 2", "5×5 +2"},
		`{"position":"5 w .x.x./o.o.o/.x.x./oxo.o/...x."}`: {"5×5, from a position", "5×5 pos."},
	} {
		o, err := Game{}.ParseOptions([]byte(raw))
		if got := [2]string{fmt.Sprint(o), o.Short()}; err != nil || got != want {
			t.Errorf("%s is %q, %v", raw, got, err)
		}
	}
}
