package tui

import (
	"strings"
	"testing"
)

func TestBlockingFromTheScreens(t *testing.T) {
	inHouse(t, func(h *house) {
		h.account("ana")
		h.member("bob")
		h.member("carol")
		h.say("bob", "I am loud")
		d := h.visit(setting{name: "ana"})
		d.has("bob: I am loud")
		d.press("tab down B")
		d.has("Block bob?")
		d.press("n")
		d.has("I am loud")
		d.press("B y")
		d.has("You block bob", "blocked", "B unblock")
		if strings.Contains(d.text(), "I am loud") {
			t.Error("what bob says is still shown")
		}
		d.press("i")
		d.has("blocked by you", "B unblock")
		d.press("q o a b")
		d.has("Blocked people", "bob", "since 1 Jan 2000", "1 name of 200")
		d.press("n")
		d.write("carol")
		d.press("enter")
		d.has("carol", "2 names of 200")
		d.golden("blocks")
		d.press("x")
		d.has("You no longer block bob")
		d.press("q q q")
		d.has("I am loud")
	})
	// A guest's blocks last as long as he does, and a guest can be blocked among the people only.
	inHouse(t, func(h *house) {
		h.member("bob")
		d := h.visit(setting{})
		d.press("enter tab")
		d.has("2 here")
		d.press("home B y")
		d.has("You block bob")
		d.press("o a")
		d.has("b blocked people")
		d.press("b")
		d.has("until the server restarts")
	})
}
