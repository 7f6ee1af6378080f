package game

import (
	"fmt"
	"strings"

	"ayumu/engine"
)

// List is the games of a server in the order in which they are offered, the default game first: the
// one that is meant where nobody names a game, and whose ratings stand beside names. It must not be
// changed once it is in use.
type List []Game

// ByName returns the game with this name; false if the list has none.
func (l List) ByName(name string) (Game, bool) {
	for _, g := range l {
		if g.Name() == name {
			return g, true
		}
	}
	return nil, false
}

// Default returns the first game. The list must not be empty.
func (l List) Default() Game { return l[0] }

// Engine returns the rules of all games, in the same order.
func (l List) Engine() engine.Games {
	games := make(engine.Games, len(l))
	for i, g := range l {
		games[i] = g.Engine()
	}
	return games
}

// Check returns why a list cannot be used: its rules are refused by engine.Games.Check, a game and
// its rules have different names, or a key of a board belongs to the screens.
func (l List) Check() error {
	if err := l.Engine().Check(); err != nil {
		return err
	}
	for _, g := range l {
		if g.Name() != g.Engine().Name() {
			return fmt.Errorf("the board of %s is called %s", g.Engine().Name(), g.Name())
		}
		if err := checkKeys(g); err != nil {
			return err
		}
	}
	return nil
}

// ScreenKeys are the keys, one character each, that the screen of a match may take before the board
// gets them: a board must not give them a meaning of its own. Beyond them the screen takes "home",
// "end", "pgup" and "pgdown", and "left" and "right" while it shows an earlier position. It takes "h"
// only where the player may ask for a hint, so a board may use that for something small. All other
// keys reach the board. While Typed of the board is not empty, it gets every key first, and the screen takes no
// key of one character.
const ScreenKeys = "[],.#>=;t?ofimxh&"

// checkKeys returns an error if a game's help names a key of the screens.
func checkKeys(g Game) error {
	for _, k := range g.Keys() {
		for _, word := range strings.FieldsFunc(k.Key, func(r rune) bool { return r == ' ' || r == '/' }) {
			if len(word) == 1 && strings.Contains(ScreenKeys, word) {
				return fmt.Errorf("the board of %s uses the key %s, which belongs to the screen", g.Name(), word)
			}
		}
	}
	return nil
}
