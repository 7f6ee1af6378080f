package match

import (
	"fmt"
	"strings"
	"time"

	"ayumu/engine"
	"ayumu/lobby"
	"ayumu/tui/paint"
	"ayumu/tui/screen/turns"
	"ayumu/tui/widget"
	"ayumu/tui/words"
)

// styledText is a text with its style.
type styledText struct {
	text  string
	style paint.Style
}

// boardArea is the rectangle of the screen that shows the board.
type boardArea struct{ x, y, w, h int }

// at converts a cell of the screen to one of the board; ok reports whether it is inside.
func (a boardArea) at(x, y int) (bx, by int, ok bool) {
	bx, by = x-a.x, y-a.y
	return bx, by, bx >= 0 && by >= 0 && bx < a.w && by < a.h
}

// The layout of the board and the panel beside it.
const (
	minPanelColumns = 25
	panelGap        = 2
	minBoardColumns = 32 // columns of the board with its players
	minHeaderRows   = 20 // from this height on, there is a header
)

// drawing draws a view at a time.
type drawing struct {
	*view
	now time.Time
}

// Draw implements screen.Screen.
func (v *view) Draw(c paint.Canvas) { drawing{v, time.Now()}.draw(c) }

func (v drawing) draw(c paint.Canvas) {
	w, h := c.Size()
	top := 0
	if h >= minHeaderRows {
		v.drawHeader(c)
		top = 1
	}
	bars := 0
	if len(v.Snapshot.Info.Seats) == 2 {
		bars = 2
	}
	bw, bh, ok := v.board.Fit(w-minPanelColumns-panelGap, h-top-bars)
	if !ok {
		c.Text(1, top+1, v.Shell.Style.Theme.Bad, "This board needs a larger window.")
		return
	}
	block := min(max(bw, minBoardColumns), w-minPanelColumns-panelGap)
	y := top
	if spare := h - top - bars - bh; spare > 1 && spare < 6 {
		y++
	}
	if bars > 0 {
		upper, lower := v.seatOrder()
		v.drawSeat(c.Sub(0, y, block, 1), upper)
		v.drawSeat(c.Sub(0, y+1+bh, block, 1), lower)
		y++
	}
	v.area = boardArea{(block - bw) / 2, y, bw, bh}
	v.board.Draw(c.Sub(v.area.x, v.area.y, bw, bh), v.Shell.Style)
	panel := c.Sub(block+panelGap, top, w-block-panelGap, h-top)
	below := c.Sub(0, y+bh+bars/2+1, block, h)
	v.drawPanel(panel, below, top == 0)
}

func (v drawing) drawHeader(c paint.Canvas) {
	info := v.Snapshot.Info
	left := info.Title()
	middle := info.Control.String() + " · casual"
	if info.Rated {
		middle = info.Control.String() + " · rated"
	}
	if info.Private {
		middle += " · private"
	}
	if v.Snapshot.Code != "" {
		middle += " " + v.Snapshot.Code
	}
	if info.Delay > 0 && !v.Snapshot.IsOver() {
		middle += " · " + words.Delayed(info.Delay)
	}
	widget.DrawHeader(c, v.Shell.Style.Theme, left, middle, v.role.headerNote())
}

// seatOrder returns the seats above and below the board; the user's own is below.
func (v drawing) seatOrder() (upper, lower int) {
	if v.Seat == 1 {
		return 0, 1
	}
	return 1, 0
}

// drawSeat draws a player: mark, name, rating or presence, and clock.
func (v drawing) drawSeat(c paint.Canvas, seat int) {
	t := v.Shell.Style.Theme
	w, _ := c.Size()
	s := v.Snapshot
	// Only the arrow marks the seat to move: other styles for names and clocks would be sent to every
	// spectator at each turn.
	turn := v.role.seatToMove() == seat
	if turn {
		c.Text(0, 0, t.Notice, "▸")
	}
	mark, markStyle := v.Game.SeatMark(s.Position, seat, v.Shell.Style)
	c.Text(1, 0, markStyle, mark)
	clock, style := "", t.Text
	if left, ok := v.role.remaining(seat, v.now); ok && v.leaveReason(seat) == "" {
		clock = words.Clock(left)
		if turn && left < 20*time.Second && !s.IsOver() {
			style = t.Bad
		}
	}
	space := w - 4 - paint.Width(clock)
	c.Text(w-paint.Width(clock), 0, style, clock)
	player := s.Info.Seats[seat]
	n := c.Text(3, 0, t.Text, paint.Cut(player.Name, space))
	switch extra, bad := v.presenceText(seat); {
	case extra != "" && bad:
		c.Text(4+n, 0, t.Bad, paint.Cut(extra, space-n-1))
	case extra != "":
		c.Text(4+n, 0, t.Good, paint.Cut(extra, space-n-1))
	case player.Rating != nil:
		rating := words.Rating(*player.Rating)
		if player.Bot {
			rating += " bot"
		}
		c.Text(4+n, 0, t.Dim, paint.Cut(rating, space-n-1))
	}
}

// drawPanel draws the state of the match, its turns and the chat in c. The turns are drawn in below if
// that has space.
func (v drawing) drawPanel(c, below paint.Canvas, titled bool) {
	t := v.Shell.Style.Theme
	w, h := c.Size()
	y := 0
	if titled {
		c.Text(0, 0, t.Strong, paint.Cut(v.Snapshot.Info.Title(), w))
		about := v.Snapshot.Info.Control.String() + " · " + v.role.headerNote()
		if paint.Width(about) > w {
			about = strings.TrimSuffix(about, " (you)")
		}
		c.Text(0, 1, t.Dim, paint.Cut(about, w))
		y = 2
	}
	if len(v.Snapshot.Info.Seats) > 2 {
		for seat := range v.Snapshot.Info.Seats {
			v.drawSeat(c.Sub(0, y, w, 1), seat)
			y++
		}
	}
	for _, l := range v.role.lines(v.now) {
		for _, part := range widget.Wrap(l.text, w) {
			c.Text(0, y, l.style, part)
			y++
		}
	}
	y += v.hints.draw(c.Sub(0, y, w, h-y))
	moves := c
	if _, bh := below.Size(); bh >= 4 && (!v.IsMultiplayer() || bh > (h-y)*2/3) {
		v.drawMoves(below)
	} else {
		rows := max(min((h-y-2)/2, len(v.turns.Entries)/2+2, 12), 3)
		if v.IsMultiplayer() { // a turn to a line
			rows = max(min((h-y)*2/3, len(v.turns.Entries)+1), 3)
		}
		moves = c.Sub(0, y, w, rows)
		v.drawMoves(moves)
		y += rows
	}
	v.role.drawBelowTurns(c.Sub(0, y, w, h-y))
}

// drawMoves draws the last turns that fit, or those around the reviewed one.
func (v drawing) drawMoves(c paint.Canvas) {
	t := v.Shell.Style.Theme
	w, h := c.Size()
	list := v.moves()
	widget.DrawRule(c, v.Shell.Style.Theme, 0, list.title, list.style)
	if v.IsMultiplayer() {
		v.drawTurns(c.Sub(0, 1, w, h-1), list)
		return
	}
	entries, at := list.entries, list.shownTurn
	perLine := len(v.Snapshot.Info.Seats)
	cell := max(min(list.width+1, 16, (w-5)/perLine), 6)
	perRow := max(1, w/(5+perLine*cell)) // rounds side by side
	rows := h - 1
	rounds := (len(entries) + perLine - 1) / perLine
	first := 0
	if need := (rounds + perRow - 1) / perRow; need > rows {
		first = scroll(list, need, rows, at/perLine/perRow) * perRow
	}
	for i := range min(rounds-first, rows*perRow) {
		round := first + i
		x, y := i%perRow*(5+perLine*cell), 1+i/perRow
		c.Text(x, y, t.Text, fmt.Sprintf("%3d.", round+1))
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
				c.Text(x+4+j*cell, y, t.Notice, "›")
			}
			c.Text(x+5+j*cell, y, style, paint.Cut(list.texts[n], cell-1))
		}
	}
}

// scroll returns the first visible line of n lines, which are more than rows: around the reviewed one,
// or so that the last line is visible. In the latter case it advances by half the rows at a time,
// because every scroll sends all rows to every spectator.
func scroll(list moveList, n, rows, at int) int {
	if list.isSelected {
		return min(max(at-rows/2, 0), n-rows)
	}
	half := max(rows/2, 1)
	return (n - rows + half - 1) / half * half
}

// drawTurns draws one turn per line, each with its seat's mark; rounds would not align once a seat has
// left.
func (v drawing) drawTurns(c paint.Canvas, list moveList) {
	t := v.Shell.Style.Theme
	w, h := c.Size()
	n := len(list.entries)
	first := 0
	if n > h {
		first = scroll(list, n, h, list.shownTurn)
	}
	turns := turns.Count(list.entries[:first])
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
		if list.entries[i].Kind == lobby.EntryTurn {
			turns++
			c.Text(0, y, t.Text, fmt.Sprintf("%3d.", turns))
		}
		mark, markStyle := v.Game.SeatMark(v.Snapshot.Position, list.entries[i].Seat, v.Shell.Style)
		c.Text(5, y, markStyle, mark)
		c.Text(7, y, style, paint.Cut(list.texts[i], w-7))
	}
}

// leaveReason describes why a seat of a match of three or more plays no more; "" if it does.
func (v drawing) leaveReason(seat int) string {
	switch e, ok := v.Snapshot.Position.(engine.Eliminator); {
	case !v.IsMultiplayer():
		return ""
	case v.Snapshot.Position.HasLeft(seat):
	case ok && e.Eliminated(seat):
		return "out"
	default:
		return ""
	}
	for _, e := range v.Snapshot.Log {
		if e.Kind == lobby.EntryLeave && e.Seat == seat {
			switch e.Reason {
			case "time":
				return "out of time"
			case "absent":
				return "voted out"
			}
			return "resigned"
		}
	}
	return "left"
}
