package line

import (
	"context"
	"slices"
	"strings"

	"ayumu/lobby"
)

// ignore blocks somebody, or lifts the block; without a name it lists the blocks.
func (t *talk) ignore(name string) {
	all := t.session.Blocks()
	if name == "" {
		if len(all) == 0 {
			t.say("You block nobody. ignore with a name blocks somebody.")
			return
		}
		var names []string
		for _, b := range all {
			names = append(names, b.Name)
		}
		t.say("You block %s. ignore with a name lifts that.", strings.Join(names, ", "))
		return
	}
	if i := slices.IndexFunc(all, func(b lobby.Block) bool { return strings.EqualFold(b.Name, name) }); i >= 0 {
		if t.call(func(ctx context.Context) error { return t.session.Unblock(ctx, all[i].Name) }) {
			t.say("You no longer block %s.", all[i].Name)
		}
		return
	}
	if t.call(func(ctx context.Context) error { return t.session.Block(ctx, name) }) {
		t.say("You block %s: you hear nothing from there and are not paired. Nobody is told.", name)
	}
}
