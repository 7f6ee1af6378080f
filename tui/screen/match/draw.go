package match

import (
	"fmt"
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
)

// layout is which rows the board leaves to the header and to the status line, and where the panel is: beside the
// board, or stacked below it.
type layout struct {
	headerRows, statusRows int
	isStacked              bool
}

// layouts has the possible layouts. A later one is chosen only if its board is much larger.
var layouts = [...]layout{{1, 1, false}, {0, 1, false}, {0, 0, false}, {1, 1, true}}

// layoutFor returns the layout for a canvas of w columns and h rows, and the size of its board; ok is false if
// no board fits.
func (v drawing) layoutFor(w, h int) (l layout, bw, bh int, ok bool) {
	panel := minPanelColumns
	if w < normalColumns {
		panel = narrowPanelColumns
	}
	for _, next := range layouts {
		space := boardArea{w: w - panel - panelGap, h: h - next.headerRows - next.statusRows}
		switch {
		case next.isStacked:
			space.w, space.h = w, space.h-minPanelRows
		case next.headerRows > 0 && space.h < minHeaderRows-1:
			continue
		}
		nw, nh, fits := v.board.Fit(space.w, space.h)
		if fits && (!ok || nw*nh*4 > bw*bh*5) {
			l, bw, bh, ok = next, nw, nh, true
		}
	}
	return l, bw, bh, ok
}

// drawing draws a view at a time.
type drawing struct {
	*view
	now time.Time
}

// Draw implements screen.Screen.
func (v *view) Draw(c paint.Canvas) { drawing{v, time.Now()}.draw(c) }

func (v drawing) draw(c paint.Canvas) {
	w, h := c.Size()
	l, bw, bh, ok := v.layoutFor(w, h)
	if !ok {
		v.drawWithoutBoard(c)
		return
	}
	if l.headerRows > 0 {
		v.drawHeader(c)
	}
	rows := h - l.headerRows - l.statusRows
	text, style := v.StatusLine()
	if l.isStacked {
		v.area = boardArea{(w - bw) / 2, l.headerRows, bw, bh}
		widget.DrawStatus(c, style, text)
		v.drawPanel(c.Sub(1, l.headerRows+bh, w-2, rows-bh), false)
		v.board.Draw(c.Sub(v.area.x, v.area.y, bw, bh), v.Shell.Style)
		return
	}
	panelWidth := min(w-bw-panelGap, maxPanelColumns)
	x := (w - bw - panelGap - panelWidth) / 2
	v.area = boardArea{x, l.headerRows + min((rows-bh)/2, 1), bw, bh}
	v.board.Draw(c.Sub(v.area.x, v.area.y, bw, bh), v.Shell.Style)
	panel := c.Sub(x+bw+panelGap, l.headerRows, panelWidth, rows)
	if l.statusRows > 0 {
		widget.DrawStatus(c, style, text)
	} else {
		widget.DrawStatus(c.Sub(x+bw+panelGap-1, l.headerRows, panelWidth+1, rows), style, text) // it leaves a margin
		panel = panel.Sub(0, 0, panelWidth, rows-panelStatusRows)
	}
	v.drawPanel(panel, l.headerRows == 0)
}

// drawWithoutBoard draws a match whose board does not fit: it can be followed in the panel, and turns can be
// typed.
func (v drawing) drawWithoutBoard(c paint.Canvas) {
	w, h := c.Size()
	v.area = boardArea{}
	v.drawHeader(c)
	y := 1
	for _, l := range widget.Wrap(fmt.Sprintf("This board needs a window of %d×%d characters. The game can be followed here:", normalColumns, minHeaderRows), w-2) {
		c.Text(1, y, v.Shell.Style.Theme.Notice, l)
		y++
	}
	v.drawPanel(c.Sub(1, y, w-2, h-y-1), false)
	text, style := v.StatusLine()
	widget.DrawStatus(c, style, text)
}

func (v drawing) drawHeader(c paint.Canvas) {
	widget.DrawHeader(c, v.Shell.Style.Theme, v.Snapshot.Info.Title(), v.conditions(), v.role.headerNote())
}

// conditions describes the clock and the kind of the match: "10+10 · rated".
func (v drawing) conditions() string {
	info := v.Snapshot.Info
	text := info.Control.String() + " · casual"
	if info.Rated {
		text = info.Control.String() + " · rated"
	}
	if info.Private {
		text += " · private"
	}
	if v.Snapshot.Code != "" {
		text += " " + v.Snapshot.Code
	}
	if info.Delay > 0 && !v.Snapshot.IsOver() {
		text += " · " + words.Delayed(info.Delay)
	}
	return text
}

// seatOrder returns the seats above and below the board; the user's own is below.
func (v drawing) seatOrder() (upper, lower int) {
	if v.Seat == 1 {
		return 0, 1
	}
	return 1, 0
}

// drawSeat draws a player: mark, name and clock, then rating, presence and score, in the same row or, if the
// canvas has two, in the next one.
func (v drawing) drawSeat(c paint.Canvas, seat int) {
	t := v.Shell.Style.Theme
	w, h := c.Size()
	s := v.Snapshot
	// Only the arrow marks the seat to move: other styles for names and clocks would be sent to every
	// spectator at each turn.
	turn := v.role.seatToMove() == seat
	if turn {
		c.Text(0, 0, t.Text, "▸")
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
	c.Text(w-paint.Width(clock), 0, style, clock)
	space := w - 4 - paint.Width(clock)
	n := c.Text(3, 0, t.Text, paint.Cut(s.Info.Seats[seat].Name, space))
	x, y := 4+n, 0
	space -= n + 1
	if h > 1 {
		x, y, space = 3, 1, w-3
	}
	for i, d := range v.seatDetails(seat) {
		if d.style == t.Dim && paint.Width(d.text) > space { // a part of a rating would mislead
			continue
		}
		if i > 0 && space > 3 {
			c.Text(x, y, t.Dim, " · ")
			x, space = x+3, space-3
		}
		n := c.Text(x, y, d.style, paint.Cut(d.text, space))
		x, space = x+n, space-n
	}
}

// seatDetails returns the place of a seat at the end of a match of three or more, and its presence or the rating
// of its player.
func (v drawing) seatDetails(seat int) (details []styledText) {
	t := v.Shell.Style.Theme
	player := v.Snapshot.Info.Seats[seat]
	place := words.Place(v.Snapshot, seat)
	if place != "" {
		details = append(details, styledText{place, t.Good})
	}
	switch extra, bad := v.presenceText(seat); {
	case extra != "" && bad:
		details = append(details, styledText{extra, t.Bad})
	case extra != "":
		details = append(details, styledText{extra, t.Good})
	case player.Rating != nil && place == "":
		rating := words.Rating(*player.Rating)
		if player.Bot {
			rating += " bot"
		}
		details = append(details, styledText{rating, t.Dim})
	}
	return details
}

// drawPanel draws the players, the state of the match, its turns and the chat.
func (v drawing) drawPanel(c paint.Canvas, titled bool) {
	t := v.Shell.Style.Theme
	w, h := c.Size()
	y := 0
	if titled {
		c.Text(0, 0, t.Strong, paint.Cut(v.Snapshot.Info.Title(), w))
		y = 1
		conditions := widget.Wrap(v.conditions()+" · "+v.role.headerNote(), w)
		if w < minPanelColumns {
			conditions = []string{paint.Cut(v.conditions(), w)}
		}
		for _, l := range conditions {
			c.Text(0, y, t.Dim, l)
			y++
		}
	}
	y = v.drawSeats(c, y)
	top := y
	for _, l := range v.role.lines(v.now) {
		for _, part := range widget.Wrap(l.text, w) {
			c.Text(0, y, l.style, part)
			y++
		}
	}
	if !v.IsMultiplayer() && h >= minSpaciousRows { // so that what follows does not move with each turn
		y = max(y, top+minStateRows)
	}
	y += v.hints.draw(c.Sub(0, y, w, h-y))
	y += v.legend.draw(c.Sub(0, y, w, h-y), v.role.minRowsBelowTurns())
	if v.legend.isShown && h-y < minTurnRows+minChatRows {
		v.role.drawBelowTurns(c.Sub(0, y, w, h-y))
		return
	}
	// The height does not depend on the turns of two players, because the chat would move with each one.
	rows := max(min((h-y)*2/5, 12), 3)
	if v.IsMultiplayer() { // a turn to a line
		rows = max(min((h-y)*2/3, len(v.turns.Entries)+1), 3)
	}
	v.drawTurnList(c.Sub(0, y, w, rows))
	y += rows
	v.role.drawBelowTurns(c.Sub(0, y, w, h-y))
}

// drawSeats draws the players from row y on and returns the next free row.
func (v drawing) drawSeats(c paint.Canvas, y int) int {
	w, h := c.Size()
	if v.IsMultiplayer() {
		for seat := range v.Snapshot.Info.Seats {
			v.drawSeat(c.Sub(0, y, w, 1), seat)
			y++
		}
		return y
	}
	upper, lower := v.seatOrder()
	w = min(w, maxSeatColumns)
	rows, gap := 2, 1
	if h < minSpaciousRows {
		rows, gap = 1, 0
	}
	v.drawSeat(c.Sub(0, y, w, rows), upper)
	v.drawSeat(c.Sub(0, y+rows, w, rows), lower)
	return y + 2*rows + gap
}

// drawTurnList draws the last turns that fit, or those around the reviewed one.
func (v drawing) drawTurnList(c paint.Canvas) {
	t := v.Shell.Style.Theme
	w, h := c.Size()
	list := v.listedTurns()
	widget.DrawRule(c, v.Shell.Style.Theme, 0, list.title, list.style)
	if v.IsMultiplayer() {
		v.drawTurns(c.Sub(0, 1, w, h-1), list)
		return
	}
	entries, at := list.entries, list.shownTurn
	perLine := len(v.Snapshot.Info.Seats)
	cell := max(min(list.width+1, 16, (w-5)/perLine), 6)
	rows := h - 1
	rounds := (len(entries) + perLine - 1) / perLine
	first := 0
	if rounds > rows {
		first = scroll(list, rounds, rows, at/perLine)
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
			c.Text(5+j*cell, y, style, paint.Cut(list.texts[n], cell-1))
		}
	}
}

// scroll returns the first visible line of n lines, which are more than rows: around the reviewed one,
// or so that the last line is visible. In the latter case it advances by most of the rows at a time, because
// every scroll sends all rows to every spectator, and empty ones are short.
func scroll(list turnList, n, rows, at int) int {
	if list.isSelected {
		return min(max(at-rows/2, 0), n-rows)
	}
	step := max(rows-max(rows/4, 1), 1)
	return (n - rows + step - 1) / step * step
}

// drawTurns draws one turn per line, each with its seat's mark; rounds would not align once a seat has
// left.
func (v drawing) drawTurns(c paint.Canvas, list turnList) {
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
