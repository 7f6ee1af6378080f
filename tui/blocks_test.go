package tui

import (
	"strings"
	"testing"
)

func TestBlockingFromTheScreens(t *testing.T) {
	withHarness(t, func(h *harness) {
		h.account("ana")
		h.member("bob")
		h.member("carol")
		h.say("bob", "I am loud")
		d := h.visit(setting{name: "ana"})
		d.wantText("bob: I am loud")
		d.press("tab down B")
		d.wantText("Block bob?")
		d.press("n")
		d.wantText("I am loud")
		d.press("B y")
		d.wantText("You blocked bob", "blocked", "B unblock")
		if strings.Contains(d.text(), "I am loud") {
			t.Error("bob's message is still shown")
		}
		d.press("i")
		d.wantText("blocked by you", "B unblock")
		d.press("q o a b")
		d.wantText("Blocked players", "bob", "since 1 Jan 2000", "1 of at most 200 names")
		d.press("n")
		d.typeText("carol")
		d.press("enter")
		d.wantText("carol", "2 of at most 200 names")
		d.golden("blocks")
		d.press("x")
		d.wantText("You unblocked bob")
		d.press("q q q")
		d.wantText("I am loud")
	})
	// A guest's blocks last as long as the session, and a guest can be blocked in the list of users
	// only.
	withHarness(t, func(h *harness) {
		h.member("bob")
		d := h.visit(setting{})
		d.press("enter tab")
		d.wantText("2 online")
		d.press("home B y")
		d.wantText("You blocked bob")
		d.press("o a")
		d.wantText("b blocked players")
		d.press("b")
		d.wantText("until the server restarts")
	})
}
