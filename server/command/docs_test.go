package command

import (
	"os"
	"strings"
	"testing"

	"ayumu/tui/admin"
	"ayumu/tui/op"
)

// TestCommandsAreDocumented looks up every command in docs/protocol.md, whether those that are implemented by hand take --json,
// and their implementation.
func TestCommandsAreDocumented(t *testing.T) {
	raw, err := os.ReadFile("../../docs/protocol.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(raw), "\n## 3. Commands\n")
	_, forms, _ := strings.Cut(text, "forms of their own:\n")
	for _, o := range append(op.All(), admin.All()...) {
		name, c := o.Info().On.SSH.Name(o.Info().Name), byHand[o.Info().Name]
		if name == "" {
			continue
		}
		if !strings.Contains(text, "\n| `"+name+"` |") && !strings.Contains(text, "\n| `"+name+" ") {
			t.Errorf("the command %s is not described", name)
		}
		if c.hasJSON && !strings.Contains(forms, "\n| `"+name+"` |") {
			t.Errorf("the JSON form of %s is not described", name)
		}
		if op.IsByHand(o) && c.run == nil {
			t.Errorf("there is no command %s", name)
		}
	}
}
