// Package search is the engine of Mu: it finds whole turns (turns.go), evaluates the positions after them
// (evaluator.go) and searches the replies (tree.go). Placements and clearings are judged by playing games on
// (rollout.go, setup.go). docs/players.md describes it and its strength.
//
// The package imports mu and the types that all engines share. It starts no goroutine.
package search
