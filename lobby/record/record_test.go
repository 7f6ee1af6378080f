package record_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"ayumu/engine"
	"ayumu/engine/enginetest"
	"ayumu/lobby/account"
	"ayumu/lobby/clock"
	"ayumu/lobby/match"
	"ayumu/lobby/rating"
	"ayumu/lobby/record"
)

var began = time.Date(2026, 11, 20, 20, 0, 0, 123_456_789, time.UTC)

// randomMatch is a random match: turns, take-backs, leaves, and any end.
type randomMatch struct {
	r         *rand.Rand
	info      *match.Info
	log       []match.Entry
	positions []engine.Position // without those taken back; the last one is current
	at        time.Time
}

// newRandomMatch returns a match of a game with the options in raw and random players.
func newRandomMatch(t testing.TB, r *rand.Rand, game engine.Game, raw string) *randomMatch {
	t.Helper()
	o, err := game.ParseOptions([]byte(raw))
	if err != nil {
		t.Fatal(err)
	}
	minimum, limit := o.Seats()
	o = o.WithSeats(minimum + r.IntN(limit-minimum+1))
	_, seats := o.Seats()
	controls := []clock.Control{{}, clock.Default, {Days: 1}, {Days: 3}, {Initial: 90 * time.Second}}
	c := &randomMatch{r: r, at: began, positions: []engine.Position{game.New(o)}, info: &match.Info{
		ID: "k3v9x0a", Game: game.Name(), Options: o, Control: controls[r.IntN(len(controls))], Rated: r.IntN(2) == 0 && !engine.NeverRated(o), Started: began,
	}}
	for i := range seats {
		s := match.Seat{Account: account.ID(i + 1), Name: fmt.Sprintf("player-%d", i), Bot: r.IntN(4) == 0}
		if r.IntN(4) > 0 {
			s.Rating = &rating.Rating{Value: 3000*r.Float64() - 500, Deviation: 80, Volatility: 0.06}
		}
		c.info.Seats = append(c.info.Seats, s)
	}
	return c
}

func (c *randomMatch) now() engine.Position { return c.positions[len(c.positions)-1] }

func (c *randomMatch) append(e match.Entry) {
	c.at = c.at.Add(time.Duration(c.r.IntN(90_000)) * time.Millisecond)
	e.At, e.Digest = c.at, match.Digest(c.now())
	if !c.info.Control.IsUntimed() {
		for range c.info.Seats {
			e.Clocks = append(e.Clocks, time.Duration(c.r.Int64N(int64(3*time.Hour))))
		}
	}
	c.log = append(c.log, e)
}

// play makes that number of events, or until the rules end the game.
func (c *randomMatch) play(t testing.TB, events int) {
	t.Helper()
	for n := 0; ; n++ {
		p := c.now()
		if result, over := p.Result(); over {
			c.append(match.Entry{Kind: match.EntryEnd, Seat: -1, Result: &result})
			return
		}
		if n == events {
			return
		}
		seats := len(c.info.Seats)
		switch event := c.r.IntN(60); {
		case event == 0 && seats > 2:
			seat := c.r.IntN(seats)
			next, err := p.Leave(seat)
			if err != nil {
				continue
			}
			c.positions = append(c.positions, next)
			c.append(match.Entry{Kind: match.EntryLeave, Seat: seat, Reason: []string{"resign", "time", "absent"}[c.r.IntN(3)]})
		case event == 1 && seats == 2 && len(c.positions) > 2:
			n := 1 + c.r.IntN(2)
			c.positions = c.positions[:len(c.positions)-n]
			c.append(match.Entry{Kind: match.EntryUndo, Undone: n})
		case event == 2:
			c.append(match.Entry{Kind: match.EntryCredit, Seat: p.Turn(), Credit: time.Second})
		default:
			c.turn(t, p)
		}
	}
}

func (c *randomMatch) turn(t testing.TB, p engine.Position) {
	t.Helper()
	seat, actions := p.Turn(), []string(nil)
	for {
		legal := p.Legal()
		a := legal[c.r.IntN(len(legal))]
		next, err := p.Play(a)
		if err != nil {
			t.Fatal(err)
		}
		p, actions = next, append(actions, a)
		if !p.MidTurn() {
			break
		}
	}
	c.positions = append(c.positions, p)
	c.append(match.Entry{Kind: match.EntryTurn, Seat: seat, Actions: actions})
}

// endEarly ends a game that its rules have not ended, in a random way that the lobby allows.
func (c *randomMatch) endEarly() {
	if _, over := c.now().Result(); over || c.r.IntN(4) == 0 {
		return
	}
	result := engine.Result{Winners: []int{}, Reason: engine.ReasonAbort}
	if len(c.info.Seats) == 2 {
		loser := c.now().Turn()
		all := []engine.Result{
			result, {Winners: []int{0, 1}, Reason: engine.ReasonDraw}, {Winners: []int{1 - loser}, Reason: engine.ReasonResign},
			{Winners: []int{loser}, Reason: engine.ReasonResign}, {Winners: []int{loser}, Reason: engine.ReasonLeft},
		}
		if !c.info.Control.IsUntimed() {
			all = append(all, engine.Result{Winners: []int{1 - loser}, Reason: engine.ReasonTime})
		}
		result = all[c.r.IntN(len(all))]
	}
	c.append(match.Entry{Kind: match.EntryEnd, Seat: -1, Result: &result})
}

func text(t testing.TB, r *record.Record) string {
	t.Helper()
	var b strings.Builder
	if err := r.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// options are tried with every game; a game skips those that it does not have.
var options = []string{`{}`, `{"size":5,"handicap":2}`, `{"size":5,"pie":false,"players":2,"segments":1}`, `{"size":7,"players":4,"segments":2,"min":2}`}

// roundTrip checks that the record of the match is read as it was written, and that Check accepts it.
func (c *randomMatch) roundTrip(t testing.TB) {
	t.Helper()
	r := record.FromLog("play.example.org", c.info, c.log)
	if err := r.Check(); err != nil {
		t.Fatalf("%v in\n%s", err, text(t, r))
	}
	again, err := record.Read(strings.NewReader(text(t, r)), enginetest.Games)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(r, again) {
		t.Fatalf("%+v\nwas read as\n%+v", r, again)
	}
	if err := again.Check(); err != nil {
		t.Fatalf("%v in\n%s", err, text(t, r))
	}
	if len(r.Lines) != len(c.positions)-1 || r.Turns() > len(r.Lines) {
		t.Fatalf("%d lines for %d turns and leaves", len(r.Lines), len(c.positions)-1)
	}
}

func TestRecordsOfAllGamesComeBack(t *testing.T) {
	for _, game := range enginetest.Games {
		for i, raw := range options {
			t.Run(fmt.Sprintf("%s-%d", game.Name(), i), func(t *testing.T) {
				for seed := range uint64(20) {
					c := newRandomMatch(t, rand.New(rand.NewPCG(seed, 1)), game, raw)
					c.play(t, 10+int(seed)*8)
					c.roundTrip(t)
					c.endEarly()
					c.roundTrip(t)
				}
			})
		}
	}
}

// TestRecordsFromPositionsComeBack begins matches with the positions of others.
func TestRecordsFromPositionsComeBack(t *testing.T) {
	for _, game := range enginetest.Games {
		for seed := range uint64(20) {
			r := rand.New(rand.NewPCG(seed, 2))
			c := newRandomMatch(t, r, game, options[len(options)-1])
			c.play(t, 1+int(seed)*4)
			o, err := game.(engine.Starter).StartAt(c.now())
			if err != nil {
				continue // it is over, or a seat has left
			}
			raw, err := json.Marshal(o)
			if err != nil {
				t.Fatal(err)
			}
			from := newRandomMatch(t, r, game, string(raw))
			from.play(t, 20)
			from.roundTrip(t)
			if tag := "[Position \"" + engine.StartPosition(o) + "\"]\n"; !strings.Contains(text(t, record.FromLog("", from.info, from.log)), tag) {
				t.Errorf("%s: there is no tag %s", game.Name(), tag)
			}
		}
	}
}

// TestPositionsRefused: a record names a position that is none, one of other options, or is rated.
func TestPositionsRefused(t *testing.T) {
	c := newRandomMatch(t, rand.New(rand.NewPCG(1, 1)), enginetest.Games[0], `{"position":"5 w .x.x./o.o.o/.x.x./oxo.o/...x."}`)
	good := text(t, record.FromLog("", c.info, nil))
	for old, changed := range map[string]string{
		`5 w .x.x.`:      `5 w .x.xx`, // which is a position
		`5 w`:            `6 w`,
		`oxo.o`:          `oxo.!`,
		`size=5`:         `size=7`,
		`pie=false`:      `pie=true`,
		`[Rated "no"]`:   `[Rated "yes"]`,
		"[Game \"ayu\"]": "[Game \"mu\"]",
	} {
		if !strings.Contains(good, old) {
			t.Fatalf("no %s in\n%s", old, good)
		}
		r, err := record.Read(strings.NewReader(strings.Replace(good, old, changed, 1)), enginetest.Games)
		if err == nil {
			err = r.Check()
		}
		if isPosition := strings.Contains(changed, "xx"); (err == nil) != isPosition {
			t.Errorf("%s: %v", changed, err)
		}
	}
}

// example returns the record in docs/records.md.
func example(t testing.TB) string {
	t.Helper()
	page, err := os.ReadFile("../../docs/records.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(page), "```\n[AyumuRecord")
	body, _, closed := strings.Cut(rest, "```\n")
	if !found || !closed {
		t.Fatal("docs/records.md shows no record")
	}
	return "[AyumuRecord" + body
}

func TestTheDocumentedExampleIsValid(t *testing.T) {
	in := example(t)
	r, err := record.Read(strings.NewReader(in), enginetest.Games)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Check(); err != nil {
		t.Fatal(err)
	}
	if got := text(t, r); got != in {
		t.Errorf("printed as\n%s", got)
	}
}

// TestWrongRecords changes the example and expects an error with the line and a text.
func TestWrongRecords(t *testing.T) {
	good := example(t)
	turn := func(n string) string { // a line of a turn
		i := strings.Index(good, "\n"+n+". ") + 1
		return good[i : i+strings.Index(good[i:], "\n")]
	}
	for _, c := range []struct {
		old, new string // replaced once; an empty old means that new is the complete text
		line     string // the text of the line in the error, after the change
		want     string
	}{
		{"", "", "", "an empty line must follow the tags"},
		{"", "\n", "", "AyumuRecord is missing"},
		{"", good[:len(good)-1], "", "cut off"},
		{"\n\n", "\n", turn("1"), `written like [Name "value"]`},
		{`[AyumuRecord "1"]`, `[AyumuRecord "2"]`, `[AyumuRecord "2"]`, "version 1"},
		{`[Game "ayu"]`, `[Game "chess"]`, `[Game "chess"]`, "unknown game"},
		{`[Game "ayu"]` + "\n", "", "", "Game is missing"},
		{`[Game "ayu"]`, `[Game "ayu"`, `[Game "ayu"`, "written like"},
		{`[Game "ayu"]`, "[Game \"ayu\"]\n[Game \"ayu\"]", `[Game "ayu"]`, "is already on line 2"},
		{`[Game "ayu"]`, "[Game \"ayu\"]\r", "[Game \"ayu\"]\r", "carriage return"},
		{`[Game "ayu"]`, "[Game \"ayu\x1b\"]", "[Game \"ayu\x1b\"]", "not text"},
		{`[Game "ayu"]`, "[Game \"ayu\xff\"]", "[Game \"ayu\xff\"]", "not text"},
		{"size=5", "size=6", `[Options "size=6 pie=true"]`, "odd number"},
		{"size=5 ", "size=5  ", `[Options "size=5  pie=true"]`, "single spaces"},
		{" pie=true", "", `[Options "size=5"]`, `this must be: [Options "size=5 pie=true"]`},
		{"pie=true", "pie=[]", `[Options "size=5 pie=[]"]`, "written like size=11"},
		{`[Started "2026`, `[Started "202`, `[Started "202-11-20T20:00:00Z"]`, "time is written"},
		{`[Seat1 "bob"]` + "\n", "", "", "Seat1 is missing"},
		{`[Seat1 "bob"]`, "[Seat1 \"bob\"]\n[Seat2 \"eve\"]", `[Seat2 "eve"]`, "no tag Seat2"},
		{`[Seat1 "bob"]`, "[Seat1 \"bob\"]\n[Elo \"1\"]", `[Elo "1"]`, "no tag Elo"},
		{`[Rating0 "1512"]`, `[Rating0 "good"]`, `[Rating0 "good"]`, "whole number"},
		{`[Rating0 "1512"]`, `[Rating0 "01512"]`, `[Rating0 "01512"]`, `this must be: [Rating0 "1512"]`},
		{`"300+5"`, `"300+5000"`, `[Clock "300+5000"]`, "increment must be 0 to"},
		{`"300+5"`, `"99 days"`, `[Clock "99 days"]`, "days must be 1 to 30"},
		{`"300+5"`, `"0+0"`, turn("1"), "live clock"},
		{`"300+5"`, `"fast"`, `[Clock "fast"]`, "600+10"},
		{`[Rated "yes"]`, `[Rated "maybe"]`, `[Rated "maybe"]`, `this must be: [Rated "no"]`},
		{`[Result "0-1"]`, `[Result "1-0"]`, `[Result "1-0"]`, `by the rules this must be "0-1"`},
		{`[Result "0-1"]`, `[Result "0-1-0"]`, `[Result "0-1-0"]`, "each of the 2 seats"},
		{`[Result "0-1"]`, `[Result "0-2"]`, `[Result "0-2"]`, `this must be: [Result "0-1"]`},
		{`[Reason "immobile"]`, `[Reason "resign"]`, `[Reason "resign"]`, `this must be "immobile"`},
		{`[Reason "immobile"]` + "\n", "", "", "Reason is missing"},
		{`[Reason "immobile"]`, "[Reason \"immobile\"]\n[Scores \"1 2\"]", `[Scores "1 2"]`, "scores are"},
		{`[Reason "immobile"]`, "[Reason \"immobile\"]\n[Scores \"1 x\"]", `[Scores "1 x"]`, "whole number"},
		{"[Result \"0-1\"]\n[Reason \"immobile\"]", `[Result "*"]`, `[Result "*"]`, `by the rules the game is over, so this must be "0-1"`},
		{"1. 0 ", "2. 0 ", strings.Replace(turn("1"), "1", "2", 1), "this must be: 1. 0 "},
		{"1. 0 ", "1. 1 ", strings.Replace(turn("1"), "1. 0", "1. 1", 1), "the turn of seat 0"},
		{"1. 0 ", "1. 7 ", strings.Replace(turn("1"), "1. 0", "1. 7", 1), "no seat 7"},
		{"1. 0 d", "1. 0 D", strings.Replace(turn("1"), "d", "D", 1), "lower case"},
		{turn("1"), "1. 0 b1-b5", "1. 0 b1-b5", "b1-b5: "},
		{turn("1"), "1. 0 leave 0 {time}", "1. 0 leave 0 {time}", "ends when a player leaves"},
		{turn("1"), "1. 0 leave 0 {bored}", "1. 0 leave 0 {bored}", "{resign}, {time} or {absent}"},
		{turn("1"), "1. 0", "1. 0", "a turn is written like"},
		{turn("1"), "1. 0 b1-b2; b2-b3", "1. 0 b1-b2; b2-b3", "the turn ended"},
		{turn("1"), "", "", "a turn is written like"},
		{"{0:05:0", "{0:5:0", "", "this must be"},
		{"{0:05:0", "{soon:0", "", "a clock time is written like"},
	} {
		bad := strings.Replace(good, c.old, c.new, 1)
		if c.old == "" {
			bad = c.new
		}
		r, err := record.Read(strings.NewReader(bad), enginetest.Games)
		if err == nil {
			err = r.Check()
		}
		var e *record.Error
		if !errors.As(err, &e) || !strings.Contains(e.What, c.want) {
			t.Errorf("%q for %q: got %v, want %q", c.new, c.old, err, c.want)
			continue
		}
		if lines := strings.Split(bad, "\n"); c.line != "" && lines[e.Line-1] != c.line {
			t.Errorf("%q for %q: line %d is %q: %v", c.new, c.old, e.Line, lines[e.Line-1], err)
		}
	}
	last := strings.LastIndex(strings.TrimSpace(good), "\n")
	cut := good[:last+1]
	r, err := record.Read(strings.NewReader(cut), enginetest.Games)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Check(); err == nil || !strings.Contains(err.Error(), "did not end the game like this") {
		t.Errorf("without the last turn: %v", err)
	}
	r, err = record.Read(strings.NewReader(good+good[last+1:]), enginetest.Games)
	if err == nil {
		err = r.Check()
	}
	if err == nil {
		t.Error("a turn after the end was taken")
	}
}

// TestEndsByPlayers changes the end of the example.
func TestEndsByPlayers(t *testing.T) {
	good := example(t)
	begin := strings.Index(good, "\n4. ") + 1 // seat 1 is to move
	for _, c := range []struct{ result, reason, clock, want string }{
		{"1-0", "time", "300+5", ""},
		{"0-1", "time", "300+5", "has lost"},
		{"1-0", "time", "none", "no clock"},
		{"0-1", "resign", "300+5", ""},
		{"1-0", "resign", "300+5", ""},
		{"1/2-1/2", "resign", "300+5", "there must be one winner"},
		{"1/2-1/2", "draw", "300+5", ""},
		{"1-0", "draw", "300+5", "has two winners"},
		{"0-0", "abort", "300+5", ""},
		{"1-0", "abort", "300+5", "no winner"},
		{"0-1", "left", "300+5", ""},
		{"0-0", "left", "300+5", "there must be one winner"},
		{"0-1", "immobile", "300+5", "did not end the game like this"},
		{"0-1", "luck", "300+5", "did not end the game like this"},
	} {
		text := strings.Replace(good[:begin], `"0-1"`, `"`+c.result+`"`, 1)
		text = strings.Replace(text, `"immobile"`, `"`+c.reason+`"`, 1)
		if c.clock == "none" {
			text = strings.Replace(text, `"300+5"`, `"none"`, 1)
			for i := strings.Index(text, " {"); i >= 0; i = strings.Index(text, " {") {
				text = text[:i] + text[i+strings.Index(text[i:], "}")+1:]
			}
		}
		r, err := record.Read(strings.NewReader(text), enginetest.Games)
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		if err := r.Check(); fmt.Sprint(err) != "<nil>" && c.want == "" || c.want != "" && !strings.Contains(fmt.Sprint(err), c.want) {
			t.Errorf("%v: %v", c, err)
		}
	}
	goes := strings.Replace(good[:begin], "[Result \"0-1\"]\n[Reason \"immobile\"]", `[Result "*"]`, 1)
	r, err := record.Read(strings.NewReader(goes), enginetest.Games)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Check(); err == nil || !strings.Contains(err.Error(), "no tag Ended") {
		t.Errorf("a running game with an end: %v", err)
	}
}

func TestBounds(t *testing.T) {
	for name, text := range map[string]string{
		"file": strings.Repeat("\n", 9<<20),
		"line": example(t) + strings.Repeat("x", 100<<10) + "\n",
	} {
		if _, err := record.Read(strings.NewReader(text), enginetest.Games); err == nil || !strings.Contains(err.Error(), "at most") {
			t.Errorf("%s: %v", name, err)
		}
	}
	c := newRandomMatch(t, rand.New(rand.NewPCG(1, 1)), enginetest.Games[0], "{}")
	c.info.Seats[0].Name = ""
	var out bytes.Buffer
	if err := record.FromLog("", c.info, c.log).Write(&out); err == nil || out.Len() > 0 {
		t.Errorf("wrote %q of a match that has no record, %v", out.String(), err)
	}
	c.info.Seats[0].Name = `a "b" \c`
	c.info.RematchOf, c.info.Rated = "abc", true
	c.roundTrip(t)
}

// FuzzRead: a record that was read is written identically, and no input panics.
func FuzzRead(f *testing.F) {
	f.Add(example(f))
	for i, game := range enginetest.Games {
		c := newRandomMatch(f, rand.New(rand.NewPCG(uint64(i), 2)), game, options[1])
		c.play(f, 40)
		f.Add(text(f, record.FromLog("", c.info, c.log)))
	}
	f.Add("[AyumuRecord \"1\"]\n\n")
	f.Fuzz(func(t *testing.T, in string) {
		r, err := record.Read(strings.NewReader(in), enginetest.Games)
		if err != nil {
			if r != nil {
				t.Error("refused and read")
			}
			return
		}
		if got := text(t, r); got != in {
			t.Errorf("%q is printed as %q", in, got)
		}
		var e *record.Error
		if err := r.Check(); err != nil && (!errors.As(err, &e) || e.Line < 1 || e.Line > strings.Count(in, "\n")+1) {
			t.Errorf("check says %v", err)
		}
	})
}

// FuzzMatch: every match has a record that Check accepts.
func FuzzMatch(f *testing.F) {
	f.Add(uint64(1), uint8(0), uint8(1), uint8(40))
	f.Add(uint64(2), uint8(1), uint8(2), uint8(90))
	f.Fuzz(func(t *testing.T, seed uint64, game, option, events uint8) {
		c := newRandomMatch(t, rand.New(rand.NewPCG(seed, 3)), enginetest.Games[int(game)%len(enginetest.Games)], options[int(option)%len(options)])
		c.play(t, int(events))
		c.roundTrip(t)
		c.endEarly()
		c.roundTrip(t)
	})
}

func BenchmarkWrite(b *testing.B) {
	for _, game := range enginetest.Games {
		b.Run(game.Name(), func(b *testing.B) {
			c := newRandomMatch(b, rand.New(rand.NewPCG(1, 4)), game, "{}")
			c.play(b, 200)
			for b.Loop() {
				if err := record.FromLog("", c.info, c.log).Write(io.Discard); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(len(c.log)), "lines")
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N), "µs/record")
		})
	}
}
