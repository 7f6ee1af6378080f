package api

import (
	"testing"

	"ayumu/tui/op"
)

// TestOperationsAreOps holds the operations of the API against op.Operations, in both directions.
func TestOperationsAreOps(t *testing.T) {
	want := op.Accesses(func(o op.Operation) op.Access { return o.API })
	for name := range ops {
		if want[name] == "" {
			t.Errorf("op.Operations does not have the operation %s", name)
		}
	}
	for name, operation := range want {
		if ops[name] == nil {
			t.Errorf("there is no operation %s for: %s", name, operation)
		}
	}
}
