package plain

import (
	"context"

	"ayumu/lobby/conditions"
	"ayumu/tui/op"
	"ayumu/tui/words"
)

// changeConditions adds a conditional move, or deletes one or all, and lists those that are left.
func (t seatCommands) changeConditions(args string) {
	var armed conditions.Armed
	defer t.printEvents()
	if !t.call(func(ctx context.Context) (err error) {
		armed, err = op.ChangeConditions(ctx, t.current, args, t.conditions)
		return err
	}) {
		return
	}
	t.conditions = armed.Revision
	if len(armed.All) == 0 {
		t.printf("No conditional move is set.")
	}
	for i, c := range armed.All {
		t.printf("Conditional move %d: %s.", i+1, words.Condition(c, t.current.Game))
	}
}
