package games

import "testing"

// TestEntriesAgree checks that each entry of the list of games names one game.
func TestEntriesAgree(t *testing.T) {
	for _, g := range list {
		if g.board.Engine() != g.rules {
			t.Errorf("the board of %s has the rules of %s", g.rules.Name(), g.board.Engine().Name())
		}
	}
	if len(Engines()) != len(list) {
		t.Errorf("%d of %d games have an engine", len(Engines()), len(list))
	}
	if err := Boards().Check(); err != nil {
		t.Error(err)
	}
}
