package match_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/clock"
	"ayumu/tui/screen"
	"ayumu/tui/screen/screentest"
)

// TestConditionsAreAddedInTheAnalysis adds two variations, deletes one, and has the opponent play the other.
func TestConditionsAreAddedInTheAnalysis(t *testing.T) {
	for _, size := range slices.Concat(screentest.Sizes[:2], screentest.Sizes[3:]) { // at 40×16 the sentences are broken
		screentest.With(t, func(h *screentest.Harness) {
			m := h.StartMatch("ana", "bob", `{"size":7,"pie":false}`, clock.Control{Days: 3}, "b1-b2")
			size.Name, size.Open = "ana", "watch "+m.Info.ID
			d := h.Visit(size)
			d.WantText("; conditional")
			d.WantPanel(";: conditional moves.")
			d.Golden("conditions-offered" + size.Suffix())
			d.Press("[ ;")
			d.WantText("Play a move for your opponent, then your answer, and press")
			d.WantPanel("; adds your opponent's move and your answer")
			d.Press("a 2 a 3 enter ;")
			d.WantText("From the newest position, play", "your answer, and press ;.")
			d.Press("d 1 d 2 enter")
			d.WantText("; add")
			d.Press(";")
			d.WantText("Added: if a2-a3 then d1-d2.")
			d.WantPanel("1 conditional move (: if).")
			d.Press("home c 2 c 3 enter d 1 d 2 enter ;")
			d.WantPanel("2 conditional moves (: if).")
			d.Golden("conditions-armed" + size.Suffix())
			d.Press(":if")
			d.WantText("Your conditional moves", "if a2-a3 then d1-d2", "if c2-c3 then d1-d2")
			d.Golden("conditions" + size.Suffix())
			d.Press("down x")
			d.WantText("Deleted: if c2-c3 then d1-d2.")
			d.Press("q esc")
			d.WantText("1 conditional move (: if).")
			other := h.Visit(screentest.Setting{Name: "bob", Open: "watch " + m.Info.ID})
			other.WantNoText("conditional")
			screentest.Advance(time.Hour)
			h.Play(m, "a2-a3")
			d.Drain()
			if all := d.Messages(); !slices.ContainsFunc(all, func(m screen.Message) bool { return m.Text == "Your conditional move was played: d1-d2." }) {
				t.Errorf("the messages are %+v", all)
			}
			d.WantNoText(": if")
			if s := m.Snapshot(); s.Version != 3 || s.Clocks[0] != 3*24*time.Hour {
				h.T.Errorf("version %d, clocks %v", s.Version, s.Clocks)
			}
			d.Press(":if")
			d.WantText("You have no conditional moves.")
		})
	}
}

// TestConditionsAreForGamesOverDays: elsewhere the match, the analysis, the keys and the help show no sign of them. In a
// game over days the same steps show each of them.
func TestConditionsAreForGamesOverDays(t *testing.T) {
	for _, control := range []clock.Control{clock.Default, {Days: 3}} {
		screentest.With(t, func(h *screentest.Harness) {
			m := h.StartMatch("ana", "bob", `{"size":7,"pie":false}`, control, "b1-b2")
			d := h.Visit(screentest.Setting{Name: "ana", Open: "watch " + m.Info.ID, Width: 120, Height: 40})
			want := func(where, text string) {
				t.Helper()
				if shows := strings.Contains(text, "conditional"); shows != (control.Days > 0) {
					t.Errorf("with the clock %s, %s mentions conditional moves: %v\n%s", control, where, shows, text)
				}
			}
			want("the match", d.Text())
			d.Press(":try a 2 a 3 enter d 1 d 2 enter")
			want("the analysis", d.Text())
			d.Press(";")
			want("what ; shows", d.Text())
			d.Press(":if")
			want("what if shows", d.Text())
			d.Press("esc home ?")
			want("the help", d.HelpText())
		})
	}
}

// TestConditionalMovesAreReportedAtTheNextVisit: one that was played while its player was away is reported once, and one
// that a session has shown is not.
func TestConditionalMovesAreReportedAtTheNextVisit(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		m := h.StartMatch("ana", "bob", `{"size":7,"pie":false}`, clock.Control{Days: 3}, "b1-b2")
		add := func(theirs, mine string) {
			s := m.Snapshot()
			if _, err := h.Player(m, 0).AddCondition(h.T.Context(), s.Version, lobby.AnyRevision, [][]string{{theirs}, {mine}}); err != nil {
				h.T.Fatal(err)
			}
		}
		add("a2-a3", "d1-d2")
		screentest.Advance(time.Hour)
		h.Play(m, "a2-a3")
		const text = "Game with bob: your conditional move was played: d1-d2."
		d := h.SignIn("ana", "")
		d.WantText(text)
		d.Close()
		d = h.SignIn("ana", "")
		d.WantNoText("conditional")
		screentest.Advance(time.Hour)
		add("c2-c3", "f1-f2")
		h.Play(m, "c2-c3")
		d.Drain()
		d.WantText("Game with bob: Your conditional move was played: f1-f2.")
		d.Close()
		d = h.SignIn("ana", "")
		d.WantNoText("conditional")
		d.Close()
		screentest.Advance(time.Hour)
		var played []string
		for range 2 {
			p := m.Snapshot().Position
			theirs := p.Legal()[0]
			after, err := p.Play(theirs)
			if err != nil {
				h.T.Fatal(err)
			}
			played = append(played, after.Legal()[0])
			add(theirs, played[len(played)-1])
			h.Play(m, theirs)
			screentest.Advance(time.Minute)
		}
		d = h.SignIn("ana", "")
		d.WantText("your conditional moves were played: " + strings.Join(played, ", ") + ".")
	})
}
