package gtp

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestCommandsAreDocumented looks up every command in docs/protocol.md.
func TestCommandsAreDocumented(t *testing.T) {
	raw, err := os.ReadFile("../../../docs/protocol.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(raw), "\n### 1.2 Commands\n")
	text, _, _ = strings.Cut(text, "\n### ")
	described := make(map[string]bool)
	for _, line := range strings.Split(text, "\n") {
		first, _, _ := strings.Cut(line, " | ")
		for _, m := range regexp.MustCompile("`([a-z_]+)[ `]").FindAllStringSubmatch(first, -1) {
			described[m[1]] = true
		}
	}
	for name := range commands {
		if !described[name] {
			t.Errorf("the command %s is not described", name)
		}
	}
	if len(commands) < 19 {
		t.Errorf("found only %d commands", len(commands))
	}
}
