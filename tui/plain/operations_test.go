package plain

import (
	"strings"
	"testing"

	"ayumu/tui/op"
)

// TestOperationsAreCommands holds the commands against op.Operations, in both directions.
func TestOperationsAreCommands(t *testing.T) {
	want := op.Accesses(func(o op.Operation) op.Access { return o.Line })
	have := map[string]bool{"admin": true} // of moderators, beside the table
	for _, c := range commands {
		name, _, _ := strings.Cut(c.names, " ")
		have[name] = true
		if want[name] == "" {
			t.Errorf("op.Operations does not have the command %s", name)
		}
	}
	for name, operation := range want {
		if !have[name] {
			t.Errorf("there is no command %s for: %s", name, operation)
		}
	}
}
