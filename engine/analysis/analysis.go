// Package analysis evaluates the positions of a game with an engine, and finds the turns that cost most. What it
// returns depends only on the game and on the evaluations, so that all users of an analysis see the same.
package analysis

import (
	"cmp"
	"context"
	"slices"

	"ayumu/engine"
	"ayumu/engine/search"
)

// Losses of winning chance, 0 to 1, from which a turn is a mistake or a blunder.
const (
	MistakeLoss = 0.1
	BlunderLoss = 0.25
)

// Costliest is the number of turns of a seat that an analysis lists as those that cost most.
const Costliest = 3

// Turn is what one seat did in a game.
type Turn struct {
	Seat    int
	Actions []string // none: the seat left
}

// Evaluation is the engine's opinion of a position.
type Evaluation struct {
	Chances []float64 // of the seats, 0 to 1
	Best    []string  // the best turn; nil after the end
	// BestChance is that of the seat to move after the best turn.
	BestChance float64
}

// Evaluator evaluates a position. It returns when ctx ends, with its error.
type Evaluator func(ctx context.Context, p engine.Position) (Evaluation, error)

// With returns an evaluator that searches with a searcher. Only one goroutine may use it at a time.
func NewEvaluator(s search.Searcher, o search.Options) Evaluator {
	return func(ctx context.Context, p engine.Position) (Evaluation, error) {
		if e, over := EndEvaluation(p); over {
			return e, nil
		}
		advice, err := s.Search(ctx, p, o)
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return Evaluation{}, err
		}
		return NewEvaluation(advice), nil
	}
}

// Of returns what a search has found.
func NewEvaluation(a search.Advice) Evaluation {
	return Evaluation{a.Chances, a.Choices[0].Actions, a.Choices[0].Chance}
}

// Ended returns the evaluation of a position in which the game is over; false if it is not.
func EndEvaluation(p engine.Position) (Evaluation, bool) {
	r, over := p.Result()
	if !over {
		return Evaluation{}, false
	}
	e := Evaluation{Chances: make([]float64, p.Seats())}
	for _, w := range r.Winners {
		e.Chances[w] = 1 / float64(len(r.Winners))
	}
	return e, true
}

// Play returns the position after a turn.
func Play(p engine.Position, t Turn) (engine.Position, error) {
	if len(t.Actions) == 0 {
		return p.Leave(t.Seat)
	}
	return engine.PlayTurn(p, t.Actions)
}

// Run evaluates the first position of a game and that after each turn, in this order. It calls found with each
// evaluation as soon as there is one: n is the number of turns before the position. It returns the first error, which
// may be found's.
func Run(ctx context.Context, p engine.Position, turns []Turn, evaluate Evaluator, found func(n int, e Evaluation) error) error {
	for n := 0; ; n++ {
		e, err := evaluate(ctx, p)
		if err == nil {
			err = found(n, e)
		}
		if err != nil || n == len(turns) {
			return err
		}
		if p, err = Play(p, turns[n]); err != nil {
			return err
		}
	}
}

// Loss returns how much of its seat's winning chance a turn loses against the best turn, by the evaluations of the
// positions before and after it; 0 if it is the best one, or no turn.
func (t Turn) Loss(before, after Evaluation) float64 {
	if len(t.Actions) == 0 || slices.Equal(t.Actions, before.Best) {
		return 0
	}
	return max(before.BestChance-after.Chances[t.Seat], 0)
}

// Mistake is a turn that loses at least MistakeLoss.
type Mistake struct {
	Turn int     // its index
	Loss float64 // of its seat's winning chance
}

// Mistakes returns at most n turns of a seat (-1: of all seats), those that cost most, the costliest first. all has the
// evaluations of the first position and of that after each turn, or of fewer turns.
func Mistakes(turns []Turn, all []Evaluation, seat, n int) []Mistake {
	var found []Mistake
	for i, t := range turns[:max(min(len(turns), len(all)-1), 0)] {
		if loss := t.Loss(all[i], all[i+1]); loss >= MistakeLoss && (seat < 0 || t.Seat == seat) {
			found = append(found, Mistake{i, loss})
		}
	}
	slices.SortStableFunc(found, func(a, b Mistake) int { return cmp.Compare(b.Loss, a.Loss) })
	return found[:min(len(found), n)]
}

// RegainedShare is the share of what a turn lost that another turn must regain to be better by a clear margin.
const RegainedShare = 0.5

// IsBetter reports whether a turn after which its seat has a chance is better by a clear margin than a mistake: it
// regains at least RegainedShare of the loss. before is the evaluation of the position of both.
func IsBetter(chance float64, before Evaluation, m Mistake) bool {
	return chance >= before.BestChance-(1-RegainedShare)*m.Loss
}
