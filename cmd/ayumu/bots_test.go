package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"ayumu/engine/ayu"
	"ayumu/engine/search"
)

// keys types in the lobby and returns how long each key took to change the screen. welcome reports that
// the account is new and is asked for a name.
func (p *process) keys(c *ssh.Client, n int, welcome bool) []time.Duration {
	p.t.Helper()
	s, err := c.NewSession()
	if err != nil {
		p.t.Fatal(err)
	}
	defer s.Close()
	if err := s.RequestPty("xterm-256color", 24, 80, ssh.TerminalModes{}); err != nil {
		p.t.Fatal(err)
	}
	in, err1 := s.StdinPipe()
	out, err2 := s.StdoutPipe()
	if err1 != nil || err2 != nil || s.Shell() != nil {
		p.t.Fatal("the screen does not open")
	}
	chunks := make(chan []byte, 1024)
	go func() {
		defer close(chunks)
		for {
			buf := make([]byte, 32<<10)
			n, err := out.Read(buf)
			if err != nil {
				return
			}
			chunks <- buf[:n]
		}
	}()
	// until returns once the screen has been sent a text.
	until := func(text string) {
		var seen []byte
		for end := time.After(waitTimeout); !bytes.Contains(seen, []byte(text)); {
			select {
			case b := <-chunks:
				seen = append(seen, b...)
			case <-end:
				p.t.Fatalf("%q does not come: %q", text, seen)
			}
		}
	}
	if welcome {
		until("Press Enter")
		fmt.Fprint(in, "\r")
	}
	until("quick match")
	var took []time.Duration
	for i := range n {
		key, shows := "?", "Help" // and back to the lobby
		if i%2 == 1 {
			key, shows = "q", "quick match"
		}
		<-time.After(20 * time.Millisecond)
		began := time.Now()
		fmt.Fprint(in, key)
		until(shows)
		took = append(took, time.Since(began))
	}
	return took
}

// games plays n games of Ayu with bots until the connection ends, with random moves as early as possible,
// and counts the bots' turns.
func (p *process) games(c *ssh.Client, n, level int, turns *atomic.Int64) {
	s, err := c.NewSession()
	if err != nil {
		p.t.Error(err)
		return
	}
	in, err1 := s.StdinPipe()
	out, err2 := s.StdoutPipe()
	if err1 != nil || err2 != nil || s.Start("api") != nil {
		p.t.Error("the interface does not open")
		return
	}
	begin := func() {
		fmt.Fprintf(in, `{"id":1,"op":"bot","game":"ayu","options":{"size":11,"pie":false},"level":%d}`+"\n", level)
	}
	for range n {
		begin()
	}
	you := make(map[string]int)
	for lines := bufio.NewScanner(out); lines.Scan(); {
		var e struct {
			Event, Match, Position string
			You, Turn, Version     int
			Seat                   int
		}
		if json.Unmarshal(lines.Bytes(), &e) != nil {
			continue
		}
		switch e.Event {
		case "match":
			you[e.Match] = e.You
		case "turn":
			if e.Seat != you[e.Match] {
				turns.Add(1)
			}
		case "over":
			begin()
			continue
		default:
			continue
		}
		if b, err := ayu.ParseBoard(e.Position); err == nil && e.Turn == you[e.Match] {
			if legal := b.Moves(nil); len(legal) > 0 {
				fmt.Fprintf(in, `{"id":2,"op":"act","match":%q,"version":%d,"actions":[%q]}`+"\n", e.Match, e.Version, legal[rand.IntN(len(legal))])
			}
		}
	}
}

// BenchmarkKeysBesideBots reports how long keys take to change a screen, alternately without bots and with
// 50 running games against the strongest bot. It reports medians of rounds, since other load on the
// machine varies.
func BenchmarkKeysBesideBots(b *testing.B) {
	const games, people, keys, rounds = 50, 10, 100, 7
	for b.Loop() {
		p := start(b, b.TempDir())
		screen := p.dial("typist")
		var p50, p99, p50Bots, p99Bots []float64
		var turns atomic.Int64
		busy := time.Duration(0)
		for round := range rounds {
			alone := p.keys(screen, keys, round == 0)
			p50, p99 = append(p50, share(alone, 0.5)), append(p99, share(alone, 0.99))
			var playing sync.WaitGroup
			var clients []io.Closer
			for i := range people {
				c := p.dial(fmt.Sprintf("player%d", i))
				clients = append(clients, c)
				playing.Go(func() { p.games(c, games/people, search.MaxLevel, &turns) })
			}
			for end := time.Now().Add(waitTimeout); turns.Load() == 0; <-time.After(10 * time.Millisecond) {
				if time.Now().After(end) {
					b.Fatal("no bot makes a turn")
				}
			}
			began := time.Now()
			beside := p.keys(screen, keys, false)
			busy += time.Since(began)
			p50Bots, p99Bots = append(p50Bots, share(beside, 0.5)), append(p99Bots, share(beside, 0.99))
			for _, c := range clients {
				c.Close()
			}
			playing.Wait()
			<-time.After(2 * time.Second) // the bots answer what is left
		}
		b.ReportMetric(median(p50), "p50-ms")
		b.ReportMetric(median(p99), "p99-ms")
		b.ReportMetric(median(p50Bots), "p50-ms-bots")
		b.ReportMetric(median(p99Bots), "p99-ms-bots")
		b.ReportMetric(median(p99Bots)/median(p99), "p99-ratio")
		b.Logf("p99 of the rounds, ms: alone %.1f, beside bots %.1f", p99, p99Bots)
		b.ReportMetric(float64(turns.Load())/busy.Seconds(), "bot-turns/s")
		p.kill()
	}
}

// share returns a quantile of the times in milliseconds.
func share(times []time.Duration, part float64) float64 {
	slices.Sort(times)
	return float64(times[int(float64(len(times)-1)*part)]) / float64(time.Millisecond)
}

func median(all []float64) float64 {
	all = slices.Sorted(slices.Values(all))
	return all[len(all)/2]
}
