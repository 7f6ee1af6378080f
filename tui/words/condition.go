package words

import (
	"strings"

	"ayumu/lobby/match"
	"ayumu/tui/game"
)

// Condition describes a condition: "if b1-b2 then d5-d4, if a1-a2 then c3-c4".
func Condition(c match.Condition, g game.Game) string {
	var b strings.Builder
	for i, t := range c {
		switch isOwn := t.Seat == c[len(c)-1].Seat; {
		case isOwn && i > 0 && c[i-1].Seat == t.Seat:
			b.WriteString(" and ")
		case isOwn:
			b.WriteString(" then ")
		case i > 0:
			b.WriteString(", if ")
		default:
			b.WriteString("if ")
		}
		b.WriteString(g.ShortTurn(t.Actions))
	}
	return b.String()
}
