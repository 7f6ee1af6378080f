// Package puzzles is the server's collection of puzzles, and the training with them: it chooses the puzzle of the day
// and the next one for a user, checks answers, and rates users and puzzles.
//
// A [Collection] never changes, so that all sessions share it. A [Trainer] is that of one user, and returns a [Try] of a
// puzzle. What a user has done is their [Progress], which is in a [Store].
package puzzles

import (
	"cmp"
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
	games      engine.Games
	themes     puzzle.Themes
	all        []puzzle.Puzzle
	byID       map[string]*puzzle.Puzzle
	byPosition map[string]*puzzle.Puzzle
	daily      map[string][]*puzzle.Puzzle   // those that can be the puzzle of the day, by game
	ladders    map[string][][]*puzzle.Puzzle // those that can be daily puzzles, by game (newLadder)

	explained sync.Map // explanations (*explanation) by ID; computing one can take a second
}

// The ratings of puzzles of the day, which most people can solve.
const (
	minDailyRating = 900
	maxDailyRating = 1400
)

// New returns a collection. It fails if the program does not have the theme of a puzzle or cannot read its position, or if
// two puzzles have one ID.
func New(games engine.Games, themes puzzle.Themes, all []puzzle.Puzzle) (*Collection, error) {
	c := &Collection{games: games, themes: themes, all: slices.Clone(all), byID: make(map[string]*puzzle.Puzzle), byPosition: make(map[string]*puzzle.Puzzle), daily: make(map[string][]*puzzle.Puzzle), ladders: make(map[string][][]*puzzle.Puzzle)}
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
		c.byID[p.ID], c.byPosition[positionKey(p)] = p, p
		if r := p.InitialRating(); r >= minDailyRating && r <= maxDailyRating {
			c.daily[p.Game] = append(c.daily[p.Game], p)
		}
	}
	for _, game := range c.gameNames() {
		var ofGame []*puzzle.Puzzle
		for i := range c.all {
			if p := &c.all[i]; p.Game == game {
				ofGame = append(ofGame, p)
			}
		}
		c.ladders[game] = newLadder(ofGame)
		if len(c.daily[game]) == 0 {
			c.daily[game] = ofGame // none is for most people
		}
	}
	return c, nil
}

// positionKey identifies the position of a puzzle.
func positionKey(p *puzzle.Puzzle) string { return p.Game + " " + p.Setup + " " + p.Position }

// With returns a collection that also has puzzles which the server has found, without those that are in c, those whose
// position is that of another one, which could give them away, and those
// of games or themes that this program does not have. They are never puzzles of the day, which are the same on all nodes.
func (c *Collection) With(found []puzzle.Puzzle) *Collection {
	if c.Len() == 0 {
		return c
	}
	all, added := slices.Clone(c.all), make(map[string]bool)
	for i := range found {
		p := &found[i]
		position := positionKey(p)
		if _, ok := c.themes.Of(p); !ok || c.byID[p.ID] != nil || c.byPosition[position] != nil || added[position] {
			continue
		}
		if _, err := p.Start(c.games); err == nil {
			all, added[position] = append(all, *p), true
		}
	}
	next, err := New(c.games, c.themes, all)
	if err != nil {
		return c // two of the found puzzles have one ID, which no store allows
	}
	next.daily, next.ladders = c.daily, c.ladders // whose puzzles are those of c
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

// OfDay returns the puzzle of the day of now in UTC in a game, "": the first one that has puzzles. It is the same for
// everybody, and one for most people: its rating is 900 to 1400 if the game has such puzzles. Each of them has had its day
// before one comes again. The error is errcode.NotAllowed without puzzles, and errcode.BadRequest for a game that has none.
func (c *Collection) OfDay(game string, now time.Time) (*puzzle.Puzzle, error) {
	if c.Len() == 0 {
		return nil, errNone
	}
	game = cmp.Or(game, c.all[0].Game)
	if len(c.daily[game]) == 0 {
		return nil, errcode.Errorf(errcode.BadRequest, "there are no puzzles of this game; games with puzzles: %s", strings.Join(c.gameNames(), ", "))
	}
	all, day := c.daily[game], dayOf(now)
	return all[ofDayOrder(len(all), day)[day%len(all)]], nil
}

// ofDayOrder returns in which order n puzzles of the day come in the round of n days that a day is in.
func ofDayOrder(n, day int) []int {
	return rand.New(rand.NewPCG(uint64(day/n), uint64(n))).Perm(n)
}

// dayOf returns the number of a time's day in UTC.
func dayOf(at time.Time) int {
	const secondsPerDay = 24 * 60 * 60
	return int(at.Unix() / secondsPerDay)
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
func (c *Collection) Explain(p *puzzle.Puzzle) []string { return c.explanation(p).text }

// explanation is what is said and shown of a solution.
type explanation struct {
	text  []string
	lines [][]string
	steps []Step
}

func (c *Collection) explanation(p *puzzle.Puzzle) *explanation {
	if e, ok := c.explained.Load(p.ID); ok {
		return e.(*explanation)
	}
	theme, start := c.Theme(p), c.Start(p)
	e := &explanation{text: theme.Explain(p, start), lines: theme.Lines(p, start)}
	e.steps = newSteps(start, e.lines)
	c.explained.Store(p.ID, e)
	return e
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
