package game_test

import (
	"strings"
	"testing"

	"ayumu/tui/game"
	"ayumu/tui/game/ayu"
	"ayumu/tui/game/gametest"
)

// named is the board of Ayu with another name and more keys.
type named struct {
	ayu.Game
	name string
	keys []game.Key
}

func (n named) Name() string     { return n.name }
func (n named) Keys() []game.Key { return n.keys }

func TestCheckNamesWhatIsWrongWithAListOfBoards(t *testing.T) {
	if err := gametest.Games.Check(); err != nil {
		t.Error(err)
	}
	for want, list := range map[string]game.List{
		"is called ayo": {named{name: "ayo"}},
		"the key x":     {named{name: "ayu", keys: []game.Key{{Key: "b / x", Help: "turn the board"}}}},
	} {
		if err := list.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, not %q", list, err, want)
		}
	}
}
