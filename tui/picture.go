package tui

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/screen"
	"ayumu/tui/widget"
)

// The maximum size of an operator's picture, which fits a window of 80×24.
const (
	pictureWidth  = 76
	pictureHeight = 12
)

// ReadPicture parses a picture made of characters: at most 12 lines of at most 76 columns. It returns
// an error that names the line for characters that are unsafe on a terminal or whose width is
// uncertain.
func ReadPicture(text string) ([]string, error) {
	var lines []string
	for i, l := range strings.Split(strings.TrimRight(text, " \r\n"), "\n") {
		l = strings.TrimRight(l, " \r")
		if len(lines) == pictureHeight {
			return nil, fmt.Errorf("line %d: a picture has at most %d lines", i+1, pictureHeight)
		}
		if !utf8.ValidString(l) {
			return nil, fmt.Errorf("line %d: it is not UTF-8", i+1)
		}
		for _, r := range l {
			if !unicode.IsGraphic(r) || unicode.Is(unicode.M, r) || r != ' ' && unicode.IsSpace(r) || r == utf8.RuneError || paint.Width(string(r)) != 1 {
				return nil, fmt.Errorf("line %d: the character %U cannot be in a picture", i+1, r)
			}
		}
		if n := paint.Width(l); n > pictureWidth {
			return nil, fmt.Errorf("line %d: it has %d columns; a picture has at most %d", i+1, n, pictureWidth)
		}
		lines = append(lines, l)
	}
	if len(lines) == 1 && lines[0] == "" {
		return nil, nil
	}
	return lines, nil
}

// pictureSize returns the size of the picture; 0, 0 if there is none or this terminal cannot show it.
func (a *Model) pictureSize() (w, h int) {
	for _, l := range a.Config.Picture {
		if a.Style.ASCII && !paint.HasASCII(l) {
			return 0, 0
		}
		w = max(w, paint.Width(l))
	}
	return w, len(a.Config.Picture)
}

// drawPicture draws the picture horizontally centred from row y on, if it fits into rows rows, and
// returns the rows used.
func (a *Model) drawPicture(c paint.Canvas, y, rows int) int {
	w, _ := c.Size()
	pw, ph := a.pictureSize()
	if ph == 0 || ph > rows || pw > w {
		return 0
	}
	for i, l := range a.Config.Picture {
		c.Text((w-pw)/2, y+i, a.Style.Theme.Text, l)
	}
	return ph
}

// welcomeColumn returns the text column of a welcome screen, below the picture if both fit. rows is the
// height of the text.
func (a *Model) welcomeColumn(c paint.Canvas, rows int) widget.TextColumn {
	w, h := c.Size()
	if n := a.drawPicture(c, 2, h-rows-3); n > 0 {
		c = c.Sub(0, n+1, w, h-n-1)
		width := min(widget.ColumnWidth, w-4)
		return widget.TextColumn{Canvas: c.Sub((w-width)/2, 1, width, h), Width: width}
	}
	return widget.NewTextColumn(c)
}

// The maximum height of the texts of the welcome screens.
const welcomeRows = 14

// showWelcome opens a welcome screen, after one with the picture if both do not fit on one.
func (a *Model) showWelcome(next screen.Screen) tea.Cmd {
	if pw, ph := a.pictureSize(); ph > 0 && ph <= a.Height-5 && pw <= a.Width && ph > a.Height-2-welcomeRows-3 {
		return a.Show(&welcomeScreen{app: a, next: next})
	}
	return a.Show(next)
}

// welcomeScreen shows the picture and the operator's message before the next screen.
type welcomeScreen struct {
	screen.Base
	app  *Model
	next screen.Screen
}

func (v *welcomeScreen) Handle(msg tea.Msg) tea.Cmd {
	key, ok := msg.(tea.KeyPressMsg)
	switch {
	case !ok:
		return nil
	case key.String() == "q" || key.String() == "esc":
		return v.app.Quit()
	}
	return v.app.Show(v.next)
}

func (v *welcomeScreen) Draw(c paint.Canvas) {
	a := v.app
	widget.DrawHeader(c, a.Style.Theme, a.Config.Site(), a.Config.SSHCommand(), "welcome")
	w, h := c.Size()
	_, ph := a.pictureSize()
	y := max((h-ph-3)/2, 2)
	y += a.drawPicture(c, y, h-y) + 1
	for _, l := range widget.Wrap(a.Config.Message, w-4) {
		c.Text((w-paint.Width(l))/2, y, a.Style.Theme.Text, l)
		y++
	}
}

func (v *welcomeScreen) StatusLine() (string, paint.Style) {
	return "Press Enter to continue.", v.app.Style.Theme.Notice
}

func (v *welcomeScreen) StatusKeys() []game.Key {
	return []game.Key{{Key: "Enter", Help: "continue"}, {Key: "q", Help: "quit"}}
}

func (v *welcomeScreen) Help() screen.Help { return screen.Help{} }
