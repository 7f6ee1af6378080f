package measure_test

import (
	"testing"
	"time"

	"ayumu/lobby/measure"
)

func TestDurationsAreCountedByClass(t *testing.T) {
	var h measure.Histogram
	for _, d := range []time.Duration{0, time.Millisecond, 3 * time.Millisecond, time.Second, time.Minute} {
		h.Observe(d)
	}
	c := h.Counts()
	if c.Number != 5 || c.Sum != time.Minute+time.Second+4*time.Millisecond {
		t.Errorf("%+v", c)
	}
	for bound, want := range map[float64]uint64{0.001: 2, 0.002: 2, 0.005: 3, 0.5: 3, 1: 4, 10: 4} {
		if c.UpTo[bound] != want {
			t.Errorf("up to %v s: %d, want %d", bound, c.UpTo[bound], want)
		}
	}
}
