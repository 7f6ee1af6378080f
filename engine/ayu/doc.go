// Package ayu implements the rules of Ayu ("Attach Your Units", Luis Bolaños Mures, 2011) on every odd
// size from 3 to 15.
//
// The stones of each side form units: connected sets of one colour. A move takes a stone of a unit to an
// empty point next to that unit, keeps the unit connected and brings it closer to the closest other unit
// of its colour. A player who cannot move on their own turn wins. The rules and the text forms are those
// of docs/rules/ayu.md.
//
// [Board] has the stones and the side to move: a small comparable value without history, for search and
// playouts. It also answers what a screen displays: units, shortest paths, movable stones, their targets,
// and why a move is illegal. [Position] adds the earlier boards (a board that recurs with the same side to
// move is a draw), the pie rule, and the colour of each seat. [Game] returns the first position.
//
// A distance is the number of empty points on a shortest path between two units. A move brings a unit
// closer exactly if its target is on a shortest path to a closest unit. Move generation relies on that,
// and the tests compare it with the rule as written.
//
// All values are safe for concurrent use.
package ayu
