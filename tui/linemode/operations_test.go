package linemode

import (
	"testing"

	"ayumu/tui/admin"
	"ayumu/tui/op"
)

// TestOperationsByHandAreDeclared holds what line mode implements for itself against the declarations, in both directions.
func TestOperationsByHandAreDeclared(t *testing.T) {
	all := op.NewOperations(append(op.All(), admin.All()...)...)
	for name := range byHand {
		if o := all.Named(name); o == nil || !op.IsByHand(o) || o.Info().On.Line.Reason != "" {
			t.Errorf("%s is not declared as an operation by hand of line mode", name)
		}
	}
	for _, o := range all.All() {
		if i := o.Info(); op.IsByHand(o) && i.On.Line.Reason == "" && byHand[i.Name] == nil {
			t.Errorf("there is no operation %s", i.Name)
		}
	}
}
