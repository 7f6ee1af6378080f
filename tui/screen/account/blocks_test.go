package account_test

import (
	"strings"
	"testing"

	"ayumu/tui/screen/screentest"
)

func TestBlockingFromTheScreens(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		h.Account("ana")
		h.Member("bob")
		h.Member("carol")
		h.Say("bob", "I am loud")
		d := h.Visit(screentest.Setting{Name: "ana"})
		d.WantText("bob: I am loud")
		d.Press("tab down :block")
		d.WantText("Block bob?")
		d.Press("n")
		d.WantText("I am loud")
		d.Press(":block y")
		d.WantText("You blocked bob", "blocked", ": unblock …")
		if strings.Contains(d.Text(), "I am loud") {
			t.Error("bob's message is still shown")
		}
		d.Press("i")
		d.WantText("blocked by you", ": unblock …")
		d.Press("q o :account :blocked")
		d.WantText("Blocked players", "bob", "since 1 Jan 2000", "1 of at most 200 names")
		d.Press(":block")
		d.TypeText("carol")
		d.Press("enter")
		d.WantText("carol", "2 of at most 200 names")
		d.GoldenSizes("blocks")
		d.Press("x")
		d.WantText("You unblocked bob")
		d.Press("q q q")
		d.WantText("I am loud")
	})
	// A guest's blocks last as long as the session, and a guest can be blocked in the list of users
	// only.
	screentest.With(t, func(h *screentest.Harness) {
		h.Member("bob")
		d := h.Visit(screentest.Setting{})
		d.Press("enter tab")
		d.WantText("2 online")
		d.Press("home :block y")
		d.WantText("You blocked bob")
		d.Press("o :account")
		d.WantText(": blocked players")
		d.Press(":blocked")
		d.WantText("until the server restarts")
	})
}
