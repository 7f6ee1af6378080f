// Package search is the engine of Ayu: a Monte Carlo tree search (tree.go), on the highest level with an evaluator of
// positions (evaluator.go) and a policy that orders moves (policy.go). Both are networks whose features a survey of the
// board yields (survey.go). docs/engines.md describes it and its strength.
//
// The package imports ayu and the types that all engines share. A search runs search.Options.Threads workers
// (worker.go), all but one in goroutines of their own, which end before it.
package search
