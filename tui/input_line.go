package tui

import (
	"slices"
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/theme"
)

// question is asked in the line above the status bar. A key that is none of its answers dismisses it.
type question struct {
	text    string
	answers []answer
	dismiss string // label of all other keys
}

type answer struct {
	game.Key
	do func() tea.Cmd
}

// yesNo returns a question that y confirms. yes and no label the keys.
func yesNo(text, yes, no string, do func() tea.Cmd) *question {
	return &question{text: text, dismiss: no, answers: []answer{{game.Key{Key: "y", Help: yes}, do}}}
}

func (a *app) ask(q *question) tea.Cmd {
	a.question, a.prompt = q, nil
	return nil
}

// confirm asks a question that users can switch off in the settings; then it is answered with its only
// answer.
func (a *app) confirm(q *question) tea.Cmd {
	if !a.settings.Confirm {
		return q.answers[0].do()
	}
	return a.ask(q)
}

func (a *app) answerQuestion(msg tea.Msg) tea.Cmd {
	key, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return nil
	}
	q := a.question
	a.question = nil
	for _, an := range q.answers {
		if strings.EqualFold(key.String(), an.Key.Key) {
			return an.do()
		}
	}
	return nil
}

// prompt is an input line above the status bar.
type prompt struct {
	textField
	label     string
	enterHelp string // label of Enter
	enter     func(text string) tea.Cmd
	staysOpen bool   // Enter keeps the line open, as in a chat
	failure   string // why the last text was refused; cleared by the next key
}

// drawBelow draws the line in the last row of a canvas, beside its label or its failure, or below that
// if it is long.
func (l *prompt) drawBelow(c paint.Canvas, t *theme.Theme) {
	w, h := c.Size()
	label, s := l.label+": ", t.Notice
	if l.failure != "" {
		label, s = l.failure+" ", t.Bad
	}
	row := c.Sub(0, h-1, w, 1)
	if n := paint.Width(label); n <= w/2 {
		row.Text(1, 0, s, label)
		row = row.Sub(n, 0, w, 1)
	} else {
		row.Fill(0, 0, w, 1, paint.Style{}, ' ')
		drawWrapped(c.Sub(0, 0, w, h-1), s, label)
	}
	w, _ = row.Size()
	l.draw(row.Sub(1, 0, w-2, 1), t.Field)
}

func (a *app) openPrompt(l *prompt) tea.Cmd {
	a.prompt = l
	return nil
}

func (a *app) handlePrompt(msg tea.Msg) tea.Cmd {
	l := a.prompt
	l.failure = ""
	if key, ok := msg.(tea.KeyPressMsg); ok {
		switch key.String() {
		case "esc":
			a.prompt = nil
			return nil
		case "enter":
			text := strings.TrimSpace(l.text())
			if text == "" || !l.staysOpen {
				a.prompt = nil
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

// textField is an input field for at most limit characters.
type textField struct {
	runes  []rune
	cursor int // index into runes
	limit  int
}

func (f *textField) text() string { return string(f.runes) }

func (f *textField) clear() { f.runes, f.cursor = nil, 0 }

func (f *textField) set(s string) {
	f.clear()
	f.insert(s)
}

// insert adds the printable characters of s at the cursor, up to the limit. The lobby cleans texts
// again.
func (f *textField) insert(s string) {
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
		f.runes = slices.Insert(f.runes, f.cursor, r)
		f.cursor++
	}
}

// handle processes a key or a paste and reports whether the text may have changed.
func (f *textField) handle(msg tea.Msg) bool {
	switch msg := msg.(type) {
	case tea.PasteMsg:
		f.insert(msg.Content)
		return true
	case tea.KeyPressMsg:
		return f.key(msg)
	}
	return false
}

func (f *textField) key(msg tea.KeyPressMsg) bool {
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
			f.insert(msg.Text)
			return true
		}
	}
	return false
}

func (f *textField) cut(from, to int) {
	f.runes = slices.Delete(f.runes, from, to)
}

// draw draws the field in the canvas's first row, scrolled so that the cursor is visible.
func (f *textField) draw(c paint.Canvas, s paint.Style) {
	w, _ := c.Size()
	c.Fill(0, 0, w, 1, s, ' ')
	from := 0
	for from < f.cursor && paint.Width(string(f.runes[from:f.cursor])) >= w {
		from++
	}
	c.Text(0, 0, s, string(f.runes[from:]))
	c.SetCursor(paint.Width(string(f.runes[from:f.cursor])), 0)
}
