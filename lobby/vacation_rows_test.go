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

// vacationNode returns a lobby that has nothing but the rows of a store.
func vacationNode(store rows.Store) *Lobby {
	l := new(Lobby)
	follower{l}.addKinds(store, "")
	return l
}

// beginVacation begins a vacation some time after vacationStart, on a server that allows 21 days.
func beginVacation(t *testing.T, l *Lobby, after time.Duration, days int) error {
	return l.changeVacations(t.Context(), vacationer, func(all vacation.List) (vacation.List, error) {
		return all.Begin(vacationStart.Add(after), days, 21)
	})
}

// TestNodesAgreeOnVacations: two nodes that do not know of each other's changes both use up days once.
func TestNodesAgreeOnVacations(t *testing.T) {
	store := new(rows.Memory)
	a, b := vacationNode(store), vacationNode(store)
	begin := func(l *Lobby, after time.Duration, days int) error { return beginVacation(t, l, after, days) }
	want := func(what string, err error, code errcode.Code) {
		t.Helper()
		var e *errcode.Error
		if got := errors.As(err, &e); got && e.Code != code || got != (code != "") || err != nil && !got {
			t.Errorf("%s: %v, want %q", what, err, code)
		}
	}
	want("on one node", begin(a, 0, 15), "")
	want("on another", begin(b, 20*24*time.Hour, 15), errcode.NotAllowed)
	if got := b.vacations(vacationer); len(got) != 1 || got[0] != (vacation.Period{From: vacationStart, Until: vacationStart.Add(15 * 24 * time.Hour)}) {
		t.Errorf("the other node has %+v", got)
	}
	want("the rest", begin(b, 20*24*time.Hour, 6), "")
	found, _, _ := store.Changes(t.Context(), "")
	for _, r := range found {
		want("followed", a.rows.Follow(t.Context(), r), "")
		want("followed late", a.rows.Follow(t.Context(), rows.Row{Key: r.Key, Version: 1, Data: []byte("null")}), "")
	}
	if got := a.vacations(vacationer); len(got) != 2 {
		t.Errorf("the first node has %+v", got)
	}
	want("removed", a.removeVacations(t.Context(), vacationer), "")
	if len(a.vacations(vacationer)) != 0 {
		t.Errorf("removed: %+v", a.vacations(vacationer))
	}
	a.rows.vacations.Store = failingRows{store}
	want("without a store", begin(a, 0, 1), errcode.Unavailable)
}

// TestStoredVacations: the stored form of vacations stays as it is, since they outlive the program.
func TestStoredVacations(t *testing.T) {
	const golden = `[{"from":"2026-01-02T03:04:05Z","until":"2026-01-04T03:04:05Z"},{"from":"2026-01-12T03:04:05Z","until":"2026-01-13T03:04:05Z"}]`
	store := new(rows.Memory)
	l := vacationNode(store)
	key := rows.Key{Kind: "vacation", ID: "7"}
	want := func(data string) {
		t.Helper()
		found, err := store.Read(t.Context(), key)
		if err != nil || len(found) != 1 || string(found[0].Data) != data {
			t.Errorf("the store has %v, %v, want %s", found, err, data)
		}
	}
	const later = 10 * 24 * time.Hour
	if err := beginVacation(t, l, 0, 2); err != nil {
		t.Error(err)
	}
	if err := beginVacation(t, l, later, 1); err != nil {
		t.Error(err)
	}
	want(golden)
	if err := l.removeVacations(t.Context(), vacationer); err != nil {
		t.Error(err)
	}
	want("[]")
	l = vacationNode(store)
	if err := l.rows.Follow(t.Context(), rows.Row{Key: key, Version: 1, Data: []byte(golden)}); err != nil {
		t.Error(err)
	}
	second := vacationStart.Add(later)
	if got := l.vacations(vacationer); len(got) != 2 || got[1] != (vacation.Period{From: second, Until: second.Add(24 * time.Hour)}) {
		t.Errorf("read as %+v", got)
	}
}

type failingRows struct{ rows.Store }

func (failingRows) Write(context.Context, ...rows.Write) ([]rows.Row, error) {
	return nil, errors.New("no store")
}
