package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"ayumu/cmd/ayumu/match"
	"ayumu/engine/ayu"
	"ayumu/engine/mu"
)

// maxMuRounds is the default of --max-turns in turns for each player of Mu, since players can go on for
// ever.
const maxMuRounds = 300

// matchFlags has the flags of `ayumu match` that are no fields of match.Config.
type matchFlags struct {
	game              string
	size              int
	pie               bool
	players, segments int
	sprt, records     string
	verbose           bool
}

func matchCommand() *cobra.Command {
	c := match.Config{Engines: engines()}
	var o matchFlags
	cmd := &cobra.Command{
		Use:   "match SIDE SIDE...",
		Short: "Run engine matches and estimate their strength",
		Long: "Runs matches between engines. A SIDE is level:N (a built-in player; append ,playouts=N ,time=1s\n" +
			"or ,seed=N), greedy or random (simple baselines), \"gtp:COMMAND\" (a program that speaks the\n" +
			"protocol of `ayumu engine`) or \"codecup:COMMAND\" (Ayu on 11×11, with --game-time). With more than two\n" +
			"seats give two sides (the first takes one seat, the second all others) or one side for each seat.\n\n" +
			"Each opening is played with every rotation of the seats. A program that is late, plays an illegal\n" +
			"turn or exits loses the game. All programs are killed in the end. Times are fair only if each running\n" +
			"game has its own processor core; so --at-once is 1 by default.",
		Example: "ayumu match level:5 level:4 --size 9 --games 100\n" +
			"ayumu match level:5 greedy --game mu --players 4 --segments 3 --turn 1s --games 100\n" +
			"ayumu match level:5 \"codecup:./player\" --game-time 30s --games 200 --sprt 0,100",
		Args: cobra.MinimumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.complete(cmd, &c, args); err != nil {
				return err
			}
			ctx, stop := signal.NotifyContext(cmd.Context(), syscall.SIGINT, syscall.SIGTERM)
			defer stop()
			var recordErr error
			c.Done = func(g *match.Game, t match.Tally) {
				if o.verbose {
					fmt.Fprintln(cmd.OutOrStdout(), c.Line(g))
				} else {
					fmt.Fprintf(cmd.ErrOrStderr(), "\r%d of %d games: +%d =%d -%d ", t.Games(), c.Games, t.Wins, t.Draws, t.Losses)
				}
				if err := o.saveRecord(&c, g); err != nil && recordErr == nil {
					recordErr = err
				}
			}
			report, err := match.Run(ctx, c)
			if !o.verbose {
				fmt.Fprintln(cmd.ErrOrStderr())
			}
			if report != nil && report.Tally.Games() > 0 {
				if err := report.Print(cmd.OutOrStdout()); err != nil {
					return err
				}
			}
			if err == nil {
				err = recordErr
			}
			return err
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.game, "game", "ayu", "which game: ayu or mu")
	f.IntVar(&o.size, "size", 11, "Ayu: columns and rows")
	f.BoolVar(&o.pie, "pie", false, "Ayu: with the pie rule")
	f.IntVar(&o.players, "players", 2, "Mu: seats")
	f.IntVar(&o.segments, "segments", 3, "Mu: segments of each player")
	f.IntVarP(&c.Games, "games", "n", 100, "games")
	f.IntVar(&c.Opening, "opening", 0, "random turns before each game (default 2 in Ayu, 0 in Mu and with the CodeCup's protocol)")
	f.Uint64Var(&c.Seed, "seed", 1, "random seed of openings and built-in players")
	f.DurationVar(&c.Turn, "turn", 0, "time for each turn")
	f.DurationVar(&c.GameTime, "game-time", 0, "time for all turns of a seat in a game")
	f.IntVar(&c.Playouts, "playouts", 0, "playouts of built-in players for each turn")
	f.DurationVar(&c.Grace, "grace", 500*time.Millisecond, "tolerance before a turn counts as late")
	f.DurationVar(&c.TurnTimeout, "patience", time.Minute, "time limit of a turn without --turn and --game-time")
	f.IntVar(&c.MaxTurns, "max-turns", 0, fmt.Sprintf("score a game after this number of turns (default: none in Ayu, %d for each player in Mu)", maxMuRounds))
	f.IntVar(&c.AtOnce, "at-once", 1, "concurrent games")
	f.StringVar(&o.sprt, "sprt", "", "as elo0,elo1[,alpha,beta]: stop as soon as the test accepts one of the two")
	f.StringVar(&o.records, "records", "", "folder to which each game is written as a record")
	f.BoolVarP(&o.verbose, "verbose", "v", false, "print each game")
	return cmd
}

// complete fills in the configuration from the flags and the sides.
func (o *matchFlags) complete(cmd *cobra.Command, c *match.Config, args []string) error {
	var given any = mu.Options{Players: o.players, Segments: o.segments, Min: o.players}
	if o.game == "ayu" {
		given = ayu.Options{Size: o.size, Pie: o.pie}
	}
	raw, err := json.Marshal(given)
	if err != nil {
		return err
	}
	var known bool
	if c.Game, known = rules().ByName(o.game); !known {
		return fmt.Errorf("unknown game %q", o.game)
	}
	if c.Options, err = c.Game.ParseOptions(raw); err != nil {
		return err
	}
	_, seats := c.Options.Seats()
	c.Options = c.Options.WithSeats(seats)
	opening := 0
	if o.game == "ayu" {
		opening = 2
	} else if !cmd.Flags().Changed("max-turns") {
		c.MaxTurns = maxMuRounds * seats
	}
	for _, a := range args {
		s, err := match.ParseSide(a)
		if err != nil {
			return err
		}
		if strings.HasPrefix(a, "codecup:") {
			opening = 0
		}
		c.Sides = append(c.Sides, s)
	}
	if !cmd.Flags().Changed("opening") {
		c.Opening = opening
	}
	if o.sprt != "" {
		if c.SPRT, err = match.ParseSPRT(o.sprt); err != nil {
			return err
		}
	}
	if o.records != "" {
		return os.MkdirAll(o.records, 0o755)
	}
	return nil
}

// saveRecord writes the record of a game, if --records is set.
func (o *matchFlags) saveRecord(c *match.Config, g *match.Game) error {
	if o.records == "" {
		return nil
	}
	f, err := os.Create(filepath.Join(o.records, fmt.Sprintf("%04d.ayumu", g.Number)))
	if err != nil {
		return err
	}
	if err := c.Record(g, time.Now()).Write(f); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
