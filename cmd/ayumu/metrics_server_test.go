package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"charm.land/log/v2"

	"ayumu/cmd/ayumu/metrics"
	"ayumu/lobby/club"
	"ayumu/lobby/lobbytest"
	"ayumu/lobby/notify"
	"ayumu/server/acceptor"
	"ayumu/server/servertest"
	"ayumu/server/sshd"
)

// exhausted is a listener whose first accepts fail for lack of file descriptors.
type exhausted struct {
	net.Listener
	fails atomic.Int32 // still to come
}

func (l *exhausted) Accept() (net.Conn, error) {
	if l.fails.Add(-1) >= 0 {
		return nil, &net.OpError{Op: "accept", Err: syscall.EMFILE}
	}
	return l.Listener.Accept()
}

// source returns the metrics source of an empty lobby.
func source(t *testing.T) metrics.Source {
	t.Helper()
	return metrics.Source{Lobby: lobbytest.Open(t), Server: func() sshd.Stats { return sshd.Stats{} }, WriteFailures: func() uint64 { return 3 }, Notifications: (*notify.Service)(nil).Counts,
		AcceptFailures: map[string]func() uint64{}, Healthy: func() error { return nil }}
}

// TestMetricsOutliveFailedAccepts checks that the metrics server survives failed accepts.
func TestMetricsOutliveFailedAccepts(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	inner := &exhausted{Listener: l}
	inner.fails.Store(5)
	var logs servertest.Buffer
	closeIt := serveMetrics(acceptor.New(inner, "metrics", log.New(&logs)), source(t), log.New(&logs))
	defer closeIt()
	r, err := http.Get("http://" + l.Addr().String() + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	says, err := io.ReadAll(r.Body)
	for _, want := range []string{`ayumu_accept_failures_total{listener="metrics"} 5`, "ayumu_write_failures_total 3"} {
		if err != nil || !strings.Contains(string(says), want) {
			t.Errorf("the metrics lack %s: %v", want, err)
		}
	}
	if n := strings.Count(logs.String(), "cannot accept connections"); n != 1 {
		t.Errorf("the failure is logged %d times:\n%s", n, &logs)
	}
}

// TestAdminOutlivesFailedAccepts checks that the admin socket survives failed accepts.
func TestAdminOutlivesFailedAccepts(t *testing.T) {
	db := lobbytest.Store(t)
	club, err := club.New(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("unix", filepath.Join(t.TempDir(), "s"))
	if err != nil {
		t.Fatal(err)
	}
	inner := &exhausted{Listener: l}
	inner.fails.Store(5)
	var logs servertest.Buffer
	logger := log.New(&logs)
	accepted := acceptor.New(inner, "admin socket", logger)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		adminServer{club.Moderator(operator), club.Manager(operator), &club.Bulletin, "", logger, func() (s clusterStatus) { return s }, func() error { return nil }}.serve(t.Context(), accepted)
	}()
	c, err := net.Dial("unix", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	fmt.Fprintln(c, `["help"]`)
	var answer adminAnswer
	if err := json.NewDecoder(c).Decode(&answer); err != nil || answer.Out == "" {
		t.Errorf("%+v, %v", answer, err)
	}
	if n := accepted.Failures(); n != 5 {
		t.Errorf("%d failures are counted, want 5", n)
	}
	accepted.Close()
	<-ended
}

// TestHealthSaysWhatIsWrong checks the health of servers that cannot accept or cannot write.
func TestHealthSaysWhatIsWrong(t *testing.T) {
	accepting, data := error(nil), error(nil)
	var draining atomic.Bool
	s := source(t)
	s.Healthy = healthCheck(&draining, func() error { return accepting }, func(context.Context) error { return data })
	handler := metrics.Handler(s)
	for _, tt := range []struct {
		accepting, data error
		status          int
		says            string
	}{
		{nil, nil, http.StatusOK, "ok\n"},
		{errors.New("no files"), nil, http.StatusServiceUnavailable, "no files\n"},
		{nil, errors.New("disk full"), http.StatusServiceUnavailable, "disk full\n"},
		{errors.New("no files"), errors.New("disk full"), http.StatusServiceUnavailable, "no files\ndisk full\n"},
	} {
		accepting, data = tt.accepting, tt.data
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequest("GET", "/health", nil))
		served := httptest.NewServer(handler)
		out, err := run(t, healthCommand(), "", served.URL+"/health")
		served.Close()
		if healthy := tt.status == http.StatusOK; healthy != (err == nil) || healthy != (out == "ok\n") {
			t.Errorf("%v, %v: ayumu health prints %q, %v", tt.accepting, tt.data, out, err)
		}
		if w.Code != tt.status || !bytes.Equal(w.Body.Bytes(), []byte(tt.says)) {
			t.Errorf("%v, %v: %d %q", tt.accepting, tt.data, w.Code, w.Body)
		}
	}
	accepting, data = nil, nil
	draining.Store(true)
	if err := s.Healthy(); !errors.Is(err, errDraining) {
		t.Errorf("while the server shuts down: %v", err)
	}
}

// TestAdminAloneShowsItsHelp runs admin without a command and without a server.
func TestAdminAloneShowsItsHelp(t *testing.T) {
	out, err := run(t, adminCommand(), "", "--data", t.TempDir())
	if err != nil || !strings.Contains(out, "ayumu admin help") {
		t.Errorf("%q, %v", out, err)
	}
}

// TestHealthNeedsAServer checks health without a server and with invalid URLs.
func TestHealthNeedsAServer(t *testing.T) {
	for at, want := range map[string]string{"http://127.0.0.1:1/health": "metrics.listen", "127.0.0.1:9222": "is not a URL"} {
		if _, err := run(t, healthCommand(), "", at); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", at, err, want)
		}
	}
}

// TestHealthAsksTheServerOfTheDataFolder, which needs no open port.
func TestHealthAsksTheServerOfTheDataFolder(t *testing.T) {
	for _, health := range []error{nil, errDraining} {
		dir := t.TempDir()
		socket, err := listenAdmin(t.Context(), filepath.Join(dir, adminSocket), adminServer{logger: log.New(io.Discard), healthy: func() error { return health }})
		if err != nil {
			t.Fatal(err)
		}
		defer socket.Close()
		out, err := run(t, healthCommand(), "", "--data", dir)
		switch {
		case health == nil && (err != nil || out != "ok\n"):
			t.Errorf("a healthy server: %q, %v", out, err)
		case health != nil && (err == nil || err.Error() != "unhealthy: the server is shutting down"):
			t.Errorf("a server that is shutting down: %q, %v", out, err)
		}
	}
}
