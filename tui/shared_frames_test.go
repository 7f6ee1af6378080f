package tui

import (
	"fmt"
	"testing"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/clock"
	"ayumu/tui/game/ayu"
	"ayumu/tui/paint"
)

// screenCount is the number of sessions that show the same.
const screenCount = 1000

// manyScreens opens screenCount screens, on two kinds of terminals.
func (h *harness) manyScreens(open string) (all []*testScreen) {
	for i := range screenCount {
		s := setting{name: fmt.Sprintf("w%d", i), open: open, profile: paint.Profile{Colors: paint.Colors256}}
		if i%2 == 1 {
			s.profile.ASCII = true
		}
		h.account(s.name)
		all = append(all, h.visit(s))
	}
	return all
}

// TestBoardsAreDrawnOnce has many spectators with two styles watch a turn: the board is drawn twice.
func TestBoardsAreDrawnOnce(t *testing.T) {
	withHarness(t, func(h *harness) {
		m := h.match("ana", "bob", `{"size":11}`, clock.Default)
		all := h.manyScreens("watch " + m.Info.ID)
		before := ayu.FramesDrawn()
		h.play(m, "b1-b2")
		for _, d := range all {
			d.drainMessages()
			d.wantText("b1-b2")
		}
		if n := ayu.FramesDrawn() - before; n != 2 {
			t.Errorf("for %d spectators with two styles the board was drawn %d times", len(all), n)
		}
	})
}

// TestListsAreDrawnOnce has many users with two styles see a new table.
func TestListsAreDrawnOnce(t *testing.T) {
	withHarness(t, func(h *harness) {
		h.member("ana")
		all := h.manyScreens("")
		<-time.After(5 * time.Second) // until all lists are up to date
		for _, d := range all {
			d.drainMessages()
		}
		before := listFrameCache.MadeCount()
		h.open("ana", lobby.Proposal{Game: "ayu"})
		<-time.After(5 * time.Second)
		for _, d := range all {
			d.drainMessages()
			d.wantText("1001 online", "ana 1500?")
		}
		if n := listFrameCache.MadeCount() - before; n < 4 || n > 8 { // the tables again if they have become older meanwhile
			t.Errorf("for %d users with two styles the tables and the users were drawn %d times, not 4", len(all), n)
		}
	})
}
