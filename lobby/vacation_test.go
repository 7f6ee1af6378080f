package lobby_test

import (
	"path/filepath"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/engine"
	"ayumu/engine/enginetest"
	"ayumu/lobby"
	"ayumu/lobby/clock"
	"ayumu/lobby/errcode"
	"ayumu/lobby/limit"
	"ayumu/lobby/match"
	"ayumu/lobby/store/sqlite"
	"ayumu/lobby/table"
	"ayumu/lobby/vacation"
)

const day = 24 * time.Hour

// vacationCredits returns the credits for vacations in a log.
func vacationCredits(s *match.Snapshot) (all []time.Duration) {
	for _, e := range s.Log {
		if e.Kind == match.EntryCredit && e.Reason == match.CreditVacation {
			all = append(all, e.Credit)
		}
	}
	return all
}

// TestVacationOutlivesARestart: a player is on vacation while the server stops and starts again, with a file.
func TestVacationOutlivesARestart(t *testing.T) {
	path := filepath.Join(t.TempDir(), sqlite.FileName)
	openFile := func(t *testing.T) *sqlite.Store {
		db, err := sqlite.Open(t.Context(), path, enginetest.Games)
		if err != nil {
			t.Fatal(err)
		}
		return db
	}
	synctest.Test(t, func(t *testing.T) {
		db := openFile(t)
		h := open(t, db)
		ana, bob := h.member("ana"), h.member("bob")
		seats := h.pair(ana, bob, table.Proposal{Options: smallOptions, Clock: &clock.Control{Days: 3}, First: table.FirstOwner})
		id := seats[0].Match().Info.ID
		turn(t, seats)
		turn(t, seats)
		advance(day)
		status, err := ana.BeginVacation(t.Context(), 10)
		if err != nil || status.Left != 11 {
			t.Fatal(status, err)
		}
		synctest.Wait()
		if until, ok := seats[1].Snapshot().OnVacation(0); !ok || !until.Equal(status.Until) {
			t.Errorf("bob sees a vacation until %v", until)
		}
		advance(day)
		h.Close()
		db.Close()
		advance(5 * day)
		db = openFile(t)
		defer db.Close()
		h = open(t, db)
		defer h.Close()
		synctest.Wait()
		m, err := h.Match(id)
		if err != nil {
			t.Fatal(err)
		}
		if left, _ := m.Snapshot().Remaining(0, time.Now()); left != 2*day || m.Snapshot().RunningSeat != -1 {
			t.Errorf("after the restart ana has %v left, and seat %d's clock runs; want 2 days, and none", left, m.Snapshot().RunningSeat)
		}
		ana = h.member("ana")
		advance(day)
		if status, err = ana.EndVacation(t.Context()); err != nil || !status.Until.IsZero() {
			t.Error(status, err)
		}
		synctest.Wait()
		if got := vacationCredits(m.Snapshot()); !slices.Equal(got, []time.Duration{7 * day}) {
			t.Errorf("credits %v", got)
		}
		advance(2*day - time.Minute)
		if m.Snapshot().IsOver() {
			t.Error("the match is over too early")
		}
		advance(2 * time.Minute)
		if r := m.Snapshot().Result; r == nil || r.Reason != engine.ReasonTime {
			t.Errorf("result %+v", r)
		}
	})
}

// TestVacationHoldsOnAllNodes: a vacation that begins on one node stops the clock on the other, and is credited once.
func TestVacationHoldsOnAllNodes(t *testing.T) {
	withCluster(t, func(t *testing.T, c *sharedStore, a, b harness) {
		seats := a.pair(a.member("ana"), a.member("bob"), table.Proposal{Options: smallOptions, Clock: &clock.Control{Days: 1}, First: table.FirstOwner})
		advance(3 * time.Second)
		elsewhere, err := b.Match(seats[0].Match().Info.ID)
		if err != nil {
			t.Fatal(err)
		}
		other := b.member("ana")
		status, err := other.BeginVacation(t.Context(), 1)
		if err != nil {
			t.Fatal(err)
		}
		advance(3 * time.Second)
		for _, m := range []*lobby.Match{seats[0].Match(), elsewhere} {
			if until, ok := m.Snapshot().OnVacation(0); !ok || !until.Equal(status.Until) {
				t.Errorf("a vacation until %v", until)
			}
		}
		if _, err := other.EndVacation(t.Context()); err != nil {
			t.Fatal(err)
		}
		advance(20 * time.Second)
		for _, m := range []*lobby.Match{seats[0].Match(), elsewhere} {
			if got := vacationCredits(m.Snapshot()); len(got) != 1 || got[0] < 3*time.Second {
				t.Errorf("credits %v", got)
			}
		}
	})
}

// TestVacationsThatAreRefused has a guest, a change too often, and a server without vacations.
func TestVacationsThatAreRefused(t *testing.T) {
	withHarness(t, func(t *testing.T, h harness) {
		_, err := h.enter(h.Accounts.NewGuest()).BeginVacation(t.Context(), 1)
		wantCode(t, "a guest's", err, errcode.NotAllowed)
		session := h.member("ana")
		for err = nil; err == nil; {
			_, err = session.BeginVacation(t.Context(), 1)
		}
		wantCode(t, "too often", err, errcode.RateLimited)
		limits := limit.Default()
		limits.VacationDays = 0
		h.SetLimits(limits)
		session = h.member("bob")
		_, err = session.BeginVacation(t.Context(), 1)
		wantCode(t, "on a server without", err, errcode.NotAllowed)
		if s := session.Vacation(); s != (vacation.Status{}) {
			t.Errorf("the status is %+v", s)
		}
	})
}
