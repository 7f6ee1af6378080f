package widget_test

import (
	"strings"
	"testing"

	"ayumu/tui/paint"
	"ayumu/tui/widget"
)

// A wrapped command can be copied into a shell.
func TestWrappedCommandsCanBeCopied(t *testing.T) {
	const command = "ssh -t -l 0123456789abcdefghjk -p 2222 club-of-the-town.example.org"
	for width := 30; width < 80; width++ {
		lines := widget.WrapCommand("  "+command+"\n", width)
		for _, l := range lines {
			if paint.Width(l) > width {
				t.Errorf("%q in %d columns", l, width)
			}
		}
		if got := strings.ReplaceAll(strings.Join(lines, "\n"), "\\\n", ""); got != command {
			t.Errorf("in %d columns a shell reads %q", width, got)
		}
	}
}
