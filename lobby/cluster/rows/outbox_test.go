package rows_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/lobby/cluster/rows"
)

// faultyStore is a Memory whose writes can fail, before or after they are made.
type faultyStore struct {
	rows.Memory
	mu     sync.Mutex
	fail   bool
	late   bool // it fails after writing
	writes []int
	during func() // called by a write before it is made
}

func (f *faultyStore) set(fail, late bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.fail, f.late = fail, late
}

// lose replaces all rows by others.
func (f *faultyStore) lose(t *testing.T, kept map[string]string) {
	t.Helper()
	known, _, err := f.Changes(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range known {
		if _, err := f.Memory.Write(t.Context(), rows.Write{Key: r.Key, Replaces: r.Version}); err != nil {
			t.Fatal(err)
		}
	}
	for id, data := range kept {
		if _, err := f.Memory.Write(t.Context(), rows.Write{Key: rows.Key{Kind: "test", ID: id}, Data: []byte(data)}); err != nil {
			t.Fatal(err)
		}
	}
}

func (f *faultyStore) Write(ctx context.Context, changes ...rows.Write) ([]rows.Row, error) {
	f.mu.Lock()
	fail, late := f.fail, f.late
	f.writes = append(f.writes, len(changes))
	during := f.during
	f.mu.Unlock()
	if during != nil {
		during()
	}
	if fail && !late {
		return nil, errors.New("the store is gone")
	}
	found, err := f.Memory.Write(ctx, changes...)
	if fail && err == nil {
		return nil, errors.New("no answer")
	}
	return found, err
}

// content returns the data of all rows by their ids.
func (f *faultyStore) content(t *testing.T) string {
	t.Helper()
	found, _, err := f.Changes(context.WithoutCancel(t.Context()), "")
	if err != nil {
		t.Fatal(err)
	}
	all := make(map[string]string)
	for _, r := range found {
		all[r.ID] = string(r.Data)
	}
	return fmt.Sprint(all)
}

// withOutbox runs a test with an Outbox; stop ends its Run.
func withOutbox(t *testing.T, test func(t *testing.T, f *faultyStore, put func(id, data string), wrote func() int, stop func())) {
	synctest.Test(t, func(t *testing.T) {
		f := new(faultyStore)
		calls := 0
		o := rows.NewOutbox(f, func() { calls++ })
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		go o.Run(ctx)
		test(t, f, func(id, data string) {
			d := []byte(data)
			if data == "" {
				d = nil
			}
			o.Put(rows.Key{Kind: "test", ID: id}, d)
		}, func() int { return calls }, cancel)
	})
}

func wantContent(t *testing.T, f *faultyStore, want string) {
	t.Helper()
	synctest.Wait()
	if got := f.content(t); got != want {
		t.Errorf("rows %s, want %s", got, want)
	}
}

func TestOutboxWritesRows(t *testing.T) {
	withOutbox(t, func(t *testing.T, f *faultyStore, put func(id, data string), wrote func() int, stop func()) {
		put("x", "one")
		wantContent(t, f, "map[x:one]")
		put("x", "two")
		put("y", "one")
		wantContent(t, f, "map[x:two y:one]")
		put("x", "")
		wantContent(t, f, "map[y:one]")
		put("x", "again")
		wantContent(t, f, "map[x:again y:one]")
		if wrote() < 4 {
			t.Errorf("told of %d writes", wrote())
		}
		stop()
		synctest.Wait()
		if !slices.Equal(f.writes, []int{1, 2, 1, 1}) {
			t.Errorf("writes of %v rows, want one for each change and none without a row", f.writes)
		}
	})
}

// TestFailedWriteReplacesNothing: a row that changed while a write of it failed is written in its newest state.
func TestFailedWriteReplacesNothing(t *testing.T) {
	withOutbox(t, func(t *testing.T, f *faultyStore, put func(id, data string), _ func() int, _ func()) {
		f.set(true, false)
		f.during = func() {
			f.set(false, false)
			f.during = nil
			put("x", "new")
		}
		put("x", "old")
		put("y", "one")
		<-time.After(2 * time.Second)
		wantContent(t, f, "map[x:new y:one]")
	})
}

// TestOutboxKeepsTheNewestState: while the store fails there is one state of each row, and the newest is written
// when it works again; the last write is tried when Run ends.
func TestOutboxKeepsTheNewestState(t *testing.T) {
	for _, late := range []bool{false, true} {
		t.Run(fmt.Sprint("late ", late), func(t *testing.T) {
			withOutbox(t, func(t *testing.T, f *faultyStore, put func(id, data string), wrote func() int, stop func()) {
				put("kept", "one")
				synctest.Wait()
				told := wrote()
				f.set(true, late)
				for i := range 250 {
					put("x", fmt.Sprint(i))
					put("y", fmt.Sprint(i))
					<-time.After(100 * time.Millisecond)
				}
				put("kept", "")
				<-time.After(5 * time.Second)
				if wrote() != told {
					t.Error("told of writes that failed")
				}
				f.set(false, false)
				f.mu.Lock()
				for _, n := range f.writes {
					if n > 3 {
						t.Errorf("a write of %d rows", n)
					}
				}
				f.mu.Unlock()
				<-time.After(2 * time.Second)
				wantContent(t, f, "map[x:249 y:249]")
				put("x", "last")
				stop()
				wantContent(t, f, "map[x:last y:249]")
			})
		})
	}
}

// TestOutboxTakesOverRows: a process replaces the rows of an earlier one of the same name.
func TestOutboxTakesOverRows(t *testing.T) {
	withOutbox(t, func(t *testing.T, f *faultyStore, put func(id, data string), _ func() int, _ func()) {
		var earlier []rows.Write
		for _, id := range []string{"x", "y", "z"} {
			earlier = append(earlier, rows.Write{Key: rows.Key{Kind: "test", ID: id}, Data: []byte("earlier")})
		}
		if _, err := f.Memory.Write(t.Context(), earlier...); err != nil {
			t.Fatal(err)
		}
		put("x", "mine")
		put("y", "")
		put("new", "mine")
		wantContent(t, f, "map[new:mine x:mine z:earlier]")
	})
}

// TestOutboxWritesAgain what the store has lost, in its newest state, and nothing that was deleted.
func TestOutboxWritesAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := new(faultyStore)
		o := rows.NewOutbox(f, nil)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		go o.Run(ctx)
		put := func(id string, data []byte) {
			o.Put(rows.Key{Kind: "test", ID: id}, data)
			synctest.Wait()
		}
		for i := range 250 {
			put(fmt.Sprint(i), []byte("x"))
		}
		put("0", []byte("y"))
		put("0", []byte("z"))
		for i := 2; i < 250; i++ {
			put(fmt.Sprint(i), nil)
		}
		f.lose(t, map[string]string{"0": "x", "2": "x"})
		f.set(true, false)
		o.WriteAgain()
		put("1", []byte("new"))
		f.set(false, false)
		<-time.After(2 * time.Second)
		wantContent(t, f, "map[0:z 1:new 2:x]") // the owner of the row deletes 2 when it reads it

		f.lose(t, nil)
		o.WriteAgain()
		wantContent(t, f, "map[0:z 1:new]")
		f.writes = nil
		put("1", []byte("newer"))
		if len(f.writes) != 1 || f.writes[0] != 1 {
			t.Errorf("after everything was written again, one change makes writes of %v rows", f.writes)
		}
	})
}

// TestOutboxWritesInBatches: many rows are written in writes of bounded size, in the order in which they came.
func TestOutboxWritesInBatches(t *testing.T) {
	withOutbox(t, func(t *testing.T, f *faultyStore, put func(id, data string), _ func() int, _ func()) {
		f.set(true, false)
		put("first", "x")
		synctest.Wait()
		for i := range 1000 {
			put(fmt.Sprint(i), "x")
		}
		f.set(false, false)
		<-time.After(2 * time.Second)
		found, _, err := f.Changes(t.Context(), "")
		if err != nil || len(found) != 1001 || found[0].ID != "first" || found[1].ID != "0" || found[1000].ID != "999" {
			t.Errorf("%d rows, error %v", len(found), err)
		}
		for _, n := range f.writes {
			if n > 100 {
				t.Errorf("a write of %d rows", n)
			}
		}
	})
}

func TestOutboxRefusesImpossibleRows(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a row without a kind is taken")
		}
	}()
	rows.NewOutbox(new(rows.Memory), nil).Put(rows.Key{ID: "x"}, []byte("x"))
}
