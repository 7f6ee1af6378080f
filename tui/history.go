package tui

import (
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"
)

// historyKey takes the keys that look back. The left and right arrows do so only where they have
// no cursor to move.
func (v *matchView) historyKey(key string) (tea.Cmd, bool) {
	arrows := v.player == nil || v.snap.Over() || v.back
	switch {
	case key == "[" || key == "," || key == "pgup" || key == "left" && arrows:
		return v.step(-1), true
	case key == "]" || key == "." || key == "pgdown" || key == "right" && arrows:
		return v.step(1), true
	case key == "home":
		return v.step(-len(v.record.entries)), true
	case key == "end":
		return v.step(len(v.record.entries)), true
	case key == "#":
		return v.jump(), true
	case key == "P":
		return v.playThrough(time.Now()), true
	case key == "V":
		return v.try(), true
	}
	return nil, false
}

// step looks so many turns further back or on; the end follows the game again.
func (v *matchView) step(by int) tea.Cmd {
	if v.trial != nil {
		v.trial.step(by)
		v.showPosition()
		return nil
	}
	newest := len(v.record.entries)
	if len(v.record.positions()) != newest+1 {
		v.app.complain("the earlier positions cannot be shown")
		return nil
	}
	at := newest
	if v.back {
		at = v.ply
	}
	v.ply = max(min(at+by, newest), 0)
	v.back = v.ply < newest
	v.showPosition()
	return nil
}

// behind says where somebody is who looks back: "3 behind, End to follow".
func (v *matchView) behind() string {
	if v.snap.Over() {
		return "End leads to the last position"
	}
	return fmt.Sprintf("%d behind, End to follow", len(v.record.entries)-v.ply)
}
