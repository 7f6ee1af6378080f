// Package help is the overlay with the help page of the screen below it.
package help

import (
	tea "charm.land/bubbletea/v2"

	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/screen"
	"ayumu/tui/screen/dest"
	"ayumu/tui/widget"
	"ayumu/tui/words"
)

// help is the screen.
type help struct {
	screen.Base
	page  screen.Help
	lines []line
	width int // for which lines are broken
	top   int // index into lines of the first visible one
	rows  int // the number of visible lines
}

// line is one line of a help page.
type line struct {
	key, text   string
	isHeading   bool
	isContinued bool // in the column beside the keys; key is "" below the first line
}

// Open shows the help page of the visible screen over it.
func Open(sh *screen.Shell, _ dest.Help) tea.Cmd {
	sh.CoverOverlay(&help{Base: screen.Base{Shell: sh}, page: sh.HelpPage()})
	return nil
}

var bindings = screen.Bindings[*help]{
	{Key: screen.Keys("up k", "↑↓ Space", ""), Label: "scroll", Do: func(v *help) tea.Cmd { return v.scroll(-1) }},
	{Key: screen.Keys("down j enter", "", ""), Do: func(v *help) tea.Cmd { return v.scroll(1) }},
	{Key: screen.Keys("pgup b", "", ""), Do: func(v *help) tea.Cmd { return v.scroll(-v.rows) }},
	{Key: screen.Keys("pgdown space", "", ""), Do: func(v *help) tea.Cmd { return v.scroll(v.rows) }},
	{Key: screen.Keys("home g", "", ""), Do: func(v *help) tea.Cmd { return v.scroll(-len(v.lines)) }},
	{Key: screen.Keys("end G", "", ""), Do: func(v *help) tea.Cmd { return v.scroll(len(v.lines)) }},
	{Key: screen.Keys("tab", "Tab", ""), Label: "next part", Do: (*help).next},
	{Key: screen.Keys("o", "o", ""), Label: "settings", Do: func(v *help) tea.Cmd { return v.Shell.Open(dest.Settings{}) }},
	{Key: screen.Keys("q esc ?", "q", ""), Label: "back", Do: (*help).close},
}

// layOut breaks the page into lines of at most width columns.
func (v *help) layOut(width int) {
	if v.width == width {
		return
	}
	v.width, v.lines = width, nil
	add := func(text string) {
		for _, l := range widget.Wrap(text, width) {
			v.lines = append(v.lines, line{text: l})
		}
	}
	head := func(text string) {
		if len(v.lines) > 0 {
			v.lines = append(v.lines, line{})
		}
		v.lines = append(v.lines, line{text: text, isHeading: true})
	}
	paragraphs := func(list []string) {
		for i, p := range list {
			if i > 0 {
				v.lines = append(v.lines, line{})
			}
			add(p)
		}
	}
	if len(v.page.CursorHelp) > 0 {
		head("At the cursor")
		paragraphs(v.page.CursorHelp)
	}
	head(v.page.Title)
	add(v.page.About)
	v.lines = append(v.lines, line{})
	v.addKeys(v.page.Keys)
	for _, g := range v.page.Games {
		if len(v.page.Games) == 1 {
			head("On the board")
			v.addKeys(g.Keys())
		}
		head("The rules of " + g.Engine().Title())
		paragraphs(g.Rules())
	}
}

// keyColumn is the width of the key names.
const keyColumn = 16

func (v *help) addKeys(keys []game.Key) {
	for _, k := range keys {
		for i, l := range widget.Wrap(k.Help, v.width-keyColumn) {
			line := line{text: l, isContinued: true}
			if i == 0 {
				line.key = k.Key
			}
			v.lines = append(v.lines, line)
		}
	}
}

func (v *help) Handle(msg tea.Msg) tea.Cmd {
	if wheel, ok := msg.(tea.MouseWheelMsg); ok {
		if wheel.Button == tea.MouseWheelUp {
			return v.scroll(-3)
		}
		return v.scroll(3)
	}
	return bindings.HandleKey(v, msg)
}

// scroll moves the first visible line by a number of lines, as far as there are lines.
func (v *help) scroll(by int) tea.Cmd {
	v.top = max(min(v.top+by, len(v.lines)-v.rows), 0)
	return nil
}

func (v *help) close() tea.Cmd {
	v.Shell.CloseOverlay()
	return nil
}

// next scrolls to the next heading, from the end to the beginning.
func (v *help) next() tea.Cmd {
	end := max(len(v.lines)-v.rows, 0)
	to := end
	for i, l := range v.lines {
		if l.isHeading && i > v.top {
			to = min(i, end)
			break
		}
	}
	if v.top == end {
		to = 0
	}
	v.top = to
	return nil
}

func (v *help) Draw(c paint.Canvas) {
	t := v.Shell.Style.Theme
	w, h := c.Size()
	widget.DrawHeader(c, t, "Help", v.page.Title, "")
	width := min(w-4, 76)
	v.layOut(width)
	v.rows = h - 2
	v.scroll(0)
	x := (w - width) / 2
	for y, l := range v.lines[v.top:min(v.top+v.rows, len(v.lines))] {
		switch {
		case l.isHeading:
			c.Text(x, y+2, t.Strong, l.text)
		case l.isContinued:
			c.Text(x, y+2, t.Notice, l.key)
			c.Text(x+keyColumn, y+2, t.Text, l.text)
		default:
			c.Text(x, y+2, t.Text, l.text)
		}
	}
}

func (v *help) StatusLine() (string, paint.Style) {
	if rest := len(v.lines) - v.top - v.rows; rest > 0 {
		return words.Plural(rest, "more line") + " below", v.Shell.Style.Theme.Dim
	}
	return "", paint.Style{}
}

func (v *help) StatusKeys() []game.Key { return bindings.Status(v) }

func (v *help) Help() screen.Help { return v.page }
