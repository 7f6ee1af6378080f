package web

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/lobby/table"
)

// pipeListener is a listener of connections without buffers: what the server writes waits until the client reads it, as it does
// with a client that has not read for so long that all buffers on the way are full.
type pipeListener struct {
	conns  chan net.Conn
	closed chan struct{}
}

func newPipeListener() *pipeListener {
	return &pipeListener{make(chan net.Conn), make(chan struct{})}
}

// pipeConn is a connection with an address.
type pipeConn struct {
	net.Conn
	addr *net.TCPAddr
}

func (c pipeConn) RemoteAddr() net.Addr { return c.addr }

func (l *pipeListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *pipeListener) Close() error {
	close(l.closed)
	return nil
}

func (l *pipeListener) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 80} }

// dial opens a connection from an address that ends in n.
func (l *pipeListener) dial(h *harness, n byte) net.Conn {
	h.t.Helper()
	client, server := net.Pipe()
	h.t.Cleanup(func() { client.Close() })
	l.conns <- pipeConn{server, &net.TCPAddr{IP: net.IPv4(192, 0, 2, n), Port: 1000}}
	return client
}

// stream opens a stream from an address that ends in n, and reads its beginning.
func (l *pipeListener) stream(h *harness, path string, n byte) *stream {
	h.t.Helper()
	client := l.dial(h, n)
	if _, err := fmt.Fprintf(client, "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n", path); err != nil {
		h.t.Fatal(err)
	}
	resp, err := http.ReadResponse(bufio.NewReader(client), nil)
	if err != nil || resp.StatusCode != http.StatusOK {
		h.t.Fatal(resp, err)
	}
	s := &stream{h.t, resp.Body, bufio.NewScanner(resp.Body)}
	for s.lines.Scan() && s.lines.Text() != "" { // the time after which a browser connects again
	}
	synctest.Wait()
	return s
}

// TestSlowClientsAreClosed has clients that send nothing, never end their headers or a body, or read no answer. Each is closed
// by its deadline and not before, and its answer, if it gets one, is a refusal.
func TestSlowClientsAreClosed(t *testing.T) {
	for name, c := range map[string]struct {
		request string
		limit   time.Duration
		reads   bool
		want    string
	}{
		"nothing":         {"", headerTimeout, true, ""},
		"half a line":     {"GET / HT", headerTimeout, true, "HTTP/1.1 400 "},
		"half of headers": {"GET / HTTP/1.1\r\nHost: localhost\r\nX: ", headerTimeout, true, ""},
		"half a body":     {"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nabc", readTimeout, true, "HTTP/1.1 413 "},
		"half a chunk":    {"GET / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nff\r\nabc", readTimeout, true, "HTTP/1.1 413 "},
		"reads no page":   {"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", writeTimeout, false, ""},
		"no next request": {"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n", idleTimeout, true, "HTTP/1.1 200 "},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h, l := openLobby(t), newPipeListener()
				closed := make(chan time.Duration, 1)
				h.serveOn(l, nil)
				began := time.Now()
				client, server := net.Pipe()
				defer client.Close()
				l.conns <- closeReporter{pipeConn{server, &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1), Port: 1000}}, sync.OnceFunc(func() { closed <- time.Since(began) })}
				go func() { _, _ = io.WriteString(client, c.request) }()
				answer := ""
				if c.reads {
					all, _ := io.ReadAll(client)
					answer = string(all)
				}
				if took := <-closed; took < c.limit || took > c.limit+time.Second {
					t.Errorf("closed after %v, not %v", took, c.limit)
				}
				if !strings.HasPrefix(answer, c.want) || c.want == "" && answer != "" {
					t.Errorf("%q", answer)
				}
			})
		})
	}
}

// closeReporter is a connection that reports its end.
type closeReporter struct {
	net.Conn
	closed func()
}

func (c closeReporter) Close() error {
	c.closed()
	return c.Conn.Close()
}

// TestReaderThatNeverReadsIsEnded has two readers whose buffers are full. Others get each turn at once; nothing accumulates for
// the two; one that reads again in time gets the newest position, and the other is ended by the deadline of a write.
func TestReaderThatNeverReadsIsEnded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, l := openLobby(t), newPipeListener()
		h.serveOn(l, nil)
		id := h.start(table.Proposal{Game: "ayu", Options: []byte(`{"size":15,"pie":false}`)})
		path := "/m/" + id + "/events"
		late, never, quick := l.stream(h, path, 1), l.stream(h, path, 2), l.stream(h, path, 3)
		began, goroutines := time.Now(), 0
		const turns = maxBehind + 20
		for version := 1; version <= turns; version++ {
			h.play(id, 1)
			quick.want("turn", version)
			synctest.Wait()
			if version == 1 {
				goroutines = runtime.NumGoroutine()
			}
		}
		if d := time.Since(began); d != 0 {
			t.Errorf("a reader that keeps up was delayed by %v", d)
		}
		if n := runtime.NumGoroutine(); n > goroutines+4 { // of the lobby and its store
			t.Errorf("%d goroutines after the first turn and %d after %d turns", goroutines, n, turns)
		}
		if s := h.s.Stats(); s.Streams != 3 || s.Events != turns || s.Skipped != 0 {
			t.Errorf("while two do not read: %+v", s)
		}
		<-time.After(writeTimeout - time.Second)
		synctest.Wait()
		if n := h.s.Stats().Streams; n != 3 {
			t.Errorf("%d streams before the deadline", n)
		}
		late.want("turn", 1) // was being written
		late.want("turn", turns)
		synctest.Wait()
		if s := h.s.Stats(); s.Skipped != turns-2 {
			t.Errorf("a reader that was too far behind: %+v", s)
		}
		<-time.After(time.Second)
		synctest.Wait()
		if n := h.s.Stats().Streams; n != 2 {
			t.Errorf("%d streams after the deadline of a write", n)
		}
		if e, ok := never.next(); ok {
			t.Errorf("a reader that was cut off gets %+v", e)
		}
		h.play(id, 1)
		late.want("turn", turns+1)
		quick.want("turn", turns+1)
	})
}

// TestDrainDoesNotWaitForReaders ends a server one of whose readers does not read, and one reads.
func TestDrainDoesNotWaitForReaders(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, l := openLobby(t), newPipeListener()
		h.serveOn(l, nil)
		id := h.start(table.Proposal{Game: "ayu", Options: []byte(`{"size":9,"pie":false}`)})
		path := "/m/" + id + "/events"
		never, quick := l.stream(h, path, 1), l.stream(h, path, 2)
		h.play(id, 1)
		quick.want("turn", 1)
		const limit = 5 * time.Second
		began := time.Now()
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			_, _ = io.Copy(io.Discard, quick.body)
			if d := time.Since(began); d > 0 {
				t.Errorf("a reader learns of the end after %v", d)
			}
		}()
		ctx, cancel := context.WithTimeout(t.Context(), limit)
		defer cancel()
		if err := h.s.Shutdown(ctx); !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != limit {
			t.Errorf("%v after %v", err, time.Since(began))
		}
		<-ended
		if e, ok := never.next(); ok {
			t.Errorf("a reader that was cut off gets %+v", e)
		}
		synctest.Wait()
		if s := h.s.Stats(); s.Streams != 0 || s.Active != 0 {
			t.Errorf("after the end: %+v", s)
		}
	})
}
