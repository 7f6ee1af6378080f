package storetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"ayumu/engine"
	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/errcode"
	"ayumu/lobby/match"
	"ayumu/lobby/store"
)

// Reported collects what a store reports to the operator. The zero value is empty; Add is for
// store.Maintenance.ReportFailures.
type Reported struct {
	mu  sync.Mutex
	all []string
}

// Add adds a report.
func (r *Reported) Add(msg string, keyvals ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.all = append(r.all, fmt.Sprint(msg, " ", keyvals))
}

// Take returns what was reported since the last call.
func (r *Reported) Take() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := r.all
	r.all = nil
	return all
}

// testExpectedErrors: what callers cause and handle is not reported, and is no failure.
func testExpectedErrors(t *testing.T, open func() store.Store) {
	s := open()
	var log Reported
	s.ReportFailures(log.Add)
	ana := Account(t, s, "ana")
	Want(t, "create", s.CreateMatch(t.Context(), Match(t, "m", "", ana, Guest), lobby.MatchStart{}), nil)
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	_, unknown := s.AccountByName(t.Context(), "bob")
	_, taken := s.CreateAccount(t.Context(), "ana", []byte("another key"), Start)
	_, write := s.Rename(cancelled, ana.ID, "eva", Start)
	_, read := s.Leaderboard(cancelled, "ayu", Start, lobby.Requirements{}, 10)
	for what, c := range map[string]struct{ got, want error }{
		"unknown":         {unknown, errcode.ErrNotFound},
		"taken":           {taken, errcode.ErrTaken},
		"cancelled write": {write, context.Canceled},
		"cancelled read":  {read, context.Canceled},
		"last key":        {s.RemoveKey(t.Context(), ana.ID, []byte("key of ana"), Start), errcode.ErrLastKey},
		"version":         {s.Append(t.Context(), "m", After(3), End(time.Minute, engine.ReasonAbort)), errcode.ErrVersionConflict},
	} {
		Want(t, what, c.got, c.want)
	}
	if all := log.Take(); len(all) > 0 {
		t.Errorf("reported %q", all)
	}
	if since, err := s.WriteFailure(); err != nil || !since.IsZero() || s.FailedWrites() != 0 {
		t.Errorf("%d writes failed, the last since %v: %v", s.FailedWrites(), since, err)
	}
	if a := Must[account.Account](t)(s.Account(t.Context(), ana.ID)); a.Name != "ana" {
		t.Errorf("a cancelled change was made: %+v", a)
	}
}

// testClosed closes a store while changes are made: each is either acknowledged or refused.
func testClosed(t *testing.T, open func() store.Store) {
	s := open()
	var log Reported
	s.ReportFailures(log.Add)
	ana := Account(t, s, "ana")
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second) // so that a change without an answer fails
	defer cancel()
	atOnce(t, 8, func(i int) error {
		if i == 0 {
			return s.Close()
		}
		return s.SaveSettings(ctx, ana.ID, []byte{byte(i)})
	}, errcode.ErrClosed)
	Want(t, "close again", s.Close(), nil)
	Want(t, "a change after that", s.SaveSettings(ctx, ana.ID, nil), errcode.ErrClosed)
	if all := log.Take(); len(all) > 0 {
		t.Errorf("reported %q", all)
	}
	if _, err := s.Account(t.Context(), ana.ID); err == nil {
		t.Error("a closed store answers")
	}
}

// testMaintenance: a store in use is healthy and intact, and all its matches are valid.
func testMaintenance(t *testing.T, open func() store.Store) {
	s := open()
	info := Match(t, "m", "", Account(t, s, "ana"), Account(t, s, "bob"))
	Want(t, "create", s.CreateMatch(t.Context(), info, lobby.MatchStart{}), nil)
	Want(t, "append", s.Append(t.Context(), "m", After(0), Log(t, info, 4, NewChance())...), nil)
	Want(t, "health", s.Health(t.Context()), nil)
	if size, err := s.Size(t.Context()); err != nil || size < 10<<10 || size > 1<<30 {
		t.Errorf("%d bytes, %v", size, err)
	}
	if found, err := s.Check(t.Context()); err != nil || found != nil {
		t.Errorf("check: %q, %v", found, err)
	}
	var matches []string
	Want(t, "all matches", s.AllMatches(t.Context(), func(info *match.Info, log []match.Entry) error {
		matches = append(matches, info.ID)
		return nil
	}), nil)
	if !slices.Equal(matches, []string{"m"}) {
		t.Errorf("all matches are %q", matches)
	}
	stop := errors.New("stop")
	Want(t, "stopped", s.Unfinished(t.Context(), func(*match.Info, []match.Entry) error { return stop }), stop)
}
