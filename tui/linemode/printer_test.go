package linemode

import (
	"bytes"
	"strings"
	"testing"

	"ayumu/tui/paint"
)

func TestLinesAreBrokenBetweenWords(t *testing.T) {
	for _, c := range []struct {
		width      int
		line, want string
	}{
		{10, "one two three four", "one two|three four"},
		{10, "0123456789", "0123456789"},
		{10, "0123456789 a", "0123456789|a"},
		{10, "012345678901 two three", "012345678901|two three"},
		{10, "no 012345678901", "no|012345678901"},
		{10, "  a  b   c    d", "  a  b   c|d"}, // the spaces of a board stay
		{10, "ab 世界世界 c", "ab|世界世界 c"},
		{10, "", ""},
		{0, strings.Repeat("word ", 40), strings.Repeat("word ", 40)},
	} {
		var out bytes.Buffer
		p := printer{out: &out, width: c.width}
		p.printf("%s", c.line)
		if got := strings.ReplaceAll(strings.TrimSuffix(out.String(), "\r\n"), "\r\n", "|"); got != c.want {
			t.Errorf("%q in %d columns is %q, not %q", c.line, c.width, got, c.want)
		}
	}
}

// TestHelpFitsTheTerminal prints the longest lines to a terminal whose width changes.
func TestHelpFitsTheTerminal(t *testing.T) {
	withHarness(t, func(h *harness) {
		h.width, h.resize = 60, make(chan struct{ Width, Height int })
		a := h.connect("a", "")
		a.waitFor("Choose a name")
		a.typeLines("ana", "help")
		a.waitFor("quit:")
		widest := func(output string) (columns int) {
			for row := range strings.SplitSeq(output, "\r\n") {
				columns = max(columns, paint.Width(row))
			}
			return columns
		}
		a.mu.Lock()
		at60, from := widest(a.output.String()), a.output.Len()
		a.mu.Unlock()
		h.resize <- struct{ Width, Height int }{100, 24}
		a.typeLines("help")
		a.waitFor("quit:")
		a.mu.Lock()
		at100 := widest(a.output.String()[from:])
		a.mu.Unlock()
		if at60 > 60 || at60 < 50 || at100 > 100 || at100 < 80 {
			t.Errorf("the widest rows have %d columns in 60 and %d in 100", at60, at100)
		}
	})
}

func FuzzWrap(f *testing.F) {
	f.Add("one two  three 世界", 7)
	f.Fuzz(func(t *testing.T, line string, width int) {
		line = strings.Map(printable, line)
		p := printer{width: max(width, 1)}
		wrapped := p.wrap(line)
		if got, want := strings.Join(strings.Fields(wrapped), " "), strings.Join(strings.Fields(line), " "); got != want {
			t.Fatalf("%q has become %q", line, wrapped)
		}
		for row := range strings.SplitSeq(wrapped, "\r\n") {
			if paint.Width(row) > p.width && strings.Contains(strings.Trim(row, " "), " ") {
				t.Fatalf("%q in %d columns has the row %q", line, p.width, row)
			}
		}
	})
}
