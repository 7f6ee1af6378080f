package main

import (
	"fmt"
	"strings"

	"ayumu/engine"
	"ayumu/engine/ayu"
	ayupuzzle "ayumu/engine/ayu/puzzle"
	ayusearch "ayumu/engine/ayu/search"
	"ayumu/engine/mu"
	mupuzzle "ayumu/engine/mu/puzzle"
	musearch "ayumu/engine/mu/search"
	"ayumu/engine/puzzle"
	"ayumu/engine/search"
	"ayumu/lobby/puzzles"
	"ayumu/tui/game"
	ayuboard "ayumu/tui/game/ayu"
	muboard "ayumu/tui/game/mu"
)

// gameEntry is a game of this program.
type gameEntry struct {
	rules  engine.Game
	engine search.Engine // chooses the turns of bots and hints; nil: at random
	board  game.Game     // how it appears on screens
	themes []puzzle.Theme
	// puzzles has the puzzles that ship with the program, as puzzle.Read reads them.
	puzzles string
}

// games are the games that this program knows, the default one first. docs/architecture.md describes what
// a game needs.
var games = []gameEntry{
	{rules: ayu.Game{}, engine: ayusearch.Engine{}, board: ayuboard.NewGame(), themes: ayupuzzle.Themes, puzzles: ayupuzzle.Shipped},
	{rules: mu.Game{}, engine: musearch.Engine{}, board: muboard.NewGame(), themes: mupuzzle.Themes, puzzles: mupuzzle.Shipped},
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

// themes returns the themes of puzzles of all games.
func themes() puzzle.Themes {
	all := make(puzzle.Themes)
	for _, g := range games {
		all[g.rules.Name()] = g.themes
	}
	return all
}

// shippedPuzzles returns the puzzles that ship with the program.
func shippedPuzzles() (*puzzles.Collection, error) {
	var all []puzzle.Puzzle
	for _, g := range games {
		list, err := puzzle.Read(strings.NewReader(g.puzzles))
		if err != nil {
			return nil, fmt.Errorf("the puzzles of %s: %w", g.rules.Title(), err)
		}
		all = append(all, list...)
	}
	return puzzles.New(rules(), themes(), all)
}
