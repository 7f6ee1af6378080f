// Package searchtest has what the tests and benchmarks of all engines need. Only tests import it.
package searchtest

import (
	"context"
	"math"
	"testing"

	"ayumu/engine"
	"ayumu/engine/search"
)

// ReportWins reports the wins in percent with their 95 % interval (Wilson).
func ReportWins(b *testing.B, wins, games int) {
	p, n := float64(wins)/float64(games), float64(games)
	const z = 1.96
	centre, half := p+z*z/(2*n), z*math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	b.ReportMetric(100*p, "%-won")
	b.ReportMetric(100*(centre-half)/(1+z*z/n), "%-low")
	b.ReportMetric(100*(centre+half)/(1+z*z/n), "%-high")
	b.ReportMetric(n, "games")
}

// Engines returns engines for games whose searches are calls of f.
func Engines(games engine.Games, f func(context.Context, engine.Position, search.Options) (search.Advice, error)) search.Engines {
	all := make(search.Engines)
	for _, g := range games {
		all[g.Name()] = searchFunc(f)
	}
	return all
}

// searchFunc is an engine and all of its searchers.
type searchFunc func(context.Context, engine.Position, search.Options) (search.Advice, error)

func (f searchFunc) NewSearcher() search.Searcher { return f }

func (f searchFunc) Search(ctx context.Context, p engine.Position, o search.Options) (search.Advice, error) {
	return f(ctx, p, o)
}
