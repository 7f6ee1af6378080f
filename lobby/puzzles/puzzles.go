// Package puzzles is the server's collection of puzzles: it chooses the puzzle of the day, and checks answers.
//
// The package imports the engine and its puzzles. A collection never changes, so that all sessions share it.
package puzzles

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"ayumu/engine"
	"ayumu/engine/puzzle"
	"ayumu/lobby/errcode"
)

// Collection has all puzzles of a server. It is immutable and safe for concurrent use. A nil Collection has
// no puzzle.
type Collection struct {
	games  engine.Games
	themes puzzle.Themes
	all    []puzzle.Puzzle
	byID   map[string]*puzzle.Puzzle
}

// New returns a collection. It fails if a puzzle has no theme or position of this program, or an ID that
// another has.
func New(games engine.Games, themes puzzle.Themes, all []puzzle.Puzzle) (*Collection, error) {
	c := &Collection{games: games, themes: themes, all: slices.Clone(all), byID: make(map[string]*puzzle.Puzzle)}
	for i := range c.all {
		p := &c.all[i]
		if _, ok := themes.Of(p); !ok {
			return nil, fmt.Errorf("puzzle %s: there is no theme %q of %q", p.ID, p.Theme, p.Game)
		}
		if _, err := p.Start(games); err != nil {
			return nil, err
		}
		if c.byID[p.ID] != nil {
			return nil, fmt.Errorf("two puzzles have the ID %s", p.ID)
		}
		c.byID[p.ID] = p
	}
	return c, nil
}

// Len returns the number of puzzles.
func (c *Collection) Len() int {
	if c == nil {
		return 0
	}
	return len(c.all)
}

// All returns all puzzles. The caller must not change them.
func (c *Collection) All() []puzzle.Puzzle { return c.all }

// errNone is the error where there is no puzzle to show.
var errNone = errcode.Errorf(errcode.NotAllowed, "this server has no puzzles")

// OfDay returns the puzzle of the day of now in UTC, the same for everybody. Every puzzle has had its day
// before one comes again. The error is errcode.NotAllowed without puzzles.
func (c *Collection) OfDay(now time.Time) (*puzzle.Puzzle, error) {
	if c.Len() == 0 {
		return nil, errNone
	}
	const secondsPerDay = 24 * 60 * 60
	day := int(now.Unix() / secondsPerDay)
	round, at := day/len(c.all), day%len(c.all)
	order := rand.New(rand.NewPCG(uint64(round), uint64(len(c.all)))).Perm(len(c.all))
	return &c.all[order[at]], nil
}

// ByID returns a puzzle. The error is errcode.BadRequest if there is none with this ID.
func (c *Collection) ByID(id string) (*puzzle.Puzzle, error) {
	if c.Len() == 0 {
		return nil, errNone
	}
	if p := c.byID[strings.ToLower(id)]; p != nil {
		return p, nil
	}
	return nil, errcode.Errorf(errcode.BadRequest, "there is no puzzle with this id")
}

// Random returns a random puzzle of a theme, or of any theme if theme is empty. randN returns a number from
// 0 to n-1, for n ≥ 1. The error names the themes if there is no such one.
func (c *Collection) Random(theme string, randN func(n int) int) (*puzzle.Puzzle, error) {
	if c.Len() == 0 {
		return nil, errNone
	}
	var all []*puzzle.Puzzle
	var known []string
	for i := range c.all {
		p := &c.all[i]
		if theme == "" || p.Theme == theme {
			all = append(all, p)
		}
		if !slices.Contains(known, p.Theme) {
			known = append(known, p.Theme)
		}
	}
	if len(all) == 0 {
		slices.Sort(known)
		return nil, errcode.Errorf(errcode.BadRequest, "there is no puzzle of this theme; themes: %s", strings.Join(known, ", "))
	}
	return all[randN(len(all))], nil
}

// Theme returns the theme of a puzzle of the collection.
func (c *Collection) Theme(p *puzzle.Puzzle) puzzle.Theme {
	theme, _ := c.themes.Of(p)
	return theme
}

// Start returns the position of a puzzle of the collection.
func (c *Collection) Start(p *puzzle.Puzzle) engine.Position {
	at, err := p.Start(c.games)
	if err != nil {
		panic("a puzzle that was checked: " + err.Error())
	}
	return at
}

// Answer checks an answer to a puzzle of the collection (puzzle.Themes.Answer). The error of an answer that
// cannot be played is errcode.IllegalAction.
func (c *Collection) Answer(p *puzzle.Puzzle, actions []string) (puzzle.Outcome, error) {
	o, err := c.themes.Answer(c.games, p, actions)
	if err != nil {
		return o, errcode.Errorf(errcode.IllegalAction, "%v", err)
	}
	return o, nil
}

// Solution returns the actions of a solution: own turns and replies of a line alternately, a set, or a side.
func Solution(p *puzzle.Puzzle) []string {
	switch p.Goal {
	case puzzle.GoalSide:
		return []string{p.Side}
	case puzzle.GoalSet:
		return slices.Clone(p.Set)
	}
	var all []string
	for _, t := range p.Line {
		all = append(all, t.Actions...)
		all = append(all, t.Reply...)
	}
	return all
}
