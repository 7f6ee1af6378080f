// Package measure counts and times what a server does, for its operator.
package measure

import (
	"sync/atomic"
	"time"
)

// Bounds are the upper bounds of the classes of a Histogram, in seconds. The last class has no bound.
var Bounds = [...]float64{0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10}

// Histogram counts durations by their class. The zero value has counted nothing. Any goroutine may use it.
type Histogram struct {
	classes [len(Bounds) + 1]atomic.Uint64
	total   atomic.Int64 // nanoseconds
}

// Observe counts a duration.
func (h *Histogram) Observe(d time.Duration) {
	seconds, class := d.Seconds(), 0
	for class < len(Bounds) && seconds > Bounds[class] {
		class++
	}
	h.classes[class].Add(1)
	h.total.Add(int64(d))
}

// Counts are what a Histogram had counted at one moment.
type Counts struct {
	Number uint64
	Sum    time.Duration
	UpTo   map[float64]uint64 // by each of Bounds, the number of durations that were not longer
}

// Counts returns what was counted. Durations that are observed meanwhile may be in some of the counts.
func (h *Histogram) Counts() Counts {
	c := Counts{Sum: time.Duration(h.total.Load()), UpTo: make(map[float64]uint64, len(Bounds))}
	for i := range h.classes {
		c.Number += h.classes[i].Load()
		if i < len(Bounds) {
			c.UpTo[Bounds[i]] = c.Number
		}
	}
	return c
}

// Appends measures the appends to the logs of matches. The zero value has counted nothing. Any goroutine may use
// it.
type Appends struct {
	Latency   Histogram     // of all, from the request to the answer of the store
	Conflicts atomic.Uint64 // those for which the log had another end
	Unclear   atomic.Uint64 // those of which the store could not say whether they are recorded

	// What the store has confirmed as recorded. What unclear appends turn out to have recorded is not counted.
	Turns, Finished atomic.Uint64
}

// Recorded counts what a confirmed append has recorded: turns, and matches that have ended with a result.
func (a *Appends) Recorded(turns, finished uint64) {
	a.Turns.Add(turns)
	a.Finished.Add(finished)
}
