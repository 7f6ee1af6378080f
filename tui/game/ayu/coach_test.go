package ayu

import (
	"strings"
	"testing"

	"ayumu/engine/ayu"
)

// TestAdvice has the joins and moves that both sides need.
func TestAdvice(t *testing.T) {
	p := lessonOf(t, "Walls").Position
	if got, want := (Game{}).Advise(p, 0), "You need 2 joins, in 2 moves or more; White needs 1, in 1 or more."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := (Game{}).Advise(p, 1), "You need 1 join, in 1 move or more; Black needs 2, in 2 or more."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestWarnings has moves that are warned of, and others that are not.
func TestWarnings(t *testing.T) {
	for _, test := range []struct{ name, line, move, want string }{
		{"locks in", "5 b ..x.x/..x../.o.o./.xx../..x..", "b2-c3", "locks White in"},
		{"joins", "5 b ..x.x/..x../.o.o./.xx../..x..", "c1-c3", ""},
		{"illegal", "5 b ..x.x/..x../.o.o./.xx../..x..", "a1-a2", ""},
	} {
		b, err := ayu.ParseBoard(test.line)
		if err != nil {
			t.Fatal(err)
		}
		why := Game{}.Warn(ayu.FromBoard(b), []string{test.move})
		if (why == "") != (test.want == "") || !strings.Contains(why, test.want) {
			t.Errorf("%s: got %q, want %q", test.name, why, test.want)
		}
	}
}

// TestWarningsNameARealReply plays random games on 7×7: a warning of a longer way names a legal reply after which the
// side that moved needs the stated number of moves, and most moves are not warned of.
func TestWarningsNameARealReply(t *testing.T) {
	warned, moves := 0, 0
	for seed := range uint64(40) {
		b := ayu.NewBoard(7)
		state := seed*2654435761 + 1
		for {
			m, ok := b.RandomMove(func(n int) int {
				state = state*6364136223846793005 + 1442695040888963407
				return int(state>>33) % n
			})
			if !ok {
				break
			}
			moves++
			if why := (Game{}).Warn(ayu.FromBoard(b), []string{m.String()}); strings.HasPrefix(why, "Then ") {
				warned++
				reply, cost := worstReply(b.After(m), b.Turn())
				if b.After(m).Explain(reply) != "" || cost < b.Span(b.Turn())+minWarnLoss || !strings.Contains(why, reply.To.String()) {
					t.Errorf("%s: after %s: %s", b, m, why)
				}
			}
			b = b.After(m)
		}
	}
	t.Logf("%d of %d random moves are warned of", warned, moves)
	if warned == 0 || warned*4 > moves {
		t.Errorf("%d of %d random moves are warned of", warned, moves)
	}
}
