// Package search is the engine of Mu: it finds complete turns (turns.go), evaluates the positions after them and
// searches the replies (tree.go). The evaluator (evaluator.go) is a network (network.go) whose inputs are features of
// the board (board_features.go, features.go, regions.go). Placements and clearings are compared by the positions in
// which play can begin (setup.go, layout.go, start.go). docs/engines.md describes the engine and its strength. With the
// build tag train it can make the weights of its networks (train.go).
//
// The package starts no goroutine.
package search
