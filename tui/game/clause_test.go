package game

import "testing"

func TestClausesFitThePlayer(t *testing.T) {
	for _, test := range []struct{ player, verb, want string }{
		{You, "lay", "You lay"},
		{"ana", "lay", "ana lays"},
		{"", "lay", "lay"},
		{"ana", "pass", "ana passes"},
		{You, "have", "You have"},
		{"ana", "have", "ana has"},
	} {
		if got := Clause(test.player, test.verb); got != test.want {
			t.Errorf("%q and %q make %q, want %q", test.player, test.verb, got, test.want)
		}
	}
}
