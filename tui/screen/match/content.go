package match

import (
	"sync"
	"sync/atomic"
	"time"

	"ayumu/engine"
	"ayumu/engine/search"
	"ayumu/lobby/bots"
	"ayumu/lobby/match"
	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/screen"
)

// frameInput is everything that the frame of a match depends on, without the players' clocks and absences, which change
// with time alone. Sessions with equal inputs share the frame, so frameInput is comparable, and its methods that draw
// read nothing else: what the screen is to show in addition becomes a field here.
type frameInput struct {
	Snapshot *match.Snapshot
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

	goal       string // of the game; "": not shown
	note       string // of viewer.headerNote
	spectators int    // spectators, of whom note tells
	toMove     int    // of viewer.seatToMove
	record     recordedClocks
	lines      lineList   // of viewer.lines
	tips       tips       // of viewer.tips
	status     styledText // of StatusLine
	turns      turnList
	hint       shownHint
	legend     shownLegend
	footer     panelFooter
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

// inputAt sets f to the input of the frame at a time, for a canvas of w columns and h rows.
func (v *view) inputAt(now time.Time, w, h int, f *frameInput) {
	*f = frameInput{
		Snapshot: v.Snapshot, position: v.position(), Game: v.Game, Seat: v.Seat, Style: v.Shell.Style,
		builtin: v.Shell.Config.Bots, w: w, h: h,
		toMove: v.viewer.seatToMove(), record: v.viewer.recordedClocks(), lines: listLines(v.viewer.lines(now)), tips: v.viewer.tips(),
		turns: v.listedTurns(), hint: v.hints.shown(), footer: v.viewer.footer(),
	}
	if v.InLobby != nil {
		f.spectators = v.InLobby.SpectatorCount()
	}
	f.note = v.viewer.headerNote(f.spectators)
	if v.needsGoal() {
		f.goal = v.Game.Goal()
	}
	f.status.text, f.status.style = v.StatusLine()
	if f.layout, f.area.w, f.area.h, f.fits = layoutFor(v.board, w, h); f.fits {
		f.board = v.lastBoard.draw(v.board, f.area.w, f.area.h, v.Shell.Style)
	}
	f.arrange()
	if f.fits {
		f.legend = v.legend.shown() // after the board was drawn
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

// sharedFrames has the frames of all spectators of a server.
type sharedFrames struct {
	byInput game.Cache[frameInput, *drawnFrame]
	buffers sync.Pool    // of *frameInput
	drawn   atomic.Int64 // number of frames with clocks that have been drawn
}

// Layers implements screen.Framer. Spectators share their frames, except those of hints, legends and variations, which
// few of them see.
func (v *view) Layers(width, height, rows int) screen.Layers {
	buffers := &v.frames.buffers
	next, ok := buffers.Get().(*frameInput)
	if !ok {
		next = new(frameInput)
	}
	defer buffers.Put(next)
	now := time.Now()
	v.inputAt(now, width, rows, next)
	next.height = height
	v.area, v.status = next.area, next.statusBeside()
	isShared := !next.fits || v.lastBoard.isShared
	isShared = isShared && v.Player == nil && v.variation == nil && !next.hint.isShown && !next.legend.isShown
	old := v.last
	if old == nil || old.frameInput != *next || old.isShared() != isShared {
		if isShared {
			v.last = v.frames.byInput.Lookup(next, func() *drawnFrame { return newDrawnFrame(next, nil, v) })
		} else {
			v.last = newDrawnFrame(next, old, nil)
		}
	}
	layers := screen.Layers{Frame: v.last.at(now).frame, IsShared: isShared}
	if v.InLobby != nil && isShared {
		layers.Timed = v.last
	}
	return layers
}

// Draw implements screen.Screen. It draws what Layers returns, without anything that was drawn before.
func (v *view) Draw(c paint.Canvas) {
	w, h := c.Size()
	now := time.Now()
	v.lastBoard.isStale = true
	input := new(frameInput)
	v.inputAt(now, w, h, input)
	v.area, v.status = input.area, input.statusBeside()
	input.draw(c)
	clocks := input.clocksAt(now)
	seatDrawing{input, &clocks}.draw(c)
}
