// Package mu is the rules of Mu, a territory game for two to six players by Christian Freeling,
// from laying the board to counting it.
//
// The rules are those of docs/rules/mu.md, and so are the terms: man, piece, segment, right, virgin, Commonwealth, Wall, section, capacity.
//
// A [Position] is an immutable value and may be used from several goroutines at once. What
// positions of one game have in common is shared: the [Board] between all of them, the terrain
// between those with no sprouting in between, the history as a chain beside them. Programs play
// with typed actions ([Position.AppendLegal], [Position.Do]); the text forms of engine.Position
// are the same actions in the same order. [Position.PlaySteps] tells what an action did,
// [Position.Explain] why it is not allowed, [Position.Cells] and the rest of view.go what stands
// where.
//
// The package imports nothing of this module but ayumu/engine and knows no time, no chance, no
// I/O and no goroutine.
package mu
