package main

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"ayumu/cmd/ayumu/gtp"
	"ayumu/cmd/cli"
	"ayumu/cmd/games"
	"ayumu/engine/search"
)

func engineCommand() *cobra.Command {
	c := gtp.Config{Games: games.Rules(), Engines: games.Engines(), Version: cli.Version()}
	var codecup bool
	var total time.Duration
	cmd := &cobra.Command{
		Use:   "engine",
		Short: "Speak a dialect of the Go Text Protocol on standard input and output",
		Long: "Speaks a dialect of the Go Text Protocol on standard input and output. genmove thinks for the given SECONDS;\n" +
			fmt.Sprintf("without them as long as its level needs, and %v on the highest level.\n", search.DefaultTime) +
			"Each game has a random seed unless --seed sets it. With a seed, games are reproducible if playouts\n" +
			"limit the search and not time: below the highest level, or with --playouts and one thread.\n\n" +
			"With --codecup it speaks the line protocol of the CodeCup instead (" + codeCupGame() + "): Start for the\n" +
			"first player, then moves in capitals, and Quit; --time is for the whole game.",
		Example: "ayumu engine --level 3\nayumu engine --codecup --time 30s",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if c.Level < search.MinLevel || c.Level > search.MaxLevel {
				return fmt.Errorf("--level is %d, must be %d to %d", c.Level, search.MinLevel, search.MaxLevel)
			}
			if err := checkThreads(c.Threads); err != nil {
				return err
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
	f.IntVar(&c.Level, "level", search.MaxLevel, "strength of genmove, 0 to 5; the command level changes it")
	f.IntVar(&c.Playouts, "playouts", 0, "maximum number of playouts for each turn; 0: no limit")
	addThreads(f, &c.Threads)
	f.Uint64Var(&c.Seed, "seed", 0, "random seed of the first game; each later game has the next number (default: random)")
	f.BoolVar(&codecup, "codecup", false, "speak the CodeCup's line protocol")
	f.DurationVar(&total, "time", 30*time.Second, "with --codecup: maximum time for all turns of a game together")
	return cmd
}

// addThreads adds --threads, for search.Options.Threads, to the flags of a command, which calls checkThreads.
func addThreads(f *pflag.FlagSet, threads *int) {
	f.IntVar(threads, "threads", 1, fmt.Sprintf("threads of a search on level %d, 1 to %d, if the engine of the game can use more than one", search.MaxLevel, search.MaxThreads))
}

func checkThreads(threads int) error {
	if threads < 1 || threads > search.MaxThreads {
		return fmt.Errorf("--threads is %d, must be 1 to %d", threads, search.MaxThreads)
	}
	return nil
}

// codeCupGame names the game that was played at the CodeCup and its options.
func codeCupGame() string {
	o, ok := gtp.CodeCupOptions(games.Rules())
	if !ok {
		return "no game of this program"
	}
	return o.Game().Title() + " " + o.String()
}
