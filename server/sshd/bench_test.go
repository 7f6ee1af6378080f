//go:build unix

package sshd

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"syscall"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"ayumu/server/servertest"
)

// benchServer is set in the process that is the server of a benchmark, so that its clients do
// not count.
const benchServer = "AYUMU_BENCH_SERVER"

func TestMain(m *testing.M) {
	if dir := os.Getenv(benchServer); dir != "" {
		if err := serveBench(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(runTests(m))
}

// processCost is what a server's process costs at one moment.
type processCost struct {
	Addr       string
	Bytes      uint64 // of memory that the runtime holds, after a collection
	Heap       uint64 // of those in live objects
	Stacks     uint64
	Goroutines int
	CPU        time.Duration
}

// serveBench serves, and weighs itself for each line that it reads, until there are no more.
func serveBench(dir string) error {
	srv, err := Listen(Config{
		Listen: []string{"127.0.0.1:0"}, HostKeys: []string{filepath.Join(dir, "key")},
		Limits:  Limits{ConnectBurst: 1 << 20},
		Handler: handlerFunc(waitForEnd),
	})
	if err != nil {
		return err
	}
	go func() { _ = srv.Serve() }()
	lines, answers := bufio.NewScanner(os.Stdin), json.NewEncoder(os.Stdout)
	for lines.Scan() {
		runtime.GC() // twice: what a finalizer holds goes with the second
		debug.FreeOSMemory()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			return err
		}
		if err := answers.Encode(processCost{
			Addr: srv.Addrs()[0].String(), Bytes: m.Sys - m.HeapReleased, Heap: m.HeapAlloc, Stacks: m.StackInuse,
			Goroutines: runtime.NumGoroutine(), CPU: time.Duration(u.Utime.Nano() + u.Stime.Nano()),
		}); err != nil {
			return err
		}
	}
	return nil
}

// BenchmarkSession reports what an idle session with a terminal costs the server: memory,
// goroutines, and the processor time until it has begun.
func BenchmarkSession(b *testing.B) {
	self, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), benchServer+"="+b.TempDir())
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	defer cmd.Wait()
	defer in.Close()
	answers := json.NewDecoder(out)
	weigh := func() (w processCost) {
		if _, err := in.Write([]byte("\n")); err != nil {
			b.Fatal(err)
		}
		if err := answers.Decode(&w); err != nil {
			b.Fatal(err)
		}
		return w
	}

	const sessions = 200
	for b.Loop() {
		before := weigh()
		clients := make([]*ssh.Client, sessions)
		for i := range clients {
			clients[i] = benchClient(b, before.Addr)
		}
		after := weigh()
		b.ReportMetric(float64(after.Bytes-before.Bytes)/sessions, "B/session")
		b.ReportMetric(float64(after.Heap-before.Heap)/sessions, "heap-B/session")
		b.ReportMetric(float64(after.Stacks-before.Stacks)/sessions, "stack-B/session")
		b.ReportMetric(float64(after.Goroutines-before.Goroutines)/sessions, "goroutines/session")
		b.ReportMetric(float64((after.CPU-before.CPU).Microseconds())/sessions, "cpu-µs/connect")
		for _, c := range clients {
			c.Close()
		}
		for weigh().Goroutines > before.Goroutines {
		}
	}
	b.ReportMetric(0, "ns/op")
}

// benchClient is a guest whose shell has begun.
func benchClient(b *testing.B, addr string) *ssh.Client {
	b.Helper()
	nc, err := net.Dial("tcp", addr)
	if err != nil {
		b.Fatal(err)
	}
	sc, chans, reqs, err := ssh.NewClientConn(nc, addr, clientConfig(servertest.Guest()))
	if err != nil {
		b.Fatal(err)
	}
	c := ssh.NewClient(sc, chans, reqs)
	ch, requests, err := c.OpenChannel("session", nil)
	if err != nil {
		b.Fatal(err)
	}
	go ssh.DiscardRequests(requests)
	for _, r := range []struct {
		kind    string
		payload []byte
	}{
		{"pty-req", ssh.Marshal(ptyRequest{Term: "xterm-256color", Columns: 80, Rows: 24})},
		{"shell", nil},
	} {
		if ok, err := ch.SendRequest(r.kind, true, r.payload); !ok || err != nil {
			b.Fatal(r.kind, ok, err)
		}
	}
	return c
}
