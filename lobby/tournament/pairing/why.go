package pairing

import "slices"

// Reason is why an entrant did not get an opponent who would have fitted better.
type Reason uint8

// The reasons.
const (
	HaveMet   Reason = iota + 1 // they have met in an earlier round
	IsTaken                     // that opponent plays a higher entrant
	HasBye                      // that opponent has the bye
	IsUneven                    // one of them would have moved first, or second, too often
	RestFails                   // the entrants below could not have been paired as well
)

// Passed is an opponent whom an entrant did not get, and the reason.
type Passed struct {
	Entrant int
	Reason  Reason
}

// PassedOver returns for a pair of a round that Swiss has returned for the entrants: the one of both who is higher, and those
// above the other one whom the higher one could have met. They are in the order of the table.
func PassedOver(all []Entrant, r Round, table int) (higher int, passed []Passed) {
	order := Order(all)
	tableOf := make([]int, len(all))
	for t, p := range r.Pairs {
		tableOf[p.First], tableOf[p.Second] = t, t
	}
	pair := r.Pairs[table]
	higher, lower := pair.First, pair.Second
	if slices.Index(order, higher) > slices.Index(order, lower) {
		higher, lower = lower, higher
	}
	s := newSearch(all, order)
	from, to := slices.Index(order, higher), slices.Index(order, lower)
	if s.isFirst { // the opponents are half of the entrants below
		return higher, nil
	}
	for p := from + 1; p < to; p++ {
		i := order[p]
		why := RestFails
		switch {
		case i == r.Bye:
			why = HasBye
		case tableOf[i] < table:
			why = IsTaken
		case s.met.of(from, p) > 0:
			why = HaveMet
		case s.imbalance(from, p) > s.imbalance(from, to):
			why = IsUneven
		}
		passed = append(passed, Passed{i, why})
	}
	return higher, passed
}
