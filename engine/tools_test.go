package engine_test

import (
	"testing"

	"ayumu/engine"
	"ayumu/engine/ayu"
	"ayumu/engine/enginetest"
)

// plain is a position without any of the optional interfaces.
type plain struct{ engine.Position }

func (p plain) Play(action string) (engine.Position, error) {
	next, err := p.Position.Play(action)
	return plain{next}, err
}

func TestPerftCountsLegalActionsWhereAGameHasNoCounter(t *testing.T) {
	p := ayu.Game{}.New(ayu.Options{Size: 5})
	for depth := range 4 {
		if got, want := engine.Perft(plain{p}, depth), engine.Perft(p, depth); got != want {
			t.Errorf("depth %d: %d sequences, want %d", depth, got, want)
		}
	}
}

func TestMatchOptions(t *testing.T) {
	for i, c := range []struct {
		given map[string]string
		want  []string // of each game
	}{
		{nil, []string{"11×11", "2 players, 3 segments each"}},
		{map[string]string{"size": "5", "pie": "true", "players": "4"}, []string{"5×5, pie", "4 players, 3 segments each"}},
		{map[string]string{"size": "4", "players": "9"}, []string{"", ""}},
	} {
		for g, want := range c.want {
			o, err := engine.MatchOptions(enginetest.Games[g], c.given)
			if want == "" && err == nil || want != "" && (err != nil || o.String() != want) {
				t.Errorf("%d: %v, %v; want %q", i, o, err, want)
			}
		}
	}
}

func TestTitles(t *testing.T) {
	a, b := enginetest.Games[0], enginetest.Games[1]
	for want, list := range map[string]engine.Games{"": nil, "Ayu": {a}, "Ayu and Mu": {a, b}, "Ayu, Mu and Ayu": {a, b, a}} {
		if got := list.Titles(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
