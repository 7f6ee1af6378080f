package op

import (
	"encoding/json"
	"strings"
	"testing"

	"ayumu/tui/game/gametest"
)

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

// TestTermsThatAreNotNamedStay changes one term at a time of a tournament that has others than the usual ones.
func TestTermsThatAreNotNamedStay(t *testing.T) {
	v := &Visit{Config: &Config{Games: gametest.Games}}
	for args, want := range map[string]string{
		"10+10":    `{"size":7,"pie":false}`,
		"rounds=5": `{"size":7,"pie":false}`,
		"pie=on":   `{"size":7,"pie":true}`,
		"9x9":      `{"size":9,"pie":false}`,
	} {
		terms := TournamentTerms{Game: "ayu", Options: json.RawMessage(`{"size":7,"pie":false}`), Rated: new(false)}
		if _, err := terms.parseWords(v, append([]string{"ayu"}, strings.Fields(args)...)); err != nil || string(terms.Options) != want || *terms.Rated {
			t.Errorf("%q: %s, rated %t, %v; want %s", args, terms.Options, *terms.Rated, err, want)
		}
	}
}
