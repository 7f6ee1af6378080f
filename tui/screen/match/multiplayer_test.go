package match_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby"
	"ayumu/lobby/clock"
	"ayumu/lobby/match"
	"ayumu/lobby/table"
	"ayumu/tui/screen/dest"
	"ayumu/tui/screen/screentest"
)

// threePlayerMatch starts a match of Mu for three and returns the screen of one of its players, ana.
func threePlayerMatch(h *screentest.Harness) (*screentest.Session, *lobby.Match) {
	h.T.Helper()
	ctx := h.T.Context()
	control := clock.Default
	table, err := h.Member("bob").OpenTable(ctx, table.Proposal{Game: "mu", Options: []byte(`{"players":3,"segments":1}`), Clock: &control})
	if err != nil {
		h.T.Fatal(err)
	}
	if _, err := h.Member("carol").JoinTable(ctx, table.ID, ""); err != nil {
		h.T.Fatal(err)
	}
	h.Account("ana")
	d := h.Visit(screentest.Setting{Name: "ana", Open: "join " + table.ID})
	d.Advance(time.Second)
	m := d.Session.SeatedMatches()[0]
	return d, m
}

// playFirstLegal plays the first legal action of the seat to move, in phase play a pass. d is the screen of ana.
func playFirstLegal(h *screentest.Harness, d *screentest.Session, m *lobby.Match) {
	h.T.Helper()
	s := m.Snapshot()
	actions := s.Position.Legal()[:1]
	if slices.Contains(s.Position.Legal(), "end") {
		actions = []string{"end"}
	}
	name := s.Info.Seats[s.Position.Turn()].Name
	session := d.Session
	if name != "ana" {
		session = h.Member(name)
	}
	p, err := session.AsPlayer(m.Info.ID)
	if err != nil {
		h.T.Fatal(err)
	}
	if _, err := p.Act(h.T.Context(), s.Version, actions); err != nil {
		h.T.Fatal(err)
	}
	d.Drain()
}

// clearedBoard starts a match of Mu for three with two segments each, of which each has cleared one, and returns the screen of one
// of them, ana. Segments are laid where their centres end with one of ends in turn, if that is possible.
func clearedBoard(h *screentest.Harness, ends ...string) *screentest.Session {
	h.T.Helper()
	casual := false
	opened, err := h.Member("bob").OpenTable(h.T.Context(), table.Proposal{Game: "mu", Options: []byte(`{"players":3,"segments":2}`), Clock: &clock.Default, Rated: &casual})
	if err != nil {
		h.T.Fatal(err)
	}
	if _, err := h.Member("carol").JoinTable(h.T.Context(), opened.ID, ""); err != nil {
		h.T.Fatal(err)
	}
	h.Account("ana")
	d := h.Visit(screentest.Setting{Name: "ana", Open: "join " + opened.ID})
	d.Advance(time.Second)
	m := d.Session.SeatedMatches()[0]
	for s := m.Snapshot(); s.Turns < 6; s = m.Snapshot() {
		legal := s.Position.Legal()
		if i := slices.IndexFunc(legal, func(a string) bool { return strings.HasSuffix(a, ends[s.Turns%len(ends)]) }); i >= 0 {
			legal = legal[i:]
		}
		h.Play(m, legal[0])
	}
	for m.Snapshot().Turns < 9 {
		h.Play(m, m.Snapshot().Position.Legal()[0])
	}
	d.Drain()
	return d
}

// TestAWholeBoardIsPreferred: in each window that has space for the whole board beside the panel it is shown, and not a part of it
// above the panel, which would be larger.
func TestAWholeBoardIsPreferred(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		d := clearedBoard(h, ",-3", ",0", ",1", ",3") // nine rows
		for _, size := range []tea.WindowSizeMsg{{Width: 60, Height: 20}, {Width: 45, Height: 18}} {
			d.Send(size)
			d.WantText("-4 ▲'▲'", " 4 · ·") // the first and the last row
		}
	})
}

// TestNoPremovesAmongThree: the key of premoves says why there are none, also on the player's own turn.
func TestNoPremovesAmongThree(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		d := clearedBoard(h, ",-3", ",0", ",1", ",3")
		m := d.Session.SeatedMatches()[0]
		for range 3 {
			d.Press(";")
			d.WantText("Only in games of two can moves be entered in advance")
			h.Play(m, "end")
			d.Press("left")
		}
	})
}

// TestAMessageReplacesTheWholeDescription has a board as high as the window, beside which what is at the cursor takes several rows: a
// message that is shorter leaves none of them, since the rest would read as its beginning.
func TestAMessageReplacesTheWholeDescription(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		d := clearedBoard(h, ",-4", ",0", ",2", ",4") // eleven rows
		d.Press("right")
		d.WantText("1,0: virgin, 1 man of")
		d.Press("x")
		d.WantText("There is no open offer.")
		d.WantNoText("1,0: virgin")
	})
}

func TestAbsentPlayersAreVotedOut(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		d, m := threePlayerMatch(h)
		d.WantText("Press t to chat with")
		d.WantNoText("takeback", "= draw")
		h.Member("bob").Close(false)
		d.Advance(7 * time.Second)
		d.WantText("away 7 s")
		d.Press("=")
		d.WantText("No player has been away long enough")
		d.Advance(5 * time.Second)
		d.WantText("bob has left. =: vote", "(0 of 2 votes)")
		d.Press("=")
		d.WantText("Vote bob out of the game?")
		d.Press("y")
		d.WantText("(1 of 2 votes)")
		carol, err := h.Member("carol").AsPlayer(m.Info.ID)
		if err != nil {
			h.T.Fatal(err)
		}
		away := 0
		for i, s := range m.Info.Seats {
			if s.Name == "bob" {
				away = i
			}
		}
		if err := carol.Vote(h.T.Context(), away); err != nil {
			h.T.Fatal(err)
		}
		d.Advance(time.Second)
		d.WantText("voted out")
		d.WantNoText("=: vote")
	})
}

// TestAPlayerWhoIsOutWatches tests that a player who is out is offered no keys that cannot work.
func TestAPlayerWhoIsOutWatches(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		d, _ := threePlayerMatch(h)
		d.Width = 100
		d.Press("?")
		help := d.HelpText()
		if !strings.Contains(help, "are listed beside the board") || !strings.Contains(help, "vote out a player") || strings.Contains(help, "is below the board") {
			h.T.Errorf("the help of a player who is out:\n%s", help)
		}
		d.Press("q :resign y")
		d.WantText("You are out of this game.", "resigned")
		d.Press(":resign")
		d.WantText(" You are out of this game. You can still watch.")
		d.WantNoText("Resign this game?", "seat has left")
		if seat := d.Session.SeatedMatches()[0]; d.Session.IsPlaying(seat) {
			h.T.Error("a player who resigned is still playing")
		}
		d.Press("q")
		d.WantText("Open tables", "resigned", "Enter watch")
		d.WantNoText("your turn", " 10:0", " 9:")
		d.Press("ctrl+c")
		if !d.HasEnded {
			h.T.Errorf("the screen asks about a running clock:\n%s", d.Text())
		}
	})
}

// TestRematchOfSeveral: a rematch of three waits for all, says for whom, and can be declined after it was accepted.
func TestRematchOfSeveral(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		d, m := threePlayerMatch(h)
		var players []*lobby.Player // the others
		var names []string
		for seat, s := range m.Info.Seats {
			if s.Name == "ana" {
				continue
			}
			p := h.Player(m, seat)
			players, names = append(players, p), append(names, s.Name)
			if err := p.Resign(h.T.Context()); err != nil {
				h.T.Fatal(err)
			}
			d.Drain()
		}
		offer := func(p *lobby.Player) {
			h.T.Helper()
			if err := p.Offer(h.T.Context(), match.OfferRematch); err != nil {
				h.T.Fatal(err)
			}
			d.Drain()
		}
		d.Press("m")
		d.WantPanel("You offered a rematch; waiting for " + names[0] + " and " + names[1] + ". x: withdraw.")
		offer(players[0])
		d.WantText(names[0] + " agrees to a rematch.")
		d.WantPanel("You offered a rematch; waiting for " + names[1] + ". x: withdraw.")
		d.Press("x")
		offer(players[1])
		d.Advance(time.Second)
		d.WantPanel(names[1] + " offers a rematch: m accept, x decline.")
		d.Press("m")
		d.WantPanel("You accepted the rematch offer of " + names[1] + "; waiting for " + names[0] + ". x: decline.")
		d.Press("m")
		d.WantText("others have not answered yet")
		offer(players[0])
		d.WantText("The rematch has started")
	})
}

func TestALeaveIsNotATurn(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		d, m := threePlayerMatch(h)
		second := m.Info.Seats[1].Name
		spectator := h.Visit(screentest.Setting{Name: "", Open: "watch " + m.Info.ID})
		spectator.Press("enter")
		playFirstLegal(h, d, m)
		h.Resign(m, second)
		playFirstLegal(h, d, m)
		spectator.Advance(time.Second)
		spectator.WantText("2 turns", "  2. ", "leaves")
		spectator.WantNoText("  3. ")
		spectator.Press("[")
		spectator.WantText("Turn 1 of 2.")
		spectator.Press("# 2 enter")
		spectator.WantText("2 turns")
	})
}

func TestTablesOfManyDescribeWhenTheyStart(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		h.Account("ana")
		d := h.Visit(screentest.Setting{Name: "ana"})
		for options, want := range map[string]string{
			`{"players":3,"segments":1}`:         "when all 3 seats are taken.",
			`{"players":4,"segments":1,"min":2}`: "when all 4 seats are taken, or when at least 2 are and everyone there is ready (y).",
		} {
			table, err := h.Member("bob").OpenTable(h.T.Context(), table.Proposal{Game: "mu", Options: []byte(options)})
			if err != nil {
				h.T.Fatal(err)
			}
			d.Advance(time.Second)
			d.Start(d.Open(dest.Table{ID: table.ID}))
			d.Drain()
			if text := strings.Join(strings.Fields(d.Text()), " "); !strings.Contains(text, "You joined the table; the game starts "+want) {
				h.T.Errorf("%s: %s", options, text)
			}
		}
		d.Press("n")
		d.FillField("Game", "Mu")
		d.Press("enter")
		d.WantText("when all 3 seats are taken")
	})
}

// TestNoticesExpireInAMatch waits for a notice on the screen of a match to expire.
func TestNoticesExpireInAMatch(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		d, _ := threePlayerMatch(h)
		d.Press("=")
		d.WantText("No player has been away")
		d.Advance(5*time.Second - 1)
		d.WantText("No player has been away")
		d.Advance(1)
		d.WantNoText("No player has been away")
	})
}

// TestTurnKeysCanBeClicked ends and undoes turns by clicks on the keys of the status bar.
func TestTurnKeysCanBeClicked(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		d, m := threePlayerMatch(h)
		act := func() { playFirstLegal(h, d, m) }
		for range 3 { // the layout
			act()
		}
		for m.Info.Seats[m.Snapshot().Position.Turn()].Name != "ana" {
			act()
		}
		d.Advance(time.Second)
		d.WantText("1 move left")
		d.ClickOn("Enter choose", 0)
		d.ClickOn("Tab target", 0)
		d.ClickOn("Enter move", 0)
		d.WantText("u undo")
		d.ClickOn("u undo", 0)
		d.WantText("Undone: ", "Ctrl+Y redo")
		version := m.Snapshot().Version
		d.ClickOn("e end turn", 0)
		d.WantText("You have not moved")
		d.ClickOn("e end turn", 0)
		// The pass of the last seat, after those of the others, ends the match.
		got := m.Snapshot()
		if !got.IsOver() && (got.Version != version+1 || got.Info.Seats[got.Position.Turn()].Name == "ana") {
			h.T.Errorf("the turn has not ended:\n%s", d.Text())
		}
		d.ClickOn("? help", 0)
		d.WantText("Help  Playing a game", "On the board", "lay, clear; choose a piece")
	})
}

// TestPlacesOfAllAreShown ends a match of three by passes, after one player has resigned.
func TestPlacesOfAllAreShown(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		d, m := threePlayerMatch(h)
		for range 3 {
			playFirstLegal(h, d, m)
		}
		h.Resign(m, "bob")
		for !m.Snapshot().IsOver() {
			playFirstLegal(h, d, m)
		}
		d.Advance(time.Second)
		d.WantText("carol 1st · 0", "ana 1st · 0", "bob 3rd · resigned", "Draw: everyone passed.")
		d.WantNoText("winner", "Places:")
		d.Press("[") // the panel keeps the places in a review
		d.WantText("ana 1st · 0")
		d.Press("q a enter")
		d.Advance(time.Second)
		d.WantText("From the archive", "carol 1st · 0", "bob 3rd · resigned")
	})
}

// TestATurnCanBePasted pastes turns of several actions: a wrong one changes nothing, a right one is played.
func TestATurnCanBePasted(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		d, m := threePlayerMatch(h)
		for range 3 {
			playFirstLegal(h, d, m)
		}
		for m.Info.Seats[m.Snapshot().Position.Turn()].Name != "ana" {
			playFirstLegal(h, d, m)
		}
		d.Advance(time.Second)
		legal := m.Snapshot().Position.Legal()
		first := legal[slices.IndexFunc(legal, func(a string) bool { return strings.HasPrefix(a, "move") })]
		version := m.Snapshot().Version
		paste := func(text string) {
			d.Send(tea.PasteMsg{Content: text})
			d.Drain()
		}
		paste("q") // is no command
		paste(first + "; end")
		d.WantText("1 move left")
		paste(":" + first)
		d.WantText("1 move left")
		first = strings.TrimPrefix(first, "move ")
		paste(first + "; 90,90 1 e;" + strings.Repeat(" ", 1000) + "\nend\n")
		d.Press("enter")
		d.WantText("90,90 is Out of Bounds", "1 move left")
		d.WantNoText("u undo")
		paste(first + "; end\n")
		d.WantText("Your move: "+first+"; end", "Enter play", "Esc clear")
		d.WantNoText("r resign") // its letters are not commands
		d.Press("enter")
		if m.Snapshot().Version == version {
			t.Errorf("the turn was not played:\n%s", d.Text())
		}
	})
}
