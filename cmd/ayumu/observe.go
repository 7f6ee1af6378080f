package main

import (
	"context"
	"errors"
	"net"
	"net/http"
	"time"

	"charm.land/log/v2"

	"ayumu/cmd/ayumu/metrics"
	"ayumu/lobby"
	"ayumu/lobby/store"
	"ayumu/server"
	"ayumu/server/access"
)

// observe serves metrics and health on an address until it is closed.
func observe(addr string, srv *server.Server, l *lobby.Lobby, gate *access.Gate, kept *store.SQLite, logger *log.Logger) (closeIt func(), err error) {
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, err
	}
	h := &http.Server{ReadHeaderTimeout: 5 * time.Second, MaxHeaderBytes: 16 << 10, Handler: metrics.Handler(metrics.Source{
		Server: srv.Stats, Lobby: l, Hits: []*lobby.Hits{&l.Hits, &gate.Hits}, Healthy: func() error {
			ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
			defer cancel()
			_, err := kept.Audit(ctx, 1)
			return err
		},
	})}
	logger.Info("metrics", "addr", listener.Addr())
	go func() {
		if err := h.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			logger.Error("metrics", "err", err)
		}
	}()
	return func() { h.Close() }, nil
}
