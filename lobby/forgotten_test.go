package lobby

import (
	"context"
	"errors"
	"net/netip"
	"testing"

	"ayumu/lobby/errcode"
	"ayumu/lobby/match"
)

// TestACommandToAForgottenMatchGetsAnAnswer queues commands to a match whose goroutine has ended. Each gets
// the result of its execution, or else the reason why it was not executed: the match was forgotten, or
// the server stops.
func TestACommandToAForgottenMatchGetsAnAnswer(t *testing.T) {
	executed := errors.New("executed")
	for _, c := range []struct {
		closing, executed bool
		want              errcode.Code
	}{
		{want: errcode.UnknownMatch},
		{closing: true, want: errcode.Unavailable},
		{executed: true},
		{closing: true, executed: true},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		if c.closing {
			cancel()
		}
		m := &Match{l: &Lobby{ctx: ctx}}
		command := &command{answer: make(chan answer, 1)}
		if c.executed {
			command.answer <- answer{err: executed}
		}
		err := m.answerAfterEnd(command).err
		if code, _ := PublicError(err); c.executed && err != executed || !c.executed && code != c.want {
			t.Errorf("%+v: %v", c, err)
		}
		cancel()
	}
}

// TestACommandThatIsNotExecutedIsNoOutage sends commands to a match that has been forgotten, while the
// lobby runs: no answer is that the server is unavailable.
func TestACommandThatIsNotExecutedIsNoOutage(t *testing.T) {
	done := make(chan struct{})
	close(done)
	for range 20 {
		m := &Match{l: &Lobby{ctx: t.Context()}, queue: make(chan *command, 1), done: done}
		_, err := m.do(t.Context(), match.Command{})
		if code, _ := PublicError(err); code != errcode.UnknownMatch {
			t.Fatalf("got %v", err)
		}
	}
}

// TestOriginsWithoutMatchesAreForgotten, so that a client with many addresses does not fill the memory.
func TestOriginsWithoutMatchesAreForgotten(t *testing.T) {
	ms := matches{byOrigin: make(map[netip.Prefix]int)}
	from := netip.MustParsePrefix("2001:db8::/64")
	for _, n := range []int{1, 1, -1} {
		ms.count(from, n)
	}
	if n := ms.byOrigin[from]; n != 1 {
		t.Errorf("%d matches are counted, want 1", n)
	}
	if ms.count(from, -1); len(ms.byOrigin) > 0 {
		t.Errorf("origins are kept: %v", ms.byOrigin)
	}
}
