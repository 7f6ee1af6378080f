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
)

func TestNameIsCheckedAsItIsTyped(t *testing.T) {
	inHouse(t, func(h *house) {
		h.account("bob")
		d := h.visit(setting{name: "somebody", hint: "no name!"})
		d.has("What shall we call you?")
		for typed, says := range map[string]string{
			"1ana":              "begins with a letter",
			"an a":              "only letters a to z",
			"admin2":            "are the server's",
			"ana":               "Press Enter to take this name",
			"a2345678901234567": "Press Enter to take this name", // the field holds 16
		} {
			d.press("ctrl+u")
			d.write(typed)
			if shown := strings.Join(strings.Fields(d.text()), " "); !strings.Contains(shown, says) {
				h.t.Errorf("%q lacks %q:\n%s", typed, says, d.text())
			}
		}
		d.press("ctrl+u")
		d.write("B0B")
		d.press("enter")
		d.has("is taken")
		d.press("ctrl+u")
		d.write("ana")
		d.press("enter")
		d.has("Welcome, ana", "Open tables")
		if a, known, err := h.AccountByKey(h.t.Context(), keyOfName("somebody")); err != nil || !known || a.Name != "ana" {
			h.t.Errorf("the account is %+v, %v, %v", a, known, err)
		}
	})
}

func TestSmallWindowSaysSo(t *testing.T) {
	inHouse(t, func(h *house) {
		h.account("ana")
		d := h.visit(setting{name: "ana", w: 59, h: 20})
		d.has("at least 60×20", "has 59×20")
		d.give(resizeMsg{60, 20})
		d.has("Open tables")
		// A size that the terminal's input claims is no size.
		if filter(d.app, tea.WindowSizeMsg{Width: 60000, Height: 60000}) != nil {
			h.t.Error("sizes from the input pass")
		}
	})
}

func TestWhatIsTypedIsCleanedAndBounded(t *testing.T) {
	inHouse(t, func(h *house) {
		h.account("ana")
		d := h.visit(setting{name: "ana"})
		d.press("t")
		d.give(tea.PasteMsg{Content: "one\ntwo\x1b[31m\u202ethree\u200b" + strings.Repeat("x", 5000)})
		d.press("enter")
		lines := h.Chat.Since(0)
		if len(lines) != 1 || !strings.HasPrefix(lines[0].Text, "one two[31mthreexxx") || len([]rune(lines[0].Text)) > lobby.MaxChat {
			h.t.Errorf("said %+v", lines)
		}
	})
}

func TestTooMuchTalkIsRefused(t *testing.T) {
	inHouse(t, func(h *house) {
		h.account("ana")
		d := h.visit(setting{name: "ana"})
		d.press("t")
		for range 12 {
			d.write("hi")
			d.press("enter")
		}
		d.has("That was a lot of talk")
	})
}

func TestNewTableAndJoin(t *testing.T) {
	inHouse(t, func(h *house) {
		h.account("ana")
		h.account("bob")
		a, b := h.visit(setting{name: "ana"}), h.visit(setting{name: "bob"})
		a.press("n")
		a.fill("Size", "5×5")
		a.fill("Clock", "20+15")
		a.press("enter")
		a.has("Your table is open", "your table", "Ayu 5×5", "20+15")
		b.pass(time.Second)
		b.has("ana 1500?", "Ayu 5×5", "20+15")
		b.press("enter")
		b.has("Ayu 5×5, pie", "20+15")
		a.has("Ayu 5×5, pie", "20+15")
		if b.app.deaf.After(time.Now()) {
			h.t.Error("who joined himself is not surprised")
		}
		// What ana was typing into the lobby does nothing in the game at first.
		a.press("r y")
		if s := h.View().Matches; len(s) != 1 {
			h.t.Errorf("%d games go on, not 1", len(s))
		}
		a.pass(surprise)
		a.press("r")
		a.has("Resign this game?")
	})
}

func TestQuickMatch(t *testing.T) {
	inHouse(t, func(h *house) {
		h.account("ana")
		a := h.visit(setting{name: "ana"})
		a.press("p a")
		a.has("you look for a game", "p stop looking")
		a.press("p")
		a.has("You no longer look", "p quick match")
		a.press("p a")
		g := h.visit(setting{})
		g.press("enter p a")
		a.pass(7 * time.Second)
		g.settle()
		a.has("10+10", "guest-")
		g.has("10+10", "come back with", "○ ")
	})
}

func TestPrivateTableIsFoundByItsCode(t *testing.T) {
	inHouse(t, func(h *house) {
		h.account("ana")
		h.account("bob")
		h.account("carol")
		a, b, c := h.visit(setting{name: "ana"}), h.visit(setting{name: "bob"}), h.visit(setting{name: "carol"})
		a.press("n")
		a.fill("Who may join", "who has the code")
		a.press("enter")
		var code string
		for _, t := range h.View().Tables {
			code = t.Code(a.session.Account().ID)
		}
		a.has("pass on the code "+code, "your private table")
		b.lacks("Ayu 11×11")
		b.press("e")
		b.write("wrong")
		b.press("enter")
		b.has("has the code \"wrong\"")
		b.press("e")
		b.write(code)
		b.press("enter")
		b.has("ana")
		a.has("private " + code)
		c.pass(time.Second)
		c.has("No game is going on")
		c.press("e")
		c.write(code)
		c.press("enter")
		c.has("you alone watch")
	})
}

func TestChallenge(t *testing.T) {
	inHouse(t, func(h *house) {
		h.account("ana")
		h.account("bob")
		a, b := h.visit(setting{name: "ana"}), h.visit(setting{name: "bob"})
		a.pass(time.Second)
		a.press("tab down c")
		a.has("New table", "bob")
		a.press("enter")
		a.has("bob has your challenge", "you challenge bob")
		b.pass(time.Second)
		b.has("▸ ana challenges you", "x decline")
		b.press("x")
		b.has("Challenge declined.")
		a.pass(time.Second)
		a.lacks("you challenge bob")
		a.press("c")
		a.write("nobody")
		a.press("enter enter")
		a.has("Nobody called \"nobody\" is here")
	})
}

func TestChallengeReachesAWatcher(t *testing.T) {
	inHouse(t, func(h *house) {
		m := h.match("ana", "bob", `{"size":7}`, clock.Default)
		h.account("carol")
		d := h.visit(setting{name: "carol", open: "watch " + m.Info.ID})
		h.open("dave", lobby.Proposal{Game: "ayu", To: "carol"})
		d.pass(time.Second)
		d.has("dave challenges you to Ayu 11×11, pie")
	})
}

func TestFollow(t *testing.T) {
	inHouse(t, func(h *house) {
		h.member("ana")
		h.account("carol")
		d := h.visit(setting{name: "carol"})
		d.press("tab home f")
		d.has("You follow ana: the next game opens here by itself")
		m := h.match("ana", "bob", `{"size":7}`, clock.Default)
		d.pass(2 * time.Second)
		d.has("Ayu 7×7", "You follow ana")
		if err := h.player(m, 0).Resign(h.t.Context()); err != nil {
			h.t.Fatal(err)
		}
		d.has("bob wins")
		h.match("ana", "dave", `{"size":9}`, clock.Default)
		d.pass(time.Second)
		d.has("bob wins") // the result stays for a while
		d.pass(resultShown)
		d.has("Ayu 9×9", "dave")
		d.press("q")
		d.has("Games to watch")
		d.pass(10 * time.Second)
		d.has("Games to watch") // no longer follows
	})
}

func TestFeaturedGameIsFollowed(t *testing.T) {
	inHouse(t, func(h *house) {
		m := h.match("ana", "bob", `{"size":7}`, clock.Default, "b1-b2")
		h.account("carol")
		d := h.visit(setting{name: "carol"})
		d.has("★ ana 1500? – bob 1500?")
		d.press("F")
		d.has("The featured game", "Ayu 7×7")
		h.match("dave", "erik", `{"size":9}`, clock.Default, "b1-b2")
		d.pass(3 * time.Second)
		d.has("Ayu 7×7")
		if err := h.player(m, 0).Resign(h.t.Context()); err != nil {
			h.t.Fatal(err)
		}
		d.pass(resultShown + 3*time.Second)
		d.has("Ayu 9×9", "dave")
	})
}

func TestClockTicksOnceASecondAndNothingElse(t *testing.T) {
	inHouse(t, func(h *house) {
		d, _ := playing(h, "b1-b2", "a2-a3")
		d.has("10:10")
		seen := d.seen
		d.pass(30 * time.Second)
		if n := d.seen - seen; n < 29 || n > 32 {
			h.t.Errorf("%d messages in 30 s of a running clock, not about 30", n)
		}
		d.has("9:40")
		h.account("zoe")
		idle := h.visit(setting{name: "zoe"})
		h.member("bob").Close(true)
		idle.pass(time.Second)
		d.press("r y")
		for range 4 { // until the match is forgotten
			idle.pass(5 * time.Minute)
			d.settle()
		}
		seen, before := idle.seen, d.seen
		for range 12 {
			idle.pass(5 * time.Minute)
			d.settle()
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
	inHouse(t, func(h *house) {
		h.account("ana")
		d := h.visit(setting{name: "ana", profile: paint.Profile{Colors: paint.TrueColor}})
		d.press("o left down right down right q")
		if d.look.Theme.Name != "no colours" {
			h.t.Errorf("the look is %q", d.look.Theme.Name)
		}
		d.settle()
		again := h.visit(setting{name: "ana", profile: paint.Profile{Colors: paint.TrueColor}})
		if want := (settings{Ground: groundDark, Plain: true, Confirm: true, Pace: usualPace}); again.settings != want {
			h.t.Errorf("the settings came back as %+v, not %+v", again.settings, want)
		}
	})
	for _, raw := range []string{"", "rubbish", `{"pace":99,"ground":-4}`, `{"bell":3}`} {
		if s := readSettings([]byte(raw)); s.Pace < 0 || s.Pace >= len(paces) || s.Ground < 0 || s.Ground > groundLight {
			t.Errorf("%q became %+v", raw, s)
		}
	}
}

func TestBackgroundOfTheTerminal(t *testing.T) {
	inHouse(t, func(h *house) {
		d := h.visit(setting{profile: paint.Profile{Colors: paint.TrueColor}})
		if d.look.Theme.Name != "dark" {
			h.t.Errorf("without an answer the look is %q", d.look.Theme.Name)
		}
		d.give(background("\x1b]11;rgb:ffff/ffff/ffff\x07"))
		if d.look.Theme.Name != "light" {
			h.t.Errorf("on white the look is %q", d.look.Theme.Name)
		}
	})
}

func TestRefusalAtTheDoor(t *testing.T) {
	inHouse(t, func(h *house) {
		h.Lobby.Close()
		d := h.visit(setting{})
		d.press("enter")
		d.has("You cannot come in just now", "The server is closing")
		d.press("x")
		if !d.quit {
			h.t.Error("the session goes on")
		}
	})
}

func TestPanicEndsOneSessionOnly(t *testing.T) {
	inHouse(t, func(h *house) {
		d, _ := playing(h)
		d.at.(*matchView).board = nil
		_, cmd := d.Update(key("enter"))
		if d.fault == nil {
			h.t.Fatal("the panic was not noticed")
		}
		if _, quits := cmd().(tea.QuitMsg); !quits {
			h.t.Error("the session goes on")
		}
		d.fault = nil
		msg := d.do(func() tea.Msg { panic("in a command") })()
		if f, ok := msg.(faultMsg); !ok || !strings.Contains(f.err.Error(), "in a command") {
			h.t.Errorf("a command's panic became %v", msg)
		}
		if _, ok := d.call(func(context.Context) error { panic("in a call") }, nil)().(faultMsg); !ok {
			h.t.Error("a call's panic was not noticed")
		}
		d.left = true
	})
}
