package cluster

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/lobby/cluster/rows"
)

// TestOldNodesAreForgotten: the rows of nodes that ended more than a day ago, or have no row of their own, are deleted,
// and no others.
func TestOldNodesAreForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var s rows.Memory
		write := func(keys ...rows.Key) {
			t.Helper()
			for _, k := range keys {
				if _, err := s.Write(t.Context(), rows.Write{Key: k, Data: []byte("{}")}); err != nil {
					t.Fatal(err)
				}
			}
		}
		old := []rows.Key{{Kind: kindNode, ID: "old"}, {Kind: "presence", ID: "old/1"}, {Kind: "chat", ID: "old/2/3"}, {Kind: "presence", ID: "unknown/1"}}
		kept := []rows.Key{{Kind: kindNode, ID: "new"}, {Kind: kindNode, ID: "older"}, {Kind: "presence", ID: "older/1"}, {Kind: "table", ID: "old"}, {Kind: "presence", ID: "new/1"}}
		write(old...)
		write(kept[2:]...)
		<-time.After(keepStatus + time.Second)
		write(kept[:2]...)
		for range 2 {
			if err := deleteOldNodes(t.Context(), &s, time.Now()); err != nil {
				t.Fatal(err)
			}
		}
		found, _, err := s.Changes(t.Context(), "")
		if err != nil || len(found) != len(kept) {
			t.Fatalf("%+v, %v", found, err)
		}
		for _, r := range found {
			if !slices.Contains(kept, r.Key) {
				t.Errorf("%+v is left", r.Key)
			}
		}
	})
}
