package lobby_test

import (
	"testing"
	"testing/synctest"
	"time"

	"ayumu/lobby/presence"
)

// TestUsersWhoLeftHaveNoRows, also if something about them changes while they leave.
func TestUsersWhoLeftHaveNoRows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &sharedStore{t: t, store: memoryStore(t)}
		a := c.node("a")
		defer a.Close()
		ana := a.member("ana")
		ana.Close(false)
		advance(2 * time.Second)
		_, mark, err := c.Changes(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		ana.SetAddr(addr1)
		advance(2 * time.Second)
		rows, _, err := c.Changes(t.Context(), mark)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rows {
			if r.Kind == presence.Kind {
				t.Errorf("%+v was written", r)
			}
		}
	})
}
