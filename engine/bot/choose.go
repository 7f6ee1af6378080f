package bot

import (
	"context"

	"ayumu/engine"
)

// hasty is how many playouts Choose makes.
const hasty = 50

// Choose returns an action that a player of this level takes without much thought; false if none
// is legal.
func Choose(p engine.Position, level int) (string, bool) {
	advice, err := new(Player).Think(context.Background(), p, Options{Level: level, Playouts: hasty})
	if err != nil {
		return "", false
	}
	return advice.Choices[0].Actions[0], true
}
