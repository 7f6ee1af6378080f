package match

import (
	"time"

	"ayumu/engine"
	"ayumu/engine/search"
	"ayumu/lobby"
	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/words"
)

// content is everything that the frame of a match depends on, without the players' clocks and absences, which change
// with time alone. Sessions with equal contents share the frame, so content is comparable, and the drawing functions
// read nothing else: what the screen is to show in addition becomes a field here.
type content struct {
	Snapshot *lobby.Snapshot
	Game     game.Game
	Seat     int // the user's; -1 for none
	Style    game.Style

	w, h   int
	layout layout
	fits   bool         // the board fits
	area   area         // of the board
	board  *paint.Frame // of that area; nil: it does not fit

	panel, statusArea area
	isTitled          bool // the panel has what a header shows otherwise

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
type tips [3]string

// shownHint is the hint that is shown.
type shownHint struct {
	isShown  bool
	position engine.Position
	advice   *search.Advice // nil: still computing
	marked   int            // index of the turn that is marked on the board; -1: none
	failure  string         // why there is no advice
}

// below is what the panel shows below the turns: chat, or a text.
type below struct {
	title   string
	chat    *[]lobby.ChatLine // nil: none
	text    string            // paragraphs, shown without chat
	minRows int               // of the canvas; with fewer nothing is shown
}

// clocks is what time alone changes on the screen of a match. It is comparable.
type clocks struct{ seats [engine.MaxSeats]seatClock }

// seatClock is a seat's clock and absence as they are shown.
type seatClock struct {
	left    string // "": no clock
	isLow   bool   // the seat is to move and has little time left
	absence string // "": present
}

// lowTime is the time left from which on the clock of the seat to move is drawn as a warning.
const lowTime = 20 * time.Second

// contentAt returns the content at a time, for a canvas of w columns and h rows.
func (v *view) contentAt(now time.Time, w, h int) (c content) {
	c = content{
		Snapshot: v.Snapshot, Game: v.Game, Seat: v.Seat, Style: v.Shell.Style, w: w, h: h,
		note: v.role.headerNote(), toMove: v.role.seatToMove(), lines: listLines(v.role.lines(now)), tips: v.role.tips(),
		turns: v.listedTurns(), hint: v.hints.shown(), below: v.role.below(),
	}
	c.status.text, c.status.style = v.StatusLine()
	if c.layout, c.area.w, c.area.h, c.fits = layoutFor(v.board, w, h); c.fits {
		c.board = v.lastBoard.draw(v.board, c.area.w, c.area.h, v.Shell.Style)
	}
	c.arrange()
	c.legend = v.legend.shown() // after the board was drawn
	return c
}

// clocksAt returns the clocks and absences at a time.
func (v *view) clocksAt(now time.Time) (c clocks) {
	s := v.Snapshot
	for seat := range s.Info.Seats {
		at := &c.seats[seat]
		if left, ok := v.role.remaining(seat, now); ok {
			at.left = words.Clock(left)
			at.isLow = left < lowTime && !s.IsOver() && v.role.seatToMove() == seat
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
	return c
}

// drawnBoard is the board as it was drawn last.
type drawnBoard struct {
	frame   *paint.Frame
	style   game.Style
	isStale bool // the board may have changed since
}

// draw returns the board b in w columns and h rows. It is drawn only if it may have changed.
func (d *drawnBoard) draw(b game.Board, w, h int, style game.Style) *paint.Frame {
	if d.frame != nil && !d.isStale && d.style == style {
		if dw, dh := d.frame.Size(); dw == w && dh == h {
			return d.frame
		}
	}
	d.style, d.isStale = style, false
	if f, ok := b.(game.Framer); ok {
		d.frame = f.Frame(w, h, style)
	} else {
		d.frame = paint.Draw(d.frame, w, h, func(c paint.Canvas) { b.Draw(c, style) })
	}
	return d.frame
}

// shown is the screen as it was drawn last.
type shown struct {
	content
	clocks
	base, frame *paint.Frame // without and with the clocks
}

// contentKey identifies a shared frame without clocks by its content and its height.
type contentKey struct {
	content
	height int
}

// clockKey identifies a shared frame by its frame without clocks, which only one content has, and its clocks.
type clockKey struct {
	base *paint.Frame
	clocks
}

// Frame implements screen.Framer. Spectators share their frames, except those of hints and variations, which only one
// of them sees.
func (v *view) Frame(width, height, rows int) (f *paint.Frame, isShared bool) {
	now := time.Now()
	next := &shown{content: v.contentAt(now, width, rows), clocks: v.clocksAt(now)}
	v.area = next.area
	_, isShared = v.board.(game.Framer)
	isShared = isShared && v.Player == nil && v.variation == nil && !next.hint.isShown
	part := func(draw func(paint.Canvas)) func(paint.Canvas) {
		return func(c paint.Canvas) { draw(c.Sub(0, 0, width, rows)) }
	}
	old := &v.last
	if sameContent := old.isOf(height) && old.content == next.content; !sameContent {
		draw := part(drawing{&next.content}.draw)
		if isShared {
			next.base = v.Shell.Shared.Contents.Get(contentKey{next.content, height}, func() *paint.Frame { return paint.Draw(nil, width, height, draw) })
		} else {
			next.base = paint.Draw(old.base, width, height, draw)
		}
	} else if old.clocks == next.clocks {
		return old.frame, isShared
	} else {
		next.base = old.base
	}
	draw := part(seatDrawing{drawing{&next.content}, &next.clocks}.draw)
	if isShared {
		next.frame = v.Shell.Shared.Screens.Get(clockKey{next.base, next.clocks}, func() *paint.Frame { return next.base.DrawOver(nil, draw) })
	} else {
		next.frame = next.base.DrawOver(old.frame, draw)
	}
	v.last = *next
	return next.frame, isShared
}

// isOf reports whether a frame of that height has been drawn.
func (s *shown) isOf(height int) bool {
	if s.frame == nil {
		return false
	}
	_, h := s.frame.Size()
	return h == height
}

// Draw implements screen.Screen. It draws what Frame returns, without anything that was drawn before.
func (v *view) Draw(c paint.Canvas) {
	w, h := c.Size()
	now := time.Now()
	v.lastBoard.isStale = true
	content, clocks := v.contentAt(now, w, h), v.clocksAt(now)
	v.area = content.area
	drawing{&content}.draw(c)
	seatDrawing{drawing{&content}, &clocks}.draw(c)
}
