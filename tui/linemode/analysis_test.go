package linemode

import (
	"testing"
	"time"
)

// TestAnalysisInLines analyzes a finished game: the engine prefers the first legal turns, after which it sees a chance of
// 0.6 for the seat that moved, and of 0.75 for the seat to move.
func TestAnalysisInLines(t *testing.T) {
	withHarness(t, func(h *harness) {
		h.newBots(&countingEngine{takes: 10 * time.Millisecond})
		defer h.bots.Close()
		first, second, m := h.pair()
		first.typeLines("analysis", "d1d2")
		first.waitFor("still running")
		second.typeLines("c2c3", "resign", "yes")
		second.waitFor("wins")
		w := h.connect("w", "")
		w.typeLines("zoe", "replay", "replay 1", "analysis")
		w.waitFor("Waiting for the engine. The result is printed when it is ready.", "The analysis is done. Costliest moves (estimated): 1 (-35%), 2 (-35%).")
		w.typeLines("analysis b1b2", "analysis chances", "turn", "turn 2", "turn 0")
		w.waitFor("First type analysis next", m.Info.Seats[0].Name+"'s chance is about 75 percent at the start", "1: 25, 2: 75.",
			"Turn 1: ", m.Info.Seats[0].Name+"'s chance is about 25%", "Blunder: about -35%.", "Turn 2: ", "The start of the game.", "Chances: ")
		w.typeLines("analysis next", "analysis zz", "analysis d1d2", "analysis f1f2")
		w.waitFor("Turn 1 cost about 35 percent. ", "You are Black.", "Type analysis and your move, or analysis solution.", "Error: ", "That is the move that was played", "only one hint a second")
		<-time.After(2 * time.Second)
		w.typeLines("analysis f1f2")
		w.waitFor("Not better by enough: f1-f2 gives a chance of about 25%.")
		<-time.After(2 * time.Second)
		w.typeLines("analysis b1b2", "analysis next", "analysis solution", "analysis next")
		w.waitFor("Better: b1-b2 gives a chance of about 60%", "The engine would play b1-b2", "Type analysis next.", "Turn 2 cost about 35 percent. ", "The engine would play ", "no more moves")
		w.typeLines("lobby", "analysis")
		w.waitFor("You are in the lobby.", "That works only in a game.")
	})
}
