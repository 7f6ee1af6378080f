package sqlite

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/engine/enginetest"
	"ayumu/lobby"
	"ayumu/lobby/errcode"
	"ayumu/lobby/store"
)

// blockWriter blocks the writer until the returned function is called.
func blockWriter(t *testing.T, s *Store) (release func()) {
	t.Helper()
	began, release1 := make(chan bool), make(chan bool)
	go s.submit(context.Background(), &job{do: func(*tx) error {
		close(began)
		<-release1
		return nil
	}})
	<-began
	return func() { close(release1) }
}

// queued submits a change and returns once it is in the queue.
func queued(s *Store, ctx context.Context, do func(*tx) error) (result chan error) {
	result = make(chan error, 1)
	before := len(s.queue)
	go func() { result <- s.submit(ctx, &job{do: do}) }()
	for len(s.queue) == before {
		synctest.Wait()
	}
	return result
}

func insertAccount(name string) func(*tx) error {
	return func(t *tx) error {
		_, err := t.Exec("INSERT INTO accounts (name, skeleton, created) VALUES (?1, ?1, 0)", name)
		return err
	}
}

// names returns the names of all accounts, in the order of their ids.
func names(t *testing.T, s *Store) string {
	t.Helper()
	all, err := store.All(t.Context(), s.read, "SELECT name FROM accounts ORDER BY id", nil, store.Value[string])
	want(t, "read names", err, nil)
	return strings.Join(all, "")
}

// withMemoryStore runs a test with an empty store in a bubble, which fails if a goroutine is left.
func withMemoryStore(t *testing.T, f func(t *testing.T, s *Store)) {
	synctest.Test(t, func(t *testing.T) {
		s, err := OpenMemory(enginetest.Games)
		f(t, opened(t, s, err))
	})
}

func TestRefusedChangeUndoesItselfAlone(t *testing.T) {
	withMemoryStore(t, func(t *testing.T, s *Store) {
		refusal := errors.New("refused")
		release := blockWriter(t, s)
		var results []chan error
		for _, do := range []func(*tx) error{
			insertAccount("a"),
			func(t *tx) error { insertAccount("b")(t); return refusal },
			insertAccount("c"),
			func(t *tx) error { insertAccount("d")(t); return insertAccount("a")(t) }, // the name is taken
			func(t *tx) error { insertAccount("e")(t); panic("fault") },
			insertAccount("f"),
		} {
			results = append(results, queued(s, t.Context(), do))
		}
		release()
		for i, failed := range []bool{false, true, false, true, true, false} {
			if err := <-results[i]; (err != nil) != failed {
				t.Errorf("change %d: %v", i, err)
			}
		}
		if got := names(t, s); got != "acf" {
			t.Errorf("kept are %q", got)
		}
	})
}

func TestContextEndsTheWaitInTheQueue(t *testing.T) {
	withMemoryStore(t, func(t *testing.T, s *Store) {
		release := blockWriter(t, s)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		waiting := queued(s, ctx, insertAccount("a"))
		want(t, "while the writer is busy", <-waiting, context.DeadlineExceeded)
		want(t, "with a context that has ended", s.submit(ctx, &job{do: insertAccount("b")}), context.DeadlineExceeded)
		release()
		ctx, cancel = context.WithCancel(t.Context())
		defer cancel()
		err := s.submit(ctx, &job{do: func(t *tx) error {
			cancel() // the writer has begun: the change is made and acknowledged
			return insertAccount("c")(t)
		}})
		want(t, "what the writer has begun", err, nil)
		failed, cancel := context.WithCancel(t.Context())
		defer cancel()
		refusal := errors.New("refused")
		want(t, "what the writer has begun and refuses", s.submit(failed, &job{do: func(*tx) error {
			cancel()
			synctest.Wait() // the caller has seen the end of the context
			return refusal
		}}), refusal)
		if got := names(t, s); got != "c" {
			t.Errorf("kept are %q", got)
		}
	})
}

func TestFullQueueMakesOthersWait(t *testing.T) {
	withMemoryStore(t, func(t *testing.T, s *Store) {
		release := blockWriter(t, s)
		var done sync.WaitGroup
		for range maxQueuedJobs {
			done.Go(func() { want(t, "in the queue", s.submit(t.Context(), &job{do: func(*tx) error { return nil }}), nil) })
		}
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		want(t, "behind a full queue", s.submit(ctx, &job{do: insertAccount("a")}), context.DeadlineExceeded)
		release()
		done.Wait()
		if got := names(t, s); got != "" {
			t.Errorf("kept are %q", got)
		}
	})
}

func TestCloseFinishesWhatWaits(t *testing.T) {
	path := t.TempDir() + "/" + FileName
	s := openFile(t, path)
	release := blockWriter(t, s)
	var results []chan error
	for i := range 5 {
		result := make(chan error, 1)
		go func() { result <- s.submit(t.Context(), &job{do: insertAccount(fmt.Sprint(i))}) }()
		results = append(results, result)
	}
	closed := make(chan error)
	go func() { closed <- s.Close() }()
	for closed := false; !closed; runtime.Gosched() {
		s.queueMu.RLock()
		closed = s.queueClosed
		s.queueMu.RUnlock()
	}
	release()
	want(t, "close", <-closed, nil)
	db := 0
	for _, r := range results {
		// It is random whether a change was in time, but not whether it was stored.
		if err := <-r; err == nil {
			db++
		} else {
			want(t, "too late", err, errcode.ErrClosed)
		}
	}
	want(t, "change after close", answered(t, "change after close", func() error { return s.SaveSettings(t.Context(), 1, nil) }), errcode.ErrClosed)
	if _, err := s.Account(t.Context(), 1); err == nil {
		t.Error("a closed store answers")
	}
	if got := names(t, openFile(t, path)); len(got) != db {
		t.Errorf("kept are %q of %d that were acknowledged", got, db)
	}
}

func TestEntriesAreFiledOnceThereAreMany(t *testing.T) {
	forEachStore(t, func(t *testing.T, s *Store) {
		ctx := t.Context()
		ana, bob := newAccount(t, s, "ana"), newAccount(t, s, "bob")
		entries := log(t, newMatch(t, "", "", ana, bob), 1000, newChance())
		total, matches := 0, 0
		var done sync.WaitGroup
		for ; total < maxStaged+maxStaged/10; matches++ {
			info := newMatch(t, fmt.Sprint("m", matches), "", ana, bob)
			total += len(entries)
			done.Go(func() {
				want(t, "create", s.CreateMatch(ctx, info, lobby.MatchStart{}), nil)
				for v, e := range entries {
					want(t, "append", s.Append(ctx, info.ID, after(v), e), nil)
				}
			})
		}
		done.Wait()
		var staged, moved int
		if err := s.read.QueryRow("SELECT (SELECT count(*) FROM staged_entries), (SELECT count(*) FROM entries)").Scan(&staged, &moved); err != nil {
			t.Fatal(err)
		}
		if staged+moved != total || moved < maxStaged || staged > maxStaged {
			t.Errorf("of %d entries %d are staged and %d moved", total, staged, moved)
		}
		clear(s.logEnds) // as after a restart
		for i := range matches {
			id := fmt.Sprint("m", i)
			_, got, err := s.Match(ctx, id)
			if err != nil || !reflect.DeepEqual(got, entries) {
				t.Errorf("%s has %d entries of %d, %v", id, len(got), len(entries), err)
			}
			want(t, "one that is there", s.Append(ctx, id, after(len(entries)-1), entries[len(entries)-1]), errcode.ErrVersionConflict)
			want(t, "one too far", s.Append(ctx, id, after(len(entries)+1), entries[0]), errcode.ErrVersionConflict)
		}
	})
}

// TestPanicOfTheWriterIsAnError: the writer panics outside of the jobs' functions: all callers whose
// changes are undone get an error, and later changes are made.
func TestPanicOfTheWriterIsAnError(t *testing.T) {
	withMemoryStore(t, func(t *testing.T, s *Store) {
		release := blockWriter(t, s)
		before := queued(s, t.Context(), insertAccount("a"))
		fault := queued(s, t.Context(), func(t *tx) error {
			t.statements, t.bound = nil, nil // used next by the writer
			return nil
		})
		after := queued(s, t.Context(), insertAccount("b"))
		release()
		for _, result := range []chan error{before, fault} {
			if err := <-result; err == nil || !strings.Contains(err.Error(), "panic") {
				t.Errorf("a change of the transaction that panics: %v", err)
			}
		}
		want(t, "a change after it", <-after, nil)
		if got := names(t, s); got != "b" {
			t.Errorf("the file has the accounts %q, want b", got)
		}
	})
}
