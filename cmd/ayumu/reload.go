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
	"ayumu/server/access"
	"ayumu/server/front"
)

// listLook is how often the list of keys is looked at for a change.
const listLook = 2 * time.Second

// reload takes over changed settings on SIGHUP, and the list of keys whenever it changes, until
// ctx ends. What is wrong is told and changes nothing.
func reload(ctx context.Context, c config.Config, again func() (*config.Config, error), gate *access.Gate, club *atomic.Pointer[front.Club], logger *log.Logger) {
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
			var shown front.Club
			if err == nil {
				shown, err = fresh.Club.Front()
			}
			if err == nil {
				err = gate.SetPolicy(fresh.Access)
			}
			if err != nil {
				logger.Error("all settings stay as they were", "err", err)
				continue
			}
			live, restart := config.Changed(&c, fresh)
			logger.Info("settings have been read again", "taken", live, "at the next start", restart)
			c.Access, c.Club = fresh.Access, fresh.Club
			club.Store(&shown)
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
