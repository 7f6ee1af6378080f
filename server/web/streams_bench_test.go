//go:build unix

package web

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"ayumu/lobby/clock"
	"ayumu/lobby/limit"
	"ayumu/lobby/match"
	"ayumu/lobby/table"
	"ayumu/tui/picture/matchpicture"
)

// benchStreams is the number of readers.
const benchStreams = 1000

// BenchmarkStreams sends each turn to 1,000 streams, whose readers are a process of their own, and the same bytes from a bare
// server of net/http in the same run. ms/turn is the time from the turn to the last stream, and µs/stream the processor time
// of the server for one event of one stream; the ratios are those to the bare server.
func BenchmarkStreams(b *testing.B) {
	h := open(b, nil)
	id := h.start(table.Proposal{Game: "ayu", Options: []byte(`{"size":15,"pie":false}`)})
	h.play(id, 1)
	text := h.s.encodeNewest(b, id)
	bare := newBareServer(b)
	h.s.guard.rates.SetRate(limit.Rate{Refill: 1e6, Burst: 1e6}) // all readers have one address
	pages := newReaders(b, "http://"+h.addr+"/m/"+id+"/events")
	plain := newReaders(b, "http://"+bare.addr)
	var own, other cost
	for b.Loop() {
		own.measure(func() { h.play(id, 1); pages.wait() })
		other.measure(func() { bare.send(string(text)); plain.wait() })
		if h.over(id) {
			b.Fatal("the game is too short for so many turns")
		}
	}
	n := float64(b.N)
	b.ReportMetric(float64(own.wall.Microseconds())/1000/n, "ms/turn")
	b.ReportMetric(float64(own.cpu.Microseconds())/n/benchStreams, "µs/stream")
	b.ReportMetric(float64(own.wall)/float64(other.wall), "time-ratio")
	b.ReportMetric(float64(own.cpu)/float64(other.cpu), "cpu-ratio")
}

// encodeNewest returns the event of the newest entry of a match.
func (s *Server) encodeNewest(b *testing.B, id string) (text eventText) {
	b.Helper()
	m, err := s.Lobby.Match(id)
	if err != nil {
		b.Fatal(err)
	}
	snap := m.Snapshot()
	feed, err := match.NewFeed(snap, snap.Version-1)
	if err == nil {
		err = feed.Read(snap, func(n match.FeedItem) error {
			text = s.encode(snap, n)
			return nil
		})
	}
	if err != nil || text == "" {
		b.Fatal(err, text)
	}
	return text
}

func (h *harness) over(id string) bool {
	m, err := h.l.Match(id)
	return err != nil || m.Snapshot().IsOver()
}

// cost is what turns have taken.
type cost struct{ wall, cpu time.Duration }

func (c *cost) measure(f func()) {
	began, used := time.Now(), processorTime()
	f()
	c.wall += time.Since(began)
	c.cpu += processorTime() - used
}

// processorTime returns that of this process.
func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// bareServer sends text to all its readers.
type bareServer struct {
	addr string

	mu      sync.Mutex
	readers []chan string
}

func newBareServer(b *testing.B) *bareServer {
	b.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	s := &bareServer{addr: l.Addr().String()}
	server := &http.Server{Handler: s}
	go func() { _ = server.Serve(l) }()
	b.Cleanup(func() { server.Close() })
	return s
}

func (s *bareServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	texts := make(chan string, 1)
	s.mu.Lock()
	s.readers = append(s.readers, texts)
	s.mu.Unlock()
	flusher := w.(http.Flusher)
	_, _ = io.WriteString(w, "retry: 2000\n\n")
	flusher.Flush()
	for {
		select {
		case text := <-texts:
			_, _ = io.WriteString(w, text)
			flusher.Flush()
		case <-r.Context().Done():
			return
		}
	}
}

func (s *bareServer) send(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.readers {
		r <- text
	}
}

// readers is a process that reads streams, and writes a line when all of them have got an event.
type readers struct {
	b     *testing.B
	lines *bufio.Scanner
}

func newReaders(b *testing.B, url string) *readers {
	b.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "AYUMU_TEST_READERS="+url)
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	r := &readers{b, bufio.NewScanner(out)}
	r.wait() // until all are connected
	return r
}

func (r *readers) wait() {
	r.b.Helper()
	if !r.lines.Scan() || r.lines.Text() != "all" {
		r.b.Fatalf("the readers have ended: %q", r.lines.Text())
	}
}

// TestMain runs the tests, or the process of readers.
func TestMain(m *testing.M) {
	if url := os.Getenv("AYUMU_TEST_READERS"); url != "" {
		readStreams(url)
	}
	os.Exit(m.Run())
}

// readStreams reads benchStreams streams until the process is killed.
func readStreams(url string) {
	got := make(chan struct{}, benchStreams)
	for range benchStreams {
		go func() {
			resp, err := client.Get(url)
			if err != nil || resp.StatusCode != http.StatusOK {
				fmt.Println(err, resp)
				os.Exit(1)
			}
			lines := bufio.NewScanner(resp.Body)
			for lines.Scan() {
				if strings.HasPrefix(lines.Text(), "retry: ") || strings.HasPrefix(lines.Text(), "data: ") {
					got <- struct{}{}
				}
			}
		}()
	}
	for {
		for range benchStreams {
			<-got
		}
		fmt.Println("all")
	}
}

// BenchmarkPage asks for the page of a running match, which is made once for many, and has it made for each request in the same
// run. The ratio is that of the whole request with all that decides who may see what, to making the page alone.
func BenchmarkPage(b *testing.B) {
	h := open(b, nil)
	id := h.start(table.Proposal{Game: "ayu", Options: []byte(`{"size":15,"pie":false}`), Clock: &clock.Control{Initial: 600 * time.Second}})
	h.play(id, 60)
	m, err := h.l.Match(id)
	if err != nil {
		b.Fatal(err)
	}
	var shared, each cost
	asked := 0
	for b.Loop() {
		shared.measure(func() {
			for range 100 {
				asked++
				if w := h.serveOne("/m/"+id, fmt.Sprintf("10.%d.%d.%d:1", asked>>16, asked>>8&255, asked&255)); w.Code != http.StatusOK {
					b.Fatal(w.Code, w.Body)
				}
			}
		})
		r := httptest.NewRequest(http.MethodGet, "/m/"+id, nil)
		snap := m.Snapshot()
		each.measure(func() {
			for range 100 {
				v := h.s.newVisit(httptest.NewRecorder(), r)
				if _, err := v.renderMatch(snap, v.positionsOf(snap), "match.html", matchpicture.Newest); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	n := 100 * float64(b.N)
	b.ReportMetric(float64(shared.cpu.Microseconds())/n, "µs/request")
	b.ReportMetric(float64(each.cpu.Microseconds())/n, "µs/page")
	b.ReportMetric(float64(shared.cpu)/float64(each.cpu), "cpu-ratio")
}
