package puzzlestats

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"ayumu/engine"
	"ayumu/engine/puzzle"
	"ayumu/engine/search"
	"ayumu/lobby/text"
)

// seeds is the number of searches of each puzzle by each level.
const seeds = 4

// firstSeed is the first seed; those of the generation are lower, so that these searches are others.
const firstSeed = 101

// Catalog has the games whose puzzles are measured, their engines by the name of the game, and the themes.
type Catalog struct {
	Games   engine.Games
	Engines search.Engines
	Themes  puzzle.Themes
}

// measured is a puzzle with what its searches gave.
type measured struct {
	puzzle.Difficulty
	rating float64
	theme  string
	length int // puzzle.Theme.Length
	legal  int // actions of which one can be first
}

// measure searches a puzzle.
func (c Catalog) measure(ctx context.Context, p *puzzle.Puzzle) (measured, error) {
	start, err := p.Start(c.Games)
	theme, ok := c.Themes.Of(p)
	e, hasEngine := c.Engines[p.Game]
	switch {
	case err != nil:
		return measured{}, err
	case !ok || !hasEngine:
		return measured{}, fmt.Errorf("puzzle %s: %s has no engine or no theme %q", p.ID, p.Game, p.Theme)
	}
	d, err := puzzle.Measure(ctx, e, theme, p, start, firstSeed, seeds)
	return measured{d, p.InitialRating(), theme.Title(), theme.Length(p, start), len(start.Legal())}, err
}

// The bands of ratings that Write prints: each is from its number to the next.
var bands = []float64{0, 1200, 1400, 1600, 1800, math.Inf(1)}

// Write measures puzzles and prints the result. It returns the error of ctx if that ends before.
func (c Catalog) Write(ctx context.Context, out io.Writer, all []puzzle.Puzzle) error {
	if len(all) == 0 {
		return errors.New("there are no puzzles")
	}
	byGame := make(map[string][]measured)
	for i := range all {
		s, err := c.measure(ctx, &all[i])
		if err != nil {
			return err
		}
		byGame[all[i].Game] = append(byGame[all[i].Game], s)
	}
	for _, g := range c.Games {
		stats := byGame[g.Name()]
		if len(stats) == 0 {
			continue
		}
		fmt.Fprintf(out, "%s: %s. Right answers of the levels, in per cent:\n\n", g.Title(), text.Plural(len(stats), "puzzle"))
		w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintln(w, "rating\tpuzzles\tlevel 1\tlevel 2\tlevel 3\tlevel 4\tlevel 5\t")
		for i, from := range bands[:len(bands)-1] {
			var sum [search.MaxLevel]float64
			n := 0.0
			for _, s := range stats {
				if s.rating >= from && s.rating < bands[i+1] {
					n++
					for l := range sum {
						sum[l] += s.Success[l]
					}
				}
			}
			if n == 0 {
				continue
			}
			cells := []string{fmt.Sprintf("from %.0f", from), fmt.Sprintf("%.0f", n)}
			for _, x := range sum {
				cells = append(cells, fmt.Sprintf("%.0f", 100*x/n))
			}
			fmt.Fprintln(w, strings.Join(cells, "\t")+"\t")
		}
		if err := w.Flush(); err != nil {
			return err
		}
		fmt.Fprintln(out, "\nRank correlations of the rating with the right answers of all levels, with the playouts that a search needs, with the")
		fmt.Fprintln(out, "length of the solution and with the number of legal actions, and of the first two:")
		fmt.Fprintln(out)
		writeCorrelations(out, "all", stats)
		for len(stats) > 0 {
			theme := stats[0].theme
			var of, others []measured
			for _, s := range stats {
				if s.theme == theme {
					of = append(of, s)
				} else {
					others = append(others, s)
				}
			}
			writeCorrelations(out, theme, of)
			stats = others
		}
		fmt.Fprintln(out)
	}
	return nil
}

// writeCorrelations prints the correlations of some puzzles.
func writeCorrelations(out io.Writer, what string, stats []measured) {
	var ratings, success, playouts, lengths, legal []float64
	notFound := 0
	for _, s := range stats {
		mean := 0.0
		for _, x := range s.Success {
			mean += x / search.MaxLevel
		}
		ratings, success, playouts = append(ratings, s.rating), append(success, mean), append(playouts, float64(s.Playouts))
		lengths, legal = append(lengths, float64(s.length)), append(legal, float64(s.legal))
		if s.Playouts >= puzzle.NotFound {
			notFound++
		}
	}
	fmt.Fprintf(out, "%s, %s: levels %+.2f, playouts %+.2f, length %+.2f, legal actions %+.2f, levels with playouts %+.2f", what, text.Plural(len(stats), "puzzle"),
		rankCorrelation(ratings, success), rankCorrelation(ratings, playouts), rankCorrelation(ratings, lengths), rankCorrelation(ratings, legal), rankCorrelation(success, playouts))
	if notFound > 0 {
		fmt.Fprintf(out, " (%d not found)", notFound)
	}
	fmt.Fprintln(out)
}

// rankCorrelation returns Spearman's coefficient of two lists of the same length; 0 if one of them is constant.
func rankCorrelation(a, b []float64) float64 {
	ra, rb := ranks(a), ranks(b)
	mean := float64(len(a)+1) / 2
	var ab, aa, bb float64
	for i := range ra {
		ab += (ra[i] - mean) * (rb[i] - mean)
		aa += (ra[i] - mean) * (ra[i] - mean)
		bb += (rb[i] - mean) * (rb[i] - mean)
	}
	if aa == 0 || bb == 0 {
		return 0
	}
	return ab / math.Sqrt(aa*bb)
}

// ranks returns the ranks of values, from 1; equal values share the mean of theirs.
func ranks(values []float64) []float64 {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		switch {
		case values[i] < values[j]:
			return -1
		case values[i] > values[j]:
			return 1
		}
		return 0
	})
	all := make([]float64, len(values))
	for from := 0; from < len(order); {
		to := from
		for to < len(order) && values[order[to]] == values[order[from]] {
			to++
		}
		for _, i := range order[from:to] {
			all[i] = float64(from+to+1) / 2
		}
		from = to
	}
	return all
}
