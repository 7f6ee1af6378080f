package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"ayumu/engine"
	"ayumu/engine/search"
	"ayumu/lobby/record"
)

// analysis evaluates each position of a match.
type analysis struct {
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
}

// Losses of winning chance, 0 to 1, from which a turn is marked.
const (
	mistakeLoss = 0.1
	blunderLoss = 0.25
	barColumns  = 20
)

func analyzeCommand() *cobra.Command {
	o := search.Options{}
	asJSON := false
	cmd := &cobra.Command{
		Use:   "analyze RECORD",
		Short: "Review a game: how good each turn was, and the best alternative",
		Long: "Replays a record. For each turn it prints the chance of winning after it, the engine's best turn with\n" +
			"its chance, and a bar with the chances of all seats, drawn with their numbers. A turn that loses a\n" +
			"tenth of the chance is marked ?, a quarter ??. At the end it lists the three turns of each seat\n" +
			"that lost most. The file - is the standard input.",
		Example: "ssh play.example.org record k3v9x0a >game && ayumu analyze game --time 2s",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.Level < search.MinLevel || o.Level > search.MaxLevel {
				return fmt.Errorf("--level is %d, must be %d to %d", o.Level, search.MinLevel, search.MaxLevel)
			}
			if o.Playouts < 0 || o.Time < 0 {
				return fmt.Errorf("--playouts and --time must not be negative")
			}
			if !cmd.Flags().Changed("time") && o.Playouts > 0 {
				o.Time = 0 // one limit is enough
			}
			r, err := checkRecord(cmd.InOrStdin(), args[0])
			if err != nil {
				return err
			}
			ctx, stop := signal.NotifyContext(cmd.Context(), syscall.SIGINT, syscall.SIGTERM)
			defer stop()
			shown := newProgress(cmd.ErrOrStderr())
			defer shown.end()
			a := &analysis{options: o, searcher: engines().NewSearcher(r.Options.Game()), out: cmd.OutOrStdout(), json: asJSON, progress: func(done, all int) {
				shown.show(fmt.Sprintf("%d of %d positions", done, all))
			}}
			return a.run(ctx, r)
		},
	}
	f := cmd.Flags()
	f.IntVar(&o.Level, "level", search.MaxLevel, "strength of the engine, 1 to 5")
	f.DurationVar(&o.Time, "time", search.DefaultTime, "time for each turn")
	f.IntVar(&o.Playouts, "playouts", 0, "maximum number of playouts for each turn; replaces the time unless --time is set too")
	f.Uint64Var(&o.Seed, "seed", 1, "random seed")
	f.BoolVar(&asJSON, "json", false, "print JSON: a line for the start, and one for each turn")
	return cmd
}

// evaluation is the engine's opinion of a position.
type evaluation struct {
	chances []float64
	best    []string // nil after the end
	chance  float64  // of the best turn
}

// evaluate evaluates a position.
func (a *analysis) evaluate(ctx context.Context, p engine.Position) (evaluation, error) {
	if r, over := p.Result(); over {
		v := evaluation{chances: make([]float64, p.Seats())}
		for _, w := range r.Winners {
			v.chances[w] = 1 / float64(len(r.Winners))
		}
		return v, nil
	}
	advice, err := a.searcher.Search(ctx, p, a.options)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return evaluation{}, err
	}
	return evaluation{advice.Chances, advice.Choices[0].Actions, advice.Choices[0].Chance}, nil
}

// run writes the analysis of a valid record. It writes each turn as soon as it is evaluated.
func (a *analysis) run(ctx context.Context, r *record.Record) error {
	p := r.Options.Game().New(r.Options)
	before, err := a.evaluate(ctx, p)
	if err != nil {
		return err
	}
	if err := a.writeStart(r, before); err != nil {
		return err
	}
	var mistakes []mistake
	for i, l := range r.Lines {
		a.progress(i+1, len(r.Lines)+1)
		if len(l.Actions) == 0 {
			if p, err = p.Leave(l.Seat); err != nil {
				return err
			}
		} else if p, err = engine.PlayTurn(p, l.Actions); err != nil {
			return err
		}
		after, err := a.evaluate(ctx, p)
		if err != nil {
			return err
		}
		if err := a.writeTurn(i+1, l, before, after); err != nil {
			return err
		}
		if loss := lossOf(l, before, after); loss >= mistakeLoss {
			mistakes = append(mistakes, mistake{i + 1, l, before, loss})
		}
		before = after
	}
	a.progress(len(r.Lines)+1, len(r.Lines)+1)
	if a.json {
		return nil
	}
	return a.writeMistakes(r, mistakes)
}

// mistake is a turn that loses at least mistakeLoss.
type mistake struct {
	number int // of the turn
	line   record.Line
	before evaluation
	loss   float64 // of its seat's winning chance
}

// costliest is the number of turns of each seat that the analysis lists at its end.
const costliest = 3

// writeMistakes writes the turns of each seat that cost most, the costliest first.
func (a *analysis) writeMistakes(r *record.Record, mistakes []mistake) error {
	slices.SortStableFunc(mistakes, func(a, b mistake) int { return cmp.Compare(b.loss, a.loss) })
	for seat, s := range r.Seats {
		n := 0
		for _, m := range mistakes {
			if m.line.Seat != seat || n == costliest {
				continue
			}
			if n++; n == 1 {
				fmt.Fprintf(a.out, "what cost %s most:\n", s.Name)
			}
			_, err := fmt.Fprintf(a.out, "%4d.  -%s  %s; best %s\n", m.number, percent(m.loss), strings.Join(m.line.Actions, "; "), strings.Join(m.before.best, "; "))
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// writeStart writes what is known of the record and of its first position.
func (a *analysis) writeStart(r *record.Record, v evaluation) error {
	if a.json {
		start := analyzedStart{Game: r.Game, Options: r.Options, Chances: v.chances}
		for _, s := range r.Seats {
			start.Seats = append(start.Seats, s.Name)
		}
		return json.NewEncoder(a.out).Encode(start)
	}
	fmt.Fprintln(a.out, describe(r))
	for seat, s := range r.Seats {
		fmt.Fprintf(a.out, "seat %d: %s\n", seat, s.Name)
	}
	_, err := fmt.Fprintf(a.out, "%5s  %s\n", "", bar(v.chances))
	return err
}

// writeTurn writes a turn with its number, and the evaluations of the positions before and after it.
func (a *analysis) writeTurn(n int, l record.Line, before, after evaluation) error {
	if a.json {
		t := analyzedTurn{Turn: n, Seat: l.Seat, Actions: append([]string{}, l.Actions...), Chances: after.chances}
		if len(l.Actions) > 0 {
			t.Best, t.BestChance = before.best, before.chance
		}
		return json.NewEncoder(a.out).Encode(t)
	}
	_, err := fmt.Fprintf(a.out, "%4d.  %s  %s\n", n, bar(after.chances), turnText(l, before, after))
	return err
}

// turnText describes a turn and the best alternative.
func turnText(l record.Line, before, after evaluation) string {
	if len(l.Actions) == 0 {
		return fmt.Sprintf("%d: %s", l.Seat, l)
	}
	played := after.chances[l.Seat]
	text := fmt.Sprintf("%d: %s %s", l.Seat, strings.Join(l.Actions, "; "), percent(played))
	if strings.Join(l.Actions, "; ") == strings.Join(before.best, "; ") {
		return text + ", the best"
	}
	switch loss := lossOf(l, before, after); {
	case loss >= blunderLoss:
		text += " ??"
	case loss >= mistakeLoss:
		text += " ?"
	}
	return text + fmt.Sprintf("; best %s %s", strings.Join(before.best, "; "), percent(before.chance))
}

// lossOf returns how much of its seat's winning chance a turn loses against the best turn; 0 if it is the best one, or
// no turn.
func lossOf(l record.Line, before, after evaluation) float64 {
	if len(l.Actions) == 0 || slices.Equal(l.Actions, before.best) {
		return 0
	}
	return max(before.chance-after.chances[l.Seat], 0)
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
