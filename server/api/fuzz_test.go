package api

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"ayumu/lobby/limit"
	"ayumu/lobby/lobbytest"
)

// FuzzLines sends any bytes: every line gets one answer that is JSON on one line, the last ping is
// answered, and nothing panics.
func FuzzLines(f *testing.F) {
	for _, seed := range []string{
		`{"id":1,"op":"ping"}`, `{"id":"a","op":"open","game":"ayu","options":{"size":5},"clock":{"initial":60}}`,
		`{"id":1,"op":"act","match":"x","version":0,"actions":["b1-b2"]}`, `{"id":null,"op":"tables"}`, "{", "[]", "\x00", "\xff",
		`{"id":1,"op":"watch","match":"x","from":-1}`, `{"id":1e999}`, strings.Repeat("[", 1000), `{"id":1,"op":"say","text":"\u0000"}`,
		`{"id":1,"op":"quick","game":"ayu","options":{"size":9}}` + "\n" + `{"id":2,"op":"cancel","table":"x"}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		l := lobbytest.Open(t)
		s, err := l.Enter(l.Accounts.NewGuest(), nil)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close(false)
		var out bytes.Buffer
		in := append(append([]byte{}, input...), "\n"+`{"id":"last","op":"ping"}`+"\n"...)
		if err := Serve(t.Context(), bytes.NewReader(in), &out, visitOf(s)); err != nil {
			t.Fatal(err)
		}
		answered, answers := false, 0
		for line := range bytes.Lines(out.Bytes()) {
			var o struct {
				Re    any    `json:"re"`
				Event string `json:"event"`
			}
			if err := json.Unmarshal(line, &o); err != nil {
				t.Fatalf("%q: %v", line, err)
			}
			if o.Event == "" {
				answers++
			}
			answered = answered || o.Re == "last"
		}
		limited := bytes.Count(input, []byte("\n")) > limit.Default().RequestBurst-10 || len(input) > limit.Default().ByteBurst/2
		if !answered && !limited {
			t.Errorf("the last ping was not answered in\n%s", out.Bytes())
		}
		if limit := bytes.Count(in, []byte("\n")); answers > limit {
			t.Errorf("%d answers to %d lines", answers, limit)
		}
	})
}
