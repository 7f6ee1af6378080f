package tui

import (
	"fmt"
	"testing"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/clock"
	"ayumu/tui/ayuboard"
	"ayumu/tui/paint"
)

// crowdSize is how many look at the same thing.
const crowdSize = 1000

// crowd opens the screens of so many people, on two kinds of terminals.
func (h *house) crowd(open string) (all []*screen) {
	for i := range crowdSize {
		s := setting{name: fmt.Sprintf("w%d", i), open: open, profile: paint.Profile{Colors: paint.Colors256}}
		if i%2 == 1 {
			s.profile.ASCII = true
		}
		h.account(s.name)
		all = append(all, h.visit(s))
	}
	return all
}

// TestBoardsAreDrawnOnce has a crowd of two looks watch a turn: the board's rows are drawn twice.
func TestBoardsAreDrawnOnce(t *testing.T) {
	inHouse(t, func(h *house) {
		m := h.match("ana", "bob", `{"size":11}`, clock.Default)
		all := h.crowd("watch " + m.Info.ID)
		before := ayuboard.Drawn()
		h.play(m, "b1-b2")
		for _, d := range all {
			d.settle()
			d.has("b1-b2")
		}
		if n := ayuboard.Drawn() - before; n != 2 {
			t.Errorf("for %d watchers with two looks the board was drawn %d times", len(all), n)
		}
	})
}

// TestListsAreDrawnOnce has a crowd of two looks see a new table.
func TestListsAreDrawnOnce(t *testing.T) {
	inHouse(t, func(h *house) {
		h.member("ana")
		all := h.crowd("")
		<-time.After(5 * time.Second) // until all have been told of all
		for _, d := range all {
			d.settle()
		}
		before := drawings.Made()
		h.open("ana", lobby.Proposal{Game: "ayu"})
		<-time.After(5 * time.Second)
		for _, d := range all {
			d.settle()
			d.has("1001 here", "ana 1500?")
		}
		if n := drawings.Made() - before; n < 4 || n > 8 { // the tables again if they have become older meanwhile
			t.Errorf("for %d people with two looks the tables and the people were drawn %d times, not 4", len(all), n)
		}
	})
}
