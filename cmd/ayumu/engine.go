package main

import (
	"fmt"
	"math/rand/v2"

	"github.com/spf13/cobra"

	"ayumu/cmd/ayumu/gtp"
	"ayumu/engine/bot"
)

func engineCommand() *cobra.Command {
	c := gtp.Config{Version: version()}
	cmd := &cobra.Command{
		Use:   "engine",
		Short: "Speak the Go Text Protocol on standard input and output",
		Long: "Speaks the Go Text Protocol on standard input and output. genmove thinks for the SECONDS that it is\n" +
			fmt.Sprintf("given; without them as long as its level does, and for %v on the highest.\n", bot.DefaultTime) +
			"Every game has a seed of its own unless --seed says which; then a game is played again exactly where\n" +
			"playouts bound the thinking, not time: below the highest level, or with --playouts.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if c.Level < bot.MinLevel || c.Level > bot.MaxLevel {
				return fmt.Errorf("--level is %d and must be %d to %d", c.Level, bot.MinLevel, bot.MaxLevel)
			}
			if !cmd.Flags().Changed("seed") {
				c.Seed = rand.Uint64()
			}
			return gtp.Run(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout(), c)
		},
	}
	f := cmd.Flags()
	f.IntVar(&c.Level, "level", bot.MaxLevel, "how well genmove plays, 1 to 5; the command level changes it")
	f.IntVar(&c.Playouts, "playouts", 0, "at most so many for each turn; 0: no such bound")
	f.Uint64Var(&c.Seed, "seed", 0, "of the first game; each later one has the next (default: by chance)")
	return cmd
}
