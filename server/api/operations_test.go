package api

import (
	"testing"

	"ayumu/tui/op"
)

// TestOperationsByHandAreDeclared holds what the API implements for itself against the declarations, in both directions.
func TestOperationsByHandAreDeclared(t *testing.T) {
	all := op.NewOperations(op.All()...)
	for name := range byHand {
		if o := all.OfAPI(name); o == nil || !op.IsByHand(o) {
			t.Errorf("%s is not declared as an operation by hand", name)
		}
	}
	for _, o := range all.All() {
		for _, name := range o.Info().On.API.All(o.Info().Name) {
			if op.IsByHand(o) && byHand[name] == nil {
				t.Errorf("there is no operation %s", name)
			}
		}
	}
}
