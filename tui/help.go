package tui

import (
	tea "charm.land/bubbletea/v2"

	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/screen"
	"ayumu/tui/widget"
	"ayumu/tui/words"
)

// helpScreen shows a help page over the screen that it explains.
type helpScreen struct {
	screen.Base
	app   *Model
	page  screen.Help
	lines []helpLine
	width int
	top   int
	rows  int
}

type helpLine struct {
	key, text   string
	isHeading   bool
	isContinued bool // in the column beside the keys; key is "" below the first line
}

// openHelpPage opens the help page of the visible screen.
func (a *Model) openHelpPage() tea.Cmd {
	a.CoverOverlay(&helpScreen{app: a, page: a.HelpPage()})
	return nil
}

// layOut breaks the page into lines of at most width columns.
func (v *helpScreen) layOut(width int) {
	if v.width == width {
		return
	}
	v.width, v.lines = width, nil
	add := func(text string) {
		for _, l := range widget.Wrap(text, width) {
			v.lines = append(v.lines, helpLine{text: l})
		}
	}
	head := func(text string) {
		if len(v.lines) > 0 {
			v.lines = append(v.lines, helpLine{})
		}
		v.lines = append(v.lines, helpLine{text: text, isHeading: true})
	}
	paragraphs := func(list []string) {
		for i, p := range list {
			if i > 0 {
				v.lines = append(v.lines, helpLine{})
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
	v.lines = append(v.lines, helpLine{})
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

func (v *helpScreen) addKeys(keys []game.Key) {
	for _, k := range keys {
		for i, l := range widget.Wrap(k.Help, v.width-keyColumn) {
			line := helpLine{text: l, isContinued: true}
			if i == 0 {
				line.key = k.Key
			}
			v.lines = append(v.lines, line)
		}
	}
}

func (v *helpScreen) Handle(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		v.handleKey(msg.String())
		if msg.String() == "o" {
			return v.app.openSettings()
		}
	case tea.MouseWheelMsg:
		if msg.Button == tea.MouseWheelUp {
			v.scroll(-3)
		} else {
			v.scroll(3)
		}
	}
	return nil
}

func (v *helpScreen) handleKey(key string) {
	switch key {
	case "up", "k":
		v.scroll(-1)
	case "down", "j", "enter":
		v.scroll(1)
	case "pgup", "b":
		v.scroll(-v.rows)
	case "pgdown", "space", " ":
		v.scroll(v.rows)
	case "tab":
		v.next()
	case "home", "g":
		v.top = 0
	case "end", "G":
		v.scroll(len(v.lines))
	case "q", "esc", "?":
		v.app.CloseOverlay()
	}
}

func (v *helpScreen) scroll(by int) { v.top = max(min(v.top+by, len(v.lines)-v.rows), 0) }

// next scrolls to the next heading, from the end to the beginning.
func (v *helpScreen) next() {
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
}

func (v *helpScreen) Draw(c paint.Canvas) {
	t := v.app.Style.Theme
	w, h := c.Size()
	widget.DrawHeader(c, v.app.Style.Theme, "Help", v.page.Title, "")
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

func (v *helpScreen) StatusLine() (string, paint.Style) {
	if rest := len(v.lines) - v.top - v.rows; rest > 0 {
		return words.Plural(rest, "more line") + " below", v.app.Style.Theme.Dim
	}
	return "", paint.Style{}
}

func (v *helpScreen) StatusKeys() []game.Key {
	return []game.Key{{Key: "↑↓ Space", Help: "scroll"}, {Key: "Tab", Help: "next part"}, {Key: "o", Help: "settings"}, {Key: "q", Help: "back"}}
}

func (v *helpScreen) Help() screen.Help { return v.page }
