package ayu

import "ayumu/tui/game"

// Goal implements game.Game.
func (Game) Goal() string { return "join all of your stones into one unit" }

// Rules implements game.Game.
func (Game) Rules() []string {
	return []string{
		"AYU: Attach Your Units. Goal: join all of your stones into one unit before your opponent does. Every move must bring a unit closer to its nearest neighbour.",
		"Stones of one colour that touch along a row or a column form a unit; a single stone is one too. A larger unit is a group. Diagonals do not count.",
		"On your turn move one stone. A single stone moves to an empty point next to it. A stone of a group moves to any empty point next to its group; after the move the group, including the moved stone, must still be connected.",
		"Each move must bring the unit closer to the nearest other unit of your colour. The distance is the number of empty points on the shortest path between them; paths cannot pass through stones. Press : and type distances to see them.",
		"If you have no move on your turn, you win. This happens when all of your stones are one unit, and also when no path leads from any of your units to another.",
		"Black moves first. With the pie rule, White may swap colours on their first turn instead of moving, so Black's first move should be a fair one. If a position is repeated with the same side to move, the game is a draw.",
		// The figures are those of the opening book of the engine; TestFirstMovesAgreeWithTheBook compares them.
		"Fair first moves, with Black's chance as level 5 of the built-in player estimates it: on 11×11 f1-f2 50%, f1-e1 51%, b9-b10 49%; on 9×9 b5-b6 50%, d1-d2 49%. A move mirrored left to right or top to bottom has the same chance.",
		"Good for Black, so White should swap: on 11×11 b1-c1 57%, b1-b2 57%; on 9×9 b1-b2 62%, b1-c1 59%.",
		"Ayu was invented by Luis Bolaños Mures in 2011.",
	}
}

// Keys implements game.Game.
func (Game) Keys() []game.Key {
	return []game.Key{
		{Key: "arrows", Help: "move the cursor"},
		{Key: "Enter", Help: "choose a stone, then its target; Space only chooses a stone"},
		{Key: "Tab", Help: "next movable stone, or next target; hinted ones first"},
		{Key: "b1b2 Enter", Help: "type a move, on your turn; letters that name columns do nothing else then, and commands with these letters have their upper case"},
		{Key: "mouse", Help: "click a stone, then its target. A click on a key below the board does what the key does"},
		{Key: "Esc", Help: "deselect the stone"},
		{Key: "s", Help: "swap colours, when the pie rule allows it"},
		{Key: "{ } !", Help: "marks of a hint: the stone to move, and its target; ! alone in the corners of large points"},
	}
}
