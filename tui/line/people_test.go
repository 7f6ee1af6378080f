package line

import (
	"context"
	"strings"
	"testing"

	"ayumu/tui"
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
		ana.hears("bob says: and now")
		ana.types("ignore nobody")
		ana.hears("nobody called")
	})
}

// desk is an office for a moderator.
type desk struct {
	tui.Office
	asked []string
}

func (*desk) May(string) bool { return true }

func (*desk) CountReports(context.Context) (int, error) { return 2, nil }

func (o *desk) Order(_ context.Context, words ...string) (string, error) {
	o.asked = append(o.asked, strings.Join(words, " "))
	return "mute: bob until tomorrow\n", nil
}

func (o *desk) Report(_ context.Context, about, what string) error {
	o.asked = append(o.asked, "report "+about+" "+what)
	return nil
}

func TestModerationInLines(t *testing.T) {
	inHouse(t, func(h *house) {
		o := new(desk)
		h.office, h.message = o, "Club night is on Friday."
		ana := h.comes("key of ana", "")
		ana.types("ana", "help", "admin mute bob 1d too loud", "report bob", "report bob he shouts")
		ana.hears("You are ana.", "Club night is on Friday.", "2 open reports.", "admin WORDS", "mute: bob until tomorrow", "Done.", "Report whom", "Thank you")
		if got := strings.Join(o.asked, "; "); got != "mute bob 1d too loud; report bob he shouts" {
			t.Errorf("asked: %s", got)
		}
		h.office = nil
		bob := h.comes("key of bob", "")
		bob.types("bob", "admin bans")
		bob.hears("no command")
	})
}
