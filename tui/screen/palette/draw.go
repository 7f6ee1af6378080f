package palette

import (
	"cmp"
	"image"
	"strconv"

	"ayumu/tui/paint"
	"ayumu/tui/screen"
	"ayumu/tui/widget"
)

// Sizes of panels.
const (
	maxWidth      = 110
	minBeside     = 22 // columns beside a board
	minBelow      = 9  // rows below a board
	minRows       = 11 // of a panel that covers a board
	maxRows       = 24 // of one without a board
	borderedWidth = 60 // narrower windows have no borders
	wideWidth     = 56 // narrower panels have the name of a command and its key alone in a row
	nameColumns   = 30 // of the name and the arguments in a wide panel
	narrowDetails = 5  // rows for the usage and the help of the selected command
	wideDetails   = 3
)

// place returns where a panel is in the window without its status bar: beside or below the board if there is space, and
// otherwise over the lower part of the window.
func place(sh *screen.Shell, w, h int) image.Rectangle {
	board := sh.Visible().Traits().Board
	switch top := min(board.Min.Y, 1); {
	case board.Empty():
		return bottom(w, h, max(min(h*2/3, maxRows), min(minRows, h)))
	case w-board.Max.X >= minBeside:
		return image.Rect(board.Max.X, top, w, h)
	case h-board.Max.Y >= minBelow:
		return bottom(w, h, h-board.Max.Y)
	case board.Min.X >= minBeside:
		return image.Rect(0, top, board.Min.X, h)
	}
	return bottom(w, h, minRows)
}

// bottom returns the last rows of a window.
func bottom(w, h, rows int) image.Rectangle {
	x := max(w-maxWidth, 0) / 2
	return image.Rect(x, max(h-rows, 0), x+min(w, maxWidth), h)
}

// drawFrame clears the place of a panel, draws its title and a note at the right of it, and returns the canvas for the content
// and where that is.
func drawFrame(sh *screen.Shell, c paint.Canvas, title, note string) (content paint.Canvas, at, area image.Rectangle) {
	t := sh.Style.Theme
	w, h := c.Size()
	area = place(sh, w, h)
	at = area
	at.Min.Y++
	c.Fill(area.Min.X, area.Min.Y, area.Dx(), area.Dy(), paint.Style{}, ' ')
	switch panel := c.Sub(area.Min.X, area.Min.Y, area.Dx(), area.Dy()); {
	case w >= borderedWidth && area.Dx() >= wideWidth:
		panel.Box(t.Rule)
		at = image.Rect(area.Min.X+2, area.Min.Y+1, area.Max.X-2, area.Max.Y-1)
	case w >= borderedWidth:
		panel.Fill(0, 0, area.Dx(), 1, t.Rule, '─')
		panel.Fill(0, 0, 1, area.Dy(), t.Rule, '│')
		panel.Text(0, 0, t.Rule, "┌")
		at.Min.X, at.Max.X = at.Min.X+2, at.Max.X-1
	default:
		panel.Fill(0, 0, area.Dx(), 1, t.Rule, '─')
		at.Min.X, at.Max.X = at.Min.X+1, at.Max.X-1
	}
	head := c.Sub(at.Min.X-1, area.Min.Y, area.Max.X-at.Min.X, 1)
	width, _ := head.Size()
	n := head.Text(0, 0, t.Strong, " "+paint.Cut(title, width-4)+" ")
	if right := paint.Width(note) + 2; note != "" && n+right < width {
		head.Text(width-right, 0, t.Dim, " "+note+" ")
	}
	return c.Sub(at.Min.X, at.Min.Y, at.Dx(), at.Dy()), at, area
}

// Draw implements screen.Panel.
func (p *palette) Draw(c paint.Canvas) {
	t := p.sh.Style.Theme
	title, note := "Commands", strconv.Itoa(len(p.found))
	if p.chosen != nil {
		title, note = p.chosen.name, ""
	}
	content, at, area := drawFrame(p.sh, c, title, note)
	p.area = area
	w, h := content.Size()
	content.Text(0, 0, t.Notice, ":")
	p.line.Draw(content.Sub(2, 0, w-2, 1), t.Field, ' ')
	limit := narrowDetails
	if w >= wideWidth {
		limit = wideDetails
	}
	limit = min(limit, max(h/3, 2))
	rows := max(h-1-limit, 1)
	p.rows = image.Rect(area.Min.X, at.Min.Y+1, area.Max.X, at.Min.Y+1+rows)
	from, to := p.list.Window(p.rows.Min.Y, rows, p.count())
	for i := from; i < to; i++ {
		p.drawRow(content.Sub(0, 1+i-from, w, 1), i)
	}
	if p.count() == 0 {
		content.Text(0, 1, t.Dim, p.emptyText(w))
	}
	for i, l := range p.details(w, limit) {
		content.Text(0, h-limit+i, l.style, l.text)
	}
}

// emptyText returns what the list shows without rows.
func (p *palette) emptyText(w int) string {
	switch {
	case p.isRunning:
		return "Working …"
	case p.chosen == nil:
		return paint.Cut("Nothing here matches.", w)
	}
	return ""
}

// styledText is a line of the details.
type styledText struct {
	text  string
	style paint.Style
}

// details returns what is below the list: why the line was refused, or the usage and the help of the selected command.
func (p *palette) details(w, rows int) (all []styledText) {
	t := p.sh.Style.Theme
	add := func(style paint.Style, text string, limit int) {
		lines := widget.Wrap(text, w)
		if len(lines) > limit {
			lines = lines[:max(limit, 0)]
			if limit > 0 {
				lines[limit-1] = paint.Cut(lines[limit-1]+" …", w)
			}
		}
		for _, l := range lines {
			all = append(all, styledText{l, style})
		}
	}
	c := p.chosen
	if c == nil && p.list.Index < len(p.found) {
		c = &p.found[p.list.Index]
	}
	switch {
	case p.failure != "":
		add(t.Bad, p.failure, rows)
		return all
	case c == nil:
		return nil
	}
	if usage := c.usage(); usage != "" {
		add(t.Notice, c.name+" "+usage, max(rows-1, 1))
	}
	add(t.Dim, c.Info().Help, rows-len(all))
	return all
}

// drawRow draws the row of the list with an index.
func (p *palette) drawRow(c paint.Canvas, i int) {
	t := p.sh.Style.Theme
	w, _ := c.Size()
	style, dim := t.Text, t.Dim
	if i == p.list.Index && (p.chosen == nil || p.isSelecting) {
		style, dim = p.list.RowStyles(c, t, i, 0)
	}
	if p.chosen != nil {
		s := p.suggestions[i]
		n := c.Text(2, 0, style, paint.Cut(s.Word, w-2))
		if x := max(2+n, 14) + 2; x < w {
			c.Text(x, 0, dim, paint.Cut(s.About, w-x))
		}
		return
	}
	command := &p.found[i]
	if command.isUnavailable && i != p.list.Index {
		style = dim
	}
	key := paint.Width(command.key)
	c.Text(w-key, 0, dim, command.key)
	space := w - key - 1
	if w < wideWidth {
		n := c.Text(2, 0, style, paint.Cut(command.name, space-2))
		if usage := command.usage(); space-n-4 > 6 {
			c.Text(3+n, 0, dim, paint.Cut(usage, space-n-4))
		}
		return
	}
	n := c.Text(2, 0, style, command.name)
	c.Text(3+n, 0, dim, paint.Cut(command.usage(), nameColumns-n-2))
	c.Text(nameColumns+2, 0, style, paint.Cut(cmp.Or(command.about, command.Info().Help), space-nameColumns-4))
}
