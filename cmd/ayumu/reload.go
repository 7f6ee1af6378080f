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
	"ayumu/lobby/guard"
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
// ctx ends. What is wrong is logged and changes nothing.
func reload(ctx context.Context, c config.Config, again func() (*config.Config, error), r running) {
	hup := make(chan os.Signal, 1)
	signal.Notify(hup, syscall.SIGHUP)
	defer signal.Stop(hup)
	look := time.NewTicker(listLook)
	defer look.Stop()
	l := reloader{running: r, config: c, again: again, seen: fileState(c.Access.Keys)}
	for {
		step := l.readKeys
		select {
		case <-ctx.Done():
			return
		case <-look.C:
		case <-hup:
			step = l.readSettings
		}
		if err := guard.Call(step); err != nil {
			reportPanic(r.logger, "reloading")(err)
		}
	}
}

// reloader is the state of reload. Only its goroutine uses it.
type reloader struct {
	running
	config config.Config // as it was taken over last
	again  func() (*config.Config, error)
	seen   state // of the list of keys
}

// readKeys reads the list of keys if its file has changed.
func (r *reloader) readKeys() {
	now := fileState(r.gate.Policy().Keys)
	if now == r.seen {
		return
	}
	r.seen = now
	if err := r.gate.SetPolicy(r.gate.Policy()); err != nil {
		r.logger.Error("the list of keys stays as it was", "err", err)
		return
	}
	r.logger.Info("the list of keys has been read again")
}

// readSettings reads all settings and takes over those that can change while the server runs.
func (r *reloader) readSettings() {
	fresh, err := r.again()
	var live, restart []string
	if err == nil {
		live, restart = config.Changed(&r.config, fresh)
		err = r.take(fresh)
	}
	if err != nil {
		r.logger.Error("all settings stay as they were", "err", err)
		return
	}
	r.logger.Info("settings have been read again", "taken", live, "at the next start", restart)
	if err := config.Take(&r.config, fresh); err != nil {
		r.logger.Error("settings are compared wrongly from now on", "err", err)
	}
	r.seen = fileState(r.config.Access.Keys)
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
