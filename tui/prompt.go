package tui

import (
	"slices"
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"ayumu/tui/board"
	"ayumu/tui/paint"
	"ayumu/tui/theme"
)

// question is asked once in the line above the keys. A key that is none of its answers dismisses it.
type question struct {
	text    string
	answers []answer
	no      string // what the other keys do
}

type answer struct {
	board.Key
	do func() tea.Cmd
}

// yes asks a question that y answers.
func yes(text, does, no string, do func() tea.Cmd) *question {
	return &question{text: text, no: no, answers: []answer{{board.Key{Key: "y", Does: does}, do}}}
}

func (a *app) ask(q *question) tea.Cmd {
	a.asking, a.line = q, nil
	return nil
}

// confirm asks a question whose answer is usually yes; people can do without such ones. It must
// have a single answer.
func (a *app) confirm(q *question) tea.Cmd {
	if !a.settings.Confirm {
		return q.answers[0].do()
	}
	return a.ask(q)
}

func (a *app) answer(msg tea.Msg) tea.Cmd {
	key, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return nil
	}
	q := a.asking
	a.asking = nil
	for _, an := range q.answers {
		if strings.EqualFold(key.String(), an.Key.Key) {
			return an.do()
		}
	}
	return nil
}

// line is a line of text that is being typed in the line above the keys.
type line struct {
	field
	label string
	does  string // what Enter does
	enter func(text string) tea.Cmd
	stay  bool   // Enter leaves the line open, as in a chat
	wrong string // why the last text was refused, until the next key
}

// drawBelow draws the line in the last row of a canvas, beside its label or what was wrong, or below
// that where it is long.
func (l *line) drawBelow(c paint.Canvas, t *theme.Theme) {
	w, h := c.Size()
	label, s := l.label+": ", t.Note
	if l.wrong != "" {
		label, s = l.wrong+" ", t.Bad
	}
	row := c.Sub(0, h-1, w, 1)
	if n := paint.Width(label); n <= w/2 {
		row.Text(1, 0, s, label)
		row = row.Sub(n, 0, w, 1)
	} else {
		row.Fill(0, 0, w, 1, paint.Style{}, ' ')
		say(c.Sub(0, 0, w, h-1), s, label)
	}
	w, _ = row.Size()
	l.draw(row.Sub(1, 0, w-2, 1), t.Field)
}

func (a *app) typing(l *line) tea.Cmd {
	a.line = l
	return nil
}

func (a *app) typeLine(msg tea.Msg) tea.Cmd {
	l := a.line
	l.wrong = ""
	if key, ok := msg.(tea.KeyPressMsg); ok {
		switch key.String() {
		case "esc":
			a.line = nil
			return nil
		case "enter":
			text := strings.TrimSpace(l.text())
			if text == "" || !l.stay {
				a.line = nil
			}
			if text == "" {
				return nil
			}
			l.clear()
			return l.enter(text)
		}
	}
	l.handle(msg)
	return nil
}

// field is a line of text that is typed. It takes at most limit characters.
type field struct {
	runes []rune
	at    int // the cursor
	limit int
}

func (f *field) text() string { return string(f.runes) }

func (f *field) clear() { f.runes, f.at = nil, 0 }

func (f *field) set(s string) {
	f.clear()
	f.insert(s)
}

// insert adds what can be shown of s, as far as there is room. The lobby cleans texts again.
func (f *field) insert(s string) {
	for _, r := range s {
		if len(f.runes) >= f.limit {
			return
		}
		if unicode.IsSpace(r) {
			r = ' '
		}
		if !unicode.IsGraphic(r) {
			continue
		}
		f.runes = slices.Insert(f.runes, f.at, r)
		f.at++
	}
}

// handle takes a key or a paste; it reports whether the text may have changed.
func (f *field) handle(msg tea.Msg) bool {
	switch msg := msg.(type) {
	case tea.PasteMsg:
		f.insert(msg.Content)
		return true
	case tea.KeyPressMsg:
		return f.key(msg)
	}
	return false
}

func (f *field) key(msg tea.KeyPressMsg) bool {
	switch msg.String() {
	case "left", "ctrl+b":
		f.at = max(f.at-1, 0)
	case "right", "ctrl+f":
		f.at = min(f.at+1, len(f.runes))
	case "home", "ctrl+a":
		f.at = 0
	case "end", "ctrl+e":
		f.at = len(f.runes)
	case "backspace", "ctrl+h":
		if f.at > 0 {
			f.at--
			f.cut(f.at, f.at+1)
		}
		return true
	case "delete", "ctrl+d":
		if f.at < len(f.runes) {
			f.cut(f.at, f.at+1)
		}
		return true
	case "ctrl+u":
		f.cut(0, f.at)
		f.at = 0
		return true
	case "ctrl+w":
		from := f.at
		for from > 0 && f.runes[from-1] == ' ' {
			from--
		}
		for from > 0 && f.runes[from-1] != ' ' {
			from--
		}
		f.cut(from, f.at)
		f.at = from
		return true
	default:
		if msg.Text != "" && !msg.Mod.Contains(tea.ModAlt) && !msg.Mod.Contains(tea.ModCtrl) {
			f.insert(msg.Text)
			return true
		}
	}
	return false
}

func (f *field) cut(from, to int) {
	f.runes = slices.Delete(f.runes, from, to)
}

// draw draws the field over the canvas's first row, scrolled so that the cursor is in view.
func (f *field) draw(c paint.Canvas, s paint.Style) {
	w, _ := c.Size()
	c.Fill(0, 0, w, 1, s, ' ')
	from := 0
	for from < f.at && paint.Width(string(f.runes[from:f.at])) >= w {
		from++
	}
	c.Text(0, 0, s, string(f.runes[from:]))
	c.SetCursor(paint.Width(string(f.runes[from:f.at])), 0)
}
