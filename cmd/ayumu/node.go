package main

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"charm.land/log/v2"

	"ayumu/cmd/ayumu/config"
	"ayumu/lobby"
	"ayumu/lobby/bus"
	"ayumu/lobby/cluster"
	"ayumu/lobby/store"
	"ayumu/server/sshd"
)

// databaseLimit is how long a node can be without its database and still be healthy.
const databaseLimit = 10 * time.Second

// shareable is a store that several nodes can use.
type shareable interface{ Cluster() cluster.Store }

// nodeConfig returns what makes this process a node; nil if its store is not one that nodes share.
func nodeConfig(c *config.Config, db store.Store, p *running, logger *log.Logger) *cluster.Config {
	shared, ok := db.(shareable)
	if !ok {
		return nil
	}
	node := &cluster.Config{Name: p.name, Store: shared.Cluster(), Describe: p.info}
	if c.NATS.URL != "" {
		node.OpenBus = func(h bus.Handler) (bus.Bus, error) {
			return bus.OpenNATS(bus.NATSConfig{
				URL: c.NATS.URL, Prefix: c.NATS.Prefix, Node: node.Name, Credentials: c.NATS.Credentials,
				CA: c.NATS.CA, Certificate: c.NATS.Certificate, Key: c.NATS.Key,
				Report: func(msg string, keyvals ...any) { logger.Warn(msg, keyvals...) },
			}, h)
		}
	}
	logger.Info("node", "name", node.Name, "nats", node.OpenBus != nil)
	return node
}

// running describes this process for `ayumu status`, here and on other nodes. Any goroutine may use it.
type running struct {
	name    string
	started time.Time
	parts   atomic.Pointer[runningParts] // nil until the server listens
}

// runningParts are the parts of a server that describe it.
type runningParts struct {
	lobby   *lobby.Lobby
	server  func() sshd.Stats
	address string
}

// info returns what the process is doing.
func (r *running) info() cluster.Info {
	i := cluster.Info{Started: r.started, Version: version()}
	if p := r.parts.Load(); p != nil {
		i.Address, i.Sessions, i.Matches = p.address, p.server().Sessions, p.lobby.MatchCount()
	}
	return i
}

// status returns the status of all nodes, or of the only one.
func (r *running) status() []cluster.Status {
	if p := r.parts.Load(); p != nil && p.lobby.Node() != nil {
		return p.lobby.Node().Nodes()
	}
	return []cluster.Status{{Name: r.name, Info: r.info(), BeatAt: time.Now(), IsAlive: true}}
}

// databaseCheck returns an error while a node has been without its database for longer than databaseLimit.
func databaseCheck(node *cluster.Node) error {
	if since := node.SinceBeat(); since > databaseLimit {
		return fmt.Errorf("no database for %d s", int(since.Seconds()))
	}
	return nil
}

// endStranded ends all sessions of a node without its database, so that their users reconnect to another, until ctx
// ends. If there was no other node the sessions stay: play goes on when the database is back.
func endStranded(ctx context.Context, node *cluster.Node, srv interface{ EndSessions(notice string) int }, logger *log.Logger) {
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	ended := false
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		err := databaseCheck(node)
		if err == nil {
			ended = false
			continue
		}
		if node.IsAlone() {
			continue
		}
		n := srv.EndSessions("This server has lost its database. Your games are saved: connect again, and you reach another.")
		if !ended {
			logger.Error("this node ends its sessions", "sessions", n, "err", err)
		}
		ended = true
	}
}
