package match_test

import (
	"slices"
	"strings"
	"testing"

	"ayumu/engine"
	"ayumu/engine/mu"
	"ayumu/lobby"
	"ayumu/lobby/clock"
	"ayumu/lobby/match"
	"ayumu/tui/screen"
	"ayumu/tui/screen/dest"
	"ayumu/tui/screen/screentest"
)

// premove types a move in advance.
func premove(d *screentest.Session, move string) {
	d.Press(";")
	d.TypeText(move)
	d.Press("enter")
}

// TestPremoveIsPlayedWhenTheTurnComes types a move while the opponent is to move. It is not sent before.
func TestPremoveIsPlayedWhenTheTurnComes(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		d, m := h.PlayingScreen("b1-b2")
		premove(d, "d1d2")
		d.WantPanel("Your next move: d1d2. Esc: drop it.")
		if n := m.Snapshot().Turns; n != 1 {
			h.T.Fatalf("%d turns were made before the opponent's", n)
		}
		h.Play(m, "a2-a3")
		d.Drain()
		if s := m.Snapshot(); s.Turns != 3 || s.Log[2].Actions[0] != "d1-d2" {
			h.T.Errorf("the log is %+v", s.Log)
		}
		d.WantNoText("Your next move")
	})
}

// TestPremoveIsDropped cancels one, and has others dropped that are illegal when the turn comes, or after an offer or a
// takeback.
func TestPremoveIsDropped(t *testing.T) {
	for name, c := range map[string]struct {
		move string
		do   func(h *screentest.Harness, d *screentest.Session, m *lobby.Match)
		want string
	}{
		"Esc": {"d1d2", func(h *screentest.Harness, d *screentest.Session, m *lobby.Match) {
			d.Press("esc")
			d.WantNoText("Your next move")
			h.Play(m, "a2-a3")
		}, ""},
		"illegal": {"d1d3", func(h *screentest.Harness, _ *screentest.Session, m *lobby.Match) { h.Play(m, "a2-a3") }, "was not played"},
		"no move": {"hello", func(h *screentest.Harness, _ *screentest.Session, m *lobby.Match) { h.Play(m, "a2-a3") }, "was not played"},
		"takeback": {"d1d2", func(h *screentest.Harness, d *screentest.Session, m *lobby.Match) {
			for seat := range 2 { // asks, accepts
				if err := h.Player(m, seat).Offer(h.T.Context(), match.OfferUndo); err != nil {
					h.T.Fatal(err)
				}
			}
			d.Drain()
			d.WantText("the position has changed")
			h.Play(m, "b1-b2", "a2-a3")
		}, ""},
		"offer": {"d1d2", func(h *screentest.Harness, d *screentest.Session, m *lobby.Match) {
			if err := h.Player(m, 1).Offer(h.T.Context(), match.OfferDraw); err != nil {
				h.T.Fatal(err)
			}
			d.Drain()
			d.WantText("there is an offer to answer")
			h.Play(m, "a2-a3")
		}, ""},
	} {
		screentest.With(t, func(h *screentest.Harness) {
			d, m := h.PlayingScreen("b1-b2")
			premove(d, c.move)
			c.do(h, d, m)
			d.Drain()
			if n := m.Snapshot().Turns; n != 2 {
				h.T.Errorf("%s: %d turns", name, n)
			}
			if c.want != "" {
				d.WantPanel(c.want)
			}
			d.WantNoText("Your next move")
		})
	}
}

// TestPremoveOfMu lays a segment in advance, as text and with the cursor.
func TestPremoveOfMu(t *testing.T) {
	for _, enter := range []func(d *screentest.Session, move string){premove, func(d *screentest.Session, _ string) { d.Press("tab enter") }} {
		testPremoveOfMu(t, enter)
	}
}

func testPremoveOfMu(t *testing.T, enter func(d *screentest.Session, move string)) {
	screentest.With(t, func(h *screentest.Harness) {
		m := startMu(h, "ana", "bob")
		for m.Info.Seats[m.Snapshot().Position.Turn()].Name == "ana" {
			h.Play(m, m.Snapshot().Position.Legal()[0])
		}
		d := h.Visit(screentest.Setting{Name: "ana"})
		theirs := m.Snapshot().Position.Legal()[0]
		then, err := engine.PlayTurn(m.Snapshot().Position, []string{theirs})
		if err != nil {
			h.T.Fatal(err)
		}
		mine := then.Legal()[0]
		enter(d, mine)
		d.WantPanel("Your next move: ")
		if planned := d.Visit.Premoves[m.Info.ID].Actions; len(planned) == 1 {
			mine = planned[0]
		}
		h.Play(m, theirs)
		d.Drain()
		if s := m.Snapshot(); !slices.ContainsFunc(s.Log, func(e match.Entry) bool { return len(e.Actions) > 0 && e.Actions[0] == mine }) {
			h.T.Errorf("the log is %+v, not %s", s.Log, mine)
		}
	})
}

// TestPremoveWithoutItsEndIsRefused types turns of Mu that could never be played. What was typed stays, to be mended.
func TestPremoveWithoutItsEndIsRefused(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		m := startMu(h, "bob", "ana")
		for m.Snapshot().Position.(*mu.Position).Phase() != mu.Play {
			h.Play(m, m.Snapshot().Position.Legal()[0])
		}
		d := h.Visit(screentest.Setting{Name: "ana"})
		for text, why := range map[string]string{
			"0,0 1 e":      "The turn has no end: add it, as in 0,0 1 e; end.",
			"hello":        "Type a cell, how many men",
			"end; 0,0 1 e": "The turn was over before",
		} {
			premove(d, text)
			d.WantText(why)
			d.WantText(" " + text + "\n")
			if n := len(d.Visit.Premoves); n != 0 {
				h.T.Fatalf("%q: %d premoves", text, n)
			}
			d.Press("esc")
		}
		premove(d, "0,0 1 e")
		d.TypeText("; end")
		d.Press("enter")
		d.WantPanel("Your next move: 0,0 1 e; end")
	})
}

// TestPremoveOnTheBoard enters a premove as a turn is entered: with the cursor, with clicks, and as text. It is marked on the
// board, described, and played when the turn comes.
func TestPremoveOnTheBoard(t *testing.T) {
	for name, enter := range map[string]func(d *screentest.Session){
		"cursor": func(d *screentest.Session) {
			moveCursor(d, "d1")
			d.Press("enter")
			moveCursor(d, "d2")
			d.Press("enter")
		},
		"clicks": func(d *screentest.Session) {
			click(d, "d1")
			click(d, "d2")
		},
		"text": func(d *screentest.Session) { d.Press("d 1 d 2 enter") },
	} {
		t.Run(name, func(t *testing.T) {
			screentest.With(t, func(h *screentest.Harness) {
				d, m := h.PlayingScreen("b1-b2")
				enter(d)
				d.WantPanel("bob's turn (White). Your next move: d1-d2. Esc: drop it.")
				d.WantText("Esc drop move")
				if n := m.Snapshot().Turns; n != 1 {
					t.Fatalf("%d turns were made before the opponent's", n)
				}
				d.Press("right right") // away from the marks
				if name == "cursor" {
					d.GoldenSizes("premove")
				}
				h.Play(m, "a2-a3")
				d.Drain()
				if s := m.Snapshot(); s.Turns != 3 || s.Log[2].Actions[0] != "d1-d2" {
					t.Errorf("the log is %+v", s.Log)
				}
				d.WantNoText("Your next move")
			})
		})
	}
}

// moveCursor moves the cursor of the board of 7 points to a point.
func moveCursor(d *screentest.Session, point string) {
	for range 6 {
		d.Press("left down")
	}
	for range int(point[0] - 'a') {
		d.Press("right")
	}
	for range int(point[1] - '1') {
		d.Press("up")
	}
}

// TestEscDropsWhatIsLast presses Esc with a premove and another stone chosen: first that is given up, then the premove.
func TestEscDropsWhatIsLast(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		d, m := h.PlayingScreen("b1-b2")
		d.Press("d 1 d 2 enter")
		click(d, "f1")
		d.Press("esc")
		d.WantPanel("Your next move: d1-d2.")
		d.Press("f 1 esc")
		d.WantPanel("Your next move: d1-d2.")
		d.Press("f 1 f 2 enter")
		d.WantPanel("Your next move: f1-f2.")
		d.Press("esc")
		d.WantNoText("Your next move")
		h.Play(m, "a2-a3")
		d.Drain()
		if n := m.Snapshot().Turns; n != 2 {
			t.Errorf("%d turns", n)
		}
	})
}

// TestPremoveOnTheBoardIsDropped has the opponent take the target.
func TestPremoveOnTheBoardIsDropped(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		d, m := h.PlayingScreen("b1-b2")
		click(d, "d1")
		click(d, "d2")
		h.Play(m, "c2-d2")
		d.Drain()
		d.WantPanel("Your move (Black): choose a stone.", "Your move d1-d2 was not played: d1-d2: d2 is occupied.")
		d.WantNoText("Your next move")
	})
}

// TestAMoveBegunInAdvanceIsFinished chooses a stone, or types half of a move, before the opponent moves. What follows is the
// turn.
func TestAMoveBegunInAdvanceIsFinished(t *testing.T) {
	for name, c := range map[string]struct{ before, after func(d *screentest.Session) }{
		"cursor": {func(d *screentest.Session) { click(d, "d1") }, func(d *screentest.Session) { click(d, "d2") }},
		"text":   {func(d *screentest.Session) { d.Press("d 1") }, func(d *screentest.Session) { d.Press("d 2 enter") }},
	} {
		screentest.With(t, func(h *screentest.Harness) {
			d, m := h.PlayingScreen("b1-b2")
			c.before(d)
			h.Play(m, "a2-a3")
			d.Drain()
			c.after(d)
			if s := m.Snapshot(); s.Turns != 3 || s.Log[2].Actions[0] != "d1-d2" {
				t.Errorf("%s: the log is %+v", name, s.Log)
			}
		})
	}
}

// TestPremoveIsKeptElsewhere leaves the match with a premove: it is there on return, and is played or dropped in the lobby
// too.
func TestPremoveIsKeptElsewhere(t *testing.T) {
	leave := func(d *screentest.Session) {
		d.Press("d 1 d 2 enter q")
		if strings.Contains(d.Text(), "Go to the lobby?") {
			d.Press("y")
		}
		d.WantText("Open tables")
	}
	for name, c := range map[string]struct{ theirs, message, last string }{
		"played":  {"a2-a3", "Your move d1-d2 in your game with bob was played.", "d1-d2"},
		"dropped": {"c2-d2", "Your move d1-d2 in your game with bob was not played: d1-d2: d2 is occupied.", "c2-d2"},
	} {
		screentest.With(t, func(h *screentest.Harness) {
			d, m := h.PlayingScreen("b1-b2")
			leave(d)
			h.Play(m, c.theirs)
			d.Drain()
			if all := d.Messages(); !slices.ContainsFunc(all, func(m screen.Message) bool { return strings.Contains(m.Text, c.message) }) {
				t.Errorf("%s: the messages are %+v", name, all)
			}
			if log := m.Snapshot().Log; log[len(log)-1].Actions[0] != c.last {
				t.Errorf("%s: the log is %+v", name, log)
			}
			if len(d.Visit.Premoves) > 0 {
				t.Errorf("%s: %+v is kept", name, d.Visit.Premoves)
			}
		})
	}
	screentest.With(t, func(h *screentest.Harness) {
		d, m := h.PlayingScreen("b1-b2")
		leave(d)
		d.Open(dest.Match{ID: m.Info.ID})
		d.WantPanel("Your next move: d1-d2. Esc: drop it.")
		h.Play(m, "a2-a3")
		d.Drain()
		if n := m.Snapshot().Turns; n != 3 {
			t.Errorf("after the return %d turns were made", n)
		}
	})
	screentest.With(t, func(h *screentest.Harness) { // a game that ends meanwhile
		d, m := h.PlayingScreen("b1-b2")
		leave(d)
		h.Resign(m, "bob")
		d.Drain()
		if len(d.Visit.Premoves) > 0 {
			t.Errorf("%+v is kept after the end", d.Visit.Premoves)
		}
	})
}

// TestWhoCannotPlan presses the keys of a move where no premove is taken: as a spectator, in a correspondence game, and in an
// earlier position.
func TestWhoCannotPlan(t *testing.T) {
	for name, open := range map[string]func(h *screentest.Harness) *screentest.Session{
		"spectator": func(h *screentest.Harness) *screentest.Session {
			m := h.StartMatch("ana", "bob", `{"size":7,"pie":false}`, clock.Default, "b1-b2")
			return h.SignIn("carol", "watch "+m.Info.ID)
		},
		"correspondence": func(h *screentest.Harness) *screentest.Session {
			m := h.StartMatch("ana", "bob", `{"size":7,"pie":false}`, clock.Control{Days: 3}, "b1-b2")
			return h.SignIn("ana", "watch "+m.Info.ID)
		},
		"review": func(h *screentest.Harness) *screentest.Session {
			d, _ := h.PlayingScreen("b1-b2")
			d.Press("[")
			return d
		},
	} {
		screentest.With(t, func(h *screentest.Harness) {
			d := open(h)
			click(d, "d1")
			click(d, "d2")
			if len(d.Visit.Premoves) > 0 {
				t.Errorf("%s: %+v was planned", name, d.Visit.Premoves)
			}
			d.WantNoText("plan a move", "Your next move")
		})
	}
}
