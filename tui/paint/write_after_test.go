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
		s.WriteAfter(func() { s.Draw(drawText("fourth")) })
		s.Draw(drawText("fifth"))
		time.Sleep(slowWrite)
		resume()
		synctest.Wait()
		if !shows("fifth") {
			t.Error("the last frame is not shown")
		}
		// Now the terminal counts as slow, and delays nobody.
		resume = l.stop()
		s.WriteAfter(func() { s.Draw(drawText("sixth")) })
		resume()
		synctest.Wait()
		if !shows("sixth") {
			t.Error("a slow terminal does not show a frame")
		}
		time.Sleep(slowFor)
		s.WriteAfter(func() { s.Draw(drawText("seventh")) })
		if !shows("seventh") {
			t.Error("the terminal counts as slow for ever")
		}
		restored(t, s, l)
		s.WriteAfter(func() { s.Draw(drawText("late")) })
	})
}
