package tui_test

import (
	"fmt"
	"testing"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/clock"
	"ayumu/tui"
	"ayumu/tui/game/ayu"
	"ayumu/tui/paint"
	"ayumu/tui/screen/screentest"
)

// screenCount is the number of sessions that show the same.
const screenCount = 1000

// manyScreens opens screenCount screens, on two kinds of terminals.
func manyScreens(h *screentest.Harness, open string) (all []*screentest.Session) {
	for i := range screenCount {
		s := screentest.Setting{Name: fmt.Sprintf("w%d", i), Open: open, Profile: paint.Profile{Colors: paint.Colors256}}
		if i%2 == 1 {
			s.Profile.ASCII = true
		}
		h.Account(s.Name)
		all = append(all, h.Visit(s))
	}
	return all
}

// TestBoardsAreDrawnOnce has many spectators with two styles watch a turn: the board is drawn twice.
func TestBoardsAreDrawnOnce(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		m := h.StartMatch("ana", "bob", `{"size":11}`, clock.Default)
		all := manyScreens(h, "watch "+m.Info.ID)
		before := ayu.FramesDrawn()
		h.Play(m, "b1-b2")
		for _, d := range all {
			d.Drain()
			d.WantText("b1-b2")
		}
		if n := ayu.FramesDrawn() - before; n != 2 {
			t.Errorf("for %d spectators with two styles the board was drawn %d times", len(all), n)
		}
	})
}

// TestListsAreDrawnOnce has many users with two styles see a new table.
func TestListsAreDrawnOnce(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		h.Member("ana")
		all := manyScreens(h, "")
		<-time.After(5 * time.Second) // until all lists are up to date
		for _, d := range all {
			d.Drain()
		}
		before := tui.ListFrameCache.MadeCount()
		h.OpenTable("ana", lobby.Proposal{Game: "ayu"})
		<-time.After(5 * time.Second)
		for _, d := range all {
			d.Drain()
			d.WantText("1001 online", "ana 1500?")
		}
		if n := tui.ListFrameCache.MadeCount() - before; n < 4 || n > 8 { // the tables again if they have become older meanwhile
			t.Errorf("for %d users with two styles the tables and the users were drawn %d times, not 4", len(all), n)
		}
	})
}
