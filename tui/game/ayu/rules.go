package ayu

import "ayumu/tui/game"

// Rules teach Ayu.
func (Game) Rules() []string {
	return []string{
		"AYU: Attach Your Units. Bring all of your stones together before your opponent does.",
		"Stones of one colour that touch along a row or a column are a unit. A unit of one stone is a singleton, a larger one a group. Diagonals do not count.",
		"On your turn move one stone. A singleton steps to an empty point next to it. A stone of a group goes to any empty point next to its group; afterwards the whole group must still be in one piece, the moved stone in it.",
		"Each move must bring the unit closer to the closest other unit of your colour. The distance is the number of empty points on the shortest way between them; stones of either colour are in the way. Press d to see the distances.",
		"If it is your turn and you have no move, you win. That is so when all of your stones are one unit, and also when no way leads from any of your units to another.",
		"Black begins. With the pie rule, White may swap sides on his first turn instead of moving, so Black's first move should be a fair one. If a position comes again with the same side to move, the game is a draw.",
		"Ayu was invented by Luis Bolaños Mures in 2011.",
	}
}

// Keys tell what the board's keys do.
func (Game) Keys() []game.Key {
	return []game.Key{
		{Key: "arrows hjkl", Help: "move the cursor"},
		{Key: "Enter Space", Help: "choose a stone, then its target"},
		{Key: "Tab", Help: "next stone that can move, or next target"},
		{Key: "b1b2 Enter", Help: "type a move"},
		{Key: "mouse", Help: "click a stone, then its target"},
		{Key: "Esc", Help: "let the stone go"},
		{Key: "s", Help: "swap sides, where the pie rule allows it"},
		{Key: "d", Help: "show units and distances"},
		{Key: "f", Help: "flip the board"},
		{Key: "{ } !", Help: "marks of a hint: the stone that moves, and where it goes"},
	}
}
