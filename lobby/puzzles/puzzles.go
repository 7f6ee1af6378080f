// Package puzzles is the server's collection of puzzles, and the training with them: it chooses the puzzle of the day
// and the next one for a user, checks answers, and rates users and puzzles.
//
// A [Collection] never changes, so that all sessions share it. A [Trainer] is that of one user, and returns a [Try] of a
// puzzle. What a user has done is their [Progress], which is in a [Store].
package puzzles

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"

	"ayumu/engine"
	"ayumu/engine/puzzle"
	"ayumu/lobby/errcode"
)

// Collection has all puzzles of a server. Its puzzles do not change, and it is safe for concurrent use. A nil Collection has
// no puzzle.
type Collection struct {
	games  engine.Games
	themes puzzle.Themes
	all    []puzzle.Puzzle
	byID   map[string]*puzzle.Puzzle
	daily  int // all[:daily] can be the puzzle of the day

	explained sync.Map // explanations ([]string) by ID; computing one can take a second
}

// New returns a collection. It fails if the program does not have the theme of a puzzle or cannot read its position, or if
// two puzzles have one ID.
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
	c.daily = len(c.all)
	return c, nil
}

// With returns a collection that also has puzzles which the server has found, without those that are in c and those
// of games or themes that this program does not have. They are never puzzles of the day, which are the same on all nodes.
func (c *Collection) With(found []puzzle.Puzzle) *Collection {
	if c.Len() == 0 {
		return c
	}
	all := slices.Clone(c.all)
	for i := range found {
		p := &found[i]
		if _, ok := c.themes.Of(p); !ok || c.byID[p.ID] != nil {
			continue
		}
		if _, err := p.Start(c.games); err == nil {
			all = append(all, *p)
		}
	}
	next, err := New(c.games, c.themes, all)
	if err != nil {
		return c // two of the found puzzles have one ID, which no store allows
	}
	next.daily = c.daily
	return next
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
	round, at := day/c.daily, day%c.daily
	order := rand.New(rand.NewPCG(uint64(round), uint64(c.daily))).Perm(c.daily)
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

// gameNames returns the names of the games that have puzzles, in the order of the puzzles.
func (c *Collection) gameNames() (names []string) {
	if c == nil {
		return nil
	}
	for i := range c.all {
		if name := c.all[i].Game; !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// Theme returns the theme of a puzzle of the collection.
func (c *Collection) Theme(p *puzzle.Puzzle) puzzle.Theme {
	theme, _ := c.themes.Of(p)
	return theme
}

// Explain returns sentences that say why the solution of a puzzle of the collection is one. The caller must not change
// them. The first call for a puzzle can take a second.
func (c *Collection) Explain(p *puzzle.Puzzle) []string {
	if text, ok := c.explained.Load(p.ID); ok {
		return text.([]string)
	}
	text := c.Theme(p).Explain(p, c.Start(p))
	c.explained.Store(p.ID, text)
	return text
}

// Start returns the position of a puzzle of the collection.
func (c *Collection) Start(p *puzzle.Puzzle) engine.Position {
	at, err := p.Start(c.games)
	if err != nil {
		panic("puzzles: a puzzle was not checked: " + err.Error())
	}
	return at
}

// Answer checks an answer to a puzzle of the collection (puzzle.Themes.Answer). The error of an answer that
// cannot be played is errcode.IllegalAction; every other error is internal.
func (c *Collection) Answer(p *puzzle.Puzzle, actions []string) (puzzle.Outcome, error) {
	o, err := c.themes.Answer(c.games, p, actions)
	var refused *engine.ActionError
	if errors.As(err, &refused) || errors.Is(err, engine.ErrGameOver) {
		err = errcode.Errorf(errcode.IllegalAction, "%v", err)
	}
	return o, err
}
