package tui

import (
	"context"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/engine"
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

// playing opens the screens of ana, who has Black and the first move on a 7×7 board.
func playing(h *house, turns ...string) (*screen, *lobby.Match) {
	m := h.match("ana", "bob", `{"size":7,"pie":false}`, clock.Default, turns...)
	return h.visit(setting{name: "ana"}), m
}

func TestLiveGameOpensByItself(t *testing.T) {
	inHouse(t, func(h *house) {
		d, _ := playing(h)
		d.has("Your turn", "● ana", "○ bob")
	})
}

func TestMovesAreTyped(t *testing.T) {
	for _, keys := range []string{"b 1 b 2 enter", "b 1 - b 2 enter", "B 1 b 2 enter", "c 1 backspace backspace b 1 b 2 enter"} {
		inHouse(t, func(h *house) {
			d, m := playing(h)
			d.press(keys)
			if s := m.Snapshot(); s.Turns != 1 || s.Log[0].Actions[0] != "b1-b2" {
				h.t.Errorf("%s: the log is %+v\n%s", keys, s.Log, d.text())
			}
			d.has("bob's turn (White)")
		})
	}
}

// A letter that is also a command becomes a column when a digit follows, and the command is undone.
func TestCommandLettersAreColumnsToo(t *testing.T) {
	inHouse(t, func(h *house) {
		d, m := playing(h)
		before := d.text()
		d.press("d")
		if d.text() == before {
			h.t.Error("d shows no distances")
		}
		d.press("1")
		d.has("Your move: d1")
		d.press("d 2 enter")
		if s := m.Snapshot(); s.Turns != 1 || s.Log[0].Actions[0] != "d1-d2" {
			h.t.Errorf("the log is %+v", s.Log)
		}
		if strings.Contains(d.text(), "●1") {
			h.t.Errorf("the distances are still shown:\n%s", d.text())
		}
	})
}

func TestIllegalWishesAreExplained(t *testing.T) {
	inHouse(t, func(h *house) {
		d, m := playing(h, "b1-b2", "a2-a3")
		for keys, says := range map[string]string{
			"a 3 a 4 enter": "White's",
			"b 3 b 1 enter": "comes no closer: the distance to the closest unit stays 1",
			"b 2 b 1 enter": "split its group",
			"d 1 d 3 enter": "occupied",
			"d 1 g 1 enter": "not next to",
			"d 1 g 9 enter": "no point g9",
			"b 9 enter":     "is not a move",
		} {
			d.press(keys)
			if !strings.Contains(strings.Join(strings.Fields(d.text()), " "), says) {
				h.t.Errorf("%s lacks %q:\n%s", keys, says, d.text())
			}
		}
		if m.Snapshot().Turns != 2 {
			h.t.Error("an illegal wish was played")
		}
	})
}

func TestMoveByCursor(t *testing.T) {
	inHouse(t, func(h *house) {
		d, m := playing(h)
		d.press("tab enter tab enter")
		if m.Snapshot().Turns != 1 {
			h.t.Errorf("no move was made:\n%s", d.text())
		}
	})
}

func TestMoveByMouse(t *testing.T) {
	inHouse(t, func(h *house) {
		d, m := playing(h)
		d.click("██", 0)
		d.has("goes where?")
		d.click("▗▖", 0)
		if m.Snapshot().Turns != 1 {
			h.t.Errorf("no move was made:\n%s", d.text())
		}
	})
}

// click clicks on the n-th place that shows a text inside the board.
func (d *screen) click(text string, n int) {
	area := d.at.(*matchView).area
	for y, l := range strings.Split(d.text(), "\n") {
		runes := []rune(l)
		for x := range runes {
			if x >= area.x && x < area.x+area.w && y >= area.y && y < area.y+area.h && strings.HasPrefix(string(runes[x:]), text) {
				if n--; n < 0 {
					d.give(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
					d.settle()
					return
				}
			}
		}
	}
}

func TestResigningAsksOnce(t *testing.T) {
	inHouse(t, func(h *house) {
		d, m := playing(h)
		d.press("r")
		d.has("Resign this game?", "y resign")
		d.press("n")
		d.lacks("Resign this game?")
		if m.Snapshot().Over() {
			h.t.Fatal("resigned without a yes")
		}
		d.press("r y")
		if s := m.Snapshot(); !s.Over() || s.Result.Reason != engine.Resign {
			h.t.Fatal("not resigned")
		}
		d.has("bob wins: ana resigned.")
	})
}

func TestFreshOfferCannotBeAccepted(t *testing.T) {
	inHouse(t, func(h *house) {
		d, m := playing(h)
		if err := h.player(m, 1).Offer(h.t.Context(), lobby.OfferDraw); err != nil {
			h.t.Fatal(err)
		}
		d.has("bob offers a draw.")
		d.lacks("= accepts")
		d.pass(offerRest - 10*time.Millisecond)
		d.press("=")
		if m.Snapshot().Over() {
			h.t.Fatal("a fresh offer was accepted")
		}
		d.pass(20 * time.Millisecond)
		d.has("= accepts, x refuses", "= accept draw")
		d.press("=")
		if s := m.Snapshot(); !s.Over() || s.Result.Reason != engine.Draw {
			h.t.Fatal("the offer was not accepted")
		}
		d.has("A draw, as agreed.")
	})
}

func TestAcceptKeysDiffer(t *testing.T) {
	seen := make(map[lobby.OfferKind]string)
	for key, kind := range offerKeys {
		if old := seen[kind]; old != "" {
			t.Errorf("%s has two keys, %s and %s", kind, old, key)
		}
		seen[kind] = key
		if _, ok := offerWords[kind]; !ok {
			t.Errorf("nothing is said of %s", kind)
		}
	}
	if len(seen) != 3 {
		t.Errorf("there are keys for %d kinds of offers, not 3", len(seen))
	}
}

func TestTakeBackAndRefusal(t *testing.T) {
	inHouse(t, func(h *house) {
		d, m := playing(h, "b1-b2")
		d.press("U")
		d.has("You ask to take your turn back")
		if err := h.player(m, 1).Refuse(h.t.Context(), lobby.OfferUndo); err != nil {
			h.t.Fatal(err)
		}
		d.lacks("You ask to take")
		h.play(m, "a2-a3", "d1-d2")
		if err := h.player(m, 1).Offer(h.t.Context(), lobby.OfferUndo); err != nil {
			h.t.Fatal(err)
		}
		d.pass(time.Second)
		d.press("U")
		if m.Snapshot().Turns != 1 {
			h.t.Errorf("%d turns stand after the take-back, not 1", m.Snapshot().Turns)
		}
		d.has("1 turn ")
	})
}

func TestRematchOpensByItself(t *testing.T) {
	inHouse(t, func(h *house) {
		d, m := playing(h)
		watcher := h.visit(setting{name: "carol", open: "watch " + m.Info.ID})
		watcher.write("carol")
		watcher.press("enter")
		watcher.has("you alone watch")
		if err := h.player(m, 1).Resign(h.t.Context()); err != nil {
			h.t.Fatal(err)
		}
		d.has("You win: bob resigned.")
		d.press("m")
		d.has("You offer a rematch")
		if err := h.player(m, 1).Offer(h.t.Context(), lobby.OfferRematch); err != nil {
			h.t.Fatal(err)
		}
		d.has("The rematch has begun", "▸● bob", "○ ana")
		watcher.has("The rematch has begun", "you alone watch")
	})
}

func TestLeavingALiveGameAsks(t *testing.T) {
	inHouse(t, func(h *house) {
		d, _ := playing(h)
		d.press("q")
		d.has("your clock runs")
		d.press("esc")
		d.has("Your turn")
		d.press("q y")
		d.has("Your games", "with bob")
		d.press("q")
		d.has("Leave Ayumu all the same?")
		d.press("y")
		if !d.quit || !d.left {
			h.t.Error("the session goes on")
		}
		if f := d.farewell(); !strings.Contains(f, "with bob goes on") {
			h.t.Errorf("the farewell is %q", f)
		}
	})
}

func TestAwayOpponentCanBeClaimed(t *testing.T) {
	inHouse(t, func(h *house) {
		d, m := playing(h, "b1-b2")
		h.member("bob").Close(false)
		d.pass(7 * time.Second)
		d.has("away 7 s")
		d.press("w")
		d.lacks("Claim the win?")
		d.pass(5 * time.Second)
		d.has("w claims the win")
		d.press("w")
		d.has("Claim the win?")
		d.press("y")
		if s := m.Snapshot(); !s.Over() || s.Result.Reason != engine.Left {
			h.t.Fatal("the win was not claimed")
		}
		d.has("You win: bob went away.")
	})
}

func TestLookingBackDetaches(t *testing.T) {
	inHouse(t, func(h *house) {
		m := h.match("ana", "bob", `{"size":7,"pie":false}`, clock.Default, "b1-b2", "a2-a3", "d1-d2")
		h.account("carol")
		d := h.visit(setting{name: "carol", open: "watch " + m.Info.ID})
		d.press("left left")
		d.has("2 behind, End to follow")
		h.play(m, "c2-c3")
		d.has("3 behind, End to follow", "›b1-b2")
		d.press("right")
		d.has("2 behind")
		d.press("home")
		d.has("4 behind")
		d.press("end")
		d.lacks("behind")
		// A player who looks back cannot move from there.
		p := h.visit(setting{name: "ana"})
		p.press("[ tab enter")
		p.has("End leads back to the game")
	})
}

func TestTalkIsApartUntilTheEnd(t *testing.T) {
	inHouse(t, func(h *house) {
		d, m := playing(h)
		h.account("carol")
		w := h.visit(setting{name: "carol", open: "watch " + m.Info.ID})
		d.press("t")
		d.write("good luck")
		d.press("enter esc")
		w.press("t")
		w.write("what a start")
		w.press("enter esc")
		d.has("ana: good luck")
		d.lacks("what a start")
		w.has("carol: what a start")
		w.lacks("good luck")
		d.press("r y")
		for _, s := range []*screen{d, w} {
			s.has("ana: good luck", "carol: what a start")
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
		b.has("The table is closed")
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

func TestBellRingsForTheTurn(t *testing.T) {
	inHouse(t, func(h *house) {
		m := h.match("ana", "bob", `{"size":7}`, clock.Default)
		e := h.terminal(setting{name: "ana"})
		h.play(m, "b1-b2")
		if strings.Contains(string(e.raw), "\a") {
			h.t.Error("the bell rang for one's own turn")
		}
		h.play(m, "a2-a3")
		e.must("Your turn")
		if !strings.Contains(string(e.raw), "\a") {
			h.t.Error("the bell did not ring")
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
