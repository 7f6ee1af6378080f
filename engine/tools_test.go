package engine_test

import (
	"testing"

	"ayumu/engine"
	"ayumu/engine/ayu"
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
