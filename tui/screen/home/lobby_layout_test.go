package home_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"ayumu/lobby/clock"
	"ayumu/lobby/table"
	"ayumu/tui/op"
	"ayumu/tui/screen/screentest"
)

// No column of the lists disappears when they become wider, and no row becomes much wider than 110 columns.
func TestColumnsOfTheLobbyOnlyGrow(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		h.FillLobby()
		d := h.SignIn("ana", "")
		want := map[string][]string{
			"Challenges": {"Game", "Clock", "Mode", "Opened", "Delay"}, "Your games": {"Game", "Clock", "Mode", "Turn", "Idle", "Time"},
			"Open tables": {"Game", "Clock", "Mode", "Seats", "Opened", "Delay"}, "Games to watch": {"Game", "Clock", "Mode", "Turn", "Idle", "Watching"},
		}
		shown := make(map[string][]string) // the titles in each section
		before := 0
		for d.Width, d.Height = 40, 50; d.Width <= 220; d.Width++ {
			sections, border := 0, strings.Split(d.Text(), "\n")[1]
			if at := strings.IndexAny(border, "┬╮"); at >= 0 {
				if at = utf8.RuneCountInString(border[:at]); at < before {
					clear(shown) // a board is beside them now
				}
				before = at
			}
			for line := range strings.Lines(d.Text()) {
				for _, section := range []string{"Challenges", "Your games", "Open tables", "Games to watch"} {
					at := strings.Index(strings.TrimRight(line, "\n")+" ", " "+section+" ")
					if at < 0 {
						continue
					}
					sections++
					var now []string
					width := 0
					for _, title := range want[section] {
						if x := strings.Index(line[at:], " "+title); x >= 0 {
							now, width = append(now, title), utf8.RuneCountInString(line[at:][:x])+len(title)
						}
					}
					for _, title := range shown[section] {
						if !slices.Contains(now, title) {
							t.Errorf("%d columns: %s has lost the column %s: %s", d.Width, section, title, line)
						}
					}
					shown[section] = now
					if width > 110 {
						t.Errorf("%d columns: the row is %d wide", d.Width, width)
					}
				}
			}
			if sections != 4 && !strings.Contains(d.Text(), " ↓") {
				t.Fatalf("%d columns: %d sections", d.Width, sections)
			}
		}
		if fmt.Sprint(shown) != fmt.Sprint(want) {
			t.Errorf("the widest window shows %v", shown)
		}
	})
}

// A new challenge is selected, so that Enter and x answer it, but not in the first moment: those keys may have been
// meant for another row.
func TestNewChallengeIsSelected(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		h.StartMatch("carol", "dave", `{"size":7}`, clock.Default)
		d := h.SignIn("ana", "")
		d.Press("tab w")
		d.WantText("is not playing")
		h.OpenTable("bob", table.Proposal{Game: "ayu", To: "ana", Clock: &clock.Default})
		for len(d.Session.Wakeups()) == 0 && !strings.Contains(d.Text(), "from bob") {
			d.Advance(10 * time.Millisecond)
		}
		d.WantText("bob challenges you: Ayu 11×11, pie, 10+10, casual. Enter: accept, x: decline.", "Enter accept", "x decline")
		d.Press("enter")
		d.WantText("This challenge has just arrived. Press Enter again to accept it.")
		d.Press("x")
		d.WantText("from bob", "This challenge has just arrived. Press x again to decline it.")
		d.Press("end")
		d.WantText("bob challenges you: Ayu 11×11, pie, 10+10, casual. Select it to answer.", "Enter watch")
		d.Advance(op.OfferGuard)
		d.Press("home x")
		d.WantText("Challenge declined.", "Enter open")
	})
}

// The rows of tables at which the user sits are marked, and the keys in the status bar are those of a seated user.
func TestOwnSeatsAreMarked(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		d := h.SignIn("ana", "")
		table, err := h.Member("bob").OpenTable(h.T.Context(), table.Proposal{Game: "mu", Options: json.RawMessage(`{"players":6,"segments":2}`)})
		if err != nil {
			t.Fatal(err)
		}
		d.Advance(time.Second)
		d.WantText("›  bob 1500?", "Mu 6×2", "1 of 6", "Enter join")
		d.WantNoText("x leave")
		d.Press("enter")
		d.Advance(time.Second)
		d.WantText("· bob, you", "2 of 6", "x leave table")
		d.WantNoText("Enter join")
		d.Press("enter")
		d.WantText("You have joined. The game starts when all 6 seats are taken. x: leave.")
		if _, err := h.Member("carol").JoinTable(h.T.Context(), table.ID, ""); err != nil {
			t.Fatal(err)
		}
		e := h.SignIn("erik", "")
		e.WantText("›  bob, ana")
	})
}

// A new user reads what to press first and what the games are, until they play.
func TestNewUserIsShownFirstSteps(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		builtin := h.NewBots(screentest.FirstLegal)
		defer builtin.Close()
		h.Account("ana")
		h.Account("bob")
		d := h.Visit(screentest.Setting{Name: "ana", Bots: builtin, IsNew: true})
		defer d.Close()
		d.WantText("›  l  learn Ayu or Mu", "b  first game", "Goal: join all", "MU: build a board", "not rated yet")
		small := h.Visit(screentest.Setting{Name: "bob", Width: 40, Height: 16, Bots: builtin, IsNew: true})
		defer small.Close()
		small.WantText("›  l  learn Ayu or Mu", "b  first game")
		d.Press("down up")
		m := h.StartMatch("ana", "bob", `{"size":7}`, clock.Default, "b1-b2", "a2-a3")
		d.Advance(time.Second)
		d.Press("q y")
		d.WantText("Your games")
		d.WantNoText("learn Ayu", "Goal:")
		// A casual game is enough, in this session and later.
		d.Press("enter")
		h.Resign(m, "bob")
		d.Drain()
		d.Press("q")
		for _, c := range []*screentest.Session{d, h.Visit(screentest.Setting{Name: "ana", IsNew: true})} {
			c.WantText("ana · not rated yet", "Games to watch")
			c.WantNoText("learn Ayu", "Goal:")
		}
		h.Rated(1, "carol", "dave")
		c := h.Visit(screentest.Setting{Name: "carol", IsNew: true})
		c.WantNoText("learn Ayu", "Goal:")
		c.WantText("carol · Ayu 1662 (provisional)")
	})
}

// What is below the window stands beside the last section that is shown, of whose columns only the last titles give way.
func TestRowsBelowAreThoseOfTheSection(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		h.FillLobby()
		d := h.SignIn("ana", "")
		want := map[int]string{16: "2 more ↓", 17: "1 more ↓", 18: ""}
		for height, hint := range want {
			d.Width, d.Height = 111, height
			for line := range strings.Lines(d.Text()) {
				_, after, ok := strings.Cut(line, "Challenges ─")
				if ok && (strings.Contains(after, "↓") || !strings.Contains(after, " Delay ")) {
					t.Errorf("%d rows: the first title is %s", height, line)
				}
			}
			if hint != "" {
				d.WantText(" " + hint + " ")
			} else {
				d.WantNoText("↓")
			}
			d.WantText("Game ─")
		}
	})
}

// The number of rows below the window stands beside the title of the list, and the selected row is never hidden.
func TestMoreRowsAreCountedBesideNoRow(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		h.FillLobby()
		d := h.SignIn("ana", "")
		for _, size := range [][2]int{{40, 16}, {60, 20}} {
			d.Width, d.Height = size[0], size[1]
			d.Press("home")
			marks := 0
			for range 12 {
				text := d.Text()
				if !strings.Contains(text, "›") {
					t.Errorf("%v: no row is selected:\n%s", size, text)
				}
				for line := range strings.Lines(text) {
					before, _, ok := strings.Cut(line, " more ↓")
					if !ok {
						continue
					}
					marks++
					if strings.Contains(before, "Ayu") {
						t.Errorf("%v: the mark covers a row: %s", size, line)
					}
				}
				d.Press("down")
			}
			if marks == 0 {
				t.Errorf("%v: no mark", size)
			}
		}
	})
}
