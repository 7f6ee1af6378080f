package plain

import (
	"testing"

	"ayumu/lobby"
	"ayumu/tui/game/gametest"
)

// FuzzTable: a table that can be typed is one that the lobby knows how to open.
func FuzzTable(f *testing.F) {
	for _, text := range []string{"", "9x9 10+5 rated to bob", "mu players=3", "ayu pie=off private", "delay=20", "delay=21", "delay=-0", "to",
		"mu 6 8 2d casual", "=", "pie=", "15x15 none delay=", "to to to"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := parseProposal(gametest.Games, text, false)
		against, bad := parseProposal(gametest.Games, text, true)
		if (err == nil) != (bad == nil) {
			t.Errorf("%q: %v, against a bot %v", text, err, bad)
		}
		if err != nil {
			return
		}
		game, _ := gametest.Games.Engine().ByName(p.Game)
		if seats, err := against.Seats(game); err != nil || seats < 2 || against.Clock.Check() != nil {
			t.Errorf("%q against a bot is %+v, %v", text, against, err)
		}
		if seats, err := p.Seats(game); err != nil || seats < 2 {
			t.Errorf("%q has %d seats, %v", text, seats, err)
		}
		if p.Delay < 0 || p.Delay > lobby.MaxDelay || p.Clock.Check() != nil {
			t.Errorf("%q is %+v", text, p)
		}
	})
}
