package guard

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestPanicsAreReported: functions panic in each of the ways to run them.
func TestPanicsAreReported(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		reported := make(chan error, 1)
		report := func(err error) { reported <- err }
		fail := func() { panic("a fault") }
		for name, run := range map[string]func(){
			"Go":        func() { Go(report, fail) },
			"AfterFunc": func() { AfterFunc(time.Minute, report, fail) },
			"Call":      func() { reported <- Call(fail) },
		} {
			run()
			if err := <-reported; err == nil || !strings.Contains(err.Error(), "a fault") || !strings.Contains(err.Error(), "guard_test.go") {
				t.Errorf("%s reports %v", name, err)
			}
		}
		if err := Call(func() {}); err != nil {
			t.Errorf("Call of what does not panic: %v", err)
		}
	})
}
