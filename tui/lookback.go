package tui

import (
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"
)

// handleHistoryKey handles the keys that step through the turns. The left and right arrows do so only
// where they do not move a cursor.
func (v *matchScreen) handleHistoryKey(key string) (tea.Cmd, bool) {
	arrows := v.Player == nil || v.Snapshot.IsOver() || v.isReviewing
	switch {
	case key == "[" || key == "," || key == "pgup" || key == "left" && arrows:
		return v.stepHistory(-1), true
	case key == "]" || key == "." || key == "pgdown" || key == "right" && arrows:
		return v.stepHistory(1), true
	case key == "home":
		return v.stepHistory(-len(v.turnRecord.entries)), true
	case key == "end":
		return v.stepHistory(len(v.turnRecord.entries)), true
	case key == "#":
		return v.askTurn(), true
	case key == "P":
		return v.togglePlayThrough(time.Now()), true
	case key == "V":
		return v.startVariation(), true
	}
	return nil, false
}

// stepHistory moves by a number of turns, backwards if negative. The last turn returns to the live
// position.
func (v *matchScreen) stepHistory(by int) tea.Cmd {
	if v.variation != nil {
		v.variation.step(by)
		v.showPosition()
		return nil
	}
	newest := len(v.turnRecord.entries)
	if len(v.turnRecord.positions()) != newest+1 {
		v.app.NotifyError("the earlier positions cannot be shown")
		return nil
	}
	at := newest
	if v.isReviewing {
		at = v.ply
	}
	v.ply = max(min(at+by, newest), 0)
	v.isReviewing = v.ply < newest
	v.showPosition()
	return nil
}

// behindText describes the reviewed position: "Turn 6 of 9. End: back to the live position."
func (v *matchScreen) behindText() string {
	turn := fmt.Sprintf("Turn %d of %d.", v.turnsAt(v.ply), v.Snapshot.Turns)
	if v.Snapshot.IsOver() {
		return turn + " End: last position."
	}
	return turn + " End: back to the live position."
}
