package main

import (
	"context"
	"fmt"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"ayumu/cmd/games"
	"ayumu/engine/puzzle"
)

func puzzlesRateCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "rate [FILE]",
		Short: "Measure how difficult puzzles are",
		Long: "Has each level of the built-in player try the puzzles of a file, without one those that ship with the program,\n" +
			"counts the playouts that a search needs, and prints the puzzles with the ratings that follow, one JSON object on\n" +
			"each line. What was measured is printed on standard error: how often the levels were right, in per cent.",
		Example: "ayumu-lab puzzles rate puzzles.jsonl > rated.jsonl",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			all, err := puzzlesOf(cmd, args, 0)
			if err != nil {
				return err
			}
			ctx, stop := signal.NotifyContext(cmd.Context(), syscall.SIGINT, syscall.SIGTERM)
			defer stop()
			for i := range all {
				d, err := ratePuzzle(ctx, &all[i])
				if err != nil {
					return err
				}
				fmt.Fprintf(cmd.ErrOrStderr(), "%s %s:", all[i].ID, all[i].Theme)
				for _, x := range d.Success {
					fmt.Fprintf(cmd.ErrOrStderr(), " %.0f", 100*x)
				}
				fmt.Fprintf(cmd.ErrOrStderr(), ", %d playouts, rating %d\n", d.Playouts, all[i].MeasuredRating)
				if err := puzzle.Write(cmd.OutOrStdout(), all[i]); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

// ratePuzzle measures a puzzle and sets its MeasuredRating.
func ratePuzzle(ctx context.Context, p *puzzle.Puzzle) (puzzle.Difficulty, error) {
	theme, ok := games.Themes().Of(p)
	e, hasEngine := games.Engines()[p.Game]
	if !ok || !hasEngine {
		return puzzle.Difficulty{}, fmt.Errorf("puzzle %s: %q has no engine or no theme %q", p.ID, p.Game, p.Theme)
	}
	start, err := p.Start(games.Rules())
	if err != nil {
		return puzzle.Difficulty{}, err
	}
	return puzzle.Rate(ctx, e, theme, p, start)
}
