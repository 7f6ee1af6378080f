package lobby

import (
	"context"
	"testing"
	"testing/synctest"
)

// emptyStore has no matches, and is asked for nothing else.
type emptyStore struct{ Store }

func (emptyStore) Unfinished(context.Context, func(*Info, []Entry) error) error { return nil }

// TestAPanicInAWaveStopsNothingElse has a quick request that no pairing can bear, because one of its
// person's matches is nil.
func TestAPanicInAWaveStopsNothingElse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		told := 0
		l, err := New(t.Context(), Config{Store: emptyStore{}, Report: func(msg string, keyvals ...any) {
			if told++; msg != "panic" {
				t.Error(msg, keyvals)
			}
		}})
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		s, err := l.Enter(l.Guest(), nil)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close(false)
		other, err := s.Open(t.Context(), Proposal{Game: "ayu"})
		if err != nil {
			t.Fatal(err)
		}
		stranger := l.person(l.Guest())
		stranger.matches = []*Match{nil}
		l.mu.Lock()
		l.tables["bad"] = &table{id: "bad", quick: true, seated: []*person{stranger}, proposal: proposal{game: "ayu"}, ready: map[*person]bool{}}
		l.mu.Unlock()
		l.guard("wave", l.wave)
		if told != 1 {
			t.Errorf("the host was told of %d panics", told)
		}
		if err := s.Cancel(other.ID); err != nil { // which needs the lock
			t.Error(err)
		}
	})
}
