package tui

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/clock"
)

// signIn opens the screens of a player who has an account; destination is Config.Destination.
func (h *harness) signIn(name, destination string) *testScreen {
	h.t.Helper()
	h.account(name)
	return h.visit(setting{name: name, open: destination})
}

// The end of a challenge is shown to the other user on every screen until the next key.
func TestEndsOfChallengesAreShown(t *testing.T) {
	withHarness(t, func(h *harness) {
		ana, bob := h.signIn("ana", ""), h.signIn("bob", "")
		open := func() *lobby.Table {
			table, err := ana.Session.Open(h.t.Context(), lobby.Proposal{Game: "ayu", To: "bob", Clock: &clock.Default})
			if err != nil {
				h.t.Fatal(err)
			}
			bob.advance(time.Second)
			ana.advance(time.Second)
			return table
		}
		for _, keys := range []string{"", "?", "o", "a"} { // the lobby, the help, the settings, the archive
			ana.press(keys)
			open()
			bob.press("x")
			bob.wantText("Challenge declined.")
			ana.advance(5 * time.Minute)
			ana.wantText("bob declined your challenge.")
			ana.press("up")
			ana.wantNoText("bob declined your challenge.")
			if keys != "" {
				ana.press("q")
			}
		}
		table := open()
		if err := ana.Session.Cancel(table.ID); err != nil {
			h.t.Fatal(err)
		}
		bob.wantText("ana withdrew the challenge.")
		open()
		bob.close()
		ana.advance(20 * time.Second)
		ana.wantText("bob has left. Your challenge has expired.")
		bob = h.signIn("bob", "")
		open()
		ana.press("x")
		ana.wantText("Challenge withdrawn.")
		open()
		ana.close()
		bob.advance(20 * time.Second)
		bob.wantText("ana has left. The challenge has expired.")
	})
}

// A user who leaves another user's table is notified, and so are the seated users when its owner closes
// it.
func TestOthersTableIsLeft(t *testing.T) {
	withHarness(t, func(h *harness) {
		ana, bob := h.signIn("ana", ""), h.signIn("bob", "")
		table, err := ana.Session.Open(h.t.Context(), lobby.Proposal{Game: "mu", Options: json.RawMessage(`{"players":3}`)})
		if err != nil {
			h.t.Fatal(err)
		}
		bob.advance(time.Second)
		bob.press("enter")
		bob.advance(time.Second)
		bob.wantText("You joined the table", "x leave table")
		bob.wantNoText("Enter join", "x decline")
		bob.press("x")
		bob.wantText("You left the table.")
		bob.advance(time.Second)
		bob.press("enter")
		if err := ana.Session.Cancel(table.ID); err != nil {
			h.t.Fatal(err)
		}
		bob.wantText("ana closed the table.")
	})
}

func TestEndsOfOffersAreShown(t *testing.T) {
	withHarness(t, func(h *harness) {
		m := h.match("ana", "bob", `{"size":5,"pie":false}`, clock.Control{})
		watch := "watch " + m.Info.ID
		ana, bob, eve := h.signIn("ana", watch), h.signIn("bob", watch), h.signIn("eve", watch)
		ctx := h.t.Context()
		must := func(err error) {
			h.t.Helper()
			if err != nil {
				h.t.Fatal(err)
			}
			ana.drainMessages()
			bob.drainMessages()
			eve.drainMessages()
		}
		black, white := h.player(m, 0), h.player(m, 1)
		must(black.Offer(ctx, lobby.OfferDraw))
		bob.press("x")
		bob.wantText("You declined the draw offer.")
		ana.wantText("bob declined your draw offer.")
		eve.wantText("bob declined the draw offer.")
		h.play(m, "b1-b2")
		must(black.Offer(ctx, lobby.OfferUndo))
		ana.press("?") // the help hides the board
		must(white.Refuse(ctx, lobby.OfferUndo))
		ana.wantText("bob declined your takeback request.")
		ana.press("q")
		h.play(m, "a2-a3")
		must(black.Offer(ctx, lobby.OfferUndo))
		ana.press("x")
		ana.wantText("You withdrew your takeback request.")
		bob.wantText("ana withdrew the takeback request.")
		// An open input line hides a notice; it is shown afterwards.
		h.play(m, "d1-d2")
		must(black.Offer(ctx, lobby.OfferDraw))
		ana.press("t")
		ana.typeText("hel")
		must(white.Refuse(ctx, lobby.OfferDraw))
		ana.typeText("lo")
		ana.press("esc")
		ana.wantText("bob declined your draw offer.")
		must(white.Offer(ctx, lobby.OfferUndo))
		must(black.Offer(ctx, lobby.OfferUndo))
		bob.wantText("Your last turn was taken back.")
		// After the end a rematch can be declined too.
		must(white.Resign(ctx))
		must(white.Offer(ctx, lobby.OfferRematch))
		ana.advance(time.Second)
		ana.press("x")
		bob.wantText("ana declined your rematch offer.")
	})
}

func TestSwapIsShown(t *testing.T) {
	withHarness(t, func(h *harness) {
		m := h.match("ana", "bob", `{"size":5,"pie":true}`, clock.Control{}, "b1-b2")
		watch := "watch " + m.Info.ID
		ana, bob, eve := h.signIn("ana", watch), h.signIn("bob", watch), h.signIn("eve", watch)
		away := h.signIn("ana", "") // in the lobby
		h.play(m, "swap")
		ana.wantText("bob swapped: you are White now.")
		away.wantText("Game with bob: bob swapped: you are White now.")
		eve.wantText("bob swapped and is Black now.")
		bob.wantNoText("swapped:")
	})
}

func TestHiddenMatchesReportWhatOthersDo(t *testing.T) {
	withHarness(t, func(h *harness) {
		m := h.match("ana", "bob", `{"size":5,"pie":false}`, clock.Control{}, "b1-b2")
		ana := h.signIn("ana", "")
		ctx := h.t.Context()
		for _, step := range []struct {
			do   func() error
			text string
		}{
			{func() error { return h.player(m, 1).Offer(ctx, lobby.OfferDraw) }, "Game with bob: bob offers a draw."},
			{func() error { return h.player(m, 1).Refuse(ctx, lobby.OfferDraw) }, "Game with bob: bob withdrew the draw offer."},
			{func() error { return h.player(m, 1).Resign(ctx) }, "Game with bob: You win: bob resigned."},
			{func() error { return h.player(m, 1).Offer(ctx, lobby.OfferRematch) }, "Game with bob: bob offers a rematch."},
		} {
			if err := step.do(); err != nil {
				h.t.Fatal(err)
			}
			ana.wantText(step.text)
			ana.press("up")
			ana.wantNoText(step.text)
		}
	})
}

// The end of a rated match shows the changes of ratings, also where something hides the board.
func TestRatingsAreShownAtTheEnd(t *testing.T) {
	withHarness(t, func(h *harness) {
		yes := true
		table, err := h.member("ana").Open(h.t.Context(), lobby.Proposal{Game: "ayu", Options: json.RawMessage(`{"size":5,"pie":false}`), Rated: &yes, Clock: &clock.Default})
		if err != nil {
			h.t.Fatal(err)
		}
		id, err := h.member("bob").Join(h.t.Context(), table.ID, "")
		if err != nil {
			h.t.Fatal(err)
		}
		m, err := h.Match(id)
		if err != nil {
			h.t.Fatal(err)
		}
		for range 6 {
			h.play(m, m.Snapshot().Position.Legal()[0])
		}
		first, second := m.Info.Seats[0].Name, m.Info.Seats[1].Name
		loser, winner, eve := h.signIn(first, ""), h.signIn(second, ""), h.signIn("eve", "watch "+id)
		winner.press("?")
		if err := h.player(m, 0).Resign(h.t.Context()); err != nil {
			h.t.Fatal(err)
		}
		joined := func(d *testScreen) string { return strings.Join(strings.Fields(d.text()), " ") }
		for d, want := range map[*testScreen]string{
			loser: "1500 → 1338, -162", winner: "You win: " + first + " resigned. Your rating: 1500 → 1662, +162.", eve: "1500 → 1338, -162",
		} {
			if got := joined(d); !strings.Contains(got, want) {
				h.t.Errorf("no %q in\n%s", want, d.text())
			}
		}
	})
}

func TestAbortNamesWhoMadeNoMove(t *testing.T) {
	withHarness(t, func(h *harness) {
		m := h.match("ana", "bob", `{"size":5,"pie":false}`, clock.Default, "b1-b2")
		ana, bob := h.signIn("ana", "watch "+m.Info.ID), h.signIn("bob", "")
		bob.press("q")
		ana.advance(2 * time.Minute)
		bob.advance(time.Second)
		shown := strings.Join(strings.Fields(ana.text()), " ")
		if !strings.Contains(shown, "Game aborted: bob made no first") {
			h.t.Errorf("ana sees\n%s", ana.text())
		}
		bob.wantText("Game aborted: you made no first move")
		ana.press("q")
		ana.press("a")
		ana.wantText("aborted")
	})
}

// Departures from a match of three and their reasons are shown at once, at the end, in the archive and
// in profiles.
func TestDeparturesAreShown(t *testing.T) {
	withHarness(t, func(h *harness) {
		d, m := threePlayerMatch(h)
		me := d.Session.Account().Name
		var others []string
		for _, s := range m.Info.Seats {
			if s.Name != me {
				others = append(others, s.Name)
			}
		}
		h.resign(m, others[0])
		d.wantText(others[0] + " resigned and left the game.")
		h.resign(m, others[1])
		shown := strings.Join(strings.Fields(d.text()), " ")
		for _, name := range others {
			if !strings.Contains(shown, name+" resigned") {
				h.t.Errorf("the screen does not show that %s resigned:\n%s", name, d.text())
			}
		}
		d.press("q a")
		d.wantText("won (others left)")
		d.close()
		loser := h.signIn(others[0], "")
		loser.press("a")
		loser.wantText("lost (resigned)")
		loser.press("q i")
		loser.wantText("lost (resigned)")
	})
}
