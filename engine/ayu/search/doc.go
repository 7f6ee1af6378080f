// Package search is the engine of Ayu: a Monte Carlo tree search (tree.go), from level 4 with an evaluator of
// positions (evaluator.go) and a policy that orders moves (policy.go). Both are networks whose inputs are features of the
// board (board_features.go). docs/engines.md describes it and its strength. With the build tag train
// it can make their weights (train.go).
//
// On the highest level a search runs as many workers (worker.go) as search.Options.Threads, at least one; on the others
// it runs one. All workers but the first have goroutines, which end before the search returns.
package search
