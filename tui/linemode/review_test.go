package linemode

import (
	"testing"
	"time"

	"ayumu/tui/op"
)

func TestAFinishedGameIsReplayed(t *testing.T) {
	withHarness(t, func(h *harness) {
		first, second, m := h.pair()
		first.typeLines("b1b2")
		second.typeLines("a2a3")
		second.typeLines("resign", "yes", "lobby")
		first.waitFor("You win")
		w := h.connect("w", "")
		w.typeLines("zoe", "turn 1", "replay", "replay 1")
		w.waitFor("That works only in a game.", "1: ", "by resignation, 2 turns.", "Type replay and a number",
			"Ayu 7x7", m.Info.Seats[0].Name+" wins", "2 turns. Type turn for the next turn")
		w.typeLines("turn", "board", "turn", "turn", "turn 9", "back", "back", "back")
		w.waitFor("Turn 1: "+m.Info.Seats[0].Name+" moves b1 to b2", "White to move.", "Turn 2: ", "Black to move.",
			"This is the last turn.", "The game has only 2 turns.", "Turn 1: ", "The start of the game.", "This is the start of the game.")
		w.typeLines("try b1b2", "try zz", "try a2a3", "turn", "back", "turn", "back", "back", "live", "record")
		w.waitFor("Tried: Black moves b1 to b2", "Error: ", "Tried: White moves a2 to a3", "No further move was tried.",
			"Tried: Black moves b1 to b2", "Tried: White moves a2 to a3", "Tried: Black moves b1 to b2", "The start of the game.",
			"This game is over.", "1, "+m.Info.Seats[0].Name+": ", "2, ")
		w.typeLines("rules", "lobby", "turn")
		w.waitFor("AYU", "You are in the lobby.", "That works only in a game.")
		w.typeLines("replay nothing")
		w.waitFor("Error: ")
	})
}

// TestGamesFromAPosition begins games with positions of a finished one.
func TestGamesFromAPosition(t *testing.T) {
	withHarness(t, func(h *harness) {
		h.newBots(new(countingEngine))
		defer h.bots.Close()
		first, second, m := h.pair()
		first.typeLines("b1b2", "bot 2 here")
		first.waitFor("positions of finished games and of your own casual games with bots")
		second.typeLines("a2a3")
		second.typeLines("resign", "yes", "lobby")
		w := h.connect("w", "")
		w.typeLines("zoe", "new here", "replay", "replay 1", "turn", "quick here", "new here rated", "bot 2 here")
		w.waitFor("no position is shown", "Turn 1: ", `unexpected "here"; use a clock`, "are always casual",
			"Ayu 7x7, from a position, no clock, casual.", "Your turn.")
		own := h.Lobby.View().Matches
		for _, l := range own {
			if match, err := h.Lobby.Match(l.ID); err == nil && match != m && match.Snapshot().Position.String() != m.Snapshot().Info.Options.Game().New(match.Info.Options).String() {
				t.Errorf("the game begins with %s", match.Snapshot().Position)
			}
		}
		w.typeLines("resign", "yes", "turn 0", "try a2a3", "new here 10+5")
		w.waitFor("Tried: White moves a2 to a3", "Open: ", "Ayu 7x7, from a position, 10+5, casual")
	})
}

func TestEarlierPositionsOfARunningGame(t *testing.T) {
	withHarness(t, func(h *harness) {
		first, second, m := h.pair()
		first.typeLines("b1b2")
		second.waitFor("b1 to b2")
		second.typeLines("turn", "turn 0", "try d1d2", "a2a3", "move a2a3", "live", "a2a3")
		second.waitFor("The current position is shown.", "The start of the game.", "Tried: Black moves d1 to d2",
			"An earlier position is shown.", "An earlier position is shown.", "The current position:", "Your turn", "You move a2 to a3")
		if n := m.Snapshot().Version; n != 2 {
			t.Errorf("the match has %d entries", n)
		}
	})
}

func TestFollowing(t *testing.T) {
	withHarness(t, func(h *harness) {
		first, second, m := h.pair()
		name := m.Info.Seats[0].Name
		w := h.connect("w", "")
		w.typeLines("zoe", "follow nobody", "follow zoe", "unfollow", "watch zoe", "follow "+name)
		w.waitFor("no player named nobody is online.", "this is you", "you are not following anyone.", "zoe is not playing; follow zoe to watch the next game.",
			"Following "+name+". Each new game opens automatically; unfollow ends that.", "Ayu 7x7", name+"'s turn")
		first.typeLines("resign", "yes", "rematch")
		second.waitFor("You win", "offers a rematch")
		<-time.After(op.OfferGuard)
		second.typeLines("rematch")
		w.waitFor("wins", "Black: ", "White: ")
		w.typeLines("lobby", "unfollow", "watch "+name)
		w.waitFor("You are in the lobby.", "you are not following anyone.", "Ayu 7x7")
	})
}

func TestOffersAreKnownWhenAMatchIsOpened(t *testing.T) {
	withHarness(t, func(h *harness) {
		first, second, _ := h.pair()
		second.typeLines("lobby")
		first.typeLines("draw", "draw")
		first.waitFor("You offered a draw.", "your offer is still open")
		second.typeLines("play 1")
		second.waitFor("offers a draw. Type draw to accept")
		second.typeLines("draw")
		second.waitFor("your opponent has just offered that")
		<-time.After(op.OfferGuard)
		second.typeLines("draw")
		second.waitFor("Draw by agreement.")
	})
}

func TestTheAccountInLines(t *testing.T) {
	withHarness(t, func(h *harness) {
		a := h.connect("a", "")
		a.typeLines("ana", "account", "account key", "account remove 1", "yes", "account remove 7", "account name anna", "account sell", "account delete ana")
		a.waitFor("You are ana. Each of these keys", "1: ", ", in use.", "run this on the machine with the new key", "ssh play.example.org link ",
			"could no longer sign in with it. Type yes", "Error: ", "the number of a key", "You are now anna.", `unexpected "sell"; usage: account`, "nothing was deleted")
		a.typeLines("account delete anna", "yes")
		a.waitFor("permanently", "The account was deleted.", "Goodbye")
		guest := h.connect("", "")
		guest.typeLines("account")
		guest.waitFor("you have no account here; connect once with")
	})
}
