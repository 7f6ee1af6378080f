package linemode

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"ayumu/lobby/club"
)

func TestIgnoringAPlayerInLines(t *testing.T) {
	withHarness(t, func(h *harness) {
		ana, bob := h.connect("key of ana", ""), h.connect("key of bob", "")
		ana.typeLines("ana")
		bob.typeLines("bob")
		ana.typeLines("ignore", "ignore Bob", "ignore")
		ana.waitFor("You have not blocked anyone.", "Bob is blocked.", "Blocked players: bob.")
		bob.typeLines("say can you hear me")
		ana.typeLines("who")
		ana.waitFor("2 online")
		if strings.Contains(ana.output.String(), "hear me") {
			t.Error("what bob says is said")
		}
		ana.typeLines("ignore BOB")
		ana.waitFor("bob is no longer blocked")
		bob.typeLines("say and now")
		ana.waitFor("bob says: and now")
		ana.typeLines("ignore nobody")
		ana.waitFor("there is no account")
	})
}

// fakeModerator has every permission and records the calls.
type fakeModerator struct {
	club.Moderator
	asked []string
}

func (*fakeModerator) Permit(club.Permission) error { return nil }

func (*fakeModerator) CountReports(context.Context) (int, error) { return 2, nil }

func (o *fakeModerator) Mute(_ context.Context, name string, d time.Duration, reason string) (club.Sanction, error) {
	o.asked = append(o.asked, fmt.Sprint("mute ", name, " ", d, " ", reason))
	return club.Sanction{Kind: club.KindMute, SubjectName: name}, nil
}

func (o *fakeModerator) Report(_ context.Context, about, what string) error {
	o.asked = append(o.asked, "report "+about+" "+what)
	return nil
}

func TestModerationInLines(t *testing.T) {
	withHarness(t, func(h *harness) {
		o := new(fakeModerator)
		h.moderation, h.siteName, h.message = o, "Stone Garden", "Club night is on Friday."
		ana := h.connect("key of ana", "")
		ana.typeLines("ana", "help", "admin mute bob 1d too loud", "report bob", "report bob shouting")
		ana.waitFor("Stone Garden, line mode.", "You are ana.", "Club night is on Friday.", "2 open reports.", "admin [COMMAND]", "Mute: bob permanently.", "Usage: report NAME TEXT.", "Thank you")
		if got := strings.Join(o.asked, "; "); got != "mute bob 24h0m0s too loud; report bob shouting" {
			t.Errorf("asked: %s", got)
		}
		h.moderation = nil
		bob := h.connect("key of bob", "")
		bob.typeLines("bob", "admin bans")
		bob.waitFor("Error: this server has no moderators.")
	})
}

// TestAnnouncementsInLines: unread ones are printed on entry, once; a new one and a report are printed at once.
func TestAnnouncementsInLines(t *testing.T) {
	withHarness(t, func(h *harness) {
		c, err := club.New(h.t.Context(), h.store)
		if err != nil {
			h.t.Fatal(err)
		}
		c.SetPolicy(club.PublicPolicy(), nil)
		mod := c.Moderator(club.Actor{Role: club.RoleModerator, Name: "mod"})
		if _, err := mod.Post(h.t.Context(), club.Announcement{Title: "Club evening", Text: "Friday at 19:00."}); err != nil {
			h.t.Fatal(err)
		}
		h.club, h.moderation = c, mod
		ana := h.connect("key of ana", "")
		ana.typeLines("ana")
		ana.waitFor("1  Club evening · mod, ", "Friday at 19:00.")
		ana.typeLines("admin announce restart at eight", "admin post until=1d Results: Bob has won.", "report ana insults", "announcements")
		ana.waitFor("Announcement: Restart at eight.", "Announcement 3, shown from ", "New announcement: Results. Type announcements to read it.",
			"New report: mod about ana. 1 open report. Type admin reports to list them.", "3  Results", "2  Notice")
		ana.typeLines("admin mute ana 1h too loud")
		ana.waitFor("You are muted until", "reason: too loud")
		ana.typeLines("admin unmute ana")
		ana.waitFor("You can chat again: your mute was lifted.")
		ana.typeLines("quit")
		again := h.connect("key of ana", "")
		again.waitFor("You are ana.", "1 open report.")
		if strings.Contains(again.output.String(), "Friday") || strings.Contains(again.output.String(), "Bob has won") {
			t.Errorf("what was read is printed again: %s", again.output.String())
		}
	})
}
