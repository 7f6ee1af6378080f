// Package search is the engine of Ayu: a Monte Carlo tree search (tree.go), from level 4 with an evaluator of
// positions (evaluator.go) and a policy that orders moves (policy.go). Both are networks whose features a survey of the
// board yields (survey.go). docs/engines.md describes it and its strength.
//
// The package imports ayu and the types that all engines share. On the highest level a
// search runs as many workers (worker.go) as search.Options.Threads, at least one, and on the others one. All but the first run
// in goroutines that end before the search returns.
package search
