package match

import (
	"sync"
	"time"

	"ayumu/engine"
	"ayumu/engine/search"
	"ayumu/lobby"
	"ayumu/lobby/bots"
	"ayumu/tui/client"
	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/screen"
	"ayumu/tui/words"
)

// content is everything that the frame of a match depends on, without the players' clocks and absences, which change
// with time alone. Sessions with equal contents share the frame, so content is comparable, and the drawing functions
// read nothing else: what the screen is to show in addition becomes a field here.
type content struct {
	Snapshot *lobby.Snapshot
	Game     game.Game
	position engine.Position // that is shown
	Seat     int             // the user's; -1 for none
	Style    game.Style
	builtin  *bots.Bots // whose levels stand beside their names; they never change. nil: none

	w, h   int // of the part of the window
	height int // of the window
	layout layout
	fits   bool         // the board fits
	area   area         // of the board
	board  *paint.Frame // of that area; nil: it does not fit

	panel, statusArea area
	isTitled          bool // the panel has what a header shows otherwise

	goal   string     // of the game; "": not shown
	note   string     // of role.headerNote
	toMove int        // of role.seatToMove
	lines  lineList   // of role.lines
	tips   tips       // of role.tips
	status styledText // of StatusLine
	turns  turnList
	hint   shownHint
	legend shownLegend
	below  below
}

// maxLines is the maximum number of lines that describe the state of a match. Panels have space for fewer.
const maxLines = 16

// lineList is a list of at most maxLines lines.
type lineList struct {
	all [maxLines]styledText
	n   int
}

// listLines returns a list of the first maxLines of all.
func listLines(all []styledText) (l lineList) {
	l.n = copy(l.all[:], all)
	return l
}

// tips is advice for the user, most important first; "" for none.
type tips [2]string

// shownHint is the hint that is shown.
type shownHint struct {
	isShown  bool
	position engine.Position
	advice   *search.Advice // nil: still computing
	marked   int            // index of the turn that is marked on the board; -1: none
	failure  string         // why there is no advice
}

// clocks is what time alone changes on the screen of a match. It is comparable.
type clocks struct{ seats [engine.MaxSeats]seatClock }

// seatClock is a seat's clock and absence as they are shown.
type seatClock struct {
	left    string // "": no clock
	isLow   bool   // the seat is to move and has little time left
	absence string // "": present
}

// contentAt sets c to the content at a time, for a canvas of w columns and h rows.
func (v *view) contentAt(now time.Time, w, h int, c *content) {
	*c = content{
		Snapshot: v.Snapshot, position: v.position(), Game: v.Game, Seat: v.Seat, Style: v.Shell.Style,
		builtin: v.Shell.Config.Bots, w: w, h: h,
		note: v.role.headerNote(), toMove: v.role.seatToMove(), lines: listLines(v.role.lines(now)), tips: v.role.tips(),
		turns: v.listedTurns(), hint: v.hints.shown(), below: v.role.below(),
	}
	if needsGoal(v) {
		c.goal = v.Game.Goal()
	}
	c.status.text, c.status.style = v.StatusLine()
	if c.layout, c.area.w, c.area.h, c.fits = layoutFor(v.board, w, h); c.fits {
		c.board = v.lastBoard.draw(v.board, c.area.w, c.area.h, v.Shell.Style)
	}
	c.arrange()
	if c.fits {
		c.legend = v.legend.shown() // after the board was drawn
	}
}

// read sets c to the clocks and absences of v at a time.
func (c *clocks) read(v *view, now time.Time) {
	s := v.Snapshot
	*c = clocks{}
	for seat := range s.Info.Seats {
		at := &c.seats[seat]
		if left, ok := v.role.remaining(seat, now); ok {
			at.left = words.Clock(left)
			at.isLow = left <= client.UrgentClock && !s.IsOver() && v.role.seatToMove() == seat
		}
		if s.IsOver() {
			continue
		}
		switch a := s.Away[seat]; {
		case a.Since.IsZero():
		case a.Dropped:
			at.absence = "dropped " + words.Seconds(now.Sub(a.Since))
		default:
			at.absence = "away " + words.Seconds(now.Sub(a.Since))
		}
	}
}

// drawnBoard is the board as it was drawn last.
type drawnBoard struct {
	frame    *paint.Frame
	isShared bool // other sessions have the same frame
	style    game.Style
	isStale  bool // the board may have changed since
}

// draw returns the board b in w columns and h rows. It is drawn only if it may have changed.
func (d *drawnBoard) draw(b game.Board, w, h int, style game.Style) *paint.Frame {
	if d.frame != nil && !d.isStale && d.style == style {
		if dw, dh := d.frame.Size(); dw == w && dh == h {
			return d.frame
		}
	}
	d.style, d.isStale, d.isShared = style, false, false
	if f, ok := b.(game.Framer); ok {
		if shared := f.Frame(w, h, style); shared != nil {
			d.frame, d.isShared = shared, true
			return shared
		}
	}
	d.frame = paint.Draw(d.frame, w, h, func(c paint.Canvas) { b.Draw(c, style) })
	return d.frame
}

// shown is what the screen shows, with its frame. It is immutable, and sessions share it.
type shown struct {
	content
	clockKey
	frame *paint.Frame
}

// clockKey identifies a shared frame by its frame without clocks, which only one content has, and its clocks.
type clockKey struct {
	base *paint.Frame
	clocks
}

// sharedFrames has the frames of all spectators of a server.
type sharedFrames struct {
	contents game.Cache[content, *paint.Frame] // without clocks
	screens  game.Cache[clockKey, *shown]
	buffers  sync.Pool // of *shown
}

// Layers implements screen.Framer. Spectators share their frames, except those of hints, legends and variations, which
// few of them see.
func (v *view) Layers(width, height, rows int) screen.Layers {
	buffers := &v.frames.buffers
	next, ok := buffers.Get().(*shown)
	if !ok {
		next = new(shown)
	}
	now := time.Now()
	v.contentAt(now, width, rows, &next.content)
	next.height = height
	next.clocks.read(v, now)
	v.area = next.area
	isShared := !next.fits || v.lastBoard.isShared
	isShared = isShared && v.Player == nil && v.variation == nil && !next.hint.isShown && !next.legend.isShown
	old := v.last
	isSame := old != nil && old.content == next.content
	if isSame && old.clocks == next.clocks {
		buffers.Put(next)
		return screen.Layers{Frame: old.frame, IsShared: isShared}
	}
	if next.base, next.frame = nil, nil; isSame {
		next.base = old.base
	}
	if isShared {
		v.last = v.frames.get(next)
		buffers.Put(next)
	} else {
		next.draw(old)
		v.last = next
	}
	return screen.Layers{Frame: v.last.frame, IsShared: isShared}
}

// get returns what other sessions have shown with the content and the clocks of next, or draws it. next keeps its own
// frames.
func (f *sharedFrames) get(next *shown) *shown {
	if next.base == nil {
		next.base = f.contents.Lookup(&next.content, func() *paint.Frame { return next.drawBase(nil) })
	}
	return f.screens.Lookup(&next.clockKey, func() *shown {
		made := *next
		made.frame = made.drawSeats(nil)
		return &made
	})
}

// draw draws the frames, after those of old, which may be nil.
func (s *shown) draw(old *shown) {
	var base, frame *paint.Frame
	if old != nil {
		base, frame = old.base, old.frame
	}
	if s.base == nil {
		s.base = s.drawBase(base)
	}
	s.frame = s.drawSeats(frame)
}

func (s *shown) drawBase(prev *paint.Frame) *paint.Frame {
	return paint.Draw(prev, s.w, s.height, func(c paint.Canvas) { drawing{&s.content}.draw(c.Sub(0, 0, s.w, s.h)) })
}

func (s *shown) drawSeats(prev *paint.Frame) *paint.Frame {
	return s.base.DrawOver(prev, func(c paint.Canvas) { seatDrawing{drawing{&s.content}, &s.clocks}.draw(c.Sub(0, 0, s.w, s.h)) })
}

// Draw implements screen.Screen. It draws what Layers returns, without anything that was drawn before.
func (v *view) Draw(c paint.Canvas) {
	w, h := c.Size()
	now := time.Now()
	v.lastBoard.isStale = true
	s := new(shown)
	v.contentAt(now, w, h, &s.content)
	s.clocks.read(v, now)
	v.area = s.area
	drawing{&s.content}.draw(c)
	seatDrawing{drawing{&s.content}, &s.clocks}.draw(c)
}
