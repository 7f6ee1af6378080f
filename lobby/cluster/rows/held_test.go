package rows_test

import (
	"slices"
	"testing"
	"time"

	"ayumu/lobby/cluster/rows"
)

// TestHeld: the newest states are kept by owner, and old ones can be taken.
func TestHeld(t *testing.T) {
	var h rows.Held
	start := time.Now()
	row := func(id string, version int64, data string) rows.Row {
		r := rows.Row{Key: rows.Key{Kind: "x", ID: id}, Version: version, At: start.Add(time.Duration(version) * time.Minute)}
		if data != "" {
			r.Data = []byte(data)
		}
		return r
	}
	want := func(what string, got []rows.Row, versions ...int64) {
		t.Helper()
		var all []int64
		for _, r := range got {
			all = append(all, r.Version)
		}
		if slices.Sort(all); !slices.Equal(all, versions) {
			t.Errorf("%s: versions %v, want %v", what, all, versions)
		}
	}
	h.Put("m", row("a", 1, "1"))
	h.Put("m", row("a", 2, "2"))
	h.Put("m", row("b", 3, "3"))
	h.Put("m", row("c", 4, "4"))
	h.Put("m", row("c", 5, ""))
	h.Put("o", row("d", 6, "6"))
	h.Put("o", row("e", 7, "7"))
	h.Put("p", row("f", 8, ""))
	want("unknown", h.Take("n"))
	want("known", h.Take("m"), 2, 3)
	want("again", h.Take("m"))
	want("old", h.TakeOld(start.Add(7*time.Minute)), 6)
	want("the rest", h.Take("o"), 7)
}
