package op

import "testing"

// TestGamesTitle leaves out the number of players of games at tables, because it differs from table to table.
func TestGamesTitle(t *testing.T) {
	for _, c := range []struct{ title, format, want string }{
		{"Ayu 11×11, pie", "swiss", "Ayu 11×11, pie"},
		{"Mu 3 players, 7 segments each", "mu_tables", "Mu 7 segments each"},
		{"Mu 2–3 players, 7 segments each", "mu_tables", "Mu 7 segments each"},
		{"Mu 3 players, 7 segments each", "swiss", "Mu 3 players, 7 segments each"},
	} {
		if got := GamesTitle(c.title, c.format); got != c.want {
			t.Errorf("%q in the format %s is %q, want %q", c.title, c.format, got, c.want)
		}
	}
}
