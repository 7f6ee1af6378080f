// Package puzzlestest has puzzles for tests: one with each form of an answer.
package puzzlestest

import (
	"math/rand/v2"
	"os"
	"slices"
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

// allVariable names the variable of the environment with which Sample returns all puzzles that ship. .ci/long sets it.
const allVariable = "AYUMU_ALL_PUZZLES"

// sampleSize is the number of puzzles of each theme in a sample.
const sampleSize = 2

// Shipped returns all puzzles that ship.
func Shipped(tb testing.TB) []puzzle.Puzzle {
	tb.Helper()
	all, err := puzzle.Read(strings.NewReader(ayupuzzle.Shipped + mupuzzle.Shipped))
	if err != nil {
		tb.Fatal(err)
	}
	return all
}

// Sample returns puzzles that ship: some of each theme, drawn with a fixed seed, or all of them where the environment asks for
// that.
func Sample(tb testing.TB) (all []puzzle.Puzzle) {
	tb.Helper()
	shipped := Shipped(tb)
	if os.Getenv(allVariable) != "" {
		return shipped
	}
	taken := make(map[string]int)
	for _, i := range rand.New(rand.NewPCG(1, 2)).Perm(len(shipped)) {
		if p := shipped[i]; taken[p.Theme] < sampleSize {
			taken[p.Theme]++
			all = append(all, p)
		}
	}
	return all
}

// OnlyOf returns a collection of one puzzle.
func OnlyOf(tb testing.TB, p puzzle.Puzzle) *puzzles.Collection {
	tb.Helper()
	c, err := puzzles.New(enginetest.Games, Themes, []puzzle.Puzzle{p})
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

// OwnTurns returns what the solver enters to solve a puzzle: the turns of a line, or all actions of a set, or a side.
func OwnTurns(p *puzzle.Puzzle) (all [][]string) {
	for _, t := range p.Line {
		all = append(all, t.Actions)
	}
	if p.Goal != puzzle.GoalLine {
		all = append(all, p.Solution())
	}
	return all
}

// WrongAnswer returns an answer that can be played and does not solve a puzzle, a whole turn of a line.
func WrongAnswer(tb testing.TB, p *puzzle.Puzzle) []string {
	tb.Helper()
	if p.Goal == puzzle.GoalSide {
		return []string{map[string]string{"b": "w", "w": "b"}[p.Side]}
	}
	start, err := p.Start(enginetest.Games)
	if err != nil {
		tb.Fatal(err)
	}
	for seed := range uint64(1000) {
		r, at := rand.New(rand.NewPCG(seed, 0)), start
		var turn []string
		for len(turn) == 0 || at.MidTurn() {
			legal := at.Legal()
			action := legal[r.IntN(len(legal))]
			if at, err = at.Play(action); err != nil {
				tb.Fatal(err)
			}
			turn = append(turn, action)
		}
		if o, err := Themes.Answer(enginetest.Games, p, turn); err == nil && o.Wrong {
			return turn
		}
	}
	tb.Fatalf("%s: nothing is wrong", p.ID)
	return nil
}

// CheckLines plays the lines of a solution, and checks that those that show a win end with it.
func CheckLines(tb testing.TB, p *puzzle.Puzzle, lines [][]string) {
	tb.Helper()
	start, err := p.Start(enginetest.Games)
	if err != nil {
		tb.Fatal(err)
	}
	if len(lines) == 0 {
		tb.Errorf("%s %s: no lines", p.Theme, p.ID)
	}
	for _, line := range lines {
		at := start
		for _, action := range line {
			if at, err = at.Play(action); err != nil {
				tb.Errorf("%s %s: %v: %v", p.Theme, p.ID, line, err)
				return
			}
		}
		winner := p.Turn
		switch {
		case p.Theme == "trap" || p.Theme == "race" && (p.Side == "b") != (p.Turn == 0):
			winner = 1 - p.Turn
		case p.Theme != "finish" && p.Theme != "race":
			continue
		}
		if r, over := at.Result(); !over || !slices.Equal(r.Winners, []int{winner}) {
			tb.Errorf("%s %s: %v does not end with the win of seat %d: %+v", p.Theme, p.ID, line, winner, r)
		}
	}
}
