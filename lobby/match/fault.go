package match

import (
	"time"
)

// stallTime is the least time without a turn after which a loss on time is a fault, if it was also half of the time that
// a player had at the start.
const stallTime = 2 * time.Minute

// ending is why a match ends or a seat leaves it by other means than the rules.
type ending struct {
	seat   int         // Entry.Seat of an EntryEnd
	reason AbortReason // Entry.Reason of an EntryEnd
	fault  bool        // Entry.Fault
}

// endingByNobody is an ending that no seat has caused alone.
var endingByNobody = ending{seat: -1}

// endingBy returns the ending that a seat has caused, which is recorded only if it is the seat's fault.
func endingBy(seat int, reason AbortReason, fault bool) ending {
	if !fault {
		return ending{seat: -1, reason: reason}
	}
	return ending{seat, reason, fault}
}

// Faults reports for each seat whether its player is at fault for how the match ended or the seat left it. log is a log
// or its end.
func Faults(seats int, log []Entry) []bool {
	all := make([]bool, seats)
	for _, e := range log {
		if e.Fault && e.Seat >= 0 && e.Seat < seats {
			all[e.Seat] = true
		}
	}
	return all
}

// hasOpponent reports whether a person waits in the match for the seat's player: not in correspondence games, in which
// nobody waits, nor if all others are bots. Otherwise nothing in it is a fault of the seat.
func (s *State) hasOpponent(seat int) bool {
	if s.Info.Control.IsCorrespondence() {
		return false
	}
	for i, o := range s.Info.Seats {
		if i != seat && !o.Bot {
			return true
		}
	}
	return false
}

// isAbortFault reports whether a seat that aborts the match is at fault: not if its opponent is away, or has let half
// of the time for their first turn pass.
func (x *step) isAbortFault(seat int, at time.Time) bool {
	if !x.hasOpponent(seat) || !x.absence(x.now, 1-seat, at).Since.IsZero() {
		return false
	}
	return x.position.Turn() == seat || at.Sub(x.turnBegan()) < firstTurnLimit(x.Info.Control)/2
}

// isFirstTurnFault reports whether the seat to move is at fault for not having made its first turn.
func (x *step) isFirstTurnFault(seat int) bool { return x.hasOpponent(seat) && !x.isDisturbed(seat) }

// isLeavingFault reports whether a seat whose absence was claimed, or that was voted out, is at fault.
func (x *step) isLeavingFault(seat int) bool {
	return x.Info.Rated && x.hasOpponent(seat) && !x.now.Presence[seat].Excused
}

// isStall reports whether the seat to move, whose time is up, has stalled: it let it run out in one turn, at least
// stallTime and half of the time at the start. Who has moved regularly has less left when it runs out.
func (x *step) isStall(seat int, at time.Time) bool {
	return x.Info.Rated && x.hasOpponent(seat) && !x.isDisturbed(seat) &&
		at.Sub(x.turnBegan()) >= max(stallTime, x.Info.Control.Initial/2)
}

// turnBegan returns when the clock of the seat to move was started, or without a clock the time of the last entry.
func (s *State) turnBegan() time.Time {
	if running, since := s.clock.Running(); running >= 0 && s.Info.Control.IsLive() {
		return since
	}
	return s.lastAt
}

// isDisturbed reports whether the server has kept the seat to move from its turn: it was started again or failed, or the
// player's node has died.
func (x *step) isDisturbed(seat int) bool {
	if x.now.Presence[seat].Excused || !x.restartedAt.IsZero() && !x.turnBegan().After(x.restartedAt) {
		return true
	}
	n := len(x.log.entries)
	return n > 0 && x.log.entries[n-1].Kind == EntryCredit // nothing has happened since
}
