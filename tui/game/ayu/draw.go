package ayu

import (
	"fmt"
	"strconv"
	"strings"

	"ayumu/engine/ayu"
	"ayumu/tui/game"
	"ayumu/tui/paint"
)

// frameKey identifies the part of a board that is the same for all sessions, as the key of Game.frames.
type frameKey struct {
	board         ayu.Board
	last          ayu.Move
	hasLast       bool
	markMovable   bool // stones that cannot move are drawn differently
	showDistances bool
	layout        layout
	style         game.Style
}

// renderer draws the parts of one board.
type renderer struct {
	frameKey
	c          paint.Canvas
	stuck      [256]bool       // by point: a stone of the side to move that cannot move
	takenCells map[[2]int]bool // with small cells: positions of brackets and numbers beside stones
}

func newRenderer(c paint.Canvas, k frameKey) *renderer {
	return &renderer{frameKey: k, c: c}
}

func (r *renderer) draw() {
	if r.markMovable {
		movable := r.board.Movable()
		for p := range r.board.Stones(r.board.Turn()).All() {
			r.stuck[p] = !movable.Has(p)
		}
	}
	r.drawGround()
	for row := range r.layout.n {
		for column := range r.layout.n {
			p := ayu.At(column, row)
			r.drawPoint(p)
			r.drawLinks(p)
		}
	}
	if r.hasLast {
		r.drawLastMove()
	}
	if r.showDistances {
		r.drawDistances()
	}
}

func (r *renderer) drawGround() {
	t := &r.style.Theme.Board
	l := r.layout
	w, _ := l.size()
	r.c.Fill(labelColumns, 0, w-labelColumns, l.n*l.ch, paint.Style{BG: t.Point.BG}, ' ')
	for i := range l.n {
		p := ayu.At(i, i)
		x, y := l.cell(p)
		r.c.Text(0, y+(l.ch-1)/2, t.Label, fmt.Sprintf("%2d", i+1))
		r.c.Text(x+(l.cw-1)/2, l.n*l.ch, t.Label, string(rune('a'+i)))
	}
	if l.ch < minShadedRows || t.Shade == paint.Default {
		return
	}
	for i := range l.n * l.n {
		if p := ayu.At(i%l.n, i/l.n); (p.Column()+p.Row())%2 == 1 {
			x, y := l.cell(p)
			r.c.Fill(x, y, l.cw, l.ch, paint.Style{BG: t.Shade}, ' ')
		}
	}
}

// minShadedRows is the number of rows of a cell from which on every second point has a shade. In smaller cells the dots
// are close enough to count on, and each change of the background would be sent.
const minShadedRows = 3

// ground returns the background of a point: the shade of every second point if the theme has one, else
// bg.
func (r *renderer) ground(p ayu.Point, bg paint.Color) paint.Color {
	shade := r.style.Theme.Board.Shade
	if r.layout.ch >= minShadedRows && shade != paint.Default && (p.Column()+p.Row())%2 == 1 {
		return shade
	}
	return bg
}

func (r *renderer) colorAt(p ayu.Point) (c ayu.Color, stone bool) {
	switch {
	case r.board.Stones(ayu.Black).Has(p):
		return ayu.Black, true
	case r.board.Stones(ayu.White).Has(p):
		return ayu.White, true
	}
	return 0, false
}

func (r *renderer) stoneStyle(p ayu.Point, c ayu.Color) paint.Style {
	style := r.style.Theme.Board.Stone(c == ayu.White)
	if r.layout.ch == 1 && r.stuck[p] && r.style.HasSymbols() {
		style.Attr |= paint.Underline
	}
	return style
}

// drawPoint draws a stone or an empty point.
func (r *renderer) drawPoint(p ayu.Point) {
	x, y := r.layout.cell(p)
	c, stone := r.colorAt(p)
	if !stone {
		style := r.style.Theme.Board.Point
		if r.layout.ch == 2 && r.style.Theme.Board.Shade != paint.Default {
			style = r.style.Theme.Board.Black // as the cross and the black stones, because each colour would be sent
		}
		style.BG = r.ground(p, style.BG)
		r.drawMark(x, y, style, "·")
		return
	}
	style := r.stoneStyle(p, c)
	style.BG = r.ground(p, style.BG)
	r.drawStone(x, y, p, c, style)
}

// drawStone draws the stone of a point with its upper left corner at x, y.
func (r *renderer) drawStone(x, y int, p ayu.Point, c ayu.Color, style paint.Style) {
	if r.layout.ch == 1 {
		mark := stoneMark(c, r.style)
		switch {
		case !r.stuck[p]:
		case r.style.ASCII:
			mark = string(mark[0] | 0x20)
		case r.style.Console:
			mark = consoleStuckMarks[c]
		}
		r.c.Text(x, y, style, mark)
		return
	}
	r.drawLargeStone(x, y, p, c, style)
}

// consoleStuckMarks has the signs of small stones that cannot move, by colour, for the Linux console, which has no
// underlines.
var consoleStuckMarks = [2]string{"◘", "o"}

// drawLargeStone draws a stone of several rows: a ring in the colour of the stone around an inside of another tone,
// so that joined stones can be counted. A stone that cannot move has a mark in its middle.
func (r *renderer) drawLargeStone(x, y int, p ayu.Point, c ayu.Color, style paint.Style) {
	cw, ch := r.layout.cw, r.layout.ch
	if r.style.ASCII {
		letter := rune("XO"[c])
		if r.stuck[p] {
			letter |= 0x20
		}
		r.c.Fill(x+1, y, cw-2, ch, style, letter)
		for i, dx := range [2]int{-1, 1} {
			if r.isJoined(p, c, dx, 0) {
				r.c.Text(x+i*(cw-1), y+ch/2, style, "-")
			}
		}
		return
	}
	inside, mark := r.insideOf(c)
	isPlain := inside == paint.Default
	if ch >= minRoundRows && r.style.HasSymbols() {
		r.drawRoundStone(x, y, p, c, style)
		return
	}
	shape := largeStones[c]
	switch {
	case !isPlain && !r.style.Console:
	case r.stuck[p]:
		shape = stuckStones[c]
	case r.style.Console:
		shape = consoleStones[c]
	default:
		shape = plainStones[c]
	}
	for i := range ch {
		r.c.Text(x, y+i, style, shape.row(i, ch))
	}
	switch {
	case shape[0][0] == thinRing[0][0]:
		r.drawThinCorners(x, y, p, c, style)
	case ch == 2 && !r.style.Console: // stones of more rows touch in their middle
		r.drawJoins(x, y, p, c, style)
	}
	if isPlain {
		return
	}
	r.c.Restyle(x+1, y, cw-2, ch, func(st paint.Style) paint.Style { st.BG = inside; return st })
	if r.stuck[p] && !r.style.Console {
		r.drawStuckMark(x, y, paint.Style{FG: mark, BG: inside})
	}
}

// insideOf returns the colour of the inside of a large stone and that of the mark in it; Default if it is drawn without
// colours.
func (r *renderer) insideOf(c ayu.Color) (inside, mark paint.Color) {
	t := &r.style.Theme.Board
	switch {
	case c == ayu.White:
		return t.Hollow, t.StuckWhite.FG
	case r.style.Console: // it has no dark grey background
		return paint.Default, paint.Default
	}
	return t.BlackInside, t.StuckBlack.FG
}

// drawJoins joins a stone of two rows to its neighbours to the left and right.
func (r *renderer) drawJoins(x, y int, p ayu.Point, c ayu.Color, style paint.Style) {
	for i, dx := range [2]int{-1, 1} {
		if r.isJoined(p, c, dx, 0) {
			r.c.Text(x+i*(r.layout.cw-1), y, style, "▄")
			r.c.Text(x+i*(r.layout.cw-1), y+1, style, "▀")
		}
	}
}

// thinCorners has the corners of a stone of thin lines, top left, top right, bottom left and bottom right: each without
// a neighbour of its unit, with one beside it, with one above or below it, and with both. The stones of a unit join, and
// can be counted.
var thinCorners = [4][4]string{{"┌", "┬", "├", "┼"}, {"┐", "┬", "┤", "┼"}, {"└", "┴", "├", "┼"}, {"┘", "┴", "┤", "┼"}}

// drawThinCorners joins a stone of thin lines to its neighbours.
func (r *renderer) drawThinCorners(x, y int, p ayu.Point, c ayu.Color, style paint.Style) {
	for i, corners := range thinCorners {
		right, below := i%2, i/2
		joined := 0
		if r.isJoined(p, c, 2*right-1, 0) {
			joined |= 1
		}
		if r.isJoined(p, c, 0, 2*below-1) {
			joined |= 2
		}
		r.c.Text(x+right*(r.layout.cw-1), y+below*(r.layout.ch-1), style, corners[joined])
	}
}

// isJoined reports whether there is a stone of c dx points to the right of p and dy points below it on the screen.
func (r *renderer) isJoined(p ayu.Point, c ayu.Color, dx, dy int) bool {
	if r.layout.flip {
		dx, dy = -dx, -dy
	}
	column, row := p.Column()+dx, p.Row()-dy
	inside := column >= 0 && column < r.layout.n && row >= 0 && row < r.layout.n
	return inside && r.board.Stones(c).Has(ayu.At(column, row))
}

// drawStuckMark draws the mark of a large stone that cannot move: a dot in its middle. In a stone of two rows it is a
// bar in the lower half of the inside, so that the ring stays.
func (r *renderer) drawStuckMark(x, y int, style paint.Style) {
	if r.layout.ch == 2 {
		r.c.Restyle(x+1, y+1, 2, 1, func(st paint.Style) paint.Style { st.BG = style.FG; return st })
		return
	}
	x, y = x+r.layout.cw/2-1, y+r.layout.ch/2
	if r.layout.ch%2 == 1 {
		r.c.Text(x, y, style, "▐▌")
		return
	}
	r.c.Text(x, y-1, style, "▗▖")
	r.c.Text(x, y, style, "▝▘")
}

// stoneShape has the first, the middle and the last row of a large stone, each as its left end, its middle and its
// right end. A stone of two rows has no middle.
type stoneShape [3][3]string

// row returns row i of a stone of ch rows and twice as many columns.
func (s *stoneShape) row(i, ch int) string {
	row := s[1]
	switch i {
	case 0:
		row = s[0]
	case ch - 1:
		row = s[2]
	}
	return row[0] + strings.Repeat(row[1], 2*ch-2) + row[2]
}

var (
	ring     = stoneShape{{"▗", "▀", "▖"}, {"█", " ", "█"}, {"▝", "▄", "▘"}}
	thinRing = stoneShape{{"┌", "─", "┐"}, {"│", " ", "│"}, {"└", "─", "┘"}}

	// largeStones has the shapes of stones with an inside of another tone, by colour, plainStones of stones
	// without one.
	largeStones = [2]stoneShape{ring, ring}
	plainStones = [2]stoneShape{{{"▗", "█", "▖"}, {"█", "█", "█"}, {"▝", "█", "▘"}}, ring}
	// consoleStones are plainStones without quarters of blocks. Rings of half blocks would touch the stones
	// beside them, so White has thin lines.
	consoleStones = [2]stoneShape{{{"▄", "█", "▄"}, {"█", "█", "█"}, {"▀", "█", "▀"}}, thinRing}
	// stuckStones has the shapes of stones that cannot move, where there is no colour for a mark.
	stuckStones = [2]stoneShape{
		{{"▗", "▓", "▖"}, {"█", "▓", "█"}, {"▝", "▓", "▘"}},
		{{"┌", "░", "┐"}, {"│", "░", "│"}, {"└", "░", "┘"}},
	}
)

// drawMark draws one character near the middle of a cell.
func (r *renderer) drawMark(x, y int, style paint.Style, mark string) {
	r.c.Text(x+(r.layout.cw-1)/2, y+r.layout.ch/2, style, mark)
}

// drawLinks draws the link between a stone and its right neighbour of the same unit. Only small cells
// need it.
func (r *renderer) drawLinks(p ayu.Point) {
	if r.layout.ch > 1 {
		return // large stones touch
	}
	c, stone := r.colorAt(p)
	right := ayu.At(p.Column()+1, p.Row())
	if !stone || p.Column()+1 >= r.layout.n || !r.board.Stones(c).Has(right) {
		return
	}
	x, y := r.layout.cell(p)
	if r.layout.flip {
		x -= r.layout.cw
	}
	r.c.Text(x+1, y, r.style.Theme.Board.Join, "─")
}

// drawLastMove marks where the last move came from and where it went.
func (r *renderer) drawLastMove() {
	t := &r.style.Theme.Board
	r.drawFrom(r.last.From)
	if r.layout.ch != 2 {
		r.setBackground(r.last.To, t.Last)
	}
	if r.layout.ch == 1 { // in a large cell the mark is visible without it, and each row would be sent
		r.setBackground(r.last.From, t.Last)
	}
	x, y := r.layout.cell(r.last.To)
	r.drawFrame(x, y, paint.Style{FG: t.From.FG, BG: t.Last, Attr: t.From.Attr}, lastFrame)
}

// drawFrom marks the point that the stone of the last move has left.
func (r *renderer) drawFrom(p ayu.Point) {
	t := &r.style.Theme.Board
	x, y := r.layout.cell(p)
	from := "×"
	if r.style.ASCII {
		from = "," // a cross would look like a stone
	}
	style := t.From
	if r.layout.ch > 1 && t.Shade != paint.Default {
		style.BG = r.ground(p, t.Point.BG) // the cross is visible, and each background would be sent
	}
	r.drawMark(x, y, style, from)
}

// setBackground sets the background of a cell where it is still the board's.
func (r *renderer) setBackground(p ayu.Point, bg paint.Color) {
	if bg == paint.Default {
		return
	}
	x, y := r.layout.cell(p)
	w := r.layout.cw
	if r.layout.ch == 1 {
		w = 1
	}
	r.c.Restyle(x, y, w, r.layout.ch, func(st paint.Style) paint.Style {
		if st.BG == r.ground(p, r.style.Theme.Board.Point.BG) {
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

func (r *renderer) drawFrame(x, y int, style paint.Style, m frameMarks) {
	r.drawFrameSide(x, y, style, m, 0)
	r.drawFrameSide(x, y, style, m, 1)
}

// drawFrameSide draws the left (0) or the right side (1) of a frame.
func (r *renderer) drawFrameSide(x, y int, style paint.Style, m frameMarks, side int) {
	switch {
	case r.layout.ch == 1:
		r.c.Text(x-1+2*side, y, style, m.small[side])
		return
	case side == 1:
		x += r.layout.cw - 1
	}
	if r.style.ASCII { // one sign for all corners
		for i := range r.layout.ch {
			r.c.Text(x, y+i, style, m.small[side])
		}
		return
	}
	isShort := m == lastFrame && r.layout.ch == 2 // two corners, because each one would be sent
	if !isShort || side == 0 {
		r.c.Text(x, y, style, m.large[side])
	}
	if !isShort || side == 1 {
		r.c.Text(x, y+r.layout.ch-1, style, m.large[2+side])
	}
}

// drawDistances writes beside each unit its distance to the nearest other unit.
func (r *renderer) drawDistances() {
	r.takenCells = make(map[[2]int]bool)
	if r.hasLast {
		x, y := r.layout.cell(r.last.To)
		r.takenCells[[2]int{x - 1, y}], r.takenCells[[2]int{x + 1, y}] = true, true
	}
	for _, c := range []ayu.Color{ayu.Black, ayu.White} {
		for _, u := range r.board.Units(c) {
			r.drawDistance(c, u)
		}
	}
}

// drawDistance writes a unit's distance beside one of its stones, if possible where there is no link and
// no other sign: "-" without a path, "+" above 9.
func (r *renderer) drawDistance(c ayu.Color, u ayu.Unit) {
	text := "-"
	switch {
	case u.Distance > 9:
		text = "+"
	case u.Distance > 0:
		text = strconv.Itoa(u.Distance)
	}
	if r.layout.ch > 1 {
		r.drawNumber(c, r.numbered(u), text)
		return
	}
	at := r.besideUnit(u)
	r.takenCells[at] = true
	r.c.Text(at[0], at[1], r.style.Theme.Board.Number, text)
}

// numbered returns the stone of a unit that has its number: the first one that has no mark of its own in the middle, or
// else the first one.
func (r *renderer) numbered(u ayu.Unit) (first ayu.Point) {
	isFirst := true
	for p := range u.Stones.All() {
		if !r.stuck[p] {
			return p
		}
		if isFirst {
			first, isFirst = p, false
		}
	}
	return first
}

// drawNumber writes a number into the middle of a large stone.
func (r *renderer) drawNumber(c ayu.Color, p ayu.Point, text string) {
	x, y := r.layout.cell(p)
	x, y = x+r.layout.cw/2-1, y+(r.layout.ch-1)/2
	t := &r.style.Theme.Board
	stone, number := t.Stone(c == ayu.White), t.Stone(c != ayu.White).FG
	if number == stone.FG { // both sides are drawn with the same ink
		number = stone.BG
	}
	style := paint.Style{FG: number, BG: stone.FG, Attr: paint.Bold}
	switch inside, _ := r.insideOf(c); {
	case inside == paint.Default && c == ayu.Black && stone.FG == paint.Default:
		style.Attr |= paint.Reverse // in the ink of the stone
	case inside != paint.Default && r.layout.ch > 2:
		style.BG = inside
		if c == ayu.White {
			style.FG = stone.BG
			if r.style.Theme.Board.Black.FG != paint.Default {
				style.FG = r.style.Theme.Board.Black.FG
			}
		}
	}
	r.c.Text(x, y, style, text+" ")
}

// besideUnit returns the position of a unit's number with small cells: right of the first stone that has
// space there, else left of one.
func (r *renderer) besideUnit(u ayu.Unit) (at [2]int) {
	for _, side := range []int{1, -1} {
		step := side
		if r.layout.flip {
			step = -side
		}
		for p := range u.Stones.All() {
			if column := p.Column() + step; column >= 0 && column < r.layout.n && u.Stones.Has(ayu.At(column, p.Row())) {
				continue
			}
			x, y := r.layout.cell(p)
			here := [2]int{x + side, y}
			if !r.takenCells[here] {
				return here
			}
			if at == ([2]int{}) {
				at = here
			}
		}
	}
	return at
}
