package tui_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"ayumu/tui"

	"ayumu/lobby"
	"ayumu/tui/client"
	"ayumu/tui/paint"
	"ayumu/tui/screen/screentest"
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
	screentest.With(t, func(h *screentest.Harness) {
		h.Account("ana")
		h.Member("bob")
		o := moderators()
		d := h.Visit(screentest.Setting{Name: "ana", Moderation: o})
		d.Press("? space")
		d.WantText("for moderators: act on")
		d.Press("q tab down")
		d.WantText("R report", "M moderate")
		d.Press("M")
		d.WantText("Moderate bob", "[mute]", "[1 day]")
		d.Press("right right down right right")
		d.Golden("sanction")
		d.Press("down right down")
		d.TypeText("too loud")
		d.Press("enter")
		d.WantText("Ban 192.0.2.7/32 for 7 days?")
		d.Press("n")
		if len(o.commands) > 0 {
			t.Fatalf("without a confirmation: %q", o.commands)
		}
		d.Press("enter y")
		d.WantText("Done: ban: 192.0.2.7/32")
		d.Press("M right enter y")
		if want := []string{"ban 192.0.2.7/32 7d too loud", "kick bob"}; !slices.Equal(o.commands, want) {
			t.Errorf("commands %q", o.commands)
		}
		o.err = &lobby.Error{Code: lobby.CodeNotAllowed, Message: "you cannot kick an owner"}
		d.Press("M")
		d.WantText("You cannot kick an owner.")
	})
	screentest.With(t, func(h *screentest.Harness) {
		h.Account("ana")
		h.Member("bob")
		o := moderators()
		d := h.Visit(screentest.Setting{Name: "ana", Moderation: o})
		d.WantText("1 open report. Press M to see reports.")
		d.Press("M")
		d.WantText("[1 open report]")
		d.Press("tab")
		d.Golden("moderation")
		d.Press("x y down x y W T y")
		d.Press("tab")
		d.Golden("moderation-reports")
		d.Press("x y i backspace backspace backspace backspace")
		d.TypeText("5 24h")
		d.Press("enter")
		d.Golden("invitation")
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
		want := []string{"unmute carol", "unban 192.0.2.0/24", "open watchers", "close lobby", "done 7", "invite 5 24h", "mute bob 24h", "done 7"}
		if !slices.Equal(o.commands, want) {
			t.Errorf("commands %q", o.commands)
		}
	})
}

func TestReportingFromTheScreens(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		h.Account("ana")
		h.Member("bob")
		o := &fakeModeration{allowed: []string{"report"}}
		d := h.Visit(screentest.Setting{Name: "ana", Moderation: o})
		d.Press("M tab down")
		d.WantNoText("moderat")
		d.Press("M ?")
		d.WantNoText("moderators:")
		d.Press("q R")
		d.TypeText("cheats")
		d.Press("enter")
		d.WantText("Thank you. Your report was sent to the moderators.")
		d.Press("i R")
		d.TypeText("again")
		d.Press("enter")
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
	screentest.With(t, func(h *screentest.Harness) {
		h.Account("ana")
		o := moderators()
		d := h.Visit(screentest.Setting{Name: "ana", Moderation: o, Width: 60, Height: 20})
		d.Press("M A")
		d.WantNoText("Audit log")
		if len(o.commands) > 0 {
			t.Errorf("a moderator used %q", o.commands)
		}
		o.sanctions = nil
		d.Press("r tab")
		d.WantText("[0 sanctions]", "No active sanctions.")
		o.allowed = append(o.allowed, "audit")
		d.Press("A")
		d.WantText("Audit log", "The audit log is empty.")
		d.Press("q")
		for i := range 100 {
			o.audit += fmt.Sprintf("2000-01-01 12:30:00  ana mutes somebody-%d until 2000-01-02 12:30 UTC: shouting\n", i)
		}
		d.Press("A")
		d.WantText("somebody-99", "somebody-93")
		d.WantNoText("somebody-91 ")
		d.WantText("scroll")
		d.Press("up up")
		d.WantNoText("somebody-99")
		d.Press("home")
		d.WantText("somebody-0 ")
		d.Press("up pgdown pgup down up")
		d.WantText("somebody-0 ")
		d.Press("end end")
		d.WantText("somebody-99")
		d.Press("q")
		d.WantText("Moderation", "open report")
		o.audit = "2000-01-01 12:30:00  ana bans SHA256:dBaMzI4FTMWTlrwrBGhhUzJ5NMiklQjdNek2btB8Kgc permanently: \n" +
			"2000-01-01 12:31:00  operator announces: We restart at eight, and games go on after it where they stood\n"
		d.Press("A")
		d.Golden("audit")
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
			o.reports = append(o.reports, client.Report{ID: id, By: "dave", About: "bob", Text: strings.Repeat("漢字", 145) + "at the end"})
		}
		for _, size := range [][2]int{{80, 24}, {60, 20}} {
			d := h.Visit(screentest.Setting{Name: "ana", Moderation: o, Width: size[0], Height: size[1]})
			d.Press("M")
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
		d := h.Visit(screentest.Setting{Name: "ana", Moderation: o})
		d.Press("M i backspace")
		d.TypeText("w")
		o.err = &lobby.Error{Code: lobby.CodeBadRequest, Message: `"7w" is no duration`}
		d.Press("enter")
		d.WantText(`"7w" is no duration. Enter the number of keys and the time limit: 5 24h`)
		o.err = nil
		d.Press("enter")
		d.WantText("Invitation")
		if want := []string{"invite 1 7w", "invite 1 7w"}; !slices.Equal(o.commands, want) {
			t.Errorf("commands %q", o.commands)
		}
		d.Press("q m")
		d.TypeText("bobb")
		o.err = &lobby.Error{Code: lobby.CodeBadRequest, Message: `there is no account and no guest "bobb"`}
		d.Press("enter")
		d.WantText(`There is no account and no guest "bobb".`, "\n bobb")
		o.err = nil
		d.Press("backspace enter")
		d.WantText("Moderate bob ")
	})
}

// TestSignInShowsTheMessageAndTheReports tests both notices together, at the first visit and later.
func TestSignInShowsTheMessageAndTheReports(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		club := tui.Config{Config: client.Config{Message: "Club night is on Friday at eight."}}
		d := h.Visit(screentest.Setting{Name: "ana", Moderation: moderators(), Site: club})
		d.TypeText("ana")
		d.Press("enter")
		d.WantText("Welcome, ana.", "Club night is on Friday at eight.", "1 open report. Press M to see reports.")
		d.Press("down")
		d.WantNoText("Club night", "open report")
		d = h.Visit(screentest.Setting{Name: "ana", Moderation: moderators(), Site: club, Width: 60, Height: 20})
		d.WantText("Club night is on Friday at eight.", "1 open report. Press M to see reports.")
	})
}
