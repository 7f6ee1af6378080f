package linemode

import (
	"slices"
	"testing"
	"time"

	"ayumu/tui/game"
	"ayumu/tui/game/gametest"
)

// TestCoachInLines reads the advice of a first game against a bot, which comes on the third turn, switches it off and on, and has
// none against a person.
func TestCoachInLines(t *testing.T) {
	withHarness(t, func(h *harness) {
		h.newBots(new(countingEngine))
		defer h.bots.Close()
		a, b := h.connect("a", ""), h.connect("b", "")
		a.typeLines("ana", "bot 1 5x5 pie=off first=me")
		a.waitFor("Goal: join all", "Your turn.")
		for range 2 {
			a.typeLines("status")
			if a.printed("path of") > 0 {
				t.Error("there is advice on the first two turns")
			}
			match, err := h.Lobby.Match(h.Lobby.View().Matches[0].ID)
			if err != nil {
				t.Fatal(err)
			}
			a.typeLines(match.Snapshot().Position.Legal()[0])
			<-time.After(3 * time.Second)
		}
		a.waitFor("Your turn.", "You have 4 units, and a path of 3 points to join them; White has ")
		a.typeLines("learn coach off", "status", "learn coach on", "status")
		a.waitFor("Coaching is off.", "Your turn.", "Coaching is on", "Your turn.", "path of 3 points")
		a.typeLines("resign", "yes", "new 5x5")
		before := a.printed("path of")
		b.typeLines("bob", "tables", "join 1")
		b.waitFor("Goal:", "turn")
		a.typeLines("status")
		b.typeLines("status")
		if n := a.printed("Your turn") + b.printed("Your turn"); n < 4 {
			t.Errorf("it was the turn of a person %d times", n)
		}
		if n := a.printed("path of") - before + b.printed("path of"); n > 0 {
			t.Errorf("a match between people has advice %d times", n)
		}
	})
}

// TestCommentsAfterTheLessons plays the game that follows the lessons. The engine thinks that each turn but the first
// legal one is a mistake: from the third on every second one is commented on if the rules show what was better, three at most, but
// none that a hint has named.
func TestCommentsAfterTheLessons(t *testing.T) {
	withHarness(t, func(h *harness) {
		h.newBots(new(countingEngine))
		defer h.bots.Close()
		a := h.connect("a", "")
		a.typeLines("ana", "learn ayu", "bot 3 here", "resign", "yes", "learn ayu")
		a.waitFor("Ayu 5x5, from a position, no clock, casual.", "Lessons of Ayu")
		for range 10 {
			a.typeLines("learn next")
		}
		a.waitFor("Lesson 11 of 11")
		a.typeLines("learn next", "learn coach off", "learn coach on")
		a.waitFor("Your turn.", "Coaching is on")
		m := h.Lobby.View().Matches[0]
		match, err := h.Lobby.Match(m.ID)
		if err != nil {
			t.Fatal(err)
		}
		seat := match.Snapshot().Position.Turn()
		var commented, want []bool
		g, _ := gametest.Games.ByName("ayu")
		for n := 0; n < 8 && !match.Snapshot().IsOver(); {
			s := match.Snapshot()
			if s.Position.Turn() != seat {
				<-time.After(time.Second)
				continue
			}
			before := a.printed("Instead of your last move, the engine would move ")
			legal := s.Position.Legal()
			move, why := legal[len(legal)-1], ""
			for i := len(legal) - 1; i > 0 && why == ""; i-- {
				if why = g.(game.Coach).Comment(s.Position, legal[i:i+1], legal[:1]); why != "" {
					move = legal[i]
				}
			}
			want = append(want, n > 1 && n != 4 && !commented[n-1] && why != "")
			if n == 4 { // a turn of a hint has no comment
				a.typeLines("hint")
				<-time.After(time.Second)
				move = "2"
			}
			for range 2 { // the second time after a warning
				if match.Snapshot().Version == s.Version {
					a.typeLines(move)
					<-time.After(time.Second)
				}
			}
			if match.Snapshot().Version == s.Version {
				t.Fatalf("%s is not played", move)
			}
			<-time.After(3 * time.Second)
			commented = append(commented, a.printed("Instead of your last move, the engine would move ") > before)
			n++
		}
		if !slices.Equal(commented, want) || !slices.Contains(want, true) {
			t.Errorf("the turns with comments are %v, want %v", commented, want)
		}
	})
}
