package lobby

import (
	"context"
	"testing"
	"testing/synctest"

	"ayumu/engine/enginetest"
	"ayumu/lobby/table"
)

// emptyStore has no matches and implements no other method.
type emptyStore struct{ Store }

func (emptyStore) Unfinished(context.Context, func(*MatchInfo, []Entry) error) error { return nil }

// TestAPanicInAWaveStopsNothingElse has a quick match whose pairing panics, because one of its user's
// matches is nil.
func TestAPanicInAWaveStopsNothingElse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sent := 0
		l, err := New(t.Context(), Config{Games: enginetest.Games, Store: emptyStore{}, Report: func(msg string, keyvals ...any) {
			if sent++; msg != "panic" {
				t.Error(msg, keyvals)
			}
		}})
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		s, err := l.Enter(l.NewGuest(), nil)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close(false)
		other, err := s.Open(t.Context(), Proposal{Game: "ayu"})
		if err != nil {
			t.Fatal(err)
		}
		visitor := l.users.add(l.NewGuest())
		visitor.matches = []*Match{nil}
		l.mu.Lock()
		l.tables.byID["bad"] = &table.State{
			ID: "bad", Terms: table.Terms{Game: "ayu"}, Request: Proposal{Quick: true}, Seated: []AccountID{visitor.Account().ID},
		}
		l.mu.Unlock()
		l.report.recoverPanic("wave", l.tables.runWave)
		if sent != 1 {
			t.Errorf("%d panics were reported", sent)
		}
		if err := s.Cancel(other.ID); err != nil { // which takes the lock
			t.Error(err)
		}
	})
}
