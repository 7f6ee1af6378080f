package screen

import (
	"iter"
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/theme"
)

// keyGap is the number of columns after each key of the status bar.
const keyGap = 2

// placedKeys yields as many keys as fit into a status bar of w columns, and always the palette, the help, in all but the narrowest ones Esc, and the last
// one, which is at its right end, each with the column in which it begins.
func placedKeys(keys []game.Key, w int) iter.Seq2[int, game.Key] {
	return func(yield func(int, game.Key) bool) {
		if len(keys) == 0 {
			return
		}
		last := keys[len(keys)-1]
		space := w - 1 - keyWidth(last)
		for _, k := range keys[:len(keys)-1] {
			if isAlwaysPlaced(k, w) {
				space -= keyWidth(k)
			}
		}
		x := 1
		for _, k := range keys[:len(keys)-1] {
			n := keyWidth(k)
			switch {
			case isAlwaysPlaced(k, w): // its space is reserved
			case n > space:
				continue
			default:
				space -= n
			}
			if !yield(x, k) {
				return
			}
			x += n
		}
		yield(w-keyWidth(last)+1, last)
	}
}

// isAlwaysPlaced reports whether a status bar of w columns shows a key before others.
func isAlwaysPlaced(k game.Key, w int) bool {
	return k.Key == helpKey || k.Key == paletteKey || k.Key == leaveKey && w >= minLeaveBar
}

// minLeaveBar is the minimum width of a bar that has space for leaveKey beside what a screen is for.
const minLeaveBar = 56

// leaveKey is the key that leaves a form. Without it in the bar a user would have to guess how.
const leaveKey = "Esc"

// keyWidth returns the number of columns of a key in the status bar, with the gap after it.
func keyWidth(k game.Key) int { return paint.Width(k.Key) + 1 + paint.Width(k.Help) + keyGap }

// badgeWidth returns the number of columns of a badge at the right end of the status bar.
func badgeWidth(badge string) int {
	if badge == "" {
		return 0
	}
	return paint.Width(badge) + 3
}

// drawKeys draws the status bar, with a badge at its right end; "": none.
func drawKeys(c paint.Canvas, t *theme.Theme, keys []game.Key, badge string) {
	w, _ := c.Size()
	c.Fill(0, 0, w, 1, t.Bar, ' ')
	if n := badgeWidth(badge); n > 0 {
		w -= n
		c.Text(w, 0, t.Selected, " "+badge+" ")
	}
	for x, k := range placedKeys(keys, w) {
		n := c.Text(x, 0, t.BarKey, k.Key)
		c.Text(x+n+1, 0, t.Bar, k.Help)
	}
}

// ResolveClick returns the press of the key of the status bar at a click, which then does what the key does;
// otherwise the click.
func (w Window) ResolveClick(click tea.MouseClickMsg) tea.Msg {
	if click.Button != tea.MouseLeft || click.Y != w.Height-1 || w.current == nil || w.Width < MinWidth || w.Height < MinHeight {
		return click
	}
	for x, k := range placedKeys(w.statusKeys(w.Visible()), w.Width-badgeWidth(w.badge())) {
		if at := click.X - x; at >= 0 && at < keyWidth(k)-keyGap {
			if key, ok := pressAt(k.Key, at); ok {
				return key
			}
		}
	}
	return click
}

// namedKeys has the codes of the keys that the status bar shows by a name or a symbol.
var namedKeys = map[string]rune{
	"Enter": tea.KeyEnter, "Esc": tea.KeyEscape, "Tab": tea.KeyTab, "Space": tea.KeySpace,
	"Home": tea.KeyHome, "End": tea.KeyEnd, "PgUp": tea.KeyPgUp, "PgDn": tea.KeyPgDown,
	"←": tea.KeyLeft, "→": tea.KeyRight, "↑": tea.KeyUp, "↓": tea.KeyDown,
	"any key": tea.KeyEnter,
}

// pressAt returns the press of the key at a column of shown, which is one or more keys as the status bar shows
// them: "Enter", "[ ]", "+-". Beside it, where its label is, that is the first of them. ok is false if there is
// none, as in "1-9".
func pressAt(shown string, column int) (press tea.KeyPressMsg, ok bool) {
	if press, ok := pressOf(shown); ok {
		return press, true
	}
	x := 0
	for part := range strings.FieldsSeq(shown) {
		names := []string{part}
		if _, ok := pressOf(part); !ok {
			names = strings.Split(part, "")
			if strings.ContainsFunc(part, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
				return press, false // a range or a description
			}
		}
		for _, name := range names {
			this, known := pressOf(name)
			if !known {
				return press, false
			}
			n := paint.Width(name)
			if !ok || column >= x && column < x+n {
				press, ok = this, true
			}
			x += n
		}
		x++ // the space between the parts
	}
	return press, ok
}

// pressOf returns the press of the key with a name.
func pressOf(name string) (tea.KeyPressMsg, bool) {
	if code, ok := namedKeys[name]; ok {
		return tea.KeyPressMsg{Code: code}, true
	}
	if letter, ok := strings.CutPrefix(name, "Ctrl+"); ok && len(letter) == 1 {
		return tea.KeyPressMsg{Code: rune(letter[0] | 0x20), Mod: tea.ModCtrl}, true
	}
	if r := []rune(name); len(r) == 1 {
		return tea.KeyPressMsg{Code: r[0], Text: name}, true
	}
	return tea.KeyPressMsg{}, false
}
