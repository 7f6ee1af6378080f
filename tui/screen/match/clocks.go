package match

import (
	"sync/atomic"
	"time"

	"ayumu/engine"
	"ayumu/lobby"
	"ayumu/lobby/match"
	"ayumu/tui/op"
	"ayumu/tui/paint"
	"ayumu/tui/words"
)

// clocks is what time alone changes on the screen of a match. It is comparable.
type clocks struct{ seats [engine.MaxSeats]seatClock }

// seatClock is a seat's clock and absence as they are shown.
type seatClock struct {
	left    string // "": no clock
	isLow   bool   // the seat is to move and has little time left
	absence string // "": present
	isAway  bool   // the absence is no vacation
}

// recordedClocks are the times left after an earlier turn, by seat. The zero value is none: the clocks run.
type recordedClocks struct {
	isSet bool
	known bool // the record has them
	left  [engine.MaxSeats]time.Duration
}

// remaining returns the time left on a seat's clock; ok is false if there is none.
func (v *content) remaining(seat int, now time.Time) (left time.Duration, ok bool) {
	if v.record.isSet {
		return v.record.left[seat], v.record.known
	}
	return v.Snapshot.Remaining(seat, now)
}

// clocksAt returns the clocks and absences at a time.
func (v *content) clocksAt(now time.Time) (all clocks) {
	s := v.Snapshot
	for seat := range s.Info.Seats {
		at := &all.seats[seat]
		if left, ok := v.remaining(seat, now); ok {
			at.left = words.Clock(left)
			at.isLow = left <= op.UrgentClock && !s.IsOver() && v.toMove == seat
		}
		if s.IsOver() {
			continue
		}
		until, onVacation := s.OnVacation(seat)
		switch a := s.Away[seat]; {
		case onVacation:
			at.absence = "vacation to " + until.UTC().Format("2 Jan")
		case a.Since.IsZero() && s.IsElsewhere(seat):
			at.absence = "elsewhere"
		case a.Since.IsZero():
		case a.Dropped:
			at.absence, at.isAway = "dropped "+words.Seconds(now.Sub(a.Since)), true
		default:
			at.absence, at.isAway = "away "+words.Seconds(now.Sub(a.Since)), true
		}
	}
	return all
}

// nextClockChange returns when time changes a clock or an absence in a snapshot; zero: never.
func nextClockChange(s *match.Snapshot, now time.Time) time.Time {
	next := soonest{now: now}
	if s.IsOver() {
		return next.at
	}
	if s.RunningSeat >= 0 {
		if left, ok := s.Remaining(s.RunningSeat, now); ok && left > 0 {
			next.add(now.Add(words.NextClockChange(left)))
		}
	}
	for _, a := range s.Away {
		if !a.Since.IsZero() {
			next.add(now.Add(time.Second - now.Sub(a.Since)%time.Second))
		}
	}
	return next.at
}

// shown shows a content, with its clocks at any time. Sessions may share it; then any goroutine may use it. newShown is
// the constructor.
type shown struct {
	content
	base   *paint.Frame // without clocks
	prev   *paint.Frame // an earlier frame, whose cells are shared; may be nil
	newest atomic.Pointer[clockFrame]

	// Of what sessions share.
	frames *sharedFrames // nil: it is one session's
	live   *lobby.Match  // nil in the archive
}

// clockFrame is a frame with clocks. It is immutable.
type clockFrame struct {
	clocks
	frame *paint.Frame
	until time.Time // when time changes it; zero: never
}

// newShown returns what shows a content after old, which may be nil. If v is not nil, it is for all sessions of v's
// server.
func newShown(c *content, old *shown, v *view) *shown {
	s := &shown{content: *c}
	var base *paint.Frame
	if old != nil {
		base, s.prev = old.base, old.newest.Load().frame
	}
	s.base = paint.Draw(base, s.w, s.height, func(c paint.Canvas) { s.content.draw(c.Sub(0, 0, s.w, s.h)) })
	if v != nil {
		s.frames, s.live = v.frames, v.Live
	}
	return s
}

func (s *shown) isShared() bool { return s.frames != nil }

// at returns the frame at a time, or a later one that is known already.
func (s *shown) at(now time.Time) *clockFrame {
	old := s.newest.Load()
	if old != nil && (old.until.IsZero() || now.Before(old.until)) {
		return old
	}
	next := &clockFrame{clocks: s.clocksAt(now), until: nextClockChange(s.Snapshot, now)}
	if old != nil && old.clocks == next.clocks {
		next.frame = old.frame
	} else {
		next.frame = s.drawSeats(old, &next.clocks)
	}
	if !s.newest.CompareAndSwap(old, next) { // another session was faster
		return s.at(now)
	}
	if s.frames != nil && (old == nil || next.frame != old.frame) {
		s.frames.drawn.Add(1)
	}
	return next
}

func (s *shown) drawSeats(old *clockFrame, now *clocks) *paint.Frame {
	prev := s.prev
	if old != nil {
		prev = old.frame
	}
	return s.base.DrawOver(prev, func(c paint.Canvas) { seatDrawing{&s.content, now}.draw(c.Sub(0, 0, s.w, s.h)) })
}

// At implements screen.TimedFrames. The number of spectators changes without a wake.
func (s *shown) At(now time.Time) (frame *paint.Frame, until time.Time, ok bool) {
	if s.live != nil && s.live.SpectatorCount() != s.spectators {
		return nil, time.Time{}, false
	}
	f := s.at(now)
	return f.frame, f.until, true
}
