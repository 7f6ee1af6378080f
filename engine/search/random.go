package search

import (
	"context"
	"math/rand/v2"

	"ayumu/engine"
)

// Random plays random actions in any game. It is an Engine and a Searcher, and safe for concurrent use.
type Random struct{}

// NewSearcher implements Engine.
func (Random) NewSearcher() Searcher { return Random{} }

// Search implements Searcher. It advises one turn of random legal actions, with equal chances for all seats.
func (Random) Search(_ context.Context, p engine.Position, o Options) (Advice, error) {
	if _, over := p.Result(); over {
		return Advice{}, ErrNoTurn
	}
	rng := rand.New(rand.NewPCG(o.Seed, 0))
	a := Advice{Chances: make([]float64, p.Seats())}
	for seat := range a.Chances {
		a.Chances[seat] = 1 / float64(p.Seats())
	}
	c := Choice{Chance: a.Chances[p.Turn()]}
	for len(c.Actions) == 0 || p.MidTurn() {
		legal := p.Legal()
		action := legal[rng.IntN(len(legal))]
		next, err := p.Play(action)
		if err != nil {
			panic("search: a legal action is refused: " + err.Error())
		}
		c.Actions, p = append(c.Actions, action), next
	}
	a.Choices = []Choice{c}
	return a, nil
}

// RandN returns a function that returns random numbers from 0 to n-1, the same ones for the same seed and stream. Only one
// goroutine may use it at a time.
func RandN(seed, stream uint64) func(n int) int { return rand.New(rand.NewPCG(seed, stream)).IntN }
