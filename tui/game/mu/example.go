package mu

import (
	"ayumu/engine"
	"ayumu/engine/mu"
	"ayumu/tui/game"
)

// The position of the example in the notation of the rules, before its move, which makes a cell explode.
const (
	exampleCentres = "0,0;3,-1"
	exampleLine    = "play|" +
		"-1,0:v0.2;-1,1:v;0,-1:v;0,0:v0.2;0,1:v;1,-1:v;1,0:v0.1;" +
		"2,-1:v;2,0:v1.1;3,-2:v;3,-1:v1.3;3,0:v;4,-2:v;4,-1:v1.1" +
		"|0|0,0||0"
	exampleMove = "move 0,0 1 w"
)

// Example implements game.Illustrator.
func (Game) Example() (game.State, []string) {
	before, err := mu.ParsePosition(2, exampleCentres, exampleLine)
	if err != nil {
		panic(err) // a constant
	}
	turn := []string{exampleMove, "end"}
	after, err := engine.PlayTurn(before, turn)
	if err != nil {
		panic(err)
	}
	return game.State{Position: after, Previous: before, LastTurn: turn, Seat: -1}, []string{
		"Goal: hold the largest part of the board when all players pass.",
		"Two segments of seven cells. A piece is a man or a column of men. The number beside it is its height; the number below is how many more men the cell takes.",
		"Disc has moved a man from the centre of the left segment to a piece of two at the left edge. Three men on a cell with three neighbours explode: one went to each neighbour. The cell joined the Commonwealth, and a new man was added on it. Men that land merge with a piece of their own colour or capture the other, and may set off the next explosion.",
	}
}
