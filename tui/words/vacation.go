package words

import (
	"fmt"
	"time"

	"ayumu/lobby/match"
	"ayumu/lobby/vacation"
)

// OnVacation describes a vacation: "on vacation until 3 Dec 2026".
func OnVacation(until time.Time) string { return "on vacation until " + Date(until) }

// DescribeVacation describes to a seat (-1: a spectator) that the vacation of another player has begun, has another end
// or is over since the snapshot before; "" if nothing of that happened.
func DescribeVacation(before, after *match.Snapshot, other, seat int) string {
	was, _ := before.OnVacation(other)
	is, onVacation := after.OnVacation(other)
	switch {
	case other == seat || after.IsOver() || was.Equal(is):
		return ""
	case onVacation:
		return after.Info.Seats[other].Name + " is " + OnVacation(is) + "."
	}
	return after.Info.Seats[other].Name + "'s vacation is over."
}

// VacationStatus describes to a player their own vacation.
func VacationStatus(s vacation.Status) string {
	left := fmt.Sprintf("%s left, of %d in any 365", Plural(s.Left, "day"), s.Allowed)
	switch {
	case s.Allowed == 0:
		return "This server has no vacations."
	case !s.Until.IsZero():
		return "You are " + OnVacation(s.Until) + "; " + left + "."
	}
	return "You are not on vacation; " + left + "."
}
