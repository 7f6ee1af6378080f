package match_test

import (
	"testing"
	"time"

	"ayumu/lobby/clock"
	"ayumu/tui/screen/match"
	"ayumu/tui/screen/screentest"
)

// A player sees how the opponent left, counts down to the claim, and sees that the opponent is back.
func TestAbsenceCountsDownToTheClaim(t *testing.T) {
	for dropped, want := range map[bool]struct{ name, countdown, text, later, claimable string }{
		false: {"away 7 s", "0:03.", "bob has left. You can claim the game in 0:03.", "=: claim the win", "bob has left. =: claim the win"},
		true:  {"dropped 7 s", "0:53.", "bob has lost the connection. You can claim the game in 0:53.", "You can claim the game in 0:48.", "bob has lost the connection. =: claim the win"},
	} {
		screentest.With(t, func(h *screentest.Harness) {
			m := h.StartMatch("ana", "bob", `{"size":7,"pie":false}`, clock.Default, "b1-b2", "a2-a3")
			ana, bob := h.SignIn("ana", ""), h.SignIn("bob", "")
			h.Member("bob").Close(false)
			bob.Session.Close(dropped)
			ana.Advance(7 * time.Second)
			shows := func(text string) {
				h.T.Helper()
				if _, ok := match.StyleOfLine(ana.Current(), text); !ok {
					h.T.Errorf("no line %q in\n%s", text, ana.Text())
				}
			}
			ana.WantText(want.name, want.countdown)
			shows(want.text)
			ana.Advance(5 * time.Second)
			shows(want.later)
			ana.Advance(time.Minute)
			shows(want.claimable)
			h.SignIn("bob", "watch "+m.Info.ID)
			ana.Advance(time.Second)
			ana.WantText("bob is back.")
			ana.WantNoText("You can claim", "claim the win")
		})
	}
}

// The absence of an opponent is shown where the board is hidden too, but not in a correspondence game.
func TestAbsenceIsShownEverywhere(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		m := h.StartMatch("ana", "bob", `{"size":7,"pie":false}`, clock.Control{}, "b1-b2")
		h.StartMatch("ana", "cara", `{"size":7,"pie":false}`, clock.Control{Days: 3}, "b1-b2")
		lobby, help := h.SignIn("ana", ""), h.SignIn("ana", "watch "+m.Info.ID)
		help.Press("?")
		h.Member("bob").Close(false)
		h.Member("cara").Close(false)
		lobby.Advance(7 * time.Second)
		help.Drain()
		lobby.WantText("Game with bob: bob has left. You can claim the game in 0:")
		lobby.WantNoText("Game with cara")
		help.WantText("bob has left. You can claim the game in 0:")
	})
}

func TestFirstTurnBecomesUrgent(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		d, _ := h.PlayingScreen()
		for _, c := range []struct {
			after    time.Duration
			text     string
			isUrgent bool
		}{
			{44 * time.Second, "within 0:16 or the game is aborted.", false},
			{time.Second, "within 0:15 or the game is aborted.", true},
		} {
			d.Advance(c.after)
			style, ok := match.StyleOfLine(d.Current(), c.text)
			if !ok || (style == d.Style.Theme.Bad) != c.isUrgent {
				h.T.Errorf("%q is shown: %t, in the style %v", c.text, ok, style)
			}
		}
	})
}

// The warning is shown where the countdown is hidden, and the bell rings.
func TestUrgentFirstTurnIsShownOverTheHelp(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		d, m := h.PlayingScreen()
		bell := h.Terminal(screentest.Setting{Name: "ana", Open: "watch " + m.Info.ID})
		d.Press("?")
		d.Advance(44 * time.Second)
		d.WantNoText("your first move within")
		if bell.Received("\a") {
			h.T.Error("the bell rang too early")
		}
		d.Advance(2 * time.Second)
		d.WantText("Make your first move within 0:15 or the game is aborted.")
		if !bell.Received("\a") {
			h.T.Error("the bell did not ring")
		}
		d.Press("q")
		d.WantNoText("first move within 0:15")
	})
}

// A clock that runs short is announced once where it is hidden, and with the bell.
func TestAShortClockIsShownOverTheHelp(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		m := h.StartMatch("ana", "bob", `{"size":5,"pie":false}`, clock.Control{Initial: time.Minute}, "b1-b2", "a2-a3")
		d := h.Terminal(screentest.Setting{Name: "ana", Open: "watch " + m.Info.ID})
		d.Keys("?")
		<-time.After(38 * time.Second)
		if d.Shows("running short") || d.Received("\a") {
			h.T.Fatal("the warning came too early")
		}
		<-time.After(3 * time.Second)
		d.WaitFor("Your time is running short: 0:20 left.")
		if !d.Received("\a") {
			h.T.Error("the bell did not ring")
		}
		d.Keys("\x1b[A")
		<-time.After(5 * time.Second)
		if d.Shows("running short") {
			h.T.Error("the warning came twice")
		}
	})
}

// A player who leaves the board of a live game, but not the server, is elsewhere for the opponent and spectators; help on
// the board is not. It ends when they return.
func TestOpponentElsewhere(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		m := h.StartMatch("ana", "bob", `{"size":7,"pie":false}`, clock.Default, "b1-b2", "a2-a3")
		open := "watch " + m.Info.ID
		h.Member("bob").Close(false)
		ana, bob, eve := h.SignIn("ana", open), h.SignIn("bob", open), h.SignIn("eve", open)
		wait := func(d time.Duration) {
			ana.Advance(d)
			bob.Drain()
			eve.Drain()
		}
		bob.Press("?")
		wait(7 * time.Second)
		ana.WantNoText("elsewhere")
		bob.Press("q")
		bob.Press("q")
		bob.Press("y")
		wait(7 * time.Second)
		bob.WantNoText("elsewhere")
		for _, d := range []*screentest.Session{ana, eve} {
			d.WantText("elsewhere")
			d.WantNoText("away", "You can claim", "=: claim")
		}
		ana.Press("?")
		h.SignIn("bob", open)
		wait(time.Second)
		ana.WantText("bob is back.")
		ana.Press("q")
		ana.WantNoText("elsewhere")
		eve.WantNoText("elsewhere")
	})
}
