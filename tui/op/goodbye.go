package op

import (
	"slices"

	"ayumu/tui/words"
)

// Goodbye returns the lines for the terminal of a user who quits. They name a game that continues, and give a guest
// the command that leads back to the seat, alone on its line so that it can be copied. Call it before the session is
// closed.
func (c *Visit) Goodbye() []string {
	me := c.Session.Account()
	line := "Goodbye, " + me.Name + "."
	if m := c.LiveMatch(); m != nil {
		line += " Your game " + words.WithOpponents(m.Info, me.ID) + " continues; reconnect soon."
	}
	lines := []string{line}
	if code := c.Session.ReturnCode(); code != "" && c.SSHTarget != "" && slices.ContainsFunc(c.Session.SeatedMatches(), c.Session.IsPlaying) {
		lines = append(lines, "To return to your seat:", "ssh -l "+code+" "+c.SSHTarget)
	}
	return lines
}
