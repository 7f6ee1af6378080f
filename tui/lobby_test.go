package tui_test

import (
	"context"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby"
	"ayumu/lobby/clock"
	"ayumu/tui"
	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/screen"
	"ayumu/tui/screen/screentest"
)

func TestNameIsCheckedAsItIsTyped(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		h.Account("bob")
		d := h.Visit(screentest.Setting{Name: "somebody", NameHint: "no name!"})
		d.WantText("Choose your name.")
		for typed, want := range map[string]string{
			"1ana":              "begins with a letter",
			"an a":              "only letters a to z",
			"admin2":            "cannot begin with",
			"ana":               "Press Enter to take this name",
			"a2345678901234567": "Press Enter to take this name", // the field holds 16
		} {
			d.Press("ctrl+u")
			d.TypeText(typed)
			if shown := strings.Join(strings.Fields(d.Text()), " "); !strings.Contains(shown, want) {
				h.T.Errorf("%q lacks %q:\n%s", typed, want, d.Text())
			}
		}
		d.Press("ctrl+u")
		d.TypeText("B0B")
		d.Press("enter")
		d.WantText("is taken")
		d.Press("ctrl+u")
		d.TypeText("ana")
		d.Press("enter")
		d.WantText("Welcome, ana", "Open tables")
		if a, known, err := h.AccountByKey(h.T.Context(), screentest.KeyOf("somebody")); err != nil || !known || a.Name != "ana" {
			h.T.Errorf("the account is %+v, %v, %v", a, known, err)
		}
	})
}

func TestSmallWindowSaysSo(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		h.Account("ana")
		d := h.Visit(screentest.Setting{Name: "ana", Width: 59, Height: 20})
		d.WantText("at least 60×20", "has 59×20")
		d.Send(tui.ResizeMsg{60, 20})
		d.WantText("Open tables")
		// Window sizes in the terminal's input are ignored.
		if tui.FilterMsg(d.Model, tea.WindowSizeMsg{Width: 60000, Height: 60000}) != nil {
			h.T.Error("sizes from the input pass")
		}
	})
}

func TestWhatIsTypedIsCleanedAndBounded(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		h.Account("ana")
		d := h.Visit(screentest.Setting{Name: "ana"})
		d.Press("t")
		d.Send(tea.PasteMsg{Content: "one\ntwo\x1b[31m\u202ethree\u200b" + strings.Repeat("x", 5000)})
		d.Press("enter")
		lines := h.Chat.Since(0)
		if len(lines) != 1 || !strings.HasPrefix(lines[0].Text, "one two[31mthreexxx") || len([]rune(lines[0].Text)) > lobby.MaxChat {
			h.T.Errorf("said %+v", lines)
		}
	})
}

func TestTooManyChatLinesAreRefused(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		h.Account("ana")
		d := h.Visit(screentest.Setting{Name: "ana"})
		d.Press("t")
		for range 12 {
			d.TypeText("hi")
			d.Press("enter")
		}
		d.WantText("Too many chat messages")
	})
}

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
		a.Press("r y")
		if s := h.View().Matches; len(s) != 1 {
			h.T.Errorf("%d games are running, not 1", len(s))
		}
		a.Advance(tui.AutoOpenGuard)
		a.Press("r")
		a.WantText("Resign this game?")
	})
}

func TestQuickMatch(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		h.Account("ana")
		a := h.Visit(screentest.Setting{Name: "ana"})
		a.Press("p a")
		a.WantText("looking for an opponent", "p cancel search")
		a.Press("p")
		a.WantText("Search cancelled.", "p quick match")
		a.Press("p a")
		g := h.Visit(screentest.Setting{})
		g.Press("enter p a")
		a.Advance(7 * time.Second)
		g.Drain()
		a.WantText("10+10", "guest-")
		g.WantText("10+10", "To resume after a", "○ ")
	})
}

func TestPrivateTableIsFoundByItsCode(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		h.Account("ana")
		h.Account("bob")
		h.Account("carol")
		a, b, c := h.Visit(screentest.Setting{Name: "ana"}), h.Visit(screentest.Setting{Name: "bob"}), h.Visit(screentest.Setting{Name: "carol"})
		a.Press("n")
		a.FillField("Visibility", "private (by code)")
		a.Press("enter")
		var code string
		for _, t := range h.View().Tables {
			code = t.Code(a.Session.Account().ID)
		}
		a.WantText("Pass on the code "+code, "your private table")
		b.WantNoText("Ayu 11×11")
		b.Press("e")
		b.TypeText("wrong")
		b.Press("enter")
		b.WantText("has the code \"wrong\"")
		b.Press("e")
		b.TypeText(code)
		b.Press("enter")
		b.WantText("ana")
		a.WantText("private " + code)
		c.Advance(time.Second)
		c.WantText("No games in progress.")
		c.Press("e")
		c.TypeText(code)
		c.Press("enter")
		c.WantText("1 spectator (you)")
	})
}

func TestChallenge(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		h.Account("ana")
		h.Account("bob")
		a, b := h.Visit(screentest.Setting{Name: "ana"}), h.Visit(screentest.Setting{Name: "bob"})
		a.Advance(time.Second)
		a.Press("tab down c")
		a.WantText("New table", "bob")
		a.Press("enter")
		a.WantText("Challenge sent to bob.", "you challenge bob")
		b.Advance(time.Second)
		b.WantText("▸ ana challenges you", "x decline")
		b.Press("x")
		b.WantText("Challenge declined.")
		a.Advance(time.Second)
		a.WantNoText("you challenge bob")
		a.Press("c")
		a.TypeText("nobody")
		a.Press("enter enter")
		a.WantText("\"nobody\" is not online")
	})
}

func TestChallengeReachesASpectator(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		m := h.StartMatch("ana", "bob", `{"size":7}`, clock.Default)
		h.Account("carol")
		d := h.Visit(screentest.Setting{Name: "carol", Open: "watch " + m.Info.ID})
		h.OpenTable("dave", lobby.Proposal{Game: "ayu", To: "carol"})
		d.Advance(time.Second)
		d.WantText("dave challenges you to Ayu 11×11, pie")
	})
}

func TestFollow(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		h.Member("ana")
		h.Account("carol")
		d := h.Visit(screentest.Setting{Name: "carol"})
		d.Press("tab home f")
		d.WantText("Following ana. The next game opens by itself.")
		m := h.StartMatch("ana", "bob", `{"size":7}`, clock.Default)
		d.Advance(2 * time.Second)
		d.WantText("Ayu 7×7", "Following ana")
		if err := h.Player(m, 0).Resign(h.T.Context()); err != nil {
			h.T.Fatal(err)
		}
		d.WantText("bob wins")
		h.StartMatch("ana", "dave", `{"size":9}`, clock.Default)
		d.Advance(time.Second)
		d.WantText("bob wins") // the result stays for a while
		d.Advance(screen.ResultDelay)
		d.WantText("Ayu 9×9", "dave")
		d.Press("q")
		d.WantText("Games to watch")
		d.Advance(10 * time.Second)
		d.WantText("Games to watch") // no longer follows
	})
}

func TestFeaturedGameIsFollowed(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		m := h.StartMatch("ana", "bob", `{"size":7}`, clock.Default, "b1-b2")
		h.Account("carol")
		d := h.Visit(screentest.Setting{Name: "carol"})
		d.WantText("★ ana 1500? – bob 1500?")
		d.Press("F")
		d.WantText("the featured game", "Ayu 7×7")
		h.StartMatch("dave", "erik", `{"size":9}`, clock.Default, "b1-b2")
		d.Advance(3 * time.Second)
		d.WantText("Ayu 7×7")
		if err := h.Player(m, 0).Resign(h.T.Context()); err != nil {
			h.T.Fatal(err)
		}
		d.Advance(screen.ResultDelay + 3*time.Second)
		d.WantText("Ayu 9×9", "dave")
	})
}

func TestClockTicksOnceASecondAndNothingElse(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		d, _ := screentest.PlayingScreen(h, "b1-b2", "a2-a3")
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
		d.Press("r y")
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
		if d.Style.Theme.Name != "dark" || d.Terminal.Profile().Colors != paint.Colors256 {
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
		d, _ := screentest.PlayingScreen(h)
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
