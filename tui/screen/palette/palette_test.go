package palette_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby/clock"
	"ayumu/lobby/club"
	"ayumu/lobby/puzzles/puzzlestest"
	"ayumu/lobby/table"
	"ayumu/tui/paint"
	"ayumu/tui/screen/screentest"
)

// run types a command into the palette and presses Enter.
func run(d *screentest.Session, line string) {
	d.Press(":")
	d.TypeText(line)
	d.Press("enter")
}

// offered reports whether the palette has a command with exactly that name.
func offered(d *screentest.Session, name string) bool {
	d.Press(":")
	d.TypeText(name)
	text := d.Text()
	d.Press("esc")
	for line := range strings.Lines(text) {
		if _, row, ok := strings.Cut(line, "› "); ok && strings.HasPrefix(strings.TrimRight(row, " │\n")+" ", name+" ") {
			return true
		}
	}
	return false
}

// TestAnEveningByThePalette finds an opponent, plays, chats, offers, watches, replays, analyzes, changes settings and
// moderates, with the palette, the arrows, Enter and Esc alone.
func TestAnEveningByThePalette(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		builtin := h.NewBots(screentest.FirstLegal)
		defer builtin.Close()
		c := h.NewClub()
		visit := func(name string, role club.Role) *screentest.Session {
			h.Account(name)
			d := h.Visit(screentest.Setting{Name: name, Bots: builtin, Puzzles: puzzlestest.Collection(t), Club: c, Role: role})
			t.Cleanup(d.Close)
			return d
		}
		ana, bob, carol := visit("ana", club.RolePlayer), visit("bob", club.RolePlayer), visit("carol", club.RoleServerOwner)
		all := []*screentest.Session{ana, bob, carol}
		advance := func(d time.Duration) {
			for range 10 {
				screentest.Advance(d / 10)
				for _, s := range all {
					s.Drain()
				}
			}
		}

		// An opponent.
		for _, d := range all[:2] {
			run(d, "quick")
			d.WantText("Quick match")
			d.Press("enter")
		}
		for range 20 {
			advance(time.Second)
		}
		m := h.Running()
		ana.WantText("bob")
		seats := map[int]*screentest.Session{}
		for i, s := range m.Info.Seats {
			seats[i] = map[string]*screentest.Session{"ana": ana, "bob": bob}[s.Name]
		}

		// Turns, an offer, chat and a spectator.
		mover := seats[m.Snapshot().Position.Turn()]
		run(mover, "move "+m.Snapshot().Position.Legal()[0])
		advance(time.Second)
		if n := m.Snapshot().Turns; n != 1 {
			t.Fatalf("%d turns were played:\n%s", n, mover.Text())
		}
		run(mover, "move b1b2")
		if n := m.Snapshot().Turns; n != 1 {
			t.Errorf("a turn was played out of turn")
		}
		run(ana, "say good luck")
		advance(time.Second)
		bob.WantText("good luck")
		run(bob, "watch ana") // which bob plays
		run(carol, "watch ana")
		advance(time.Second)
		carol.WantText("Spectator chat")
		mover = seats[m.Snapshot().Position.Turn()]
		run(mover, "move "+m.Snapshot().Position.Legal()[0])
		advance(time.Second)
		run(ana, "draw")
		advance(time.Second)
		if len(m.Snapshot().Offers) != 1 {
			t.Fatalf("no draw is offered:\n%s", ana.Text())
		}
		run(bob, "refuse")
		advance(time.Second)
		if len(m.Snapshot().Offers) != 0 {
			t.Fatalf("the draw is still offered:\n%s", bob.Text())
		}
		run(bob, "resign")
		bob.WantText("Resign this game?")
		bob.Press("y")
		advance(time.Second)
		if !m.Snapshot().IsOver() {
			t.Fatalf("the game is not over:\n%s", bob.Text())
		}
		run(ana, "hint")
		advance(time.Second)
		run(ana, "analysis")
		advance(time.Second)
		ana.WantText("Analysis")
		ana.Press("esc")

		// A replay.
		run(bob, "lobby")
		run(bob, "replay")
		advance(time.Second)
		bob.WantText("Finished games")
		run(bob, "lobby")
		bob.WantText("Open tables")
		run(bob, "replay")
		advance(time.Second)
		bob.Press("enter")
		advance(time.Second)
		bob.WantText("Start of the game")
		run(bob, "turn")
		run(bob, "turn")
		bob.WantText("Last position.")
		run(bob, "turn 1")
		bob.WantText("Turn 1 of 2.")

		// Settings, lessons, puzzles.
		run(bob, "settings")
		bob.WantText("off [on]")
		bob.Press("left esc")
		if bob.Settings.Bell {
			t.Error("the bell is on")
		}
		run(bob, "learn ayu")
		bob.WantText("Learn Ayu")
		bob.Press("esc")
		run(bob, "puzzle")
		bob.WantText("Puzzle of the day")
		run(bob, "puzzle solution")
		bob.WantText("The solution:")

		// Moderation.
		run(carol, "admin mute ana 1h too loud")
		carol.WantText("Mute: ana until")
		run(carol, "admin bans")
		carol.WantText("too loud")
		carol.Press("esc")
		run(carol, "admin unmute ana")
		run(carol, "admin bans")
		carol.WantNoText("too loud")
		run(ana, "lobby")
		run(ana, "say hello")
		ana.WantText("ana: hello")

		// What was said.
		run(ana, "messages")
		ana.WantText("Messages", "declined")
		ana.Press("esc")
		run(ana, "quit")
		ana.WantText("Leave Ayumu?")
		ana.Press("y")
		if !ana.HasQuit {
			t.Error("ana is still here")
		}
	})
}

// TestAPasteNeverRuns pastes commands with line breaks.
func TestAPasteNeverRuns(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		d, m := h.PlayingScreen("b1-b2", "a2-a3")
		paste := func(text string) {
			d.Send(tea.PasteMsg{Content: text})
			d.Drain()
		}
		paste(":resign\ny\n")
		d.WantNoText("Commands", "resign. Are")
		d.Press(":")
		paste("resign\ny\n")
		d.WantText("Commands", ": resign y")
		d.Press("esc ctrl+p")
		paste("say hello\n")
		d.WantText(": say hello")
		if m.Snapshot().IsOver() || m.PlayerChat.Last() != 0 {
			t.Error("a paste has run a command")
		}
	})
}

// TestPaletteOffersWhatWorksHere looks for commands on several screens and of several users.
func TestPaletteOffersWhatWorksHere(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		d, m := h.PlayingScreen("b1-b2")
		c := h.NewClub()
		h.Account("mod")
		moderator := h.Visit(screentest.Setting{Name: "mod", Club: c, Role: club.RoleModerator})
		spectator := h.SignIn("eve", "watch "+m.Info.ID)
		guest := h.Visit(screentest.Setting{})
		guest.Press("enter")
		lobbyScreen := h.SignIn("frank", "")
		replay := h.SignIn("gil", "replay "+h.Finished("xenia", "yuri", `{"size":5,"pie":false}`, "b1-b2").Info.ID)
		for _, test := range []struct {
			who      *screentest.Session
			has, not string
		}{
			{d, "resign move say draw board hint settings quick", "version"},
			{spectator, "board turn say follow", "resign move draw"},
			{replay, "board turn back try live", "resign status claim"},
			{lobbyScreen, "quick new tables vacation block quit", "resign board turn hint"},
			{guest, "quick tables help", "vacation resign report"},
		} {
			for _, name := range strings.Fields(test.has) {
				if !offered(test.who, name) {
					t.Errorf("%s is not offered on:\n%s", name, test.who.Text())
				}
			}
			for _, name := range strings.Fields(test.not) {
				if offered(test.who, name) {
					t.Errorf("%s is offered on:\n%s", name, test.who.Text())
				}
			}
		}
		if !offered(moderator, "admin mute") || offered(moderator, "admin role") || offered(lobbyScreen, "admin mute") {
			t.Error("the commands of moderators are not those of their permissions")
		}
		lobbyScreen.Press("n : ctrl+p") // a form, where no text is typed at first
		lobbyScreen.WantText("Commands")
	})
}

// TestArguments completes the words after a command with Tab and with the arrows.
func TestArguments(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		h.Member("bob")
		h.Member("barbara")
		h.Member("carol")
		h.OpenTable("carol", table.Proposal{Game: "ayu", Clock: &clock.Default})
		d := h.SignIn("ana", "")
		d.Advance(time.Second)
		d.Press(":")
		d.TypeText("blo")
		d.Press("tab")
		d.WantText(": block", "bob", "carol", "block NAME")
		d.Press("enter")
		d.WantText("Usage: block NAME")
		d.Press("esc")
		d.TypeText("join ")
		d.Press("enter") // which the screens do by themselves
		d.WantText("Usage: join TABLE [CODE].", ": join")
		d.Press("esc")
		d.TypeText("block ")
		d.TypeText("b")
		d.WantNoText("│   carol")
		d.Press("tab down enter")
		d.WantText(": block bob")
		d.Press("enter")
		d.WantText("bob is blocked.")
		d.Press(":")
		d.WantText("› block") // the last one comes first
		d.TypeText("top ")
		d.WantText("ayu", "mu")
		d.Press("esc")
		d.WantText("Commands")
		d.TypeText("vacation 9x")
		d.Press("enter")
		d.WantText("Enter a number of days, or off", ": vacation 9x")
		d.Press("esc esc")
		d.WantNoText("Commands")
	})
}

// TestTermsOfAGame suggests the words for a game in any order, opens the game that a command has started, and refuses a word
// that is none of them.
func TestTermsOfAGame(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		builtin := h.NewBots(screentest.FirstLegal)
		defer builtin.Close()
		h.Account("ana")
		d := h.Visit(screentest.Setting{Name: "ana", Bots: builtin})
		defer d.Close()
		run(d, "new mu 3 may=2 casul")
		d.WantText("did you mean casual?")
		d.Press("esc esc :")
		d.TypeText("new rated 9")
		d.WantText("9x9")
		d.WantNoText("13x13")
		d.Press("esc esc")
		run(d, "bot heron 5x5 pie=off")
		d.Advance(time.Second)
		d.WantText("Heron")
		if o := h.Running().Info.Options.String(); o != "5×5" {
			t.Errorf("the game is %s", o)
		}
	})
}

// TestListsOfThePalette chooses a row of a list with Enter, and one with the mouse.
func TestListsOfThePalette(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		h.StartMatch("carol", "dave", `{"size":7,"pie":false}`, clock.Default, "b1-b2")
		h.StartMatch("erik", "fred", `{"size":5,"pie":false}`, clock.Default, "b1-b2")
		d := h.SignIn("ana", "")
		d.Advance(time.Second)
		run(d, "games")
		d.WantText("Enter choose", "carol 1500?", "erik 1500?")
		d.Press("down enter")
		d.WantText("Spectator chat")
		d.Press("q")
		run(d, "games")
		if strings.Contains(d.Text(), "› carol") {
			d.Press("down")
		}
		d.ClickOn("carol 1500?", 0)
		d.WantText("› carol")
		d.ClickOn("carol 1500?", 0)
		d.WantText("Spectator chat", "carol")
		d.Press("q")
		run(d, "games")
		d.Send(tea.MouseClickMsg{X: 3, Y: 1, Button: tea.MouseLeft})
		d.WantNoText("Enter choose")
	})
}

// TestTitlesOfColumns shows the statistics of a server: in columns with titles, and as sentences where those do not fit.
func TestTitlesOfColumns(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		h.Account("olga")
		open, err := h.Member("carol").OpenTable(h.T.Context(), table.Proposal{Game: "ayu", Options: json.RawMessage(`{"size":5,"pie":false}`), First: table.FirstOwner})
		if err != nil {
			t.Fatal(err)
		}
		id, err := h.Member("dave").JoinTable(h.T.Context(), open.ID, "")
		if err != nil {
			t.Fatal(err)
		}
		m, err := h.Match(id)
		if err != nil {
			t.Fatal(err)
		}
		h.Resign(m, "dave")
		screentest.Advance(time.Second)
		d := h.Visit(screentest.Setting{Name: "olga", Club: h.NewClub(), Role: club.RoleServerOwner})
		run(d, "admin statistics")
		d.WantText("Statistics", "games  first wins  first loses  swaps")
		d.WantNoText("admin statistics")
		d.GoldenSizes("statistics")
	})
}

// TestMouseInThePalette selects and runs a command with clicks, and scrolls with the wheel.
func TestMouseInThePalette(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		d := h.SignIn("ana", "")
		d.ClickOn(": more", 0)
		d.WantText("Commands", "› quick")
		d.Send(tea.MouseWheelMsg{Button: tea.MouseWheelDown})
		d.WantText("› new")
		d.Send(tea.MouseWheelMsg{Button: tea.MouseWheelUp})
		d.TypeText("settings")
		d.ClickOn("settings", 1)
		d.WantText("Bell", "Background")
		d.Press("esc :")
		d.Send(tea.MouseClickMsg{X: 3, Y: 1, Button: tea.MouseLeft})
		d.WantNoText("Commands")
	})
}

// TestPaletteInAllSizes compares the palette beside, below and over boards and lists.
func TestPaletteInAllSizes(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		m := h.StartMatch("ana", "bob", `{"size":11,"pie":false}`, clock.Default, "b1-b2")
		small := h.StartMatch("ana", "carol", `{"size":5,"pie":false}`, clock.Default, "b1-b2")
		screentest.Advance(time.Second)
		for _, s := range screentest.Sizes {
			for name, open := range map[string]string{"lobby": "", "board": "watch " + m.Info.ID, "small-board": "watch " + small.Info.ID} {
				s.Name, s.Open = "ana", open
				d := h.Visit(s)
				if open == "" {
					d.Press("q y")
				}
				d.Press(":")
				d.TypeText("blo")
				d.Golden(name + s.Suffix())
				d.Press("tab")
				d.Golden(name + "-arguments" + s.Suffix())
				d.Close()
			}
		}
		// Without Unicode and colours.
		d := h.Visit(screentest.Setting{Name: "ana", Profile: paint.Profile{ASCII: true}})
		d.Press("q y :")
		for line := range strings.Lines(d.Text()) {
			if strings.ContainsFunc(line, func(r rune) bool {
				return r > 126 && !strings.ContainsRune("×·▸›│─┌┐└┘╭╮╰╯├┤┬┴◆…↑↓", r)
			}) {
				t.Errorf("not in ASCII: %q", line)
			}
		}
	})
}

// TestTheBoardStaysVisible compares the rows of the board with and without the palette.
func TestTheBoardStaysVisible(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		m := h.StartMatch("ana", "bob", `{"size":11,"pie":false}`, clock.Default, "b1-b2")
		for _, s := range screentest.Sizes {
			if s.Width < 60 {
				continue
			}
			s.Name, s.Open = "ana", "watch "+m.Info.ID
			d := h.Visit(s)
			board := d.Current().Traits().Board
			if board.Empty() {
				t.Fatalf("%d columns: there is no board", s.Width)
			}
			cut := func() (text string) {
				for y, l := range strings.Split(d.Text(), "\n") {
					if cells := []rune(l + strings.Repeat(" ", s.Width)); y >= board.Min.Y && y < board.Max.Y {
						text += string(cells[board.Min.X:board.Max.X]) + "\n"
					}
				}
				return text
			}
			before := cut()
			d.Press(":")
			if after := cut(); after != before {
				t.Errorf("%d columns: the board was\n%s\nand is\n%s", s.Width, before, after)
			}
			d.Close()
		}
	})
}

// TestGamesByTheirWords finds games with words instead of forms: a table, a quick match, and a game against a bot from the
// position that is shown.
func TestGamesByTheirWords(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		builtin := h.NewBots(screentest.FirstLegal)
		defer builtin.Close()
		m := h.Finished("bob", "carol", `{"size":7,"pie":false}`, "b1-b2", "a2-a3", "d1-d2")
		h.Account("ana")
		d := h.Visit(screentest.Setting{Name: "ana", Bots: builtin})
		defer d.Close()
		run(d, "new ayu 9x9 5+5 private")
		d.Advance(time.Second)
		d.WantText("Ayu 9×9", "5+5")
		run(d, "cancel")
		d.Advance(time.Second)
		d.WantText("Table closed.")
		run(d, "quick mu 10+10")
		d.Advance(time.Second)
		d.WantText("Looking for an opponent.", "p cancel search")
		run(d, "quick")
		d.WantText("Search cancelled.")
		run(d, "bot 1 ayu 100x100")
		d.WantText("100x100", ": bot 1 ayu 100x100")
		d.Press("esc esc")
		run(d, "replay "+m.Info.ID)
		d.Advance(time.Second)
		run(d, "turn 2")
		run(d, "bot 1 here first=me")
		d.Advance(time.Second)
		d.WantText("Pebble", "from a position")
	})
}

// TestMessagesAreKept lists the last twenty.
func TestMessagesAreKept(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		d := h.SignIn("ana", "")
		for i := range 25 {
			d.Notify("Message %d.", i)
		}
		run(d, "messages")
		d.WantText("Messages · UTC", "Message 24.", "more ↓")
		d.Press("end")
		d.WantText("Message 5.")
		d.WantNoText("Message 4.")
		if n := len(d.Messages()); n != 20 {
			t.Error(fmt.Sprint(n, " messages are kept"))
		}
	})
}

// TestTheAccountByThePalette does from the lobby what the keys of the account's screen do.
func TestTheAccountByThePalette(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		d := h.SignIn("ana", "")
		run(d, "account key")
		d.WantText("Account", "link ", "The code works once.")
		d.Press("esc esc")
		run(d, "account remove")
		d.WantText("Select the key to remove, and press x.", "SHA256:")
		run(d, "account remove")
		d.WantText("This is the only key of your account")
		d.Press("esc esc")
		run(d, "account delete")
		d.WantText("To delete the account, type ana")
		d.Press("esc esc esc")
		run(d, "account name anna")
		d.WantText("anna")
		run(d, "say --hello, all")
		d.WantText("anna: --hello, all")
	})
}

// TestWhatCannotWorkIsLast: the palette lists what the state of the match allows before what it does not.
func TestWhatCannotWorkIsLast(t *testing.T) {
	for _, control := range []clock.Control{{Initial: 10 * time.Minute}, {}} {
		t.Run(control.String(), func(t *testing.T) { testWhatCannotWorkIsLast(t, control) })
	}
}

func testWhatCannotWorkIsLast(t *testing.T, control clock.Control) {
	screentest.With(t, func(h *screentest.Harness) {
		m := h.StartMatch("ana", "bob", `{"size":5,"pie":false}`, control)
		d := h.Visit(screentest.Setting{Name: "ana", Width: 120, Height: 40, Open: "watch " + m.Info.ID})
		defer d.Close()
		listed := func() string {
			d.Drain()
			d.Press(":")
			defer d.Press("esc")
			return d.Text()
		}
		check := func(text string, first, last []string) {
			t.Helper()
			rows := make(map[string]bool)
			for line := range strings.Lines(text) {
				if _, row, ok := strings.Cut(line, "│ "); ok {
					name, _, _ := strings.Cut(strings.TrimLeft(row, "› "), " ")
					rows[strings.TrimSpace(name)] = true
				}
			}
			for _, name := range first {
				if !rows[name] {
					t.Errorf("the first commands lack %s:\n%s", name, text)
				}
			}
			for _, name := range last {
				if rows[name] {
					t.Errorf("%s is among the first commands:\n%s", name, text)
				}
			}
		}
		check(listed(), []string{"draw", "resign", "abort"}, []string{"rematch", "claim", "vote", "refuse", "condition", "undo"})
		for range 2 {
			h.Play(m, m.Snapshot().Position.Legal()[0])
		}
		check(listed(), []string{"draw", "resign", "undo"}, []string{"rematch", "abort"})
		h.Resign(m, "bob")
		check(listed(), []string{"rematch"}, []string{"draw", "resign", "undo", "abort"})
		if !offered(d, "resign") {
			t.Error("what cannot work is not offered at all")
		}
	})
}

// Enter in a palette in which nothing was typed offers and ends nothing, also after a command was used that does.
func TestEnterAloneOffersNothing(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		m := h.StartMatch("ana", "bob", `{"size":7,"pie":false}`, clock.Default, "b1-b2", "a2-a3")
		d := h.Visit(screentest.Setting{Name: "ana", Open: "watch " + m.Info.ID})
		for _, used := range []string{"", ":draw"} {
			d.Press(used)
			before := m.Snapshot()
			d.Press(":")
			var selected string
			for line := range strings.Lines(d.Text()) {
				if _, row, ok := strings.Cut(line, "› "); ok {
					selected, _, _ = strings.Cut(row, " ")
				}
			}
			if slices.Contains([]string{"", "draw", "undo", "resign", "abort", "pause"}, selected) {
				t.Errorf("after %q %q is selected:\n%s", used, selected, d.Text())
			}
			d.Press("enter esc esc")
			if now := m.Snapshot(); len(now.Offers) != len(before.Offers) || now.IsOver() {
				t.Errorf("Enter did something:\n%s", d.Text())
			}
		}
	})
}
