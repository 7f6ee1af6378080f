package linemode

import (
	"strings"
	"testing"
)

func TestConditions(t *testing.T) {
	withHarness(t, func(h *harness) {
		a, b := h.connect("a", ""), h.connect("b", "")
		a.typeLines("ana", "new 7x7 pie=off 3d first=me")
		b.typeLines("bob", "tables", "join 1")
		m := h.onlyMatch()
		a.waitFor()
		b.waitFor()
		a.typeLines("ifs", "if a2-a3 then d1-d2", "b1b2")
		a.waitFor("You have no conditional moves.", "it is your turn; conditional moves answer your opponent's next move", "You move b1 to b2")
		a.typeLines("if clear", "if a2-a3", "if a2-a3 then then", "if a2-a3 then a1-a2", "if a2a3 then d1d2", "if c2-c3 then d1-d2, if a2-a3 then f1-f2", "if a2-a3 then f1-f2")
		a.waitFor("Error: clear needs a number from the list, or all.", "a conditional move is a move of your opponent and your answer", "a conditional move is written like b1-b2 then d5-d4", "Error: ",
			"Conditional move 1: if a2-a3 then d1-d2.", "Conditional move 2: if c2-c3 then d1-d2, if a2-a3 then f1-f2.", "conditional move 1 already answers that move with d1-d2; delete it first")
		a.typeLines("if clear 3", "if clear 2", "ifs")
		a.waitFor("there is no conditional move 3", "Conditional move 1: if a2-a3 then d1-d2.", "Conditional move 1: if a2-a3 then d1-d2.")
		b.typeLines("ifs", "if", "if b1-b2 then a2-a3", "a2a3")
		b.waitFor("You have no conditional moves.", "You have no conditional moves.", "it is your turn", "You move a2 to a3", "ana moves d1 to d2", "Your turn")
		a.waitFor("bob moves a2 to a3", "You move d1 to d2", "Your conditional move was played: d1-d2.", "bob's turn")
		if s := m.Snapshot(); s.Version != 3 {
			t.Errorf("version %d", s.Version)
		}
		a.typeLines("ifs", "if c2-c3 then f1-f2", "if clear all")
		a.waitFor("You have no conditional moves.", "Conditional move 1: if c2-c3 then f1-f2.", "You have no conditional moves.")
	})
}

// TestConditionalMovesAreReportedAtTheNextVisit prints those that were played while the player was away, once.
func TestConditionalMovesAreReportedAtTheNextVisit(t *testing.T) {
	withHarness(t, func(h *harness) {
		a, b := h.connect("a", ""), h.connect("b", "")
		a.typeLines("ana", "new 7x7 pie=off 3d first=me")
		b.typeLines("bob", "tables", "join 1")
		h.onlyMatch()
		b.waitFor()
		a.typeLines("b1b2", "if a2-a3 then d1-d2", "quit")
		a.waitFor("Conditional move 1: if a2-a3 then d1-d2.")
		b.typeLines("a2a3")
		b.waitFor("ana moves d1 to d2")
		a = h.connect("a", "")
		a.waitFor("You are ana.", "Game with bob: your conditional move was played: d1-d2.")
		a.typeLines("quit")
		a = h.connect("a", "")
		a.typeLines("who")
		a.waitFor("You are ana.", "online")
		if strings.Contains(a.output.String(), "conditional") {
			t.Errorf("what was printed is printed again: %s", a.output.String())
		}
	})
}

// TestConditionsOfOtherGames says for which games there are conditions.
func TestConditionsOfOtherGames(t *testing.T) {
	withHarness(t, func(h *harness) {
		first, _, _ := h.pair()
		first.typeLines("ifs", "if b1-b2 then a2-a3")
		first.waitFor("Conditional moves are for correspondence games of two players.", "Error: conditional moves are for correspondence games of two players")
	})
}
