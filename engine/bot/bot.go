package bot

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"ayumu/engine"
	"ayumu/engine/ayu"
	"ayumu/engine/mu"
)

// MinLevel and MaxLevel are the weakest and the strongest level.
const (
	MinLevel = 1
	MaxLevel = 5
)

// ErrNoTurn is returned if no action is legal.
var ErrNoTurn = errors.New("there is no turn to choose: the game is over")

// Options limit a search. A level below MaxLevel has its own limit on Playouts. A search without any limit
// takes DefaultTime.
type Options struct {
	Level    int           // MinLevel to MaxLevel
	Playouts int           // maximum number of playouts; 0: no limit
	Time     time.Duration // maximum duration; 0: no limit
	Seed     uint64        // random seed
}

// DefaultTime is the duration of a search that nothing else limits.
const DefaultTime = time.Second

// Advice is the result of a search.
type Advice struct {
	// Choices are turns of the seat to move, the best one first; at least one.
	Choices []Choice
	// Chances are the expected shares of the win of the seats, each 0 to 1. Their sum is 1.
	Chances []float64
	// Playouts is the number of playouts; 0 if the result was not found by search.
	Playouts int
}

// Choice is a turn with its value.
type Choice struct {
	// Actions are the remaining actions of the turn; at least one.
	Actions []string
	// Chance is the expected share of the win, 0 to 1, of the seat to move after the turn.
	Chance float64
	// Visits is the number of visits of the turn in the search.
	Visits int
}

// Player searches positions of one match. In Ayu it keeps its search tree for later positions. The zero
// value is ready to use. A Player is not safe for concurrent use.
type Player struct {
	ayu ayuPlayer
	mu  muPlayer
}

// Think returns advice for the seat to move. With equal options, and a limit on playouts that is reached
// before that on time, a new Player always returns the same advice. At the end of ctx or of its time it
// returns the best advice so far; there is always some. The error is ErrNoTurn after the end of the match.
func (pl *Player) Think(ctx context.Context, p engine.Position, o Options) (Advice, error) {
	if _, over := p.Result(); over {
		return Advice{}, ErrNoTurn
	}
	switch p := p.(type) {
	case *ayu.Position:
		return pl.ayu.think(ctx, p, o), nil
	case *mu.Position:
		return pl.mu.think(ctx, p, o), nil
	}
	return randomAdvice(p, o.Seed), nil
}

// randomAdvice returns a turn of random legal actions.
func randomAdvice(p engine.Position, seed uint64) Advice {
	rng := rand.New(rand.NewPCG(seed, 0))
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
			panic("bot: a legal action is refused: " + err.Error())
		}
		c.Actions, p = append(c.Actions, action), next
	}
	a.Choices = []Choice{c}
	return a
}
