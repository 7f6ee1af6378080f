// Package mu is the board of Mu on a terminal, and Mu in words.
//
// A cell is two columns by one row, or four by two where there is room; rows are staggered by half
// a cell. The players differ by shape in every look, and a piece that cannot move because its
// segment's right is spent is drawn hollow (a small letter in ASCII). Terrains differ by texture,
// and by their ground where there are colours enough. What all who look at a position see alike is
// drawn once and shared ([board.Cache]); a session adds its cursor, the reach of its chosen piece
// and the draft of its turn, which nobody else sees. A submitted turn can be shown step by step, as
// the engine reports it; the board knows no time, so the pace is its owner's.
//
// It imports the engine and its rules of Mu, the common package of boards, theme and paint.
package mu
