package vacation

import (
	"errors"
	"testing"
	"time"

	"ayumu/lobby/errcode"
)

// TestDaysOfAYearAreBounded begins, changes and ends vacations.
func TestDaysOfAYearAreBounded(t *testing.T) {
	start := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	now := start
	var all List
	want := func(what string, left int, until time.Time) {
		t.Helper()
		if s := all.Status(now, 21); s.Left != left || !s.Until.Equal(until) || s.Allowed != 21 {
			t.Errorf("%s: %+v, want %d days left, until %v", what, s, left, until)
		}
	}
	change := func(what string, next List, err error, code errcode.Code) {
		t.Helper()
		var e *errcode.Error
		if got := errors.As(err, &e); got && e.Code != code || got != (code != "") || err != nil && !got {
			t.Errorf("%s: %v, want %q", what, err, code)
		}
		if err == nil {
			all = next
		}
	}
	begin := func(what string, days int, code errcode.Code) {
		t.Helper()
		next, err := all.Begin(now, days, 21)
		change(what, next, err, code)
	}
	end := func(what string, code errcode.Code) {
		t.Helper()
		next, err := all.End(now)
		change(what, next, err, code)
	}
	want("at first", 21, time.Time{})
	end("end of none", errcode.NotAllowed)
	begin("no days", 0, errcode.BadRequest)
	begin("negative", -1, errcode.BadRequest)
	begin("too many", 22, errcode.BadRequest)
	begin("ten", 10, "")
	want("ten", 11, start.Add(10*day))
	now = start.Add(4 * day)
	begin("more", 18, errcode.NotAllowed)
	begin("as many as there are", 17, "")
	want("all", 0, start.Add(21*day))
	begin("less", 1, "")
	want("less", 16, start.Add(5*day))
	now = now.Add(time.Hour)
	end("end", "")
	want("ended", 16, time.Time{})
	for range 16 { // each counts a day
		begin("short", 1, "")
		now = now.Add(time.Minute)
		end("end", "")
		now = now.Add(time.Minute)
	}
	want("used up", 0, time.Time{})
	begin("one more", 1, errcode.NotAllowed)
	now = start.Add(4*day + 2*time.Hour + year)
	want("a year later", 21, time.Time{})
	begin("all again", 21, "")
	if len(all) > 18 {
		t.Errorf("%d vacations are kept", len(all))
	}
	_, err := all.Begin(now, 1, 0)
	change("on a server without", nil, err, errcode.NotAllowed)
}
