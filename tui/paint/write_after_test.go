package paint

import (
	"testing"
	"testing/synctest"
	"time"
)

func TestWriteAfter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newTestConn(20, 5)
		s := NewScreen(l, 20, 5, Options{})
		shows := func(text string) bool { return l.term.differs(Draw(nil, 20, 5, drawText(text)), Profile{}) == "" }
		s.WriteAfter(func() {})
		if l.writes > 0 {
			t.Error("something was written before the first frame")
		}
		s.WriteAfter(func() {
			s.Draw(drawText("first"))
			s.Draw(drawText("second"))
			synctest.Wait()
			if l.writes > 0 {
				t.Error("a goroutine wrote meanwhile")
			}
		})
		if l.writes != 1 || !shows("second") { // without waiting
			t.Errorf("two frames were written with %d writes", l.writes)
		}
		s.WriteAfter(func() { s.Draw(drawText("second")) })
		if l.writes != 1 {
			t.Error("the same frame was written again")
		}
		// While a write blocks, frames are left to the one who writes.
		resume := l.stop()
		go s.WriteAfter(func() { s.Draw(drawText("third")) })
		synctest.Wait()
		if s.IsBehind() {
			t.Error("the terminal is behind at the beginning of a write")
		}
		time.Sleep(slowWrite)
		if !s.IsBehind() {
			t.Error("the terminal is not behind during a long write")
		}
		s.WriteAfter(func() { s.Draw(drawText("fourth")) })
		s.Draw(drawText("fifth"))
		time.Sleep(slowWrite)
		resume()
		synctest.Wait()
		if !shows("fifth") {
			t.Error("the last frame is not shown")
		}
		if s.IsBehind() {
			t.Error("the terminal is behind after a write")
		}
		// A single slow write changes nothing.
		s.WriteAfter(func() { s.Draw(drawText("again")) })
		if !shows("again") {
			t.Error("the terminal counts as slow after one write")
		}
		resume = l.stop()
		go s.WriteAfter(func() { s.Draw(drawText("slow again")) })
		synctest.Wait()
		time.Sleep(slowWrite)
		resume()
		synctest.Wait()
		// Now the terminal counts as slow, and delays nobody.
		resume = l.stop()
		s.WriteAfter(func() { s.Draw(drawText("sixth")) })
		resume()
		synctest.Wait()
		if !shows("sixth") {
			t.Error("a slow terminal does not show a frame")
		}
		if !s.IsBehind() {
			t.Error("a slow terminal is not behind")
		}
		time.Sleep(slowFor)
		s.WriteAfter(func() { s.Draw(drawText("seventh")) })
		if !shows("seventh") {
			t.Error("the terminal counts as slow for ever")
		}
		s.WriteAfter(func() {
			if s.IsBehind() {
				t.Error("the terminal is behind before the change is written")
			}
		})
		restored(t, s, l)
		s.WriteAfter(func() { s.Draw(drawText("late")) })
	})
}

func TestAbandonedScreenWritesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newTestConn(20, 5)
		s := NewScreen(l, 20, 5, Options{})
		s.WriteAfter(func() { s.Draw(drawText("first")) })
		before := l.writes
		s.Abandon()
		s.Abandon()
		s.Draw(drawText("late"))
		s.WriteAfter(func() { s.Draw(drawText("later")) })
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		synctest.Wait()
		if l.writes != before {
			t.Errorf("%d writes after the end", l.writes-before)
		}
	})
}
