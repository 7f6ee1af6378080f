// Package mu implements the rules of Mu, a territory game for two to six players by Christian Freeling,
// from the layout of the board to the score.
//
// The rules and terms are those of docs/rules/mu.md: man, piece, segment, right, virgin, Commonwealth,
// Wall, section, capacity.
//
// A [Position] is immutable and safe for concurrent use. Positions of one match share data: all share the
// [Board], those with no change of terrain between them share the terrain, and the history is a linked
// list. Programs use typed actions ([Position.AppendLegal], [Position.Do]). The text forms of
// engine.Position are the same actions in the same order. [Position.PlaySteps] returns what an action did,
// [Position.Explain] why it is illegal, [Position.Cells] and the rest of accessors.go the contents of the
// board.
//
// The package does no I/O, reads no clock, uses no random numbers and starts no goroutine.
package mu
