package club

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// TestNoTimerWhenNothingIsDue: a timer runs only while an announcement will appear or end, and fires once for each.
func TestNoTimerWhenNothingIsDue(t *testing.T) {
	for name, c := range map[string]struct {
		from, until time.Duration // from now; until 0: no end
		wakes       int           // in a year
	}{
		"for ever":        {0, 0, 0},
		"ended":           {-2 * time.Hour, -time.Hour, 0},
		"withdrawn early": {time.Hour, -time.Hour, 0},
		"later, for ever": {time.Hour, 0, 1},
		"with an end":     {-time.Hour, time.Hour, 1},
		"later":           {time.Hour, 24 * time.Hour, 2},
	} {
		synctest.Test(t, func(t *testing.T) {
			now := time.Now()
			a := Announcement{ID: 1, From: now.Add(c.from)}
			if c.until != 0 {
				a.Until = now.Add(c.until)
			}
			var woken atomic.Int32
			b := &Bulletin{sessions: new(Sessions), content: bulletinContent{announcements: []Announcement{a}}}
			s := new(Session)
			b.sessions.Add(s)
			b.sessions.SetWake(s, func() { woken.Add(1) })
			hasTimer := func() bool {
				b.mu.Lock()
				defer b.mu.Unlock()
				return b.timer != nil
			}
			b.timePassed()
			if hasTimer() != (c.wakes > 0) {
				t.Errorf("%s: has a timer: %v", name, hasTimer())
			}
			<-time.After(365 * 24 * time.Hour)
			synctest.Wait()
			if n := int(woken.Load()); n != c.wakes || hasTimer() {
				t.Errorf("%s: woken %d times, want %d; a timer is left: %v", name, n, c.wakes, hasTimer())
			}
		})
	}
}
