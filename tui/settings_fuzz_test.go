package tui

import (
	"encoding/json"
	"testing"
)

// FuzzSettings: whatever an account has kept, the settings are usable, and the same when they are
// kept and read again.
func FuzzSettings(f *testing.F) {
	for _, text := range []string{"", "{}", `{"bell":false,"pace":99}`, `{"ground":-5}`, `{"Ground":1e9}`, "[]", "null", `{"pace":"x"}`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		s := readSettings(raw)
		if s.Pace < 0 || s.Pace >= len(replaySpeeds) || s.Ground < backgroundAuto || s.Ground > backgroundLight {
			t.Fatalf("%q is %+v", raw, s)
		}
		text, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		if again := readSettings(text); again != s {
			t.Errorf("%+v is kept as %s and read as %+v", s, text, again)
		}
	})
}
