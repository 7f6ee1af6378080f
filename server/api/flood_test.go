package api

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/limit"
	"ayumu/lobby/lobbytest"
)

const ping = `{"id":1,"op":"ping"}`

// endlessPings is an input without an end.
type endlessPings struct{ deferred *atomic.Int64 }

func (endlessPings) Read(p []byte) (int, error) { return copy(p, ping+"\n"), nil }

func (e endlessPings) DeferInput() { e.deferred.Add(1) }

// answerCounter counts answers, and records when the first line of chat came.
type answerCounter struct {
	answers *atomic.Int64
	chatAt  time.Time
}

func (c *answerCounter) Write(p []byte) (int, error) {
	c.answers.Add(int64(bytes.Count(p, []byte(`"re":`))))
	if c.chatAt.IsZero() && bytes.Contains(p, []byte(`"event":"chat"`)) {
		c.chatAt = time.Now()
	}
	return len(p), nil
}

// TestRequestsOfOneUserWaitOverAllConnections has one user send requests without end over 20 connections.
// Beyond the user's rate they are not read, which delays neither events nor the end of the session nor
// another user.
func TestRequestsOfOneUserWaitOverAllConnections(t *testing.T) {
	const lasts, connections = 10 * time.Second, 20
	synctest.Test(t, func(t *testing.T) {
		l := lobbytest.Open(t)
		enter := func(name string) *lobby.Session { return lobbytest.Member(t, l, name) }
		ctx, stop := context.WithTimeout(t.Context(), lasts)
		defer stop()
		began := time.Now()
		var answers, deferred atomic.Int64
		var all sync.WaitGroup
		var outs []*answerCounter
		for range connections {
			s, out := enter("eve"), &answerCounter{answers: &answers}
			outs = append(outs, out)
			all.Go(func() {
				if err := Serve(ctx, endlessPings{&deferred}, out, visitOf(s)); !errors.Is(err, context.DeadlineExceeded) {
					t.Error(err)
				}
				s.Close(false)
			})
		}
		bob := enter("bob")
		<-time.After(lasts / 2)
		asked := time.Now()
		askAll(t, bob, append(slices.Repeat([]string{ping}, 400), `{"id":2,"op":"say","text":"hello"}`)...)
		if took := time.Since(asked); took > 0 {
			t.Errorf("another user waits %v for answers", took)
		}
		all.Wait()
		if took := time.Since(began); took != lasts {
			t.Errorf("the sessions ended after %v, want %v", took, lasts)
		}
		limits := limit.Default()
		want := int64(limits.UserRequestBurst) + int64(limits.UserRequestRate*lasts.Seconds())
		if n := answers.Load(); n < want-connections || n > want {
			t.Errorf("%d answers in %v, want %d", n, lasts, want)
		}
		for i, out := range outs {
			if late := out.chatAt.Sub(asked); late < 0 || late > time.Second {
				t.Errorf("connection %d got a line of chat after %v", i, late)
			}
		}
		if deferred.Load() == 0 {
			t.Error("no input was deferred")
		}
		// Those who waited as the sessions ended owe nothing.
		<-time.After(time.Second)
		asked = time.Now()
		askAll(t, enter("eve"), slices.Repeat([]string{ping}, int(limits.UserRequestRate)-1)...)
		if took := time.Since(asked); took > 0 {
			t.Errorf("a second later the user waits %v", took)
		}
	})
}
