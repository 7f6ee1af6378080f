package lobby

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"

	"ayumu/lobby/cluster/rows"
	"ayumu/lobby/match"
)

// TestGuestIDFollowsFromTheCode: every node gives a return code and its digest the same negative id, and others another.
func TestGuestIDFollowsFromTheCode(t *testing.T) {
	a, b := newGuestCodes(), newGuestCodes()
	id := a.add("abcdefgh12")
	if id >= 0 || id != b.addDigest(guestDigest("abcdefgh12")) || id == a.add("abcdefgh13") {
		t.Errorf("id %d", id)
	}
	if a.code(id) != "abcdefgh12" || b.code(id) != "" || a.digest(id) != b.digest(id) || b.digest(id) == "" {
		t.Errorf("codes %q, %q; digests %q, %q", a.code(id), b.code(id), a.digest(id), b.digest(id))
	}
	if a.forget(id); a.code(id) != "" || a.digest(id) != "" {
		t.Error("a forgotten guest is known")
	}
}

// TestGuestsAreAssigned: seats with the same digest belong to the same guest on every node and in every match; seats
// without one to nobody else.
func TestGuestsAreAssigned(t *testing.T) {
	seats := func(id string) *match.Info {
		digest := guestDigest("abcdefgh12")
		return &match.Info{ID: id, Seats: []match.Seat{{Account: 7}, {ReturnDigest: digest}, {}, {}, {ReturnDigest: digest}}}
	}
	first, again, other := seats("m1"), seats("m1"), seats("m2")
	a, b := newGuestCodes(), newGuestCodes()
	a.assign(first)
	b.assign(again)
	b.assign(other)
	for i := range first.Seats {
		if first.Seats[i] != again.Seats[i] || first.Seats[i].Account == 0 {
			t.Errorf("seat %d: %+v and %+v", i, first.Seats[i], again.Seats[i])
		}
	}
	if s := first.Seats; s[0].Account != 7 || s[1].Account != s[4].Account || s[1].Account != other.Seats[1].Account ||
		s[2].Account == s[3].Account || s[2].Account == other.Seats[2].Account || b.digest(s[1].Account) == "" {
		t.Errorf("seats %+v, of the other match %+v", s, other.Seats)
	}
}

// slotsIn returns the slots in a store, as a node has them that knows nothing of them yet.
func slotsIn(s rows.Store) *rows.Shared[string] { return &rows.Shared[string]{Name: "slot", Store: s} }

// readAlive returns the function that reads which nodes are alive, for takeGuestSlot.
func readAlive(isAlive func(node string) bool) func(context.Context) (func(string) bool, error) {
	return func(context.Context) (func(string) bool, error) { return isAlive, nil }
}

// TestGuestSlots: nodes have different slots, keep them, take those of dead nodes, and share the names if there is no
// slot left.
func TestGuestSlots(t *testing.T) {
	var s rows.Memory
	dead := ""
	take := func(node string) string {
		t.Helper()
		slot, err := takeGuestSlot(t.Context(), slotsIn(&s), node, readAlive(func(name string) bool { return name != dead }))
		if err != nil {
			t.Fatal(err)
		}
		return slot.name("wxyz")
	}
	names := make(map[string]string)
	for i := range 32 {
		node := fmt.Sprint("node", i)
		name := take(node)
		if other := names[name]; other != "" || len(name) != len("guest-wxyz") {
			t.Errorf("%s and %s give the name %s", other, node, name)
		}
		names[name] = node
	}
	if a, b := take("node7"), take("node7"); names[a] != "node7" || a != b {
		t.Errorf("the slot of a node that starts again: %s, %s", a, b)
	}
	if name := take("another"); name != "guest-wxyz" {
		t.Errorf("without a slot: %s", name)
	}
	dead = "node7"
	if name := take("another"); names[name] != "node7" {
		t.Errorf("the slot of a dead node: %s", name)
	}
}

// TestGuestSlotsTakenAtOnce: nodes that start at the same time get different slots.
func TestGuestSlotsTakenAtOnce(t *testing.T) {
	var s rows.Memory
	var wg sync.WaitGroup
	names := make([]string, 16)
	for i := range names {
		wg.Go(func() {
			slot, err := takeGuestSlot(t.Context(), slotsIn(&s), fmt.Sprint("node", i), readAlive(func(string) bool { return true }))
			if err != nil {
				t.Error(err)
			}
			names[i] = slot.name("wxyz")
		})
	}
	wg.Wait()
	if slices.Sort(names); len(slices.Compact(names)) != 16 {
		t.Errorf("names %v", names)
	}
}

// TestGuestSlotOfANodeThatHasJustStarted: if all slots were those of dead nodes, a node that takes one while another
// starts does not take the same.
func TestGuestSlotOfANodeThatHasJustStarted(t *testing.T) {
	var s rows.Memory
	for i := range 32 {
		if _, err := takeGuestSlot(t.Context(), slotsIn(&s), fmt.Sprint("dead", i), readAlive(func(string) bool { return true })); err != nil {
			t.Fatal(err)
		}
	}
	living := []string{"b"}
	read := func(context.Context) (func(string) bool, error) {
		now := slices.Clone(living)
		return func(node string) bool { return slices.Contains(now, node) }, nil
	}
	var first guestSlot
	second, err := takeGuestSlot(t.Context(), slotsIn(&s), "b", func(ctx context.Context) (isAlive func(string) bool, err error) {
		isAlive, err = read(ctx)
		if len(living) == 1 { // the other node starts at this moment
			living = append(living, "a")
			if first, err = takeGuestSlot(ctx, slotsIn(&s), "a", read); err != nil {
				t.Error(err)
			}
		}
		return isAlive, err
	})
	if err != nil || first.name("wxyz") == second.name("wxyz") {
		t.Errorf("both nodes give the name %s, %v", first.name("wxyz"), err)
	}
}

// TestGuestSlotOfANodeThatStartsAgain: a node that comes back and takes its slot again does so before another that has
// found it dead, or after it, and the two have different ones.
func TestGuestSlotOfANodeThatStartsAgain(t *testing.T) {
	var s rows.Memory
	living := make(map[string]bool)
	for i := range 32 {
		node := fmt.Sprint("node", i)
		if _, err := takeGuestSlot(t.Context(), slotsIn(&s), node, readAlive(func(string) bool { return true })); err != nil {
			t.Fatal(err)
		}
		living[node] = node != "node7"
	}
	var again guestSlot
	other, err := takeGuestSlot(t.Context(), slotsIn(&s), "other", func(ctx context.Context) (isAlive func(string) bool, err error) {
		found := maps.Clone(living)
		if !living["node7"] { // it starts just after it was found dead
			living["node7"] = true
			if again, err = takeGuestSlot(ctx, slotsIn(&s), "node7", readAlive(func(node string) bool { return living[node] })); err != nil {
				t.Error(err)
			}
		}
		return func(node string) bool { return found[node] }, nil
	})
	if err != nil || again == other || again == (guestSlot{}) {
		t.Errorf("the node has the slot %+v, the other %+v, %v", again, other, err)
	}
}
