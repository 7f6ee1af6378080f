package match_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"ayumu/lobby"
	"ayumu/tui/screen/dest"
	"ayumu/tui/screen/screentest"
)

// local opens the screens of ana in a local lobby with a match of players with these names.
func local(h *screentest.Harness, s screentest.Setting, game, options string, names ...string) (*screentest.Session, *lobby.Match) {
	h.T.Helper()
	h.Account("ana")
	s.Name = "ana"
	d := h.Visit(s)
	id, err := d.Session.StartLocal(h.T.Context(), game, []byte(options), names)
	if err != nil {
		h.T.Fatal(err)
	}
	d.Start(d.Open(dest.Match{ID: id, IsExpected: true}))
	d.Drain()
	m, err := h.Match(id)
	if err != nil {
		h.T.Fatal(err)
	}
	return d, m
}

// TestGoldenLocal plays Ayu at one keyboard to the end.
func TestGoldenLocal(t *testing.T) {
	for _, size := range screentest.Sizes {
		screentest.WithLocal(t, func(h *screentest.Harness) {
			d, _ := local(h, size, "ayu", `{"size":7,"pie":false}`, "ana", "Tim")
			for _, move := range []string{"b1b2", "a2a3", "d1d2"} {
				d.TypeText(move)
				d.Press("enter")
			}
			d.Golden("local" + size.Suffix())
			d.Press(":resign")
			d.Golden("local-resign" + size.Suffix())
			d.Press("y")
			d.Golden("local-over" + size.Suffix())
			d.Press("?")
			d.Golden("local-help" + size.Suffix())
		})
	}
}

// TestGoldenLocalMu plays Mu for three at one keyboard until one has won.
func TestGoldenLocalMu(t *testing.T) {
	for _, size := range screentest.Sizes {
		screentest.WithLocal(t, func(h *screentest.Harness) {
			d, m := local(h, size, "mu", `{"players":3,"segments":1}`, "ana", "Tim", "Zoë")
			d.Golden("local-mu" + size.Suffix())
			for m.Snapshot().Turns < 4 {
				before := m.Snapshot().Version
				if hasMoves(m.Snapshot().Position.Legal()) {
					d.Press("e e") // pass
				} else {
					d.TypeText(m.Snapshot().Position.Legal()[0])
					d.Press("enter")
				}
				if m.Snapshot().Version == before {
					t.Fatalf("no turn was made:\n%s", d.Text())
				}
			}
			d.Golden("local-mu-play" + size.Suffix())
			d.Press(":resign y")
			d.Golden("local-mu-left" + size.Suffix())
			d.Press(":resign y")
			d.Golden("local-mu-over" + size.Suffix())
		})
	}
}

// TestLocalTakeback: u takes back turn after turn, whoever made them, after a question that can be switched off.
func TestLocalTakeback(t *testing.T) {
	screentest.WithLocal(t, func(h *screentest.Harness) {
		d, m := local(h, screentest.Setting{}, "ayu", `{"size":7,"pie":false}`, "ana", "Tim")
		d.WantPanel("Black to move: ana.", "Your move (Black)")
		d.WantPanel("no clock · casual · at one keyboard")
		d.WantNoText("takeback", "draw", "chat", "spectator")
		d.Press("u")
		d.WantText("There is no move to take back.")
		d.TypeText("b1b2")
		d.Press("enter")
		d.WantPanel("White to move: Tim.", "Your move (White)")
		d.WantText("u takeback")
		d.TypeText("a2a3")
		d.Press("enter u")
		d.WantText("Take back the last turn, Tim's?")
		d.Press("y")
		d.WantText("Tim's last move was taken back.", "White to move: Tim.")
		d.Settings.Confirm = false
		d.Press("u")
		d.WantText("ana's last move was taken back.", "Black to move: ana.")
		if s := m.Snapshot(); s.Turns != 0 || len(s.Offers) > 0 || s.Version != 4 {
			t.Errorf("%d turns, offers %+v, version %d", s.Turns, s.Offers, s.Version)
		}
	})
}

// TestLocalDraftIsTakenBack: a turn of several actions that is not complete goes with the takeback, and does not return.
func TestLocalDraftIsTakenBack(t *testing.T) {
	screentest.WithLocal(t, func(h *screentest.Harness) {
		d, m := local(h, screentest.Setting{}, "mu", `{"players":2,"segments":1}`)
		for s := m.Snapshot(); s.Position.Turn() != 0 || !hasMoves(s.Position.Legal()); s = m.Snapshot() {
			d.TypeText(s.Position.Legal()[0])
			d.Press("enter")
		}
		p := func() *lobby.Player {
			p, err := d.Session.AsPlayer(m.Info.ID)
			if err != nil {
				t.Fatal(err)
			}
			return p
		}
		made := m.Snapshot().Turns
		if err := p().SetDraft(m.Snapshot().Version, move(m.Snapshot().Position.Legal())); err != nil {
			t.Fatal(err)
		}
		d.Advance(time.Second)
		d.WantText("u undo")
		drafted := p()
		d.Press("u u") // the action, then the turn before
		if got := m.Snapshot().Turns; got != made {
			t.Errorf("after u twice there are %d turns, not %d", got, made)
		}
		d.Press("y")
		if got := drafted.Draft().Actions; len(got) > 0 || m.Snapshot().Turns != made-1 {
			t.Errorf("after the takeback there are %d turns and the draft %q", m.Snapshot().Turns, got)
		}
	})
}

// move returns the first move of men.
func move(legal []string) []string {
	i := slices.IndexFunc(legal, func(a string) bool { return strings.HasPrefix(a, "move") })
	return legal[i : i+1]
}

// hasMoves reports whether men can move, so that a turn has several actions.
func hasMoves(legal []string) bool {
	return slices.Contains(legal, "end")
}

// TestLocalMatchIsPlayedAgain: m starts the same match with the other player first, and the game goes on after q.
func TestLocalMatchIsPlayedAgain(t *testing.T) {
	screentest.WithLocal(t, func(h *screentest.Harness) {
		d, m := local(h, screentest.Setting{}, "ayu", `{"size":5,"pie":false}`, "Tim", "ana")
		d.WantPanel("Black to move: Tim.")
		d.Press(":resign")
		d.WantText("Abort this game? Nobody wins or loses.")
		d.Press("n")
		d.TypeText("b1b2")
		d.Press("enter")
		d.TypeText("a2a3")
		d.Press("enter q")
		d.WantText("▸ Tim", "your turn")
		d.Press(">")
		d.WantPanel("Black to move: Tim.")
		d.Press(":resign")
		d.WantText("Tim (Black) resigns?")
		d.Press("y")
		d.WantPanel("ana wins: Tim resigned.")
		d.WantNoText("You win", "rematch", "to move")
		d.Press("m")
		d.WantPanel("Black to move: ana.")
		again := d.Session.SeatedMatches()
		if len(again) != 2 || again[1] == m || again[1].Info.Seats[0].Name != "ana" || !again[1].Info.Local {
			t.Errorf("%d matches", len(again))
		}
	})
}

// TestLocalOperationsAreTyped: what is typed does what the keys do, and what others would have to answer is absent.
func TestLocalOperationsAreTyped(t *testing.T) {
	screentest.WithLocal(t, func(h *screentest.Harness) {
		d, m := local(h, screentest.Setting{}, "ayu", `{"size":5,"pie":false}`, "ana", "Tim")
		for _, c := range []struct{ words, want string }{
			{"act b1b2", "White to move: Tim."},
			{"undo", "ana's last move was taken back."},
			{"act b1b2", "White to move: Tim."},
			{"act a2a3", "Black to move: ana."},
			{"say hello", "No command here matches that."},
			{"draw", "No command here matches that."},
			{"claim win", "No command here matches that."},
			{"status", "Black to move: ana."},
			{"resign", "ana (Black) resigns?"},
		} {
			d.Press(":")
			d.TypeText(c.words)
			d.Press("enter")
			d.WantText(c.want)
			d.Press("esc")
		}
		if s := m.Snapshot(); s.IsOver() || len(m.PlayerChat.Since(0)) > 0 || s.Turns != 2 {
			t.Errorf("after %d turns: %+v, %d lines of chat", s.Turns, s.Result, len(m.PlayerChat.Since(0)))
		}
		d.Press(":resign y")
		d.WantPanel("Tim wins: ana resigned.")
		d.Press(":")
		d.TypeText("rematch")
		d.Press("enter")
		d.WantPanel("Black to move: Tim.")
		d.Start(d.Open(dest.Archive{}))
		d.Advance(time.Second)
		d.WantText("ana – Tim", "0–1")
		d.Press("enter")
		d.Advance(time.Second)
		d.WantText("Tim wins: ana resigned.")
	})
}

// TestLocalMatchIsNotAnnounced: a local match opens where it was started, not by itself.
func TestLocalMatchIsNotAnnounced(t *testing.T) {
	screentest.WithLocal(t, func(h *screentest.Harness) {
		h.Account("ana")
		d := h.Visit(screentest.Setting{Name: "ana"})
		if _, err := d.Session.StartLocal(h.T.Context(), "ayu", nil, nil); err != nil {
			h.T.Fatal(err)
		}
		d.Advance(time.Second)
		d.WantText("Your games")
		d.WantNoText("has started", "to move")
	})
}

// TestLocalNamesAreShownSafely has the names that nobody has, at most as long and as wide as names are.
func TestLocalNamesAreShownSafely(t *testing.T) {
	for _, size := range screentest.Sizes {
		screentest.WithLocal(t, func(h *screentest.Harness) {
			d, _ := local(h, size, "ayu", `{"size":5,"pie":false}`, "\x1b]0;x\x07\x1b[2J", "木木木木木木木木木木木木木木木木")
			d.WantText("]0;x[2J")
			d.Press(":resign n")
			d.TypeText("b1b2")
			d.Press("enter")
			d.WantText("木木木")
			d.TypeText("a2a3")
			d.Press("enter :resign y")
			d.WantText("wins")
			d.Golden("local-names" + size.Suffix())
		})
	}
}
