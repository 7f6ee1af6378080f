package op

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/clock"
	"ayumu/lobby/table"
	"ayumu/tui/game/gametest"
)

func TestTablesAreParsed(t *testing.T) {
	v := &Visit{Config: &Config{Games: gametest.Games}}
	for args, want := range map[string]struct {
		options string
		control clock.Control
		rated   bool
		to      string
	}{
		"":                       {`{"size":11,"pie":true}`, clock.Default, false, ""},
		"ayu 9x9":                {`{"size":9,"pie":true}`, clock.Default, false, ""},
		"13x13 pie=off 3d rated": {`{"size":13,"pie":false}`, clock.Control{Days: 3}, true, ""},
		"5+5 to Bob size=7x7":    {`{"size":7,"pie":true}`, clock.Control{Initial: 5 * time.Minute, Increment: 5 * time.Second}, false, "bob"},
		"first=other delay=3":    {`{"size":11,"pie":true}`, clock.Default, false, ""},
		"none casual":            {`{"size":11,"pie":true}`, clock.Control{}, false, ""},
		"handicap=2 7x7":         {`{"size":7,"pie":false,"handicap":2}`, clock.Default, false, ""},
		"handicap=7 5x5 pie=on":  {`{"size":5,"pie":false,"handicap":2}`, clock.Default, false, ""},
	} {
		var p OpenArgs
		err := p.parseWords(v, strings.Fields(args))
		if err != nil || string(p.Options) != want.options || *p.Clock != Clock(want.control) || (p.Rated != nil && *p.Rated) != want.rated || p.To != want.to || p.Game != gametest.Games.Default().Name() {
			t.Errorf("%q: %+v %s, %v", args, p, p.Options, err)
		}
	}
	for args, want := range map[string]string{
		"mu 4x2":           `{"players":4,"segments":2,"min":4}`,
		"mu 4 2":           `{"players":4,"segments":2,"min":4}`,
		"mu 2 4":           `{"players":2,"segments":4,"min":2}`,
		"mu 5x3x4":         `{"players":5,"segments":3,"min":4}`,
		"mu segments=2":    `{"players":3,"segments":2,"min":3}`,
		"mu 4 2 players=3": `{"players":3,"segments":2,"min":3}`,
	} {
		var p OpenArgs
		if err := p.parseWords(v, strings.Fields(args)); err != nil || string(p.Options) != want {
			t.Errorf("%q: %s, %v", args, p.Options, err)
		}
	}
	for args, want := range map[string]string{
		"8x8": `unexpected "8x8"; use a clock`, "mu 4x9": "use a clock such as 10+5", "mu 1x2x3x4": "use a clock such as 10+5", "ayu ayu": `unexpected "ayu"; use a clock`, "to": `unexpected "to"; use a clock`, "10+": "use a clock such as 10+5", "pie=maybe": "use a clock such as 10+5",
		"first=you": "first=me", "4x2": "use a clock such as 10+5", "handicap=8": "use a clock such as 10+5", "9x9x2": "use a clock such as 10+5", "here": "no position is shown", "any": "use a clock such as 10+5",
		"casul": "(did you mean casual?)", "au 9x9": "(did you mean ayu?)", "dealy=3": "(did you mean delay=?)", "9x9 privat": "(did you mean private?)",
	} {
		var p OpenArgs
		if err := p.parseWords(v, strings.Fields(args)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is %+v, %v", args, p, err)
		}
	}
}

func TestTablesOfMuAreParsed(t *testing.T) {
	var p OpenArgs
	if err := p.parseWords(&Visit{Config: &Config{Games: gametest.Games}}, strings.Fields("mu 4x2 first=me")); err != nil || string(p.Options) != `{"players":4,"segments":2,"min":4}` || p.First != table.FirstOwner {
		t.Errorf("%s %q, %v", p.Options, p.First, err)
	}
}

// What a quick match does not name may be anything, the game only if any is typed.
func TestQuickMatchesAreParsed(t *testing.T) {
	v := &Visit{Config: &Config{Games: gametest.Games}}
	for args, want := range map[string]string{
		"any":          `{}`,
		"any 3d":       `{"clock":"3 days"}`,
		"ayu":          `{"game":"ayu"}`,
		"mu rated":     `{"game":"mu","rated":true}`,
		"7x7 casual":   `{"game":"ayu","options":{"size":7},"rated":false}`,
		"any 7x7 none": `{"game":"ayu","options":{"size":7},"clock":"no clock"}`,
		"mu 2x3 10+10": `{"game":"mu","options":{"players":2,"segments":3},"clock":"10+10"}`,
		"5+5":          `{"game":"ayu","clock":"5+5"}`,
	} {
		var in QuickArgs
		if err := in.parseWords(v, strings.Fields(args)); err != nil || !in.Remember {
			t.Errorf("%q: %+v, %v", args, in, err)
			continue
		}
		if raw, err := json.Marshal(in.wanted()); err != nil || string(raw) != want {
			t.Errorf("%q: %s, %v", args, raw, err)
		}
	}
	for _, args := range []string{"here", "private", "delay=2", "first=me", "5x5 to bob"} {
		if err := new(QuickArgs).parseWords(v, strings.Fields(args)); err == nil || !strings.Contains(err.Error(), "use a clock such as 10+5") {
			t.Errorf("a quick match takes %q: %v", args, err)
		} else if strings.Contains(err.Error(), "handicap") {
			t.Errorf("a quick match proposes a handicap, which it refuses: %v", err)
		}
	}
}

// TestUnknownFieldsAreRefused gives clocks and options fields that they do not have.
func TestUnknownFieldsAreRefused(t *testing.T) {
	withHarness(t, func(h *harness) {
		v := h.guest()
		for object, want := range map[string]string{
			`{"game":"ayu","clock":{"initial":60,"incremnt":5}}`:      `clock has no field "incremnt" (did you mean increment?)`,
			`{"game":"ayu","options":{"size":5,"colour":"red"}}`:      `options has no field "colour"`,
			`{"game":"mu","options":{"player":3}}`:                    `options has no field "player" (did you mean players?)`,
			`{"game":"ayu","options":{"size":5},"clock":{"days":99}}`: "days must be 1 to 30",
			`{"game":"chess","options":{"size":5,"colour":"red"}}`:    `there is no game "chess"`,
			`{"game":"ayu","options":{"size":5},"level":1,"x":2}`:     "",
		} {
			call, err := Open.ParseJSON(v, []byte(object))
			if err == nil {
				_, err = call.Run(h.t.Context(), v)
			}
			if _, message := lobby.PublicError(err); (err == nil) != (want == "") || err != nil && message != want {
				t.Errorf("%s: %v", object, err)
			}
		}
	})
}

// FuzzTable: a table that can be typed is one that the lobby knows how to open.
func FuzzTable(f *testing.F) {
	for _, text := range []string{"", "9x9 10+5 rated to bob", "mu players=3", "ayu pie=off private", "delay=20", "delay=21", "delay=-0", "to",
		"mu 6 8 2d casual", "=", "pie=", "15x15 none delay=", "to to to", "any 5+5 rated", "mu 4x2 first=me", "first=who"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v := &Visit{Config: &Config{Games: gametest.Games}}
		var quick QuickArgs
		if list := strings.Fields(text); len(list) > 0 && quick.parseWords(v, list) == nil {
			stored := quick.wanted()
			if c := stored.Control(); (c == nil) != (quick.Clock == nil) || c != nil && *c != clock.Control(*quick.Clock) {
				t.Errorf("%q as a quick match is %+v", text, stored)
			}
			if g, ok := gametest.Games.Engine().ByName(quick.Game); ok {
				if _, err := g.ParseOptions(quick.Options); err != nil {
					t.Errorf("%q as a quick match has %s, %v", text, quick.Options, err)
				}
			}
		}
		var in OpenArgs
		if in.parseWords(v, strings.Fields(text)) != nil {
			return
		}
		game, _ := gametest.Games.Engine().ByName(in.Game)
		if o, err := game.ParseOptions(in.Options); err != nil || refusedField("options", in.Options, reflect.New(reflect.TypeOf(o)).Interface()) != nil {
			t.Errorf("%q has options %s, %v", text, in.Options, err)
		}
		if in.Delay < 0 || in.Delay > table.MaxDelay || clock.Control(*in.Clock).Check() != nil {
			t.Errorf("%q is %+v", text, in)
		}
	})
}
