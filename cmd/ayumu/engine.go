package main

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/spf13/cobra"

	"ayumu/cmd/ayumu/gtp"
	"ayumu/engine/bot"
)

func engineCommand() *cobra.Command {
	c := gtp.Config{Version: version()}
	var codecup bool
	var total time.Duration
	cmd := &cobra.Command{
		Use:   "engine",
		Short: "Speak the Go Text Protocol on standard input and output",
		Long: "Speaks the Go Text Protocol on standard input and output. genmove thinks for the SECONDS that it is\n" +
			fmt.Sprintf("given; without them as long as its level does, and for %v on the highest.\n", bot.DefaultTime) +
			"Every game has a seed of its own unless --seed says which; then a game is played again exactly where\n" +
			"playouts bound the thinking, not time: below the highest level, or with --playouts.\n\n" +
			"With --codecup it speaks the line protocol of the CodeCup of 2015 instead: Ayu on 11×11 without pie,\n" +
			"Start for whoever moves first, then moves as B1-B2, and Quit; --time is for the whole game.",
		Example: "ayumu engine --level 3\nayumu engine --codecup --time 30s",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if c.Level < bot.MinLevel || c.Level > bot.MaxLevel {
				return fmt.Errorf("--level is %d and must be %d to %d", c.Level, bot.MinLevel, bot.MaxLevel)
			}
			if !cmd.Flags().Changed("seed") {
				c.Seed = rand.Uint64()
			}
			if codecup {
				return gtp.RunCodeCup(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout(), c, total)
			}
			return gtp.Run(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout(), c)
		},
	}
	f := cmd.Flags()
	f.IntVar(&c.Level, "level", bot.MaxLevel, "how well genmove plays, 1 to 5; the command level changes it")
	f.IntVar(&c.Playouts, "playouts", 0, "at most so many for each turn; 0: no such bound")
	f.Uint64Var(&c.Seed, "seed", 0, "seed of the first game; each later one has the next (default: by chance)")
	f.BoolVar(&codecup, "codecup", false, "speak the CodeCup's line protocol for Ayu")
	f.DurationVar(&total, "time", 30*time.Second, "with --codecup: what all turns of a game take together at most")
	return cmd
}
