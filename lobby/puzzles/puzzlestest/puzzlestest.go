// Package puzzlestest has puzzles for tests: one with each form of an answer.
package puzzlestest

import (
	"strings"
	"testing"

	ayupuzzle "ayumu/engine/ayu/puzzle"
	"ayumu/engine/enginetest"
	mupuzzle "ayumu/engine/mu/puzzle"
	"ayumu/engine/puzzle"
	"ayumu/lobby/puzzles"
)

// Themes are those of all games.
var Themes = puzzle.Themes{"ayu": ayupuzzle.Themes, "mu": mupuzzle.Themes}

// IDs of the puzzles, by the form of the answer.
const (
	LineID = "da19da14" // b1-f6, the reply b3-e7, c1-g6
	SetID  = "bef60e35" // c5-e6
	SideID = "0730e10f" // b
)

const lines = `{"id":"da19da14","game":"ayu","position":"7 w ...x.../.xxxo../.x.xox./.xooox./.x.o.xo/..oo.xo/.oo....","turn":1,"theme":"finish","goal":"line","number":4,"effort":256,"line":[{"actions":["b1-f6"],"reply":["b3-e7"]},{"actions":["c1-g6"]}]}
{"id":"bef60e35","game":"ayu","position":"7 b ...x.../..ox.../..xxo../oooxoo./.xoxox./.xooox./...x.x.","turn":0,"theme":"trap","goal":"set","effort":24,"set":["c5-e6"]}
{"id":"0730e10f","game":"ayu","position":"7 b ...xx../..o.x../..o.xxo/ooo..oo/oxoxxxo/.xxo.../..x....","turn":0,"theme":"race","goal":"side","effort":64,"side":"b"}`

// Puzzles returns the puzzles.
func Puzzles(tb testing.TB) []puzzle.Puzzle {
	tb.Helper()
	all, err := puzzle.Read(strings.NewReader(lines))
	if err != nil {
		tb.Fatal(err)
	}
	return all
}

// Collection returns a collection of the puzzles.
func Collection(tb testing.TB) *puzzles.Collection {
	tb.Helper()
	c, err := puzzles.New(enginetest.Games, Themes, Puzzles(tb))
	if err != nil {
		tb.Fatal(err)
	}
	return c
}
