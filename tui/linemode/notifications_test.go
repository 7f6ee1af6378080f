package linemode

import (
	"strings"
	"testing"

	"ayumu/lobby/notify/notifytest"
)

// TestNotifications: the settings of notifications are changed with commands, and who cannot have any is told so.
func TestNotifications(t *testing.T) {
	withHarness(t, func(h *harness) {
		sender := new(notifytest.Sender)
		h.notify = notifytest.Service(h.store, sender)
		a := h.connect("a", "")
		a.typeLines("ana", "notifications", "notifications quiet 22-7", "notifications webhook https://example.org/secret ntfy")
		a.waitFor("No notifications are sent to you.", "To set one: notifications webhook URL", "set a webhook or a mail address first",
			"Saved.", "to the webhook https://example.org/secret in the format ntfy", "signed with the secret ", "No notification has been sent yet.")
		a.typeLines("notifications quiet 22:00 - 7:00 Europe/Berlin", "notifications digest 6", "notifications digest", "notifications events turn", "notifications test")
		a.waitFor("Quiet hours: 22:00-07:00. Time zone: Europe/Berlin.", "within 6 hours", "Usage: notifications digest", "Events: turn.", "The test was acknowledged.")
		sender.Fail("the receiver answered with status 404")
		a.typeLines("notifications test", "notifications off", "notifications")
		a.waitFor("the test failed: the receiver answered with status 404", "Notifications are off.", "No notifications are sent to you.")
		guest := h.connect("", "")
		guest.typeLines("notifications")
		guest.waitFor("guests have no notifications")
		h.notify = nil
		b := h.connect("b", "")
		b.typeLines("bob", "notifications")
		b.waitFor("this server sends no notifications")
	})
}

// TestStoppedNotificationsAreReported on each sign-in, until a test works.
func TestStoppedNotificationsAreReported(t *testing.T) {
	withHarness(t, func(h *harness) {
		h.notify = notifytest.Service(h.store, new(notifytest.Sender))
		first := h.connect("a", "")
		first.typeLines("ana")
		if first.hasPrinted("switched off") {
			t.Error("reported before anything was switched off")
		}
		a, _, err := h.Accounts.ByKey(h.t.Context(), []byte("a"))
		if err != nil {
			t.Fatal(err)
		}
		notifytest.Stop(h.t, h.store, h.notify, a.ID)
		second := h.connect("a", "")
		second.waitFor("Your notifications were switched off")
		second.typeLines("notifications", "notifications test")
		second.waitFor("Switched off on ", "status 500. A successful test switches them on again.", "The test was acknowledged.")
		third := h.connect("a", "")
		third.typeLines("notifications")
		third.waitFor("Notifications go to the webhook")
		if third.hasPrinted("switched off") {
			t.Error("reported after a test that worked")
		}
	})
}

// hasPrinted reports whether a text is in all that was printed.
func (p *person) hasPrinted(text string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return strings.Contains(p.output.String(), text)
}
