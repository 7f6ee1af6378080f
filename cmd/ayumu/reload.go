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
	"ayumu/server/sshd"
)

// keyListInterval is how often the list of keys is looked at for a change.
const keyListInterval = 2 * time.Second

// reloadable is what a reload can change.
type reloadable struct {
	authorizer *access.Authorizer
	lobby      *lobby.Lobby
	server     *sshd.Server
	branding   *atomic.Pointer[server.Branding]
	logger     *log.Logger
}

// apply takes over what can change while the server runs. After an error all is as it was.
func (r reloadable) apply(c *config.Config) error {
	shown, err := c.Club.Branding()
	if err != nil {
		return err
	}
	if err := r.authorizer.SetPolicy(c.Access); err != nil {
		return err
	}
	r.branding.Store(&shown)
	r.lobby.SetLimits(c.Lobby)
	r.server.SetLimits(c.Limits)
	setLog(r.logger, c.Log)
	return nil
}

// reload takes over changed settings on SIGHUP, and the list of keys whenever it changes, until
// ctx ends. What is wrong is logged and changes nothing.
func reload(ctx context.Context, c config.Config, again func() (*config.Config, error), r reloadable) {
	hup := make(chan os.Signal, 1)
	signal.Notify(hup, syscall.SIGHUP)
	defer signal.Stop(hup)
	look := time.NewTicker(keyListInterval)
	defer look.Stop()
	l := reloader{reloadable: r, config: c, load: again, keyListStat: statFile(c.Access.KeyFile)}
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
	reloadable
	config      config.Config // as it was taken over last
	load        func() (*config.Config, error)
	keyListStat fileStat // of the list of keys
}

// readKeys reads the list of keys if its file has changed.
func (r *reloader) readKeys() {
	now := statFile(r.authorizer.Policy().KeyFile)
	if now == r.keyListStat {
		return
	}
	r.keyListStat = now
	if err := r.authorizer.SetPolicy(r.authorizer.Policy()); err != nil {
		r.logger.Error("the list of keys stays as it was", "err", err)
		return
	}
	r.logger.Info("the list of keys has been read again")
}

// readSettings reads all settings and takes over those that can change while the server runs.
func (r *reloader) readSettings() {
	fresh, err := r.load()
	var live, restart []string
	if err == nil {
		live, restart = config.Changed(&r.config, fresh)
		err = r.apply(fresh)
	}
	if err != nil {
		r.logger.Error("all settings stay as they were", "err", err)
		return
	}
	r.logger.Info("settings have been read again", "taken", live, "at the next start", restart)
	if err := config.CopyReloadable(&r.config, fresh); err != nil {
		r.logger.Error("settings are compared wrongly from now on", "err", err)
	}
	r.keyListStat = statFile(r.config.Access.KeyFile)
}

// fileStat is what changes when a file does.
type fileStat struct {
	size int64
	at   time.Time
}

func statFile(file string) fileStat {
	info, err := os.Stat(file)
	if err != nil {
		return fileStat{}
	}
	return fileStat{info.Size(), info.ModTime()}
}
