package clock

import (
	"encoding/json"
	"testing"
	"time"
)

// FuzzParse: a parsed control is within the bounds, and String of whole minutes parses to the same control.
func FuzzParse(f *testing.F) {
	for _, text := range []string{"", "15", "15+10", " 3 days", "2d", "none", "no clock", "0+0", "0+5", "-1", "9223372036854775807+1",
		"99999999999999999999", "1+-1", "+", "1d+1", "days", "１５"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := Parse(text)
		if err != nil {
			return
		}
		if err := c.Check(); err != nil {
			t.Fatalf("%q is %+v: %v", text, c, err)
		}
		if again, err := Parse(c.String()); err != nil || again != c {
			t.Errorf("%q is %v, and read again %v, %v", text, c, again, err)
		}
	})
}

// FuzzControl: a control from JSON is within the bounds, and unchanged after it is written and read again.
func FuzzControl(f *testing.F) {
	for _, text := range []string{`{"initial":600,"increment":10}`, `{"days":3}`, `null`, `{}`, `{"initial":-1}`, `{"days":1,"initial":1}`,
		`{"initial":9223372036854775807}`, `{"increment":1e3}`, `{"initial":0,"increment":5}`, `[]`, `{"initial":1.5}`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		var c, again Control
		if json.Unmarshal(raw, &c) != nil {
			return
		}
		if err := c.Check(); err != nil || c.Cap() < 0 || c.Cap() > time.Hour*6 {
			t.Fatalf("%s is %+v: %v", raw, c, err)
		}
		text, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(text, &again); err != nil || again != c {
			t.Errorf("%s is %v, written as %s and read as %v, %v", raw, c, text, again, err)
		}
	})
}
