package ayu

import (
	"strings"

	"ayumu/engine/ayu"
	"ayumu/tui/game"
	"ayumu/tui/paint"
)

// legendKey identifies a legend, as the key of shared.legends.
type legendKey struct {
	style         game.Style
	cellRows      int // of the samples
	isPlayer      bool
	hidesCursor   bool
	color         ayu.Color // of the stones that move
	hasHint       bool
	isPlanned     bool // the hint is the move that the seat has entered in advance
	showDistances bool
}

// Legend implements game.Board. The entries do not depend on whose turn it is, so that they stay the same from
// turn to turn.
func (b *Board) Legend(style game.Style) []game.LegendEntry {
	k := legendKey{
		style: style, cellRows: min(max(b.drawnLayout.ch, 1), game.MaxSampleRows),
		isPlayer: b.view.state.Seat >= 0, hidesCursor: b.view.hidesCursor(&b.pointer), color: b.view.ownColor(),
		hasHint: b.view.hasHint, isPlanned: b.view.hasHint && b.view.state.IsPlanned, showDistances: b.showDistances,
	}
	return b.shared.legends.Get(k, k.entries)
}

// sample is a sign that a legend explains: a part of a board of three points on a side, from its lower left
// corner.
type sample struct {
	text    string
	rows    string                // of the board; x are the stones of the side to move
	points  int                   // from the corner on; 1 or 2
	key     frameKey              // what the board shows, without its stones, layout and style
	overlay func(sessionRenderer) // draws what only a session shows; nil: nothing
}

// The points of the samples.
var (
	firstPoint  = ayu.At(0, 0)
	secondPoint = ayu.At(1, 0)
)

var (
	unitSample  = sample{text: "one unit", rows: "..x/.../xx.", points: 2}
	stuckSample = sample{text: "cannot move now", rows: ".../.../x.o", points: 1, key: frameKey{markMovable: true}}
	lastSample  = sample{text: "last move", rows: "..x/.../.o.", points: 2,
		key: frameKey{last: ayu.Move{From: firstPoint, To: secondPoint}, hasLast: true}}
	targetSample = sample{text: "can move here", rows: "..x/.../..x", points: 1,
		overlay: func(s sessionRenderer) { s.drawTarget(firstPoint) }}
	selectedSample = sample{text: "selected stone", rows: "..x/.../x..", points: 1,
		overlay: func(s sessionRenderer) { s.drawSelection(firstPoint) }}
	cursorSample = sample{text: "cursor", rows: "..x/.../..x", points: 1,
		overlay: func(s sessionRenderer) { s.drawCursor(firstPoint) }}
	hintSample = sample{text: "hint", rows: "..x/.../x..", points: 2,
		overlay: func(s sessionRenderer) { s.drawHint(ayu.Move{From: firstPoint, To: secondPoint}) }}
	plannedSample = sample{text: "next move", rows: "..x/.../x..", points: 2,
		overlay: func(s sessionRenderer) { s.drawPlanned(ayu.Move{From: firstPoint, To: secondPoint}) }}
	distanceSample = sample{text: "distance; + over 9, - no path", rows: ".../.../x.x", points: 1,
		key: frameKey{showDistances: true}}
	pathSample = sample{text: "shortest path", rows: "..x/.../..x", points: 1,
		overlay: func(s sessionRenderer) { s.drawPath(firstPoint) }}
	nearestSample = sample{text: "nearest unit", rows: "..x/.../x..", points: 1,
		overlay: func(s sessionRenderer) { s.drawNearest(firstPoint) }}
)

// entries draws the legend.
func (k legendKey) entries() []game.LegendEntry {
	var samples []sample
	switch {
	case k.isPlanned:
		samples = append(samples, plannedSample)
	case k.hasHint:
		samples = append(samples, hintSample)
	}
	if k.showDistances {
		samples = append(samples, distanceSample, pathSample)
		if k.style.Theme.Board.Near != paint.Default {
			samples = append(samples, nearestSample)
		}
	}
	samples = append(samples, unitSample)
	if k.isPlayer {
		samples = append(samples, stuckSample, targetSample, selectedSample)
	}
	samples = append(samples, lastSample)
	if !k.hidesCursor {
		samples = append(samples, cursorSample)
	}
	all := make([]game.LegendEntry, len(samples))
	for i, s := range samples {
		all[i] = game.LegendEntry{Sample: s.draw(k), Text: s.text}
	}
	return all
}

// draw draws a small board and returns the part of it that has the sign.
func (s sample) draw(k legendKey) *paint.Frame {
	key := s.key
	key.board = s.board(k.color)
	key.style = k.style
	key.layout = layout{n: key.board.Size(), cw: 2 * k.cellRows, ch: k.cellRows}
	w, h := key.layout.size()
	board := paint.Draw(nil, w, h, func(c paint.Canvas) {
		r := newRenderer(c, key)
		r.draw()
		if s.overlay != nil {
			s.overlay(sessionRenderer{board: r})
		}
	})
	x, y := key.layout.cell(firstPoint)
	w = s.points * key.layout.cw
	if key.layout.ch == 1 { // with the columns on both sides, where brackets are
		x, w = x-1, w+1
	}
	return paint.Draw(nil, w, key.layout.ch, func(c paint.Canvas) { c.Blit(-x, -y, board) })
}

// board returns the board of a sample with c to move.
func (s sample) board(c ayu.Color) ayu.Board {
	rows := s.rows
	if c == ayu.White {
		rows = strings.NewReplacer("x", "o", "o", "x").Replace(rows)
	}
	b, err := ayu.ParseBoard("3 " + c.String() + " " + rows)
	if err != nil {
		panic(err) // the samples are constant
	}
	return b
}
