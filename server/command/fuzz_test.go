package command

import (
	"slices"
	"strings"
	"testing"
	"unicode"
)

// FuzzWords holds what the commands rely on: words are few, are text, and read the same again.
func FuzzWords(f *testing.F) {
	for _, seed := range []string{"", "help", "watch abc", "  who   --json ", "a\x00b", "\xff", "top ayu", strings.Repeat("x ", 40), "é \u202e z"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, line string) {
		words, err := SplitLine(line)
		if err != nil {
			if len(words) > 0 {
				t.Errorf("refused and read: %q", words)
			}
			return
		}
		if len(words) > maxWords {
			t.Errorf("%d words", len(words))
		}
		for _, w := range words {
			if w == "" || strings.ContainsFunc(w, func(r rune) bool { return unicode.IsControl(r) || unicode.IsSpace(r) }) {
				t.Errorf("word %q", w)
			}
		}
		again, err := SplitLine(strings.Join(words, " "))
		if err != nil || !slices.Equal(again, words) {
			t.Errorf("%q reads as %q and then %q, %v", line, words, again, err)
		}
	})
}
