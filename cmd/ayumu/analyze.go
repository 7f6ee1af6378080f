package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"ayumu/cmd/cli"
	"ayumu/cmd/games"
	"ayumu/engine"
	"ayumu/engine/analysis"
	"ayumu/engine/search"
	"ayumu/lobby/record"
)

// reviewer writes the analysis of a record.
type reviewer struct {
	options  search.Options
	searcher search.Searcher
	out      io.Writer
	json     bool // a line of JSON for the start and for each turn, instead of text
	progress func(done, all int)
}

// analyzedStart is the first line of an analysis in JSON.
type analyzedStart struct {
	Game    string         `json:"game"`
	Options engine.Options `json:"options"`
	Seats   []string       `json:"seats"`   // the names of their players
	Chances []float64      `json:"chances"` // of the seats, 0 to 1
}

// analyzedTurn is the line of a turn in an analysis in JSON.
type analyzedTurn struct {
	Turn       int       `json:"turn"` // from 1
	Seat       int       `json:"seat"`
	Actions    []string  `json:"actions"`              // empty: the seat left
	Chances    []float64 `json:"chances"`              // after the turn
	Best       []string  `json:"best,omitempty"`       // the engine's turn
	BestChance float64   `json:"best_chance,omitzero"` // of the seat after it
	Loss       float64   `json:"loss"`                 // of the seat's chance against the engine's turn, 0 to 1
}

// barColumns is the width of a bar.
const barColumns = 20

func analyzeCommand() *cobra.Command {
	o := search.Options{}
	asJSON := false
	cmd := &cobra.Command{
		Use:   "analyze RECORD",
		Short: "Review a game: how good each turn was, and the best alternative",
		Long: "Replays a record. For each turn it prints the chance of winning after it, how much of the chance it\n" +
			"loses, the engine's best turn with its chance, and a bar with the chances of all seats, drawn with\n" +
			"their numbers. A turn that loses a tenth of the chance is marked ?, a quarter ??. At the end it lists\n" +
			"the three turns of each seat that lost most. The file - is the standard input.",
		Example: "ssh play.example.org record k3v9x0a >game && ayumu analyze game --time 2s",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.Level < search.MinLevel || o.Level > search.MaxLevel {
				return fmt.Errorf("--level is %d, must be %d to %d", o.Level, search.MinLevel, search.MaxLevel)
			}
			if o.Playouts < 0 || o.Time < 0 {
				return fmt.Errorf("--playouts and --time must not be negative")
			}
			if err := checkThreads(o.Threads); err != nil {
				return err
			}
			if !cmd.Flags().Changed("time") && o.Playouts > 0 {
				o.Time = 0 // one limit is enough
			}
			r, err := cli.OpenRecord(cmd.InOrStdin(), args[0])
			if err != nil {
				return err
			}
			ctx, stop := signal.NotifyContext(cmd.Context(), syscall.SIGINT, syscall.SIGTERM)
			defer stop()
			shown := newProgress(cmd.ErrOrStderr())
			defer shown.end()
			a := &reviewer{options: o, searcher: games.Engines().NewSearcher(r.Options.Game()), out: cmd.OutOrStdout(), json: asJSON, progress: func(done, all int) {
				shown.show(fmt.Sprintf("%d of %d positions", done, all))
			}}
			return a.run(ctx, r)
		},
	}
	f := cmd.Flags()
	f.IntVar(&o.Level, "level", search.MaxLevel, "strength of the engine, 0 to 5")
	f.DurationVar(&o.Time, "time", search.DefaultTime, "time for each turn")
	f.IntVar(&o.Playouts, "playouts", 0, "maximum number of playouts for each turn; replaces the time unless --time is set too")
	f.Uint64Var(&o.Seed, "seed", 1, "random seed")
	addThreads(f, &o.Threads)
	f.BoolVar(&asJSON, "json", false, "print JSON: a line for the start, and one for each turn")
	return cmd
}

// run writes the analysis of a valid record. It writes each turn as soon as it is evaluated.
func (a *reviewer) run(ctx context.Context, r *record.Record) error {
	turns := make([]analysis.Turn, len(r.Lines))
	for i, l := range r.Lines {
		turns[i] = analysis.Turn{Seat: l.Seat, Actions: l.Actions}
	}
	var all []analysis.Evaluation
	err := analysis.Run(ctx, r.Options.Game().New(r.Options), turns, analysis.NewEvaluator(a.searcher, a.options), func(n int, e analysis.Evaluation) error {
		a.progress(n+1, len(turns)+1)
		if all = append(all, e); n == 0 {
			return a.writeStart(r, e)
		}
		return a.writeTurn(n, r.Lines[n-1], all[n-1], e)
	})
	if err != nil || a.json {
		return err
	}
	return a.writeMistakes(r, turns, all)
}

// writeMistakes writes the turns of each seat that cost most, the costliest first.
func (a *reviewer) writeMistakes(r *record.Record, turns []analysis.Turn, all []analysis.Evaluation) error {
	for seat, s := range r.Seats {
		for i, m := range analysis.Mistakes(turns, all, seat, analysis.Costliest) {
			if i == 0 {
				fmt.Fprintf(a.out, "what cost %s most, as the engine estimates:\n", s.Name)
			}
			_, err := fmt.Fprintf(a.out, "%4d.  -%s  %s; best %s\n", m.Turn+1, percent(m.Loss), strings.Join(turns[m.Turn].Actions, "; "), strings.Join(all[m.Turn].Best, "; "))
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// writeStart writes what is known of the record and of its first position.
func (a *reviewer) writeStart(r *record.Record, v analysis.Evaluation) error {
	if a.json {
		start := analyzedStart{Game: r.Game, Options: r.Options, Chances: v.Chances}
		for _, s := range r.Seats {
			start.Seats = append(start.Seats, s.Name)
		}
		return json.NewEncoder(a.out).Encode(start)
	}
	fmt.Fprintln(a.out, describe(r))
	for seat, s := range r.Seats {
		fmt.Fprintf(a.out, "seat %d: %s\n", seat, s.Name)
	}
	_, err := fmt.Fprintf(a.out, "%5s  %s\n", "", bar(v.Chances))
	return err
}

// writeTurn writes a turn with its number, and the evaluations of the positions before and after it.
func (a *reviewer) writeTurn(n int, l record.Line, before, after analysis.Evaluation) error {
	if a.json {
		t := analyzedTurn{Turn: n, Seat: l.Seat, Actions: append([]string{}, l.Actions...), Chances: after.Chances}
		if len(l.Actions) > 0 {
			t.Best, t.BestChance, t.Loss = before.Best, before.BestChance, lossOf(l, before, after)
		}
		return json.NewEncoder(a.out).Encode(t)
	}
	_, err := fmt.Fprintf(a.out, "%4d.  %s  %s\n", n, bar(after.Chances), turnText(l, before, after))
	return err
}

// turnText describes a turn and the best alternative.
func turnText(l record.Line, before, after analysis.Evaluation) string {
	if len(l.Actions) == 0 {
		return fmt.Sprintf("%d: %s", l.Seat, l)
	}
	played := after.Chances[l.Seat]
	text := fmt.Sprintf("%d: %s %s", l.Seat, strings.Join(l.Actions, "; "), percent(played))
	if strings.Join(l.Actions, "; ") == strings.Join(before.Best, "; ") {
		return text + ", the best"
	}
	loss := lossOf(l, before, after)
	text += ", -" + percent(loss)
	switch {
	case loss >= analysis.BlunderLoss:
		text += " ??"
	case loss >= analysis.MistakeLoss:
		text += " ?"
	}
	return text + fmt.Sprintf("; best %s %s", strings.Join(before.Best, "; "), percent(before.BestChance))
}

// lossOf returns what a turn loses of its seat's chance against the engine's turn.
func lossOf(l record.Line, before, after analysis.Evaluation) float64 {
	return analysis.Turn{Seat: l.Seat, Actions: l.Actions}.Loss(before, after)
}

func percent(share float64) string { return fmt.Sprintf("%.0f %%", 100*share) }

// bar returns a bar in which each seat's number is repeated in proportion to its chance.
func bar(chances []float64) string {
	var b strings.Builder
	sum := 0.0
	for seat, chance := range chances {
		sum += chance
		for b.Len() < min(int(sum*barColumns+0.5), barColumns) {
			fmt.Fprint(&b, seat)
		}
	}
	return fmt.Sprintf("%-*s", barColumns, b.String())
}
