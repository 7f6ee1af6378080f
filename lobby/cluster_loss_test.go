package lobby_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/cluster/rows"
	"ayumu/lobby/table"
)

// failoverStore is a sharedStore whose rows are on a machine of which a standby can take the place.
type failoverStore struct {
	*sharedStore
	mu       sync.Mutex
	rows     *rows.Memory
	failures int
}

// current returns the machine that has the rows, and its number.
func (s *failoverStore) current() (found *rows.Memory, machine string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.rows, fmt.Sprint(s.failures)
}

// failOver lets a standby take the place of the machine.
func (s *failoverStore) failOver(standby *rows.Memory) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rows = standby
	s.failures++
}

func (s *failoverStore) Write(ctx context.Context, changes ...rows.Write) ([]rows.Row, error) {
	found, _ := s.current()
	return found.Write(ctx, changes...)
}

func (s *failoverStore) Read(ctx context.Context, keys ...rows.Key) ([]rows.Row, error) {
	found, _ := s.current()
	return found.Read(ctx, keys...)
}

func (s *failoverStore) Changes(ctx context.Context, since rows.Cursor) ([]rows.Row, rows.Cursor, error) {
	memory, machine := s.current()
	number, before, _ := strings.Cut(string(since), "@")
	if before != machine {
		number = ""
	}
	found, next, err := memory.Changes(ctx, rows.Cursor(number))
	return found, rows.Cursor(string(next) + "@" + machine), err
}

// copy returns the rows as a standby has them at this moment.
func (s *failoverStore) copy() *rows.Memory {
	current, _ := s.current()
	found, _, err := current.Changes(s.t.Context(), "")
	if err != nil {
		s.t.Fatal(err)
	}
	m := new(rows.Memory)
	m.Load(slices.DeleteFunc(found, func(r rows.Row) bool { return r.IsDeleted() }))
	return m
}

// TestRowsLostInAFailover: a standby without the last changes takes the place of the database. Afterwards all nodes,
// also new ones, know the same users, chat and drafts as before, nobody is online who had left, and the tables are those
// that the standby has, which can be used.
func TestRowsLostInAFailover(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &sharedStore{t: t, store: memoryStore(t)}
		s := &failoverStore{sharedStore: c, rows: new(rows.Memory)}
		c.configure = func(config *lobby.Config) { config.Cluster.Store = s }
		a, b := c.node("a"), c.node("b")
		defer a.Close()
		defer b.Close()
		ana, bob, dora := a.member("ana"), b.member("bob"), b.member("dora")
		id, err := ana.StartAgainst(t.Context(), table.Proposal{Game: "ayu", Options: smallOptions}, a.member("eve"))
		if err != nil {
			t.Fatal(err)
		}
		seat, err := ana.AsPlayer(id)
		if err != nil {
			t.Fatal(err)
		}
		kept := mustOpen(t, bob, table.Proposal{Options: smallOptions})
		c.settle()
		standby := s.copy()

		cleo := a.member("cleo")
		dora.Close(false)
		wantCode(t, "say", cleo.Say("hello"), "")
		wantCode(t, "draft", seat.SetDraft(0, []string{"b1-b2"}), "")
		wantCode(t, "cancel", bob.CancelTable(t.Context(), kept.ID), "")
		mustOpen(t, cleo, table.Proposal{Options: smallOptions})
		c.settle()

		s.failOver(standby)
		advance(5 * time.Second)
		d := c.node("d")
		defer d.Close()
		advance(2 * time.Second)
		for _, h := range []harness{a, b, d} {
			h.wantOnline("ana bob cleo eve")
			if got := tableIDs(h); len(got) != 1 || got[0] != kept.ID {
				t.Errorf("tables %v, the standby had %s", got, kept.ID)
			}
			if got := chatTexts(&h.Chat); fmt.Sprint(got) != "[cleo: hello]" {
				t.Errorf("chat %q", got)
			}
		}
		there, err := d.member("ana").AsPlayer(id)
		if err != nil || fmt.Sprint(there.Draft().Actions) != "[b1-b2]" {
			t.Errorf("the draft on another node: %+v, %v", there.Draft(), err)
		}
		wantCode(t, "cancel again", bob.CancelTable(t.Context(), kept.ID), "")
		advance(2 * time.Second)
		if got := tableIDs(a); len(got) != 0 {
			t.Errorf("tables %v are left", got)
		}
	})
}
