package table

import (
	"slices"

	"ayumu/engine"
	"ayumu/lobby/account"
)

// Seating has the users of a table: those with a seat, and the challenged one. It is immutable, also what its slices
// refer to.
type Seating struct {
	To     account.ID   // the challenged user; 0: open to all
	Seated []account.ID // the owner first
	Ready  []account.ID // those of Seated who agree to start with fewer players than there are seats
}

// Owner returns the user who opened the table.
func (s *Seating) Owner() account.ID { return s.Seated[0] }

// IsSeated reports whether the user has a seat at the table.
func (s *Seating) IsSeated(id account.ID) bool { return slices.Contains(s.Seated, id) }

// seats reports whether one of the users is seated at the table.
func (s *Seating) seats(users []account.ID) bool { return slices.ContainsFunc(users, s.IsSeated) }

// Involves reports whether the user has a seat at the table or is challenged by its owner.
func (s *Seating) Involves(id account.ID) bool { return s.To == id && id != 0 || s.IsSeated(id) }

// Everyone returns the seated users, then the challenged one.
func (s *Seating) Everyone() []account.ID {
	if s.To == 0 {
		return s.Seated
	}
	return append(slices.Clip(s.Seated), s.To)
}

// isComplete reports whether a match with these options can start: all seats are taken, or at least the
// minimum and everybody seated is ready.
func (s *Seating) isComplete(o engine.Options) bool {
	minSeats, maxSeats := o.Seats()
	if len(s.Seated) == maxSeats {
		return true
	}
	return len(s.Seated) >= minSeats && len(s.Ready) == len(s.Seated)
}

// without returns the seating without a seated user who does not own the table.
func (s Seating) without(id account.ID) Seating {
	is := func(o account.ID) bool { return o == id }
	s.Seated = slices.DeleteFunc(slices.Clone(s.Seated), is)
	s.Ready = slices.DeleteFunc(slices.Clone(s.Ready), is)
	return s
}
