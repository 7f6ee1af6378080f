package guest_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"

	"ayumu/lobby/cluster/rows"
	"ayumu/lobby/guest"
	"ayumu/lobby/match"
)

// TestIDFollowsFromTheCode: every node gives a return code and its digest the same negative id, and others another.
func TestIDFollowsFromTheCode(t *testing.T) {
	a, b := guest.New(), guest.New()
	id := a.Add("abcdefgh12")
	if id >= 0 || id != b.AddDigest(guest.Digest("abcdefgh12")) || id == a.Add("abcdefgh13") {
		t.Errorf("id %d", id)
	}
	if a.Code(id) != "abcdefgh12" || b.Code(id) != "" || a.Digest(id) != b.Digest(id) || b.Digest(id) == "" {
		t.Errorf("codes %q, %q; digests %q, %q", a.Code(id), b.Code(id), a.Digest(id), b.Digest(id))
	}
	if a.Forget(id); a.Code(id) != "" || a.Digest(id) != "" {
		t.Error("a forgotten guest is known")
	}
}

// TestAssign: seats with the same digest belong to the same guest on every node and in every match; seats without one
// to nobody else.
func TestAssign(t *testing.T) {
	seats := func(id string) *match.Info {
		digest := guest.Digest("abcdefgh12")
		return &match.Info{ID: id, Seats: []match.Seat{{Account: 7}, {ReturnDigest: digest}, {}, {}, {ReturnDigest: digest}}}
	}
	first, again, other := seats("m1"), seats("m1"), seats("m2")
	a, b := guest.New(), guest.New()
	a.Assign(first)
	b.Assign(again)
	b.Assign(other)
	for i := range first.Seats {
		if first.Seats[i] != again.Seats[i] || first.Seats[i].Account == 0 {
			t.Errorf("seat %d: %+v and %+v", i, first.Seats[i], again.Seats[i])
		}
	}
	if s := first.Seats; s[0].Account != 7 || s[1].Account != s[4].Account || s[1].Account != other.Seats[1].Account ||
		s[2].Account == s[3].Account || s[2].Account == other.Seats[2].Account || b.Digest(s[1].Account) == "" {
		t.Errorf("seats %+v, of the other match %+v", s, other.Seats)
	}
}

// alive returns a readAlive for TakeSlot.
func alive(isAlive func(node string) bool) func(context.Context) (func(string) bool, error) {
	return func(context.Context) (func(string) bool, error) { return isAlive, nil }
}

const letters = "0123456789abcdefghjkmnpqrstvwxyz"

// TestSlots: nodes have different slots, keep them, take those of dead nodes, and share the names if there is no slot
// left.
func TestSlots(t *testing.T) {
	var s rows.Memory
	dead := ""
	take := func(node string) string {
		t.Helper()
		slot, err := guest.TakeSlot(t.Context(), &s, node, letters, alive(func(name string) bool { return name != dead }))
		if err != nil {
			t.Fatal(err)
		}
		return slot.Name("wxyz")
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

// TestSlotsTakenAtOnce: nodes that start at the same time get different slots.
func TestSlotsTakenAtOnce(t *testing.T) {
	var s rows.Memory
	var wg sync.WaitGroup
	names := make([]string, 16)
	for i := range names {
		wg.Go(func() {
			slot, err := guest.TakeSlot(t.Context(), &s, fmt.Sprint("node", i), letters, alive(func(string) bool { return true }))
			if err != nil {
				t.Error(err)
			}
			names[i] = slot.Name("wxyz")
		})
	}
	wg.Wait()
	if slices.Sort(names); len(slices.Compact(names)) != 16 {
		t.Errorf("names %v", names)
	}
}

// TestSlotOfANodeThatHasJustStarted: if all slots were those of dead nodes, a node that takes one while another starts
// does not take the same.
func TestSlotOfANodeThatHasJustStarted(t *testing.T) {
	var s rows.Memory
	for i := range 32 {
		if _, err := guest.TakeSlot(t.Context(), &s, fmt.Sprint("dead", i), letters, alive(func(string) bool { return true })); err != nil {
			t.Fatal(err)
		}
	}
	living := []string{"b"}
	read := func(context.Context) (func(string) bool, error) {
		now := slices.Clone(living)
		return func(node string) bool { return slices.Contains(now, node) }, nil
	}
	var first guest.Slot
	second, err := guest.TakeSlot(t.Context(), &s, "b", letters, func(ctx context.Context) (isAlive func(string) bool, err error) {
		isAlive, err = read(ctx)
		if len(living) == 1 { // the other node starts at this moment
			living = append(living, "a")
			if first, err = guest.TakeSlot(ctx, &s, "a", letters, read); err != nil {
				t.Error(err)
			}
		}
		return isAlive, err
	})
	if err != nil || first.Name("wxyz") == second.Name("wxyz") {
		t.Errorf("both nodes give the name %s, %v", first.Name("wxyz"), err)
	}
}
