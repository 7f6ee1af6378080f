// Package games is the list of the games of Ayumu: what each consists of, from its rules to the puzzles that ship. It is the
// only package that names a game besides those of the games, and hands the list down to all others.
package games

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

// entry is a game.
type entry struct {
	rules  engine.Game
	engine search.Engine // chooses the turns of bots and hints; nil: at random
	board  game.Game     // how it appears on screens
	themes []puzzle.Theme
	// puzzles has the puzzles that ship with the programs, as puzzle.Read reads them.
	puzzles string
}

// list has all games, the default one first. docs/architecture.md describes what a game needs.
var list = []entry{
	{rules: ayu.Game{}, engine: ayusearch.Engine{}, board: ayuboard.NewGame(), themes: ayupuzzle.Themes, puzzles: ayupuzzle.Shipped},
	{rules: mu.Game{}, engine: musearch.Engine{}, board: muboard.NewGame(), themes: mupuzzle.Themes, puzzles: mupuzzle.Shipped},
}

// Rules returns the rules of all games.
func Rules() engine.Games {
	all := make(engine.Games, len(list))
	for i, g := range list {
		all[i] = g.rules
	}
	return all
}

// Engines returns the engines of all games that have one.
func Engines() search.Engines {
	all := make(search.Engines)
	for _, g := range list {
		if g.engine != nil {
			all[g.rules.Name()] = g.engine
		}
	}
	return all
}

// Boards returns all games as the screens show them.
func Boards() game.List {
	all := make(game.List, len(list))
	for i, g := range list {
		all[i] = g.board
	}
	return all
}

// Themes returns the themes of puzzles of all games.
func Themes() puzzle.Themes {
	all := make(puzzle.Themes)
	for _, g := range list {
		all[g.rules.Name()] = g.themes
	}
	return all
}

// Puzzles returns the puzzles that ship with the program.
func Puzzles() (*puzzles.Collection, error) {
	var all []puzzle.Puzzle
	for _, g := range list {
		shipped, err := puzzle.Read(strings.NewReader(g.puzzles))
		if err != nil {
			return nil, fmt.Errorf("the puzzles of %s: %w", g.rules.Title(), err)
		}
		all = append(all, shipped...)
	}
	return puzzles.New(Rules(), Themes(), all)
}
