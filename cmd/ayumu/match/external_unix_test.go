//go:build unix

package match

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"ayumu/engine/ayu"
)

// What a program has started ends with it.
func TestProgramsAreKilledWhole(t *testing.T) {
	fifo := filepath.Join(t.TempDir(), "alive")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	c := matchConfig(t, "random", "codecup:"+writeScript(t, "exec 3>"+fifo+"\nsleep 1000 &\nread line; echo so; sleep 1000\n"))
	c.Games, c.Opening, c.Options, c.Turn = 1, 0, ayu.Options{Size: 11}, time.Minute
	ended := make(chan error, 1)
	go func() {
		f, err := os.Open(fifo)
		if err == nil {
			_, err = io.Copy(io.Discard, f) // until the last of them has gone
		}
		ended <- err
	}()
	playMatch(t, c)
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// TestProgramsEndWherePipesHaveNoDeadlines: as on Windows. At the deadline, or when the match ends, the program is killed,
// and until then it is not.
func TestProgramsEndWherePipesHaveNoDeadlines(t *testing.T) {
	noDeadline := func(time.Time) error { return os.ErrNoDeadline }
	for name, limit := range map[string]time.Duration{"deadline": 100 * time.Millisecond, "the match ends": time.Hour} {
		side, err := ParseSide("codecup:" + writeScript(t, "read line; echo B1-B2; sleep 1000\n"))
		if err != nil {
			t.Fatal(err)
		}
		opened, err := openExternal(t.Context(), side, nil)
		if err != nil {
			t.Fatal(err)
		}
		p := opened.(*externalPlayer)
		if a, err := p.codeCup(t.Context(), new(history), budget{limit: time.Minute}); err != nil || len(a.actions) != 1 {
			t.Errorf("%s: %v, %v", name, a, err)
		}
		ctx, end := context.WithCancel(t.Context())
		release := p.limit(ctx, time.Now().Add(limit), noDeadline)
		if limit == time.Hour {
			end()
		}
		if line, err := p.read.ReadString('\n'); line != "" || !errors.Is(err, io.EOF) {
			t.Errorf("%s: %q, %v", name, line, err)
		}
		release()
		end()
		p.close()
	}
}
