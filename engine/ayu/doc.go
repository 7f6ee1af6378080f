// Package ayu is the rules of Ayu ("Attach Your Units"), by Luis Bolaños Mures, 2011, on every
// odd size from 3 to 15.
//
// Each side's stones form units, that is connected sets of one colour. A move takes a stone of a
// unit to an empty point next to that unit, keeps the unit whole and brings it closer to the
// closest other unit of its colour. A player who cannot move on their own turn wins. The rules and
// the text forms are those of docs/rules/ayu.md.
//
// [Board] is the stones and the side to move: a small comparable value without history, for
// search and playouts. [Position] adds what a game needs beside it, the earlier boards (a board
// that recurs with the same side to move is a draw), the pie rule and which seat has which
// colour; [Game] makes the first one. Board also answers what a screen wants to show: the units
// and the ways between them, the stones that can move and where to, and why a wish is illegal.
//
// Distances are counted in empty points on the shortest path between two units. That a move
// comes closer is the same as that its target lies on a shortest path to a closest unit; move
// generation rests on that, and the tests hold it against the rule as it is written.
//
// The package imports the common engine package and the standard library only, and all of it may
// be used from several goroutines at once.
package ayu
