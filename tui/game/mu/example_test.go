package mu

import (
	"testing"

	"ayumu/engine/mu"
)

// The text of the example says what the explosion has done.
func TestExampleExplodes(t *testing.T) {
	s, text := Game{}.Example()
	p := s.Position.(*mu.Position)
	at := mu.Hex{Q: -1}
	if c, ok := p.Cell(at); !ok || c.Terrain != mu.Commonwealth || c.Men != 1 {
		t.Errorf("the cell %s is %+v, not one man in the Commonwealth", at, c)
	}
	for _, neighbour := range []mu.Hex{{}, {R: -1}, {Q: -1, R: 1}} {
		was, _ := s.Previous.(*mu.Position).Cell(neighbour)
		if c, _ := p.Cell(neighbour); c.Owner != 0 || c.Men != was.Men+1 && neighbour != (mu.Hex{}) {
			t.Errorf("%s is %+v after the explosion, and was %+v", neighbour, c, was)
		}
	}
	if len(text) == 0 {
		t.Error("the example has no text")
	}
}
