package mu

import (
	"encoding/json"
	"strings"
	"testing"
)

// FuzzParseAction checks that actions survive a round trip and that playing any of them does not panic.
func FuzzParseAction(f *testing.F) {
	for _, text := range []string{
		"end", "place 0,0", "place -3,2", "clear 10,-11", "explode 0,0", "move 0,0 1 e", "move -1,12 10 nw",
		"leave 1", "move 0,0 0 e", "move 0,0 01 e", "move 0,0 1 n", "move 0,0 1 e ", "End", "end ", "place 0, 0",
		"place 999999,0", "move +1,0 1 e", "move 0,0 9999 sw", "place -0,0", "", " ", "explode 0,0 0,0",
	} {
		f.Add(text)
	}
	b := "play|-1,0:v;-1,1:v1.1;0,-1:c;0,0:v0.2;0,1:v;1,-1:w;1,0:v1.1|0|0,0||0"
	p, err := ParsePosition(2, "0,0", b)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		a, err := ParseAction(text)
		if err != nil {
			if len(err.Error()) > 400 {
				t.Errorf("an error of %d characters", len(err.Error()))
			}
			return
		}
		if a.String() != text {
			t.Errorf("%q is written as %q", text, a)
		}
		for _, p := range []*Position{p, New(Options{Players: 2, Segments: 2, Min: 2})} {
			if _, err := p.Do(a); (err == nil) != (p.Explain(a) == "") {
				t.Errorf("%q: %v, explained as %q", text, err, p.Explain(a))
			}
		}
	})
}

// FuzzParsePosition checks that positions survive a round trip and that the turn can be played to its end
// with any choices.
func FuzzParsePosition(f *testing.F) {
	for _, g := range readRecordedGames(f, "mu-positions.jsonl.gz")[:20] {
		f.Add(g.Start.Players, strings.Join(g.Start.Segments, ";"), g.Start.Position)
		f.Add(g.Start.Players, strings.Join(g.Start.Segments, ";"), g.Samples[len(g.Samples)-1].Position)
	}
	f.Fuzz(func(t *testing.T, players int, centres, line string) {
		p, err := ParsePosition(players, centres, line)
		if err != nil {
			return
		}
		if p.String() != line {
			t.Fatalf("%s\nis written as\n%s", line, p)
		}
		for n := 0; n < 20 && p.Phase() == Play; n++ {
			actions := p.AppendLegal(nil)
			p, _, err = p.PlaySteps(actions[(n*7)%len(actions)])
			if err != nil {
				t.Fatal(err)
			}
			p.Areas()
			p.Cells()
		}
	})
}

// FuzzOptions checks that options that can be read are in range, survive a round trip and make a game.
func FuzzOptions(f *testing.F) {
	for _, text := range []string{"", `{}`, `{"players":2}`, `{"players":6,"segments":8,"min":2}`, `{"players":7}`, `{"min":0}`,
		`{"segments":-1}`, `{"players":1e99}`, `{"players":null}`, `{"Players":4,"players":5}`, `[]`, `null`, `{"players":"3"}`,
		`{"position":"2 0,0 layout|0,0:v0.1;1,0:v|1|||0"}`} {
		f.Add([]byte(text))
	}
	for _, p := range turnStarts(f, Options{Players: 3, Segments: 2, Min: 3}, 30, 1) {
		if o, err := (Game{}).StartAt(p); err == nil {
			raw, _ := json.Marshal(o)
			f.Add(raw)
		}
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		parsed, err := Game{}.ParseOptions(raw)
		if err != nil {
			return
		}
		o := parsed.(Options)
		if o.Players < 2 || o.Players > 6 || o.Segments < 1 || o.Segments > 8 || o.Min < 2 || o.Min > o.Players {
			t.Fatalf("%s is %+v", raw, o)
		}
		text, err := json.Marshal(o)
		if err != nil {
			t.Fatal(err)
		}
		again, err := Game{}.ParseOptions(text)
		if err != nil || again != parsed {
			t.Errorf("%s is %v, written as %s and read as %v, %v", raw, o, text, again, err)
		}
		if p := (Game{}).New(o.WithSeats(o.Min)); p.Seats() != o.Min || len(p.Legal()) == 0 || p.MidTurn() {
			t.Errorf("a game begins with %q", p)
		}
	})
}
