package lobby_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/engine/enginetest"
	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/table"
)

// names returns the users of a View in order.
func names(v *lobby.View) (all []string) {
	for p := range v.Users.All() {
		all = append(all, p.Name)
	}
	return all
}

// TestPeopleAreListedByName: users enter, are renamed and leave, with a turn after each: the order is kept
// from one View to the next.
func TestPeopleAreListedByName(t *testing.T) {
	withHarness(t, func(t *testing.T, h harness) {
		dora, bob := h.member("dora"), h.member("bob")
		seats := h.pair(dora, bob, table.Proposal{Options: smallOptions})
		m, played := seats[0].Match(), 0
		turn := func() {
			s := m.Snapshot()
			seat := seats[s.Position.Turn()]
			if _, err := seat.Act(t.Context(), s.Version, s.Position.Legal()[:1]); err != nil {
				t.Fatal(err)
			}
			played++
		}
		want := func(want ...string) {
			t.Helper()
			turn()
			v := h.View()
			if got := names(v); !slices.Equal(got, want) {
				t.Errorf("here are %q, want %q", got, want)
			}
			if err := h.CheckUserList(); err != nil {
				t.Error(err)
			}
			if len(v.Matches) != 1 || v.Matches[0].Turns != played {
				t.Errorf("the match is %+v after %d turns", v.Matches, played)
			}
		}
		want("bob", "dora")
		cleo := h.member("cleo")
		want("bob", "cleo", "dora")
		h.member("ana")
		want("ana", "bob", "cleo", "dora")
		cleo.Close(false)
		want("ana", "bob", "dora")
		if err := bob.RenameAccount(t.Context(), "zoe"); err != nil {
			t.Fatal(err)
		}
		want("ana", "dora", "zoe")
	})
}

// TestListsAreMadeOnce: many sessions read the lists after each change.
func TestListsAreMadeOnce(t *testing.T) {
	h := open(t, memoryStore(t))
	defer h.Close()
	for i := range 50 {
		h.member(fmt.Sprintf("player%d", i))
		var views [8]*lobby.View
		var all sync.WaitGroup
		for i := range views {
			all.Go(func() { views[i] = h.View() })
		}
		all.Wait()
		for _, v := range views {
			if v != views[0] {
				t.Fatal("the lists were made more than once after one change")
			}
		}
	}
}

// TestEverybodyIsWoken has more sessions than one batch, and less than a second.
func TestEverybodyIsWoken(t *testing.T) {
	withHarness(t, func(t *testing.T, h harness) {
		var all []*lobby.Session
		for range 300 {
			all = append(all, h.enter(h.Accounts.NewGuest()))
		}
		advance(2 * time.Second)
		for _, s := range all {
			select {
			case <-s.Wakeups():
			default:
			}
		}
		h.member("ana")
		advance(900 * time.Millisecond)
		for i, s := range all {
			select {
			case <-s.Wakeups():
			default:
				t.Fatalf("session %d was not woken", i)
			}
		}
	})
}

// TestArrivalsWaitLongerThanTables: with many sessions, an arrival is displayed within two seconds, an open table
// within one.
func TestArrivalsWaitLongerThanTables(t *testing.T) {
	withHarness(t, func(t *testing.T, h harness) {
		ana := h.member("ana")
		for i := range 2500 {
			id := account.ID(1000 + i)
			h.enter(account.Account{ID: id, Name: fmt.Sprint("user", id)})
		}
		isWoken := func() bool {
			select {
			case <-ana.Wakeups():
				return true
			default:
				return false
			}
		}
		advance(5 * time.Second)
		isWoken()
		bob := h.member("bob")
		advance(time.Second) // for 2,500 sessions
		if !isWoken() {
			t.Error("an arrival after a pause is not displayed at once")
		}
		h.member("cleo")
		advance(900 * time.Millisecond)
		if isWoken() {
			t.Error("a second arrival is displayed within a second")
		}
		if _, err := bob.OpenTable(t.Context(), table.Proposal{Game: "ayu", Options: smallOptions}); err != nil {
			t.Fatal(err)
		}
		advance(time.Second)
		if !isWoken() {
			t.Error("a table is not displayed within a second")
		}
		h.member("dora")
		advance(3 * time.Second)
		if !isWoken() {
			t.Error("an arrival is not displayed within three seconds")
		}
	})
}

// TestTurnsLeaveListsAlone: after a turn users are not sorted and tables not compared again, and after
// other changes they are.
func TestTurnsLeaveListsAlone(t *testing.T) {
	withHarness(t, func(t *testing.T, h harness) {
		ana, bob := h.member("ana"), h.member("bob")
		seats := h.pair(ana, bob, table.Proposal{Options: smallOptions})
		if _, err := ana.OpenTable(t.Context(), table.Proposal{Game: "ayu", Options: smallOptions}); err != nil {
			t.Fatal(err)
		}
		before, revision := h.View(), h.TableList().TablesRevision
		s := seats[0].Match().Snapshot()
		if _, err := seats[s.Position.Turn()].Act(t.Context(), s.Version, s.Position.Legal()[:1]); err != nil {
			t.Fatal(err)
		}
		after := h.View()
		if after.Matches[0].Turns != 1 || h.TableList().TablesRevision != revision || after.Users.At(0) != before.Users.At(0) || &after.Tables[0] != &before.Tables[0] {
			t.Error("the turn is not listed, or more than it was made anew")
		}
		h.member("cleo")
		if v := h.View(); h.TableList().TablesRevision != revision || v.Users.Len() != 3 {
			t.Errorf("%d people are here after a third has come", v.Users.Len())
		}
		if err := seats[0].Resign(t.Context()); err != nil {
			t.Fatal(err)
		}
		if v := h.View(); len(v.Matches) != 0 || v.Users.At(0).Match != "" {
			t.Errorf("%+v still plays", v.Users.At(0))
		}
	})
}

// TestArrivalsLeaveTheRows: the revision of the rows changes with tables and matches only, that of the users with
// users only.
func TestArrivalsLeaveTheRows(t *testing.T) {
	withHarness(t, func(t *testing.T, h harness) {
		ana, bob := h.member("ana"), h.member("bob")
		open := func() *table.View {
			table, err := ana.OpenTable(t.Context(), table.Proposal{Game: "ayu", Options: smallOptions})
			if err != nil {
				t.Fatal(err)
			}
			return table
		}
		open()
		seats := h.pair(ana, bob, table.Proposal{Options: smallOptions})
		var cleo *lobby.Session
		for _, tt := range []struct {
			what        string
			rows, users bool
			change      func()
		}{
			{"an arrival", false, true, func() { cleo = h.member("cleo") }},
			{"a turn", true, false, func() {
				s := seats[0].Match().Snapshot()
				if _, err := seats[s.Position.Turn()].Act(t.Context(), s.Version, s.Position.Legal()[:1]); err != nil {
					t.Fatal(err)
				}
			}},
			{"a spectator", true, false, func() {
				if _, err := cleo.Watch(seats[0].Match().Info.ID, ""); err != nil {
					t.Fatal(err)
				}
			}},
			{"a table", true, false, func() { open() }},
			{"another session of who is at a table", false, false, func() { h.member("ana") }},
			{"a name", true, true, func() {
				if err := ana.RenameAccount(t.Context(), "anna"); err != nil {
					t.Fatal(err)
				}
			}},
			{"the end of a match", true, true, func() {
				if err := seats[0].Resign(t.Context()); err != nil {
					t.Fatal(err)
				}
			}},
		} {
			before := h.View()
			tt.change()
			after := h.View()
			if rows, users := after.RowsRevision != before.RowsRevision, after.UsersRevision != before.UsersRevision; rows != tt.rows || users != tt.users {
				t.Errorf("%s: the rows have changed: %t, the users: %t", tt.what, rows, users)
			}
		}
	})
}

// BenchmarkArrival enters a full lobby and reads the lists.
func BenchmarkArrival(b *testing.B) {
	for _, n := range []int{1000, 5000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			l, err := lobby.New(b.Context(), lobby.Config{Games: enginetest.Games, Store: memoryStore(b)})
			if err != nil {
				b.Fatal(err)
			}
			defer l.Close()
			come := func(i int) *lobby.Session {
				s, err := l.Enter(account.Account{ID: account.ID(i + 1), Name: fmt.Sprintf("Player%d", i*7919%n)}, nil)
				if err != nil {
					b.Fatal(err)
				}
				s.IgnoreLists(true)
				return s
			}
			for i := range n {
				come(i)
			}
			l.View()
			b.ReportAllocs()
			for b.Loop() {
				s := come(n)
				l.View()
				s.Close(false)
			}
		})
	}
}

// TestATurnWakesItsPlayerOnce: clearing the draft of a turn does not wake its player a second time.
func TestATurnWakesItsPlayerOnce(t *testing.T) {
	withHarness(t, func(t *testing.T, h harness) {
		ana, bob := h.member("ana"), h.member("bob")
		seats := h.pair(ana, bob, table.Proposal{Options: smallOptions})
		mover := ana
		if p, err := ana.AsPlayer(seats[0].Match().Info.ID); err != nil || p.Seat() != 0 {
			mover = bob
		}
		mover.IgnoreLists(true)
		advance(5 * time.Second) // until lists.notify has run
		s := seats[0].Snapshot()
		turn := s.Position.Legal()[:1]
		if err := seats[0].SetDraft(s.Version, turn); err != nil {
			t.Fatal(err)
		}
		<-mover.Wakeups()
		woken := 0
		stop := make(chan struct{})
		counted := make(chan struct{})
		go func() {
			defer close(counted)
			for {
				select {
				case <-mover.Wakeups():
					woken++
					if d := seats[0].Draft(); len(d.Actions) > 0 {
						t.Errorf("the turn is shown with the draft %q", d.Actions)
					}
				case <-stop:
					return
				}
			}
		}()
		synctest.Wait()
		if _, err := seats[0].Act(t.Context(), s.Version, turn); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		close(stop)
		<-counted
		if woken != 1 {
			t.Errorf("the mover's session was woken %d times", woken)
		}
	})
}
