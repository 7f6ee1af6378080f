package main

import (
	"charm.land/log/v2"

	"ayumu/cmd/ayumu/config"
	"ayumu/lobby/bus"
	"ayumu/lobby/cluster"
	"ayumu/lobby/store"
)

// shareable is a store that several nodes can use.
type shareable interface{ Cluster() cluster.Store }

// nodeConfig returns what makes this process a node; nil if its store is not one that nodes share.
func nodeConfig(c *config.Config, db store.Store, logger *log.Logger) *cluster.Config {
	shared, ok := db.(shareable)
	if !ok {
		return nil
	}
	node := &cluster.Config{Name: c.NodeName(), Store: shared.Cluster()}
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
