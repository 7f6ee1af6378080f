package engine_test

import (
	"encoding/json"
	"strings"
	"testing"

	"ayumu/engine"
	"ayumu/engine/ayu"
	"ayumu/engine/enginetest"
)

func TestGamesByName(t *testing.T) {
	for _, g := range enginetest.Games {
		if found, ok := enginetest.Games.ByName(g.Name()); !ok || found != g {
			t.Errorf("%s is found as %v, %t", g.Name(), found, ok)
		}
	}
	if g, ok := enginetest.Games.ByName("chess"); ok {
		t.Errorf("chess is found as %v", g)
	}
	if g := enginetest.Games.Default(); g != enginetest.Games[0] {
		t.Errorf("the default is %v", g)
	}
}

// named is Ayu under another name and with other numbers of seats.
type named struct {
	ayu.Game
	name  string
	seats int
}

func (n named) Name() string   { return n.name }
func (n named) SeatLimit() int { return n.seats }

func TestCheckNamesWhatIsWrongWithAListOfGames(t *testing.T) {
	if err := enginetest.Games.Check(); err != nil {
		t.Error(err)
	}
	for want, games := range map[string]engine.Games{
		"empty":           nil,
		"two games":       {ayu.Game{}, ayu.Game{}},
		"lower-case":      {named{name: "Go 9"}},
		"another game":    {named{name: "other", seats: 2}},
		"2 to 8 are poss": {wide{}},
		`called "turn"`:   {detailed{}},
	} {
		if err := games.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, not %q", games, err, want)
		}
	}
}

// wide is Ayu for more players than the lobby can seat.
type wide struct{ ayu.Game }

func (wide) SeatLimit() int { return engine.MaxSeats + 1 }

// detailed is Ayu with a detail whose name every match has.
type detailed struct{ ayu.Game }

func (g detailed) ParseOptions(json.RawMessage) (engine.Options, error) {
	o, err := g.Game.ParseOptions(nil)
	return detailedOptions{o.(ayu.Options)}, err
}

func (g detailed) New(o engine.Options) engine.Position {
	return detailedPosition{g.Game.New(o.(detailedOptions).Options)}
}

type detailedOptions struct{ ayu.Options }

func (detailedOptions) Game() engine.Game { return detailed{} }

type detailedPosition struct{ engine.Position }

func (detailedPosition) Details() map[string]any { return map[string]any{"turn": "White"} }
