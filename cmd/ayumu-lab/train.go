package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"ayumu/cmd/games"
	"ayumu/engine/search"
)

// trainTag says what the commands of this file need.
const trainTag = "Only a build with the tag train has this: go build -tags train ./cmd/ayumu-lab"

// engineThat returns the engine of a game as one that can do what T needs; what names it in the error of a build without
// the tag.
func engineThat[T search.Engine](name, what string) (e T, err error) {
	g, known := games.Rules().ByName(name)
	if !known {
		return e, fmt.Errorf("there is no game %q; the games are %s", name, strings.Join(games.Rules().Names(), " and "))
	}
	e, can := games.Engines()[g.Name()].(T)
	if !can {
		return e, fmt.Errorf("the engine of %s cannot %s in this build; go build -tags train ./cmd/ayumu-lab makes one with all that it can", g.Title(), what)
	}
	return e, nil
}

// untilSignal returns a context that ends at a signal. Those who use it finish what they are at; a second signal ends the
// program at once.
func untilSignal(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGINT, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}

func trainCommand() *cobra.Command {
	var c search.TrainConfig
	cmd := &cobra.Command{
		Use:   "train GAME FOLDER",
		Short: "Make the weights of an engine",
		Long: "Has the engine of GAME play against itself, and fits its networks to these games, in stages: each begins\n" +
			"with the networks of the one before. The files are written to FOLDER, which is made if it does not exist; copied to\n" +
			"the package of the engine, they are the weights of the next build. Everything but the time follows from the seed.\n\n" + trainTag,
		Example: "ayumu-lab train " + games.Rules().Default().Name() + " weights --scale 0.01",
		Args:    cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			trainer, err := engineThat[search.Trainer](args[0], "be trained")
			if err != nil {
				return err
			}
			if c.AtOnce < 1 || !(c.Scale > 0) {
				return errors.New("--at-once must be at least 1, and --scale more than 0")
			}
			c.Folder, c.Log = args[1], cmd.ErrOrStderr()
			if err := os.MkdirAll(c.Folder, 0o755); err != nil {
				return err
			}
			ctx, stop := untilSignal(cmd.Context())
			defer stop()
			return trainer.Train(ctx, c)
		},
	}
	f := cmd.Flags()
	f.Float64Var(&c.Scale, "scale", 1, "part of the games of each stage that are played")
	f.IntVar(&c.From, "from", 1, "first stage; a later one begins with the weights of the build, if the engine can")
	f.IntVar(&c.To, "to", 0, "last stage; 0: all")
	f.IntVar(&c.AtOnce, "at-once", runtime.NumCPU(), "games played at once")
	f.Uint64Var(&c.Seed, "seed", 1, "random seed")
	return cmd
}

func bookCommand() *cobra.Command {
	var c search.BookConfig
	cmd := &cobra.Command{
		Use:   "book GAME",
		Short: "Make the opening book of an engine",
		Long: "Searches the first positions of GAME with the weights of the build, and prints the book, which takes hours. In the\n" +
			"place of book.txt of the package of the engine it is the book of the next build.\n\n" + trainTag,
		Example: "ayumu-lab book " + games.Rules().Default().Name() + " >book.txt",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			maker, err := engineThat[search.BookMaker](args[0], "make a book")
			if err != nil {
				return err
			}
			if c.AtOnce < 1 || c.Playouts < 1 {
				return errors.New("--at-once and --playouts must be at least 1")
			}
			c.Log = cmd.ErrOrStderr()
			ctx, stop := untilSignal(cmd.Context())
			defer stop()
			made, err := maker.MakeBook(ctx, c)
			if err != nil {
				return err
			}
			_, err = io.WriteString(cmd.OutOrStdout(), made)
			return err
		},
	}
	f := cmd.Flags()
	f.IntVar(&c.Playouts, "playouts", 40_000, "playouts of each position")
	f.IntVar(&c.AtOnce, "at-once", runtime.NumCPU(), "positions searched at once")
	f.Uint64Var(&c.Seed, "seed", 1, "random seed")
	return cmd
}
