package limit

import (
	"slices"
	"testing"
	"time"
)

// TestCooldown: the fourth fault within a day has a cooldown of ten minutes, each further one of twice as long up to half
// a day, and what is older than a day when the last one happens does not count.
func TestCooldown(t *testing.T) {
	began := time.Date(2026, 11, 26, 0, 0, 0, 0, time.UTC)
	minutes := func(all ...int) (times []time.Time) {
		for _, m := range all {
			times = append(times, began.Add(time.Duration(m)*time.Minute))
		}
		return times
	}
	const day = 24 * 60
	for _, c := range []struct {
		what   string
		faults []int
		until  int // in minutes; 0: none
		n      int
	}{
		{"none", nil, 0, 0},
		{"three", []int{1, 2, 3}, 0, 0},
		{"four", []int{1, 2, 3, 4}, 14, 4},
		{"in any order", []int{4, 2, 3, 1}, 14, 4},
		{"at once", []int{7, 7, 7, 7}, 17, 4},
		{"five", []int{1, 2, 3, 4, 20}, 40, 5},
		{"seven", []int{1, 2, 3, 4, 20, 50, 100}, 180, 7},
		{"the longest", []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, 11 + 12*60, 11},
		{"no longer one", []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20}, 20 + 12*60, 20},
		{"the first is a day ago", []int{0, day - 2, day - 1, day}, 0, 0},
		{"the first is less than a day ago", []int{1, day - 2, day - 1, day}, day + 10, 4},
		{"a shorter cooldown after a longer one", []int{0, 0, 0, 0, 0, 0, 0, 0, 0, day, day + 1, day + 2, day + 3}, day + 13, 4},
		{"a longer cooldown that goes on", []int{0, 0, 0, 0, 0, 0, 0, 0, day - 1, day}, day - 1 + 5*60 + 20, 9},
	} {
		faults := minutes(c.faults...)
		before := slices.Clone(faults)
		until, n := Cooldown(faults)
		if c.until == 0 && !until.IsZero() || c.until != 0 && !until.Equal(minutes(c.until)[0]) || n != c.n {
			t.Errorf("%s: until %v after %d, want %d min after %d", c.what, until, n, c.until, c.n)
		}
		if !slices.Equal(faults, before) {
			t.Errorf("%s: the times have changed", c.what)
		}
	}
	var many []time.Time
	for i := range MaxFaults {
		many = append(many, began.Add(time.Duration(i)*time.Second))
	}
	if until, _ := Cooldown(many); until.Sub(many[MaxFaults-1]) != MaxCooldown {
		t.Error("MaxFaults faults do not have the longest cooldown")
	}
}
