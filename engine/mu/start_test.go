package mu

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ayumu/engine"
)

// turnStarts returns the positions at the starts of the turns of a random game, at most that number.
func turnStarts(t testing.TB, o Options, turns int, seed uint64) []*Position {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 3))
	p := New(o)
	var all []*Position
	for p.Phase() != Over && len(all) < turns {
		if !p.MidTurn() {
			all = append(all, p)
		}
		actions := p.AppendLegal(nil)
		next, err := p.Do(actions[rng.IntN(len(actions))])
		if err != nil {
			t.Fatal(err)
		}
		p = next
	}
	return all
}

// TestStartAt begins matches with the positions of random games, in all phases.
func TestStartAt(t *testing.T) {
	phases := make(map[Phase]int)
	for i, o := range []Options{{Players: 2, Segments: 1, Min: 2}, {Players: 2, Segments: 3, Min: 2}, {Players: 3, Segments: 2, Min: 3}, {Players: 4, Segments: 3, Min: 4}, {Players: 6, Segments: 8, Min: 6}} {
		for _, p := range turnStarts(t, o, 160, uint64(i)) {
			phases[p.Phase()]++
			started, err := Game{}.StartAt(p)
			if err != nil {
				t.Fatalf("%v: %v", p, err)
			}
			raw, err := json.Marshal(started)
			if err != nil {
				t.Fatal(err)
			}
			again, err := Game{}.ParseOptions(raw)
			if err != nil || again != started || len(engine.StartPosition(started)) > engine.MaxStartBytes {
				t.Fatalf("%s is read as %v, %v", raw, again, err)
			}
			if again.WithSeats(o.Players) != again {
				t.Errorf("%s has other seats", raw)
			}
			start := Game{}.New(again)
			if start.String() != p.String() || start.Turn() != p.Turn() || !slices.Equal(start.Legal(), p.Legal()) ||
				start.(*Position).Segments() != o.Segments || !slices.Equal(start.(*Position).Board().Centres(), p.Board().Centres()) {
				t.Fatalf("%s begins as %s", p, start)
			}
		}
	}
	for _, phase := range []Phase{Layout, Clearing, Play} {
		if phases[phase] < 20 {
			t.Errorf("only %d positions of phase %s", phases[phase], phase)
		}
	}
}

// TestStartAtAParsedPosition begins a match with a position that was read from text, as those of lessons are.
func TestStartAtAParsedPosition(t *testing.T) {
	all := turnStarts(t, Options{Players: 2, Segments: 3, Min: 2}, 40, 1)
	last := all[len(all)-1]
	centres := make([]string, len(last.board.centres))
	for i, h := range last.board.centres {
		centres[i] = h.String()
	}
	p, err := ParsePosition(2, strings.Join(centres, ";"), last.String())
	if err != nil {
		t.Fatal(err)
	}
	o, err := Game{}.StartAt(p)
	if err != nil {
		t.Fatal(err)
	}
	if got := (Game{}).New(o).(*Position); got.String() != last.String() {
		t.Errorf("the match begins with %s, not %s", got, last)
	}
}

func TestStartAtRefuses(t *testing.T) {
	all := turnStarts(t, Options{Players: 3, Segments: 2, Min: 3}, 40, 1)
	last := all[len(all)-1]
	left, err := last.Leave((last.Turn() + 1) % 3)
	if err != nil {
		t.Fatal(err)
	}
	two, err := left.Leave(last.Turn())
	if err != nil {
		t.Fatal(err)
	}
	var within engine.Position = last
	for _, a := range last.Legal() {
		if within, err = last.Play(a); err == nil && within.MidTurn() {
			break
		}
	}
	for want, p := range map[string]engine.Position{"has left": left, "over": two, "within a turn": within} {
		if o, err := (Game{}).StartAt(p); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: a match begins with %v, %v", p, o, err)
		}
	}
}

// BenchmarkParseStart reads a position on the largest board.
func BenchmarkParseStart(b *testing.B) {
	all := turnStarts(b, Options{Players: 6, Segments: 8, Min: 6}, 160, 1)
	o, err := Game{}.StartAt(all[len(all)-1])
	if err != nil {
		b.Fatal(err)
	}
	raw, err := json.Marshal(o)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := (Game{}).ParseOptions(raw); err != nil {
			b.Fatal(err)
		}
	}
}

// TestPositionsOfOptionsRefused gives positions with which no match can begin.
func TestPositionsOfOptionsRefused(t *testing.T) {
	const cells = "-1,0:v0.1;-1,1:v0.1;0,-1:v0.1;0,0:v0.1;0,1:v0.1;1,-1:v0.1;1,0:v0.1;2,-1:v1.1;2,0:v1.1;3,-2:v1.1;3,-1:v1.1;3,0:v1.1;4,-2:v1.1;4,-1:v1.1"
	good := "2 0,0;3,-1 play|" + cells + "|0|0,0||0"
	options := func(position, more string) string { return `{"position":"` + position + `"` + more + `}` }
	if o, err := (Game{}).ParseOptions([]byte(options(good, ""))); err != nil || o.(Options).Segments != 1 {
		t.Fatalf("%v, %v", o, err)
	}
	replaced := func(old, changed string) string { return options(strings.Replace(good, old, changed, 1), "") }
	for raw, want := range map[string]string{
		options(" ", ""):                 "PLAYERS CENTRES LINE",
		options("2 0,0", ""):             "PLAYERS CENTRES LINE",
		options("7 0,0 play|", ""):       "2 to 6 players",
		options("02 0,0;3,-1 play|", ""): "PLAYERS CENTRES LINE",
		options(good, `,"players":3`):    "players is 3",
		options(good, `,"segments":2`):   "segments is 2",
		options(good, `,"min":3`):        "min is 3",
		replaced("0,0;3,-1", "0,0;4,-1"): "before its neighbours",
		replaced("0,0;3,-1", "3,-1;0,0"): "0,0",
		replaced("0,0;3,-1", "0,0;x"):    "expected q,r",
		replaced("|0,0||0", "|||0"):      "within a turn",
		replaced("play|", "over|"):       "the game is over",
		replaced("play|", "clear|"):      "does not follow",
		replaced("play|", "layout|"):     "does not follow",
		replaced("play|", "start|"):      "does not follow",
		replaced("0,0:v0.1", "0,0:v0.2"): "15 men",
		replaced("0,0:v0.1", "0,0:c0.2"): "", // a cell has exploded
		replaced("2,-1:v1.1;2,0:v1.1;3,-2:v1.1;3,-1:v1.1;3,0:v1.1;4,-2:v1.1;4,-1:v1.1", "2,-1:v;2,0:v;3,-2:v;3,-1:v;3,0:v;4,-2:v;4,-1:v"): "the game is over",
		`{"position":["2"]}`: "position must be a string",
		options("2 "+strings.Repeat("0,0;", engine.MaxStartBytes/4), ""): "at most",
	} {
		o, err := Game{}.ParseOptions([]byte(raw))
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%.120s: %v, %v; want %q", raw, o, err, want)
		}
	}
}
