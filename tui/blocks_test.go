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
		d.wantText("You block bob", "blocked", "B unblock")
		if strings.Contains(d.text(), "I am loud") {
			t.Error("what bob says is still shown")
		}
		d.press("i")
		d.wantText("blocked by you", "B unblock")
		d.press("q o a b")
		d.wantText("Blocked people", "bob", "since 1 Jan 2000", "1 name of 200")
		d.press("n")
		d.typeText("carol")
		d.press("enter")
		d.wantText("carol", "2 names of 200")
		d.golden("blocks")
		d.press("x")
		d.wantText("You no longer block bob")
		d.press("q q q")
		d.wantText("I am loud")
	})
	// A guest's blocks last as long as he does, and a guest can be blocked among the people only.
	withHarness(t, func(h *harness) {
		h.member("bob")
		d := h.visit(setting{})
		d.press("enter tab")
		d.wantText("2 here")
		d.press("home B y")
		d.wantText("You block bob")
		d.press("o a")
		d.wantText("b blocked people")
		d.press("b")
		d.wantText("until the server restarts")
	})
}
