package screen

import (
	"testing"

	tea "charm.land/bubbletea/v2"

	"ayumu/tui/game"
)

func TestPressAt(t *testing.T) {
	for _, c := range []struct {
		shown  string
		column int
		want   string // the name of the key; "" for none
	}{
		{"e", 0, "e"}, {"e", 5, "e"}, {"P", 0, "P"}, {"?", 1, "?"},
		{"Enter", 3, "enter"}, {"Esc", 9, "esc"}, {"Space", 0, "space"}, {"PgDn", 0, "pgdown"}, {"Ctrl+L", 2, "ctrl+l"},
		{"[ ]", 0, "["}, {"[ ]", 2, "]"}, {"[ ]", 6, "["},
		{"+-", 0, "+"}, {"+-", 1, "-"}, {"←→", 1, "right"}, {"↑↓ Space", 0, "up"}, {"↑↓ Space", 5, "space"},
		{"any key", 4, "enter"},
		{"1-9", 0, ""}, {"arrows", 0, ""}, {"", 0, ""},
	} {
		press, ok := pressAt(c.shown, c.column)
		if got := press.String(); ok != (c.want != "") || ok && got != c.want {
			t.Errorf("column %d of %q presses %q, %t; want %q", c.column, c.shown, got, ok, c.want)
		}
	}
}

// TestClicksMeetTheStatusBar clicks on each column of status bars of several widths.
func TestClicksMeetTheStatusBar(t *testing.T) {
	keys := []game.Key{{Key: "Enter", Help: "choose"}, {Key: "e", Help: "end turn"}, {Key: "[ ]", Help: "review"}, {Key: "x", Help: "a label that is far too long for a narrow status bar"}, {Key: "?", Help: "help"}}
	for _, width := range []int{60, 80, 200} {
		w := Window{&Shell{Width: width, Height: 24, current: keyScreen{keys: keys}}}
		pressed := make(map[string]int)
		for x := range width {
			if key, ok := w.ResolveClick(tea.MouseClickMsg{X: x, Y: 23, Button: tea.MouseLeft}).(tea.KeyPressMsg); ok {
				pressed[key.String()]++
			}
			for _, other := range []tea.MouseClickMsg{{X: x, Y: 22, Button: tea.MouseLeft}, {X: x, Y: 23, Button: tea.MouseRight}} {
				if _, ok := w.ResolveClick(other).(tea.MouseClickMsg); !ok {
					t.Errorf("the click %+v is taken for a key", other)
				}
			}
		}
		if pressed["enter"] != len("Enter choose") || pressed["e"] != len("e end turn") || pressed["]"] != 1 || pressed["?"] != len("? help") {
			t.Errorf("in %d columns the keys have the widths %v", width, pressed)
		}
		if fits := width == 200; (pressed["x"] > 0) != fits {
			t.Errorf("in %d columns x has %d columns", width, pressed["x"])
		}
	}
}

// TestHelpIsInTheNarrowestStatusBar checks that the help and the last key are always visible.
func TestHelpIsInTheNarrowestStatusBar(t *testing.T) {
	keys := []game.Key{{Key: "l", Help: "add key"}, {Key: "x", Help: "remove key"}, {Key: "n", Help: "rename"}, {Key: "?", Help: "help"}, {Key: "q", Help: "back"}}
	shown := ""
	end := 0
	for x, k := range placedKeys(keys, MinWidth) {
		if x < end {
			t.Errorf("the key %s at column %d covers the one before it", k.Key, x)
		}
		end = x + keyWidth(k) - keyGap
		shown += k.Key
	}
	if shown != "ln?q" || end >= MinWidth {
		t.Errorf("the keys %s end in column %d", shown, end)
	}
}

// keyScreen is a screen with keys in its status bar.
type keyScreen struct {
	Screen
	keys []game.Key
}

func (s keyScreen) StatusKeys() []game.Key { return s.keys }
