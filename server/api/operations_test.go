package api

import (
	"testing"

	"ayumu/tui/client"
)

// TestOperationsAreOps holds the operations of the API against client.Operations, in both directions.
func TestOperationsAreOps(t *testing.T) {
	want := client.Accesses(func(o client.Operation) client.Access { return o.API })
	for name := range ops {
		if want[name] == "" {
			t.Errorf("client.Operations does not have the operation %s", name)
		}
	}
	for name, operation := range want {
		if ops[name] == nil {
			t.Errorf("there is no operation %s for: %s", name, operation)
		}
	}
}
