package main

import (
	"context"
	"errors"
	"testing"
	"time"

	"ayumu/lobby/lobbytest"
	"ayumu/lobby/table"
)

// closing is a server whose sessions are ending.
type closing func(ctx context.Context) error

func (f closing) Shutdown(ctx context.Context, _ string) error { return f(ctx) }

// TestNoGameBeginsWhileTheServerStops opens and joins tables while the sessions end.
func TestNoGameBeginsWhileTheServerStops(t *testing.T) {
	l := lobbytest.Open(t)
	a, err1 := l.Enter(l.Accounts.NewGuest(), nil)
	b, err2 := l.Enter(l.Accounts.NewGuest(), nil)
	opened, err3 := a.OpenTable(t.Context(), table.Proposal{Game: "ayu"})
	if err := errors.Join(err1, err2, err3); err != nil {
		t.Fatal(err)
	}
	asked := false
	err := stopServing(t.Context(), l, closing(func(ctx context.Context) error {
		asked = true
		if _, err := b.JoinTable(t.Context(), opened.ID, ""); err == nil {
			t.Error("a game begins")
		}
		if _, err := b.OpenTable(t.Context(), table.Proposal{Game: "ayu"}); err == nil {
			t.Error("a table is opened")
		}
		if end, ok := ctx.Deadline(); !ok || time.Until(end) > time.Minute {
			t.Error("the sessions have no limit")
		}
		return context.DeadlineExceeded
	}), time.Minute)
	if err != nil || !asked {
		t.Errorf("stopping: %v, sessions ended: %t", err, asked)
	}
}
