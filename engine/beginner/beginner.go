// Package beginner has players that choose as beginners do: they count one thing and look at their next turn only. They are
// what the weakest level of the engines is measured against, and what it plays like.
//
// The package does no I/O, starts no goroutine and reads no clock.
package beginner

import (
	"slices"

	"ayumu/engine"
)

// candidate is a turn with what it gains.
type candidate struct {
	actions []string
	gain    int
	better  bool // the seat stands better after it (engine.Evaluator)
}

// candidates returns a turn for each legal action of the seat to move: the action, and what is needed to end the turn. Without
// engine.GainCounter no turn gains anything.
func candidates(p engine.Position) (all []candidate) {
	seat := p.Turn()
	before, evaluation := count(p, seat), evaluate(p, seat)
	for _, action := range p.Legal() {
		c := candidate{actions: []string{action}}
		at, err := p.Play(action)
		for err == nil && at.MidTurn() {
			at, err = extend(at, &c)
		}
		if err == nil {
			c.gain, c.better = count(at, seat)-before, evaluate(at, seat) > evaluation
			all = append(all, c)
		}
	}
	return all
}

// extend plays the first action that ends a turn or, without one, the first action.
func extend(p engine.Position, c *candidate) (next engine.Position, err error) {
	legal := p.Legal()
	action := legal[0]
	for _, a := range legal {
		if q, err := p.Play(a); err == nil && !q.MidTurn() {
			action = a
			break
		}
	}
	c.actions = append(c.actions, action)
	return p.Play(action)
}

func evaluate(p engine.Position, seat int) int {
	if e, ok := p.(engine.Evaluator); ok {
		return e.Evaluate(seat)
	}
	return 0
}

func count(p engine.Position, seat int) int {
	if g, ok := p.(engine.GainCounter); ok {
		return g.Gain(seat)
	}
	return 0
}

// idleRounds is the number of rounds without gain or loss after which a player who is not behind passes.
const idleRounds = 3

// passes reports whether a player passes if nothing is to be gained: nothing was gained or lost for some rounds, and nobody has
// more.
func passes(p engine.Position) bool {
	q, ok := p.(engine.QuietCounter)
	if !ok || q.QuietTurns() < idleRounds*p.Seats() {
		return false
	}
	own, others := count(p, p.Turn()), 0
	for seat := range p.Seats() {
		if seat != p.Turn() {
			others = max(others, count(p, seat))
		}
	}
	return own > others
}

// Best returns a turn that gains most. If none gains anything it is a random one, or a pass where nothing happens any more and nobody has more. It
// returns nil if no action is legal.
func Best(p engine.Position, randN func(n int) int) []string {
	return choose(p, randN, func(c candidate) int { return c.gain })
}

// Joining returns a random turn of those that gain something. If none does it is a random one, or a pass where nothing happens
// any more and nobody has more. It returns nil if no action is legal.
func Joining(p engine.Position, randN func(n int) int) []string {
	return choose(p, randN, func(c candidate) int { return min(c.gain, 1) })
}

// Wandering returns a random turn of those that gain nothing and after which the seat stands no better; otherwise of those that
// gain nothing, or of those that gain least. It returns nil if no action is legal.
func Wandering(p engine.Position, randN func(n int) int) []string {
	return choose(p, randN, func(c candidate) int {
		value := -2 * max(c.gain, 0)
		if c.better {
			value--
		}
		return value
	})
}

// choose returns a random one of the turns with the highest value.
func choose(p engine.Position, randN func(n int) int, value func(candidate) int) []string {
	var best []candidate
	for _, c := range candidates(p) {
		if len(best) == 0 || value(c) > value(best[0]) {
			best = best[:0]
		}
		if len(best) == 0 || value(c) == value(best[0]) {
			best = append(best, c)
		}
	}
	if len(best) == 0 {
		return nil
	}
	if best[0].gain <= 0 { // a pass is the shortest turn of a game that has one
		shortest := len(slices.MinFunc(best, func(a, b candidate) int { return len(a.actions) - len(b.actions) }).actions)
		idle := passes(p)
		rest := slices.DeleteFunc(slices.Clone(best), func(c candidate) bool { return len(c.actions) == shortest != idle })
		if len(rest) > 0 {
			best = rest
		}
	}
	return best[randN(len(best))].actions
}
