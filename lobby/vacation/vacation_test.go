package vacation

import (
	"context"
	"errors"
	"testing"
	"time"

	"ayumu/lobby/account"
	"ayumu/lobby/clock"
	"ayumu/lobby/errcode"
	"ayumu/lobby/shared"
)

var start = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// person is what a player can do on one node.
type person struct {
	Own
	now     time.Time
	changed []account.ID
}

func newPerson(store shared.Store, allowed int) *person {
	p := &person{now: start}
	set := NewSet(store, func(id account.ID) { p.changed = append(p.changed, id) })
	p.Own = Own{Set: set, Account: 7, Allowed: allowed, Now: func() time.Time { return p.now }, Spend: func() error { return nil }, Changed: func() {}}
	return p
}

func wantCode(t *testing.T, what string, err error, code errcode.Code) {
	t.Helper()
	var e *errcode.Error
	if got := errors.As(err, &e); got && e.Code != code || got != (code != "") || err != nil && !got {
		t.Errorf("%s: %v, want %q", what, err, code)
	}
}

// TestDaysOfAYearAreBounded begins, changes and ends vacations.
func TestDaysOfAYearAreBounded(t *testing.T) {
	ctx := t.Context()
	p := newPerson(new(shared.Memory), 21)
	want := func(what string, left int, until time.Time) {
		t.Helper()
		if s := p.Status(); s.Left != left || !s.Until.Equal(until) || s.Allowed != 21 {
			t.Errorf("%s: %+v, want %d days left, until %v", what, s, left, until)
		}
	}
	try := func(what string, days int, code errcode.Code) {
		t.Helper()
		_, err := p.Begin(ctx, days)
		wantCode(t, what, err, code)
	}
	want("at first", 21, time.Time{})
	_, err := p.End(ctx)
	wantCode(t, "end of none", err, errcode.NotAllowed)
	try("no days", 0, errcode.BadRequest)
	try("negative", -1, errcode.BadRequest)
	try("too many", 22, errcode.BadRequest)
	try("ten", 10, "")
	want("ten", 11, start.Add(10*day))
	p.now = start.Add(4 * day)
	try("more", 18, errcode.NotAllowed)
	try("as many as there are", 17, "")
	want("all", 0, start.Add(21*day))
	try("less", 1, "")
	want("less", 16, start.Add(5*day))
	p.now = p.now.Add(time.Hour)
	_, err = p.End(ctx)
	wantCode(t, "end", err, "")
	want("ended", 16, time.Time{})
	for range 16 { // each counts a day
		try("short", 1, "")
		p.now = p.now.Add(time.Minute)
		_, err = p.End(ctx)
		wantCode(t, "end", err, "")
		p.now = p.now.Add(time.Minute)
	}
	want("used up", 0, time.Time{})
	try("one more", 1, errcode.NotAllowed)
	p.now = start.Add(4*day + 2*time.Hour + year)
	want("a year later", 21, time.Time{})
	try("all again", 21, "")
	if n := len(p.Set.Of(7)); n > 18 {
		t.Errorf("%d vacations are kept", n)
	}
	if len(p.changed) != 37 || p.changed[0] != 7 {
		t.Errorf("changed %v", p.changed)
	}
}

// TestVacationsThatAreRefused has players and servers without vacations.
func TestVacationsThatAreRefused(t *testing.T) {
	p := newPerson(new(shared.Memory), 0)
	_, err := p.Begin(t.Context(), 1)
	wantCode(t, "on a server without", err, errcode.NotAllowed)
	p = newPerson(new(shared.Memory), 21)
	p.Own.Account = -3
	_, err = p.Begin(t.Context(), 1)
	wantCode(t, "a guest's", err, errcode.NotAllowed)
	p.Own.Account, p.Own.Spend = 7, func() error { return errcode.Errorf(errcode.RateLimited, "") }
	_, err = p.Begin(t.Context(), 1)
	wantCode(t, "too often", err, errcode.RateLimited)
	if p.Set.Of(7) != nil {
		t.Errorf("%+v", p.Set.Of(7))
	}
}

// TestNodesAgreeOnVacations: two nodes that do not know of each other's changes both use up days once.
func TestNodesAgreeOnVacations(t *testing.T) {
	store := new(shared.Memory)
	a, b := newPerson(store, 21), newPerson(store, 21)
	_, err := a.Begin(t.Context(), 15)
	wantCode(t, "on one node", err, "")
	b.now = start.Add(20 * day)
	_, err = b.Begin(t.Context(), 15)
	wantCode(t, "on another", err, errcode.NotAllowed)
	if got := b.Set.Of(7); len(got) != 1 || got[0] != (clock.Vacation{From: start, Until: start.Add(15 * day)}) {
		t.Errorf("the other node has %+v", got)
	}
	_, err = b.Begin(t.Context(), 6)
	wantCode(t, "the rest", err, "")
	rows, _, _ := store.Changes(t.Context(), "")
	for _, r := range rows {
		a.Set.Follow(r)
		a.Set.Follow(shared.Row{Key: r.Key, Version: 1, Data: []byte("null")}) // late
	}
	if got := a.Set.Of(7); len(got) != 2 {
		t.Errorf("the first node has %+v", got)
	}
	wantCode(t, "removed", a.Set.Remove(t.Context(), 7), "")
	if len(a.Set.Of(7)) != 0 {
		t.Errorf("removed: %+v", a.Set.Of(7))
	}
	a.Set.Store = failing{store}
	_, err = a.Begin(t.Context(), 1)
	wantCode(t, "without a store", err, errcode.Unavailable)
}

// TestStoredVacations: the stored form of vacations stays as it is, since they outlive the program.
func TestStoredVacations(t *testing.T) {
	const golden = `[{"from":"2026-01-02T03:04:05Z","until":"2026-01-04T03:04:05Z"},{"from":"2026-01-12T03:04:05Z","until":"2026-01-13T03:04:05Z"}]`
	store := new(shared.Memory)
	p := newPerson(store, 21)
	want := func(data string) {
		t.Helper()
		rows, err := store.Read(t.Context(), shared.Key{Kind: "vacation", ID: "7"})
		if err != nil || len(rows) != 1 || string(rows[0].Data) != data {
			t.Errorf("the store has %v, %v, want %s", rows, err, data)
		}
	}
	for _, days := range []int{2, 1} {
		_, err := p.Begin(t.Context(), days)
		wantCode(t, "begin", err, "")
		p.now = p.now.Add(10 * day)
	}
	want(golden)
	wantCode(t, "removed", p.Set.Remove(t.Context(), 7), "")
	want("[]")
	p = newPerson(store, 21)
	p.Set.Follow(shared.Row{Key: shared.Key{Kind: "vacation", ID: "7"}, Version: 1, Data: []byte(golden)})
	if got := p.Set.Of(7); len(got) != 2 || got[1] != (clock.Vacation{From: start.Add(10 * day), Until: start.Add(11 * day)}) {
		t.Errorf("read as %+v", got)
	}
}

type failing struct{ shared.Store }

func (failing) Write(context.Context, ...shared.Write) ([]shared.Row, error) {
	return nil, errors.New("no store")
}
