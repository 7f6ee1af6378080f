package club_test

import (
	"context"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/club"
	"ayumu/lobby/errcode"
	"ayumu/tui"
	"ayumu/tui/op"
	"ayumu/tui/screen/screentest"
)

// fakeModerator implements club.Moderator and records the calls.
type fakeModerator struct {
	club.Moderator
	allowed   []club.Permission
	audit     []club.AuditEntry
	calls     []string
	reported  []string
	sanctions []club.Sanction
	reports   []club.Report
	err       error
}

func (m *fakeModerator) Permit(p club.Permission) error {
	if slices.Contains(m.allowed, p) {
		return nil
	}
	return &errcode.Error{Code: errcode.NotAllowed, Message: "no"}
}

// called records a call and returns the error of all calls.
func (m *fakeModerator) called(words ...any) error {
	m.calls = append(m.calls, strings.TrimSpace(fmt.Sprintln(words...)))
	return m.err
}

func (m *fakeModerator) Report(_ context.Context, about, what string) error {
	m.reported = append(m.reported, about+": "+what)
	return m.err
}

func (m *fakeModerator) Reports(_ context.Context, after int64, _ int) ([]club.Report, error) {
	if after > 0 {
		return nil, m.err
	}
	return m.reports, m.err
}

func (m *fakeModerator) CountReports(context.Context) (int, error) { return len(m.reports), m.err }

func (m *fakeModerator) CloseReport(_ context.Context, id int64) error {
	return m.called("close report", id)
}

func (m *fakeModerator) Mute(_ context.Context, name string, d time.Duration, reason string) (club.Sanction, error) {
	return club.Sanction{Kind: club.KindMute, SubjectName: name}, m.called("mute", name, d, reason)
}

func (m *fakeModerator) Kick(_ context.Context, name, reason string) (int, error) {
	return 1, m.called("kick", name, reason)
}

func (m *fakeModerator) Ban(_ context.Context, t club.Target, d time.Duration, reason string) (club.Sanction, int, error) {
	return club.Sanction{Kind: club.KindBan, SubjectName: t.String()}, 1, m.called("ban", t, d, reason)
}

func (m *fakeModerator) CloseRoom(_ context.Context, room lobby.Room, d time.Duration, reason string) (club.Sanction, error) {
	return club.Sanction{}, m.called("close room", room, d, reason)
}

func (m *fakeModerator) Lift(_ context.Context, kind club.SanctionKind, subject string) error {
	return m.called("lift", kind, subject)
}

func (m *fakeModerator) Sanctions(context.Context) ([]club.Sanction, error) {
	return m.sanctions, m.err
}

func (m *fakeModerator) BanTargets(context.Context, string) ([]club.Target, error) {
	return []club.Target{
		{Fingerprint: "SHA256:dBaMzI4FTMWTlrwrBGhhUzJ5NMiklQjdNek2btB8Kgc"},
		{Prefix: netip.MustParsePrefix("192.0.2.7/32")}, {Prefix: netip.MustParsePrefix("192.0.2.0/24")},
	}, m.err
}

func (m *fakeModerator) Invite(_ context.Context, uses int, validity time.Duration) (club.Invitation, error) {
	until := time.Date(2000, 1, 2, 0, 0, 0, 0, time.UTC)
	return club.Invitation{Code: "0123456789abcdefghjk", Uses: uses, Until: until}, m.called("invite", uses, validity)
}

func (m *fakeModerator) Announce(_ context.Context, notice string) error {
	return m.called("announce", notice)
}

func (m *fakeModerator) AuditLog(context.Context) ([]club.AuditEntry, error) {
	m.calls = append(m.calls, "audit")
	return m.audit, m.err
}

func moderators() *fakeModerator {
	at := time.Date(2000, 1, 1, 12, 30, 0, 0, time.UTC)
	return &fakeModerator{
		allowed: []club.Permission{club.PermissionReport, club.PermissionUnmute, club.PermissionUnban, club.PermissionMute, club.PermissionKick, club.PermissionBan, club.PermissionSanctions, club.PermissionReports,
			club.PermissionCloseReports, club.PermissionOpenRooms, club.PermissionCloseRooms, club.PermissionInvite},
		sanctions: []club.Sanction{
			{Kind: club.KindMute, SubjectName: "carol", Reason: "shouting at everyone who plays better, again and again", Issuer: "ana", Until: at.Add(time.Hour)},
			{Kind: club.KindBan, SubjectName: "192.0.2.0/24", Issuer: "operator"},
			{Kind: club.KindClose, Subject: "room " + string(lobby.SpectatorRoom), SubjectName: "watchers", Issuer: "ana"},
		},
		reports: []club.Report{{ID: 7, At: at, Reporter: "dave", About: "bob", Text: "leaves every game when losing, and insults the other player while doing so"}},
	}
}

func TestModerationFromTheScreens(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		h.Account("ana")
		h.Member("bob")
		o := moderators()
		d := h.Visit(screentest.Setting{Name: "ana", Moderator: o, Width: 100, Height: 24})
		d.Press("? space space")
		d.WantText("for moderators: mute")
		d.Press("q tab down")
		d.WantText(": moderate …")
		d.Press(":moderate")
		d.WantText("Moderate bob", "[mute]", "[1 day]")
		d.Press("right right down right right")
		d.GoldenSizes("sanction")
		d.Press("down right down")
		d.TypeText("too loud")
		d.Press("enter")
		d.WantText("Ban 192.0.2.7/32 for 7 days?")
		d.Press("n")
		if len(o.calls) > 0 {
			t.Fatalf("without a confirmation: %q", o.calls)
		}
		d.Press("enter y")
		d.WantText("Done: ban: 192.0.2.7/32 permanently; 1 session ended")
		d.Press(":moderate right enter y")
		if want := []string{"ban 192.0.2.7/32 168h0m0s too loud", "kick bob"}; !slices.Equal(o.calls, want) {
			t.Errorf("calls %q", o.calls)
		}
		o.err = &errcode.Error{Code: errcode.NotAllowed, Message: "you cannot kick an owner"}
		d.Press(":moderate")
		d.WantText("You cannot kick an owner.")
	})
	screentest.With(t, func(h *screentest.Harness) {
		h.Account("ana")
		h.Member("bob")
		o := moderators()
		d := h.Visit(screentest.Setting{Name: "ana", Moderator: o})
		d.WantText("1 open report. Type :moderation.")
		d.Press(":moderation")
		d.WantText("[1 open report]")
		d.Press("tab")
		d.GoldenSizes("moderation")
		d.Press("x y down x y :spectators+chat :lobby+chat y")
		d.Press("tab")
		d.GoldenSizes("moderation-reports")
		d.Press("x y :invite backspace backspace backspace backspace")
		d.TypeText("5 24h")
		d.Press("enter")
		d.GoldenSizes("invitation")
		d.Press("q")
		d.Press("enter")
		d.WantText("Moderate bob")
		d.Press("esc")
		d.WantText("open report")
		d.Press("enter enter y")
		d.WantText("Resolve this report about bob?")
		d.Press("y")
		d.WantText("Report resolved.")
		d.Press("q")
		d.WantText("Open tables")
		want := []string{"lift mute carol", "lift ban 192.0.2.0/24", "lift close watchers", "close room lobby 0s", "close report 7", "invite 5 24h0m0s", "mute bob 24h0m0s", "close report 7"}
		if !slices.Equal(o.calls, want) {
			t.Errorf("calls %q", o.calls)
		}
	})
}

func TestReportingFromTheScreens(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		h.Account("ana")
		h.Member("bob")
		o := &fakeModerator{allowed: []club.Permission{club.PermissionReport}}
		d := h.Visit(screentest.Setting{Name: "ana", Moderator: o})
		d.Press("m tab down")
		d.WantNoText("moderat")
		d.Press("m ?")
		d.WantNoText("moderators:")
		d.Press("q :report")
		d.TypeText("cheats")
		d.Press("enter")
		d.WantText("Thank you. Your report was sent to the moderators.")
		d.Press("i :report")
		d.TypeText("again")
		d.Press("enter")
		if want := []string{"bob: cheats", "bob: again"}; !slices.Equal(o.reported, want) || len(o.calls) > 0 {
			t.Errorf("reported %q, calls %q", o.reported, o.calls)
		}
	})
}

// A server owner reads the audit log, starting at its end.
func TestAuditOnTheScreens(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		h.Account("ana")
		o := moderators()
		d := h.Visit(screentest.Setting{Name: "ana", Moderator: o, Width: 60, Height: 20})
		d.Press(":moderation A")
		d.WantNoText("Audit log")
		if len(o.calls) > 0 {
			t.Errorf("a moderator used %q", o.calls)
		}
		o.sanctions = nil
		d.Press("ctrl+r tab")
		d.WantText("[0 sanctions]", "No active sanctions.", ": moderate         mute, kick or ban a player by name")
		d.WantNoText(": audit") // which is for owners
		o.allowed = append(o.allowed, club.PermissionAudit)
		d.Press(":audit")
		d.WantText("Audit log", "The audit log is empty.")
		d.Press("q")
		noon := time.Date(2000, 1, 1, 12, 30, 0, 0, time.UTC)
		for i := range 100 {
			o.audit = append(o.audit, club.AuditEntry{At: noon, Actor: "ana", Action: fmt.Sprintf("mutes someone-%d until 2000-01-02 12:30 UTC: shouting", i)})
		}
		d.Press(":audit")
		d.WantText("someone-99", "someone-93")
		d.WantNoText("someone-91 ")
		d.WantText("scroll")
		d.Press("up up")
		d.WantNoText("someone-99")
		d.Press("home")
		d.WantText("someone-0 ")
		d.Press("up pgdown pgup down up")
		d.WantText("someone-0 ")
		d.Press("end end")
		d.WantText("someone-99")
		d.Press("q")
		d.WantText("Moderation", "open report")
		o.audit = []club.AuditEntry{
			{At: noon, Actor: "ana", Action: "bans SHA256:dBaMzI4FTMWTlrwrBGhhUzJ5NMiklQjdNek2btB8Kgc permanently: "},
			{At: noon.Add(time.Minute), Actor: "operator", Action: "announces: We restart at eight, and games go on after it where they stood"},
		}
		d.Press(":audit")
		d.GoldenSizes("audit")
	})
}

// A moderator reads long reports in any script completely where they fit, and otherwise sees that they
// are cut.
func TestLongReportsOnTheScreens(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		h.Account("ana")
		o := moderators()
		o.reports[0].Text = strings.Repeat("words ", 49) + "at the end"
		for id := int64(8); id < 20; id++ {
			o.reports = append(o.reports, club.Report{ID: id, Reporter: "dave", About: "bob", Text: strings.Repeat("漢字", 145) + "at the end"})
		}
		for _, size := range [][2]int{{80, 24}, {60, 20}} {
			d := h.Visit(screentest.Setting{Name: "ana", Moderator: o, Width: size[0], Height: size[1]})
			d.Press(":moderation")
			d.WantText("at the end", "› dave about bob: words")
			d.Press("end")
			d.WantText("› dave about bob: 漢字")
			if size[0] == 80 {
				d.WantText("at the end")
			} else {
				d.Golden("moderation-long-report")
			}
			d.Press("q")
		}
	})
}

// A text that was refused stays in the input line.
func TestRefusedTextStaysInTheInputLine(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		h.Account("ana")
		o := moderators()
		d := h.Visit(screentest.Setting{Name: "ana", Moderator: o})
		d.Press(":moderation :invite backspace")
		d.TypeText("w")
		d.Press("enter")
		d.WantText(`"7w" is not a duration such as 30m, 12h, 7d or forever. Enter the number`)
		d.Press("backspace")
		d.TypeText("d")
		o.err = &errcode.Error{Code: errcode.NotAllowed, Message: "not today"}
		d.Press("enter")
		d.WantText("Not today. Enter the number of keys and the time limit: 5 24h")
		o.err = nil
		d.Press("enter")
		d.WantText("Invitation")
		if want := []string{"invite 1 168h0m0s", "invite 1 168h0m0s"}; !slices.Equal(o.calls, want) {
			t.Errorf("calls %q", o.calls)
		}
		d.Press("q :moderate")
		d.TypeText("bobb")
		o.err = &errcode.Error{Code: errcode.BadRequest, Message: `there is no account or guest "bobb"`}
		d.Press("enter")
		d.WantText(`There is no account or guest "bobb".`, " bobb")
		o.err = nil
		d.Press("backspace enter")
		d.WantText("Moderate bob ")
	})
}

// TestSignInShowsTheMessageAndTheReports tests both notices together, at the first visit and later.
func TestSignInShowsTheMessageAndTheReports(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		club := tui.Config{Config: op.Config{Message: "Club night is on Friday at eight."}}
		d := h.Visit(screentest.Setting{Name: "ana", Moderator: moderators(), Site: club})
		d.TypeText("ana")
		d.Press("enter")
		d.WantText("Welcome, ana.", "Club night is on Friday at eight.", "1 open report. Type :moderation.")
		d.Press("down")
		d.WantNoText("Club night", "open report")
		d = h.Visit(screentest.Setting{Name: "ana", Moderator: moderators(), Site: club, Width: 60, Height: 20})
		d.WantText("Club night is on Friday at eight.", "1 open report. Type :moderation.")
	})
}
