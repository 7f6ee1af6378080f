package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"ayumu/lobby/store"
)

// progressInterval is the interval of the lines about the progress of a copy.
const progressInterval = 2 * time.Second

func dbCopyCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "copy FROM TO",
		Short: "Copy a whole store to a new one, such as a data file to PostgreSQL",
		Long: "Copy a whole store to an empty one, while no server uses either. FROM and TO are sqlite:PATH or\n" +
			"postgres://USER@HOST/NAME. The rows are counted in both when all are copied.",
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			from, err := locateNamed(args[0])
			if err != nil {
				return err
			}
			to, err := locateNamed(args[1])
			if err != nil {
				return err
			}
			return copyStore(cmd.Context(), from, to, cmd.OutOrStdout())
		},
	}
}

// locateNamed returns the location that an argument names.
func locateNamed(arg string) (location, error) {
	if arg == "" {
		return nil, errors.New("name both stores: sqlite:PATH or postgres://USER@HOST/NAME")
	}
	return locate(arg, "")
}

// copyStore copies a store to an empty one, and writes the progress to out.
func copyStore(ctx context.Context, from, to location, out io.Writer) error {
	if err := from.find(); err != nil {
		return err
	}
	unlock, err := lockBoth(ctx, from, to)
	if err != nil {
		return err
	}
	defer unlock()
	source, err := from.open(ctx)
	if err != nil {
		return err
	}
	defer source.Close()
	printUpgrade(out, from, source)
	target, err := to.open(ctx)
	if err != nil {
		return err
	}
	defer target.Close()
	began := time.Now()
	want, err := source.CountRows(ctx)
	if err != nil {
		return err
	}
	if err := target.Import(ctx, withProgress(source.Export(ctx), want, out)); err != nil {
		return err
	}
	got, err := target.CountRows(ctx)
	if err != nil {
		return err
	}
	total := 0
	for i, t := range store.Tables {
		if got[i] != want[i] {
			return fmt.Errorf("the copy has %d rows of %s instead of %d; remove it, and copy again", got[i], t.Name, want[i])
		}
		total += want[i]
	}
	fmt.Fprintf(out, "copied %d rows of %d tables to %s in %v; now check it with `ayumu db check`\n",
		total, len(store.Tables), to, time.Since(began).Round(time.Second/10))
	return nil
}

// lockBoth locks two stores against servers.
func lockBoth(ctx context.Context, from, to location) (unlock func(), err error) {
	if from.String() == to.String() {
		return nil, fmt.Errorf("both are %s", from)
	}
	first, err := from.lock(ctx)
	if err != nil {
		return nil, err
	}
	a, isFile := from.(sqliteFile)
	b, isFileToo := to.(sqliteFile)
	if isFile && isFileToo && isSameFolder(filepath.Dir(string(a)), filepath.Dir(string(b))) {
		return first, nil // the lock of a folder is that of both files
	}
	second, err := to.lock(ctx)
	if err != nil {
		first()
		return nil, err
	}
	return func() {
		second()
		first()
	}, nil
}

// withProgress returns the rows, and writes a line when a table is complete and from time to time. counts has
// the number of rows of each table.
func withProgress(rows iter.Seq2[store.Row, error], counts []int, out io.Writer) iter.Seq2[store.Row, error] {
	return func(yield func(store.Row, error) bool) {
		byTable := make(map[*store.Table]int)
		for i, t := range store.Tables {
			byTable[t] = counts[i]
		}
		done, last := make(map[*store.Table]int), time.Now()
		for row, err := range rows {
			if err == nil {
				done[row.Table]++
				n := done[row.Table]
				if n == byTable[row.Table] || time.Since(last) >= progressInterval {
					fmt.Fprintf(out, "%s: %d of %d\n", row.Table.Name, n, byTable[row.Table])
					last = time.Now()
				}
			}
			if !yield(row, err) {
				return
			}
		}
	}
}
