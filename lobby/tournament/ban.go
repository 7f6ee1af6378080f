package tournament

import (
	"cmp"
	"slices"
	"time"
)

// Bans of players who do not come to games.
const (
	noShowWindow = 30 * 24 * time.Hour // in which a second no-show leads to a ban
	firstBan     = 24 * time.Hour      // doubled by each further one
	maxBan       = 32 * 24 * time.Hour
)

// Attendance is that a player finished a tournament, or did not come to a game of it.
type Attendance struct {
	Tournament string
	At         time.Time
	NoShow     bool
}

// NoEntryUntil returns until when a player cannot enter a tournament because they did not come to games; the zero time if they
// can. A second tournament within 30 days to which they did not come leads to a day, and each further one to twice as much;
// each tournament that they finish halves that again. Several games of one tournament count once.
func NoEntryUntil(history []Attendance) (until time.Time) {
	history = slices.SortedStableFunc(slices.Values(history), func(a, b Attendance) int { return a.At.Compare(b.At) })
	missed := make(map[string]bool)
	var last time.Time // no-show; zero: none
	var length time.Duration
	for _, a := range history {
		switch {
		case missed[a.Tournament]:
		case !a.NoShow:
			if length /= 2; length < firstBan {
				length = 0
			}
		default:
			missed[a.Tournament] = true
			if !last.IsZero() && a.At.Sub(last) <= noShowWindow {
				length = min(cmp.Or(2*length, firstBan), maxBan)
				until = later(until, a.At.Add(length))
			}
			last = a.At
		}
	}
	return until
}
