package text

import "testing"

func TestPlural(t *testing.T) {
	for want, got := range map[string]string{
		"0 turns": Plural(0, "turn"), "1 turn": Plural(1, "turn"), "2 turns": Plural(2, "turn"),
		"1 match": Plural(1, "match"), "3 matches": Plural(3, "match"),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestList(t *testing.T) {
	for want, all := range map[string][]string{"": nil, "ana": {"ana"}, "ana and bob": {"ana", "bob"}, "ana, bob and dan": {"ana", "bob", "dan"}} {
		if got := List(all); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
