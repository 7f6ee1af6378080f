package main

import (
	"ayumu/engine"
	"ayumu/tui/game"
	ayuboard "ayumu/tui/game/ayu"
	muboard "ayumu/tui/game/mu"
)

// gameEntry is a game of this program.
type gameEntry struct {
	board game.Game // how it appears on screens; it names the rules
}

// games are the games that this program knows, the default one first. docs/architecture.md describes what
// a game needs.
var games = []gameEntry{
	{board: ayuboard.Game{}},
	{board: muboard.Game{}},
}

// boards returns all games as the screens show them.
func boards() game.List {
	list := make(game.List, len(games))
	for i, g := range games {
		list[i] = g.board
	}
	return list
}

// rules returns the rules of all games.
func rules() engine.Games { return boards().Engine() }
