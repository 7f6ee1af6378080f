package match_test

import (
	"strings"
	"testing"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/clock"
	"ayumu/lobby/match"
	"ayumu/lobby/table"
	"ayumu/tui/paint"
	"ayumu/tui/screen/screentest"
)

func TestGoldenMatch(t *testing.T) {
	for _, size := range screentest.Sizes {
		screentest.With(t, func(h *screentest.Harness) {
			m := h.StartMatch("ana", "bob", `{"size":11,"pie":false}`, clock.Default, screentest.Opening[:6]...)
			h.Watch("carol", m)
			if err := h.Player(m, 1).Say("good luck"); err != nil {
				h.T.Fatal(err)
			}
			screentest.Advance(4 * time.Second)
			size.Name = "ana"
			d := h.Visit(size)
			d.Golden("match" + size.Suffix())
			if size.Width != 80 {
				d.Press("?")
				d.Golden("match-help" + size.Suffix())
				return
			}
			d.Press("tab enter")
			d.GoldenSizes("match-chosen")
			d.Press("esc :distances")
			d.GoldenSizes("match-distances")
			d.Press(":distances [ [")
			d.GoldenSizes("match-back")
			d.Press("?")
			d.Golden("match-help")
			for _, part := range []string{"Playing a game", "Ayu in short", "The rules of Ayu"} { // below the keys of the board
				d.Press("tab")
				if rows := strings.Split(d.Text(), "\n"); !strings.Contains(rows[2], part) {
					h.T.Errorf("tab does not lead to %q:\n%s", part, d.Text())
				}
			}
			d.WantText("AYU: Attach", "more lines below")
			d.Press("end")
			d.WantNoText("more line")
			d.Press("tab")
			d.Golden("match-help")
		})
	}
}

func TestGoldenLargeBoards(t *testing.T) {
	for _, size := range screentest.Sizes {
		screentest.With(t, func(h *screentest.Harness) {
			m := h.StartMatch("ana", "bob", `{"size":15,"pie":false}`, clock.Control{}, screentest.Opening...)
			size.Name, size.Open = "carol", "watch "+m.Info.ID
			h.Account("carol")
			h.Visit(size).Golden("match-15" + size.Suffix())
		})
	}
}

// TestGoldenPhone has windows as phones have them: as low as possible, and tall.
func TestGoldenPhone(t *testing.T) {
	for _, size := range []screentest.Setting{{Width: 40, Height: 16}, {Width: 40, Height: 30}} {
		screentest.With(t, func(h *screentest.Harness) {
			h.StartMatch("ana", "bob", `{"size":9,"pie":false}`, clock.Default, "b1-b2", "a2-a3", "d1-d2", "c2-c3")
			size.Name = "ana"
			h.Visit(size).Golden("match-9" + size.Suffix())
		})
	}
}

// TestGoldenMu has a match of Mu after its layout and a part of its clearing.
func TestGoldenMu(t *testing.T) {
	for _, size := range screentest.Sizes {
		screentest.With(t, func(h *screentest.Harness) {
			m := startMu(h, "ana", "bob")
			for range 9 {
				h.Play(m, m.Snapshot().Position.Legal()[0])
			}
			size.Name = "ana"
			d := h.Visit(size)
			d.Golden("mu" + size.Suffix())
			d.Press("?")
			d.Golden("mu-help" + size.Suffix())
		})
	}
}

// startMu starts a match of Mu with three segments for each of two users, of whom the first has seat 0.
func startMu(h *screentest.Harness, first, second string) *lobby.Match {
	h.T.Helper()
	casual := false
	for {
		p := table.Proposal{Game: "mu", Options: []byte(`{"players":2,"segments":3}`), Clock: &clock.Default, Rated: &casual}
		table, err := h.Member(first).OpenTable(h.T.Context(), p)
		if err != nil {
			h.T.Fatal(err)
		}
		id, err := h.Member(second).JoinTable(h.T.Context(), table.ID, "")
		if err != nil {
			h.T.Fatal(err)
		}
		m, err := h.Match(id)
		if err != nil {
			h.T.Fatal(err)
		}
		if m.Info.Seats[0].Name == first {
			return m
		}
		h.Resign(m, first) // seats are drawn at random
	}
}

func TestGoldenPieAndEnd(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		m := h.StartMatch("ana", "bob", `{"size":5}`, clock.Default, "b1-b2")
		d := h.Visit(screentest.Setting{Name: "bob"})
		d.GoldenSizes("match-pie")
		if err := h.Player(m, 1).Resign(h.T.Context()); err != nil {
			h.T.Fatal(err)
		}
		if err := h.Player(m, 0).Offer(h.T.Context(), match.OfferRematch); err != nil {
			h.T.Fatal(err)
		}
		d.Advance(time.Second)
		d.GoldenSizes("match-over", m.Info.ID, "MATCHID")
	})
}

// TestFinishedGamesHaveTheirWebPage looks for the address of the page at the players and in the replay.
func TestFinishedGamesHaveTheirWebPage(t *testing.T) {
	for _, size := range screentest.Sizes {
		screentest.With(t, func(h *screentest.Harness) {
			m := h.StartMatch("ana", "bob", `{"size":5,"pie":false}`, clock.Default, "b1-b2")
			size.Name, size.Open, size.Site.WebURL = "bob", "watch "+m.Info.ID, "https://play.example.org"
			d := h.Visit(size)
			d.WantNoText("https:")
			if err := h.Player(m, 1).Resign(h.T.Context()); err != nil {
				h.T.Fatal(err)
			}
			d.Advance(time.Second)
			d.Golden("match-over-web"+size.Suffix(), m.Info.ID, "MATCHID")
			size.Open = "replay " + m.Info.ID
			d = h.Visit(size)
			d.Golden("replay-web"+size.Suffix(), m.Info.ID, "MATCHID")
		})
	}
}

// TestPrivateGamesHaveNoWebPage: after its end nobody is shown a private match there.
func TestPrivateGamesHaveNoWebPage(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		casual := false
		open, err := h.Member("ana").OpenTable(h.T.Context(), table.Proposal{Game: "ayu", Options: []byte(`{"size":5,"pie":false}`), Private: true, Rated: &casual})
		if err != nil {
			h.T.Fatal(err)
		}
		id, err := h.Member("bob").JoinTable(h.T.Context(), open.ID, open.Code(h.Member("ana").Account().ID))
		if err != nil {
			h.T.Fatal(err)
		}
		m, err := h.Match(id)
		if err != nil {
			h.T.Fatal(err)
		}
		s := screentest.Setting{Name: "ana", Open: "watch " + id}
		s.Site.WebURL = "https://play.example.org"
		d := h.Visit(s)
		if err := h.Player(m, 0).Resign(h.T.Context()); err != nil {
			h.T.Fatal(err)
		}
		d.Advance(time.Second)
		d.WantText("ssh -t play.example.org replay")
		d.WantNoText("https:")
		s.Open = "replay " + id
		h.Visit(s).WantNoText("https:")
	})
}

func TestGoldenASCII(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		h.StartMatch("ana", "bob", `{"size":7,"pie":false}`, clock.Default, screentest.Opening[:6]...)
		h.Account("ana")
		d := h.Visit(screentest.Setting{Name: "ana", Profile: paint.Profile{ASCII: true}})
		d.GoldenSizes("match-ascii")
	})
}
