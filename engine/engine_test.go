package engine

import (
	"strings"
	"testing"
)

func TestExcerpt(t *testing.T) {
	for in, want := range map[string]string{
		"":                              "",
		"move 0,0 1 e":                  "move 0,0 1 e",
		strings.Repeat("é", 40):         strings.Repeat("é", 40),
		strings.Repeat("é", 41):         strings.Repeat("é", 40) + "…",
		"a\x00\x1b[2J\u202e\u200bb\xff": "a[2Jb",
		"z\u0301\u0302\u0303":           "z",
	} {
		if got := Excerpt(in); got != want {
			t.Errorf("Excerpt(%q) = %q, want %q", in, got, want)
		}
	}
	if err := Illegal("\u202e"+strings.Repeat("x", 60_000), "the game is over"); err.Error() != strings.Repeat("x", 40)+"…: the game is over" {
		t.Error(err)
	}
	if err := Illegal("", "a turn needs at least one action"); err.Error() != "a turn needs at least one action" {
		t.Error(err)
	}
}
