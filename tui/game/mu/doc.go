// Package mu implements the board of Mu on a terminal, and its descriptions in words.
//
// A cell is two columns by one row, or four by two where there is space; rows are staggered by half a cell.
// The players differ by shape, and a piece that cannot move because its segment's right is spent is drawn
// hollow. In ASCII and on the Linux console letters stand for the shapes, small ones for hollow pieces.
// Terrains differ by texture, and by background where there are enough colours.
//
// The part of a board that is the same for all sessions is drawn once and shared ([game.Cache]). A session
// adds its cursor, the targets of its selected piece and the draft of its turn, which nobody else sees. A
// turn can be shown step by step; the board knows no time, so its caller sets the pace.
package mu
