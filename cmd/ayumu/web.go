package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"

	"charm.land/log/v2"

	"ayumu/cmd/ayumu/config"
	"ayumu/lobby/guard"
	"ayumu/server"
	"ayumu/server/acceptor"
	"ayumu/server/web"
)

// webPages is the server of the web pages. The zero value is one that serves none.
type webPages struct {
	server         *web.Server
	stats          func() web.Stats
	acceptFailures map[string]func() uint64
	logger         *log.Logger
}

// startWeb serves the web pages, if the settings have an address for them, and lets the screens show their addresses.
func startWeb(c *config.Config, h *server.Handler, logger *log.Logger) (webPages, error) {
	if c.Web.Listen == "" {
		return webPages{}, nil
	}
	tlsConfig, err := c.Web.TLS()
	if err != nil {
		return webPages{}, fmt.Errorf("web: %w", err)
	}
	l, err := net.Listen("tcp", c.Web.Listen)
	if err != nil {
		return webPages{}, fmt.Errorf("web: %w", explainListen(err))
	}
	logger.Info("web pages", "addr", l.Addr(), "url", c.Web.URL)
	accepted := acceptor.New(l, "web", logger)
	s := web.New(web.Config{
		Lobby: h.Lobby, Games: h.Games, Bots: h.Bots, Puzzles: h.Puzzles, Pictures: h.Pictures, Authorizer: h.Authorizer,
		Site: func() string { return h.Branding().Name }, SSHTarget: h.SSHTarget, URL: c.Web.PublicURL(), Proxies: c.Web.ProxyPrefixes(), TLS: tlsConfig,
		MaxRequests: c.Limits.Connections, MaxRequestsPerAddress: c.Limits.ConnectionsPerAddress, Logger: logger,
	})
	guard.Go(reportPanic(logger, "web pages"), func() {
		if err := s.Serve(accepted); !errors.Is(err, http.ErrServerClosed) {
			logger.Error("web pages", "err", err)
		}
	})
	return webPages{s, s.Stats, map[string]func() uint64{"web": accepted.Failures}, logger}, nil
}

// webURL is the public address of the web pages as screens show it; "" if there are none.
func webURL(c *config.Config) string {
	if c.Web.Listen == "" {
		return ""
	}
	return strings.TrimSuffix(c.Web.URL, "/")
}

// drain ends the streams of the web pages, and cuts off other requests after limit. It does not wait: clients that do not
// read their answers delay nobody. The result is closed in the end.
func (w webPages) drain(ctx context.Context, limit time.Duration) (ended <-chan struct{}) {
	done := make(chan struct{})
	if w.server == nil {
		close(done)
		return done
	}
	guard.Go(reportPanic(w.logger, "web pages"), func() {
		defer close(done)
		ctx, cancel := context.WithTimeout(ctx, limit)
		defer cancel()
		_ = w.server.Shutdown(ctx)
	})
	return done
}

func (w webPages) close() { <-w.drain(context.Background(), 0) }
