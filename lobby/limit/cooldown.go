package limit

import (
	"slices"
	"time"
)

// Cooldowns of players who abort, leave or stall live games against people often (match.Entry.Fault).
const (
	FaultWindow   = 24 * time.Hour   // in which faults are counted
	FreeFaults    = 3                // that have no consequence
	FirstCooldown = 10 * time.Minute // after the next one; doubled by each further one
	MaxCooldown   = 12 * time.Hour

	// MaxFaults is how many of the newest faults a cooldown depends on; with as many it is the longest.
	MaxFaults = 32
	// FaultHistory is the age from which a fault changes no cooldown any more.
	FaultHistory = FaultWindow + MaxCooldown
)

// Cooldown returns until when a player with faults at these times can begin no live games against people, and how many
// faults within FaultWindow are the reason; the zero time if there were few.
func Cooldown(faults []time.Time) (until time.Time, n int) {
	faults = slices.SortedFunc(slices.Values(faults), time.Time.Compare)
	first := 0 // of those within the window of the fault
	for i, at := range faults {
		for at.Sub(faults[first]) >= FaultWindow {
			first++
		}
		if end := at.Add(cooldownAfter(i - first + 1)); end.After(at) && end.After(until) {
			until, n = end, i-first+1
		}
	}
	return until, n
}

// cooldownAfter returns how long the n-th fault within FaultWindow counts; 0: it has no consequence.
func cooldownAfter(n int) time.Duration {
	if n <= FreeFaults {
		return 0
	}
	return min(FirstCooldown<<min(n-FreeFaults-1, 10), MaxCooldown)
}
