package main

import (
	"bytes"
	"fmt"
	"testing"
	"testing/synctest"
	"time"
)

// TestProgress: on a terminal one line is overwritten, elsewhere a line is written now and then and at the end.
func TestProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		run := func(isTerminal bool, steps int) string {
			var out bytes.Buffer
			p := newProgress(&out)
			p.isTerminal = isTerminal
			for i := range steps {
				<-time.After(progressLineInterval / 2)
				p.show(fmt.Sprint(i+1, " of 5"))
			}
			p.end()
			return out.String()
		}
		for _, c := range []struct {
			isTerminal bool
			steps      int
			want       string
		}{
			{true, 3, "\r1 of 5 \r2 of 5 \r3 of 5 \n"},
			{true, 0, ""},
			{false, 1, "1 of 5\n"},
			{false, 4, "2 of 5\n4 of 5\n"},
			{false, 5, "2 of 5\n4 of 5\n5 of 5\n"},
			{false, 0, ""},
		} {
			if got := run(c.isTerminal, c.steps); got != c.want {
				t.Errorf("%+v: %q", c, got)
			}
		}
	})
}
