package lobby

import (
	"context"
	"net/netip"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/engine/enginetest"
	"ayumu/lobby/account"
	"ayumu/lobby/clock"
	"ayumu/lobby/cluster/rows"
	"ayumu/lobby/match"
	"ayumu/lobby/table"
)

// emptyStore has no matches, keeps none, and implements no other method.
type emptyStore struct{ Store }

func (emptyStore) CreateMatch(context.Context, *match.Info, MatchStart) error { return nil }

func (emptyStore) Faults(context.Context, account.ID, string, time.Time, int) ([]time.Time, error) {
	return nil, nil
}

func (emptyStore) Shared() rows.Store { return new(rows.Memory) }

func (emptyStore) UnsettledTournaments(context.Context) (map[string]int, error) { return nil, nil }

func (emptyStore) WriteFailure() (time.Time, error) { return time.Time{}, nil }

func (emptyStore) Unfinished(context.Context, func(*match.Info, []match.Entry) error) error {
	return nil
}

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
		s, err := l.Enter(l.Accounts.NewGuest(), nil)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close(false)
		other, err := s.OpenTable(t.Context(), table.Proposal{Game: "ayu"})
		if err != nil {
			t.Fatal(err)
		}
		visitor := l.users.add(l.Accounts.NewGuest(), time.Now())
		visitor.matches = []*Match{nil}
		l.mu.Lock()
		l.tables.Replace(table.State{
			ID: "bad", Version: 1, Terms: table.Terms{Game: "ayu", Control: clock.Control{Days: 3}}, Request: table.Proposal{Quick: true}, Seating: table.Seating{Seated: []account.ID{visitor.Account().ID}},
		}, time.Now())
		l.mu.Unlock()
		l.runWave(l.ctx)
		if sent != 1 {
			t.Errorf("%d panics were reported", sent)
		}
		if err := s.CancelTable(t.Context(), other.ID); err != nil { // which takes the lock
			t.Error(err)
		}
	})
}

// TestAPanicOfAStepIsTheCommandsError sends a command that makes the match panic before anything is recorded,
// and then a good one.
func TestAPanicOfAStepIsTheCommandsError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var reports []string
		l, err := New(t.Context(), Config{Games: enginetest.Games, Store: emptyStore{}, Report: func(msg string, keyvals ...any) { reports = append(reports, msg) }})
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		var sessions [2]*Session
		for i := range sessions {
			if sessions[i], err = l.Enter(l.Accounts.NewGuest(), nil); err != nil {
				t.Fatal(err)
			}
			defer sessions[i].Close(false)
		}
		id, err := sessions[0].StartAgainst(t.Context(), table.Proposal{Game: "ayu"}, sessions[1])
		if err != nil {
			t.Fatal(err)
		}
		m, err := l.Match(id)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []match.Command{{Kind: match.CommandClaim, Seat: 7, Claim: "win"}, {Kind: match.CommandResign}} {
			if _, err := m.do(t.Context(), c); err == nil || !m.Snapshot().Frozen {
				t.Errorf("%+v: %v, frozen is %v", c, err, m.Snapshot().Frozen)
			}
		}
		if len(reports) != 1 || reports[0] != "match frozen" {
			t.Errorf("reported: %q", reports)
		}
	})
}

// TestAMatchIsAddedOnce: a match of which a command and the follower learn at once has one goroutine, and each of its
// players has it once.
func TestAMatchIsAddedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, err := New(t.Context(), Config{Games: enginetest.Games, Store: emptyStore{}})
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		options, err := l.Games()[0].ParseOptions([]byte(`{"size":5}`))
		if err != nil {
			t.Fatal(err)
		}
		seats := []match.Seat{{Account: 1, Name: "ana"}, {Account: 2, Name: "bob"}}
		for range 2 {
			info := &match.Info{ID: "m", Game: "ayu", Options: options, Seats: seats, Started: time.Now()}
			if err := l.matches.add(info, nil, netip.Prefix{}, false); err != nil {
				t.Fatal(err)
			}
		}
		if n := len(l.users.byID[1].seatedMatches()); n != 1 {
			t.Errorf("ana has the match %d times", n)
		}
	})
}
