package widget

import (
	"slices"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"ayumu/tui/paint"
)

// TextField is an input field. The zero value takes no character.
type TextField struct {
	Limit int // the maximum number of characters

	runes  []rune
	cursor int // index into runes
}

// NewTextField returns a field of at most limit characters with a text.
func NewTextField(limit int, text string) *TextField {
	f := &TextField{Limit: limit}
	f.Set(text)
	return f
}

// Text returns the text in the field.
func (f *TextField) Text() string { return string(f.runes) }

// Len returns the number of characters in the field.
func (f *TextField) Len() int { return len(f.runes) }

// Clear removes the text.
func (f *TextField) Clear() { f.runes, f.cursor = nil, 0 }

// Set replaces the text and sets the cursor behind it.
func (f *TextField) Set(s string) {
	f.Clear()
	f.Insert(s)
}

// Insert adds the printable characters of s at the cursor, up to the limit. The lobby cleans texts
// again.
func (f *TextField) Insert(s string) {
	for _, r := range s {
		if len(f.runes) >= f.Limit {
			return
		}
		if unicode.IsSpace(r) {
			r = ' '
		}
		if !unicode.IsGraphic(r) {
			continue
		}
		f.runes = slices.Insert(f.runes, f.cursor, r)
		f.cursor++
	}
}

// Handle processes a key or a paste and reports whether the text may have changed.
func (f *TextField) Handle(msg tea.Msg) bool {
	switch msg := msg.(type) {
	case tea.PasteMsg:
		f.Insert(msg.Content)
		return true
	case tea.KeyPressMsg:
		return f.key(msg)
	}
	return false
}

func (f *TextField) key(msg tea.KeyPressMsg) bool {
	switch msg.String() {
	case "left", "ctrl+b":
		f.cursor = max(f.cursor-1, 0)
	case "right", "ctrl+f":
		f.cursor = min(f.cursor+1, len(f.runes))
	case "home", "ctrl+a":
		f.cursor = 0
	case "end", "ctrl+e":
		f.cursor = len(f.runes)
	case "backspace", "ctrl+h":
		if f.cursor > 0 {
			f.cursor--
			f.cut(f.cursor, f.cursor+1)
		}
		return true
	case "delete", "ctrl+d":
		if f.cursor < len(f.runes) {
			f.cut(f.cursor, f.cursor+1)
		}
		return true
	case "ctrl+u":
		f.cut(0, f.cursor)
		f.cursor = 0
		return true
	case "ctrl+w":
		from := f.cursor
		for from > 0 && f.runes[from-1] == ' ' {
			from--
		}
		for from > 0 && f.runes[from-1] != ' ' {
			from--
		}
		f.cut(from, f.cursor)
		f.cursor = from
		return true
	default:
		if msg.Text != "" && !msg.Mod.Contains(tea.ModAlt) && !msg.Mod.Contains(tea.ModCtrl) {
			f.Insert(msg.Text)
			return true
		}
	}
	return false
}

func (f *TextField) cut(from, to int) {
	f.runes = slices.Delete(f.runes, from, to)
}

// Draw draws the field in the canvas's first row, scrolled so that the cursor is visible. blank is in its empty cells.
func (f *TextField) Draw(c paint.Canvas, s paint.Style, blank rune) {
	from := 0
	for w, _ := c.Size(); from < f.cursor && paint.Width(string(f.runes[from:f.cursor])) >= w; {
		from++
	}
	f.drawFrom(c, s, blank, from)
	c.SetCursor(paint.Width(string(f.runes[from:f.cursor])), 0)
}

// DrawInactive draws the field without a cursor, from its first character on.
func (f *TextField) DrawInactive(c paint.Canvas, s paint.Style, blank rune) {
	f.drawFrom(c, s, blank, 0)
}

// drawFrom draws the field from a character on.
func (f *TextField) drawFrom(c paint.Canvas, s paint.Style, blank rune, from int) {
	w, _ := c.Size()
	c.Fill(0, 0, w, 1, s, blank)
	c.Text(0, 0, s, string(f.runes[from:]))
}
