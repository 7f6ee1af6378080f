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

// MinLevel and MaxLevel bound the levels, from the weakest to all that a player has.
const (
	MinLevel = 1
	MaxLevel = 5
)

// ErrNoTurn is returned where no action is legal.
var ErrNoTurn = errors.New("there is no turn to choose: the game is over")

// Options say how hard to think. A level below MaxLevel has a bound of its own on Playouts; what
// is left unbounded by both takes DefaultTime.
type Options struct {
	Level    int           // MinLevel to MaxLevel
	Playouts int           // at most so many; 0 for no such bound
	Time     time.Duration // at most so long; 0 for no such bound
	Seed     uint64        // of the player's chance
}

// DefaultTime is how long a player thinks whom nothing else bounds.
const DefaultTime = time.Second

// Advice is what a player thinks of a position.
type Advice struct {
	// Choices are turns of the seat to move, the best one first; at least one.
	Choices []Choice
	// Chances are the shares of the win that the seats may expect, each 0 to 1 and together 1.
	Chances []float64
	// Playouts is how many were made for it; 0 where it was not found by search.
	Playouts int
}

// Choice is a turn and how good it is.
type Choice struct {
	// Actions are those that the turn still needs: all of them at its beginning, at least one.
	Actions []string
	// Chance is the share of the win, 0 to 1, that the turn's seat may expect after it.
	Chance float64
	// Visits is how often the search looked at it.
	Visits int
}

// Player thinks about the positions of one game after the other. In Ayu it keeps what it has learnt
// of a position for those that follow from it. Its zero value is ready. It is not for use by several
// goroutines at once.
type Player struct {
	ayu ayuPlayer
	mu  muPlayer
}

// Think returns advice for the seat to move. With equal options, and a bound on playouts that is
// reached before that on time, a new Player always gives the same advice. The end of ctx stops it
// at once; then, as at the end of its time, it returns what it has found so far, which is never
// nothing. The error is ErrNoTurn where the game is over.
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

// randomAdvice is the advice of a player who knows nothing of a game: legal actions at random.
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
