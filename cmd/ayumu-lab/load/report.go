package load

import (
	"errors"
	"fmt"
	"io"
	"text/tabwriter"
	"time"
)

// Figures are the measurements of one server.
type Figures struct {
	FirstFrame           Times         // of single connections
	ConnectionCPU        time.Duration // server CPU for one of those, from the first packet to the end
	ConnectionsPerSecond float64       // when all connect at once
	RampCPU              time.Duration // server CPU for one of those
	Memory               int           // server memory for each idle session, bytes
	Stacks               int           // part of Memory, for stacks
	Goroutines           float64       // for each idle session; 0 if unknown
	IdleCPU              float64       // share of a core, for all sessions
	Key                  Times         // from a key to its frame
	Turn                 Times         // from a turn to each spectator
	LastTurn             Times         // from a turn to its last spectator
	SpectatorCPU         time.Duration // server CPU to show a turn to one spectator
	TurnLockWait         time.Duration // waits for mutexes meanwhile
	TickCPU              time.Duration // server CPU to show a second of the clock to one spectator

	FirstBytes, KeyBytes, TurnBytes, TickBytes float64 // of frames, without SSH

	Looks          LookFigures
	ManyMatches    MatchFigures
	RunningMatches RunningFigures

	Ack     Times         // from a script's turn to its acknowledgement
	Held    []processCost // costs after the first minute and then every 10 s
	HoldCPU float64       // share of a core since then
	Commits Times         // of rows of the same size, by the database of several nodes alone
}

// Sizes returns the frame sizes for a bare server.
func (f Figures) Sizes() Sizes {
	return Sizes{First: int(f.FirstBytes), Key: int(f.KeyBytes), Turn: int(f.TurnBytes), Tick: int(f.TickBytes)}
}

// Report is the result of a load.
type Report struct {
	Config Config
	Runs   []Pair
}

// Pair is the result of one run.
type Pair struct {
	Sessions int
	Ayumu    Figures
	Bare     *Figures // nil without a baseline

	GrownSessions int
	Grown         *Figures // of ayumu with GrownSessions; nil without growth
}

// Print writes all figures of the last run, and then those with a target, of all runs.
func (r Report) Print(w io.Writer) error {
	if len(r.Runs) == 0 {
		return nil
	}
	last := r.Runs[len(r.Runs)-1]
	return errors.Join(r.printFigures(w, last), r.printHold(w, last.Ayumu), r.printRows(w))
}

func (r Report) printFigures(w io.Writer, p Pair) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	columns := []Figures{p.Ayumu}
	fmt.Fprintf(t, "%d sessions of 80×24\tayumu", r.Config.Sessions)
	if p.Bare != nil {
		columns = append(columns, *p.Bare)
		fmt.Fprint(t, "\tbare SSH")
	}
	fmt.Fprintln(t)
	line := func(what string, show func(f Figures) string) {
		fmt.Fprint(t, what)
		for _, f := range columns {
			fmt.Fprint(t, "\t", show(f))
		}
		fmt.Fprintln(t)
	}
	line("connections/s, all at once", func(f Figures) string { return fmt.Sprintf("%.0f", f.ConnectionsPerSecond) })
	line("server CPU for one of those", func(f Figures) string { return durationText(f.RampCPU) })
	line("server CPU for one by itself", func(f Figures) string { return durationText(f.ConnectionCPU) })
	times := func(what string, of func(f Figures) Times) {
		line(what, func(f Figures) string {
			t := of(f)
			return fmt.Sprintf("%s / %s / %s", durationText(t.At(0.5)), durationText(t.At(0.99)), durationText(t.At(1)))
		})
	}
	times("first frame, p50 / p99 / max", func(f Figures) Times { return f.FirstFrame })
	line("memory for an idle session", func(f Figures) string {
		text := fmt.Sprintf("%.0f KiB", float64(f.Memory)/1024)
		if f.Goroutines > 0 {
			text += fmt.Sprintf("; %.1f goroutines with %.0f KiB of stacks", f.Goroutines, float64(f.Stacks)/1024)
		}
		return text
	})
	line("idle CPU, all sessions", func(f Figures) string { return fmt.Sprintf("%.2f %% of a core", f.IdleCPU*100) })
	times("key to frame", func(f Figures) Times { return f.Key })
	times("turn to each spectator", func(f Figures) Times { return f.Turn })
	times("turn to the last spectator", func(f Figures) Times { return f.LastTurn })
	line("server CPU for a turn and spectator", func(f Figures) string { return durationText(f.SpectatorCPU) })
	line("server CPU for a tick and spectator", func(f Figures) string { return durationText(f.TickCPU) })
	line("waits for locks, for a turn and spectator", func(f Figures) string { return durationText(f.TurnLockWait) })
	line("bytes of a first, key's, turn's, tick's frame", func(f Figures) string {
		return fmt.Sprintf("%.0f / %.0f / %.0f / %.0f", f.FirstBytes, f.KeyBytes, f.TurnBytes, f.TickBytes)
	})
	return errors.Join(t.Flush(), p.Ayumu.ManyMatches.print(w), p.Ayumu.RunningMatches.print(w, r.Config.Nodes))
}

func (r Report) printHold(w io.Writer, f Figures) error {
	if len(f.Ack) == 0 || len(f.Held) == 0 {
		return nil
	}
	limit := f.Held[0]
	for _, c := range f.Held {
		limit.memory, limit.goroutines = max(limit.memory, c.memory), max(limit.goroutines, c.goroutines)
	}
	rate := float64(len(f.Ack)) / r.Config.Hold.Seconds()
	_, err := fmt.Fprintf(w, "\n%d turns by scripts in %v, %.0f/s, none lost; acknowledged in %s / %s / %s; %.0f %% of a core\n"+
		"first: %s\nlast:  %s\nmax:   %d MiB, %d goroutines\n",
		len(f.Ack), r.Config.Hold, rate, durationText(f.Ack.At(0.5)), durationText(f.Ack.At(0.99)), durationText(f.Ack.At(1)), f.HoldCPU*100,
		f.Held[0], f.Held[len(f.Held)-1], limit.memory>>20, limit.goroutines)
	if n := len(f.Commits); err == nil && n > 0 {
		bare := float64(n) / commitTime.Seconds()
		_, err = fmt.Fprintf(w, "the database alone commits %.0f such rows/s, in %s / %s / %s; the turns are %.0f %% of that\n",
			bare, durationText(f.Commits.At(0.5)), durationText(f.Commits.At(0.99)), durationText(f.Commits.At(1)), 100*rate/bare)
	}
	return err
}

// printRows writes for each target the median, minimum and maximum of all runs.
func (r Report) printRows(w io.Writer) error {
	all := r.byTarget()
	if len(all) == 0 {
		return nil
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "\nfigure\tayumu\tcompared with\tmeasured\ttarget\t")
	for _, rows := range all {
		row, other, times := median(rows), "", ""
		if row.IsRatio {
			other, times = fmt.Sprintf("%.2f %s", row.Other, row.Unit), " ×"
		}
		measured := fmt.Sprintf("%.2f%s", row.Value(), times)
		if n := len(rows); n > 1 {
			measured += fmt.Sprintf(" (%.2f to %.2f in %d runs)", rows[0].Value(), rows[n-1].Value(), n)
		}
		verdict := "met"
		if row.IsMissed() {
			verdict = "missed"
		}
		fmt.Fprintf(t, "%s\t%.2f %s\t%s\t%s\t%s\t%s\n", row.What, row.Ayumu, row.Unit, other, measured, row.Bound(), verdict)
	}
	return t.Flush()
}

// durationText formats a duration with about three digits.
func durationText(d time.Duration) string {
	switch {
	case d >= time.Second:
		return d.Round(10 * time.Millisecond).String()
	case d >= 10*time.Millisecond:
		return d.Round(100 * time.Microsecond).String()
	}
	return d.Round(time.Microsecond).String()
}
