package tui_test

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby/clock"
	"ayumu/lobby/match"
	"ayumu/lobby/table"
	"ayumu/tui/screen/screentest"
)

func TestHiddenMatchesReportWhatOthersDo(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		m := h.StartMatch("ana", "bob", `{"size":5,"pie":false}`, clock.Control{}, "b1-b2")
		ana := h.SignIn("ana", "")
		ctx := h.T.Context()
		for _, step := range []struct {
			do   func() error
			text string
		}{
			{func() error { return h.Player(m, 1).Offer(ctx, match.OfferDraw) }, "Game with bob: bob offers a draw."},
			{func() error { return h.Player(m, 1).Refuse(ctx, match.OfferDraw) }, "Game with bob: bob withdrew the draw offer."},
			{func() error { return h.Player(m, 1).Resign(ctx) }, "Game with bob is over. You win: bob resigned."},
			{func() error { return h.Player(m, 1).Offer(ctx, match.OfferRematch) }, "Game with bob: bob offers a rematch."},
		} {
			if err := step.do(); err != nil {
				h.T.Fatal(err)
			}
			ana.WantText(step.text)
			ana.Press("up")
			ana.WantNoText(step.text)
		}
	})
}

// Challenges are shown on every screen, and counted in the status bar until they are answered.
func TestChallengesAreShownOnEveryScreen(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		h.Account("bob")
		bob := h.Visit(screentest.Setting{Name: "bob"})
		const text = "ana challenges you to Ayu 11×11"
		for _, keys := range []string{"?", "o", "a", "a ?"} { // the help, the settings, the archive and its help
			bob.Press(keys)
			table, err := h.Member("ana").OpenTable(h.T.Context(), table.Proposal{Game: "ayu", To: "bob", Clock: &clock.Default})
			if err != nil {
				h.T.Fatal(err)
			}
			bob.WantText(text)
			bob.Advance(5 * time.Second)
			bob.WantNoText(text)
			bob.WantText("1 challenge") // in the status bar
			if err := h.Member("ana").CancelTable(h.T.Context(), table.ID); err != nil {
				h.T.Fatal(err)
			}
			bob.WantText("ana withdrew the challenge.")
			bob.WantNoText("1 challenge")
			for range len(keys)/2 + 1 {
				bob.Press("q")
			}
			bob.WantText("Open tables")
		}
	})
}

// What several others do at once is shown together.
func TestEventsOfOneMomentAreShownTogether(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		m := h.StartMatch("ana", "bob", `{"size":5,"pie":false}`, clock.Control{}, "b1-b2")
		ana := h.SignIn("ana", "watch "+m.Info.ID)
		h.OpenTable("cara", table.Proposal{Game: "ayu", To: "ana"})
		h.OpenTable("dave", table.Proposal{Game: "ayu", To: "ana"})
		if err := h.Player(m, 0).Offer(h.T.Context(), match.OfferDraw); err != nil {
			h.T.Fatal(err)
		}
		if err := h.Player(m, 1).Refuse(h.T.Context(), match.OfferDraw); err != nil {
			h.T.Fatal(err)
		}
		ana.Drain()
		shown := strings.Join(strings.Fields(ana.Text()), " ")
		for _, text := range []string{"cara challenges you", "dave challenges you", "bob declined your draw offer."} {
			if !strings.Contains(shown, text) {
				h.T.Errorf("no %q in\n%s", text, ana.Text())
			}
		}
		ana.Press("up")
		ana.WantNoText("challenges you", "declined")
	})
}

func TestBellRingsForEvents(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		m := h.StartMatch("ana", "bob", `{"size":5,"pie":false}`, clock.Control{}, "b1-b2")
		ana := h.Terminal(screentest.Setting{Name: "ana", Open: "watch " + m.Info.ID})
		eve := h.Terminal(screentest.Setting{Name: "", Open: "watch " + m.Info.ID})
		if err := h.Player(m, 1).Offer(h.T.Context(), match.OfferDraw); err != nil {
			h.T.Fatal(err)
		}
		ana.WaitFor("bob offers a draw")
		if !ana.Received("\a") {
			h.T.Error("the bell did not ring for an offer")
		}
		if eve.Received("\a") {
			h.T.Error("the bell rang for a spectator")
		}
	})
}

// A message about what somebody else did goes with the next one, with what the user does by key or mouse, or after 5 s.
func TestEventsGoByThemselves(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		m := h.StartMatch("ana", "bob", `{"size":5,"pie":false}`, clock.Control{}, "b1-b2")
		ana := h.SignIn("ana", "watch "+m.Info.ID)
		// event makes a challenge by cara and its withdrawal.
		event := func() {
			h.T.Helper()
			table, err := h.Member("cara").OpenTable(h.T.Context(), table.Proposal{Game: "ayu", To: "ana"})
			if err != nil {
				h.T.Fatal(err)
			}
			ana.WantText("cara challenges you")
			if err := h.Member("cara").CancelTable(h.T.Context(), table.ID); err != nil {
				h.T.Fatal(err)
			}
			ana.WantText("cara withdrew the challenge.")
			ana.WantNoText("challenges you")
		}
		event()
		ana.Advance(5*time.Second - 1)
		ana.WantText("withdrew")
		ana.Advance(1)
		ana.WantNoText("withdrew")
		event()
		ana.ClickOn("·", 0)
		ana.WantNoText("withdrew")
		event()
		ana.Press("up")
		ana.WantNoText("withdrew")
		// Also above an open input line and a question, which do not hide it.
		ana.Press("t")
		event()
		ana.WantText("Message to bob")
		ana.Press("esc :resign")
		event()
		ana.WantText("Abort this game?")
	})
}

// An error stays, also beside what others do, and disappears with the next action, by key or mouse.
func TestErrorsDisappearWithTheNextAction(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		m := h.StartMatch("ana", "bob", `{"size":5,"pie":false}`, clock.Control{})
		ana := h.SignIn("ana", "watch "+m.Info.ID)
		const refused = "is empty"
		for _, act := range []func(){
			func() { ana.ClickOn("█", 0) },
			func() { ana.Press("tab") },
			func() { ana.Send(tea.MouseWheelMsg{Button: tea.MouseWheelDown}) },
		} {
			ana.ClickOn("·", 0)
			table, err := h.Member("cara").OpenTable(h.T.Context(), table.Proposal{Game: "ayu", To: "ana"})
			if err != nil {
				h.T.Fatal(err)
			}
			ana.WantText(refused, "cara challenges you")
			ana.Advance(time.Minute)
			ana.WantText(refused)
			ana.WantNoText("challenges you")
			if err := h.Member("cara").CancelTable(h.T.Context(), table.ID); err != nil {
				h.T.Fatal(err)
			}
			act()
			ana.WantNoText(refused)
			ana.Press("esc")
		}
	})
}
