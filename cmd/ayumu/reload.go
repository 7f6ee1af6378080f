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
	"ayumu/lobby/club"
	"ayumu/lobby/guard"
	"ayumu/server"
	"ayumu/server/access"
	"ayumu/server/sshd"
)

// keyListInterval is the interval between checks of the key list for changes.
const keyListInterval = 2 * time.Second

// reloadable has everything that a reload can change.
type reloadable struct {
	authorizer *access.Authorizer
	club       *club.Club
	lobby      *lobby.Lobby
	server     *sshd.Server
	branding   *atomic.Pointer[server.Branding]
	logger     *log.Logger
}

// apply applies the settings that can change at runtime. On error nothing changes, unless the store has failed.
func (r reloadable) apply(ctx context.Context, c *config.Config) error {
	branding, err := c.Club.Branding()
	if err != nil {
		return err
	}
	if err := r.authorizer.SetPolicy(c.Access); err != nil {
		return err
	}
	if err := r.club.StoreAccess(ctx); err != nil {
		return err
	}
	r.branding.Store(&branding)
	r.lobby.SetLimits(c.Lobby)
	r.server.SetLimits(c.Limits)
	setLog(r.logger, c.Log)
	return nil
}

// reload applies changed settings on SIGHUP, and the key list whenever its file changes, until ctx ends.
// Invalid settings are logged and change nothing.
func reload(ctx context.Context, c config.Config, load func() (*config.Config, error), r reloadable) {
	hup := make(chan os.Signal, 1)
	signal.Notify(hup, syscall.SIGHUP)
	defer signal.Stop(hup)
	ticker := time.NewTicker(keyListInterval)
	defer ticker.Stop()
	l := reloader{reloadable: r, config: c, load: load, keyListStat: statFile(c.Access.KeyFile)}
	for {
		step := l.readKeys
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		case <-hup:
			step = func() { l.readSettings(ctx) }
		}
		if err := guard.Call(step); err != nil {
			reportPanic(r.logger, "reload")(err)
		}
	}
}

// reloader is the state of reload. It is confined to one goroutine.
type reloader struct {
	reloadable
	config      config.Config // as last applied
	load        func() (*config.Config, error)
	keyListStat fileStat // of the list of keys
}

// readKeys reads the key list if its file has changed.
func (r *reloader) readKeys() {
	now := statFile(r.authorizer.Policy().KeyFile)
	if now == r.keyListStat {
		return
	}
	r.keyListStat = now
	if err := r.authorizer.SetPolicy(r.authorizer.Policy()); err != nil {
		r.logger.Error("key list not reloaded", "err", err)
		return
	}
	r.logger.Info("key list reloaded")
}

// readSettings reads all settings and applies those that can change at runtime.
func (r *reloader) readSettings(ctx context.Context) {
	loaded, err := r.load()
	var live, restart []string
	if err == nil {
		live, restart = r.config.Changed(loaded)
		err = r.apply(ctx, loaded)
	}
	if err != nil {
		r.logger.Error("settings not reloaded", "err", err)
		return
	}
	r.logger.Info("settings reloaded", "applied", live, "need_restart", restart, "access", loaded.Access.WhoMayConnect())
	if err := r.config.CopyReloadable(loaded); err != nil {
		r.logger.Error("later reloads may report wrong differences", "err", err)
	}
	r.keyListStat = statFile(r.config.Access.KeyFile)
}

// fileStat identifies a version of a file.
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
