package client

import (
	"ayumu/engine"
	"ayumu/lobby"
)

// StartAt returns the options of a game that begins with a position of a match or of a variation of it, or why a seat
// of the match (-1: a spectator) can play none: those who get no hint could otherwise ask a bot for its turns.
func StartAt(s *lobby.Snapshot, seat int, p engine.Position) (engine.Options, error) {
	rules, ok := s.Info.Options.Game().(engine.Starter)
	switch {
	case !ok:
		return nil, &lobby.Error{Code: lobby.CodeNotAllowed, Message: "this game cannot begin with a position"}
	case !CanHint(s, seat):
		return nil, &lobby.Error{Code: lobby.CodeNotAllowed, Message: "you can play from positions of finished games and of your own casual games with bots"}
	}
	o, err := rules.StartAt(p)
	if err != nil {
		return nil, &lobby.Error{Code: lobby.CodeNotAllowed, Message: "no game can begin here: " + err.Error()}
	}
	return o, nil
}
