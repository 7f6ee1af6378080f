package linemode

import "testing"

func TestVacation(t *testing.T) {
	withHarness(t, func(h *harness) {
		a, b := h.connect("a", ""), h.connect("b", "")
		a.typeLines("ana", "new 7x7 pie=off 3d first=me")
		b.typeLines("bob", "tables", "join 1")
		h.onlyMatch()
		b.waitFor()
		a.typeLines("vacation", "vacation soon", "vacation off", "vacation 22", "vacation 5")
		a.waitFor("You are not on vacation; 21 days left, of 21 in any 365.", "enter a number of days, or off", "you are not on vacation", "a vacation lasts 1 to 21 days",
			"You are on vacation until 6 Jan 2000; 16 days left, of 21 in any 365.")
		b.waitFor("ana is on vacation until 6 Jan 2000.")
		b.typeLines("status", "games")
		b.waitFor("ana's turn (Black), on vacation until 6 Jan 2000.", "ana, Black", "on vacation until 6 Jan 2000", "waiting for your opponent, who is on vacation until 6 Jan 2000.")
		a.typeLines("vacation off")
		a.waitFor("You are not on vacation; 20 days left, of 21 in any 365.")
		b.waitFor("ana's vacation is over.")
		guest := h.connect("", "")
		guest.typeLines("vacation 2")
		guest.waitFor("you have no account here")
	})
}
