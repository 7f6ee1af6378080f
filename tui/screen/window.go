package screen

import (
	"fmt"
	"image"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/screen/dest"
	"ayumu/tui/theme"
	"ayumu/tui/widget"
	"ayumu/tui/words"
)

// The minimum size of a window.
const (
	MinWidth  = 40
	MinHeight = 16
)

// wideBar is the number of columns from which the status bar has the long label of the palette.
const wideBar = 100

// minPaletteLabel is the number of columns from which the status bar names beside the palette what a screen has there.
const minPaletteLabel = 60

// Window runs the screens of a Shell: it gives them messages and draws them with the status bar.
type Window struct{ *Shell }

// Handle processes the end of a call, a TickMsg or input: the question, the input line, the overlay and the
// current screen get it, whichever is first. Other messages do nothing.
func (w Window) Handle(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case callDoneMsg:
		return msg.then()
	case TickMsg:
		w.expireNotice(time.Now())
		if w.current == nil {
			return nil
		}
		return w.current.Handle(msg)
	case tea.KeyPressMsg, tea.MouseClickMsg, tea.MouseWheelMsg, tea.PasteMsg:
		return w.handleInput(msg)
	}
	return nil
}

// handleInput processes input. A text above the status bar goes, and an error if the input has done something: opened a
// screen, or anything without a call, of which the end decides.
func (w Window) handleInput(msg tea.Msg) tea.Cmd {
	hidesNotice := w.question != nil || w.prompt != nil
	if !hidesNotice {
		w.notice = notice{failure: w.notice.failure}
	}
	before := w.Visible()
	w.isInput = true
	cmd := w.giveInput(msg)
	w.isInput = false
	if !hidesNotice && (w.Visible() != before || cmd == nil && !w.isIgnored) {
		w.succeed()
	}
	return cmd
}

// giveInput gives input to what is open.
func (w Window) giveInput(msg tea.Msg) tea.Cmd {
	if key, ok := msg.(tea.KeyPressMsg); ok && !w.IsAsking() && w.opensPalette(key.String()) {
		return w.Open(dest.Palette{})
	}
	switch {
	case w.current == nil:
		return nil
	case w.question != nil:
		return w.answerQuestion(msg)
	case w.prompt != nil:
		return w.handlePrompt(msg)
	case w.panel != nil:
		return w.panel.Handle(msg)
	}
	return w.Visible().Handle(msg)
}

// hasPalette reports whether the palette can be opened.
func (w Window) hasPalette() bool { return w.Visit != nil && w.current != nil }

// takesText reports whether a character is typed into a text of the visible screen.
func (w Window) takesText() bool { return w.Visible().Traits().TakesText }

// opensPalette reports whether a key opens the palette.
func (w Window) opensPalette(key string) bool {
	return w.hasPalette() && (key == "ctrl+p" || key == paletteKey && !w.takesText())
}

// NextChange returns when time alone changes the window, apart from the frames of Advance; zero: never.
func (w Window) NextChange(now time.Time) time.Time {
	var next time.Time
	if w.current != nil {
		next = w.current.NextChange(now)
	}
	if at := w.notice.expires; !at.IsZero() && (next.IsZero() || at.Before(next)) {
		next = at
	}
	return next
}

// Goodbye returns the lines for the terminal of a user who quit. Call it before the session is closed.
func (w Window) Goodbye() []string {
	if w.Visit == nil {
		return []string{"Goodbye."}
	}
	return w.Visit.Goodbye()
}

// Frame returns the next frame of the window after prev, which may be nil.
func (w Window) Frame(prev *paint.Frame, width, height int) *paint.Frame {
	w.timing = timing{}
	v, ok := w.Visible().(Framer)
	if !ok || width < MinWidth || height < MinHeight {
		return paint.Draw(prev, width, height, w.Draw)
	}
	rows := screenRows(v, height)
	below := v.Layers(width, height, rows)
	if below.IsShared && below.Over == nil {
		if f := w.sharedFrame(below, v, time.Now()); f != nil {
			return f
		}
	}
	return below.Frame.DrawOver(prev, func(c paint.Canvas) {
		if below.Over != nil {
			below.Over(c.Sub(0, 0, width, rows))
		}
		w.drawBottom(c, v)
	})
}

// Draw draws the whole window.
func (w Window) Draw(c paint.Canvas) {
	width, height := c.Size()
	if width < MinWidth || height < MinHeight {
		w.drawTooSmall(c)
		return
	}
	v := w.Visible()
	if v == nil {
		return
	}
	v.Draw(c.Sub(0, 0, width, screenRows(v, height)))
	w.drawBottom(c, v)
}

// screenRows returns the number of rows of a window that a screen draws.
func screenRows(v Screen, height int) int {
	if v.Traits().DrawsStatus {
		return height - 1
	}
	return height - 2
}

func (w Window) drawTooSmall(c paint.Canvas) {
	width, height := c.Size()
	text := fmt.Sprintf("Ayumu needs a window of at least %d×%d characters; this one has %d×%d. Enlarge the window or reduce the font size.", MinWidth, MinHeight, width, height)
	for y, l := range widget.Wrap(text, width) {
		c.Text(0, y, w.Style.Theme.Text, l)
	}
}

// drawBottom draws over a screen what the window shows below it: the status bar, and above it what drawStatus draws.
func (w Window) drawBottom(c paint.Canvas, v Screen) {
	width, height := c.Size()
	if w.panel != nil {
		w.panel.Draw(c.Sub(0, 0, width, height-1))
	}
	w.drawStatus(c.Sub(0, 0, width, height-1), v)
	drawKeys(c.Sub(0, height-1, width, 1), w.Style.Theme, w.statusKeys(v), w.badge())
}

// badge returns what the status bar shows at its right end: the number of challenges that wait for the user, where
// they are not listed, or that of open reports for a moderator.
func (w Window) badge() string {
	if w.Visit == nil {
		return ""
	}
	if n := w.Visit.OpenChallenges(); n > 0 && !w.Visible().Traits().ShowsTables {
		return words.Plural(n, "challenge")
	}
	if open := w.Config.OpenReports(); open > 0 {
		return words.Plural(open, "report")
	}
	return ""
}

// drawStatus draws in the last rows of a canvas the question or the input line, and above it the notice; without
// these the screen's status line.
func (w Window) drawStatus(c paint.Canvas, v Screen) {
	text, s := w.statusText(v)
	all := text
	width, height := c.Size()
	switch {
	case w.question != nil:
		all += "\n" + w.question.Text
	case w.prompt != nil:
		all += "\n" + w.prompt.Label
		if !w.prompt.isBesideLabel(width) {
			all += "\n▏" // the line is below its label
		}
	}
	if all == "" {
		return
	}
	if covered := v.Traits().Status; !covered.Empty() { // the rest of it would be half a sentence
		c.Fill(covered.Min.X, covered.Min.Y, covered.Dx(), covered.Dy(), paint.Style{}, ' ')
	}
	c = sub(c, statusArea(v.Traits().Board, width, height, strings.TrimPrefix(all, "\n")))
	rows := 0
	switch {
	case w.question != nil:
		rows = widget.DrawStatus(c, w.Style.Theme.Notice, w.question.Text)
	case w.prompt != nil:
		rows = w.prompt.drawBelow(c, w.Style.Theme)
	}
	if width, height = c.Size(); text != "" && rows < height {
		widget.DrawStatus(c.Sub(0, 0, width, height-rows), s, text)
	}
}

// minStatusColumns is the minimum width of a text beside a board.
const minStatusColumns = 17

// statusArea returns where a text is drawn in a window of that size, without its status bar, which has a board: below
// the board, otherwise beside it, so that nothing covers it. If it fits nowhere it is cut below the board.
func statusArea(board image.Rectangle, width, height int, text string) image.Rectangle {
	below := image.Rect(0, 0, width, height)
	if board.Empty() {
		return below
	}
	below.Min.Y = min(board.Max.Y, height)
	if widget.StatusRows(width, text) <= below.Dy() {
		return below
	}
	end := min(board.Max.Y, height) // so that a row of the screen below the board is not covered in part
	beside := image.Rect(board.Max.X+1, 0, width, end)
	if left := image.Rect(0, 0, board.Min.X, end); left.Dx() > beside.Dx() {
		beside = left
	}
	switch {
	case beside.Dx() >= minStatusColumns:
		return beside
	case below.Empty(): // the board has the whole window
		below.Min.Y = height - 1
	}
	return below
}

// sub returns a part of a canvas.
func sub(c paint.Canvas, r image.Rectangle) paint.Canvas {
	return c.Sub(r.Min.X, r.Min.Y, r.Dx(), r.Dy())
}

// statusText returns the notice or the screen's status line; "" if the screen draws that one itself, or if a
// question or an input line replaces it.
func (w Window) statusText(v Screen) (string, paint.Style) {
	t := w.Style.Theme
	switch {
	case w.notice.failure != "":
		return w.notice.shown(), t.Bad
	case w.notice.text != "":
		return w.notice.text, t.Text
	case !w.IsAsking() && !v.Traits().DrawsStatus:
		return v.StatusLine()
	}
	return "", t.Text
}

// statusKeys returns the keys for the status bar.
func (w Window) statusKeys(v Screen) []game.Key {
	switch {
	case w.question != nil:
		var keys []game.Key
		for _, an := range w.question.Answers {
			keys = append(keys, an.Key)
		}
		return append(keys, game.Key{Key: "Esc", Help: w.question.Dismiss})
	case w.prompt != nil:
		return w.prompt.statusKeys()
	case w.panel != nil:
		return w.panel.StatusKeys()
	}
	keys := v.StatusKeys()
	isOfPalette := func(k game.Key) bool { return k.Key == paletteKey }
	if !w.hasPalette() || w.takesText() {
		return slices.DeleteFunc(keys, isOfPalette)
	}
	k := game.Key{Key: paletteKey, Help: "commands"}
	switch at := slices.IndexFunc(keys, isOfPalette); { // of what the screen has there
	case at >= 0:
		k = keys[at]
		keys = slices.Delete(keys, at, at+1)
		if w.Width < minPaletteLabel {
			k.Help = "more"
		}
	case w.Width < wideBar:
		k.Help = "more"
	}
	return slices.Insert(keys, max(len(keys)-1, 0), k)
}

// isBesideLabel reports whether the line stands beside its label in w columns.
func (p *Prompt) isBesideLabel(w int) bool { return paint.Width(p.Label+": ") <= w/2 }

// drawBelow draws the line in the last row of a canvas, beside its label or its failure, or below that
// if it is long. It returns the number of rows.
func (p *Prompt) drawBelow(c paint.Canvas, t *theme.Theme) (rows int) {
	w, h := c.Size()
	label, s := p.Label+": ", t.Notice
	if p.Failure != "" {
		label, s = p.Failure+" ", t.Bad
	}
	row := c.Sub(0, h-1, w, 1)
	if n := paint.Width(label); n <= w/2 {
		row.Text(1, 0, s, label)
		row = row.Sub(n, 0, w, 1)
	} else {
		row.Fill(0, 0, w, 1, paint.Style{}, ' ')
		rows = widget.DrawStatus(c.Sub(0, 0, w, h-1), s, label)
	}
	w, _ = row.Size()
	p.Draw(row.Sub(1, 0, w-2, 1), t.Field, ' ')
	return rows + 1
}
