package mu

import (
	"fmt"

	"ayumu/engine"
)

// Phase is a phase of the game.
type Phase uint8

// The phases, in their order.
const (
	Layout Phase = iota
	Clearing
	Play
	Over
)

// String returns the name of the phase in a position line.
func (p Phase) String() string { return [...]string{"layout", "clear", "play", "over"}[p] }

// turnState is the part of a position that is not on the board: whose turn it is, and what the seats may
// still do. The methods of engine.Position that only need this are its methods.
type turnState struct {
	seats    uint8
	segments uint8 // for each player
	seat     uint8 // whose turn it is
	left     uint8 // bit set of seats that have left
	phase    Phase
	hasMoved bool           // a move was made in this turn of play
	passes   uint8          // consecutive passes
	rights   uint64         // bit set of segments
	result   *engine.Result // nil until the end
}

// Seats implements engine.Position.
func (s *turnState) Seats() int { return int(s.seats) }

// Turn implements engine.Position.
func (s *turnState) Turn() int { return int(s.seat) }

// Phase returns the current phase.
func (s *turnState) Phase() Phase { return s.phase }

// MidTurn implements engine.Position. A turn of play starts with its first move.
func (s *turnState) MidTurn() bool { return s.hasMoved && s.phase == Play }

// HasLeft implements engine.Position.
func (s *turnState) HasLeft(seat int) bool {
	return seat >= 0 && seat < int(s.seats) && s.seatLeft(uint8(seat))
}

func (s *turnState) seatLeft(seat uint8) bool { return s.left>>seat&1 != 0 }

// Result implements engine.Position.
func (s *turnState) Result() (engine.Result, bool) {
	if s.result == nil {
		return engine.Result{}, false
	}
	r := *s.result
	r.Winners = append([]int{}, r.Winners...)
	r.Scores = append([]int(nil), r.Scores...)
	r.Places = append([]int(nil), r.Places...)
	return r, true
}

// Side implements engine.Position. Seats of Mu have no sides.
func (s *turnState) Side(int) string { return "" }

// Segments returns the number of segments that each player places; 0 after ParsePosition.
func (s *turnState) Segments() int { return int(s.segments) }

// Passes returns the number of consecutive passes.
func (s *turnState) Passes() int { return int(s.passes) }

// hasRight reports whether a segment has an unspent right.
func (s *turnState) hasRight(segment uint8) bool { return s.rights>>segment&1 != 0 }

// checkLeave returns an error if the seat cannot leave now.
func (s *turnState) checkLeave(seat int) error {
	refuse := func(reason string) error {
		return &engine.ActionError{Action: fmt.Sprintf("leave %d", seat), Reason: reason}
	}
	switch {
	case s.phase == Over:
		return engine.ErrGameOver
	case seat < 0 || seat >= int(s.seats):
		return refuse(fmt.Sprintf("the seats are 0 to %d", s.seats-1))
	case s.seatLeft(uint8(seat)):
		return refuse("that seat has already left")
	case s.MidTurn():
		return refuse("a seat cannot leave within a turn")
	}
	return nil
}
