package match

import (
	"fmt"
	"image"
	"strings"

	"ayumu/engine"
	"ayumu/lobby/match"
	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/widget"
	"ayumu/tui/words"
)

// styledText is a text with its style.
type styledText struct {
	text  string
	style paint.Style
}

// area is a rectangle of the screen.
type area struct{ x, y, w, h int }

// of returns the part of a canvas.
func (a area) of(c paint.Canvas) paint.Canvas { return c.Sub(a.x, a.y, a.w, a.h) }

// rect returns the area as a rectangle.
func (a area) rect() image.Rectangle { return image.Rect(a.x, a.y, a.x+a.w, a.y+a.h) }

// at converts a cell of the screen to one of the board; ok reports whether it is inside.
func (a area) at(x, y int) (bx, by int, ok bool) {
	bx, by = x-a.x, y-a.y
	return bx, by, bx >= 0 && by >= 0 && bx < a.w && by < a.h
}

// The layout of the board and the panel beside or below it.
const (
	minPanelColumns    = 25
	narrowPanelColumns = 17 // in a window of fewer than normalColumns, such as a phone's
	normalColumns      = 60
	minPanelRows       = 8 // below the board
	maxPanelColumns    = 64
	maxSeatColumns     = 40 // so that a clock is near its name
	panelGap           = 2
	minHeaderRows      = 20 // from this height on, there is a header
	minSpaciousRows    = 19 // of a panel that gives a player two rows
	minStateRows       = 3  // of the state of a match in the panel, with an empty one
	panelStatusRows    = 3  // of a status line in the panel
	minTurnRows        = 3  // of the list of turns, with its title
	minNameColumns     = 6  // of a player's name beside a score
)

// layout is which rows the board leaves to the header and to the status line, and where the panel is: beside the
// board, or stacked below it.
type layout struct {
	headerRows, statusRows int
	isStacked              bool
}

// layouts has the possible layouts. A later one is chosen only if its board is much larger, or whole where it was not.
var layouts = [...]layout{{1, 1, false}, {0, 1, false}, {0, 0, false}, {1, 1, true}}

// layoutFor returns the layout of a board and its panel for a canvas of w columns and h rows, and the size of the board;
// ok is false if it does not fit.
func layoutFor(board game.Board, w, h int) (l layout, bw, bh int, ok bool) {
	panel := minPanelColumns
	if w < normalColumns {
		panel = narrowPanelColumns
	}
	whole := false
	for _, next := range layouts {
		space := area{w: w - panel - panelGap, h: h - next.headerRows - next.statusRows}
		switch {
		case next.isStacked:
			space.w, space.h = w, space.h-minPanelRows
		case next.headerRows > 0 && space.h < minHeaderRows-1:
			continue
		}
		nw, nh, fits := board.Fit(space.w, space.h)
		nextWhole := isWhole(board, space.w, space.h)
		if fits && (!ok || nextWhole && !whole || nextWhole == whole && nw*nh*4 > bw*bh*5) {
			l, bw, bh, ok, whole = next, nw, nh, true, nextWhole
		}
	}
	return l, bw, bh, ok
}

// isWhole reports whether a board is shown without scrolling in w columns and h rows.
func isWhole(board game.Board, w, h int) bool {
	s, scrolls := board.(game.Scroller)
	return !scrolls || s.IsWhole(w, h)
}

// IsMultiplayer reports whether the match has three or more seats.
func (f *frameInput) IsMultiplayer() bool { return len(f.Snapshot.Info.Seats) > 2 }

// arrange sets where the board, the panel and the status line are, after layout and the size of the board.
func (f *frameInput) arrange() {
	l, bw, bh := f.layout, f.area.w, f.area.h
	top, rows := l.headerRows, f.h-l.headerRows-l.statusRows
	f.statusArea = area{0, 0, f.w, f.h}
	switch {
	case !f.fits:
		y := 1 + len(f.tooSmall())
		f.panel = area{1, y, f.w - 2, f.h - y - 1}
		return
	case l.isStacked:
		f.area = area{(f.w - bw) / 2, top, bw, bh}
		f.panel = area{1, top + bh, f.w - 2, rows - bh}
		return
	}
	width := min(f.w-bw-panelGap, maxPanelColumns)
	x := (f.w - bw - panelGap - width) / 2
	f.area = area{x, top + min((rows-bh)/2, 1), bw, bh}
	f.panel = area{x + bw + panelGap, top, width, rows}
	f.isTitled = top == 0
	if l.statusRows == 0 {
		f.statusArea = area{f.panel.x - 1, top, width + 1, rows} // it leaves a margin
		f.panel.h -= panelStatusRows
	}
}

// draw draws all but the players.
func (f *frameInput) draw(c paint.Canvas) {
	if f.layout.headerRows > 0 || !f.fits {
		f.drawHeader(c)
	}
	if !f.fits {
		for y, l := range f.tooSmall() {
			c.Text(1, 1+y, f.Style.Theme.Notice, l)
		}
		f.drawPanel(f.panel.of(c))
		f.drawStatus(c)
		return
	}
	c.Blit(f.area.x, f.area.y, f.board)
	f.drawStatus(c)
	f.drawPanel(f.panel.of(c))
}

func (f *frameInput) drawStatus(c paint.Canvas) {
	widget.DrawStatus(f.statusArea.of(c), f.status.style, f.status.text)
}

// statusBeside returns where the status text is if it has several rows beside the board.
func (f *frameInput) statusBeside() area {
	if !f.fits || f.layout.statusRows > 0 {
		return area{}
	}
	s := f.statusArea
	return area{s.x, s.y + s.h - panelStatusRows, s.w, panelStatusRows}
}

// tooSmall returns the lines above the panel of a match whose board does not fit: it can be followed there, and turns
// of a player can be typed.
func (f *frameInput) tooSmall() []string {
	here := "The game can be followed here:"
	if f.Seat >= 0 && !f.Snapshot.IsOver() {
		here = "The game can be followed here, and moves can be typed:"
	}
	return widget.Wrap(fmt.Sprintf("This board needs a window of %d×%d characters. %s", normalColumns, minHeaderRows, here), f.w-2)
}

func (f *frameInput) drawHeader(c paint.Canvas) {
	widget.DrawHeader(c, f.Style.Theme, f.Snapshot.Info.Title(), f.termsText(), f.note)
}

// termsText describes the clock and the kind of the match: "10+10 · rated".
func (f *frameInput) termsText() string {
	info := f.Snapshot.Info
	text := info.Control.String() + " · casual"
	if info.Rated {
		text = info.Control.String() + " · rated"
	}
	if info.Private {
		text += " · private"
	}
	if f.Snapshot.Code != "" {
		text += " " + f.Snapshot.Code
	}
	if info.Delay > 0 && !f.Snapshot.IsOver() {
		text += " · " + words.Delayed(info.Delay)
	}
	return text
}

// seatOrder returns the seats from top to bottom; of two the user's own is below.
func (f *frameInput) seatOrder() []int {
	switch {
	case f.IsMultiplayer():
		all := make([]int, len(f.Snapshot.Info.Seats))
		for i := range all {
			all[i] = i
		}
		return all
	case f.Seat == 1:
		return []int{0, 1}
	}
	return []int{1, 0}
}

// seatDrawing draws the players of a frame with their clocks.
type seatDrawing struct {
	*frameInput
	clocks *clocks
}

// drawSeat draws a player: mark, name and clock, then rating, presence and score, in the same row or, if the
// canvas has two, in the next one.
func (v seatDrawing) drawSeat(c paint.Canvas, seat int) {
	t := v.Style.Theme
	w, h := c.Size()
	s := v.Snapshot
	// Only the arrow marks the seat to move: other styles for names and clocks would be sent to every
	// spectator at each turn.
	turn := v.toMove == seat
	if turn {
		c.Text(0, 0, t.Text, "▸")
	}
	mark, markStyle := v.Game.SeatMark(v.position, seat, v.Style)
	c.Text(1, 0, markStyle, mark)
	clock, style := "", t.Text
	if at := v.clocks.seats[seat]; v.leaveReason(seat) == "" {
		clock = at.left
		if at.isLow {
			style = t.Bad
		}
	}
	c.Text(w-paint.Width(clock), 0, style, clock)
	space, player := w-4-paint.Width(clock), s.Info.Seats[seat]
	// Its digits stay in their place, because only what changes is sent.
	score := v.Game.Score(v.position, seat)
	scoreSpace := paint.Width(score) + 1
	switch at := space + 3 - scoreSpace; {
	case score == "":
		scoreSpace = 0
	case h > 1:
		c.Text(w-paint.Width(score), 1, t.Text, score)
	case at < 3+minNameColumns:
	default:
		c.Text(at, 0, t.Text, score)
		space -= scoreSpace + 1 // and a blank before it
	}
	n := c.Text(3, 0, t.Text, paint.Cut(words.ShortBotName(player.Name, v.builtin.Level(player.Account)), space))
	x, y := 4+n, 0
	space -= n + 1
	if h > 1 {
		x, y, space = 3, 1, w-3-scoreSpace
	}
	for i, d := range v.seatDetails(seat) {
		separator := ""
		if i > 0 && space > 3 {
			separator = " · "
		}
		parts := strings.Fields(d.text)
		for n := len(parts) - 1; n >= 0 && (parts[n] == "·" || paint.Width(separator+strings.Join(parts, " ")) > space); n-- {
			parts = parts[:n] // "winner 1662" instead of a part of " +162", "2nd" instead of "2nd ·"
		}
		if len(parts) == 0 {
			continue
		}
		n := c.Text(x, y, t.Dim, separator)
		n += c.Text(x+n, y, d.style, strings.Join(parts, " "))
		x, space = x+n, space-n
	}
}

// titleLines returns the lines above the players, if there is no header.
func (f *frameInput) titleLines(w int) []styledText {
	if !f.isTitled {
		return nil
	}
	t := f.Style.Theme
	lines := []styledText{{paint.Cut(f.Snapshot.Info.Title(), w), t.Strong}}
	if w < minPanelColumns {
		return append(lines, styledText{paint.Cut(f.termsText(), w), t.Dim})
	}
	text := f.termsText()
	if f.note != "" {
		text += " · " + f.note
	}
	for _, l := range widget.Wrap(text, w) {
		lines = append(lines, styledText{l, t.Dim})
	}
	return lines
}

// drawPanel draws the state of the match below its players, the legend, its turns and the chat. It reports whether
// there is a legend.
func (f *frameInput) drawPanel(c paint.Canvas) (hasLegend bool) {
	w, h := c.Size()
	y := 0
	for _, l := range f.titleLines(w) {
		c.Text(0, y, l.style, l.text)
		y++
	}
	y += f.seatRows(h)
	for _, part := range f.goalLines(w, h-y) {
		c.Text(0, y, f.Style.Theme.Strong, part)
		y++
	}
	top := y
	y = f.drawState(c, y)
	if !f.IsMultiplayer() && h >= minSpaciousRows { // so that what follows does not move with each turn
		y = max(y, top+minStateRows)
	}
	y += f.drawHint(c.Sub(0, y, w, h-y))
	legendRows := f.drawLegend(c.Sub(0, y, w, h-y))
	y += legendRows
	if legendRows > 0 && h-y < minTurnRows+minChatRows && f.footer.title != "" {
		f.drawFooter(c.Sub(0, y, w, h-y))
		return true
	}
	// The height does not depend on the turns of two players, because the chat would move with each one.
	rows := max(min((h-y)*2/5, 12), 3)
	switch {
	case f.footer.isFixed:
		if rows = max(rows, h-y-f.footer.rows(w)); h-y-rows < f.footer.minRows {
			rows = h - y
		}
	case f.IsMultiplayer(): // a turn to a line
		rows = max(min((h-y)*2/3, len(f.turns.record.Entries)+1), 3)
	}
	f.drawTurnList(c.Sub(0, y, w, rows))
	y += rows
	f.drawFooter(c.Sub(0, y, w, h-y))
	return legendRows > 0
}

// goalLines returns the goal in lines of w columns, above the state in h rows; nil if it is not shown. It gives way to
// the state, which has the comments of the coach, and to the first tip, the command that returns a guest to the seat.
func (f *frameInput) goalLines(w, h int) []string {
	if f.goal == "" || w < minPanelColumns {
		return nil
	}
	goal := widget.Wrap("Goal: "+f.goal+".", w)
	rows := minTurnRows + minChatRows
	for _, l := range f.lines.all[:f.lines.n] {
		rows += len(widget.Wrap(l.text, w))
	}
	if tip := len(widget.Wrap(f.tips[0], w)); f.tips[0] != "" && rows+tip <= h {
		rows += tip
	}
	if rows+len(goal) > h {
		return nil
	}
	return goal
}

// drawState draws the state of the match from row y on, and the tips for which there is space above minTurnRows and
// minChatRows. It returns the next free row.
func (f *frameInput) drawState(c paint.Canvas, y int) int {
	w, h := c.Size()
	for _, l := range f.lines.all[:f.lines.n] {
		for _, part := range widget.Wrap(l.text, w) {
			c.Text(0, y, l.style, part)
			y++
		}
	}
	for _, tip := range f.tips {
		parts := widget.Wrap(tip, w)
		if y+len(parts) > h-minTurnRows-minChatRows {
			continue
		}
		for _, part := range parts {
			c.Text(0, y, f.Style.Theme.Dim, part)
			y++
		}
	}
	return y
}

// seatRows returns the number of rows that the players take in a panel of h rows, with a gap after them.
func (f *frameInput) seatRows(h int) int {
	rows, gap := f.rowsPerSeat(h)
	return rows*len(f.Snapshot.Info.Seats) + gap
}

// rowsPerSeat returns the number of rows of a player in a panel of h rows, and of the gap after all of them.
func (f *frameInput) rowsPerSeat(h int) (rows, gap int) {
	switch {
	case f.IsMultiplayer() || h < minSpaciousRows:
		return 1, 0
	}
	return 2, 1
}

// draw draws the players.
func (v seatDrawing) draw(c paint.Canvas) {
	c = v.panel.of(c)
	w, h := c.Size()
	y := len(v.titleLines(w))
	rows, _ := v.rowsPerSeat(h)
	for _, seat := range v.seatOrder() {
		v.drawSeat(c.Sub(0, y, v.seatWidth(w), rows), seat)
		y += rows
	}
}

// seatWidth returns the number of columns of a player in a panel of w columns.
func (f *frameInput) seatWidth(w int) int {
	if f.IsMultiplayer() {
		return w
	}
	return min(w, maxSeatColumns)
}

// drawTurnList draws the last turns that fit, or those around the reviewed one.
func (f *frameInput) drawTurnList(c paint.Canvas) {
	t := f.Style.Theme
	w, h := c.Size()
	list := f.turns
	widget.DrawRule(c, f.Style.Theme, 0, list.title, list.style)
	if f.IsMultiplayer() {
		f.drawTurns(c.Sub(0, 1, w, h-1), list)
		return
	}
	entries, at := list.record.Entries, list.shownTurn
	perLine := len(f.Snapshot.Info.Seats)
	cell := max(min(list.record.Width+1, 16, (w-5)/perLine), 6)
	rows := h - 1
	rounds := (len(entries) + perLine - 1) / perLine
	first := 0
	if rounds > rows {
		first = list.firstLine(rounds, rows, at/perLine)
	}
	for i := range min(rounds-first, rows) {
		round, y := first+i, 1+i
		c.Text(0, y, t.Text, fmt.Sprintf("%3d.", round+1))
		for j := range perLine {
			n := round*perLine + j
			if n >= len(entries) {
				break
			}
			style := t.Text
			if n >= list.variationFrom {
				style = t.Notice
			}
			if n == at && list.isSelected {
				style = t.Selected
				c.Text(4+j*cell, y, t.Notice, "›")
			}
			c.Text(5+j*cell, y, style, paint.Cut(list.record.Texts[n], cell-1))
		}
	}
}

// firstLine returns the first visible line of n lines, which are more than rows: around the reviewed one,
// or so that the last line is visible. In the latter case it advances by most of the rows at a time, because
// every scroll sends all rows to every spectator, and empty ones are short.
func (list turnList) firstLine(n, rows, at int) int {
	if list.isSelected {
		return min(max(at-rows/2, 0), n-rows)
	}
	step := max(rows-max(rows/4, 1), 1)
	return (n - rows + step - 1) / step * step
}

// drawTurns draws one turn per line, each with its seat's mark; rounds would not align once a seat has
// left.
func (f *frameInput) drawTurns(c paint.Canvas, list turnList) {
	t := f.Style.Theme
	w, h := c.Size()
	n := len(list.record.Entries)
	first := 0
	if n > h {
		first = list.firstLine(n, h, list.shownTurn)
	}
	turns := countTurns(list.record.Entries[:first])
	for y := range min(n-first, h) {
		i := first + y
		style := t.Text
		if i >= list.variationFrom {
			style = t.Notice
		}
		if i == list.shownTurn && list.isSelected {
			style = t.Selected
			c.Text(4, y, t.Notice, "›")
		}
		if list.record.Entries[i].Kind == match.EntryTurn {
			turns++
			c.Text(0, y, t.Text, fmt.Sprintf("%3d.", turns))
		}
		mark, markStyle := f.Game.SeatMark(f.Snapshot.Position, list.record.Entries[i].Seat, f.Style)
		c.Text(5, y, markStyle, mark)
		c.Text(7, y, style, paint.Cut(list.record.Texts[i], w-7))
	}
}

// leaveReason describes why a seat of a match of three or more plays no more; "" if it does.
func (f *frameInput) leaveReason(seat int) string {
	switch e, ok := f.Snapshot.Position.(engine.Eliminator); {
	case !f.IsMultiplayer():
		return ""
	case f.Snapshot.Position.HasLeft(seat):
	case ok && e.Eliminated(seat):
		return "out"
	default:
		return ""
	}
	return words.Leave(f.Snapshot, seat)
}
