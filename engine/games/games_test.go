package games

import "testing"

func TestByName(t *testing.T) {
	for _, g := range All {
		if found, ok := ByName(g.Name()); !ok || found != g {
			t.Errorf("%s is found as %v, %t", g.Name(), found, ok)
		}
		o, err := g.ParseOptions(nil)
		if err != nil {
			t.Errorf("%s has no options: %v", g.Name(), err)
			continue
		}
		if p := g.New(o); len(p.Legal()) == 0 {
			t.Errorf("%s begins with no legal action: %s", g.Name(), p)
		}
	}
	if g, ok := ByName("chess"); ok {
		t.Errorf("chess is found as %v", g)
	}
}
