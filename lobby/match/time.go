package match

import (
	"cmp"
	"slices"
	"time"

	"ayumu/engine"
	"ayumu/lobby/clock"
)

// Limits in time of a match.
const (
	untimedLimit    = 30 * 24 * time.Hour // a match without a clock is aborted after this time without a turn
	restartCredit   = 20 * time.Second    // of the seat to move after a restart
	restartDeadline = 12 * time.Hour      // the same if a deadline in days has passed
	nodeCredit      = 20 * time.Second    // of the seat to move, once a turn, after the death of its player's node

	// leftToBotsLimit is how long a match without a clock waits for its guests if only bots are left. Guests
	// soon lose their way back, while an account may return for a month.
	leftToBotsLimit = 10 * time.Minute
)

// begin restores the clock of a match that has come into memory, and applies what is due. The time in which
// the server was down is not charged, except against a deadline in days that has not passed.
func (x *step) begin(resumed bool) {
	now := x.now.Time
	x.job = job{at: now}
	if resumed {
		x.restartedAt = now
	}
	switch {
	case !resumed:
		// Other nodes have it in memory, or it has just been started.
		if !x.IsOver() {
			x.clock = started(x.clock, x.position.Turn(), x.lastAt)
		}
		x.changed = true
		x.applyTime()
	case x.Version() == 0:
		// No entry records the credit: each restart gives it again, and the first turn records the clocks.
		if x.Info.Control.IsLive() {
			x.clock = x.clock.Clone()
			x.clock.Credit(x.position.Turn(), restartCredit)
		}
		x.applyTime()
	case x.IsOver() || x.Info.Control.IsUntimed():
		x.applyTime()
	case x.Info.Control.IsCorrespondence():
		x.clock = started(x.clock, x.position.Turn(), x.lastAt)
		if deadline, _ := x.deadline(x.now); deadline.After(now) {
			x.changed = true
			x.applyTime()
			return
		}
		x.clock = stopped(x.clock, now)
		x.resumeWith(restartDeadline)
	default:
		x.resumeWith(restartCredit)
	}
}

// applyTime applies what is due at the time of the job: it starts the clock of the seat to move and ends
// turns whose time is up. Then it executes the command of the job.
func (x *step) applyTime() {
	x.job.stage, x.job.at = stageTime, later(x.job.at, x.lastAt)
	if !x.IsOver() && !x.frozen {
		if !x.IsSuspended() {
			if running, _ := x.clock.Running(); running < 0 {
				x.clock = started(x.clock, x.position.Turn(), x.job.at)
				x.changed = true
			}
			if x.applyDeadline() || x.creditLostNode() || x.creditVacation() {
				return
			}
		}
		x.checkAway(x.job.at)
		x.checkVacations(x.job.at)
	}
	x.execute()
}

// applyDeadline ends the turn of the seat to move if its time is up and it is for this node to do that, and
// reports whether it has asked for the recording. While the store fails an outage starts instead: if it began to
// fail after the time was up, none is left when the outage ends.
func (x *step) applyDeadline() bool {
	deadline, kind := x.deadline(x.now)
	switch {
	case deadline.IsZero() || x.job.at.Before(deadline):
		return false
	case !x.now.StoreFailingSince.IsZero():
		x.suspend(deadline)
		return false
	case x.Info.Control.IsCorrespondence() && !x.job.isRefreshed && !x.now.Degraded:
		x.effects.Request = RequestRefresh // the player may have begun a vacation on another node
		return true
	case x.now.Degraded || x.job.at.Before(deadline.Add(x.now.Presence[x.position.Turn()].Wait)):
		return false
	}
	return x.expire(kind, deadline) == nil
}

// creditLostNode asks for the recording of nodeCredit for the seat to move if its player's node has died, once a
// turn, and reports whether it has. Before the first entry only the limit of the first turn counts.
func (x *step) creditLostNode() bool {
	seat := x.position.Turn()
	if !x.now.Presence[seat].NodeDied || x.now.Degraded || !x.now.StoreFailingSince.IsZero() || x.Version() == 0 || !x.Info.Control.IsLive() {
		return false
	}
	for _, e := range slices.Backward(x.log.entries) {
		if e.Kind != EntryCredit {
			break
		}
		if e.Reason == CreditNodeDied {
			return false
		}
	}
	k := stopped(x.clock, x.job.at)
	k.Credit(seat, nodeCredit)
	x.appendCredit(k, seat, nodeCredit, CreditNodeDied, x.job.at)
	return true
}

// expiry is the kind of a deadline.
type expiry uint8

const (
	expireClock expiry = iota
	expireFirst
	expireUntimed
)

// deadline returns when the turn of the seat to move is due, and which limit that is; the zero time if none
// runs.
func (s *State) deadline(now Now) (time.Time, expiry) {
	if s.Info.Control.IsUntimed() {
		if s.Info.Local || now.Local {
			return time.Time{}, expireUntimed // nobody waits
		}
		end := s.lastAt.Add(untimedLimit)
		if left := s.leftToBots(now); !left.IsZero() && left.Add(leftToBotsLimit).Before(end) {
			end = left.Add(leftToBotsLimit)
		}
		return end, expireUntimed
	}
	deadline, ok := s.clock.Deadline()
	if !ok {
		return time.Time{}, expireClock
	}
	seat, since := s.clock.Running()
	if all := s.vacations(now, seat); len(all) > 0 {
		deadline = all.Deadline(since, deadline.Sub(since))
	}
	if s.Info.Control.IsLive() && s.turnsMade[seat] == 0 {
		return s.firstDeadline(now, since, deadline), expireFirst
	}
	return deadline, expireClock
}

// expire asks for the recording of what follows from a deadline that has passed.
func (x *step) expire(kind expiry, at time.Time) error {
	seat := x.position.Turn()
	switch {
	case kind == expireUntimed:
		x.abort(at, ending{seat: -1, reason: AbortIdle})
	case kind == expireFirst && x.isDuel():
		reason := AbortFirstTurn
		if other := x.now.Presence[1-seat]; x.Info.IsOfTournament() && !other.AbsentSince.IsZero() && !other.Excused && x.turnsMade[1-seat] == 0 {
			reason = AbortNobody
		}
		x.abort(at, endingBy(seat, reason, x.isFirstTurnFault(seat)))
	case x.isDuel():
		x.endMatch(at, engine.Result{Winners: []int{1 - seat}, Reason: engine.ReasonTime}, endingBy(seat, "", x.isStall(seat, at)))
	case kind == expireFirst:
		return x.removeSeat(at, seat, engine.ReasonTime, x.isFirstTurnFault(seat))
	default:
		return x.removeSeat(at, seat, engine.ReasonTime, x.isStall(seat, at))
	}
	return nil
}

// firstTurnLimit returns the time that a seat has for its first turn under a live clock. Players of slow
// games may need some time to come to the screen.
func firstTurnLimit(c clock.Control) time.Duration {
	switch {
	case c.Initial <= 15*time.Minute:
		return time.Minute
	case c.Initial <= time.Hour:
		return 3 * time.Minute
	}
	return 10 * time.Minute
}

// firstDeadline returns the time at which the first turn of the seat to move is due: its limit after since,
// the start of its clock, but not later than clockUp. A seat that was to move when the server restarted
// gets restartCredit on top. While the server drains there is no deadline (zero time), because the players
// are being disconnected.
func (s *State) firstDeadline(now Now, since, clockUp time.Time) time.Time {
	if now.Draining {
		return time.Time{}
	}
	limit := cmp.Or(s.Info.Tournament.FirstTurn, firstTurnLimit(s.Info.Control))
	if !s.restartedAt.IsZero() && since.Equal(s.restartedAt) {
		limit += restartCredit
	}
	if due := since.Add(limit); due.Before(clockUp) {
		return due
	}
	return clockUp
}

// nextCheck returns the next time at which something may be due; the zero time if only another input can
// change anything.
func (s *State) nextCheck(now Now) time.Time {
	if s.frozen || s.IsOver() {
		return time.Time{}
	}
	next, _ := s.deadline(now)
	if !next.IsZero() {
		next = next.Add(now.Presence[s.position.Turn()].Wait)
	}
	if s.IsSuspended() || !next.IsZero() && !next.After(now.Time) {
		next = now.Time.Add(retryInterval)
	}
	for seat := range s.Info.Seats {
		if at := s.nextAbsenceChange(now, seat); !at.IsZero() && (next.IsZero() || at.Before(next)) {
			next = at
		}
	}
	if at := s.nextVacationChange(now); !at.IsZero() && (next.IsZero() || at.Before(next)) {
		next = at
	}
	if next.IsZero() {
		return next
	}
	// The timer only triggers a check, so that a millisecond more cannot be too early.
	return now.Time.Add(max(next.Sub(now.Time), 0) + time.Millisecond)
}

// started returns a clock on which the time of a seat runs from at.
func started(k *clock.Clock, seat int, at time.Time) *clock.Clock {
	k = k.Clone()
	k.Start(seat, at)
	return k
}

// stopped returns a clock that was stopped at a time.
func stopped(k *clock.Clock, at time.Time) *clock.Clock {
	k = k.Clone()
	k.Stop(at)
	return k
}

func later(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}
