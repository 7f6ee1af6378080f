package bot

import (
	"context"
	"hash/fnv"
	"slices"

	"ayumu/engine"
	"ayumu/engine/ayu"
	"ayumu/engine/mu"
)

// levels has what each level looks at.
var levels = [MaxLevel + 1]struct {
	replies bool    // whether the opponent's best reply is looked at
	blunder float64 // by how much an action may be overrated
}{
	1: {false, 12},
	2: {false, 6},
	3: {false, 2},
	4: {true, 2},
	5: {true, 0.5},
}

// muHasty is how many playouts Choose makes for an action of Mu.
const muHasty = 8

// Choose returns the action that a player of this level takes, from MinLevel to MaxLevel; false
// if none is legal.
func Choose(p engine.Position, level int) (string, bool) {
	if p, ok := p.(*mu.Position); ok {
		advice, err := new(Player).Think(context.Background(), p, Options{Level: level, Playouts: muHasty})
		if err != nil {
			return "", false
		}
		return advice.Choices[0].Actions[0], true
	}
	l := levels[level]
	worth := value
	if _, known := p.(*ayu.Position); known && l.replies {
		worth = afterReply
	}
	best, highest := "", 0.0
	for _, action := range p.Legal() {
		v := worth(play(p, action), p.Turn()) + l.blunder*chance(p, action)
		if best == "" || v > highest {
			best, highest = action, v
		}
	}
	return best, best != ""
}

// afterReply returns how good a position is for a seat once its opponent has taken the reply that
// is the worst for it.
func afterReply(p engine.Position, seat int) float64 {
	replies := p.Legal()
	if len(replies) == 0 {
		return value(p, seat)
	}
	worst := won
	for _, reply := range replies {
		worst = min(worst, value(play(p, reply), seat))
	}
	return worst
}

// play takes an action that is one of the legal ones.
func play(p engine.Position, action string) engine.Position {
	next, err := p.Play(action)
	if err != nil {
		panic("bot: a legal action is refused: " + err.Error())
	}
	return next
}

// won is more than any evaluation.
const won = 1000.0

// value returns how good a position is for a seat.
func value(p engine.Position, seat int) float64 {
	if r, over := p.Result(); over {
		switch {
		case len(r.Winners) == p.Seats():
			return 0
		case slices.Contains(r.Winners, seat):
			return won
		}
		return -won
	}
	if p, ok := p.(*ayu.Position); ok {
		return tempo(p, seat)
	}
	return 0
}

// tempo is how many moves fewer the seat needs to join all its units than its opponent.
func tempo(p *ayu.Position, seat int) float64 {
	own := ayu.Black
	if p.Color(seat) != own.String() {
		own = ayu.White
	}
	b := p.Board()
	return float64(b.Span(own.Other()) - b.Span(own))
}

// chance returns a number from 0 to below 1 that is always the same for an action in a position.
func chance(p engine.Position, action string) float64 {
	h := fnv.New64a()
	h.Write([]byte(p.String()))
	h.Write([]byte(action))
	// The low bits of this hash vary most; multiplying carries them into the high ones.
	x := h.Sum64() * 0x9e3779b97f4a7c15
	return float64(x>>11) / (1 << 53)
}
