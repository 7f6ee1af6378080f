package main

import (
	"context"
	"fmt"
	"time"

	"charm.land/log/v2"

	"ayumu/cmd/ayumu/config"
	"ayumu/lobby/bus"
	"ayumu/lobby/cluster"
	"ayumu/lobby/store"
)

// databaseLimit is how long a node can be without its database and still be healthy.
const databaseLimit = 10 * time.Second

// nodeStore is a store that several nodes can use.
type nodeStore interface {
	// Cluster returns what nodes need of the store.
	Cluster() cluster.Store
	// Now returns the time by the clock of the store, which is that of all nodes.
	Now(ctx context.Context) (time.Time, error)
}

// nodeConfig returns what makes this process a node; nil if its store is not one that nodes share.
func nodeConfig(c *config.Config, db store.Store, reporter *statusReporter, logger *log.Logger) *cluster.Config {
	shared, ok := db.(nodeStore)
	if !ok {
		return nil
	}
	node := &cluster.Config{Name: reporter.name, Store: shared.Cluster(), Describe: reporter.info}
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
		n := srv.EndSessions("This server has lost its database. Your games are saved; connect again to reach another server.")
		if !ended {
			logger.Error("this node ends its sessions", "sessions", n, "err", err)
		}
		ended = true
	}
}
