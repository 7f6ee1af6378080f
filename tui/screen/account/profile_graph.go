package account

import (
	"fmt"
	"math"
	"slices"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby"
	"ayumu/tui/paint"
	"ayumu/tui/widget"
	"ayumu/tui/words"
)

// The layout of a graph of ratings.
const (
	graphLabels   = 8  // columns to the left of the bars
	maxGraphRows  = 16 // of the bars
	maxBarColumns = 3
	graphStep     = 50 // the axis begins and ends at a multiple of it
)

// graphs returns the rating pools whose history has at least two ratings.
func (v *profile) graphs() []words.RatingPool {
	return slices.DeleteFunc(words.RatingPools(v.sh.Config.Games), func(pool words.RatingPool) bool {
		return len(v.profile.RatingHistories[pool.Key]) < 2
	})
}

// nextGraph shows the graph of the first rating pool, then those of the others, and then the games again.
func (v *profile) nextGraph() tea.Cmd {
	v.graph = (v.graph + 1) % (len(v.graphs()) + 1)
	v.Update()
	return nil
}

// showsGames reports whether the list of games is shown, not a graph.
func (v *profile) showsGames() bool { return v.graph == 0 }

// drawGraph draws the history of a rating in the rows from y on: a bar for each of the last matches that fit,
// between rounded ratings, and the dates of the first and the last one.
func (v *profile) drawGraph(c paint.Canvas, y int, pool words.RatingPool) {
	t := v.sh.Style.Theme
	w, h := c.Size()
	points := v.profile.RatingHistories[pool.Key]
	points = points[max(len(points)-(w-graphLabels-1), 0):]
	low, high := points[0].Value, points[0].Value
	for _, p := range points {
		low, high = min(low, p.Value), max(high, p.Value)
	}
	last := points[len(points)-1]
	widget.DrawRule(c, t, y, "Rating history: "+pool.Title, t.Dim)
	games := words.Plural(len(points), "game")
	title := "Last " + games
	if len(points) == 1 {
		title = "Last game"
	}
	c.Text(2, y+1, t.Text, firstFit(w-3, fmt.Sprintf("%s: lowest %.0f, highest %.0f, now %.0f", title, low, high, last.Value),
		fmt.Sprintf("%s: %.0f to %.0f, now %.0f", games, low, high, last.Value)))
	rows := min(h-y-4, maxGraphRows)
	if rows < 2 {
		return
	}
	bottom, top := math.Floor(low/graphStep)*graphStep, math.Floor(high/graphStep+1)*graphStep
	y += 3
	c.Text(2, y, t.Dim, fmt.Sprintf("%4.0f", top))
	c.Text(2, y+rows-1, t.Dim, fmt.Sprintf("%4.0f", bottom))
	barColumns := min(max((w-graphLabels-1)/len(points), 1), maxBarColumns)
	for i, p := range points {
		v.drawBar(c.Sub(graphLabels+i*barColumns, y, barColumns, rows), (p.Value-bottom)/(top-bottom))
	}
	c.Text(graphLabels, y+rows, t.Dim, dates(points, len(points)*barColumns))
}

// drawBar draws a bar from the bottom of a canvas that fills a part of its height from 0 to 1, in steps of half
// a row, at least one.
func (v *profile) drawBar(c paint.Canvas, part float64) {
	w, h := c.Size()
	full, half := '█', '▄'
	if v.sh.Style.ASCII {
		full, half = '#', '.'
	}
	halves := max(int(part*float64(2*h)+0.5), 1)
	style := v.sh.Style.Theme.Link
	c.Fill(0, h-halves/2, w, halves/2, style, full)
	if halves%2 == 1 {
		c.Fill(0, h-halves/2-1, w, 1, style, half)
	}
}

// dates returns the dates of the first and the last rating, below the ends of bars with that many columns if
// these are far enough apart, or one date if both are the same.
func dates(points []lobby.RatingPoint, width int) string {
	first, last := words.Date(points[0].At), words.Date(points[len(points)-1].At)
	if first == last {
		return last
	}
	return fmt.Sprintf("%s%*s", first, max(width-len(first), len(last)+3), last)
}
