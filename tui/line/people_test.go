package line

import (
	"strings"
	"testing"
	"time"
)

func TestIgnoringSomebodyInLines(t *testing.T) {
	inHouse(t, func(h *house) {
		ana, bob := h.comes("key of ana", ""), h.comes("key of bob", "")
		ana.types("ana")
		bob.types("bob")
		ana.types("ignore", "ignore Bob", "ignore")
		ana.hears("You block nobody", "You block Bob", "You block bob.")
		bob.types("say can you hear me")
		ana.types("who")
		ana.hears("2 here")
		if strings.Contains(ana.said.String(), "hear me") {
			t.Error("what bob says is said")
		}
		ana.types("ignore BOB")
		ana.hears("You no longer block bob")
		bob.types("say and now")
		time.Sleep(time.Second) // of the bubble: lists are shown in turns
		ana.hears("bob says: and now")
		ana.types("ignore nobody")
		ana.hears("nobody called")
	})
}
