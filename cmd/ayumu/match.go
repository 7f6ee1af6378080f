package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"ayumu/cmd/ayumu/match"
	"ayumu/cmd/games"
	"ayumu/engine"
)

// matchFlags has the flags of `ayumu match` that are no fields of match.Config.
type matchFlags struct {
	game          string
	options       map[string]string // given flags of options, as JSON
	sprt, records string
	verbose       bool
	json          bool
}

func matchCommand() *cobra.Command {
	c := match.Config{Engines: games.Engines()}
	var o matchFlags
	all := games.Rules().Names()
	cmd := &cobra.Command{
		Use:   "match SIDE SIDE...",
		Short: "Run engine matches and estimate their strength",
		Long: "Runs matches between engines. A SIDE is level:N (a built-in player; append ,playouts=N ,time=1s\n" +
			",threads=N or ,seed=N), greedy, beginner, joiner or random (simple players), \"gtp:COMMAND\" (a program that speaks the\n" +
			"protocol of `ayumu engine`) or \"codecup:COMMAND\" (" + codeCupGame() + ", with --game-time). With more than two\n" +
			"seats give two sides (the first takes one seat, the second all others) or one side for each seat.\n\n" +
			"Each opening is played with every rotation of the seats. A program that is late, plays an illegal\n" +
			"turn or exits loses the game. All programs are stopped at the end. Times are fair only if each running\n" +
			"game has its own processor core; so --at-once is 1 by default.",
		Example: "ayumu match level:5 level:4 --games 100\n" +
			"ayumu match level:5 greedy --game " + all[len(all)-1] + " --turn 1s --games 100\n" +
			"ayumu match level:5 \"codecup:./player\" --game-time 30s --games 200 --sprt 0,100",
		Args: cobra.MinimumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.complete(cmd, &c, args); err != nil {
				return err
			}
			ctx, stop := signal.NotifyContext(cmd.Context(), syscall.SIGINT, syscall.SIGTERM)
			defer stop()
			var recordErr error
			shown := newProgress(cmd.ErrOrStderr())
			c.Done = func(g *match.Game, t match.Tally) {
				if o.verbose {
					fmt.Fprintln(cmd.OutOrStdout(), c.Line(g))
				} else {
					shown.show(fmt.Sprintf("%d of %d games: +%d =%d -%d", t.Games(), c.Games, t.Wins, t.Draws, t.Losses))
				}
				if err := o.saveRecord(&c, g); err != nil && recordErr == nil {
					recordErr = err
				}
			}
			report, err := match.Run(ctx, c)
			shown.end()
			if report != nil && report.Tally.Games() > 0 {
				print := report.Print
				if o.json {
					print = func(w io.Writer) error { return json.NewEncoder(w).Encode(report) }
				}
				if err := print(cmd.OutOrStdout()); err != nil {
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
	f.StringVar(&o.game, "game", all[0], "which game: "+strings.Join(all, " or "))
	o.addOptionFlags(f)
	f.IntVarP(&c.Games, "games", "n", 100, "games")
	f.IntVar(&c.Opening, "opening", 0, "random turns before each game (default: "+defaultsByGame(func(d engine.MatchDefaults) int { return d.Opening })+"; none with the CodeCup's protocol)")
	f.Uint64Var(&c.Seed, "seed", 1, "random seed of openings and built-in players")
	f.DurationVar(&c.Turn, "turn", 0, "time for each turn")
	f.DurationVar(&c.GameTime, "game-time", 0, "time for all turns of a seat in a game")
	f.IntVar(&c.Playouts, "playouts", 0, "playouts of built-in players for each turn")
	f.DurationVar(&c.Grace, "grace", 500*time.Millisecond, "tolerance before a turn counts as late")
	f.DurationVar(&c.TurnTimeout, "turn-timeout", time.Minute, "time limit of a turn without --turn and --game-time")
	f.IntVar(&c.MaxTurns, "max-turns", 0, "score a game after this number of turns (default for each player: "+defaultsByGame(func(d engine.MatchDefaults) int { return d.Rounds })+")")
	f.IntVar(&c.AtOnce, "at-once", 1, "concurrent games")
	f.StringVar(&o.sprt, "sprt", "", "as elo0,elo1[,alpha,beta]: stop as soon as the test accepts one of the two")
	f.StringVar(&o.records, "records", "", "folder to which each game is written as a record")
	f.BoolVarP(&o.verbose, "verbose", "v", false, "print each game")
	f.BoolVar(&o.json, "json", false, "print the report as JSON")
	cmd.MarkFlagsMutuallyExclusive("verbose", "json")
	return cmd
}

// defaultsByGame lists a default of each game by its title, with "none" for 0.
func defaultsByGame(of func(engine.MatchDefaults) int) string {
	var all []string
	for _, g := range games.Rules() {
		text := "none"
		if n := of(engine.NewMatchDefaults(g)); n > 0 {
			text = strconv.Itoa(n)
		}
		all = append(all, g.Title()+" "+text)
	}
	return strings.Join(all, ", ")
}

// addOptionFlags adds the flags of the options of all games. Games may share a flag.
func (o *matchFlags) addOptionFlags(f *pflag.FlagSet) {
	o.options = make(map[string]string)
	for _, g := range games.Rules() {
		for _, option := range engine.NewMatchDefaults(g).Flags {
			help := fmt.Sprintf("%s: %s (default %s)", g.Title(), option.Help, option.Default)
			if known := f.Lookup(option.Name); known != nil {
				known.Usage += "; " + help
				continue
			}
			flag := f.VarPF(&optionValue{o.options, option}, option.Name, "", help)
			if flag.Value.Type() == "bool" {
				flag.NoOptDefVal = "true"
			}
		}
	}
}

// optionValue is the pflag.Value of a flag of an option.
type optionValue struct {
	given  map[string]string
	option engine.OptionFlag
}

// String returns no value, so that the help shows the defaults of the games instead.
func (v *optionValue) String() string { return "" }

func (v *optionValue) Type() string {
	if v.option.Default == "true" || v.option.Default == "false" {
		return "bool"
	}
	return "int"
}

func (v *optionValue) Set(text string) error {
	if v.Type() == "bool" {
		b, err := strconv.ParseBool(text)
		v.given[v.option.Name] = strconv.FormatBool(b)
		return err
	}
	n, err := strconv.Atoi(text)
	v.given[v.option.Name] = strconv.Itoa(n)
	return err
}

// complete fills in the configuration from the flags and the sides.
func (o *matchFlags) complete(cmd *cobra.Command, c *match.Config, args []string) error {
	var known bool
	if c.Game, known = games.Rules().ByName(o.game); !known {
		return fmt.Errorf("unknown game %q", o.game)
	}
	var err error
	if c.Options, err = engine.MatchOptions(c.Game, o.options); err != nil {
		return err
	}
	defaults := engine.NewMatchDefaults(c.Game)
	if !cmd.Flags().Changed("max-turns") {
		_, seats := c.Options.Seats()
		c.MaxTurns = defaults.Rounds * seats
	}
	opening := defaults.Opening
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
