package main

import (
	"context"
	"errors"
	"net"
	"net/http"
	"time"

	"charm.land/log/v2"

	"ayumu/cmd/ayumu/metrics"
	"ayumu/lobby/guard"
	"ayumu/server/acceptor"
)

// observe serves metrics, health and profiles on an address until closeServer is called. It adds its own
// listener to source.AcceptFailures.
func observe(addr string, source metrics.Source, logger *log.Logger) (closeServer func(), err error) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, err
	}
	logger.Info("metrics", "addr", l.Addr())
	return serveMetrics(acceptor.New(l, "metrics", logger), source, logger), nil
}

func serveMetrics(l *acceptor.Listener, source metrics.Source, logger *log.Logger) (closeServer func()) {
	source.AcceptFailures["metrics"] = l.Failures
	h := &http.Server{ReadHeaderTimeout: 5 * time.Second, MaxHeaderBytes: 16 << 10, Handler: metrics.Handler(source)}
	guard.Go(reportPanic(logger, "metrics"), func() {
		if err := h.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			logger.Error("metrics", "err", err)
		}
	})
	return func() { h.Close() }
}

// healthCheck returns a function that returns an error if connections cannot be accepted, or data cannot
// be read or written.
func healthCheck(accepting func() error, data func(context.Context) error) func() error {
	return func() error {
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		defer cancel()
		return errors.Join(accepting(), data(ctx))
	}
}
