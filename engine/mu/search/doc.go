// Package search is the engine of Mu: it finds whole turns (turns.go), evaluates the positions after them
// (evaluator.go, with the features of survey.go, features.go and regions.go, by network.go) and searches the replies (tree.go). Placements and clearings are compared by the
// positions in which play can begin (setup.go, layout.go, start.go). docs/engines.md describes it and its strength.
//
// The package imports mu and the types that all engines share. It starts no goroutine.
package search
