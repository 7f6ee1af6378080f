package ayu

import (
	"fmt"
	"strconv"

	"ayumu/engine/ayu"
	"ayumu/tui/game"
	"ayumu/tui/paint"
)

// layout maps points to the canvas. Row labels take the first columns, then comes the left edge of
// column a.
type layout struct {
	n      int // points on a side; 0 before the first Draw
	cw, ch int // columns and rows of a point's cell
	flip   bool
}

const (
	labelColumns = 2 // of the row labels
	edgeColumns  = 1 // left of the first column, for the frames around its stones
)

// cellSizes has the possible columns and rows of a cell, largest first.
var cellSizes = [...][2]int{{6, 3}, {4, 2}, {2, 1}}

func (l layout) size() (w, h int) {
	w = labelColumns + edgeColumns + l.n*l.cw
	if l.ch > 1 {
		w++ // the same edge on the right as on the left
	}
	return w, l.n*l.ch + 1
}

// cell returns the upper left corner of a point's cell.
func (l layout) cell(p ayu.Point) (x, y int) {
	column, row := p.Column(), l.n-1-p.Row()
	if l.flip {
		column, row = l.n-1-column, l.n-1-row
	}
	return labelColumns + edgeColumns + column*l.cw, row * l.ch
}

// at returns the point whose cell contains x, y. The right column of a small cell counts too.
func (l layout) at(x, y int) (ayu.Point, bool) {
	x -= labelColumns + edgeColumns
	if l.n == 0 || x < 0 || y < 0 || x >= l.n*l.cw || y >= l.n*l.ch {
		return 0, false
	}
	column, row := x/l.cw, l.n-1-y/l.ch
	if l.flip {
		column, row = l.n-1-column, l.n-1-row
	}
	return ayu.At(column, row), true
}

// Fit implements game.Board: it returns the largest size that fits.
func (b *Board) Fit(w, h int) (bw, bh int, ok bool) {
	l, ok := b.fit(w, h)
	bw, bh = l.size()
	return bw, bh, ok
}

func (b *Board) fit(w, h int) (layout, bool) {
	var l layout
	for _, c := range cellSizes {
		l = layout{n: b.pos.Board().Size(), cw: c[0], ch: c[1], flip: b.flipped}
		if bw, bh := l.size(); bw <= w && bh <= h {
			return l, true
		}
	}
	return l, false
}

// frameKey identifies the part of a board that is the same for all sessions, as the key of frameCache.
type frameKey struct {
	board         ayu.Board
	last          ayu.Move
	hasLast       bool
	markMovable   bool // stones that cannot move are drawn differently
	showDistances bool
	layout        layout
	style         game.Style
}

var frameCache game.Cache[frameKey, *paint.Frame]

// FramesDrawn returns how many shared boards have been drawn since the start.
func FramesDrawn() int { return frameCache.MadeCount() }

// Draw implements game.Board.
func (b *Board) Draw(c paint.Canvas, look game.Style) {
	l, _ := b.fit(c.Size())
	b.drawnLayout = l
	s := frameKey{
		board: b.pos.Board(), last: b.last, hasLast: b.hasLast, markMovable: b.state.CanAct,
		showDistances: b.showDistances, layout: l, style: look,
	}
	c.Blit(0, 0, frameCache.Get(s, func() *paint.Frame {
		w, h := l.size()
		return paint.Draw(nil, w, h, func(c paint.Canvas) { newRenderer(c, s).draw() })
	}))
	if !b.state.Static {
		b.drawSession(newRenderer(c, s))
	}
}

// renderer draws the parts of one board.
type renderer struct {
	frameKey
	c          paint.Canvas
	stuck      [256]bool       // by point: a stone of the side to move that cannot move
	takenCells map[[2]int]bool // with small cells: positions of brackets and numbers beside stones
}

func newRenderer(c paint.Canvas, s frameKey) *renderer {
	return &renderer{frameKey: s, c: c}
}

func (s *renderer) draw() {
	if s.markMovable {
		movable := s.board.Movable()
		for p := range s.board.Stones(s.board.Turn()).All() {
			s.stuck[p] = !movable.Has(p)
		}
	}
	s.drawGround()
	for row := range s.layout.n {
		for column := range s.layout.n {
			p := ayu.At(column, row)
			s.drawPoint(p)
			s.drawLinks(p)
		}
	}
	if s.hasLast {
		s.drawLastMove()
	}
	if s.showDistances {
		s.drawDistances()
	}
}

func (s *renderer) drawGround() {
	t := &s.style.Theme.Board
	l := s.layout
	w, _ := l.size()
	s.c.Fill(labelColumns, 0, w-labelColumns, l.n*l.ch, paint.Style{BG: t.Point.BG}, ' ')
	for i := range l.n {
		p := ayu.At(i, i)
		x, y := l.cell(p)
		s.c.Text(0, y+(l.ch-1)/2, t.Label, fmt.Sprintf("%2d", i+1))
		s.c.Text(x+(l.cw-1)/2, l.n*l.ch, t.Label, string(rune('a'+i)))
	}
	if l.ch == 1 || t.Shade == paint.Default {
		return
	}
	for i := range l.n * l.n {
		if p := ayu.At(i%l.n, i/l.n); (p.Column()+p.Row())%2 == 1 {
			x, y := l.cell(p)
			s.c.Fill(x, y, l.cw, l.ch, paint.Style{BG: t.Shade}, ' ')
		}
	}
}

// groundOf returns the background of a point: the shade of every second point if the theme has one, else
// bg.
func (s *renderer) groundOf(p ayu.Point, bg paint.Color) paint.Color {
	shade := s.style.Theme.Board.Shade
	if s.layout.ch > 1 && shade != paint.Default && (p.Column()+p.Row())%2 == 1 {
		return shade
	}
	return bg
}

func (s *renderer) colorAt(p ayu.Point) (c ayu.Color, stone bool) {
	switch {
	case s.board.Stones(ayu.Black).Has(p):
		return ayu.Black, true
	case s.board.Stones(ayu.White).Has(p):
		return ayu.White, true
	}
	return 0, false
}

func (s *renderer) stoneStyle(p ayu.Point, c ayu.Color) paint.Style {
	t := &s.style.Theme.Board
	stuck := s.stuck[p]
	switch {
	case c == ayu.Black && stuck:
		return t.StuckBlack
	case c == ayu.Black:
		return t.Black
	case stuck:
		return t.StuckWhite
	}
	return t.White
}

// drawPoint draws a stone or an empty point.
func (s *renderer) drawPoint(p ayu.Point) {
	x, y := s.layout.cell(p)
	c, stone := s.colorAt(p)
	if !stone {
		style := s.style.Theme.Board.Point
		style.BG = s.groundOf(p, style.BG)
		s.drawMark(x, y, style, s.pointMark())
		return
	}
	style := s.stoneStyle(p, c)
	style.BG = s.groundOf(p, style.BG)
	if s.layout.ch == 1 {
		mark := stoneMark(c, s.style)
		if s.style.ASCII && s.stuck[p] {
			mark = string(mark[0] | 0x20)
		}
		s.c.Text(x, y, style, mark)
		return
	}
	s.drawLargeStone(x, y, p, c, style)
}

// pointMark returns the sign of an empty point. Large cells with shades need none.
func (s *renderer) pointMark() string {
	if s.layout.ch > 1 && s.style.Theme.Board.Shade != paint.Default {
		return " "
	}
	return "·"
}

// drawLargeStone draws a stone of several rows. With colours its middle is background, because block
// characters leave seams in some fonts.
func (s *renderer) drawLargeStone(x, y int, p ayu.Point, c ayu.Color, style paint.Style) {
	cw, ch := s.layout.cw, s.layout.ch
	t := &s.style.Theme.Board
	if s.style.ASCII {
		letter := rune("XO"[c])
		if s.stuck[p] {
			letter |= 0x20
		}
		s.c.Fill(x+1, y, cw-2, ch, style, letter)
		return
	}
	for i, row := range largeStones[ch][c] {
		s.c.Text(x, y+i, style, row)
	}
	switch {
	case t.Hollow == paint.Default:
	case c == ayu.Black:
		s.c.Fill(x+1, y, cw-2, ch, paint.Style{BG: style.FG}, ' ')
	default:
		s.c.Restyle(x+1, y, cw-2, ch, func(st paint.Style) paint.Style { st.BG = t.Hollow; return st })
	}
}

// largeStones has the rows of large stones, by the height of the cell and the colour.
var largeStones = [4][2][]string{
	2: {{"▗██▖", "▝██▘"}, {"▗▀▀▖", "▝▄▄▘"}},
	3: {{"▗████▖", "██████", "▝████▘"}, {"▗▀▀▀▀▖", "█    █", "▝▄▄▄▄▘"}},
}

// drawMark draws one character near the middle of a cell.
func (s *renderer) drawMark(x, y int, style paint.Style, mark string) {
	s.c.Text(x+(s.layout.cw-1)/2, y+s.layout.ch/2, style, mark)
}

// drawLinks draws the link between a stone and its right neighbour of the same unit. Only small cells
// need it.
func (s *renderer) drawLinks(p ayu.Point) {
	if s.layout.ch > 1 {
		return // large stones touch
	}
	c, stone := s.colorAt(p)
	right := ayu.At(p.Column()+1, p.Row())
	if !stone || p.Column()+1 >= s.layout.n || !s.board.Stones(c).Has(right) {
		return
	}
	x, y := s.layout.cell(p)
	if s.layout.flip {
		x -= s.layout.cw
	}
	s.c.Text(x+1, y, s.style.Theme.Board.Join, "─")
}

// drawLastMove marks where the last move came from and where it went.
func (s *renderer) drawLastMove() {
	t := &s.style.Theme.Board
	x, y := s.layout.cell(s.last.From)
	from := "×"
	if s.style.ASCII {
		from = "," // a cross would look like a stone
	}
	s.drawMark(x, y, t.From, from)
	for _, p := range []ayu.Point{s.last.From, s.last.To} {
		s.setBackground(p, t.Last)
	}
	x, y = s.layout.cell(s.last.To)
	s.drawFrame(x, y, paint.Style{FG: t.From.FG, BG: t.Last, Attr: t.From.Attr}, lastFrame)
}

// setBackground sets the background of a cell where it is still the board's.
func (s *renderer) setBackground(p ayu.Point, bg paint.Color) {
	if bg == paint.Default {
		return
	}
	x, y := s.layout.cell(p)
	w := s.layout.cw
	if s.layout.ch == 1 {
		w = 1
	}
	s.c.Restyle(x, y, w, s.layout.ch, func(st paint.Style) paint.Style {
		if st.BG == s.groundOf(p, s.style.Theme.Board.Point.BG) {
			st.BG = bg
		}
		return st
	})
}

// frameMarks has the characters that frame a cell: at both sides of a small one, at the corners of a large
// one.
type frameMarks struct {
	small [2]string
	large [4]string
}

var (
	lastFrame     = frameMarks{[2]string{"(", ")"}, [4]string{"╭", "╮", "╰", "╯"}}
	cursorFrame   = frameMarks{[2]string{"[", "]"}, [4]string{"┏", "┓", "┗", "┛"}}
	selectedFrame = frameMarks{[2]string{"<", ">"}, [4]string{"╔", "╗", "╚", "╝"}}
	hintFrame     = frameMarks{[2]string{"{", "}"}, [4]string{"{", "}", "{", "}"}}
)

func (s *renderer) drawFrame(x, y int, style paint.Style, m frameMarks) {
	s.drawFrameSide(x, y, style, m, 0)
	s.drawFrameSide(x, y, style, m, 1)
}

// drawFrameSide draws the left (0) or the right side (1) of a frame.
func (s *renderer) drawFrameSide(x, y int, style paint.Style, m frameMarks, side int) {
	switch {
	case s.layout.ch == 1:
		s.c.Text(x-1+2*side, y, style, m.small[side])
		return
	case side == 1:
		x += s.layout.cw - 1
	}
	if s.style.ASCII { // one sign for all corners
		for i := range s.layout.ch {
			s.c.Text(x, y+i, style, m.small[side])
		}
		return
	}
	s.c.Text(x, y, style, m.large[side])
	s.c.Text(x, y+s.layout.ch-1, style, m.large[2+side])
}

// drawDistances writes beside each unit its distance to the nearest other unit.
func (s *renderer) drawDistances() {
	s.takenCells = make(map[[2]int]bool)
	if s.hasLast {
		x, y := s.layout.cell(s.last.To)
		s.takenCells[[2]int{x - 1, y}], s.takenCells[[2]int{x + 1, y}] = true, true
	}
	for _, c := range []ayu.Color{ayu.Black, ayu.White} {
		for _, u := range s.board.Units(c) {
			s.drawDistance(c, u)
		}
	}
}

// drawDistance writes a unit's distance beside one of its stones, if possible where there is no link and
// no other sign: "-" without a path, "+" above 9.
func (s *renderer) drawDistance(c ayu.Color, u ayu.Unit) {
	text := "-"
	switch {
	case u.Distance > 9:
		text = "+"
	case u.Distance > 0:
		text = strconv.Itoa(u.Distance)
	}
	if s.layout.ch > 1 {
		for p := range u.Stones.All() {
			x, y := s.layout.cell(p)
			st := s.stoneStyle(p, c)
			s.c.Text(x+1, y, paint.Style{FG: st.BG, BG: st.FG, Attr: paint.Bold}, " "+text)
			return
		}
	}
	at := s.besideUnit(u)
	s.takenCells[at] = true
	s.c.Text(at[0], at[1], s.style.Theme.Board.Number, text)
}

// besideUnit returns the position of a unit's number with small cells: right of the first stone that has
// space there, else left of one.
func (s *renderer) besideUnit(u ayu.Unit) (at [2]int) {
	for _, side := range []int{1, -1} {
		step := side
		if s.layout.flip {
			step = -side
		}
		for p := range u.Stones.All() {
			if column := p.Column() + step; column >= 0 && column < s.layout.n && u.Stones.Has(ayu.At(column, p.Row())) {
				continue
			}
			x, y := s.layout.cell(p)
			here := [2]int{x + side, y}
			if !s.takenCells[here] {
				return here
			}
			if at == ([2]int{}) {
				at = here
			}
		}
	}
	return at
}

// drawSession draws the cursor, the selection, its targets and the hint, which only this session shows.
func (b *Board) drawSession(s *renderer) {
	t := &s.style.Theme.Board
	if b.showDistances {
		b.drawPaths(s)
	}
	targets := b.shownTargets()
	for p := range targets.All() {
		x, y := s.layout.cell(p)
		s.drawTarget(x, y)
	}
	if b.hasHint {
		s.drawHint(b.hint)
	}
	frame := func(p ayu.Point, style paint.Style, m frameMarks) {
		x, y := s.layout.cell(p)
		s.drawFrame(x, y, style, m)
		if b.hasHint && p == b.hint.From {
			s.drawFrameSide(x, y, t.Hint, hintFrame, 1) // so that both frames are visible
		}
	}
	if b.hasSelection {
		frame(b.selected, t.Selected, selectedFrame)
	}
	frame(b.cursor, t.Cursor, cursorFrame)
}

// drawHint marks a move that the engine recommends: a frame around its stone, and ! on its target.
func (s *renderer) drawHint(m ayu.Move) {
	t := &s.style.Theme.Board
	x, y := s.layout.cell(m.From)
	s.drawFrame(x, y, t.Hint, hintFrame)
	s.setBackground(m.To, t.Hint.BG)
	x, y = s.layout.cell(m.To)
	if s.layout.ch == 1 {
		s.drawMark(x, y, t.Hint, "!")
		return
	}
	s.c.Fill(x+s.layout.cw/2-1, y+s.layout.ch-2, 2, 4-s.layout.ch, t.Hint, '!') // where targets are
}

func (s *renderer) drawTarget(x, y int) {
	t := s.style.Theme.Board.Target
	if s.layout.ch == 1 || s.style.ASCII {
		s.drawMark(x, y, t, "+")
		return
	}
	x += s.layout.cw/2 - 1
	if s.layout.ch == 3 {
		s.c.Text(x, y+1, t, "▐▌")
		return
	}
	s.c.Text(x, y, t, "▗▖")
	s.c.Text(x, y+1, t, "▝▘")
}

// drawPaths marks the shortest paths from the unit under the cursor and the units that they reach.
func (b *Board) drawPaths(s *renderer) {
	u, ok := b.pos.Board().UnitAt(b.cursor)
	if !ok {
		return
	}
	t := &s.style.Theme.Board
	for p := range u.Paths.All() {
		x, y := s.layout.cell(p)
		s.drawMark(x, y, t.Path, "*")
	}
	for p := range u.Closest.All() {
		s.setBackground(p, t.Near)
	}
}
