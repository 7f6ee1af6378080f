package notify

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/engine/ayu"
	"ayumu/lobby"
	"ayumu/lobby/clock"
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

func (s *agingStore) Receivers(context.Context) (active, off []lobby.AccountID, err error) {
	return []lobby.AccountID{1}, nil, nil
}

func (s *agingStore) EndedMatches(context.Context, time.Time, int) ([]string, error) { return nil, nil }

func (s *agingStore) Claim(context.Context, time.Time, time.Time, Queue, []string, int) ([]Claim, error) {
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
		s.tables = func() *lobby.OpenTables { return &lobby.OpenTables{} }
		s.MatchChanged(&lobby.Snapshot{
			Info:     &lobby.MatchInfo{ID: "m", Options: options, Control: clock.Control{Days: 4}, Seats: []lobby.Seat{{Account: 1}, {Account: 2}}, Started: start},
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
