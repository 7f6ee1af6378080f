package match

import (
	"slices"
	"testing"

	"ayumu/engine/search"
)

// If the draft is the beginning of the marked turn, the rest is marked, otherwise nothing.
func TestHintsFollowTheDraft(t *testing.T) {
	h := &hint{advice: &search.Advice{Choices: []search.Choice{{Actions: []string{"a", "b", "end"}}, {Actions: []string{"c", "end"}}}}}
	for _, test := range []struct {
		asked  []string // the draft when the hint was requested
		marked int
		draft  []string
		want   []string
	}{
		{nil, 0, nil, []string{"a", "b", "end"}},
		{nil, 0, []string{"a"}, []string{"b", "end"}},
		{nil, 0, []string{"b"}, nil},
		{nil, 1, nil, []string{"c", "end"}},
		{nil, 1, []string{"a"}, nil},
		{nil, 1, []string{"c", "end", "d"}, nil},
		{[]string{"x"}, 1, []string{"x"}, []string{"c", "end"}},
		{[]string{"x"}, 1, []string{"x", "c"}, []string{"end"}},
		{[]string{"x"}, 1, nil, []string{"x", "c", "end"}},
		{[]string{"x"}, 1, []string{"c"}, nil},
	} {
		h.draft, h.markedTurn = test.asked, test.marked
		if got := h.remaining(test.draft); !slices.Equal(got, test.want) {
			t.Errorf("%+v: %q", test, got)
		}
	}
	if (&hint{}).remaining(nil) != nil || (*hint)(nil).remaining(nil) != nil {
		t.Error("a turn is marked though there is no advice")
	}
}
