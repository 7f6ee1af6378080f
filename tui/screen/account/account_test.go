package account_test

import (
	"net/netip"
	"strings"
	"testing"

	"ayumu/lobby/clock"
	"ayumu/tui/screen/screentest"
)

func TestAccountPage(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		h.Account("ana")
		d := h.Visit(screentest.Setting{Name: "ana"})
		d.Press("o :account")
		d.GoldenSizes("account")
		d.WantText("1 key. The last key cannot be removed.", "in use")
		d.Press("x")
		d.WantText("This is the only key of your account; add another one first (:add key)")
		d.WantNoText("Remove the key")
		d.Press(":add+key")
		_, shown, _ := strings.Cut(d.Text(), "ssh play.example.org link ")
		code, _, _ := strings.Cut(shown, "\n")
		if _, err := h.Accounts.Link(h.T.Context(), strings.TrimSpace(code), screentest.KeyOf("ana's other machine"), netip.Addr{}); err != nil {
			h.T.Fatalf("%q: %v\n%s", code, err, d.Text())
		}
		d.Press("ctrl+r")
		d.WantText("2 keys")
		d.Press("down x")
		d.WantText("Remove the key SHA256:")
		d.Press("n")
		d.WantText("2 keys") // any other key keeps it
		d.Press("x y")
		d.WantText("Key removed.")
		d.Press(":rename")
		d.TypeText("anna")
		d.Press("enter")
		d.WantText("You are now anna.")
		d.Press(":rename")
		d.TypeText("annika")
		d.Press("enter")
		d.WantText("You can change your name once a day; try again in 24 hours.")
		d.Press(":delete")
		d.TypeText("ana")
		d.Press("enter")
		d.WantText("nothing was deleted")
		d.Press(":delete")
		d.TypeText("anna")
		d.Press("enter")
		if !d.HasEnded {
			h.T.Error("the session continues without its account")
		}
		if _, known, err := h.Accounts.ByKey(h.T.Context(), screentest.KeyOf("ana")); known || err != nil {
			h.T.Errorf("the account is there: %v, %v", known, err)
		}
	})
}

func TestAccountStaysWhileAGameGoesOn(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		h.StartMatch("ana", "bob", `{"size":7}`, clock.Control{Days: 3})
		d := h.Visit(screentest.Setting{Name: "ana"})
		d.Press("o :account :delete")
		d.TypeText("ana")
		d.Press("enter")
		d.WantText("is still running; finish or resign it first")
		d.Press("q")
		d.WantText("Settings")
		d = h.Visit(screentest.Setting{})
		d.Press("enter o :account")
		d.WantText("without an SSH key you have no account")
		d.Press("D x l n")
		d.WantText("without an SSH key you have no account")
	})
}
