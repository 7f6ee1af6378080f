package load

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Target is an upper bound of a figure: of a ratio, or of the figure itself.
type Target struct {
	What    string
	Max     float64
	IsRatio bool   // of ayumu's figure to that of a bare server, of one look or of fewer sessions
	Unit    string // of the figure

	// figures returns the figure and, for a ratio, what it is compared with; 0 for one that was not measured.
	figures func(p Pair) (ayumu, other float64)
}

// Targets are all bounds of what a load measures. docs/performance.md lists them, Report.Check compares a report with
// them, and the tests of a small load take multiples of them. They are the worst of what was measured on a quiet
// machine and about a tenth.
var Targets = []Target{
	bareRatio("CPU for a turn and spectator", 2.9, "µs", func(f Figures) float64 { return us(f.SpectatorCPU) }),
	bareRatio("CPU for a second of the clock and spectator", 1.6, "µs", func(f Figures) float64 { return us(f.TickCPU) }),
	looksRatio("CPU for a turn and spectator, many looks by one", 1.3, func(f Figures) float64 { return us(f.SpectatorCPU) }, func(l LookFigures) float64 { return us(l.SpectatorCPU) }),
	looksRatio("CPU for a second of the clock and spectator, many looks by one", 1.3, func(f Figures) float64 { return us(f.TickCPU) }, func(l LookFigures) float64 { return us(l.TickCPU) }),
	bareRatio("turn to the last spectator, median", 2.2, "ms", func(f Figures) float64 { return ms(f.LastTurn.At(0.5)) }),
	bareRatio("CPU for a connection with its first frame", 1.6, "ms", func(f Figures) float64 { return ms(f.ConnectionCPU) }),
	bareRatio("memory for an idle session", 1.5, "KiB", func(f Figures) float64 { return kib(f.Memory) }),
	bareRatio("key to frame, median", 1.5, "ms", func(f Figures) float64 { return ms(f.Key.At(0.5)) }),
	absolute("idle, for 1,000 sessions in the lobby", 0.4, "% of a core", func(f Figures, sessions int) float64 {
		return 100 * f.IdleCPU * 1000 / float64(sessions)
	}),
	absolute("a timed match without turns, for 1,000 spectators", 1.7, "% of a core", func(f Figures, _ int) float64 {
		return 100 * 1000 * f.TickCPU.Seconds()
	}),
	absolute("a step in the list of users", 130, "bytes", func(f Figures, _ int) float64 { return f.KeyBytes }),
	absolute("a turn of a random game", 300, "bytes", func(f Figures, _ int) float64 { return f.TurnBytes }),
	growthRatio("CPU for a session that arrives with the others, after growth", 1.1, "ms", func(f Figures, _ int) float64 { return ms(f.RampCPU) }),
	growthRatio("idle CPU for a session, after growth", 1.1, "µs/s", func(f Figures, sessions int) float64 { return 1e6 * f.IdleCPU / float64(sessions) }),
	growthRatio("memory for an idle session, after growth", 1.1, "KiB", func(f Figures, _ int) float64 { return kib(f.Memory) }),
}

func us(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }
func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
func kib(bytes int) float64      { return float64(bytes) / 1024 }

// bareRatio is a target for the ratio to the bare server.
func bareRatio(what string, most float64, unit string, of func(f Figures) float64) Target {
	return Target{what, most, true, unit, func(p Pair) (ayumu, other float64) {
		if p.Bare == nil {
			return 0, 0
		}
		return of(p.Ayumu), of(*p.Bare)
	}}
}

// looksRatio is a target for the costs of spectators with several looks, relative to those with one.
func looksRatio(what string, most float64, one func(f Figures) float64, many func(l LookFigures) float64) Target {
	return Target{what, most, true, "µs", func(p Pair) (ayumu, other float64) { return many(p.Ayumu.Looks), one(p.Ayumu) }}
}

// growthRatio is a target for the figures of more sessions, relative to those of fewer.
func growthRatio(what string, most float64, unit string, of func(f Figures, sessions int) float64) Target {
	return Target{what, most, true, unit, func(p Pair) (ayumu, other float64) {
		if p.Grown == nil {
			return 0, 0
		}
		return of(*p.Grown, p.GrownSessions), of(p.Ayumu, p.Sessions)
	}}
}

// absolute is a target for a figure itself.
func absolute(what string, most float64, unit string, of func(f Figures, sessions int) float64) Target {
	return Target{what, most, false, unit, func(p Pair) (ayumu, other float64) { return of(p.Ayumu, p.Sessions), 0 }}
}

// Bound returns the bound as text, such as "≤ 2.9 ×".
func (t Target) Bound() string {
	if t.IsRatio {
		return fmt.Sprintf("≤ %g ×", t.Max)
	}
	return fmt.Sprintf("≤ %g %s", t.Max, t.Unit)
}

// Row is a figure of a run that has a target.
type Row struct {
	Target
	Ayumu, Other float64 // Other is what Ayumu is divided by; 0 if the target is no ratio
}

// Value returns what is compared with the target.
func (r Row) Value() float64 {
	if r.IsRatio {
		return r.Ayumu / r.Other
	}
	return r.Ayumu
}

// IsMissed reports whether the target is missed.
func (r Row) IsMissed() bool { return r.Value() > r.Max }

// Rows returns the figures that have a target and were measured, in the order of Targets. Without a comparison, with a
// bare server or with fewer sessions, there are none.
func (p Pair) Rows() (rows []Row) {
	if p.Bare == nil && p.Grown == nil {
		return nil
	}
	for _, t := range Targets {
		if ayumu, other := t.figures(p); ayumu > 0 && (other > 0 || !t.IsRatio) {
			rows = append(rows, Row{t, ayumu, other})
		}
	}
	return rows
}

// byTarget returns the rows of all runs for each target that has any, sorted by their values.
func (r Report) byTarget() (all [][]Row) {
	for _, t := range Targets {
		var rows []Row
		for _, p := range r.Runs {
			for _, row := range p.Rows() {
				if row.What == t.What {
					rows = append(rows, row)
				}
			}
		}
		if len(rows) > 0 {
			slices.SortFunc(rows, func(a, b Row) int { return cmp.Compare(a.Value(), b.Value()) })
			all = append(all, rows)
		}
	}
	return all
}

// median returns the middle one of sorted rows, the larger of two.
func median(rows []Row) Row { return rows[len(rows)/2] }

// Check returns an error that names every target that the median of the runs misses. It is an error too if no figure
// has a target.
func (r Report) Check() error {
	all := r.byTarget()
	if len(all) == 0 {
		return errors.New("nothing was compared with a target; add --baseline or --growth")
	}
	var missed []string
	for _, rows := range all {
		if row := median(rows); row.IsMissed() {
			missed = append(missed, fmt.Sprintf("%s: %.2f, target %s", row.What, row.Value(), row.Bound()))
		}
	}
	if len(missed) == 0 {
		return nil
	}
	return errors.New("missed: " + strings.Join(missed, "; "))
}
