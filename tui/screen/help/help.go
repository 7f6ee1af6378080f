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
	page   screen.Help
	lines  []line
	laid   layout // for which lines were made
	scroll widget.Scroll
}

// layout is what the lines of a page depend on.
type layout struct {
	width, rows int
	style       game.Style
}

// line is one line of a help page.
type line struct {
	key, text   string
	isHeading   bool
	isContinued bool // in the column beside the keys; key is "" below the first line
	// The row of a figure at the left edge; nil: none. The text is then beside it.
	figure *paint.Frame
	row    int
}

// Open shows the help page of the visible screen over it.
func Open(sh *screen.Shell, _ dest.Help) tea.Cmd {
	sh.CoverOverlay(&help{Base: screen.Base{Shell: sh}, page: sh.HelpPage()})
	return nil
}

var bindings = screen.Bindings[*help]{
	screen.ScrollKeys(func(v *help) *widget.Scroll { return &v.scroll }),
	scrollsLike("enter", "down"),
	{Key: screen.Keys("tab", "Tab", ""), Label: "next part", Do: (*help).next},
	{Key: screen.Keys("o", "o", ""), Label: "settings", Do: func(v *help) tea.Cmd { return v.Shell.Open(dest.Settings{}) }},
	{Key: screen.Keys("q esc ?", "q", ""), Label: "back", Do: (*help).close},
}

// layOut breaks the page into lines.
func (v *help) layOut(l layout) {
	if v.laid == l {
		return
	}
	v.laid, v.lines = l, nil
	if v.page.HasBoard { // who plays more often looks for a key than for a rule
		for _, g := range v.page.Games {
			v.addHeading("On the board")
			v.addKeys(g.Keys())
		}
	} else {
		v.addCursorHelp()
	}
	v.addHeading(v.page.Title)
	v.addText(v.page.About)
	v.lines = append(v.lines, line{})
	v.addKeys(v.page.Keys)
	if v.page.HasBoard {
		v.addCursorHelp()
	}
	v.addGames()
}

// addGames adds an example and the rules of each game.
func (v *help) addGames() {
	for _, g := range v.page.Games {
		title := g.Engine().Title()
		if example, ok := g.(game.Illustrator); ok {
			v.addHeading(title + " in short")
			v.addExample(g, example)
		}
		v.addHeading("The rules of " + title)
		v.addParagraphs(g.Rules())
	}
}

func (v *help) addCursorHelp() {
	if len(v.page.CursorHelp) > 0 {
		v.addHeading("At the cursor")
		v.addParagraphs(v.page.CursorHelp)
	}
}

func (v *help) addHeading(text string) {
	if len(v.lines) > 0 {
		v.lines = append(v.lines, line{})
	}
	v.lines = append(v.lines, line{text: text, isHeading: true})
}

func (v *help) addText(text string) {
	for _, l := range widget.Wrap(text, v.laid.width) {
		v.lines = append(v.lines, line{text: l})
	}
}

func (v *help) addParagraphs(list []string) {
	for i, p := range list {
		if i > 0 {
			v.lines = append(v.lines, line{})
		}
		v.addText(p)
	}
}

// keyColumn is the width of the key names.
const keyColumn = 16

func (v *help) addKeys(keys []game.Key) {
	for _, k := range keys {
		for i, l := range widget.Wrap(k.Help, v.laid.width-keyColumn) {
			line := line{text: l, isContinued: true}
			if i == 0 {
				line.key = k.Key
			}
			v.lines = append(v.lines, line)
		}
	}
}

// scrollsLike returns the binding of a key that scrolls like another one.
func scrollsLike(key, other string) screen.Binding[*help] {
	return screen.Binding[*help]{Key: screen.Keys(key, "", ""), Do: func(v *help) tea.Cmd {
		v.scroll.Key(other)
		return nil
	}}
}

func (v *help) Handle(msg tea.Msg) tea.Cmd {
	return bindings.HandleLast(v, v.scroll.Input(msg))
}

func (v *help) close() tea.Cmd {
	v.Shell.CloseOverlay()
	return nil
}

// next scrolls to the next heading, from the end to the beginning.
func (v *help) next() tea.Cmd {
	if v.scroll.Rest() == 0 {
		v.scroll.Key("home")
		return nil
	}
	to := len(v.lines)
	for i, l := range v.lines {
		if l.isHeading && i > v.scroll.Top {
			to = i
			break
		}
	}
	v.scroll.Move(to - v.scroll.Top)
	return nil
}

func (v *help) Draw(c paint.Canvas) {
	t := v.Shell.Style.Theme
	w, h := c.Size()
	widget.DrawHeader(c, t, "Help", v.page.Title, "")
	width := min(w-4, 76)
	v.layOut(layout{width, h - 2, v.Shell.Style})
	from, to := v.scroll.Window(h-2, len(v.lines))
	x := (w - width) / 2
	for y, l := range v.lines[from:to] {
		left := x
		if l.figure != nil {
			fw, _ := l.figure.Size()
			c.Sub(x, y+2, fw, 1).Blit(0, -l.row, l.figure)
			left += fw + figureGap
		}
		switch {
		case l.isHeading:
			c.Text(left, y+2, t.Strong, l.text)
		case l.isContinued:
			c.Text(left, y+2, t.Notice, l.key)
			c.Text(left+keyColumn, y+2, t.Text, l.text)
		default:
			c.Text(left, y+2, t.Text, l.text)
		}
	}
}

func (v *help) StatusLine() (string, paint.Style) {
	if rest := v.scroll.Rest(); rest > 0 {
		return words.Plural(rest, "more line") + " below", v.Shell.Style.Theme.Dim
	}
	return "", paint.Style{}
}

func (v *help) StatusKeys() []game.Key { return bindings.Status(v) }

func (v *help) Help() screen.Help { return v.page }
