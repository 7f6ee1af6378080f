package main

import (
	"math/rand/v2"
	"os/signal"
	"slices"
	"syscall"

	"github.com/spf13/cobra"

	"ayumu/cmd/ayumu-lab/puzzlestats"
	"ayumu/cmd/games"
	"ayumu/engine/puzzle"
	"ayumu/lobby/puzzles"
)

func puzzlesStatsCommand() *cobra.Command {
	sample := 0
	cmd := &cobra.Command{
		Use:   "stats [FILE]",
		Short: "Compare the ratings of puzzles with searches of the engine",
		Long: "Has each level of the built-in player solve the puzzles of a file, without one those that ship with the program,\n" +
			"and prints how often it is right, by the initial rating of the puzzles, and how the ratings correlate with that and with\n" +
			"the playouts that a search needs, measured with other seeds than those of the generation.",
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			all, err := puzzlesOf(cmd, args, sample)
			if err != nil {
				return err
			}
			ctx, stop := signal.NotifyContext(cmd.Context(), syscall.SIGINT, syscall.SIGTERM)
			defer stop()
			return puzzlestats.Catalog{Games: games.Rules(), Engines: games.Engines(), Themes: games.Themes()}.Write(ctx, cmd.OutOrStdout(), all)
		},
	}
	cmd.Flags().IntVar(&sample, "sample", 0, "only that many puzzles, chosen at random; 0: all")
	return cmd
}

// puzzlesOf returns the puzzles of the file that a command names, by default those that ship, or a random sample of
// them in their order.
func puzzlesOf(cmd *cobra.Command, args []string, sample int) (all []puzzle.Puzzle, err error) {
	if len(args) > 0 {
		all, err = readPuzzles(cmd.InOrStdin(), args[0])
	} else {
		var c *puzzles.Collection
		if c, err = games.Puzzles(); err == nil {
			all = slices.Clone(c.All())
		}
	}
	if err != nil || sample <= 0 || sample >= len(all) {
		return all, err
	}
	chosen := rand.Perm(len(all))[:sample]
	slices.Sort(chosen)
	for i, at := range chosen {
		all[i] = all[at]
	}
	return all[:sample], nil
}
