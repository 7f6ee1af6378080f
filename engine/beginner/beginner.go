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

// The numbers of rounds without gain or loss after which a player may pass: where somebody has most, and in any case.
const (
	idleRounds   = 3
	enoughRounds = 60
)

// standing is what a player who may pass looks at.
type standing struct {
	lead   int // by how much the seat to move has more than the other seat with most
	rounds int // since something was gained or lost; 0 in a game that cannot go on without progress
}

func standingOf(p engine.Position) standing {
	q, ok := p.(engine.QuietCounter)
	if !ok {
		return standing{}
	}
	others := 0
	for seat := range p.Seats() {
		if seat != p.Turn() {
			others = max(others, count(p, seat))
		}
	}
	return standing{count(p, p.Turn()) - others, q.QuietTurns() / p.Seats()}
}

// endsWon reports whether a player passes who wants to win: where nothing happens any more and nobody has as much, or in the end anyway.
func (s standing) endsWon() bool {
	return s.lead > 0 && s.rounds >= idleRounds || s.rounds >= enoughRounds
}

// ends reports whether a player passes who wants the game to end, won or lost.
func (s standing) ends() bool { return s.endsWon() || s.lead < 0 && s.rounds >= idleRounds }

// Best returns a turn that gains most. If none gains anything it is a random one, or a pass where nothing happens any more and it
// is ahead. It returns nil if no action is legal.
func Best(p engine.Position, randN func(n int) int) []string {
	return choose(p, randN, mostGain, standing.endsWon)
}

// Joining returns a random turn of those that gain something. If none does it is a random one, or a pass where nothing happens
// any more and it is ahead. It returns nil if no action is legal.
func Joining(p engine.Position, randN func(n int) int) []string {
	return choose(p, randN, someGain, standing.endsWon)
}

// mostGain values what a turn gains.
func mostGain(c candidate) int { return c.gain }

// someGain values whether a turn gains something or loses something.
func someGain(c candidate) int { return min(c.gain, 1) }

// aimless values that a turn gains nothing, or little, and then that the seat stands no better after it.
func aimless(c candidate) int {
	value := -2 * max(c.gain, 0)
	if c.better {
		value--
	}
	return value
}

// choose returns a random one of the turns with the highest value. Where these gain nothing it is a pass if passes says so,
// and otherwise no pass.
func choose(p engine.Position, randN func(n int) int, value func(candidate) int, passes func(standing) bool) []string {
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
		idle := passes(standingOf(p))
		rest := slices.DeleteFunc(slices.Clone(best), func(c candidate) bool { return len(c.actions) == shortest != idle })
		if len(rest) > 0 {
			best = rest
		}
	}
	return best[randN(len(best))].actions
}
