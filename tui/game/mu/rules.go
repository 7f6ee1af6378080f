package mu

import "ayumu/tui/game"

// Goal implements game.Game.
func (Game) Goal() string { return "hold the largest territory when all players pass" }

// Rules implements game.Game.
func (Game) Rules() []string {
	return []string{
		"MU: build a board together, explode your pieces across it, and hold the largest part of it. For two to six players, who take turns in seat order.",
		"LAYOUT. The players lay their segments one at a time. A segment is a cell with its six neighbours; one of your men stands on its centre. It must not overlap the board, and at least two of its cells must each touch the board. Everything that no segment covers is Out of Bounds.",
		"CLEARING. One at a time, each player removes the man from one of their segments, until they have one left. That one is filled: a man on each of its seven cells. All cells are virgin at this point.",
		"A TURN. You may make one move from each segment in which you have a piece when your turn begins; use all, some or none of these moves. The top k men of a piece move exactly k cells in one direction. They may pass over pieces. They merge with your own piece where they land, and capture another player's piece whole. Press e to end the turn; a turn without a move is a pass.",
		"CAPACITY. The capacity of a virgin cell is the number of its virgin neighbours; of a cell of the Commonwealth, the number of its neighbours that are Commonwealth or virgin; of a cell of the Wall, the number of its neighbours on the Wall. A piece of at least that height explodes, on the Wall a piece that is higher: one man goes to each of those neighbours, the others stay, and each man that lands merges or captures. This may continue from cell to cell. If several cells are critical, the player to move chooses which explodes next.",
		"THE COMMONWEALTH. A virgin cell that explodes joins the Commonwealth, and a new man is added on it. But if it touches two sections of the Commonwealth, it becomes a cell of the Wall: sections never merge.",
		"THE WALL. A piece from elsewhere may not end on the Wall, and passes over a cell of it only if a piece of its own colour stands there. From the Wall a piece passes over anything, and may stay on the Wall.",
		"OSCILLATION. If explosions in a section without a virgin neighbour would never end, the section comes to a standstill and is trimmed when the turn ends. A section of the Commonwealth of one or two cells without a virgin neighbour, and a cell of the Wall with no other beside it, hold no man past the end of a turn.",
		"THE END. The game ends when all players pass in succession, when a position stands for the third time, and after a turn with which only one player has men: that player wins. Otherwise territory decides. A section with pieces of one player is that player's territory, one point for each cell; with pieces of several players it is neutral; an empty section belongs to the only player who can reach it from the Wall, if there is just one. Connected virgin cells that touch exactly one section belong to it with the pieces on them; others are sections of their own. Cells of the Wall belong to nobody. The largest territory wins; players with equally large ones share the win.",
		"Mu was invented by Christian Freeling (MindSports).",
		"THE BOARD. Each player has a shape: Disc, Triangle, Box, Lozenge, Wedge, Star, in ASCII and on the Linux console their initials. The number beside it is the height, if it is more than 1. A dot is virgin ground, a light pattern the Commonwealth, a dense one the Wall. Pieces of the player to move are hollow (small letters) if they can no longer move this turn; * is the centre of a segment that can still move. Changes of the last turn are bright or marked ', and × marks a cell that it emptied. ! is critical, ~ oscillates. Above the board, × marks a player who is out; a target with × or on red captures a piece. Without colours the small board shows no texture beside a number: a piece of two or more is underlined in the Commonwealth and reversed on the Wall.",
	}
}

// Keys implements game.Game.
func (Game) Keys() []game.Key {
	return []game.Key{
		{Key: "arrows", Help: "move the cursor: along the row; up and down in zigzag"},
		{Key: "Tab", Help: "next piece that can move, target, critical cell, or free place for a segment; hinted ones first"},
		{Key: "Enter", Help: "lay, clear; choose a piece, then its target; explode a critical cell; Space does this only where it ends no turn"},
		{Key: "1 to 9", Help: "how many men of the chosen piece move; an arrow along the row then goes to their target"},
		{Key: "*", Help: "explode all critical cells, one after the other"},
		{Key: "u", Help: "undo the last action of your turn (also Backspace and Ctrl+Z); Ctrl+Y does it again"},
		{Key: "e", Help: "end the turn; twice to pass, or if you can still move"},
		{Key: "Esc", Help: "deselect the piece"},
		{Key: "mouse", Help: "click a piece, then its target; a segment takes two clicks. A click on a key below the board does what the key does"},
		{Key: "digit - :", Help: "type actions: 0,0 2 e; 3,-1 1 nw; end (the cell, how many men, the direction e ne nw w sw se), or, as in lists and hints, 0,0:2e 3,-1:1nw; a cell alone lays, clears or explodes. Until Enter or Esc, its letters are not commands"},
		{Key: "→ { }", Help: "marks of a hint: the piece to move, and where it lands; braces alone mark a segment to lay or clear, or a cell to explode"},
		{Key: "s", Help: "show the territory: a hollow sign (a small letter) shows whose each section would be now; neutral ones are hatched"},
		{Key: "+", Help: "switch between the large and the small board"},
	}
}
