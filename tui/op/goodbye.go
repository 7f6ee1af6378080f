package op

import (
	"slices"

	"ayumu/tui/words"
)

// Goodbye returns the lines for the terminal of a user who quits. They name a game that continues, and give a guest
// the command that leads back to the seat, alone on its line so that it can be copied. Call it before the session is
// closed.
func (v *Visit) Goodbye() []string {
	me := v.Session.Account()
	line := "Goodbye, " + me.Name + "."
	switch m := v.LiveMatch(); {
	case m != nil && v.IsOffline():
		line += " Your game " + words.WithOpponents(m.Info, me.ID) + " waits for you; its clock is stopped."
	case m != nil:
		line += " Your game " + words.WithOpponents(m.Info, me.ID) + " continues; reconnect soon."
	}
	lines := []string{line}
	if code := v.Session.ReturnCode(); code != "" && v.SSHTarget != "" && slices.ContainsFunc(v.Session.SeatedMatches(), v.Session.IsPlaying) {
		lines = append(lines, "To return to your seat:", "ssh -l "+code+" "+v.SSHTarget)
	}
	return lines
}
