package ayu

import (
	"bytes"
	"encoding/json"
	"testing"
)

// FuzzOptions checks that options that can be read are in range, survive a round trip and make a game.
func FuzzOptions(f *testing.F) {
	for _, text := range []string{"", `{}`, `{"size":5}`, `{"size":15,"pie":false}`, `{"size":6}`, `{"size":-1}`, `{"size":1e400}`,
		`{"pie":null}`, `{"Size":7}`, `[]`, `null`, `{"size":"11"}`,
		`{"handicap":3}`, `{"handicap":1,"pie":true}`, `{"position":"5 w .x.x./o.o.o/.x.x./oxo.o/...x."}`, `{"size":5,"position":"3 b .x./o.o/.x."}`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		o, err := Game{}.ParseOptions(raw)
		if err != nil {
			return
		}
		if size := o.(Options).Size; size < MinSize || size > MaxSize || size%2 == 0 {
			t.Fatalf("%s is a board of %d", raw, size)
		}
		text, err := json.Marshal(o)
		if err != nil {
			t.Fatal(err)
		}
		again, err := Game{}.ParseOptions(text)
		if err != nil || again != o {
			t.Errorf("%s is %v, written as %s and read as %v, %v", raw, o, text, again, err)
		}
		if p := (Game{}).New(o); len(p.Legal()) == 0 || bytes.ContainsAny([]byte(p.String()), "\n\r") {
			t.Errorf("a game begins with %q", p)
		}
	})
}
