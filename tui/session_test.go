package tui_test

import (
	"context"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/tui"
	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/screen"
	"ayumu/tui/screen/screentest"
)

func TestSmallWindowSaysSo(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		h.Account("ana")
		d := h.Visit(screentest.Setting{Name: "ana", Width: 39, Height: 16})
		d.WantText("at least 40×16", "has 39×16")
		d.Send(tea.WindowSizeMsg{Width: 40, Height: 16})
		d.WantText("Open tables")
	})
}

func TestClockTicksOnceASecondAndNothingElse(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		d, _ := h.PlayingScreen("b1-b2", "a2-a3")
		d.WantText("10:10")
		seen := d.Seen
		d.Advance(30 * time.Second)
		if n := d.Seen - seen; n < 29 || n > 32 {
			h.T.Errorf("%d messages in 30 s of a running clock, not about 30", n)
		}
		d.WantText("9:40")
		h.Account("zoe")
		idle := h.Visit(screentest.Setting{Name: "zoe"})
		h.Member("bob").Close(true)
		idle.Advance(time.Second)
		d.Press(":resign y")
		for range 4 { // until the match has left memory
			idle.Advance(5 * time.Minute)
			d.Drain()
		}
		seen, before := idle.Seen, d.Seen
		for range 12 {
			idle.Advance(5 * time.Minute)
			d.Drain()
		}
		if n := idle.Seen - seen; n > 0 {
			h.T.Errorf("an empty lobby got %d messages in an hour", n)
		}
		if n := d.Seen - before; n > 0 {
			h.T.Errorf("a finished game got %d messages in an hour", n)
		}
	})
}

func TestBackgroundOfTheTerminal(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		d := h.Visit(screentest.Setting{Profile: paint.Profile{Colors: paint.TrueColor}})
		if d.Style.Theme.Name != "dark" {
			h.T.Errorf("without an answer the theme is %q", d.Style.Theme.Name)
		}
		d.Send(tui.Background("\x1b]11;rgb:ffff/ffff/ffff\x07"))
		if d.Style.Theme.Name != "light" {
			h.T.Errorf("on white the theme is %q", d.Style.Theme.Name)
		}
		d = h.Visit(screentest.Setting{Profile: paint.Profile{Term: "xterm", Colors: paint.Colors16}})
		if d.Style.Theme.Name != "dark, 16 colours" {
			h.T.Errorf("of xterm without an answer the theme is %q", d.Style.Theme.Name)
		}
		d.Send(tui.Background("\x1b]11;rgb:0000/0000/0000\x07"))
		if d.Style.Theme.Name != "dark" || d.ShownProfile().Colors != paint.Colors256 {
			h.T.Errorf("of xterm with an answer the theme is %q", d.Style.Theme.Name)
		}
	})
}

func TestSignInFailsWhenTheLobbyIsClosed(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		h.Lobby.Close()
		d := h.Visit(screentest.Setting{})
		d.Press("enter")
		d.WantText("Sign-in failed.", "The server is restarting")
		d.Press("x")
		if !d.HasEnded {
			h.T.Error("the session continues")
		}
	})
}

func TestPanicEndsOneSessionOnly(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		d, _ := h.PlayingScreen()
		d.Show(brokenScreen{})
		_, cmd := d.Update(screentest.Key("enter"))
		if d.Err() == nil {
			h.T.Fatal("the panic was not noticed")
		}
		if _, quits := cmd().(tea.QuitMsg); !quits {
			h.T.Error("the session continues")
		}
		d.ClearErr()
		msg := d.Command(func() tea.Msg { panic("in a command") })()
		if f, ok := msg.(screen.ErrorMsg); !ok || !strings.Contains(f.Err.Error(), "in a command") {
			h.T.Errorf("a command's panic became %v", msg)
		}
		if _, ok := d.Call(func(context.Context) error { panic("in a call") }, nil)().(screen.ErrorMsg); !ok {
			h.T.Error("a call's panic was not noticed")
		}
		d.HasQuit = true
	})
}

// brokenScreen panics when it gets a key.
type brokenScreen struct{ screen.Base }

func (brokenScreen) Handle(tea.Msg) tea.Cmd { panic("a broken screen") }
func (brokenScreen) Draw(paint.Canvas)      {}
func (brokenScreen) StatusKeys() []game.Key { return nil }
func (brokenScreen) Help() screen.Help      { return screen.Help{} }

func TestNewTableAndJoin(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		h.Account("ana")
		h.Account("bob")
		a, b := h.Visit(screentest.Setting{Name: "ana"}), h.Visit(screentest.Setting{Name: "bob"})
		a.Press("n")
		a.FillField("Size", "5×5")
		a.FillField("Clock", "20+15")
		a.Press("enter")
		a.WantText("Your table is open", "your table", "Ayu 5×5", "20+15")
		b.Advance(time.Second)
		b.WantText("ana 1500?", "Ayu 5×5", "20+15")
		b.Press("enter")
		b.WantText("Ayu 5×5, pie", "20+15")
		a.WantText("Ayu 5×5, pie", "20+15")
		if b.InputBlockedUntil().After(time.Now()) {
			h.T.Error("the keys of the player who joined are blocked")
		}
		// Keys that ana types for the lobby have no effect in the match at first.
		a.Press(":resign y")
		if s := h.View().Matches; len(s) != 1 {
			h.T.Errorf("%d games are running, not 1", len(s))
		}
		a.Advance(tui.AutoOpenGuard)
		a.Press(":resign")
		a.WantText("Abort this game?")
	})
}
