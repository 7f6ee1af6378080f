package rows_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/lobby/cluster/rows"
)

// settle waits until the outboxes have written what was put into them.
func settle() {
	<-time.After(time.Second)
	synctest.Wait()
}

// withKinds runs a test with a store. open returns the kinds of a node, whose rows are written; kill makes other nodes
// take one for dead.
func withKinds(t *testing.T, test func(t *testing.T, store *rows.Memory, open func(node string) *rows.Kinds, kill func(node string))) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		store, dead := new(rows.Memory), make(map[string]bool)
		test(t, store, func(node string) *rows.Kinds {
			ks := rows.NewKinds(rows.Config{
				Store: store, Node: node, IsAlive: func(node string) bool { return !dead[node] },
				HasOwner: func(owner string) bool { return owner == "known" },
			})
			go ks.Fast.Run(ctx)
			go ks.Slow.Run(ctx)
			return ks
		}, func(node string) { dead[node] = true })
	})
}

// followAll has a node take over all rows that exist.
func followAll(t *testing.T, store rows.Store, ks *rows.Kinds) {
	t.Helper()
	found, _, err := store.Changes(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range found {
		if err := ks.Follow(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
}

// wantRows compares the rows that exist, each as its kind, id and data.
func wantRows(t *testing.T, what string, store rows.Store, want ...string) {
	t.Helper()
	settle()
	found, _, err := store.Changes(t.Context(), "")
	var got []string
	for _, r := range found {
		got = append(got, fmt.Sprintf("%s %s %s", r.Kind, r.ID, r.Data))
	}
	if slices.Sort(got); err != nil || !slices.Equal(got, want) {
		t.Errorf("%s: %q, %v, want %q", what, got, err, want)
	}
}

// seen records the rows that a kind applies.
type seen []string

func (s *seen) apply(_ context.Context, node, id string, next rows.State[int]) error {
	value := "gone"
	if next.Value != nil {
		value = fmt.Sprint(*next.Value)
	}
	*s = append(*s, node+" "+id+" "+value)
	return nil
}

func (s *seen) want(t *testing.T, what string, want ...string) {
	t.Helper()
	if slices.Sort(*s); !slices.Equal(*s, want) {
		t.Errorf("%s: %q, want %q", what, *s, want)
	}
	*s = nil
}

// TestRowsOfANode: a node writes its own rows, deletes those of itself and of dead nodes, and takes over those of others.
func TestRowsOfANode(t *testing.T) {
	withKinds(t, func(t *testing.T, store *rows.Memory, open func(string) *rows.Kinds, kill func(string)) {
		var onA seen
		one, two := 1, 2
		fast, slow := rows.OfNode[int]{Name: "fast", Apply: onA.apply}, rows.OfNode[int]{Name: "slow", IsFrequent: true, Apply: onA.apply}
		a := open("a")
		a.Add(&fast, &slow)
		others := make(map[string]*rows.OfNode[int])
		for _, name := range []string{"b", "c"} {
			others[name] = &rows.OfNode[int]{Name: "fast"}
			open(name).Add(others[name])
			others[name].Put("1", &two)
		}
		fast.Put("1", &one)
		slow.Put("1", &one)
		fast.Put("none", nil)
		wantRows(t, "written", store, "fast a/1 1", "fast b/1 2", "fast c/1 2", "slow a/1 1")
		followAll(t, store, a)
		onA.want(t, "followed", "b 1 2", "c 1 2")
		kill("c")
		fast.Delete("b", "1")
		fast.Delete("c", "1")
		fast.Delete("a", "1")
		wantRows(t, "deleted", store, "fast b/1 2", "slow a/1 1")
		found, _, err := store.Changes(t.Context(), "0")
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range found {
			if err := a.Follow(t.Context(), r); err != nil {
				t.Error(err)
			}
		}
		onA.want(t, "followed again", "b 1 2", "c 1 gone")
		if err := a.Follow(t.Context(), rows.Row{Key: rows.Key{Kind: "fast", ID: "b/1"}, Version: 9, Data: []byte("?")}); err != nil {
			t.Error(err)
		}
		onA.want(t, "of another version of the program")

		var alone rows.OfNode[int]
		alone.Name = "fast"
		ks := rows.NewKinds(rows.Config{Store: store})
		ks.Add(&alone)
		alone.Put("1", &one)
		alone.Delete("c", "1")
		ks.FollowLoss(t.Context(), nil)
		wantRows(t, "alone", store, "fast b/1 2", "slow a/1 1")
	})
}

// TestRowsOfAnEarlierProcess are deleted, or taken over if the kind wants them.
func TestRowsOfAnEarlierProcess(t *testing.T) {
	withKinds(t, func(t *testing.T, store *rows.Memory, open func(string) *rows.Kinds, _ func(string)) {
		one := 1
		for _, name := range []string{"counts", "texts"} {
			before := rows.OfNode[int]{Name: name}
			open("a").Add(&before)
			before.Put("1", &one)
			before.Put("2", &one)
		}
		settle()
		var got seen
		counts, texts := rows.OfNode[int]{Name: "counts", Apply: got.apply}, rows.OfNode[int]{Name: "texts", Inherits: true, Apply: got.apply}
		a := open("a")
		a.Add(&counts, &texts)
		counts.Put("2", &one)
		followAll(t, store, a)
		got.want(t, "taken over", "a 1 1", "a 2 1")
		wantRows(t, "left", store, "counts a/2 1", "texts a/1 1", "texts a/2 1")
		followAll(t, store, a)
		got.want(t, "taken over twice")
		texts.Put("1", nil)
		wantRows(t, "deleted", store, "counts a/2 1", "texts a/2 1")
	})
}

// TestRowsWaitForTheirOwners in their newest states, and those of gone ones are deleted.
func TestRowsWaitForTheirOwners(t *testing.T) {
	withKinds(t, func(t *testing.T, store *rows.Memory, open func(string) *rows.Kinds, kill func(string)) {
		var got seen
		owner := func(id string) string { o, _, _ := strings.Cut(id, "/"); return o }
		mine := rows.OfNode[int]{Name: "x", Owner: owner, Apply: got.apply}
		var shared []string
		all := rows.Shared[string]{Name: "all", Owner: owner, Apply: func(_ context.Context, id string, next rows.State[string]) error {
			shared = append(shared, fmt.Sprint(id, " ", next.Version))
			return nil
		}}
		a := open("a")
		known := make(map[string]bool)
		a.HasOwner = func(owner string) bool { return known[owner] }
		a.Add(&mine, &all)
		follow := func(kind, id string, version int64, data string) {
			t.Helper()
			r := rows.Row{Key: rows.Key{Kind: kind, ID: id}, Version: version, At: time.Now()}
			if data != "" {
				r.Data = []byte(data)
			}
			if err := a.Follow(t.Context(), r); err != nil {
				t.Error(err)
			}
		}
		follow("x", "b/m/1", 1, "1")
		follow("x", "b/m/1", 2, "2")
		follow("x", "b/m/2", 1, "1")
		follow("x", "b/m/2", 2, "")
		follow("all", "m", 3, `"text"`)
		got.want(t, "before the owner", "b m/2 gone")
		known["m"] = true
		a.Adopt("m")
		got.want(t, "with the owner", "b m/1 2")
		if fmt.Sprint(shared) != "[m 3]" {
			t.Errorf("applied %v", shared)
		}
		follow("x", "b/m/1", 3, "3")
		a.Adopt("m")
		got.want(t, "after the owner", "b m/1 3")

		// Between the time when HasOwner reports an owner and Adopt, rows are applied in their order.
		follow("x", "b/n/1", 1, "1")
		known["n"] = true
		follow("x", "b/n/1", 2, "2")
		a.Adopt("n")
		got.want(t, "in order", "b n/1 1", "b n/1 2")

		for _, id := range []string{"b/gone/1", "c/gone/1"} {
			if _, err := store.Write(t.Context(), rows.Write{Key: rows.Key{Kind: "x", ID: id}, Data: []byte("1")}); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := store.Write(t.Context(), rows.Write{Key: rows.Key{Kind: "all", ID: "gone"}, Data: []byte(`""`)}); err != nil {
			t.Fatal(err)
		}
		followAll(t, store, a)
		kill("b")
		if err := a.Prune(t.Context(), time.Now().Add(59*time.Minute)); err != nil {
			t.Error(err)
		}
		wantRows(t, "pruned early", store, `all gone ""`, "x b/gone/1 1", "x c/gone/1 1")
		if err := a.Prune(t.Context(), time.Now().Add(2*time.Hour)); err != nil {
			t.Error(err)
		}
		wantRows(t, "pruned", store, "x c/gone/1 1") // whose writer is alive
	})
}

// TestRowsWrittenAgain after the store has lost some.
func TestRowsWrittenAgain(t *testing.T) {
	withKinds(t, func(t *testing.T, store *rows.Memory, open func(string) *rows.Kinds, _ func(string)) {
		one := 1
		fast, slow := rows.OfNode[int]{Name: "fast"}, rows.OfNode[int]{Name: "slow", IsFrequent: true}
		a := open("a")
		a.Add(&fast, &slow)
		fast.Put("1", &one)
		slow.Put("1", &one)
		settle()
		found, _, err := store.Changes(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range found {
			if _, err := store.Write(t.Context(), rows.Write{Key: r.Key, Replaces: r.Version}); err != nil {
				t.Fatal(err)
			}
		}
		wantRows(t, "lost", store)
		a.FollowLoss(t.Context(), nil)
		wantRows(t, "written again", store, "fast a/1 1", "slow a/1 1")
	})
}

// TestKindsHaveNames of their own; rows of unknown kinds are ignored.
func TestKindsHaveNames(t *testing.T) {
	ks := rows.NewKinds(rows.Config{Store: new(rows.Memory)})
	ks.Add(&rows.Shared[int]{Name: "x"})
	if err := ks.Follow(t.Context(), rows.Row{Key: rows.Key{Kind: "y", ID: "1"}, Data: []byte("1")}); err != nil {
		t.Error(err)
	}
	defer func() {
		if recover() == nil {
			t.Error("two kinds have one name")
		}
	}()
	ks.Add(&rows.OfNode[int]{Name: "x"})
}

// TestSharedRows: what one node writes is known there at once and on others when they follow, in the newest state.
func TestSharedRows(t *testing.T) {
	store, ctx := new(rows.Memory), t.Context()
	var applied []string
	open := func() (*rows.Shared[string], *rows.Kinds) {
		s := &rows.Shared[string]{Name: "x", IsDurable: func(v *string) bool { return v != nil && *v == "durable" }}
		ks := rows.NewKinds(rows.Config{Store: store})
		ks.Add(s)
		return s, ks
	}
	a, _ := open()
	b, onB := open()
	b.Apply = func(_ context.Context, id string, next rows.State[string]) error {
		if v := next.Value; v != nil && *v == "fails" {
			return errors.New("no store")
		}
		applied = append(applied, fmt.Sprint(id, " ", next.Version))
		return nil
	}
	value := func(s rows.State[string]) string {
		if s.Value == nil {
			return fmt.Sprint(s.Version)
		}
		return fmt.Sprint(s.Version, " ", *s.Value)
	}
	want := func(what string, s rows.State[string], want string) {
		t.Helper()
		if got := value(s); got != want {
			t.Errorf("%s: %q, want %q", what, got, want)
		}
	}
	text := func(s string) *string { return &s }
	if _, err := a.Write(ctx, rows.Change[string]{ID: "1", Value: text("one")}); err != nil {
		t.Fatal(err)
	}
	want("written", a.Get("1"), "1 one")
	want("not followed", b.Get("1"), "0")
	all, err := b.Write(ctx, rows.Change[string]{ID: "1", Value: text("two")})
	if !errors.Is(err, rows.ErrConflict) || len(all) != 1 {
		t.Fatal(all, err)
	}
	want("after a conflict", all[0], "1 one")
	want("known after a conflict", b.Get("1"), "1 one")
	add := func(s string) func(*string) (*string, error) {
		return func(v *string) (*string, error) { return text(*v + s), nil }
	}
	if err := b.Update(ctx, "1", add(" two")); err != nil {
		t.Fatal(err)
	}
	if err := a.Update(ctx, "1", add(" three")); err != nil { // which has not heard of it
		t.Fatal(err)
	}
	want("updated twice", a.Get("1"), "3 one two three")
	followAll(t, store, onB)
	followAll(t, store, onB)
	if got := fmt.Sprint(applied); got != "[1 1 1 2 1 3]" {
		t.Errorf("applied %s", got)
	}
	if err := onB.Follow(ctx, rows.Row{Key: rows.Key{Kind: "x", ID: "1"}, Version: 2, Data: []byte(`"late"`)}); err != nil {
		t.Error(err)
	}
	want("a late state", b.Get("1"), "3 one two three")
	if err := onB.Follow(ctx, rows.Row{Key: rows.Key{Kind: "x", ID: "1"}, Version: 4, Data: []byte(`"fails"`)}); err == nil {
		t.Error("a failure is not returned")
	}
	want("a state that is not applied", b.Get("1"), "3 one two three")
	if err := onB.Follow(ctx, rows.Row{Key: rows.Key{Kind: "x", ID: "1"}, Version: 4, Data: []byte("?")}); err != nil {
		t.Error(err)
	}
	want("of another version of the program", b.Get("1"), "4")

	applied = nil
	if err := a.Update(ctx, "1", func(*string) (*string, error) { return nil, nil }); err != nil {
		t.Fatal(err)
	}
	want("deleted", a.Get("1"), "0")
	if len(a.All()) != 0 {
		t.Errorf("after deleting there are %v", a.All())
	}
	found, _, err := store.Changes(ctx, "0")
	if err != nil {
		t.Fatal(err)
	}
	if err := onB.Follow(ctx, rows.Row{Key: found[0].Key, Version: 5}); err != nil || fmt.Sprint(applied) != "[1 0]" {
		t.Errorf("the deletion is applied as %v, %v", applied, err)
	}

	// The store has lost the newest states.
	if _, err := a.Write(ctx, rows.Change[string]{ID: "2", Value: text("kept")}); err != nil {
		t.Fatal(err)
	}
	for id, version := range map[string]int64{"2": 7, "3": 1} {
		if err := onB.Follow(ctx, rows.Row{Key: rows.Key{Kind: "x", ID: id}, Version: version, Data: []byte(`"lost"`)}); err != nil {
			t.Error(err)
		}
	}
	if err := b.Update(ctx, "2", add(" again")); err != nil {
		t.Fatal(err)
	}
	want("updated after a loss", b.Get("2"), "2 kept again")
	if found, _, err = store.Changes(ctx, ""); err != nil {
		t.Fatal(err)
	}
	onB.FollowLoss(ctx, found)
	want("lost", b.Get("3"), "0")
	followAll(t, store, onB)
	want("kept", b.Get("2"), "2 kept again")
	read, err := b.ReadAll(ctx)
	if one, err2 := b.Read(ctx, "2", "3"); err != nil || err2 != nil || len(read) != 1 || value(read["2"]) != value(one["2"]) || len(one) != 1 {
		t.Errorf("read %v and %v, %v, %v", read, one, err, err2)
	}
}

// durableStore records which writes are durable.
type durableStore struct {
	rows.Memory
	durable []bool
}

func (s *durableStore) Write(ctx context.Context, changes ...rows.Write) ([]rows.Row, error) {
	for _, w := range changes {
		s.durable = append(s.durable, w.Durable)
	}
	return s.Memory.Write(ctx, changes...)
}

// TestDurableRows: all changes of a durable row are durable, its deletion too; those of others are not.
func TestDurableRows(t *testing.T) {
	store := new(durableStore)
	s := rows.Shared[string]{Name: "x", Store: store, IsDurable: func(v *string) bool { return v != nil && *v == "durable" }}
	for i, v := range []string{"durable", "other"} {
		id := fmt.Sprint(i)
		for _, change := range []*string{&v, nil} {
			if _, err := s.Write(t.Context(), rows.Change[string]{ID: id, Replaces: s.Get(id).Version, Value: change}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if fmt.Sprint(store.durable) != "[true true false false]" {
		t.Errorf("durable: %v", store.durable)
	}
}

// TestRecordedElsewhere: rows that a function has written together with something else are known.
func TestRecordedElsewhere(t *testing.T) {
	store := new(rows.Memory)
	s := rows.Shared[string]{Name: "x", Store: store}
	one, two := "one", "two"
	if _, err := s.Write(t.Context(), rows.Change[string]{ID: "1", Value: &one}); err != nil {
		t.Fatal(err)
	}
	all, err := s.Record(t.Context(), []rows.Change[string]{{ID: "1", Replaces: 1, Value: &two}}, func(writes []rows.Write) ([]rows.Row, error) {
		_, err := store.Write(t.Context(), writes...)
		return nil, err
	})
	if err != nil || all[0].Version != 2 || s.Get("1").Value != &two {
		t.Errorf("recorded %+v, %v", all, err)
	}
}

// TestAWriterSeesWhatItRead: a writer whose change came after another has applied the other one when it is told so, although
// the follower has read that before and is still applying it.
func TestAWriterSeesWhatItRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, release := new(rows.Memory), make(chan struct{})
		var applied []int64
		isFirst := true
		kind := &rows.Shared[int]{Name: "numbers", Apply: func(_ context.Context, _ string, next rows.State[int]) error {
			if isFirst && next.Version == 2 {
				isFirst = false
				<-release // the follower's
				return nil
			}
			applied = append(applied, next.Version)
			return nil
		}}
		ks := rows.NewKinds(rows.Config{Store: store, Node: "a", IsAlive: func(string) bool { return true }})
		ks.Add(kind)
		one, two, three := 1, 2, 3
		other := &rows.Shared[int]{Name: "numbers", Store: store}
		if _, err := kind.Write(t.Context(), rows.Change[int]{ID: "x", Value: &one}); err != nil {
			t.Fatal(err)
		}
		if _, err := other.Write(t.Context(), rows.Change[int]{ID: "x", Replaces: 1, Value: &two}); err != nil {
			t.Fatal(err)
		}
		found, _, err := store.Changes(t.Context(), "")
		if err != nil || len(found) != 1 {
			t.Fatalf("%d rows, %v", len(found), err)
		}
		followed := make(chan error)
		go func() { followed <- ks.Follow(t.Context(), found[0]) }()
		synctest.Wait()
		if _, err := kind.Write(t.Context(), rows.Change[int]{ID: "x", Replaces: 1, Value: &three}); !errors.Is(err, rows.ErrConflict) {
			t.Errorf("the change of a row that has changed: %v", err)
		}
		if !slices.Equal(applied, []int64{1, 2}) {
			t.Errorf("applied are the versions %v when the writer goes on, want 1 and 2", applied)
		}
		close(release)
		if err := <-followed; err != nil {
			t.Error(err)
		}
	})
}
