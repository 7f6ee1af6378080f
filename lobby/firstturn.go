package lobby

import "time"

// FirstTurn returns how long the seat to move still has for its first turn, at that moment; ok is
// false where its clock alone counts. When that time is up the match is broken off, or with more
// than two players the seat leaves.
func (s *Snapshot) FirstTurn(now time.Time) (left time.Duration, ok bool) {
	if s.Over() || s.Running < 0 || !s.Info.Control.Live() {
		return 0, false
	}
	for _, e := range standing(s.Log) {
		if e.Kind == Turn && e.Seat == s.Running {
			return 0, false
		}
	}
	return max(firstTurn-now.Sub(s.Stamp), 0), true
}
