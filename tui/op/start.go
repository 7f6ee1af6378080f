package op

import (
	"ayumu/engine"
	"ayumu/lobby/errcode"
	"ayumu/lobby/match"
)

// StartAt returns the options of a game that begins with a position of a match or of a variation of it, or why a seat
// of the match (-1: a spectator) can play none: those who get no hint could otherwise ask a bot for its turns.
func StartAt(s *match.Snapshot, seat int, p engine.Position) (engine.Options, error) {
	if !CanHint(s, seat) {
		return nil, &errcode.Error{Code: errcode.NotAllowed, Message: "you can only play on from positions of finished games and of your own casual games with bots"}
	}
	return StartFrom(s.Info.Options.Game(), p)
}

// StartFrom returns the options of a game that begins with a position, or why none can.
func StartFrom(g engine.Game, p engine.Position) (engine.Options, error) {
	rules, ok := g.(engine.Starter)
	if !ok {
		return nil, &errcode.Error{Code: errcode.NotAllowed, Message: "this game cannot start from a position"}
	}
	o, err := rules.StartAt(p)
	if err != nil {
		return nil, &errcode.Error{Code: errcode.NotAllowed, Message: "no game can start here: " + err.Error()}
	}
	return o, nil
}

// StartAtPuzzle returns the options of a game that begins with the position of the puzzle that is shown before any answer, or
// why there is none: the puzzle must be over, since otherwise a bot could be asked for its solution.
func (v *Visit) StartAtPuzzle() (engine.Options, error) {
	t := v.PuzzleTry()
	if !t.IsOver() {
		return nil, &errcode.Error{Code: errcode.NotAllowed, Message: "solve the puzzle first, or look at its solution"}
	}
	g, err := v.Lobby.Game(t.Puzzle.Game)
	if err != nil {
		return nil, err
	}
	return StartFrom(g, v.Puzzles.Start(t.Puzzle))
}
