package main

import (
	"ayumu/engine"
	"ayumu/engine/ayu"
	ayusearch "ayumu/engine/ayu/search"
	"ayumu/engine/mu"
	musearch "ayumu/engine/mu/search"
	"ayumu/engine/search"
	"ayumu/tui/game"
	ayuboard "ayumu/tui/game/ayu"
	muboard "ayumu/tui/game/mu"
)

// gameEntry is a game of this program.
type gameEntry struct {
	rules  engine.Game
	engine search.Engine // chooses the turns of bots and hints; nil: at random
	board  game.Game     // how it appears on screens
}

// games are the games that this program knows, the default one first. docs/architecture.md describes what
// a game needs.
var games = []gameEntry{
	{rules: ayu.Game{}, engine: ayusearch.Engine{}, board: ayuboard.NewGame()},
	{rules: mu.Game{}, engine: musearch.Engine{}, board: muboard.NewGame()},
}

// rules returns the rules of all games.
func rules() engine.Games {
	list := make(engine.Games, len(games))
	for i, g := range games {
		list[i] = g.rules
	}
	return list
}

// engines returns the engines of all games that have one.
func engines() search.Engines {
	all := make(search.Engines)
	for _, g := range games {
		if g.engine != nil {
			all[g.rules.Name()] = g.engine
		}
	}
	return all
}

// boards returns all games as the screens show them.
func boards() game.List {
	list := make(game.List, len(games))
	for i, g := range games {
		list[i] = g.board
	}
	return list
}
