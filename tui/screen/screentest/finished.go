package screentest

import (
	"time"

	"ayumu/engine"
	"ayumu/engine/enginetest"
	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/clock"
	"ayumu/lobby/match"
	"ayumu/lobby/rating"
)

// FinishedMatches returns matches of a player that ended for different reasons.
func FinishedMatches(player account.ID, name string) (matches []lobby.FinishedMatch) {
	day := time.Date(2026, 11, 20, 20, 0, 0, 0, time.UTC)
	g, _ := enginetest.Games.ByName("ayu")
	options, err := g.ParseOptions(nil)
	if err != nil {
		panic(err)
	}
	other := match.Seat{Account: player + 1, Name: "frederic-der-gro", Rating: &rating.Rating{Value: 1620, Deviation: 300}}
	for i, reason := range []string{engine.ReasonImmobile, engine.ReasonResign, engine.ReasonTime, engine.ReasonDraw, engine.ReasonLeft} {
		f := lobby.FinishedMatch{Ended: day.Add(time.Duration(-i) * 30 * time.Hour), Turns: 9 + 13*i, Result: engine.Result{Winners: []int{i % 2}, Reason: reason}}
		if reason == engine.ReasonDraw {
			f.Result.Winners = []int{0, 1}
		}
		f.Info = &match.Info{ID: "abcdefg", Game: g.Name(), Options: options, Control: clock.Default, Seats: []match.Seat{{Account: player, Name: name}, other}}
		matches = append(matches, f)
	}
	return matches
}
