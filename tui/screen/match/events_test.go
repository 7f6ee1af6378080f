package match_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"ayumu/lobby/clock"
	"ayumu/lobby/match"
	"ayumu/lobby/table"
	"ayumu/tui/screen/screentest"
)

func TestEndsOfOffersAreShown(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		m := h.StartMatch("ana", "bob", `{"size":5,"pie":false}`, clock.Control{})
		watch := "watch " + m.Info.ID
		ana, bob, eve := h.SignIn("ana", watch), h.SignIn("bob", watch), h.SignIn("eve", watch)
		ctx := h.T.Context()
		must := func(err error) {
			h.T.Helper()
			if err != nil {
				h.T.Fatal(err)
			}
			ana.Drain()
			bob.Drain()
			eve.Drain()
		}
		black, white := h.Player(m, 0), h.Player(m, 1)
		ana.WantText("= draw")
		must(black.Offer(ctx, match.OfferDraw))
		ana.WantText("x withdraw")
		ana.WantNoText("= draw")
		bob.Press("x")
		bob.WantText("You declined the draw offer.")
		ana.WantText("bob declined your draw offer.")
		eve.WantText("bob declined the draw offer.")
		h.Play(m, "b1-b2")
		must(black.Offer(ctx, match.OfferUndo))
		ana.Press("?") // the help hides the board
		must(white.Refuse(ctx, match.OfferUndo))
		ana.WantText("bob declined your takeback request.")
		ana.Press("q")
		h.Play(m, "a2-a3")
		must(black.Offer(ctx, match.OfferUndo))
		ana.Press("x")
		ana.WantText("You withdrew your takeback request.")
		bob.WantText("ana withdrew the takeback request.")
		// An open input line hides a notice; it is shown afterwards.
		h.Play(m, "d1-d2")
		must(black.Offer(ctx, match.OfferDraw))
		ana.Press("t")
		ana.TypeText("hel")
		must(white.Refuse(ctx, match.OfferDraw))
		ana.TypeText("lo")
		ana.Press("esc")
		ana.WantText("bob declined your draw offer.")
		must(white.Offer(ctx, match.OfferUndo))
		must(black.Offer(ctx, match.OfferUndo))
		bob.WantText("Your last move was taken back.")
		// After the end a rematch can be declined too.
		must(white.Resign(ctx))
		must(white.Offer(ctx, match.OfferRematch))
		ana.Advance(time.Second)
		ana.Press("x")
		bob.WantText("ana declined your rematch offer.")
	})
}

func TestSwapIsShown(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		m := h.StartMatch("ana", "bob", `{"size":5,"pie":true}`, clock.Control{}, "b1-b2")
		watch := "watch " + m.Info.ID
		ana, bob, eve := h.SignIn("ana", watch), h.SignIn("bob", watch), h.SignIn("eve", watch)
		away := h.SignIn("ana", "") // in the lobby
		h.Play(m, "swap")
		ana.WantText("bob swapped: you are White now.")
		ana.WantNoText("swaps colours") // in a second sentence
		away.WantText("Game with bob: bob swapped: you are White now.")
		eve.WantText("bob swapped and is Black now.")
		bob.WantNoText("swapped:")
	})
}

// The end of a rated match shows the changes of ratings, also where something hides the board.
func TestRatingsAreShownAtTheEnd(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		yes := true
		table, err := h.Member("ana").OpenTable(h.T.Context(), table.Proposal{Game: "ayu", Options: json.RawMessage(`{"size":5,"pie":false}`), Rated: &yes, Clock: &clock.Default})
		if err != nil {
			h.T.Fatal(err)
		}
		id, err := h.Member("bob").JoinTable(h.T.Context(), table.ID, "")
		if err != nil {
			h.T.Fatal(err)
		}
		m, err := h.Match(id)
		if err != nil {
			h.T.Fatal(err)
		}
		for range 6 {
			h.Play(m, m.Snapshot().Position.Legal()[0])
		}
		first, second := m.Info.Seats[0].Name, m.Info.Seats[1].Name
		loser, winner, eve := h.SignIn(first, ""), h.SignIn(second, ""), h.SignIn("eve", "watch "+id)
		winner.Press("?")
		if err := h.Player(m, 0).Resign(h.T.Context()); err != nil {
			h.T.Fatal(err)
		}
		joined := func(d *screentest.Session) string { return strings.Join(strings.Fields(d.Text()), " ") }
		for d, want := range map[*screentest.Session]string{
			loser: "1500 → 1338, -162", winner: "You win: " + first + " resigned. Your rating: 1500 → 1662, +162.", eve: "1500 → 1338, -162",
		} {
			if got := joined(d); !strings.Contains(got, want) {
				h.T.Errorf("no %q in\n%s", want, d.Text())
			}
		}
		// Below the names, too.
		for part, text := range map[string]string{first: "1338 -162", second: "winner 1662 +162"} {
			rows := strings.Split(eve.Text(), "\n")
			at := slices.IndexFunc(rows, func(row string) bool { return strings.Contains(row, "● "+part) || strings.Contains(row, "○ "+part) })
			if at < 0 || !strings.Contains(rows[at+1], " "+text) {
				h.T.Errorf("no %q below %s in\n%s", text, part, eve.Text())
			}
		}
		// Where one row has all, the change is left out and no number is cut.
		h.Account("fay")
		small := h.Visit(screentest.Setting{Name: "fay", Open: "watch " + id, Width: 60, Height: 20})
		small.WantText("○ " + second + " winner 1662 ")
		small.WantNoText("winner 1662 …", "winner 1662 +")
	})
}

func TestAbortNamesWhoMadeNoMove(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		m := h.StartMatch("ana", "bob", `{"size":5,"pie":false}`, clock.Default, "b1-b2")
		ana, bob := h.SignIn("ana", "watch "+m.Info.ID), h.SignIn("bob", "")
		bob.Press("q")
		ana.Advance(2 * time.Minute)
		bob.Advance(time.Second)
		ana.WantPanel("Game aborted: bob did not make the first move")
		bob.WantPanel("Game aborted: you did not make the first move")
		ana.Press("q")
		ana.Press("a")
		ana.WantText("aborted")
	})
}

// Departures from a match of three and their reasons are shown at once, at the end, in the archive and
// in profiles.
func TestDeparturesAreShown(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		d, m := threePlayerMatch(h)
		me := d.Session.Account().Name
		var others []string
		for _, s := range m.Info.Seats {
			if s.Name != me {
				others = append(others, s.Name)
			}
		}
		h.Resign(m, others[0])
		d.WantText(others[0] + " resigned and left the game.")
		h.Resign(m, others[1])
		shown := strings.Join(strings.Fields(d.Text()), " ")
		for _, name := range others {
			if !strings.Contains(shown, name+" resigned") {
				h.T.Errorf("the screen does not show that %s resigned:\n%s", name, d.Text())
			}
		}
		d.Press("q a")
		d.WantText("won     others left")
		d.Close()
		loser := h.SignIn(others[0], "")
		loser.Press("a")
		loser.WantText("lost    resigned")
		loser.Press("q i")
		loser.WantText("lost    resigned")
	})
}
