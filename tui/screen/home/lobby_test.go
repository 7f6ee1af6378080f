package home_test

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby"
	"ayumu/lobby/clock"
	"ayumu/lobby/table"
	"ayumu/tui/screen"
	"ayumu/tui/screen/home"
	"ayumu/tui/screen/screentest"
)

// The list of users is drawn once for all, and whom a user has blocked is shown to that user alone.
func TestBlockedUsersAreShownToTheirBlockerOnly(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		for _, name := range []string{"ana", "eve"} {
			h.Account(name)
		}
		h.Member("bob")
		eve, ana := h.Visit(screentest.Setting{Name: "eve"}), h.Visit(screentest.Setting{Name: "ana"})
		if err := ana.Session.Block(h.T.Context(), "bob"); err != nil {
			t.Fatal(err)
		}
		h.Member("gil") // a new revision of the list, which ana draws first
		screentest.Advance(5 * time.Second)
		ana.WantText("4 online", "blocked")
		eve.WantNoText("blocked")
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
		for range 12 {
			d.Press("t")
			d.TypeText("hi")
			d.Press("enter")
		}
		d.WantText("Too many chat messages", "thi", "Enter send") // the refused text stays in the line
	})
}

func TestQuickMatch(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		h.Account("ana")
		a := h.Visit(screentest.Setting{Name: "ana"})
		a.Press("p enter")
		a.WantText("finding an opponent  Ayu       any", "p cancel search")
		a.Press("p")
		a.WantText("Search cancelled.", "p quick match")
		a.Press("p enter")
		g := h.Visit(screentest.Setting{})
		g.Press("enter p enter")
		a.Advance(7 * time.Second)
		g.Drain()
		a.WantText("10+10", "guest-")
		g.WantText("10+10", "To resume after a", "○ ")
	})
}

// TestAbortingOftenIsRefused: who has aborted four games is told why and for how long they begin no live game.
func TestAbortingOftenIsRefused(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		for range 4 {
			m := h.StartMatch("ana", "bob", `{"size":5,"pie":false}`, clock.Default)
			if err := h.Player(m, 0).Abort(h.T.Context()); err != nil {
				h.T.Fatal(err)
			}
		}
		h.OpenTable("bob", table.Proposal{Game: "ayu", Clock: &clock.Default})
		a := h.Visit(screentest.Setting{Name: "ana"})
		for _, keys := range []string{"p enter", "n enter", "enter"} {
			a.Press(keys)
			a.WantText("games within a day", "10 minutes")
			a.Press("esc")
		}
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
		for _, t := range h.TableList().Tables {
			code = t.Code(a.Session.Account().ID)
		}
		a.WantText("Pass on the code "+code, "· private "+code)
		b.WantNoText("Ayu 11×11")
		b.Press(":code")
		b.TypeText("wrong")
		b.Press("enter")
		b.WantText("has the code \"wrong\"")
		b.Press(":code")
		b.TypeText(code)
		b.Press("enter")
		b.WantText("ana")
		a.WantPanel("private " + code)
		c.Advance(time.Second)
		c.WantText("No games in progress.")
		c.Press(":code")
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
		a.WantText("Challenge bob", "First move", "[random]", "send challenge")
		a.WantNoText("Visibility", "Opponent")
		a.Press("enter")
		a.WantText("Challenge sent to bob.", "· to bob", "x withdraw")
		b.Advance(time.Second)
		b.WantText("▸ from ana", "ana challenges you: Ayu 11×11, pie, 10+10, casual. Enter: accept, x: decline.", "Enter accept", "x decline")
		b.Press("x")
		b.WantText("Challenge declined.")
		a.Advance(time.Second)
		a.WantNoText("to bob", "Challenges")
		a.Press("c")
		a.TypeText("nobody")
		a.Press("enter")
		a.WantText("There is no player \"nobody\"", "Open tables")
	})
}

// Who challenges a user who is not online is offered a table that waits for both, with a clock for that.
func TestChallengeOfAnAbsentUser(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		h.Account("ana")
		h.Account("bob")
		a := h.Visit(screentest.Setting{Name: "ana"})
		a.Press("n enter c") // with the clock that the session remembers
		a.TypeText("bob")
		a.Press("enter")
		a.WantText("bob is not online. Open a table with 3 days for each turn", "y new table", "Esc cancel")
		a.Press("esc")
		a.WantNoText("not online")
		a.Press("c")
		a.TypeText("bob")
		a.Press("enter y")
		a.WantText("New table", "[3 days]")
		a.Press("enter")
		a.WantText("3 days")
		g := h.Visit(screentest.Setting{}) // who cannot have days for each turn
		g.Press("enter c")
		g.TypeText("bob")
		g.Press("enter")
		g.WantText("The player bob is not online; open a table instead, or wait.")
	})
}

// Tab completes the name of a player, from one to the next of those that begin as it was typed.
func TestNamesAreCompleted(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		for _, name := range []string{"carla", "carol", "dave"} {
			h.Member(name)
		}
		h.Account("ana")
		a := h.Visit(screentest.Setting{Name: "ana"})
		a.Press("c")
		a.WantText("Enter continue", "Tab complete")
		a.TypeText("CAR")
		a.Press("tab")
		a.WantText("Challenge which player: carla")
		a.Press("tab")
		a.WantText("Challenge which player: carol")
		a.Press("tab")
		a.WantText("Challenge which player: carla")
		a.TypeText("x")
		a.Press("tab")
		a.WantText("No player who is online has a name that begins like that.", "carlax")
		a.Press("backspace backspace")
		a.TypeText("a")
		a.Press("tab enter")
		a.WantText("Challenge carla")
	})
}

func TestChallengeReachesASpectator(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		m := h.StartMatch("ana", "bob", `{"size":7}`, clock.Default)
		h.Account("carol")
		d := h.Visit(screentest.Setting{Name: "carol", Open: "watch " + m.Info.ID})
		h.OpenTable("dave", table.Proposal{Game: "ayu", To: "carol"})
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
		d.WantText("Following ana. Each new game opens automatically.")
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
		d.WantText("★ ana – bob")
		d.Press(":follow")
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

// The featured game changes when its players have gone, and a spectator who follows the featured games goes along.
func TestFeaturedGameIsLeftWithItsPlayers(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		m := h.StartMatch("ana", "bob", `{"size":7}`, clock.Default)
		h.StartMatch("dave", "erik", `{"size":9}`, clock.Default)
		screentest.Advance(time.Second)
		h.Play(m, "b1-b2")
		h.Account("carol")
		d, lobby := h.Visit(screentest.Setting{Name: "carol"}), h.Visit(screentest.Setting{})
		lobby.Press("enter")
		d.Press(":follow")
		d.WantText("Ayu 7×7")
		h.Member("ana").Close(false)
		h.Member("bob").Close(false)
		d.Advance(10 * time.Second)
		d.WantText("Ayu 9×9", "dave")
		lobby.Advance(10 * time.Second)
		lobby.WantText("★ dave – erik")
		lobby.WantNoText("bob")
	})
}

func TestGoldenLobby(t *testing.T) {
	for _, size := range screentest.Sizes {
		screentest.With(t, func(h *screentest.Harness) {
			h.FillLobby()
			size.Name = "ana"
			d := h.Visit(size)
			d.Golden("lobby" + size.Suffix())
			d.Press("tab down")
			if size.Width > 40 {
				d.WantText("c challenge")
			}
		})
	}
	screentest.With(t, func(h *screentest.Harness) {
		h.Account("ana")
		h.Visit(screentest.Setting{Name: "ana", IsNew: true}).GoldenSizes("lobby-empty")
	})
}

func TestATableBeginsWithFewerOnceAllAreReady(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		h.Account("ana")
		d := h.Visit(screentest.Setting{Name: "ana"})
		bob := h.Member("bob")
		table, err := bob.OpenTable(h.T.Context(), table.Proposal{Game: "mu", Options: []byte(`{"players":4,"segments":1,"min":2}`)})
		if err != nil {
			h.T.Fatal(err)
		}
		d.Advance(time.Second)
		d.WantText("1 of 2–4")
		d.Press("enter")
		d.Advance(time.Second)
		d.WantText("2 of 2–4", "ready")
		if _, err := bob.MarkReady(h.T.Context(), table.ID); err != nil {
			h.T.Fatal(err)
		}
		d.Advance(time.Second)
		d.WantText("1/2 ready")
		d.Press("y")
		d.Advance(2 * time.Second)
		d.WantText("2 players, 1 segment each", "0 turns")
	})
}

// TestListsAreDrawnOnce has many users with two styles see a new table.
func TestListsAreDrawnOnce(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		h.Member("ana")
		all := h.VisitMany(1000, "")
		<-time.After(5 * time.Second) // until all lists are up to date
		for _, d := range all {
			d.Drain()
		}
		lists, users, _ := home.PartsMade(&h.Shared)
		h.OpenTable("ana", table.Proposal{Game: "ayu"})
		<-time.After(5 * time.Second)
		for _, d := range all {
			d.Drain()
			d.WantText("1001 online", "ana 1500?")
		}
		l, u, _ := home.PartsMade(&h.Shared)
		if n := l - lists; n < 2 || n > 4 || u-users != n { // again if the tables have become older meanwhile
			t.Errorf("for %d users with two styles the tables were drawn %d times, not 2, and the users over them %d times", len(all), n, u-users)
		}
	})
}

// q leads from a match to the lobby, so a second and a third q must not leave the server, whatever the settings.
func TestPressingQAgainDoesNotLeave(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		m := h.StartMatch("ana", "bob", `{"size":5,"pie":false}`, clock.Control{})
		d := h.SignIn("ana", "watch "+m.Info.ID)
		for _, confirms := range []bool{true, false} {
			d.Settings.Confirm = confirms
			d.Press("q q")
			d.WantText("Leave Ayumu?", "y leave", "Esc stay")
			d.Press("q")
			d.WantNoText("Leave Ayumu?")
			d.WantText("Open tables")
			if d.HasEnded {
				h.T.Fatal("q left the server")
			}
			d.Press("enter")
		}
		d.Press("q q y")
		if !d.HasEnded {
			h.T.Error("y does not leave")
		}
	})
}
