package paint

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// testConn is a terminal behind a connection that can be slow, block or fail.
type testConn struct {
	mu      sync.Mutex
	term    *fakeTerminal
	writes  int
	bytes   int
	err     error // of all writes
	short   int   // bytes that get through before err
	panics  bool
	delay   time.Duration // of each write
	release chan struct{} // while it is not nil, a write waits until it is closed
}

func newTestConn(w, h int) *testConn { return &testConn{term: newFakeTerminal(w, h)} }

func (l *testConn) Write(p []byte) (int, error) {
	l.mu.Lock()
	release, delay := l.release, l.delay
	l.mu.Unlock()
	if delay > 0 {
		<-time.After(delay)
	}
	if release != nil {
		<-release
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.panics {
		panic("out of order")
	}
	if l.err != nil {
		n := min(l.short, len(p))
		l.term.Write(p[:n])
		return n, l.err
	}
	l.writes++
	l.bytes += len(p)
	return l.term.Write(p)
}

// stop makes all writes wait until the returned function is called.
func (l *testConn) stop() (resume func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	release := make(chan struct{})
	l.release = release
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.release = nil
		close(release)
	}
}

var allModes = Mouse | Paste | Focus | Keyboard

// untouched describes how a terminal differs from one on which no program has run; "" if it does not.
func untouched(t *fakeTerminal) string {
	fresh := newFakeTerminal(t.w, t.h)
	switch {
	case t.alternate:
		return "the alternate screen is on"
	case !slices.Equal(t.cells, fresh.cells):
		return "the main screen has changed"
	case t.pen != Style{}:
		return "a style is set"
	case t.title != fresh.title || len(t.titles) > 0:
		return "the title has changed"
	case t.keyboard != 0:
		return "a keyboard mode is set"
	case len(t.rest) > 0:
		return "a sequence is not finished"
	}
	for number, on := range t.modes {
		if on != fresh.modes[number] {
			return "mode " + number + " has changed"
		}
	}
	return ""
}

func drawText(text string) func(Canvas) {
	return func(c Canvas) { c.Text(0, 0, Style{}, text) }
}

// restored checks that Close succeeds and restores the terminal.
func restored(t *testing.T, s *Screen, l *testConn) {
	t.Helper()
	if err := s.Close(); err != nil {
		t.Fatalf("Close: %v", err)
	}
	synctest.Wait()
	if d := untouched(l.term); d != "" {
		t.Fatal(d)
	}
}

func TestScreenShowsEveryFrame(t *testing.T) {
	for seed := range uint64(60) {
		synctest.Test(t, func(t *testing.T) { testScreenShowsEveryFrame(t, seed) })
	}
}

func testScreenShowsEveryFrame(t *testing.T, seed uint64) {
	rng := rand.New(rand.NewPCG(seed, 11))
	w, h := 10+rng.IntN(30), 3+rng.IntN(8)
	l := newTestConn(w, h)
	profile := testProfiles[rng.IntN(len(testProfiles))]
	l.term.erasesColor = profile.colorsErase()
	s := NewScreen(l, w, h, Options{Profile: profile, Modes: Mouse, QueryTerminal: true})
	modes, title := Mouse, ""
	var f *Frame
	for step := range 25 {
		switch rng.IntN(10) {
		case 0:
			w, h = 10+rng.IntN(30), 3+rng.IntN(8)
			l.term.resize(w, h)
			s.Resize(w, h)
		case 1:
			profile.Colors = Colors(rng.IntN(4))
			profile.ASCII = rng.IntN(3) == 0
			profile.Sync = rng.IntN(2) == 0
			s.SetProfile(profile)
		case 2:
			modes = Modes(rng.IntN(16))
			s.SetModes(modes)
		case 3:
			title = fmt.Sprint("ayumu ", step)
			s.SetTitle(title)
		case 4:
			l.term.resize(w, h) // undefined content, so the user asks for a redraw
			s.Redraw()
		}
		f = Draw(f, w, h, randomDrawing(rng, nil))
		s.Show(f)
		synctest.Wait()
		if d := l.term.differs(f, profile); d != "" {
			t.Fatalf("seed %d, step %d: %s", seed, step, d)
		}
		if l.term.modes["1006"] != (modes&Mouse != 0) || l.term.modes["2004"] != (modes&Paste != 0) ||
			l.term.modes["1004"] != (modes&Focus != 0) || l.term.keyboard > 0 != (modes&Keyboard != 0) {
			t.Fatalf("seed %d, step %d: modes %b are %v", seed, step, modes, l.term.modes)
		}
		if profile.hasStrings() && title != "" && l.term.title != title {
			t.Fatalf("seed %d, step %d: the title is %q", seed, step, l.term.title)
		}
		if l.term.modes["2026"] || l.term.modes["7"] || len(l.term.faults) > 0 {
			t.Fatalf("seed %d, step %d: modes %v, faults %q", seed, step, l.term.modes, l.term.faults)
		}
	}
	restored(t, s, l)
	if len(l.term.faults) > 0 || len(l.term.asked) == 0 {
		t.Fatalf("seed %d: faults %q, asked %q", seed, l.term.faults, l.term.asked)
	}
}

func TestNothingNewWritesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newTestConn(20, 5)
		s := NewScreen(l, 20, 5, Options{Modes: allModes})
		s.Bell()
		s.SetTitle("early")
		synctest.Wait()
		if l.writes != 0 {
			t.Fatal("something was written before the first frame")
		}
		for range 3 {
			s.Draw(drawText("the same"))
			synctest.Wait()
		}
		if l.writes != 1 {
			t.Errorf("%d writes for one frame", l.writes)
		}
		if l.term.bells != 1 || s.writing {
			t.Errorf("%d bells, writing %t", l.term.bells, s.writing)
		}
		restored(t, s, l)
	})
}

func TestSlowTerminalSkipsFrames(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newTestConn(20, 5)
		s := NewScreen(l, 20, 5, Options{})
		s.Draw(drawText("first"))
		synctest.Wait()
		resume := l.stop()
		for i := range 100 {
			s.Draw(drawText(fmt.Sprint("frame ", i)))
			if i == 0 {
				synctest.Wait() // it is on its way now
			}
		}
		before := l.writes
		resume()
		synctest.Wait()
		if n := l.writes - before; n != 2 {
			t.Errorf("%d writes for the frame on its way and the last", n)
		}
		if d := l.term.differs(s.target.frame, Profile{}); d != "" {
			t.Error(d)
		}
		restored(t, s, l)
	})
}

func TestStall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newTestConn(20, 5)
		failed := make(chan error, 2)
		s := NewScreen(l, 20, 5, Options{OnFail: func(err error) { failed <- err }})
		resume := l.stop()
		start := time.Now()
		s.Draw(drawText("never seen"))
		synctest.Wait()
		s.Draw(drawText("neither"))
		if err := <-failed; err != ErrStalled || time.Since(start) != 30*time.Second {
			t.Fatalf("failed with %v after %v", err, time.Since(start))
		}
		s.Draw(drawText("nor this"))
		<-time.After(time.Hour)
		if len(failed) > 0 || s.Err() != ErrStalled {
			t.Fatalf("failed again, or has error %v", s.Err())
		}
		start = time.Now()
		if err := s.Close(); err != ErrStalled || time.Since(start) != 0 {
			t.Fatalf("Close: %v after %v", err, time.Since(start))
		}
		resume()
		synctest.Wait()
		if d := untouched(l.term); d != "" {
			t.Error(d)
		}
	})
}

func TestSlowIsNotStalled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newTestConn(200, 60)
		l.delay = 20 * time.Second
		s := NewScreen(l, 200, 60, Options{OnFail: func(err error) { t.Errorf("failed: %v", err) }})
		s.Draw(func(c Canvas) { c.Fill(0, 0, 200, 60, Style{}, 'x') })
		<-time.After(time.Hour)
		synctest.Wait() // orders the writes of the screen before what follows
		if l.writes < 3 {
			t.Errorf("a large frame came in %d writes", l.writes)
		}
		if d := l.term.differs(s.target.frame, Profile{}); d != "" {
			t.Error(d)
		}
		l.delay = 0
		restored(t, s, l)
	})
}

func TestBrokenLine(t *testing.T) {
	broken := errors.New("connection lost")
	for short := range 120 {
		synctest.Test(t, func(t *testing.T) {
			l := newTestConn(20, 5)
			failed := make(chan error, 2)
			s := NewScreen(l, 20, 5, Options{
				Modes: allModes, Title: "title", Profile: Profile{Term: "xterm", Colors: TrueColor},
				OnFail: func(err error) { failed <- err },
			})
			l.err, l.short = broken, short
			s.Draw(func(c Canvas) { c.Text(0, 0, Style{FG: RGB(1, 2, 3)}, "●世界") })
			synctest.Wait()
			if err := <-failed; err != broken || s.Err() != broken {
				t.Fatalf("failed with %v, %v", err, s.Err())
			}
			s.Draw(drawText("nothing"))
			synctest.Wait()
			l.err = nil // what came after the break did arrive
			if err := s.Close(); err != broken {
				t.Fatalf("Close: %v", err)
			}
			if d := untouched(l.term); d != "" && short >= len("\x1b[?1049h") {
				t.Errorf("after %d bytes: %s", short, d) // before, it is the main screen that is cleared
			}
		})
	}
}

func TestLineBreaksWhileModesEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newTestConn(20, 5)
		s := NewScreen(l, 20, 5, Options{Modes: allModes})
		s.Draw(drawText("modes"))
		synctest.Wait()
		l.err = io.ErrClosedPipe
		s.SetModes(0)
		synctest.Wait()
		l.err = nil
		s.Close()
		if d := untouched(l.term); d != "" {
			t.Error(d)
		}
	})
}

// TestCloseOvertakesModes closes a screen before its frame is written: no mode may have been set.
func TestCloseOvertakesModes(t *testing.T) {
	for range 200 {
		l := newTestConn(20, 5)
		s := NewScreen(l, 20, 5, Options{Linger: time.Hour})
		for i := range 6 {
			s.SetModes(Modes(i * 5 % 16))
			s.SetTitle(string(rune('a' + i)))
			s.Draw(drawText("x"))
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if d := untouched(l.term); d != "" {
			t.Fatal(d)
		}
	}
}

func TestShortWriteAndPanicAreErrors(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewScreen(shortWriter{}, 20, 5, Options{})
		s.Draw(drawText("cut"))
		synctest.Wait()
		if s.Err() != io.ErrShortWrite {
			t.Errorf("a short write gave %v", s.Err())
		}
		s.Close()

		l := newTestConn(20, 5)
		l.panics = true
		failed := make(chan error, 1)
		s = NewScreen(l, 20, 5, Options{OnFail: func(err error) { failed <- err }})
		s.Draw(drawText("bang"))
		if err := <-failed; err == nil || s.Close() != err {
			t.Errorf("a panic gave %v", err)
		}
	})
}

type shortWriter struct{}

func (shortWriter) Write(p []byte) (int, error) { return len(p) - 1, nil }

func TestCloseInEveryState(t *testing.T) {
	options := Options{
		Modes: allModes, Title: "ayumu", QueryTerminal: true,
		Profile: Profile{Term: "xterm-kitty", Colors: TrueColor, Sync: true},
		OnFail:  func(err error) { panic(err) }, // after Close nobody wants to hear of it
	}
	large := func(c Canvas) { c.Fill(0, 0, 200, 60, Style{}, 'x') }
	blocked := func(t *testing.T, s *Screen, l *testConn) {
		resume := l.stop()
		s.Draw(large)
		synctest.Wait()
		start := time.Now()
		if err := s.Close(); err != ErrStalled || time.Since(start) != time.Second {
			t.Errorf("Close: %v after %v", err, time.Since(start))
		}
		<-time.After(time.Hour)
		resume()
		synctest.Wait()
	}
	states := map[string]func(t *testing.T, s *Screen, l *testConn){
		"nothing shown": func(t *testing.T, s *Screen, l *testConn) {
			s.SetTitle("x")
			restored(t, s, l)
			if l.bytes > 0 {
				t.Error("something was written")
			}
		},
		"idle": func(t *testing.T, s *Screen, l *testConn) {
			s.Draw(large)
			synctest.Wait()
			restored(t, s, l)
		},
		"frame just handed over": func(t *testing.T, s *Screen, l *testConn) {
			s.Draw(large)
			restored(t, s, l)
		},
		"twice and at once": func(t *testing.T, s *Screen, l *testConn) {
			s.Draw(large)
			for range 5 {
				go func() {
					if err := s.Close(); err != nil {
						t.Errorf("Close: %v", err)
					}
				}()
			}
			synctest.Wait()
			restored(t, s, l)
		},
		"blocked in the first frame": blocked,
		"blocked in a later frame": func(t *testing.T, s *Screen, l *testConn) {
			s.Draw(drawText("first"))
			synctest.Wait()
			blocked(t, s, l)
		},
		"between the pieces of a frame": func(t *testing.T, s *Screen, l *testConn) {
			l.delay = 400 * time.Millisecond
			s.Draw(large)
			synctest.Wait()
			restored(t, s, l)
			if l.writes != 2 {
				t.Errorf("%d writes, not a piece and the end", l.writes)
			}
		},
	}
	for name, state := range states {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := newTestConn(200, 60)
				s := NewScreen(l, 200, 60, options)
				state(t, s, l)
				if d := untouched(l.term); d != "" {
					t.Error(d)
				}
				before := l.bytes
				s.Draw(drawText("too late"))
				s.Bell()
				synctest.Wait()
				if l.bytes != before {
					t.Error("something was written after Close")
				}
			})
		})
	}
}

func TestConcurrentUse(t *testing.T) {
	l := newTestConn(40, 10)
	s := NewScreen(l, 40, 10, Options{Modes: Mouse, Linger: time.Hour})
	shared := Draw(nil, 10, 4, func(c Canvas) { c.Box(Style{FG: Index(2)}) })
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			for i := range 200 {
				s.Draw(func(c Canvas) {
					c.Blit(g, i%6, shared)
					c.Text(0, g, Style{}, fmt.Sprint(i))
				})
				s.Resize(40, 10)
				s.SetTitle(fmt.Sprint(i))
				s.SetModes(Modes(i % 16))
				s.Bell()
			}
		})
	}
	wg.Wait()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if d := untouched(l.term); d != "" || len(l.term.faults) > 0 {
		t.Errorf("%s; faults %q", d, l.term.faults)
	}
}
