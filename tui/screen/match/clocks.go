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
func (f *frameInput) remaining(seat int, now time.Time) (left time.Duration, ok bool) {
	if f.record.isSet {
		return f.record.left[seat], f.record.known
	}
	return f.Snapshot.Remaining(seat, now)
}

// clocksAt returns the clocks and absences at a time.
func (f *frameInput) clocksAt(now time.Time) (all clocks) {
	s := f.Snapshot
	for seat := range s.Info.Seats {
		at := &all.seats[seat]
		if left, ok := f.remaining(seat, now); ok {
			at.left = words.Clock(left)
			at.isLow = left <= op.UrgentClock && !s.IsOver() && f.toMove == seat
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

// drawnFrame is the frame of an input, with its clocks at any time. Sessions may share it; then any goroutine may use it.
// newDrawnFrame is the constructor.
type drawnFrame struct {
	frameInput
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

// newDrawnFrame returns the frame of an input after old, which may be nil. If v is not nil, it is for all sessions of v's
// server.
func newDrawnFrame(f *frameInput, old *drawnFrame, v *view) *drawnFrame {
	s := &drawnFrame{frameInput: *f}
	var base *paint.Frame
	if old != nil {
		base, s.prev = old.base, old.newest.Load().frame
	}
	s.base = paint.Draw(base, s.w, s.height, func(c paint.Canvas) { s.frameInput.draw(c.Sub(0, 0, s.w, s.h)) })
	if v != nil {
		s.frames, s.live = v.frames, v.InLobby
	}
	return s
}

// Bytes returns about how much memory the frame takes.
func (d *drawnFrame) Bytes() int { return d.base.Bytes() }

func (d *drawnFrame) isShared() bool { return d.frames != nil }

// at returns the frame at a time, or a later one that is known already.
func (d *drawnFrame) at(now time.Time) *clockFrame {
	old := d.newest.Load()
	if old != nil && (old.until.IsZero() || now.Before(old.until)) {
		return old
	}
	next := &clockFrame{clocks: d.clocksAt(now), until: nextClockChange(d.Snapshot, now)}
	if old != nil && old.clocks == next.clocks {
		next.frame = old.frame
	} else {
		next.frame = d.drawSeats(old, &next.clocks)
	}
	if !d.newest.CompareAndSwap(old, next) { // another session was faster
		return d.at(now)
	}
	if d.frames != nil && (old == nil || next.frame != old.frame) {
		d.frames.drawn.Add(1)
	}
	return next
}

func (d *drawnFrame) drawSeats(old *clockFrame, now *clocks) *paint.Frame {
	prev := d.prev
	if old != nil {
		prev = old.frame
	}
	return d.base.DrawOver(prev, func(c paint.Canvas) { seatDrawing{&d.frameInput, now}.draw(c.Sub(0, 0, d.w, d.h)) })
}

// At implements screen.TimedFrames. The number of spectators changes without a wake.
func (d *drawnFrame) At(now time.Time) (frame *paint.Frame, until time.Time, ok bool) {
	if d.live != nil && d.live.SpectatorCount() != d.spectators {
		return nil, time.Time{}, false
	}
	f := d.at(now)
	return f.frame, f.until, true
}
