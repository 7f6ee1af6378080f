package paint

import (
	"fmt"
	"io"
	"runtime"
	"testing"
)

// benchTurns draws the screen of a match as sessions do, with a shared board.
func benchTurns() (frames []func(Canvas)) {
	look := matchLooks[0]
	m := startState()
	var board *Frame
	for i := range 16 {
		from, to := [2]int{i * 5 % boardW, i * 3 % boardH}, [2]int{i*5%boardW + 1, i * 3 % boardH}
		delete(m.stones, from)
		m.stones[to] = m.turn
		m.marked = [][2]int{from, to}
		m.clocks[m.turn] = fmt.Sprintf(" 9:%02d", 33-i)
		m.turn, m.turns = 1-m.turn, m.turns+1
		board = Draw(board, 2*boardW+1, boardH, func(c Canvas) { look.drawBoard(c, m) })
		f := Draw(nil, 80, 24, look.draw(m))
		frames = append(frames, func(c Canvas) {
			c.Blit(0, 0, f)
			c.Blit(2, 3, board)
			c.Text(60, 2, Style{}, "own")
		})
	}
	return frames
}

func BenchmarkDraw(b *testing.B) {
	draws := benchTurns()
	b.ReportAllocs()
	var f *Frame
	for i := range b.N {
		f = Draw(f, 80, 24, draws[i%len(draws)])
	}
}

func BenchmarkDrawText(b *testing.B) {
	b.ReportAllocs()
	var f *Frame
	for i := range b.N {
		f = Draw(f, 80, 24, func(c Canvas) {
			for y := range 24 {
				c.Text(0, y, Style{FG: Index(uint8(y))}, "A row of text with some ─── lines │ and ● shapes in it, as in the lobby")
			}
			c.Text(0, i%24, Style{Attr: Reverse}, ">")
		})
	}
}

// BenchmarkPaint paints the change from one turn of a match to the next, or a complete screen.
func BenchmarkPaint(b *testing.B) {
	var frames []*Frame
	for _, draw := range benchTurns() {
		frames = append(frames, Draw(nil, 80, 24, draw))
	}
	for _, full := range []bool{false, true} {
		b.Run(fmt.Sprintf("full=%t", full), func(b *testing.B) {
			p := painter{profile: testProfiles[0], w: 80, h: 24}
			var out []byte
			sum := 0
			p.paint(nil, frames[0])
			b.ReportAllocs()
			b.ResetTimer()
			for i := range b.N {
				out = out[:0]
				if full {
					out = p.clear(out)
				}
				out, _ = p.paint(out, frames[(i+1)%len(frames)])
				sum += len(out)
			}
			b.ReportMetric(float64(sum)/float64(b.N), "bytes/frame")
		})
	}
}

// BenchmarkShow shows frames on a screen, each after the last one is written.
func BenchmarkShow(b *testing.B) {
	draws := benchTurns()
	out := &signalWriter{written: make(chan int, 1)}
	s := NewScreen(out, 80, 24, Options{Profile: testProfiles[0]})
	s.Draw(draws[0])
	<-out.written
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		s.Draw(draws[(i+1)%len(draws)])
		<-out.written
	}
	b.StopTimer()
	go func() {
		for range out.written {
		}
	}()
	s.Close()
}

type signalWriter struct{ written chan int }

func (w *signalWriter) Write(p []byte) (int, error) {
	w.written <- len(p)
	return len(p), nil
}

// BenchmarkMemory reports the memory of an idle screen, with a frame of its own and with a frame of shared
// rows.
func BenchmarkMemory(b *testing.B) {
	const screens = 500
	drawings := map[string]func(i int) func(Canvas){
		"own": func(i int) func(Canvas) {
			return func(c Canvas) {
				for y := range 24 {
					c.Text(0, y, Style{FG: Index(uint8(y))}, fmt.Sprintf("%4d %2d a row of text that no other session shows", i, y))
				}
			}
		},
		"shared": func(i int) func(Canvas) {
			return func(c Canvas) {
				c.Blit(0, 1, lobby)
				c.Text(0, 0, Style{Attr: Bold}, fmt.Sprintf("Ayumu, player %d", i))
			}
		},
	}
	for name, drawing := range drawings {
		b.Run(name, func(b *testing.B) {
			for range b.N {
				before := heap()
				var all [screens]*Screen
				for i := range all {
					all[i] = NewScreen(io.Discard, 80, 24, Options{Profile: testProfiles[0], Modes: allModes})
					all[i].Draw(drawing(i))
				}
				for _, s := range all {
					waitIdle(s)
				}
				b.ReportMetric(float64(heap()-before)/screens, "bytes/screen")
				for _, s := range all {
					s.Close()
				}
			}
		})
	}
}

var lobby = Draw(nil, 80, 22, func(c Canvas) {
	for y := range 22 {
		c.Text(0, y, Style{FG: Index(uint8(y))}, "a row of the lobby's list, which all sessions share")
	}
})

// heap returns the bytes in use.
func heap() uint64 {
	runtime.GC()
	runtime.GC() // empties the pools
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// waitIdle waits until nothing is to be written.
func waitIdle(s *Screen) {
	for {
		s.mu.Lock()
		idle := !s.writing
		s.mu.Unlock()
		if idle {
			return
		}
		runtime.Gosched()
	}
}
