package linemode

import (
	"strings"
	"testing"
	"time"
)

// printed returns how often a line has been printed to a person.
func (p *person) printed(line string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return strings.Count(p.output.String(), line)
}

// The limit of the first move is printed again when little of it is left, and once.
func TestAnUrgentFirstMoveIsPrintedAgain(t *testing.T) {
	withHarness(t, func(h *harness) {
		first, second, _ := h.pair()
		<-time.After(44 * time.Second)
		if n := first.printed("first move within"); n != 1 {
			h.t.Fatalf("the limit was printed %d times in 44 s", n)
		}
		<-time.After(2 * time.Second)
		first.waitFor("Make your first move within 0:15 or the game is aborted.")
		<-time.After(10 * time.Second)
		if n, others := first.printed("first move within"), second.printed("first move within"); n != 2 || others != 0 {
			h.t.Errorf("the limit was printed %d times, and to the opponent %d times", n, others)
		}
	})
}

func TestAShortClockIsPrinted(t *testing.T) {
	withHarness(t, func(h *harness) {
		a, b := h.connect("a", ""), h.connect("b", "")
		a.typeLines("ana", "new 5x5 1+0 pie=off")
		b.typeLines("bob", "tables", "join 1")
		m := h.onlyMatch()
		first, second := a, b
		if m.Info.Seats[0].Name == "bob" {
			first, second = b, a
		}
		first.typeLines("b1b2")
		second.typeLines("a2a3")
		<-time.After(39 * time.Second)
		if n := first.printed("running short"); n > 0 {
			h.t.Fatalf("%d warnings with 0:21 left", n)
		}
		<-time.After(2 * time.Second)
		first.waitFor("Your time is running short: 0:20 left.")
		first.typeLines("d1d2")
		second.typeLines("c2c3")
		first.waitFor("Your turn, 0:19 left.")
		<-time.After(10 * time.Second)
		if n := first.printed("running short"); n != 1 {
			h.t.Errorf("%d warnings, although the turn was announced with its time", n)
		}
	})
}

func TestMessagesHaveTimes(t *testing.T) {
	withHarness(t, func(h *harness) {
		a, b := h.connect("a", ""), h.connect("b", "")
		a.typeLines("ana")
		b.typeLines("bob")
		<-time.After(3*time.Hour + 7*time.Minute) // the time of a test begins at midnight UTC
		a.typeLines("say hello")
		b.waitFor("03:07 ana says: hello")
	})
}

// A guest who leaves with a seat gets the command that returns to it, alone on its line.
func TestGuestsAreShownTheWayBack(t *testing.T) {
	withHarness(t, func(h *harness) {
		g := h.connect("", "")
		g.waitFor("You are guest")
		g.typeLines("quit")
		<-g.gone
		if n := g.printed("To return to your seat"); n != 0 {
			h.t.Error("a guest without a seat is told how to return to one")
		}
		g = h.connect("", "")
		b := h.connect("b", "")
		b.typeLines("bob")
		g.typeLines("new 5x5")
		b.typeLines("tables", "join 1")
		seats := h.onlyMatch().Info.Seats
		name := seats[0].Name
		if name == "bob" {
			name = seats[1].Name
		}
		g.typeLines("quit", "yes")
		<-g.gone
		g.waitFor("Goodbye, "+name+". Your game with bob continues; reconnect soon.\r\nTo return to your seat:\r\nssh -l ", " play.example.org\r\n")
		b.typeLines("quit", "yes")
		<-b.gone
		if n := b.printed("To return to your seat"); n != 0 {
			h.t.Error("a member, who returns with their key, gets a code")
		}
	})
}
