package screen_test

import (
	"encoding/json"
	"testing"

	"ayumu/tui/screen"
)

// FuzzSettings tests that any stored text gives valid settings, which do not change when they are
// stored and read again.
func FuzzSettings(f *testing.F) {
	for _, text := range []string{"", "{}", `{"bell":false,"pace":99}`, `{"ground":-5}`, `{"Ground":1e9}`, "[]", "null", `{"pace":"x"}`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		s := screen.ReadSettings(raw)
		if s.ReplaySpeed < 0 || s.ReplaySpeed >= len(screen.ReplaySpeeds) || s.Background < screen.BackgroundAuto || s.Background > screen.BackgroundLight {
			t.Fatalf("%q is %+v", raw, s)
		}
		text, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		if again := screen.ReadSettings(text); again != s {
			t.Errorf("%+v is kept as %s and read as %+v", s, text, again)
		}
	})
}
