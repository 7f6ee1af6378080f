package tournament

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"ayumu/lobby/account"
)

// BenchmarkTournament plays whole tournaments of the Swiss system through the core: entering, all rounds, and the result of each
// game as a step of its own.
func BenchmarkTournament(b *testing.B) {
	for _, n := range []int{8, 64, 300, 1000} {
		b.Run(fmt.Sprintf("%d_players", n), func(b *testing.B) {
			entries := 0
			for b.Loop() {
				r := rand.New(rand.NewPCG(1, uint64(n)))
				e := open(b, FormatSwiss, Request{Max: MaxPlayers})
				for i := range n {
					e.do(Input{Kind: InputEnter, By: account.ID(i + 1), Entrant: Entrant{Rating: 1000 + i}})
				}
				e.do(Input{Kind: InputStart, By: organizer})
				for !e.state.IsOver() {
					for _, g := range e.playing() {
						first := 1 + r.IntN(2)
						e.do(ended(&g, first, 3-first))
					}
					if !e.state.IsOver() {
						e.wait(time.Minute)
					}
				}
				entries += len(e.log)
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(entries), "µs/entry")
		})
	}
}

// BenchmarkFold folds the logs of tournaments with as many players as there can be, and computes what is shown of them.
func BenchmarkFold(b *testing.B) {
	for _, format := range []Format{FormatSwiss, FormatTables, FormatRoundRobin} {
		r := rand.New(rand.NewPCG(2, 2))
		request := Request{Max: MaxPlayers}
		if format == FormatRoundRobin {
			request.Divisions = MaxDivs
		}
		e := open(b, format, request)
		for i := range MaxPlayers {
			e.do(Input{Kind: InputEnter, By: account.ID(i + 1), Entrant: Entrant{Rating: 1000 + i}})
		}
		e.do(Input{Kind: InputStart, By: organizer})
		for !e.state.IsOver() {
			for _, g := range e.playing() {
				places := make([]int, len(g.Seats))
				for i, p := range r.Perm(len(places)) {
					places[i] = p + 1
				}
				e.do(ended(&g, places...))
			}
			if !e.state.IsOver() {
				e.wait(time.Minute)
			}
		}
		b.Run(string(format), func(b *testing.B) {
			for b.Loop() {
				if _, err := Fold("x", e.log); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(len(e.log)), "entries")
		})
		b.Run(string(format)+"_view", func(b *testing.B) {
			for b.Loop() {
				e.state.View(nameOf, Page{Round: 1, Limit: 100})
			}
		})
		b.Run(string(format)+"_want", func(b *testing.B) {
			for b.Loop() {
				Want(&e.state)
			}
		})
	}
}
