package op

import (
	"strings"
	"testing"
)

// TestSuggest completes words for arguments of several kinds.
func TestSuggest(t *testing.T) {
	withHarness(t, func(h *harness) {
		v, other := h.guest(), h.guest()
		name := other.User().Name
		id := h.match(v, other)
		terms := Open.Info().Args
		edit := []Arg{{Usage: "TOURNAMENT"}, {Usage: "[TERMS]", Optional: true, Repeated: true}}
		mute := []Arg{{Usage: "NAME"}, {Usage: "DURATION"}, {Usage: "[REASON]", Optional: true, Repeated: true}}
		byHand := []Arg{{Usage: "[GAME, next, coach on, or your answer]", Optional: true, Repeated: true}}
		for _, test := range []struct {
			args          []Arg
			typed, prefix string
			has, not      string
		}{
			{terms, "", "", "ayu mu 9x9 10+10 none 3d rated casual private delay= first=me first=other first=random to", "or NAME SIZE first= other delay=TURNS rated|casual " + name},
			{terms, "ayu 9x9", "r", "rated", "casual ayu"},
			{terms, "ayu private", "", "9x9 to", "private ayu"},
			{terms, "ayu 9x9 10+10 rated to", "", name, "to " + v.User().Name},
			{terms, "ayu 9x9 10+10 rated", "FIRST", "first=me first=other", "private"},
			{edit, "k3f9q2a", "", "9x9 10+10 casual", "handicap= here private"},
			{mute, "", "", name, "30m forever"},
			{mute, name, "", "30m 7d forever", name},
			{mute, name + " 7d", "", "", "7d forever " + name},
			{byHand, "", "", "ayu next coach on", "or your answer"},
			{[]Arg{{Usage: "win|draw"}}, "", "d", "draw", "win"},
			{[]Arg{{Usage: "[DAYS|off]", Optional: true}}, "", "", "off", "DAYS"},
			{[]Arg{{Usage: "NUMBER", Kind: "match"}}, "", "", id, "NUMBER"},
			{[]Arg{{Usage: "MATCH", Kind: "match", isContextual: true}, {Usage: "[all]", key: "all", Optional: true}}, "", "al", "all", id},
		} {
			words := make(map[string]bool)
			for _, s := range v.Suggest(&Info{Args: test.args}, strings.Fields(test.typed), test.prefix) {
				words[s.Word] = true
			}
			for _, w := range strings.Fields(test.has) {
				if !words[w] {
					t.Errorf("%q and %q: %s is missing of %v", test.typed, test.prefix, w, words)
				}
			}
			for _, w := range strings.Fields(test.not) {
				if words[w] {
					t.Errorf("%q and %q: %s is among %v", test.typed, test.prefix, w, words)
				}
			}
		}
		v.Current = h.open(v, id)
		if all := v.Suggest(&Info{Args: []Arg{{Usage: "MATCH", Kind: "match", isContextual: true}, {Usage: "win|draw"}}}, nil, ""); len(all) != 2 {
			t.Errorf("in a match %v are suggested", all)
		}
	})
}
