package linemode

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/lobby/match"
	"ayumu/tui/op"
)

// three starts a game of Mu with a clock between ana, bob and cho, who move in this order.
func (h *harness) three() []*person {
	h.t.Helper()
	var all []*person
	for _, name := range []string{"ana", "bob", "cho"} {
		p := h.connect("key of "+name, "")
		p.typeLines(name)
		if name == "ana" {
			p.typeLines("new mu players=3 segments=1 10+5")
		} else {
			p.typeLines("tables", "join 1")
		}
		all = append(all, p)
	}
	for _, p := range all {
		p.waitFor("Disc: ", "Box: ")
	}
	return all
}

func TestATableThatMayStartWithFewer(t *testing.T) {
	withHarness(t, func(h *harness) {
		a, b := h.connect("a", ""), h.connect("b", "")
		a.typeLines("ana", "ready", "new mu players=4 segments=1 may=2")
		a.waitFor("you have not joined a table", "1 of 4 seats taken, may start with 2", "all 4 seats are taken, or when at least 2 are and everyone there is ready (command ready).")
		b.typeLines("bob", "tables", "ready 1", "join 1", "ready")
		b.waitFor("1 of 4 seats taken", "you have no seat at table", "You joined the table. The game starts when all 4", "You are ready.")
		a.typeLines("tables", "ready 1")
		a.waitFor("2 of 4 seats taken, may start with 2, 1 ready", "Mu 2 players")
		b.waitFor("has started.", "Mu 2 players")
	})
}

// TestARematchOfThree waits for all players, and says for whom.
func TestARematchOfThree(t *testing.T) {
	withHarness(t, func(h *harness) {
		all := h.three()
		ana, bob, cho := all[0], all[1], all[2]
		bob.typeLines("resign", "yes")
		cho.typeLines("resign", "yes")
		ana.waitFor("You win")
		ana.typeLines("rematch", "status")
		ana.waitFor("You offered a rematch; waiting for ", "Type refuse to withdraw it.")
		bob.waitFor("ana offers a rematch. Type rematch to accept, or refuse to decline.")
		<-time.After(op.OfferGuard)
		bob.typeLines("rematch", "rematch", "status")
		bob.waitFor("You accepted the rematch offer of ana; waiting for cho.", "Error: you have accepted already", "waiting for cho. Type refuse to decline it after all.")
		ana.waitFor("bob agrees to a rematch.")
		cho.typeLines("rematch")
		ana.waitFor("Your game with ", " has started.", "Mu 3 players")
	})
}

func TestAnAbsentPlayerIsVotedOut(t *testing.T) {
	withHarness(t, func(h *harness) {
		all := h.three()
		ana, bob, cho := all[0], all[1], all[2]
		ana.typeLines("vote", "vote bob", "vote nobody")
		ana.waitFor("Error: no player can be voted out", "Error: that player is present", "Error: no player in this game is named nobody.")
		bob.typeLines("quit", "yes")
		<-bob.gone
		ana.waitFor("bob has left. You can vote them out in 0:05.", "Type vote bob")
		ana.typeLines("vote", "yes")
		ana.waitFor("You are about to vote bob out of the game. Type yes", "Vote recorded.", "1 of 2 votes to remove bob from the game.")
		m := h.onlyMatch()
		if m.Snapshot().Version != 0 {
			h.t.Error("one of two votes is enough")
		}
		cho.typeLines("vote BOB", "no", "vote BOB", "yes")
		cho.waitFor("Type yes", "Nothing was done.", "Type yes", "bob was voted out of the game.")
		if strings.Contains(cho.output.String(), "is back") {
			h.t.Error("a player who was voted out is said to be back")
		}
		for i, s := range m.Info.Seats {
			if m.Snapshot().Position.HasLeft(i) != (s.Name == "bob") {
				h.t.Errorf("%s has left: %v", s.Name, m.Snapshot().Position.HasLeft(i))
			}
		}
		ana.typeLines("resign", "yes")
		ana.waitFor("You resigned and left the game.")
	})
}

// TestYesConfirmsWhatWasAskedAbout ends a match after its player was asked whether to resign, and
// begins another one before the answer.
func TestYesConfirmsWhatWasAskedAbout(t *testing.T) {
	withHarness(t, func(h *harness) {
		first, second, m := h.pair()
		first.typeLines("resign")
		second.typeLines("resign", "yes", "rematch")
		first.waitFor("Type yes", "You win")
		key := m.Info.Seats[0].Name[:1] // of the one who was asked, who accepts from another session
		account, _, err := h.Accounts.ByKey(h.t.Context(), []byte(key))
		if err != nil {
			h.t.Fatal(err)
		}
		other, err := h.Enter(account, nil)
		if err != nil {
			h.t.Fatal(err)
		}
		player, err := other.AsPlayer(m.Info.ID)
		if err != nil {
			h.t.Fatal(err)
		}
		if err := player.Offer(h.t.Context(), match.OfferRematch); err != nil {
			h.t.Fatal(err)
		}
		synctest.Wait()
		first.waitFor("has started.", "Ayu 7x7")
		first.typeLines("yes")
		first.waitFor("Error: the game is over.")
		again, err := h.Match(player.Snapshot().Rematch)
		if err != nil {
			h.t.Fatal(err)
		}
		if again.Snapshot().IsOver() {
			h.t.Errorf("the match that was not asked about ended as %+v", again.Snapshot().Result)
		}
	})
}

func TestLongLinesAreRefusedNotCut(t *testing.T) {
	withHarness(t, func(h *harness) {
		first, second, m := h.pair()
		first.typeLines("say " + strings.Repeat("x", maxLine))
		first.waitFor("a line can have at most 2000 characters; that one was ignored")
		first.typeLines("b1b2" + strings.Repeat(" ", maxLine))
		first.waitFor("a line can have at most 2000 characters; that one was ignored")
		if m.Snapshot().Version != 0 {
			h.t.Error("a cut line was obeyed")
		}
		first.typeLines(strings.Repeat(" ", maxLine-4) + "b1b2")
		second.waitFor("b1 to b2")
	})
}

func TestTheLimitOfTheFirstMoveIsPrinted(t *testing.T) {
	withHarness(t, func(h *harness) {
		first, second, _ := h.pair()
		first.typeLines("status")
		first.waitFor("Make your first move within 1:00 or the game is aborted.")
		first.typeLines("b1b2")
		second.waitFor("Your turn", "Make your first move within 1:00 or the game is aborted.")
	})
}

func TestAnswersOfAGameThatIsOver(t *testing.T) {
	withHarness(t, func(h *harness) {
		first, second, _ := h.pair()
		second.typeLines("legal")
		second.waitFor("Error: it is not your turn.")
		first.typeLines("resign", "yes", "legal", "resign", "rules")
		first.waitFor("wins", "Error: the game is over.", "Error: the game is over.", "AYU", "on 11x11 f1-f2 50%")
		if strings.Contains(first.output.String(), "Press ") {
			h.t.Error("the rules name a key of the screens")
		}
	})
}

// TestAMatchThatThePlayerLeft tests that the list of games does not say that its player waits for a turn.
func TestAMatchThatThePlayerLeft(t *testing.T) {
	withHarness(t, func(h *harness) {
		ana := h.three()[0]
		ana.typeLines("resign", "yes", "lobby", "games")
		ana.waitFor("You resigned and left the game.", "your game with", ", you left it: resigned.")
	})
}
