package main

import (
	"context"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"

	"charm.land/log/v2"

	"ayumu/cmd/ayumu/config"
	"ayumu/cmd/games"
	"ayumu/engine/puzzle"
	"ayumu/lobby/guard"
	"ayumu/lobby/puzzles"
	"ayumu/lobby/puzzles/generate"
	"ayumu/lobby/store"
	"ayumu/server"
)

// openPuzzles gives a handler the puzzles that ship with the program and those that the server has found, and searches
// further matches for puzzles in the hours of the settings, until the function is called that it returns.
func openPuzzles(ctx context.Context, c *config.Config, h *server.Handler, db store.Store, logger *log.Logger) (stop func(), err error) {
	shipped, err := games.Puzzles()
	if err != nil {
		return nil, err
	}
	var current atomic.Pointer[puzzles.Collection]
	current.Store(shipped)
	h.Puzzles, h.PuzzleStore = current.Load, db
	onChange := func(found []puzzle.Puzzle) { current.Store(shipped.With(found)) }
	found, err := db.AddedPuzzles(ctx)
	if err != nil {
		return nil, err
	}
	onChange(found)
	if c.Puzzles == (generate.Hours{}) {
		return func() {}, nil
	}
	w := generate.Worker{
		Store: db, Node: c.Node, Games: games.Rules(), Themes: games.Themes(), Engines: games.Engines(), Hours: c.Puzzles, IsIdle: isIdle, OnChange: onChange,
		Shipped: func(id string) bool { _, err := shipped.ByID(id); return err == nil },
		OnFound: func(match string, puzzles int) { logger.Info("found puzzles", "match", match, "puzzles", puzzles) },
		ReportError: func(match string, err error) {
			logger.Error("a match cannot be searched for puzzles", "match", match, "err", err)
		},
	}
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	guard.Go(func(err error) { logger.Error("searching matches for puzzles", "err", err) }, func() {
		defer close(done)
		w.Run(ctx)
	})
	return func() {
		cancel()
		<-done
	}, nil
}

// idleLoad is the load of a processor below which the machine counts as idle.
const idleLoad = 0.5

// isIdle reports whether the load of the last minute, without own of it, is below idleLoad for each processor. It
// returns false on systems that do not have it in /proc/loadavg.
func isIdle(own float64) bool {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return false
	}
	load, err := strconv.ParseFloat(strings.Fields(string(text) + " x")[0], 64)
	return err == nil && load-own < idleLoad*float64(runtime.NumCPU())
}
