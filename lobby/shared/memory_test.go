package shared_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/lobby/shared"
	"ayumu/lobby/shared/sharedtest"
)

func TestMemory(t *testing.T) {
	sharedtest.Run(t, func(*testing.T) (a, b shared.Store) {
		m := new(shared.Memory)
		return m, m
	})
}

// TestDeletedRowsAreForgotten: after KeepDeleted they take no memory, unless they exist again.
func TestDeletedRowsAreForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var m shared.Memory
		write := func(id string, replaces int64, data []byte) {
			t.Helper()
			if _, err := m.Write(t.Context(), shared.Write{Key: shared.Key{Kind: "test", ID: id}, Replaces: replaces, Data: data}); err != nil {
				t.Fatal(err)
			}
		}
		deleted := func() string {
			rows, _, err := m.Changes(t.Context(), "0")
			if err != nil {
				t.Fatal(err)
			}
			var ids []string
			for _, r := range rows {
				if r.IsDeleted() {
					ids = append(ids, r.ID)
				}
			}
			return strings.Join(ids, " ")
		}
		for _, id := range []string{"a", "b"} {
			write(id, 0, []byte("x"))
			write(id, 1, nil)
		}
		write("b", 0, []byte("again"))
		if got := deleted(); got != "a" {
			t.Errorf("deleted: %q", got)
		}
		<-time.After(shared.KeepDeleted + time.Second)
		write("c", 0, []byte("x"))
		if got := deleted(); got != "" {
			t.Errorf("deleted after an hour: %q", got)
		}
		write("b", 3, []byte("it still exists"))
		write("a", 0, []byte("a new row"))
	})
}
