package club_test

import (
	"testing"
	"time"

	"ayumu/lobby/club"
	"ayumu/tui/paint"
	"ayumu/tui/screen/screentest"
)

const long = "On Friday at 19:00 UTC we play our monthly evening: five rounds of Ayu on 9×9, ten minutes each, and afterwards whoever wants plays Mu. Beginners are welcome; someone explains the rules at the first table."

// post publishes an announcement.
func post(t *testing.T, c *club.Club, title, text string) {
	t.Helper()
	if _, err := c.Moderator(club.Actor{Role: club.RoleModerator, Name: "mod"}).Post(t.Context(), club.Announcement{Title: title, Text: text}); err != nil {
		t.Fatal(err)
	}
}

// TestAnnouncementsOnEntry: on entry everybody reads what they have not read, one after the other, guests and at the
// first visit too; what was read later is shown again, and what was read is not.
func TestAnnouncementsOnEntry(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		t := h.T
		c := h.NewClub()
		post(t, c, "Club evening", long)
		<-time.After(time.Minute)
		post(t, c, "New rules", "There are new rules for the ladder.")
		h.Account("ana")
		d := h.Visit(screentest.Setting{Name: "ana", Club: c, Role: club.RolePlayer})
		d.WantText("Announcement", "Club evening", "1 of 2", "Enter next", "read later")
		d.GoldenSizes("announcement-entry")
		d.Press("enter")
		d.WantText("New rules", "Enter done")
		d.Press("q")
		d.WantText("Open tables")
		d.Close()

		d = h.Visit(screentest.Setting{Name: "ana", Club: c, Role: club.RolePlayer, Width: 60, Height: 20, Profile: paint.Profile{Colors: paint.NoColor}})
		d.WantText("New rules")
		d.WantNoText("Club evening")
		d.Press("enter")
		d.WantText("Open tables")
		d.Close()
		d = h.Visit(screentest.Setting{Name: "ana", Club: c, Role: club.RolePlayer})
		d.WantNoText("New rules")

		first := h.Visit(screentest.Setting{Name: "zoe", Club: c, Role: club.RolePlayer, NameHint: "zoe"})
		first.Press("enter")
		first.WantText("Club evening")
		guest := h.Visit(screentest.Setting{Club: c, Role: club.RoleGuest})
		guest.Press("g")
		guest.Press("enter")
		guest.WantText("Club evening")
	})
}

// TestWhoIsMutedIsToldAtOnce mutes a player who is connected, and lifts that again.
func TestWhoIsMutedIsToldAtOnce(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		c := h.NewClub()
		h.Account("ana")
		h.Account("bob")
		d := h.Visit(screentest.Setting{Name: "ana", Club: c, Role: club.RolePlayer})
		other := h.Visit(screentest.Setting{Name: "bob", Club: c, Role: club.RolePlayer})
		mod := c.Moderator(club.Actor{Role: club.RoleModerator, Name: "mod"})
		if _, err := mod.Mute(h.T.Context(), "ana", time.Hour, "too loud"); err != nil {
			h.T.Fatal(err)
		}
		d.Advance(time.Second)
		d.WantText("You are muted until", "reason: too loud")
		if err := mod.Lift(h.T.Context(), club.KindMute, "ana"); err != nil {
			h.T.Fatal(err)
		}
		d.Advance(time.Second)
		d.WantText("You can chat again: your mute was lifted.")
		other.WantNoText("mute")
	})
}

// TestAnnouncementsWhileConnected: a new one is reported at once and read with A; a notice is read at once.
func TestAnnouncementsWhileConnected(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		t := h.T
		c := h.NewClub()
		h.Account("ana")
		d := h.Visit(screentest.Setting{Name: "ana", Club: c, Role: club.RolePlayer})
		d.Press("i")
		post(t, c, "Club evening", long)
		d.Drain()
		d.WantText("New announcement: Club evening. Type :announcements to read it.")
		if err := c.Moderator(club.Actor{Role: club.RoleModerator, Name: "mod"}).Announce(t.Context(), "we restart in five minutes"); err != nil {
			t.Fatal(err)
		}
		d.Drain()
		d.WantText("Announcement: We restart in five minutes.")
		d.Press("q")
		d.WantText("Announcement", "Enter done")
		d.Press("q :announcements")
		d.WantText("Announcements", "Club evening", "we restart in five minutes")
		d.WantNoText("n new")
	})
}

// TestLaterAnnouncements: one with a later beginning is reported to those who are connected when it begins, not before; when
// it ends while somebody reads it, it is closed.
func TestLaterAnnouncements(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		t := h.T
		c := h.NewClub()
		h.Account("ana")
		d := h.Visit(screentest.Setting{Name: "ana", Club: c, Role: club.RolePlayer})
		now := time.Now()
		if _, err := c.Moderator(club.Actor{Role: club.RoleModerator, Name: "mod"}).Post(t.Context(), club.Announcement{
			Title: "Club evening", Text: long, From: now.Add(time.Hour), Until: now.Add(2 * time.Hour),
		}); err != nil {
			t.Fatal(err)
		}
		<-time.After(59 * time.Minute)
		d.Drain()
		d.WantNoText("Club evening")
		d.Press("i")
		<-time.After(2 * time.Minute)
		d.Drain()
		d.WantText("New announcement: Club evening. Type :announcements to read it.")
		d.Press("q")
		d.WantText("Club evening", "Enter done")
		<-time.After(time.Hour)
		d.Drain()
		d.WantText("The announcement has ended.", "Open tables")
		d.WantNoText("Enter done")
	})
}

// TestWritingAnnouncements from the screens: a moderator publishes and withdraws, an owner sets the message.
func TestWritingAnnouncements(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		t := h.T
		c := h.NewClub()
		h.Account("ana")
		d := h.Visit(screentest.Setting{Name: "ana", Club: c, Role: club.RoleServerOwner})
		d.Press(":announcements")
		d.WantText("No announcements. Press n to write one")
		d.Press("n")
		d.TypeText("Club evening")
		d.Press("down")
		d.TypeText("Friday at 19:00")
		d.Press("down down backspace backspace")
		d.TypeText("never")
		d.Press("enter")
		d.WantText("is not a time")
		for range 5 {
			d.Press("backspace")
		}
		d.TypeText("12h")
		d.GoldenSizes("announcement-form")
		d.Press("enter")
		d.WantText("Publish it? Everyone reads it on entry, from 2000-01-01 00:00 UTC until", "2000-01-01 12:00 UTC.")
		d.Press("y")
		d.WantText("Published.", "Club evening", "shown until")
		post(t, c, "Another", long)
		d.Press("ctrl+r")
		d.GoldenSizes("announcement-list")
		d.Press("down x y")
		d.WantText("Withdrawn.")
		d.Press(":message+of+the+day")
		d.TypeText("Welcome to our club")
		d.Press("enter")
		if got := c.Bulletin.Message(); got != "Welcome to our club" {
			t.Errorf("the message is %q", got)
		}
		d.WantText("Saved. It is shown at sign-in.")
		d.Press(":message+of+the+day")
		d.WantText("-: the one in the settings")
		for range "Welcome to our club" {
			d.Press("backspace")
		}
		d.Press("- enter")
		d.WantText("Removed. The one in the settings is shown at sign-in, if there is one.")
		if got := c.Bulletin.Message(); got != "" {
			t.Errorf("the message is %q after its removal", got)
		}
		if unread := titlesOfGuest(t, c); len(unread) != 1 || unread[0] != "Another" {
			t.Errorf("unread are %q", unread)
		}
		d.Press("q")
		d.WantText("Open tables")
	})
}

func titlesOfGuest(t *testing.T, c *club.Club) (all []string) {
	t.Helper()
	unread, err := c.Bulletin.Unread(t.Context(), -1)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range unread {
		all = append(all, a.Title)
	}
	return all
}

// TestOpenReportsAreAlwaysVisible: a moderator is told of a report at once, and sees the number of open ones on every
// screen until it is resolved; a player sees none.
func TestOpenReportsAreAlwaysVisible(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		t := h.T
		c := h.NewClub()
		h.Account("ana")
		h.Member("bob")
		h.Account("eve")
		mod := h.Visit(screentest.Setting{Name: "ana", Club: c, Role: club.RoleModerator})
		player := h.Visit(screentest.Setting{Name: "eve", Club: c, Role: club.RolePlayer})
		if err := c.Moderator(club.Actor{Role: club.RolePlayer, Name: "eve"}).Report(t.Context(), "bob", "insults"); err != nil {
			t.Fatal(err)
		}
		mod.Drain()
		mod.WantText("New report: eve about bob. 1 open report. Type :moderation in the lobby.", "1 report")
		for _, keys := range []string{"i", "q a", "q r", "q o", "q ?"} {
			mod.Press(keys)
			mod.WantText("1 report")
			mod.WantNoText("New report")
		}
		player.Drain()
		player.WantNoText("report")
		mod.Press("q :moderation x y")
		mod.WantText("Report resolved.")
		mod.Press("q")
		mod.WantNoText("1 report")
	})
}
