package tui

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"ayumu/lobby"
	"ayumu/tui/paint"
)

// desk is an office that keeps what was asked of it.
type desk struct {
	may       []string
	audit     string
	orders    []string
	reported  []string
	sanctions []Sanction
	reports   []Report
	err       error
}

func (o *desk) May(command string) bool { return slices.Contains(o.may, command) }

func (o *desk) Order(_ context.Context, words ...string) (string, error) {
	o.orders = append(o.orders, strings.Join(words, " "))
	if words[0] == "invite" {
		return "For 5 new keys, until 2000-01-02 00:00 UTC:\n\n  ssh -t -l 0123456789abcdefghjk play.example.org\n", o.err
	}
	if words[0] == "audit" {
		return o.audit, o.err
	}
	return words[0] + ": " + words[1] + "\n", o.err
}

func (o *desk) Report(_ context.Context, about, what string) error {
	o.reported = append(o.reported, about+": "+what)
	return o.err
}

func (o *desk) Sanctions(context.Context) ([]Sanction, error) { return o.sanctions, o.err }
func (o *desk) Reports(context.Context) ([]Report, error)     { return o.reports, o.err }
func (o *desk) CountReports(context.Context) (int, error)     { return len(o.reports), o.err }
func (o *desk) Marks(_ context.Context, name string) ([]string, error) {
	return []string{"SHA256:dBaMzI4FTMWTlrwrBGhhUzJ5NMiklQjdNek2btB8Kgc", "192.0.2.7/32", "192.0.2.0/24"}, o.err
}

func moderators() *desk {
	at := time.Date(2000, 1, 1, 12, 30, 0, 0, time.UTC)
	return &desk{
		may: []string{"report", "mute", "kick", "ban", "bans", "reports", "done", "open", "close", "invite"},
		sanctions: []Sanction{
			{Kind: "mute", Who: "carol", Reason: "shouting at everybody who plays better, again and again", By: "ana", Lift: "unmute", Until: at.Add(time.Hour)},
			{Kind: "ban", Who: "192.0.2.0/24", By: "the host", Lift: "unban"},
			{Kind: "close", Who: "watchers", By: "ana", Lift: "open"},
		},
		reports: []Report{{ID: 7, At: at, By: "dave", About: "bob", Text: "he leaves every game that he loses, and says bad words while he does"}},
	}
}

func TestModerationFromTheScreens(t *testing.T) {
	inHouse(t, func(h *house) {
		h.account("ana")
		h.member("bob")
		o := moderators()
		d := h.visit(setting{name: "ana", office: o})
		d.press("? space")
		d.has("for moderators: act on")
		d.press("q tab down")
		d.has("R report", "M moderate")
		d.press("M")
		d.has("Moderate bob", "[mute]", "[1 day]")
		d.press("right right down right right")
		d.golden("moderate")
		d.press("down right down")
		d.write("too loud")
		d.press("enter")
		d.has("Ban 192.0.2.7/32, 7 days. Do you mean it?")
		d.press("n")
		if len(o.orders) > 0 {
			t.Fatalf("without a yes: %q", o.orders)
		}
		d.press("enter y")
		d.has("Done: ban: 192.0.2.7/32")
		d.press("M right enter y")
		if want := []string{"ban 192.0.2.7/32 7d too loud", "kick bob"}; !slices.Equal(o.orders, want) {
			t.Errorf("orders %q", o.orders)
		}
		o.err = &lobby.Error{Code: lobby.NotAllowed, Message: "nobody may kick an owner"}
		d.press("M")
		d.has("Nobody may kick an owner.")
	})
	inHouse(t, func(h *house) {
		h.account("ana")
		h.member("bob")
		o := moderators()
		d := h.visit(setting{name: "ana", office: o})
		d.has("1 open report; M leads there.")
		d.press("M")
		d.has("[1 open report]")
		d.press("tab")
		d.golden("office")
		d.press("x y down x y W T y")
		d.press("tab")
		d.golden("office-reports")
		d.press("x y i backspace backspace backspace backspace")
		d.write("5 24h")
		d.press("enter")
		d.golden("invitation")
		d.press("q")
		d.press("enter")
		d.has("Moderate bob")
		d.press("esc")
		d.has("open report")
		d.press("enter enter y")
		d.has("Nothing more to do about this report on bob?")
		d.press("y")
		d.has("The report is closed.")
		d.press("q")
		d.has("Open tables")
		want := []string{"unmute carol", "unban 192.0.2.0/24", "open watchers", "close lobby", "done 7", "invite 5 24h", "mute bob 24h", "done 7"}
		if !slices.Equal(o.orders, want) {
			t.Errorf("orders %q", o.orders)
		}
	})
}

func TestReportingFromTheScreens(t *testing.T) {
	inHouse(t, func(h *house) {
		h.account("ana")
		h.member("bob")
		o := &desk{may: []string{"report"}}
		d := h.visit(setting{name: "ana", office: o})
		d.press("M tab down")
		d.lacks("moderat")
		d.press("M ?")
		d.lacks("moderators:")
		d.press("q R")
		d.write("cheats")
		d.press("enter")
		d.has("Thank you; the moderators will read it.")
		d.press("i R")
		d.write("again")
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
	inHouse(t, func(h *house) {
		h.account("ana")
		o := moderators()
		d := h.visit(setting{name: "ana", office: o, w: 60, h: 20})
		d.press("M A")
		d.lacks("What was done")
		if len(o.orders) > 0 {
			t.Errorf("a moderator ordered %q", o.orders)
		}
		o.sanctions = nil
		d.press("r tab")
		d.has("[0 sanctions]", "Nobody is muted or banned, and no room is closed.")
		o.may = append(o.may, "audit")
		d.press("A")
		d.has("What was done", "Nothing has been done yet.")
		d.press("q")
		for i := range 100 {
			o.audit += fmt.Sprintf("2000-01-01 12:30:00  ana mutes somebody-%d until 2000-01-02 12:30 UTC: shouting\n", i)
		}
		d.press("A")
		d.has("somebody-99", "somebody-93")
		d.lacks("somebody-91 ")
		d.has("scroll")
		d.press("up up")
		d.lacks("somebody-99")
		d.press("home")
		d.has("somebody-0 ")
		d.press("up pgdown pgup down up")
		d.has("somebody-0 ")
		d.press("end end")
		d.has("somebody-99")
		d.press("q")
		d.has("Moderation", "open report")
		o.audit = "2000-01-01 12:30:00  ana bans SHA256:dBaMzI4FTMWTlrwrBGhhUzJ5NMiklQjdNek2btB8Kgc for good: \n" +
			"2000-01-01 12:31:00  the host announces: We restart at eight, and games go on after it where they stood\n"
		d.press("A")
		d.golden("audit")
	})
}

// However long a report is, and in whatever script, a moderator reads all of it where there is room,
// and otherwise sees that there is more.
func TestLongReportsOnTheScreens(t *testing.T) {
	inHouse(t, func(h *house) {
		h.account("ana")
		o := moderators()
		o.reports[0].Text = strings.Repeat("words ", 49) + "at the end"
		for id := int64(8); id < 20; id++ {
			o.reports = append(o.reports, Report{ID: id, By: "dave", About: "bob", Text: strings.Repeat("漢字", 145) + "at the end"})
		}
		for _, size := range [][2]int{{80, 24}, {60, 20}} {
			d := h.visit(setting{name: "ana", office: o, w: size[0], h: size[1]})
			d.press("M")
			d.has("at the end", "› dave about bob: words")
			d.press("end")
			d.has("› dave about bob: 漢字")
			if size[0] == 80 {
				d.has("at the end")
			} else {
				d.golden("office-long-report")
			}
			d.press("q")
		}
	})
}

// Who mistypes corrects what stands there and need not type it anew.
func TestRefusedLinesStayInTheOffice(t *testing.T) {
	inHouse(t, func(h *house) {
		h.account("ana")
		o := moderators()
		d := h.visit(setting{name: "ana", office: o})
		d.press("M i backspace")
		d.write("w")
		o.err = &lobby.Error{Code: lobby.BadRequest, Message: `"7w" is no duration`}
		d.press("enter")
		d.has(`"7w" is no duration. Write how many keys, and how long: 5 24h`)
		o.err = nil
		d.press("enter")
		d.has("An invitation")
		if want := []string{"invite 1 7w", "invite 1 7w"}; !slices.Equal(o.orders, want) {
			t.Errorf("orders %q", o.orders)
		}
		d.press("q m")
		d.write("bobb")
		o.err = &lobby.Error{Code: lobby.BadRequest, Message: `there is no account and no guest "bobb"`}
		d.press("enter")
		d.has(`There is no account and no guest "bobb".`, "\n bobb")
		o.err = nil
		d.press("backspace enter")
		d.has("Moderate bob ")
	})
}

// TestEntryShowsTheMessageAndTheReports at once, on a first visit as on later ones.
func TestEntryShowsTheMessageAndTheReports(t *testing.T) {
	inHouse(t, func(h *house) {
		host := Visit{Message: "Club night is on Friday at eight."}
		d := h.visit(setting{name: "ana", office: moderators(), club: host})
		d.write("ana")
		d.press("enter")
		d.has("Welcome, ana.", "Club night is on Friday at eight.", "1 open report; M leads there.")
		d.press("down")
		d.lacks("Club night", "open report")
		d = h.visit(setting{name: "ana", office: moderators(), club: host, w: 60, h: 20})
		d.has("Club night is on Friday at eight.", "1 open report; M leads there.")
	})
}
