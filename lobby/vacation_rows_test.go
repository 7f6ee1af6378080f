package lobby

import (
	"context"
	"errors"
	"testing"
	"time"

	"ayumu/lobby/cluster/rows"
	"ayumu/lobby/errcode"
	"ayumu/lobby/vacation"
)

// vacationer is the player of the tests, and vacationStart the begin of their first vacation.
const vacationer = 7

var vacationStart = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// vacationsOf returns the vacations as a node knows them, which follows a store, and the kinds of its rows.
func vacationsOf(store rows.Store) (*vacations, *rows.Kinds) {
	v, ks := newVacations(new(Lobby)), rows.NewKinds(rows.Config{Store: store})
	ks.Add(&v.rows)
	return v, ks
}

// beginVacation begins a vacation some time after vacationStart, on a server that allows 21 days.
func beginVacation(t *testing.T, v *vacations, after time.Duration, days int) error {
	return v.change(t.Context(), vacationer, func(all vacation.List) (vacation.List, error) {
		return all.Begin(vacationStart.Add(after), days, 21)
	})
}

// TestNodesAgreeOnVacations: two nodes that do not know of each other's changes both use up days once.
func TestNodesAgreeOnVacations(t *testing.T) {
	store := new(rows.Memory)
	a, onA := vacationsOf(store)
	b, _ := vacationsOf(store)
	begin := func(v *vacations, after time.Duration, days int) error { return beginVacation(t, v, after, days) }
	want := func(what string, err error, code errcode.Code) {
		t.Helper()
		var e *errcode.Error
		if got := errors.As(err, &e); got && e.Code != code || got != (code != "") || err != nil && !got {
			t.Errorf("%s: %v, want %q", what, err, code)
		}
	}
	want("on one node", begin(a, 0, 15), "")
	want("on another", begin(b, 20*24*time.Hour, 15), errcode.NotAllowed)
	if got := b.of(vacationer); len(got) != 1 || got[0] != (vacation.Period{From: vacationStart, Until: vacationStart.Add(15 * 24 * time.Hour)}) {
		t.Errorf("the other node has %+v", got)
	}
	want("the rest", begin(b, 20*24*time.Hour, 6), "")
	found, _, _ := store.Changes(t.Context(), "")
	for _, r := range found {
		want("followed", onA.Follow(t.Context(), r), "")
		want("followed late", onA.Follow(t.Context(), rows.Row{Key: r.Key, Version: 1, Data: []byte("null")}), "")
	}
	if got := a.of(vacationer); len(got) != 2 {
		t.Errorf("the first node has %+v", got)
	}
	want("removed", a.remove(t.Context(), vacationer), "")
	if len(a.of(vacationer)) != 0 {
		t.Errorf("removed: %+v", a.of(vacationer))
	}
	a.rows.Store = failingRows{store}
	want("without a store", begin(a, 0, 1), errcode.Unavailable)
}

// TestStoredVacations: the stored form of vacations stays as it is, since they outlive the program.
func TestStoredVacations(t *testing.T) {
	const golden = `[{"from":"2026-01-02T03:04:05Z","until":"2026-01-04T03:04:05Z"},{"from":"2026-01-12T03:04:05Z","until":"2026-01-13T03:04:05Z"}]`
	store := new(rows.Memory)
	v, _ := vacationsOf(store)
	key := rows.Key{Kind: "vacation", ID: "7"}
	want := func(data string) {
		t.Helper()
		found, err := store.Read(t.Context(), key)
		if err != nil || len(found) != 1 || string(found[0].Data) != data {
			t.Errorf("the store has %v, %v, want %s", found, err, data)
		}
	}
	const later = 10 * 24 * time.Hour
	if err := beginVacation(t, v, 0, 2); err != nil {
		t.Error(err)
	}
	if err := beginVacation(t, v, later, 1); err != nil {
		t.Error(err)
	}
	want(golden)
	if err := v.remove(t.Context(), vacationer); err != nil {
		t.Error(err)
	}
	want("[]")
	v, ks := vacationsOf(store)
	if err := ks.Follow(t.Context(), rows.Row{Key: key, Version: 1, Data: []byte(golden)}); err != nil {
		t.Error(err)
	}
	second := vacationStart.Add(later)
	if got := v.of(vacationer); len(got) != 2 || got[1] != (vacation.Period{From: second, Until: second.Add(24 * time.Hour)}) {
		t.Errorf("read as %+v", got)
	}
}

type failingRows struct{ rows.Store }

func (failingRows) Write(context.Context, ...rows.Write) ([]rows.Row, error) {
	return nil, errors.New("no store")
}
