package account_test

import (
	"context"
	"net/netip"
	"strings"
	"testing"

	"ayumu/lobby/account"
	"ayumu/lobby/notify"
	"ayumu/lobby/notify/notifytest"
	"ayumu/tui/screen/screentest"
)

// sender keeps what it was to send, and answers with err.
type sender struct {
	sent  []string // "ADDRESS ID"
	codes []string
	err   error
}

func (s *sender) Check(*notify.Settings) error { return nil }

func (s *sender) Send(_ context.Context, to *notify.Settings, m *notify.Message) (string, error) {
	s.sent = append(s.sent, to.Address+" "+m.ID)
	return "", s.err
}

func (s *sender) SendCode(_ context.Context, _ *notify.Settings, _, code string) error {
	s.codes = append(s.codes, code)
	return nil
}

// service returns the notifications of a harness, which s sends.
func service(h *screentest.Harness, s *sender) *notify.Service {
	return notify.New(notify.Config{Store: h.Store, Match: h.Store.Match, Senders: map[notify.ReceiverKind]notify.Sender{notify.KindWebhook: s, notify.KindMail: s}})
}

// TestReceiver: a webhook is entered, tested and removed; a mail address is confirmed with a code. What cannot be is
// refused with a reason.
func TestReceiver(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		s := new(sender)
		h.Account("ana")
		own := service(h, s)
		d := h.Visit(screentest.Setting{Name: "ana", Notify: own})
		defer d.Close()
		d.Press("o :notifications")
		d.WantText("Notifications", "Send to", "[off]", "No notifications are sent.")
		d.Press("right down")
		d.TypeText("example.org/secret")
		d.Press("enter")
		d.WantText("URL begins with https://")
		d.Press("ctrl+u")
		d.TypeText("https://example.org/secret")
		d.Press("ctrl+t")
		d.WantText("The test was acknowledged.")
		if len(s.sent) != 1 || !strings.HasPrefix(s.sent[0], "https://example.org/secret test/") {
			t.Errorf("sent: %q", s.sent)
		}
		s.err = &notify.SendError{Text: "the receiver answered with status 500"}
		d.Press("ctrl+t")
		d.WantText("The test failed: the receiver answered with status 500")
		d.Press("down down down down down down down down")
		d.TypeText("23-")
		d.Press("enter")
		d.WantText("Quiet hours are written like 22:00-07:00")
		d.Press("ctrl+u")
		d.TypeText("23-7")
		d.Press("enter")
		d.WantText("Saved.", "23:00-07:00")
		d.Press("up up up up up up up up up right down")
		d.TypeText("ana@example.org")
		d.Press("enter")
		d.WantText("Enter the code that was sent to the address")
		d.TypeText("wrong")
		d.Press("enter")
		d.WantText("That code is wrong")
		d.Press("ctrl+u")
		d.TypeText(s.codes[0])
		d.Press("enter")
		d.WantText("Saved. Ctrl+T sends a test.")
		d.Press("up up left left enter")
		d.WantText("Saved. Nothing is sent to you.")
		d.Press("esc")
		d.WantText("Settings", "Bell")
	})
}

// TestNoNotifications: guests, and everybody on a server without them, are told so.
func TestNoNotifications(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		h.Account("ana")
		d := h.Visit(screentest.Setting{Name: "ana"})
		defer d.Close()
		d.Press("o :notifications")
		d.WantText("This server sends no notifications.", "Bell")
		guest := h.Visit(screentest.Setting{Notify: notify.New(notify.Config{Senders: map[notify.ReceiverKind]notify.Sender{notify.KindMail: nil}})})
		defer guest.Close()
		guest.Press("enter o :notifications")
		guest.WantText("Guests have no notifications")
	})
}

func TestGoldenNotifications(t *testing.T) {
	for _, size := range screentest.Sizes {
		screentest.With(t, func(h *screentest.Harness) {
			size.Notify = service(h, new(sender))
			size.Name = "ana"
			own, err := size.Notify.ForUser(account.Account{ID: h.Account("ana").ID}, netip.Addr{})
			if err == nil {
				_, err = own.Save(h.T.Context(), notify.Settings{Kind: notify.KindWebhook, Address: "https://discord.com/api/webhooks/1/abcdefghijklmnopqrstuvwxyz-ABCDEFGHIJKLMNOPQRSTUVWXYZ",
					Preset: notify.PresetDiscord, Events: notify.Events[:4], Quiet: notify.Quiet{From: 22 * 60, Until: 7 * 60}, Zone: "Europe/Berlin"})
			}
			if err != nil {
				t.Fatal(err)
			}
			d := h.Visit(size)
			defer d.Close()
			d.Press("o :notifications")
			d.Golden("notifications" + size.Suffix())
			d.Press("down")
			d.Golden("notifications-url" + size.Suffix())
			d.Press("down down down down down down down down down")
			d.Golden("notifications-end" + size.Suffix())
		})
	}
}

// TestStoppedNotificationsAreReported on each sign-in, until a test works.
func TestStoppedNotificationsAreReported(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		service := notifytest.Service(h.Store, new(notifytest.Sender))
		const notice = "Your notifications were switched off"
		ana := screentest.Setting{Name: "ana", Notify: service}
		account := h.Account("ana")
		d := h.Visit(ana)
		d.WantNoText(notice)
		d.Close()
		notifytest.Stop(h.T, h.Store, service, account.ID)
		d = h.Visit(ana)
		d.WantText(notice)
		d.Press("o :notifications")
		d.WantText("Switched off on", "status 500")
		d.Press("ctrl+t")
		d.WantText("The test was acknowledged.")
		d.Close()
		d = h.Visit(ana)
		defer d.Close()
		d.WantNoText(notice)
	})
}
