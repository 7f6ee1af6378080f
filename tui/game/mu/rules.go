package mu

import "ayumu/tui/game"

// Rules teach Mu.
func (Game) Rules() []string {
	return []string{
		"MU: lay out a world together, people it, and hold the largest part of it. Two to six play; in turn, seat after seat.",
		"LAYING OUT. Each player lays his segments one by one. A segment is a cell with its six neighbours; a man of yours stands on its centre. It must not overlap the board, and at least two of its cells must each touch it. What no segment covers is Out of Bounds.",
		"CLEARING. One by one each player takes the man off one of his segments, until he has one left. That one is filled: a man on each of its seven cells. All cells are virgin then.",
		"A TURN. For each segment in which you have a piece when your turn begins you have a right to one move from it; you may use all, some or none. The top k men of a piece go exactly k cells in one direction. They may pass over pieces. On your own piece they merge with it; another player's piece is captured whole. Press e to end the turn; a turn without a move is a pass.",
		"CAPACITY. The capacity of a virgin cell is the number of its virgin neighbours; in the Commonwealth, of its neighbours in the Commonwealth and in Virginity; on the Wall, of its neighbours on the Wall. A piece of at least that height explodes, on the Wall one that is higher: one man goes to each of those neighbours, the rest stays, and what lands merges or captures. That may go on from cell to cell. Where several cells are critical, the player whose turn it is chooses which explodes next.",
		"THE COMMONWEALTH. A virgin cell that explodes joins the Commonwealth, and a new man grows on it. But if it touches two sections of the Commonwealth, it becomes a cell of the Wall: sections never merge.",
		"THE WALL. A piece from elsewhere may not end on the Wall, and passes over a cell of it only where a piece of its own colour stands. From the Wall a piece passes over anything, and may stay on the Wall.",
		"OSCILLATION. A section without a virgin neighbour in which explosions would go on for ever comes to a standstill, and is trimmed when the turn ends. A closed section of one or two cells, and a lone cell of the Wall, hold no man past the end of a turn.",
		"THE END. The game ends when all players pass in succession. A section with pieces of one player is his territory, a cell counting one; with pieces of several it is neutral; an empty one belongs to whoever alone can reach it from the Wall. Virgin cells that touch just one section count with it, others are sections of their own. The largest territory wins.",
		"Mu was invented by Christian Freeling (MindSports).",
		"THE BOARD. Each player has a shape: Disc, Triangle, Box, Lozenge, Wedge, Star, in ASCII their initials. The number beside it is the height, if it is more than 1. A dot is virgin ground, a light pattern the Commonwealth, a dense one the Wall. The player to move has hollow shapes (small letters) where the right is spent; * is the centre of a segment whose right is unspent. What the last turn changed is bright or has ', and × is where it left a cell empty. ! is critical, ~ oscillates. Without colours the small board shows no texture beside a number: a piece of two and more is underlined in the Commonwealth and reversed on the Wall.",
	}
}

// Keys tell what the board's keys do.
func (Game) Keys() []game.Key {
	return []game.Key{
		{Key: "y u h l b n", Help: "move the cursor: y u up to the left and right, h l along the row, b n down"},
		{Key: "arrows k j", Help: "along the row; up and down in zigzag"},
		{Key: "Tab", Help: "next piece that can move, target, critical cell, or place for a segment"},
		{Key: "Enter Space", Help: "lay, clear; choose a piece, then its target; let a critical cell explode"},
		{Key: "1 to 9", Help: "how many men of the chosen piece go; a direction then leads to their target"},
		{Key: "a", Help: "let all critical cells explode, one after the other"},
		{Key: "z Z", Help: "take back the last action of your turn; make it again (also Backspace, Ctrl+Z, Ctrl+Y)"},
		{Key: "e", Help: "end the turn; twice to pass"},
		{Key: "Esc", Help: "let the piece go"},
		{Key: "mouse", Help: "click a piece, then its target; a segment takes two clicks"},
		{Key: ": or a digit", Help: "type actions: 0,0 2 e; 3,-1 1 nw; end (the cell, how many men, the direction e ne nw w sw se); a cell alone lays, clears or explodes"},
		{Key: "c", Help: "show how many men more each cell takes before it explodes"},
		{Key: "→ { }", Help: "marks of a hint: a piece that moves, and where it lands; braces alone stand for a segment to lay or to clear, or a cell to explode"},
		{Key: "p", Help: "show the last action or turn step by step; any key ends that"},
		{Key: "+ -", Help: "large and small board"},
		{Key: "v", Help: "show or hide the overview of a board that is larger than the window"},
	}
}
