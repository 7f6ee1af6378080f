package tui

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"ayumu/lobby"
	"ayumu/tui/game/gametest"
	"ayumu/tui/paint"
)

// fakeModeration is an office that keeps what was asked of it.
type fakeModeration struct {
	allowed   []string
	audit     string
	orders    []string
	reported  []string
	sanctions []Sanction
	reports   []Report
	err       error
}

func (o *fakeModeration) CanUse(command string) bool { return slices.Contains(o.allowed, command) }

func (o *fakeModeration) Run(_ context.Context, words ...string) (string, error) {
	o.orders = append(o.orders, strings.Join(words, " "))
	if words[0] == "invite" {
		return "For 5 new keys, until 2000-01-02 00:00 UTC:\n\n  ssh -t -l 0123456789abcdefghjk play.example.org\n", o.err
	}
	if words[0] == "audit" {
		return o.audit, o.err
	}
	return words[0] + ": " + words[1] + "\n", o.err
}

func (o *fakeModeration) Report(_ context.Context, about, what string) error {
	o.reported = append(o.reported, about+": "+what)
	return o.err
}

func (o *fakeModeration) Sanctions(context.Context) ([]Sanction, error) { return o.sanctions, o.err }
func (o *fakeModeration) Reports(context.Context) ([]Report, error)     { return o.reports, o.err }
func (o *fakeModeration) CountReports(context.Context) (int, error)     { return len(o.reports), o.err }
func (o *fakeModeration) BanTargets(_ context.Context, name string) ([]string, error) {
	return []string{"SHA256:dBaMzI4FTMWTlrwrBGhhUzJ5NMiklQjdNek2btB8Kgc", "192.0.2.7/32", "192.0.2.0/24"}, o.err
}

func moderators() *fakeModeration {
	at := time.Date(2000, 1, 1, 12, 30, 0, 0, time.UTC)
	return &fakeModeration{
		allowed: []string{"report", "mute", "kick", "ban", "bans", "reports", "done", "open", "close", "invite"},
		sanctions: []Sanction{
			{Kind: "mute", Who: "carol", Reason: "shouting at everybody who plays better, again and again", By: "ana", LiftCommand: "unmute", Until: at.Add(time.Hour)},
			{Kind: "ban", Who: "192.0.2.0/24", By: "operator", LiftCommand: "unban"},
			{Kind: "close", Who: "watchers", By: "ana", LiftCommand: "open"},
		},
		reports: []Report{{ID: 7, At: at, By: "dave", About: "bob", Text: "leaves every game when losing, and insults the other player while doing so"}},
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
		d.golden("moderate")
		d.press("down right down")
		d.typeText("too loud")
		d.press("enter")
		d.wantText("Ban 192.0.2.7/32 for 7 days?")
		d.press("n")
		if len(o.orders) > 0 {
			t.Fatalf("without a yes: %q", o.orders)
		}
		d.press("enter y")
		d.wantText("Done: ban: 192.0.2.7/32")
		d.press("M right enter y")
		if want := []string{"ban 192.0.2.7/32 7d too loud", "kick bob"}; !slices.Equal(o.orders, want) {
			t.Errorf("orders %q", o.orders)
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
		d.golden("office")
		d.press("x y down x y W T y")
		d.press("tab")
		d.golden("office-reports")
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
		if !slices.Equal(o.orders, want) {
			t.Errorf("orders %q", o.orders)
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
		if want := []string{"bob: cheats", "bob: again"}; !slices.Equal(o.reported, want) || len(o.orders) > 0 {
			t.Errorf("reported %q, ordered %q", o.reported, o.orders)
		}
	})
}

// A command that takes several rows is one that a shell reads as it stands on the screen.
func TestWrappedCommandsCanBeCopied(t *testing.T) {
	const command = "ssh -t -l 0123456789abcdefghjk -p 2222 club-of-the-town.example.org"
	for width := 30; width < 80; width++ {
		lines := wrapCommand("  "+command+"\n", width)
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

// An owner reads what was done, from its end on.
func TestAuditOnTheScreens(t *testing.T) {
	withHarness(t, func(h *harness) {
		h.account("ana")
		o := moderators()
		d := h.visit(setting{name: "ana", moderation: o, w: 60, h: 20})
		d.press("M A")
		d.wantNoText("Audit log")
		if len(o.orders) > 0 {
			t.Errorf("a moderator ordered %q", o.orders)
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

// However long a report is, and in whatever script, a moderator reads all of it where there is room,
// and otherwise sees that there is more.
func TestLongReportsOnTheScreens(t *testing.T) {
	withHarness(t, func(h *harness) {
		h.account("ana")
		o := moderators()
		o.reports[0].Text = strings.Repeat("words ", 49) + "at the end"
		for id := int64(8); id < 20; id++ {
			o.reports = append(o.reports, Report{ID: id, By: "dave", About: "bob", Text: strings.Repeat("漢字", 145) + "at the end"})
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
				d.golden("office-long-report")
			}
			d.press("q")
		}
	})
}

// Who mistypes corrects what stands there and need not type it anew.
func TestRefusedLinesStayInTheOffice(t *testing.T) {
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
		if want := []string{"invite 1 7w", "invite 1 7w"}; !slices.Equal(o.orders, want) {
			t.Errorf("orders %q", o.orders)
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

// TestEntryShowsTheMessageAndTheReports at once, on a first visit as on later ones.
func TestEntryShowsTheMessageAndTheReports(t *testing.T) {
	withHarness(t, func(h *harness) {
		host := Config{Games: gametest.Games, Message: "Club night is on Friday at eight."}
		d := h.visit(setting{name: "ana", moderation: moderators(), club: host})
		d.typeText("ana")
		d.press("enter")
		d.wantText("Welcome, ana.", "Club night is on Friday at eight.", "1 open report. Press M to see reports.")
		d.press("down")
		d.wantNoText("Club night", "open report")
		d = h.visit(setting{name: "ana", moderation: moderators(), club: host, w: 60, h: 20})
		d.wantText("Club night is on Friday at eight.", "1 open report. Press M to see reports.")
	})
}
