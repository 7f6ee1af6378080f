package line

import (
	"strings"
	"testing"
	"testing/synctest"

	"ayumu/lobby"
)

// three lets ana, bob and cho begin a game of Mu with a clock; they play in this order.
func (h *house) three() []*person {
	h.t.Helper()
	var all []*person
	for _, name := range []string{"ana", "bob", "cho"} {
		p := h.comes("key of "+name, "")
		p.types(name)
		if name == "ana" {
			p.types("new mu players=3 segments=1 10+5")
		} else {
			p.types("tables", "join 1")
		}
		all = append(all, p)
	}
	for _, p := range all {
		p.hears("Disc: ", "Box: ")
	}
	return all
}

func TestATableThatMayStartWithFewer(t *testing.T) {
	inHouse(t, func(h *house) {
		a, b := h.comes("a", ""), h.comes("b", "")
		a.types("ana", "ready", "new mu players=4 segments=1 may=2")
		a.hears("You sit at no table there", "1 of 4 seats taken, may start with 2", "all 4 seats are taken, or when at least 2")
		b.types("bob", "tables", "ready 1", "join 1", "ready")
		b.hears("1 of 4 seats taken", "You sit at no table there", "You sit at the table. The game opens by itself when all 4", "You are ready.")
		a.types("tables", "ready 1")
		a.hears("2 of 4 seats taken, may start with 2, 1 ready", "begins.", "Mu 2 players")
		b.hears("begins.", "Mu 2 players")
	})
}

func TestAnAbsentPlayerIsVotedOut(t *testing.T) {
	inHouse(t, func(h *house) {
		all := h.three()
		ana, bob, cho := all[0], all[1], all[2]
		ana.types("vote", "vote bob", "vote nobody")
		ana.hears("Nobody can be voted out", "Nobody can be voted out", "No player here is called nobody.")
		bob.types("quit", "yes")
		<-bob.gone
		ana.hears("bob is away.", "Type vote bob")
		ana.types("vote", "yes")
		ana.hears("This votes bob out of the game. Type yes", "You voted.", "1 vote for bob to leave the game.")
		m := h.only()
		if m.Snapshot().Version != 0 {
			h.t.Error("one of two votes is enough")
		}
		cho.types("vote BOB", "no", "vote BOB", "yes")
		cho.hears("Type yes", "no command", "Type yes", "bob was voted out of the game.")
		if strings.Contains(cho.said.String(), "is back") {
			h.t.Error("a player who was voted out is said to be back")
		}
		for i, s := range m.Info.Seats {
			if m.Snapshot().Position.Left(i) != (s.Name == "bob") {
				h.t.Errorf("%s has left: %v", s.Name, m.Snapshot().Position.Left(i))
			}
		}
		ana.types("resign", "yes")
		ana.hears("You resigned and left the game.")
	})
}

// TestYesConfirmsWhatWasAskedAbout ends a match after its player was asked whether to resign, and
// begins another one before the answer.
func TestYesConfirmsWhatWasAskedAbout(t *testing.T) {
	inHouse(t, func(h *house) {
		first, second, m := h.pair()
		first.types("resign")
		second.types("resign", "yes", "rematch")
		first.hears("Type yes", "You win")
		key := m.Info.Seats[0].Name[:1] // of the one who was asked, who accepts from another session
		account, _, err := h.AccountByKey(h.t.Context(), []byte(key))
		if err != nil {
			h.t.Fatal(err)
		}
		other, err := h.Enter(account, nil)
		if err != nil {
			h.t.Fatal(err)
		}
		player, err := other.Sit(m.Info.ID)
		if err != nil {
			h.t.Fatal(err)
		}
		if err := player.Offer(h.t.Context(), lobby.OfferRematch); err != nil {
			h.t.Fatal(err)
		}
		synctest.Wait()
		first.hears("begins.", "Ayu 7x7")
		first.types("yes")
		first.hears("Sorry: the game is over.")
		again, err := h.Match(player.Snapshot().Next)
		if err != nil {
			h.t.Fatal(err)
		}
		if again.Snapshot().Over() {
			h.t.Errorf("the match that was not asked about ended as %+v", again.Snapshot().Result)
		}
	})
}

func TestLongLinesAreRefusedNotCut(t *testing.T) {
	inHouse(t, func(h *house) {
		first, second, m := h.pair()
		first.types("say " + strings.Repeat("x", maxLine))
		first.hears("a line has at most 2000 characters; nothing was done")
		first.types("b1b2" + strings.Repeat(" ", maxLine))
		first.hears("a line has at most 2000 characters; nothing was done")
		if m.Snapshot().Version != 0 {
			h.t.Error("a cut line was obeyed")
		}
		first.types(strings.Repeat(" ", maxLine-4) + "b1b2")
		second.hears("b1 to b2")
	})
}

func TestTheLimitOfTheFirstMoveIsSaid(t *testing.T) {
	inHouse(t, func(h *house) {
		first, second, _ := h.pair()
		first.types("status")
		first.hears("The first move has to come within 1:00.")
		first.types("b1b2")
		second.hears("Your turn", "The first move has to come within 1:00.")
	})
}

func TestAnswersOfAGameThatIsOver(t *testing.T) {
	inHouse(t, func(h *house) {
		first, second, _ := h.pair()
		second.types("legal")
		second.hears("It is not your turn.")
		first.types("resign", "yes", "legal", "resign", "rules")
		first.hears("wins", "The game is over.", "The game is over.", "AYU")
		if strings.Contains(first.said.String(), "Press ") {
			h.t.Error("the rules name a key of the screens")
		}
	})
}
