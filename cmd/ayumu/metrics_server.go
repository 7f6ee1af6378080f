package main

import (
	"context"
	"errors"
	"net"
	"net/http"
	"sync/atomic"
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

// serveHealth serves /health alone on an address until closeServer is called. Its listener is added to failures.
func serveHealth(addr string, healthy func() error, failures map[string]func() uint64, logger *log.Logger) (closeServer func(), err error) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, err
	}
	logger.Info("health", "addr", l.Addr())
	accepted := acceptor.New(l, "health", logger)
	failures["health"] = accepted.Failures
	const timeout = 5 * time.Second // anybody may be able to connect
	h := &http.Server{ReadTimeout: timeout, WriteTimeout: timeout, MaxHeaderBytes: 4 << 10, Handler: metrics.HealthHandler(healthy)}
	h.SetKeepAlivesEnabled(false)
	guard.Go(reportPanic(logger, "health"), func() {
		if err := h.Serve(accepted); !errors.Is(err, http.ErrServerClosed) {
			logger.Error("health", "err", err)
		}
	})
	return func() { h.Close() }, nil
}

// errDraining is the error of a server that is stopping.
var errDraining = errors.New("the server is shutting down")

// healthCheck returns a function that returns an error if the server is stopping, if connections cannot be accepted,
// or if data cannot be read or written.
func healthCheck(draining *atomic.Bool, accepting func() error, data func(context.Context) error) func() error {
	return func() error {
		if draining.Load() {
			return errDraining
		}
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		defer cancel()
		return errors.Join(accepting(), data(ctx))
	}
}
