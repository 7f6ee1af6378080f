package main

import (
	"bytes"
	stdlog "log"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"

	"charm.land/log/v2"
	"charm.land/ssh"
	gossh "golang.org/x/crypto/ssh"
)

// syncBuffer is a buffer for several goroutines.
type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// TestPanicsInLibrariesReachTheLog: a panic that the SSH library or net/http recovers is in the operator's log exactly once.
func TestPanicsInLibrariesReachTheLog(t *testing.T) {
	before, output, flags := slog.Default(), stdlog.Writer(), stdlog.Flags()
	defer func() {
		slog.SetDefault(before)
		stdlog.SetOutput(output)
		stdlog.SetFlags(flags)
		slog.SetLogLoggerLevel(slog.LevelInfo)
	}()
	out := new(syncBuffer)
	l := log.NewWithOptions(out, log.Options{Level: log.ErrorLevel})
	l.SetFormatter(log.LogfmtFormatter)
	receiveDefaultLogs(l)
	listen := func() net.Listener {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		return listener
	}

	sshd, listener := &ssh.Server{ConnCallback: func(ssh.Context, net.Conn) net.Conn { panic("in the SSH library") }}, listen()
	go sshd.Serve(listener)
	defer sshd.Close()
	if _, err := gossh.Dial("tcp", listener.Addr().String(), &gossh.ClientConfig{HostKeyCallback: gossh.InsecureIgnoreHostKey()}); err == nil {
		t.Error("a connection that has panicked goes on")
	}

	web, listener := &http.Server{Handler: http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("in net/http") })}, listen()
	go web.Serve(listener)
	defer web.Close()
	if r, err := http.Get("http://" + listener.Addr().String()); err == nil {
		r.Body.Close()
		t.Error("a request that has panicked has an answer")
	}

	for _, panicked := range []string{"in the SSH library", "in net/http"} {
		found := 0
		for line := range strings.Lines(out.String()) {
			if strings.HasPrefix(line, "level=error ") && strings.Contains(line, panicked) {
				found++
			}
		}
		if found != 1 {
			t.Errorf("the log has the panic %s in %d lines:\n%s", panicked, found, out)
		}
	}
}
