package tui

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"ayumu/lobby"
	"ayumu/tui/client"
	"ayumu/tui/paint"
	"ayumu/tui/widget"
)

// fakeModeration implements Moderation and records the calls.
type fakeModeration struct {
	allowed   []string
	audit     string
	commands  []string
	reported  []string
	sanctions []client.Sanction
	reports   []client.Report
	err       error
}

func (m *fakeModeration) CanUse(command string) bool { return slices.Contains(m.allowed, command) }

func (m *fakeModeration) Run(_ context.Context, words ...string) (string, error) {
	m.commands = append(m.commands, strings.Join(words, " "))
	if words[0] == "invite" {
		return "For 5 new keys, until 2000-01-02 00:00 UTC:\n\n  ssh -t -l 0123456789abcdefghjk play.example.org\n", m.err
	}
	if words[0] == "audit" {
		return m.audit, m.err
	}
	return words[0] + ": " + words[1] + "\n", m.err
}

func (m *fakeModeration) Report(_ context.Context, about, what string) error {
	m.reported = append(m.reported, about+": "+what)
	return m.err
}

func (m *fakeModeration) Sanctions(context.Context) ([]client.Sanction, error) {
	return m.sanctions, m.err
}
func (m *fakeModeration) Reports(context.Context) ([]client.Report, error) { return m.reports, m.err }
func (m *fakeModeration) CountReports(context.Context) (int, error)        { return len(m.reports), m.err }
func (m *fakeModeration) BanTargets(_ context.Context, name string) ([]string, error) {
	return []string{"SHA256:dBaMzI4FTMWTlrwrBGhhUzJ5NMiklQjdNek2btB8Kgc", "192.0.2.7/32", "192.0.2.0/24"}, m.err
}

func moderators() *fakeModeration {
	at := time.Date(2000, 1, 1, 12, 30, 0, 0, time.UTC)
	return &fakeModeration{
		allowed: []string{"report", "mute", "kick", "ban", "bans", "reports", "done", "open", "close", "invite"},
		sanctions: []client.Sanction{
			{Kind: "mute", Who: "carol", Reason: "shouting at everybody who plays better, again and again", By: "ana", LiftCommand: "unmute", Until: at.Add(time.Hour)},
			{Kind: "ban", Who: "192.0.2.0/24", By: "operator", LiftCommand: "unban"},
			{Kind: "close", Who: "watchers", By: "ana", LiftCommand: "open"},
		},
		reports: []client.Report{{ID: 7, At: at, By: "dave", About: "bob", Text: "leaves every game when losing, and insults the other player while doing so"}},
	}
}

func TestModerationFromTheScreens(t *testing.T) {
	withHarness(t, func(h *harness) {
		h.account("ana")
		h.member("bob")
		o := moderators()
		d := h.visit(setting{name: "ana", moderation: o})
		d.press("? space")
		d.wantText("for moderators: act on")
		d.press("q tab down")
		d.wantText("R report", "M moderate")
		d.press("M")
		d.wantText("Moderate bob", "[mute]", "[1 day]")
		d.press("right right down right right")
		d.golden("sanction")
		d.press("down right down")
		d.typeText("too loud")
		d.press("enter")
		d.wantText("Ban 192.0.2.7/32 for 7 days?")
		d.press("n")
		if len(o.commands) > 0 {
			t.Fatalf("without a confirmation: %q", o.commands)
		}
		d.press("enter y")
		d.wantText("Done: ban: 192.0.2.7/32")
		d.press("M right enter y")
		if want := []string{"ban 192.0.2.7/32 7d too loud", "kick bob"}; !slices.Equal(o.commands, want) {
			t.Errorf("commands %q", o.commands)
		}
		o.err = &lobby.Error{Code: lobby.CodeNotAllowed, Message: "you cannot kick an owner"}
		d.press("M")
		d.wantText("You cannot kick an owner.")
	})
	withHarness(t, func(h *harness) {
		h.account("ana")
		h.member("bob")
		o := moderators()
		d := h.visit(setting{name: "ana", moderation: o})
		d.wantText("1 open report. Press M to see reports.")
		d.press("M")
		d.wantText("[1 open report]")
		d.press("tab")
		d.golden("moderation")
		d.press("x y down x y W T y")
		d.press("tab")
		d.golden("moderation-reports")
		d.press("x y i backspace backspace backspace backspace")
		d.typeText("5 24h")
		d.press("enter")
		d.golden("invitation")
		d.press("q")
		d.press("enter")
		d.wantText("Moderate bob")
		d.press("esc")
		d.wantText("open report")
		d.press("enter enter y")
		d.wantText("Resolve this report about bob?")
		d.press("y")
		d.wantText("Report resolved.")
		d.press("q")
		d.wantText("Open tables")
		want := []string{"unmute carol", "unban 192.0.2.0/24", "open watchers", "close lobby", "done 7", "invite 5 24h", "mute bob 24h", "done 7"}
		if !slices.Equal(o.commands, want) {
			t.Errorf("commands %q", o.commands)
		}
	})
}

func TestReportingFromTheScreens(t *testing.T) {
	withHarness(t, func(h *harness) {
		h.account("ana")
		h.member("bob")
		o := &fakeModeration{allowed: []string{"report"}}
		d := h.visit(setting{name: "ana", moderation: o})
		d.press("M tab down")
		d.wantNoText("moderat")
		d.press("M ?")
		d.wantNoText("moderators:")
		d.press("q R")
		d.typeText("cheats")
		d.press("enter")
		d.wantText("Thank you. Your report was sent to the moderators.")
		d.press("i R")
		d.typeText("again")
		d.press("enter")
		if want := []string{"bob: cheats", "bob: again"}; !slices.Equal(o.reported, want) || len(o.commands) > 0 {
			t.Errorf("reported %q, commands %q", o.reported, o.commands)
		}
	})
}

// A wrapped command can be copied into a shell.
func TestWrappedCommandsCanBeCopied(t *testing.T) {
	const command = "ssh -t -l 0123456789abcdefghjk -p 2222 club-of-the-town.example.org"
	for width := 30; width < 80; width++ {
		lines := widget.WrapCommand("  "+command+"\n", width)
		for _, l := range lines {
			if paint.Width(l) > width {
				t.Errorf("%q in %d columns", l, width)
			}
		}
		if got := strings.ReplaceAll(strings.Join(lines, "\n"), "\\\n", ""); got != command {
			t.Errorf("in %d columns a shell reads %q", width, got)
		}
	}
}

// A server owner reads the audit log, starting at its end.
func TestAuditOnTheScreens(t *testing.T) {
	withHarness(t, func(h *harness) {
		h.account("ana")
		o := moderators()
		d := h.visit(setting{name: "ana", moderation: o, w: 60, h: 20})
		d.press("M A")
		d.wantNoText("Audit log")
		if len(o.commands) > 0 {
			t.Errorf("a moderator used %q", o.commands)
		}
		o.sanctions = nil
		d.press("r tab")
		d.wantText("[0 sanctions]", "No active sanctions.")
		o.allowed = append(o.allowed, "audit")
		d.press("A")
		d.wantText("Audit log", "The audit log is empty.")
		d.press("q")
		for i := range 100 {
			o.audit += fmt.Sprintf("2000-01-01 12:30:00  ana mutes somebody-%d until 2000-01-02 12:30 UTC: shouting\n", i)
		}
		d.press("A")
		d.wantText("somebody-99", "somebody-93")
		d.wantNoText("somebody-91 ")
		d.wantText("scroll")
		d.press("up up")
		d.wantNoText("somebody-99")
		d.press("home")
		d.wantText("somebody-0 ")
		d.press("up pgdown pgup down up")
		d.wantText("somebody-0 ")
		d.press("end end")
		d.wantText("somebody-99")
		d.press("q")
		d.wantText("Moderation", "open report")
		o.audit = "2000-01-01 12:30:00  ana bans SHA256:dBaMzI4FTMWTlrwrBGhhUzJ5NMiklQjdNek2btB8Kgc permanently: \n" +
			"2000-01-01 12:31:00  operator announces: We restart at eight, and games go on after it where they stood\n"
		d.press("A")
		d.golden("audit")
	})
}

// A moderator reads long reports in any script completely where they fit, and otherwise sees that they
// are cut.
func TestLongReportsOnTheScreens(t *testing.T) {
	withHarness(t, func(h *harness) {
		h.account("ana")
		o := moderators()
		o.reports[0].Text = strings.Repeat("words ", 49) + "at the end"
		for id := int64(8); id < 20; id++ {
			o.reports = append(o.reports, client.Report{ID: id, By: "dave", About: "bob", Text: strings.Repeat("漢字", 145) + "at the end"})
		}
		for _, size := range [][2]int{{80, 24}, {60, 20}} {
			d := h.visit(setting{name: "ana", moderation: o, w: size[0], h: size[1]})
			d.press("M")
			d.wantText("at the end", "› dave about bob: words")
			d.press("end")
			d.wantText("› dave about bob: 漢字")
			if size[0] == 80 {
				d.wantText("at the end")
			} else {
				d.golden("moderation-long-report")
			}
			d.press("q")
		}
	})
}

// A text that was refused stays in the input line.
func TestRefusedTextStaysInTheInputLine(t *testing.T) {
	withHarness(t, func(h *harness) {
		h.account("ana")
		o := moderators()
		d := h.visit(setting{name: "ana", moderation: o})
		d.press("M i backspace")
		d.typeText("w")
		o.err = &lobby.Error{Code: lobby.CodeBadRequest, Message: `"7w" is no duration`}
		d.press("enter")
		d.wantText(`"7w" is no duration. Enter the number of keys and the time limit: 5 24h`)
		o.err = nil
		d.press("enter")
		d.wantText("Invitation")
		if want := []string{"invite 1 7w", "invite 1 7w"}; !slices.Equal(o.commands, want) {
			t.Errorf("commands %q", o.commands)
		}
		d.press("q m")
		d.typeText("bobb")
		o.err = &lobby.Error{Code: lobby.CodeBadRequest, Message: `there is no account and no guest "bobb"`}
		d.press("enter")
		d.wantText(`There is no account and no guest "bobb".`, "\n bobb")
		o.err = nil
		d.press("backspace enter")
		d.wantText("Moderate bob ")
	})
}

// TestSignInShowsTheMessageAndTheReports tests both notices together, at the first visit and later.
func TestSignInShowsTheMessageAndTheReports(t *testing.T) {
	withHarness(t, func(h *harness) {
		club := Config{Config: client.Config{Message: "Club night is on Friday at eight."}}
		d := h.visit(setting{name: "ana", moderation: moderators(), club: club})
		d.typeText("ana")
		d.press("enter")
		d.wantText("Welcome, ana.", "Club night is on Friday at eight.", "1 open report. Press M to see reports.")
		d.press("down")
		d.wantNoText("Club night", "open report")
		d = h.visit(setting{name: "ana", moderation: moderators(), club: club, w: 60, h: 20})
		d.wantText("Club night is on Friday at eight.", "1 open report. Press M to see reports.")
	})
}
