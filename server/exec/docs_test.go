package exec

import (
	"os"
	"strings"
	"testing"
)

// TestCommandsAreDocumented looks up every command in docs/protocol.md, and whether it takes --json.
func TestCommandsAreDocumented(t *testing.T) {
	raw, err := os.ReadFile("../../docs/protocol.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(raw), "\n## 3. Commands\n")
	_, forms, _ := strings.Cut(text, "JSON list:\n")
	for _, c := range commands {
		if !strings.Contains(text, "\n| `"+strings.TrimSpace(c.name+" "+c.args)+"` |") {
			t.Errorf("the command %s %s is not described", c.name, c.args)
		}
		if c.hasJSON && !strings.Contains(forms, "\n| `"+c.name+"` |") {
			t.Errorf("the JSON form of %s is not described", c.name)
		}
	}
}
