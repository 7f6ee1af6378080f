package main

import (
	"context"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"charm.land/log/v2"

	"ayumu/cmd/ayumu/config"
	"ayumu/lobby"
	"ayumu/server"
	"ayumu/server/access"
	"ayumu/server/front"
)

// listLook is how often the list of keys is looked at for a change.
const listLook = 2 * time.Second

// running is what a reload can change.
type running struct {
	gate   *access.Gate
	lobby  *lobby.Lobby
	server *server.Server
	club   *atomic.Pointer[front.Club]
	logger *log.Logger
}

// take takes over what can change while the server runs. After an error all is as it was.
func (r running) take(c *config.Config) error {
	shown, err := c.Club.Front()
	if err != nil {
		return err
	}
	if err := r.gate.SetPolicy(c.Access); err != nil {
		return err
	}
	r.club.Store(&shown)
	r.lobby.SetLimits(c.Lobby)
	r.server.SetLimits(c.Limits)
	setLog(r.logger, c.Log)
	return nil
}

// reload takes over changed settings on SIGHUP, and the list of keys whenever it changes, until
// ctx ends. What is wrong is told and changes nothing.
func reload(ctx context.Context, c config.Config, again func() (*config.Config, error), r running) {
	gate, logger := r.gate, r.logger
	hup := make(chan os.Signal, 1)
	signal.Notify(hup, syscall.SIGHUP)
	defer signal.Stop(hup)
	look := time.NewTicker(listLook)
	defer look.Stop()
	seen := fileState(c.Access.Keys)
	for {
		select {
		case <-ctx.Done():
			return
		case <-look.C:
			now := fileState(gate.Policy().Keys)
			if now == seen {
				continue
			}
			seen = now
			if err := gate.SetPolicy(gate.Policy()); err != nil {
				logger.Error("the list of keys stays as it was", "err", err)
				continue
			}
			logger.Info("the list of keys has been read again")
		case <-hup:
			fresh, err := again()
			var live, restart []string
			if err == nil {
				live, restart = config.Changed(&c, fresh)
				err = r.take(fresh)
			}
			if err != nil {
				logger.Error("all settings stay as they were", "err", err)
				continue
			}
			logger.Info("settings have been read again", "taken", live, "at the next start", restart)
			if err := config.Take(&c, fresh); err != nil {
				logger.Error("settings are compared wrongly from now on", "err", err)
			}
			seen = fileState(c.Access.Keys)
		}
	}
}

// state is what changes when a file does.
type state struct {
	size int64
	at   time.Time
}

func fileState(file string) state {
	info, err := os.Stat(file)
	if err != nil {
		return state{}
	}
	return state{info.Size(), info.ModTime()}
}
