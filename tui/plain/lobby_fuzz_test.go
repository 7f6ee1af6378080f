package plain

import (
	"testing"

	"ayumu/lobby"
	"ayumu/tui/game/gametest"
)

// FuzzTable: a table that can be typed is one that the lobby knows how to open.
func FuzzTable(f *testing.F) {
	for _, text := range []string{"", "9x9 10+5 rated to bob", "mu players=3", "ayu pie=off private", "delay=20", "delay=21", "delay=-0", "to",
		"mu 6 8 2d casual", "=", "pie=", "15x15 none delay=", "to to to", "any 5+5 rated", "mu 4x2 first=me", "first=who"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		typed, err := parseTerms(gametest.Games, text)
		if err != nil {
			return
		}
		p, bot, quick := typed.proposal(gametest.Games), typed.botGame(gametest.Games, 1), typed.quickMatch(gametest.Games)
		if c := quick.Control(); (c == nil) != (typed.control == nil) || c != nil && *c != *typed.control {
			t.Errorf("%q as a quick match is %+v", text, quick)
		}
		if g, ok := gametest.Games.Engine().ByName(quick.Game); ok {
			if _, err := g.ParseOptions(quick.Options); err != nil {
				t.Errorf("%q as a quick match has %s, %v", text, quick.Options, err)
			}
		}
		against := lobby.Proposal{Game: bot.Game, Options: bot.Options, Clock: bot.Control()}
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
