package linemode

import (
	"context"
	"slices"
	"testing"
	"time"

	"ayumu/engine"
	"ayumu/engine/enginetest"
	"ayumu/engine/search"
	"ayumu/engine/search/searchtest"
	"ayumu/lobby/bots"
	"ayumu/lobby/match"
	"ayumu/tui/op"
)

// countingEngine lists the first turns that it finds, with the same chances in all positions. It counts the
// searches for hints: those of the highest level, which plays no match here.
type countingEngine struct {
	hints int
	takes time.Duration // time of a search in the bubble of the test; 0: it may be over before the player is told that it runs
}

func (c *countingEngine) search(_ context.Context, p engine.Position, o search.Options) (search.Advice, error) {
	time.Sleep(c.takes)
	if o.Level == search.MaxLevel {
		c.hints++
	}
	a := search.Advice{Chances: make([]float64, p.Seats())}
	for seat := range a.Chances {
		a.Chances[seat] = 0.25
	}
	a.Chances[p.Turn()] = 1 - 0.25*float64(p.Seats()-1)
	for i := range 5 {
		turn, err := firstTurn(p, i)
		if err != nil {
			return a, err
		}
		a.Choices = append(a.Choices, search.Choice{Actions: turn, Chance: 0.6 - float64(i)/100})
	}
	return a, nil
}

// firstTurn returns a whole turn that begins with the nth legal action.
func firstTurn(p engine.Position, n int) (turn []string, err error) {
	for over := false; !over; over = !p.MidTurn() {
		legal := p.Legal()
		turn = append(turn, legal[min(n, len(legal)-1)])
		if p, err = p.Play(turn[len(turn)-1]); err != nil {
			return nil, err
		}
		n = 0
	}
	return turn, nil
}

func (h *harness) newBots(e *countingEngine) {
	h.t.Helper()
	var err error
	engines := searchtest.Engines(enginetest.Games, e.search)
	if h.bots, err = bots.Open(h.t.Context(), bots.Config{Lobby: h.Lobby, Store: h.store, Engines: engines}); err != nil {
		h.t.Fatal(err)
	}
}

func TestABotAndHintsInLines(t *testing.T) {
	withHarness(t, func(h *harness) {
		e := new(countingEngine)
		h.newBots(e)
		defer h.bots.Close()
		a := h.connect("a", "")
		a.typeLines("ana", "hint", "bot 9", "bot 1 8x8", "bot pebble ayu 5x5 pie=off")
		a.waitFor("or bot to play a bot", "only in a game", "no bot 9; the bots are 0 Moss, 1 Pebble", "use a clock such as 10+5", "Ayu 5x5, no clock, casual.", "Pebble", "Your turn.")
		a.typeLines("hint", "hint")
		a.waitFor("You are ahead. Chances: ", "You 75 percent", "Your best moves:", "1, 60 percent: move ", " to ", "Type: ", "2, 59 percent: ", "3, 58 percent: ", "Type a number alone to play that move.", "only one hint a second")
		if e.hints != 1 {
			t.Errorf("the engine was asked %d times", e.hints)
		}
		// What is said can be typed.
		m := h.onlyMatch()
		p := m.Snapshot().Position
		turn, err := firstTurn(p, 1)
		if err != nil {
			t.Fatal(err)
		}
		a.typeLines(turn[0])
		a.waitFor("You move ", "Pebble moves ", "Your turn.")
		a.typeLines("1") // the hint is of another position
		a.waitFor("Unknown command")
		<-time.After(op.HintInterval)
		a.typeLines("hint", "1")
		a.waitFor("Your best moves:", "You move ", "Pebble moves ", "Your turn.")
		a.typeLines("resign", "yes")
		<-time.After(op.HintInterval)
		a.typeLines("hint")
		a.waitFor("Pebble wins", "You are ahead. Chances: ") // of the last position, as in any finished game

		a.typeLines("bot 2 mu segments=1 players=3")
		a.waitFor("Mu 3 players", "Your turn. Lay a segment (1 left).")
		<-time.After(op.HintInterval)
		a.typeLines("hint")
		a.waitFor("You 50 percent", "1, 60 percent: lay a segment at", "Type: place ")
		a.typeLines("lobby", "bot rated 10+5 9x9")
		a.waitFor("Ayu 9x9, 10+5, rated.", "Brook")
		a.typeLines("hint")
		a.waitFor("only available in finished games and your own casual games with bots")
		spectator := h.connect("w", "")
		spectator.typeLines("zoe", "games", "watch 1", "hint")
		spectator.waitFor("hints are only available in finished games")
	})
	withHarness(t, func(h *harness) {
		first, _, _ := h.pair()
		first.typeLines("hint", "bot")
		first.waitFor("no engine for hints", "no bots")
	})
	withHarness(t, func(h *harness) {
		e := new(countingEngine)
		h.newBots(e)
		defer h.bots.Close()
		first, second, _ := h.pair()
		first.typeLines("hint")
		second.typeLines("hint")
		first.waitFor("only available in finished games and your own casual games with bots")
		second.waitFor("only available in finished games and your own casual games with bots")
		if e.hints > 0 {
			t.Error("a hint was given in a game between people")
		}
	})
}

// Whole turns of many actions can be typed as a hint says them.
func TestHintsCanBeTyped(t *testing.T) {
	withHarness(t, func(h *harness) {
		h.newBots(new(countingEngine))
		defer h.bots.Close()
		a := h.connect("a", "")
		a.typeLines("ana", "bot 1 mu players=2 segments=1")
		a.waitFor("Your turn.")
		for range 3 {
			m := h.onlyMatch()
			s := m.Snapshot()
			turn, err := firstTurn(s.Position, 1)
			if err != nil {
				t.Fatal(err)
			}
			a.typeLines(typedForm(turn))
			a.waitFor("You ", "Your turn.")
			done := m.Snapshot().TurnEntries()
			if got := done[len(done)-2].Actions; !slices.Equal(got, turn) {
				t.Errorf("%q was played for %q", got, turn)
			}
		}
	})
}

func TestFillATableWithBots(t *testing.T) {
	withHarness(t, func(h *harness) {
		h.newBots(new(countingEngine))
		defer h.bots.Close()
		a := h.connect("a", "")
		a.typeLines("ana", "fill", "new ayu rated", "fill 1")
		a.waitFor("you have no casual table with free seats.", "you have no casual table with free seats.")
		a.typeLines("cancel", "new mu players=4 segments=1", "fill 9", "fill 1 x", "fill pebble 2")
		a.waitFor("no bot 9; the bots are", `seats must be a number, not "x"`, "The bots have joined.")
		a.typeLines("fill 3")
		a.waitFor("Mu 4 players", "Willow (level 3) 1500?")
		for _, bot := range []string{"Pebble", "Willow"} { // their seats are drawn at random
			if !slices.ContainsFunc(h.onlyMatch().Info.Seats, func(s match.Seat) bool { return s.Name == bot }) {
				t.Errorf("%s has no seat", bot)
			}
		}
		a.typeLines("who")
		a.waitFor("Pebble (level 1), a bot", "Pebble-2 (level 1), a bot")
	})
}
