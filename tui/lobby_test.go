package tui

import (
	"context"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby"
	"ayumu/lobby/clock"
	"ayumu/tui/paint"
	"ayumu/tui/screen"
)

func TestNameIsCheckedAsItIsTyped(t *testing.T) {
	withHarness(t, func(h *harness) {
		h.account("bob")
		d := h.visit(setting{name: "somebody", hint: "no name!"})
		d.wantText("Choose your name.")
		for typed, want := range map[string]string{
			"1ana":              "begins with a letter",
			"an a":              "only letters a to z",
			"admin2":            "cannot begin with",
			"ana":               "Press Enter to take this name",
			"a2345678901234567": "Press Enter to take this name", // the field holds 16
		} {
			d.press("ctrl+u")
			d.typeText(typed)
			if shown := strings.Join(strings.Fields(d.text()), " "); !strings.Contains(shown, want) {
				h.t.Errorf("%q lacks %q:\n%s", typed, want, d.text())
			}
		}
		d.press("ctrl+u")
		d.typeText("B0B")
		d.press("enter")
		d.wantText("is taken")
		d.press("ctrl+u")
		d.typeText("ana")
		d.press("enter")
		d.wantText("Welcome, ana", "Open tables")
		if a, known, err := h.AccountByKey(h.t.Context(), keyOfName("somebody")); err != nil || !known || a.Name != "ana" {
			h.t.Errorf("the account is %+v, %v, %v", a, known, err)
		}
	})
}

func TestSmallWindowSaysSo(t *testing.T) {
	withHarness(t, func(h *harness) {
		h.account("ana")
		d := h.visit(setting{name: "ana", w: 59, h: 20})
		d.wantText("at least 60×20", "has 59×20")
		d.send(resizeMsg{60, 20})
		d.wantText("Open tables")
		// Window sizes in the terminal's input are ignored.
		if filterMsg(d.app, tea.WindowSizeMsg{Width: 60000, Height: 60000}) != nil {
			h.t.Error("sizes from the input pass")
		}
	})
}

func TestWhatIsTypedIsCleanedAndBounded(t *testing.T) {
	withHarness(t, func(h *harness) {
		h.account("ana")
		d := h.visit(setting{name: "ana"})
		d.press("t")
		d.send(tea.PasteMsg{Content: "one\ntwo\x1b[31m\u202ethree\u200b" + strings.Repeat("x", 5000)})
		d.press("enter")
		lines := h.Chat.Since(0)
		if len(lines) != 1 || !strings.HasPrefix(lines[0].Text, "one two[31mthreexxx") || len([]rune(lines[0].Text)) > lobby.MaxChat {
			h.t.Errorf("said %+v", lines)
		}
	})
}

func TestTooManyChatLinesAreRefused(t *testing.T) {
	withHarness(t, func(h *harness) {
		h.account("ana")
		d := h.visit(setting{name: "ana"})
		d.press("t")
		for range 12 {
			d.typeText("hi")
			d.press("enter")
		}
		d.wantText("Too many chat messages")
	})
}

func TestNewTableAndJoin(t *testing.T) {
	withHarness(t, func(h *harness) {
		h.account("ana")
		h.account("bob")
		a, b := h.visit(setting{name: "ana"}), h.visit(setting{name: "bob"})
		a.press("n")
		a.fillField("Size", "5×5")
		a.fillField("Clock", "20+15")
		a.press("enter")
		a.wantText("Your table is open", "your table", "Ayu 5×5", "20+15")
		b.advance(time.Second)
		b.wantText("ana 1500?", "Ayu 5×5", "20+15")
		b.press("enter")
		b.wantText("Ayu 5×5, pie", "20+15")
		a.wantText("Ayu 5×5, pie", "20+15")
		if b.app.inputBlockedUntil.After(time.Now()) {
			h.t.Error("the keys of the player who joined are blocked")
		}
		// Keys that ana types for the lobby have no effect in the match at first.
		a.press("r y")
		if s := h.View().Matches; len(s) != 1 {
			h.t.Errorf("%d games are running, not 1", len(s))
		}
		a.advance(autoOpenGuard)
		a.press("r")
		a.wantText("Resign this game?")
	})
}

func TestQuickMatch(t *testing.T) {
	withHarness(t, func(h *harness) {
		h.account("ana")
		a := h.visit(setting{name: "ana"})
		a.press("p a")
		a.wantText("looking for an opponent", "p cancel search")
		a.press("p")
		a.wantText("Search cancelled.", "p quick match")
		a.press("p a")
		g := h.visit(setting{})
		g.press("enter p a")
		a.advance(7 * time.Second)
		g.drainMessages()
		a.wantText("10+10", "guest-")
		g.wantText("10+10", "To resume after a", "○ ")
	})
}

func TestPrivateTableIsFoundByItsCode(t *testing.T) {
	withHarness(t, func(h *harness) {
		h.account("ana")
		h.account("bob")
		h.account("carol")
		a, b, c := h.visit(setting{name: "ana"}), h.visit(setting{name: "bob"}), h.visit(setting{name: "carol"})
		a.press("n")
		a.fillField("Visibility", "private (by code)")
		a.press("enter")
		var code string
		for _, t := range h.View().Tables {
			code = t.Code(a.Session.Account().ID)
		}
		a.wantText("Pass on the code "+code, "your private table")
		b.wantNoText("Ayu 11×11")
		b.press("e")
		b.typeText("wrong")
		b.press("enter")
		b.wantText("has the code \"wrong\"")
		b.press("e")
		b.typeText(code)
		b.press("enter")
		b.wantText("ana")
		a.wantText("private " + code)
		c.advance(time.Second)
		c.wantText("No games in progress.")
		c.press("e")
		c.typeText(code)
		c.press("enter")
		c.wantText("1 spectator (you)")
	})
}

func TestChallenge(t *testing.T) {
	withHarness(t, func(h *harness) {
		h.account("ana")
		h.account("bob")
		a, b := h.visit(setting{name: "ana"}), h.visit(setting{name: "bob"})
		a.advance(time.Second)
		a.press("tab down c")
		a.wantText("New table", "bob")
		a.press("enter")
		a.wantText("Challenge sent to bob.", "you challenge bob")
		b.advance(time.Second)
		b.wantText("▸ ana challenges you", "x decline")
		b.press("x")
		b.wantText("Challenge declined.")
		a.advance(time.Second)
		a.wantNoText("you challenge bob")
		a.press("c")
		a.typeText("nobody")
		a.press("enter enter")
		a.wantText("\"nobody\" is not online")
	})
}

func TestChallengeReachesASpectator(t *testing.T) {
	withHarness(t, func(h *harness) {
		m := h.match("ana", "bob", `{"size":7}`, clock.Default)
		h.account("carol")
		d := h.visit(setting{name: "carol", open: "watch " + m.Info.ID})
		h.open("dave", lobby.Proposal{Game: "ayu", To: "carol"})
		d.advance(time.Second)
		d.wantText("dave challenges you to Ayu 11×11, pie")
	})
}

func TestFollow(t *testing.T) {
	withHarness(t, func(h *harness) {
		h.member("ana")
		h.account("carol")
		d := h.visit(setting{name: "carol"})
		d.press("tab home f")
		d.wantText("Following ana. The next game opens by itself.")
		m := h.match("ana", "bob", `{"size":7}`, clock.Default)
		d.advance(2 * time.Second)
		d.wantText("Ayu 7×7", "Following ana")
		if err := h.player(m, 0).Resign(h.t.Context()); err != nil {
			h.t.Fatal(err)
		}
		d.wantText("bob wins")
		h.match("ana", "dave", `{"size":9}`, clock.Default)
		d.advance(time.Second)
		d.wantText("bob wins") // the result stays for a while
		d.advance(resultDelay)
		d.wantText("Ayu 9×9", "dave")
		d.press("q")
		d.wantText("Games to watch")
		d.advance(10 * time.Second)
		d.wantText("Games to watch") // no longer follows
	})
}

func TestFeaturedGameIsFollowed(t *testing.T) {
	withHarness(t, func(h *harness) {
		m := h.match("ana", "bob", `{"size":7}`, clock.Default, "b1-b2")
		h.account("carol")
		d := h.visit(setting{name: "carol"})
		d.wantText("★ ana 1500? – bob 1500?")
		d.press("F")
		d.wantText("the featured game", "Ayu 7×7")
		h.match("dave", "erik", `{"size":9}`, clock.Default, "b1-b2")
		d.advance(3 * time.Second)
		d.wantText("Ayu 7×7")
		if err := h.player(m, 0).Resign(h.t.Context()); err != nil {
			h.t.Fatal(err)
		}
		d.advance(resultDelay + 3*time.Second)
		d.wantText("Ayu 9×9", "dave")
	})
}

func TestClockTicksOnceASecondAndNothingElse(t *testing.T) {
	withHarness(t, func(h *harness) {
		d, _ := playingScreen(h, "b1-b2", "a2-a3")
		d.wantText("10:10")
		seen := d.seen
		d.advance(30 * time.Second)
		if n := d.seen - seen; n < 29 || n > 32 {
			h.t.Errorf("%d messages in 30 s of a running clock, not about 30", n)
		}
		d.wantText("9:40")
		h.account("zoe")
		idle := h.visit(setting{name: "zoe"})
		h.member("bob").Close(true)
		idle.advance(time.Second)
		d.press("r y")
		for range 4 { // until the match has left memory
			idle.advance(5 * time.Minute)
			d.drainMessages()
		}
		seen, before := idle.seen, d.seen
		for range 12 {
			idle.advance(5 * time.Minute)
			d.drainMessages()
		}
		if n := idle.seen - seen; n > 0 {
			h.t.Errorf("an empty lobby got %d messages in an hour", n)
		}
		if n := d.seen - before; n > 0 {
			h.t.Errorf("a finished game got %d messages in an hour", n)
		}
	})
}

func TestSettingsAreKept(t *testing.T) {
	withHarness(t, func(h *harness) {
		h.account("ana")
		d := h.visit(setting{name: "ana", profile: paint.Profile{Colors: paint.TrueColor}})
		d.press("o left down right down right q")
		if d.Style.Theme.Name != "no colours" {
			h.t.Errorf("the theme is %q", d.Style.Theme.Name)
		}
		d.drainMessages()
		again := h.visit(setting{name: "ana", profile: paint.Profile{Colors: paint.TrueColor}})
		if want := (screen.Settings{Background: screen.BackgroundDark, Plain: true, Confirm: true, ReplaySpeed: screen.DefaultSpeed}); again.Settings != want {
			h.t.Errorf("the settings came back as %+v, not %+v", again.Settings, want)
		}
	})
	for _, raw := range []string{"", "not JSON", `{"pace":99,"ground":-4}`, `{"bell":3}`} {
		if s := screen.ReadSettings([]byte(raw)); s.ReplaySpeed < 0 || s.ReplaySpeed >= len(screen.ReplaySpeeds) || s.Background < 0 || s.Background > screen.BackgroundLight {
			t.Errorf("%q became %+v", raw, s)
		}
	}
}

func TestBackgroundOfTheTerminal(t *testing.T) {
	withHarness(t, func(h *harness) {
		d := h.visit(setting{profile: paint.Profile{Colors: paint.TrueColor}})
		if d.Style.Theme.Name != "dark" {
			h.t.Errorf("without an answer the theme is %q", d.Style.Theme.Name)
		}
		d.send(background("\x1b]11;rgb:ffff/ffff/ffff\x07"))
		if d.Style.Theme.Name != "light" {
			h.t.Errorf("on white the theme is %q", d.Style.Theme.Name)
		}
	})
}

func TestSignInFailsWhenTheLobbyIsClosed(t *testing.T) {
	withHarness(t, func(h *harness) {
		h.Lobby.Close()
		d := h.visit(setting{})
		d.press("enter")
		d.wantText("Sign-in failed.", "The server is restarting")
		d.press("x")
		if !d.quit {
			h.t.Error("the session continues")
		}
	})
}

func TestPanicEndsOneSessionOnly(t *testing.T) {
	withHarness(t, func(h *harness) {
		d, _ := playingScreen(h)
		d.Current().(*matchScreen).board = nil
		_, cmd := d.Update(key("enter"))
		if d.err == nil {
			h.t.Fatal("the panic was not noticed")
		}
		if _, quits := cmd().(tea.QuitMsg); !quits {
			h.t.Error("the session continues")
		}
		d.err = nil
		msg := d.Command(func() tea.Msg { panic("in a command") })()
		if f, ok := msg.(screen.ErrorMsg); !ok || !strings.Contains(f.Err.Error(), "in a command") {
			h.t.Errorf("a command's panic became %v", msg)
		}
		if _, ok := d.Call(func(context.Context) error { panic("in a call") }, nil)().(screen.ErrorMsg); !ok {
			h.t.Error("a call's panic was not noticed")
		}
		d.HasQuit = true
	})
}
