package rows_test

import (
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/lobby/cluster/rows"
)

// TestNodeRows: a node writes its own rows, deletes those of itself, of dead nodes and of none, and writes rows that
// change often in intervals.
func TestNodeRows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var store rows.Memory
		var writes atomic.Int64 // both outboxes count
		isAlive := func(node string) bool { return node == "b" }
		n := rows.NewNodeRows(&store, "a", time.Second, []string{"slow"}, isAlive, func() { writes.Add(1) })
		go n.Fast.Run(t.Context())
		go n.Slow.Run(t.Context())
		other := rows.NewNodeRows(&store, "b", time.Second, nil, isAlive, nil)
		dead := rows.NewNodeRows(&store, "c", time.Second, nil, isAlive, nil)
		go other.Fast.Run(t.Context())
		go dead.Fast.Run(t.Context())
		want := func(what string, ids ...string) {
			t.Helper()
			synctest.Wait()
			found, _, err := store.Changes(t.Context(), "")
			var got []string
			for _, r := range found {
				got = append(got, r.Kind+" "+r.ID)
			}
			if slices.Sort(got); err != nil || !slices.Equal(got, ids) {
				t.Errorf("%s: %q, %v, want %q", what, got, err, ids)
			}
		}
		n.Put("fast", "1", []byte("x"))
		n.Put("slow", "1", []byte("x"))
		other.Put("fast", "1", []byte("x"))
		dead.Put("fast", "1", []byte("x"))
		want("written", "fast a/1", "fast b/1", "fast c/1", "slow a/1")
		n.Remove("fast", "b", "1")
		n.Remove("fast", "c", "1")
		n.Remove("fast", "a", "1")
		want("removed", "fast b/1", "slow a/1")
		if _, err := store.Write(t.Context(), rows.Write{Key: rows.Key{Kind: "fast", ID: "1"}, Data: []byte("x")}); err != nil {
			t.Fatal(err)
		}
		n.Remove("fast", "", "1")
		want("removed a row of no node", "fast b/1", "slow a/1")
		found, _, err := store.Changes(t.Context(), "")
		for _, r := range found { // which the store loses
			if _, err := store.Write(t.Context(), rows.Write{Key: r.Key, Replaces: r.Version}); err != nil {
				t.Fatal(err)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
		want("lost")
		n.Put("fast", "2", []byte("x"))
		n.WriteAgain()
		<-time.After(2 * time.Second)
		want("written again", "fast a/2", "slow a/1")
		synctest.Wait()
		before := writes.Load()
		for range 100 {
			n.Put("slow", "1", []byte("y"))
			<-time.After(20 * time.Millisecond)
			synctest.Wait()
		}
		if got := writes.Load() - before; got > 3 {
			t.Errorf("%d writes in 2 s", got)
		}
		var alone *rows.NodeRows
		alone.Put("fast", "1", nil)
		alone.Remove("fast", "b", "1")
		alone.WriteAgain()
		if node, id := rows.SplitID("a/b/c"); node != "a" || id != "b/c" {
			t.Error(node, id)
		}
		if node, id := rows.SplitID("b"); node != "" || id != "b" {
			t.Error(node, id)
		}
	})
}
