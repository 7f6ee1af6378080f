package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"ayumu/cmd/cli"
	"ayumu/cmd/games"
	"ayumu/engine/puzzle"
	"ayumu/engine/search"
	"ayumu/lobby/guard"
	"ayumu/lobby/puzzles/generate"
	"ayumu/lobby/text"
)

func puzzlesCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "puzzles", Short: "Create and check puzzles", Args: cobra.NoArgs}
	cmd.AddCommand(puzzlesGenerateCommand(), puzzlesCheckCommand(), puzzlesRateCommand(), puzzlesStatsCommand())
	return cmd
}

func puzzlesGenerateCommand() *cobra.Command {
	g := puzzleGenerator{known: make(map[string]bool), done: make(map[string]bool)}
	var out string
	cmd := &cobra.Command{
		Use:   "generate RECORD...",
		Short: "Find puzzles in games",
		Long: "Searches every position of the records for puzzles and appends them to a file, one JSON object on each\n" +
			"line. A puzzle is kept if its solution is proven and the engine does not find it at once; at most one of\n" +
			"each theme for a game. Beside the file, a second one that ends in .done lists the records that were\n" +
			"searched, so that the command can be interrupted and repeated.",
		Example: "ayumu match level:4 level:4 --size 9 --games 100 --records games\nayumu-lab puzzles generate games/*.ayumu --out puzzles.jsonl",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, files []string) error {
			if g.atOnce < 1 {
				return fmt.Errorf("--at-once is %d, must be at least 1", g.atOnce)
			}
			if g.most < 0 {
				return fmt.Errorf("--most is %d, must not be negative", g.most)
			}
			ctx, stop := signal.NotifyContext(cmd.Context(), syscall.SIGINT, syscall.SIGTERM)
			defer stop()
			g.stdin, g.progress = cmd.InOrStdin(), cmd.ErrOrStderr()
			return g.run(ctx, files, out)
		},
	}
	f := cmd.Flags()
	f.StringVar(&out, "out", "puzzles.jsonl", "file to which puzzles are appended")
	f.StringSliceVar(&g.themes, "theme", nil, "themes to search for (all)")
	f.IntVar(&g.most, "most", 0, "largest number of a puzzle for themes with a limit, such as the moves of a win; 0: that of the theme")
	f.IntVar(&g.atOnce, "at-once", runtime.NumCPU(), "records searched at once")
	return cmd
}

func puzzlesCheckCommand() *cobra.Command {
	sample := 0
	cmd := &cobra.Command{
		Use:   "check [FILE]",
		Short: "Prove the solutions of puzzles again",
		Long: "Proves each puzzle of a file again, with ten times the effort of its generation. The file - is the standard input; without\n" +
			"one the puzzles that ship with the program are proven.",
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			all, err := puzzlesOf(cmd, args, sample)
			if err != nil {
				return err
			}
			wrong := 0
			for i := range all {
				if err := verifyPuzzle(&all[i]); err != nil {
					wrong++
					fmt.Fprintln(cmd.ErrOrStderr(), err)
				}
			}
			if wrong > 0 {
				return fmt.Errorf("%d of %s cannot be proven", wrong, text.Plural(len(all), "puzzle"))
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s proven\n", text.Plural(len(all), "puzzle"))
			return nil
		},
	}
	cmd.Flags().IntVar(&sample, "sample", 0, "only that many puzzles, chosen at random; 0: all")
	return cmd
}

// readPuzzles reads a file of puzzles; - is the standard input.
func readPuzzles(stdin io.Reader, name string) ([]puzzle.Puzzle, error) {
	in := stdin
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		in = f
	}
	all, err := puzzle.Read(in)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return all, nil
}

// verifyPuzzle proves the solution of a puzzle. The error begins with its ID.
func verifyPuzzle(p *puzzle.Puzzle) error {
	theme, ok := games.Themes().Of(p)
	if !ok {
		return fmt.Errorf("puzzle %s: there is no theme %q of %q", p.ID, p.Theme, p.Game)
	}
	start, err := p.Start(games.Rules())
	if err != nil {
		return err
	}
	if err := theme.Verify(p, start); err != nil {
		return fmt.Errorf("puzzle %s (%s): %w", p.ID, p.Theme, err)
	}
	return nil
}

// puzzleGenerator finds puzzles in records.
type puzzleGenerator struct {
	themes   []string // names; nil for all
	most     int      // largest number of a puzzle, for themes that are puzzle.Bounded; 0: that of the theme
	atOnce   int
	stdin    io.Reader
	progress io.Writer

	mu      sync.Mutex // guards what follows, and writes to the files
	known   map[string]bool
	done    map[string]bool // records that were searched
	records int
	found   int
	out     io.Writer
	doneOut io.Writer
	err     error // the first error of a write
}

// run searches the records that were not searched before.
func (g *puzzleGenerator) run(ctx context.Context, files []string, out string) error {
	outFile, err := appendTo(out)
	if err != nil {
		return err
	}
	defer outFile.Close()
	old, err := readPuzzles(nil, out)
	if err != nil {
		return err
	}
	for _, p := range old {
		g.known[p.ID] = true
	}
	doneFile, err := appendTo(out + ".done")
	if err != nil {
		return err
	}
	defer doneFile.Close()
	searched, err := os.ReadFile(out + ".done")
	if err != nil {
		return err
	}
	for name := range strings.Lines(string(searched)) {
		g.done[strings.TrimSuffix(name, "\n")] = true
	}
	files = slices.DeleteFunc(slices.Clone(files), func(name string) bool { return g.done[name] })
	g.out, g.doneOut = outFile, doneFile
	next := make(chan string)
	var workers sync.WaitGroup
	for range min(g.atOnce, max(len(files), 1)) {
		workers.Go(func() {
			defer guard.Recover(g.fail)
			for name := range next {
				if err := guard.Call(func() { g.search(ctx, name, len(files)) }); err != nil {
					g.fail(err)
				}
			}
		})
	}
	for _, name := range files {
		if ctx.Err() != nil {
			break
		}
		next <- name
	}
	close(next)
	workers.Wait()
	fmt.Fprintf(g.progress, "%s of %s\n", text.Plural(g.found, "new puzzle"), text.Plural(g.records, "record"))
	return errors.Join(g.err, ctx.Err())
}

// appendTo opens a file to which is appended, and which is made if it does not exist.
func appendTo(name string) (*os.File, error) {
	return os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
}

// fail keeps the first error.
func (g *puzzleGenerator) fail(err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.err == nil {
		g.err = err
	}
}

// search searches one record, and writes what it finds. A record that ctx interrupts is not done.
func (g *puzzleGenerator) search(ctx context.Context, name string, all int) {
	began := time.Now()
	r, err := cli.OpenRecord(g.stdin, name)
	if err != nil {
		g.fail(err)
		return
	}
	game := r.Options.Game()
	e, ok := games.Engines()[game.Name()]
	if !ok {
		e = search.Random{}
	}
	wanted := slices.DeleteFunc(slices.Clone(games.Themes()[game.Name()]), func(t puzzle.Theme) bool {
		return g.themes != nil && !slices.Contains(g.themes, t.Name())
	})
	for i, t := range wanted {
		if t, ok := t.(puzzle.Bounded); ok && g.most > 0 {
			wanted[i] = t.AtMost(g.most)
		}
	}
	found, err := generate.Search(ctx, generate.Positions(r), games.Rules(), wanted, e, nil)
	if err != nil {
		return
	}
	g.keep(name, all, found, time.Since(began))
}

// keep writes the puzzles of a record.
func (g *puzzleGenerator) keep(name string, all int, found []puzzle.Puzzle, took time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	number := 0
	for _, z := range found {
		if g.known[z.ID] {
			continue
		}
		g.known[z.ID] = true
		g.err = errors.Join(g.err, puzzle.Write(g.out, z))
		number++
	}
	g.records, g.found = g.records+1, g.found+number
	_, err := fmt.Fprintln(g.doneOut, name)
	g.err = errors.Join(g.err, err)
	fmt.Fprintf(g.progress, "%d of %d: %s, %s, %.0f s\n", g.records, all, name, text.Plural(number, "puzzle"), took.Seconds())
}
