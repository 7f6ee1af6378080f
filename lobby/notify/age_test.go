package notify

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/engine"
	"ayumu/engine/ayu"
	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/clock"
	"ayumu/lobby/errcode"
	"ayumu/lobby/match"
	"ayumu/lobby/table"
)

// agingStore is a Store of one receiver that acknowledges everything at once.
type agingStore struct {
	Store
	done map[string]time.Time // when a notification was acknowledged, until it is pruned
	sent []string             // the ids of those that were sent
}

func (s *agingStore) Enqueue(_ context.Context, all []Notification) (int, error) {
	for _, n := range all {
		if _, isStored := s.done[n.ID]; !isStored {
			s.done[n.ID] = time.Now()
			s.sent = append(s.sent, n.ID)
		}
	}
	return len(all), nil
}

func (s *agingStore) PruneNotifications(_ context.Context, before, remindersBefore time.Time) error {
	for id, at := range s.done {
		if at.Before(before) && id[:5] != "time/" || at.Before(remindersBefore) {
			delete(s.done, id)
		}
	}
	return nil
}

func (s *agingStore) Receivers(context.Context) (active, off []account.ID, err error) {
	return []account.ID{1}, nil, nil
}

func (s *agingStore) EndedMatches(context.Context, time.Time, int) ([]string, error) { return nil, nil }

func (s *agingStore) Lease(context.Context, time.Time, time.Time, Queue, []string, int) ([]Lease, error) {
	return nil, nil
}

func (s *agingStore) NextDue(context.Context) (map[Queue]time.Time, error) { return nil, nil }

// TestLongEvents: what lasts for longer than notifications are kept is notified once: a turn with a long vacation, and an
// announcement without an end.
func TestLongEvents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		options, err := ayu.Game{}.ParseOptions(nil)
		if err != nil {
			t.Fatal(err)
		}
		store := &agingStore{done: make(map[string]time.Time)}
		s := New(Config{Store: store, Announcements: func() []Announcement { return []Announcement{{ID: "7", At: start}} }})
		s.tables = func() *lobby.TableList { return &lobby.TableList{} }
		s.MatchChanged(&match.Snapshot{
			Info:     &match.Info{ID: "m", Options: options, Control: clock.Control{Days: 4}, Seats: []match.Seat{{Account: 1}, {Account: 2}}, Started: start},
			Position: ayu.Game{}.New(options), Clocks: []time.Duration{time.Hour, time.Hour}, ClocksAt: start, RunningSeat: -1, // on vacation
		})
		var sweepAt time.Time
		for range 365 {
			s.step(t.Context(), &sweepAt)
			time.Sleep(24 * time.Hour)
		}
		slices.Sort(store.sent)
		if want := []string{"announcement/7", "time/m/0", "turn/m/0"}; !slices.Equal(store.sent, want) {
			t.Errorf("sent: %q, want %q", store.sent, want)
		}
	})
}

// stepStore is a Store that keeps what Run asks of it. What is named in fails fails.
type stepStore struct {
	Store
	active []account.ID
	ended  []string // what EndedMatches returns
	fails  string
	calls  []string
	since  []time.Time // of each call of EndedMatches
	stored []string    // the ids of all calls of Enqueue that have succeeded
}

func (s *stepStore) call(name string) error {
	s.calls = append(s.calls, name)
	if s.fails == name {
		return errors.New("no connection")
	}
	return nil
}

func (s *stepStore) Receivers(context.Context) (active, off []account.ID, err error) {
	if err := s.call("Receivers"); err != nil {
		return nil, nil, err
	}
	return s.active, nil, nil
}

func (s *stepStore) Enqueue(_ context.Context, all []Notification) (int, error) {
	err := s.call("Enqueue")
	for _, n := range all {
		if err == nil {
			s.stored = append(s.stored, n.ID)
		}
	}
	return len(all), err
}

func (s *stepStore) EndedMatches(_ context.Context, since time.Time, limit int) ([]string, error) {
	s.since = append(s.since, since)
	return s.ended[:min(len(s.ended), limit)], s.call("EndedMatches")
}

func (s *stepStore) PruneNotifications(context.Context, time.Time, time.Time) error {
	return s.call("PruneNotifications")
}

func (s *stepStore) NextDue(context.Context) (map[Queue]time.Time, error) {
	return nil, s.call("NextDue")
}

// take returns what was asked since the last time, and what was stored.
func (s *stepStore) take() (calls, stored string) {
	calls, stored = strings.Join(s.calls, " "), strings.Join(s.stored, " ")
	s.calls, s.stored = nil, nil
	return calls, stored
}

// TestSteps checks what Run asks of the store when: all of it once a minute and when a receiver has changed, what was removed
// once an hour, and what is due when something is.
func TestSteps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := new(stepStore)
		result := &engine.Result{Winners: []int{0}, Reason: engine.ReasonResign}
		info := correspondence(t, 2)
		matches := map[string][]match.Entry{"over": {{Kind: match.EntryEnd, Result: result, At: time.Now()}}, "empty": nil, "running": {{Kind: match.EntryTurn}}}
		s := New(Config{Store: store, Match: func(_ context.Context, id string) (*match.Info, []match.Entry, error) {
			log, ok := matches[id]
			if !ok {
				return nil, nil, errcode.ErrNotFound
			}
			ended := *info
			ended.ID = id
			return &ended, log, nil
		}})
		tables := &lobby.TableList{}
		s.tables = func() *lobby.TableList { return tables }
		s.endedAt = time.Now().Add(-time.Hour)
		var sweepAt time.Time
		step := func(what, wantCalls, wantStored string) {
			t.Helper()
			if next := s.step(t.Context(), &sweepAt); next <= 0 || next > time.Minute {
				t.Errorf("%s: the next step follows after %v", what, next)
			}
			if calls, stored := store.take(); calls != wantCalls || stored != wantStored {
				t.Errorf("%s: asked for %q and stored %q, want %q and %q", what, calls, stored, wantCalls, wantStored)
			}
		}
		const all, due = "Receivers EndedMatches", " NextDue NextDue"
		step("without a receiver", "Receivers", "")
		step("again", "", "")
		store.active, store.fails = []account.ID{1}, "Receivers"
		s.receiversChanged(1)
		step("a store that fails", "Receivers", "")
		store.fails = ""
		step("soon after", "", "")
		s.receiversChanged(1)
		step("with a receiver", all+" PruneNotifications"+due, "")
		step("nothing new", "", "")
		s.placesFreed()
		step("a place is free", "NextDue NextDue", "")
		step("nothing new", "", "")

		// A match: a turn, and a quarter of the time without another change.
		options, began := info.Options, time.Now()
		m := &match.Snapshot{Info: info, Position: ayu.Game{}.New(options), RunningSeat: 0, Clocks: []time.Duration{96 * time.Hour, 96 * time.Hour}, ClocksAt: began}
		m.Info.Started = began
		s.MatchChanged(m)
		store.fails = "Enqueue"
		step("a turn that cannot be stored", "Enqueue", "")
		s.MatchChanged(&match.Snapshot{Info: info, Position: m.Position, RunningSeat: 0, Clocks: m.Clocks, ClocksAt: began, Version: 0})
		store.fails = ""
		step("once the store works", "Enqueue NextDue NextDue", "turn/m/0")
		step("nothing new", "", "")
		time.Sleep(time.Minute)
		step("a minute later", all+due, "")
		store.fails = "Receivers"
		time.Sleep(time.Minute)
		step("the receivers cannot be read", "Receivers NextDue NextDue", "")
		store.fails = ""

		// A challenge, which is looked at when the tables have changed.
		tables = &lobby.TableList{TablesRevision: 1, Tables: []*table.View{{ID: "t", Opened: time.Now()}}}
		step("a table that challenges nobody here", "", "")

		// Matches that have ended elsewhere.
		store.ended = []string{"unknown", "empty", "running", "over"}
		time.Sleep(time.Minute)
		step("ended elsewhere", "Receivers EndedMatches Enqueue NextDue NextDue", "over/over over/over")
		last := func() time.Time { return store.since[len(store.since)-1] }
		if got := time.Since(last()); got != 2*time.Minute+endedOverlap { // the last time is two minutes ago
			t.Errorf("matches are looked for that ended %v ago", got)
		}
		store.ended = slices.Repeat([]string{"empty"}, 100)
		time.Sleep(time.Minute)
		step("as many ended as are asked for", all+due, "")
		since := last()
		time.Sleep(time.Minute)
		step("the rest of them", all+due, "")
		if !last().Equal(since) {
			t.Errorf("the rest of %d matches is looked for from %v on, not from %v", len(store.ended), last(), since)
		}
		store.ended, store.fails = []string{"over"}, "Enqueue"
		time.Sleep(time.Minute)
		step("an end that cannot be stored", all+" Enqueue NextDue NextDue", "")
		store.fails = ""
		time.Sleep(time.Minute)
		step("once the store works", all+" Enqueue NextDue NextDue", "over/over over/over")
		if !last().Equal(since) {
			t.Errorf("an end that could not be stored is looked for from %v on, not from %v", last(), since)
		}
		store.ended, store.fails = []string{"over"}, "EndedMatches"
		time.Sleep(time.Minute)
		step("ends that cannot be read", all+due, "")
		store.ended, store.fails = nil, ""

		// What is known to be stored is forgotten once an hour, with what is removed from the store.
		time.Sleep(time.Until(began.Add(time.Hour - 1)))
		step("less than an hour after the first time", all+due, "")
		time.Sleep(time.Minute)
		step("an hour later", all+" PruneNotifications Enqueue NextDue NextDue", "turn/m/0")
		time.Sleep(time.Minute)
		step("a minute later", all+due, "")
		time.Sleep(72 * time.Hour)
		step("a quarter of the time is left", all+" PruneNotifications Enqueue NextDue NextDue", "turn/m/0 time/m/0")
		time.Sleep(time.Minute)
		step("a minute later", all+due, "")
	})
}

// TestFirstLookForEndedMatches goes back a month, and not to the beginning: nobody is notified of what ended long ago.
func TestFirstLookForEndedMatches(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &stepStore{active: []account.ID{1}}
		s := New(Config{Store: store})
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			s.Run(ctx, func() *lobby.TableList { return &lobby.TableList{} }, func() (string, string) { return "", "" })
		}()
		synctest.Wait()
		cancel()
		<-ended
		if len(store.since) != 1 || !store.since[0].Equal(time.Now().Add(-endedWindow)) {
			t.Errorf("matches are looked for that ended since %v", store.since)
		}
	})
}

// TestOutdatedNotifications: what was held back is dropped once it says nothing any more, and an announcement never.
func TestOutdatedNotifications(t *testing.T) {
	s := New(Config{})
	tables := []*table.View{{ID: "other"}, {ID: "t"}}
	s.tables = func() *lobby.TableList { return &lobby.TableList{Tables: tables} }
	info := correspondence(t, 2)
	s.running["m"] = &match.Snapshot{Info: info, Position: ayu.Game{}.New(info.Options)}
	s.running["over"] = &match.Snapshot{Info: info, Position: ayu.Game{}.New(info.Options), Result: &engine.Result{}}
	for _, c := range []struct {
		event Event
		facts Facts
		want  bool
	}{
		{EventTurn, Facts{Match: "m"}, false}, {EventTime, Facts{Match: "m"}, false}, {EventTurn, Facts{Match: "m", Version: 2}, true},
		{EventTurn, Facts{Match: "over"}, true}, {EventTurn, Facts{Match: "gone"}, true},
		{EventChallenge, Facts{Table: "t"}, false}, {EventChallenge, Facts{Table: "gone"}, true},
		{EventAnnouncement, Facts{}, false}, {EventOver, Facts{Match: "gone"}, false}, {EventCondition, Facts{Match: "gone"}, false},
	} {
		if got := s.isPointless(t.Context(), &Notification{Event: c.event, Facts: c.facts}); got != c.want {
			t.Errorf("%s %+v is outdated: %t", c.event, c.facts, got)
		}
	}
}
