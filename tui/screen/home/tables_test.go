package home_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby/clock"
	"ayumu/lobby/table"
	"ayumu/tui/screen/screentest"
)

// The end of a challenge is shown to the other user on every screen until the next key.
func TestEndsOfChallengesAreShown(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		ana, bob := h.SignIn("ana", ""), h.SignIn("bob", "")
		open := func() *table.View {
			table, err := ana.Session.OpenTable(h.T.Context(), table.Proposal{Game: "ayu", To: "bob", Clock: &clock.Default})
			if err != nil {
				h.T.Fatal(err)
			}
			bob.Advance(time.Second)
			ana.Advance(time.Second)
			return table
		}
		for _, keys := range []string{"", "?", "o", "a"} { // the lobby, the help, the settings, the archive
			ana.Press(keys)
			open()
			bob.Press("x")
			bob.WantText("Challenge declined.")
			ana.Advance(time.Second)
			ana.WantText("bob declined your challenge.")
			ana.Advance(5 * time.Second)
			ana.WantNoText("bob declined your challenge.")
			if keys != "" {
				ana.Press("q")
			}
		}
		table := open()
		if err := ana.Session.CancelTable(h.T.Context(), table.ID); err != nil {
			h.T.Fatal(err)
		}
		bob.WantText("ana withdrew the challenge.")
		open()
		bob.Close()
		ana.Advance(12 * time.Second)
		ana.WantText("bob has left. Your challenge has expired.")
		bob = h.SignIn("bob", "")
		open()
		ana.Press("home x")
		ana.WantText("Challenge withdrawn.")
		open()
		ana.Close()
		bob.Advance(12 * time.Second)
		bob.WantText("ana has left. The challenge has expired.")
	})
}

// A user who leaves another user's table is notified, and so are the seated users when its owner closes
// it.
func TestOthersTableIsLeft(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		ana, bob := h.SignIn("ana", ""), h.SignIn("bob", "")
		table, err := ana.Session.OpenTable(h.T.Context(), table.Proposal{Game: "mu", Options: json.RawMessage(`{"players":3}`)})
		if err != nil {
			h.T.Fatal(err)
		}
		bob.Advance(time.Second)
		bob.Press("enter")
		bob.Advance(time.Second)
		bob.WantText("You joined the table", "x leave table")
		bob.WantNoText("Enter join", "x decline")
		bob.Press("x")
		bob.WantText("You left the table.")
		bob.Advance(time.Second)
		bob.Press("enter")
		if err := ana.Session.CancelTable(h.T.Context(), table.ID); err != nil {
			h.T.Fatal(err)
		}
		bob.WantText("ana closed the table.")
	})
}

// The owner of a table gives its free seats to bots.
func TestFillATableWithBots(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		builtin := h.NewBots(screentest.FirstLegal)
		defer builtin.Close()
		h.Account("ana")
		d := h.Visit(screentest.Setting{Name: "ana", Bots: builtin})
		defer d.Close()
		d.Press("+")
		d.WantText("Select a casual table of your own")
		h.OpenTable("bob", table.Proposal{Game: "mu"})
		if _, err := d.Session.OpenTable(h.T.Context(), table.Proposal{Game: "mu", Options: json.RawMessage(`{"players":4,"segments":1}`)}); err != nil {
			h.T.Fatal(err)
		}
		d.Advance(time.Second)
		d.WantText("+ add bots")
		d.Press("+")
		d.WantText("Fill 3 free seats with bots of which level?", "0 Moss", "1 Pebble", "5 Summit")
		d.Press("enter x") // no answers
		d.WantText("Fill 3 free seats with bots of which level?")
		d.Press("esc")
		d.WantNoText("Fill 3 free seats")
		d.Press("+ 2")
		d.Advance(time.Second)
		d.WantText("Brook L2", "Brook-2 L2", "Brook-3 L2")
	})
}

// Joining a table asks nothing, so that its terms are shown while it is selected, in a window in which its row lacks them too.
func TestTermsOfTheSelectedTableAreShown(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		h.Account("ana")
		h.OpenTable("bob", table.Proposal{Game: "ayu", Options: json.RawMessage(`{"size":9}`), Clock: &clock.Default, Rated: new(true)})
		d := h.Visit(screentest.Setting{Name: "ana"})
		d.Advance(time.Second)
		const terms = "Ayu 9×9, pie, 10+10, rated."
		d.WantText(terms, "Enter join")
		d.Shell.AwayNews = "While you were away: nothing."
		d.Advance(time.Second)
		d.WantText("While you were away: nothing.", terms)
		d.Press("tab") // another list
		d.WantNoText(terms)
	})
}

// TestPeopleComeBeforeBotsInARow: the row of a game of many names the people, in whatever seats they are, and counts the bots.
func TestPeopleComeBeforeBotsInARow(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		builtin := h.NewBots(screentest.FirstLegal)
		defer builtin.Close()
		h.Account("ana")
		h.Account("carl")
		d := h.Visit(screentest.Setting{Name: "ana", Bots: builtin, Width: 120, Height: 40})
		defer d.Close()
		opened, err := d.Session.OpenTable(h.T.Context(), table.Proposal{Game: "mu", Options: json.RawMessage(`{"players":5,"segments":1}`)})
		if err != nil {
			h.T.Fatal(err)
		}
		if _, err := h.Member("bob").JoinTable(h.T.Context(), opened.ID, ""); err != nil {
			h.T.Fatal(err)
		}
		d.Advance(time.Second)
		d.Press("+ 2")
		d.Advance(time.Second)
		d.Press("q")
		d.WantText("bob, 3 bots")
		d.Send(tea.WindowSizeMsg{Width: 80, Height: 24})
		d.WantText("bob, 3 bots")
		other := h.Visit(screentest.Setting{Name: "carl", Bots: builtin, Width: 120, Height: 40})
		defer other.Close()
		shown := other.Text()
		if !strings.Contains(shown, "ana – bob – 3 bots") && !strings.Contains(shown, "bob – ana – 3 bots") {
			h.T.Errorf("the people are not named first:\n%s", shown)
		}
	})
}
