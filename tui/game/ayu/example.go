package ayu

import (
	"ayumu/engine/ayu"
	"ayumu/tui/game"
)

// The position of the example, before its move, which joins two of Black's three units.
const (
	exampleBoard = "5 b ...o./.x..o/.x.x./o..../...ox"
	exampleMove  = "d3-c3"
)

// Example implements game.Illustrator.
func (Game) Example() (game.State, []string) {
	b, err := ayu.ParseBoard(exampleBoard)
	if err != nil {
		panic(err) // a constant
	}
	before := ayu.FromBoard(b)
	after, err := before.Play(exampleMove)
	if err != nil {
		panic(err)
	}
	return game.State{Position: after, Previous: before, LastTurn: []string{exampleMove}, Seat: -1}, []string{
		"Goal: join all of your stones into one unit. Every move must bring a unit closer to its nearest neighbour.",
		"Black had three units here: the group of two stones b3 b4, and the single stones d3 and e1. Black has moved d3 to c3, next to the group. Now there are two units, a group of three stones and e1. The four single stones of White are not joined, because diagonals do not count.",
	}
}
