package puzzle

import (
	"context"
	"fmt"
	"math"
	"slices"

	"ayumu/engine"
	"ayumu/engine/search"
)

// Seeds of the searches by which puzzles are rated. A comparison of ratings with searches takes others.
const (
	RatingSeed  = 1 // the first
	RatingSeeds = 4 // their number
)

// strongestPlayouts is the number of playouts of the highest level, which has no limit of its own.
const strongestPlayouts = 2048

// Limited is an engine whose levels have limits of their own.
type Limited interface {
	// LevelPlayouts returns the maximum number of playouts of a level; 0: no limit.
	LevelPlayouts(level int) int
}

// Recognizer is a theme with GoalSet.
type Recognizer interface {
	// Recognizes reports whether a player that chooses turns by best sees that an action belongs to the set of a puzzle
	// whose position is start. best returns the actions of a turn, or nil if it has none.
	Recognizes(start engine.Position, action string, best func(engine.Position) []string) bool
}

// RandomTrier is a theme with another task than to choose the best turn, so that playouts of the engine do not measure how
// long one looks for a solution.
type RandomTrier interface {
	// TryRandom plays a random turn and reports whether it solves a puzzle. start is its position, and randN returns a random
	// number from 0 to n-1.
	TryRandom(p *Puzzle, start engine.Position, randN func(n int) int) bool
}

// Difficulty is what searches of a puzzle gave.
type Difficulty struct {
	// Success has for each level, from the lowest, the share of its tries that solved the puzzle, 0 to 1.
	Success [search.MaxLevel]float64
	// Playouts is the number of playouts with which a search is right, in powers of 2, or for a theme that is a
	// RandomTrier the median of the number of random turns until one is right. A set counts the playouts for all legal
	// actions. Without success it is NotFound.
	Playouts int
	// Reading is what a person would have to read without any insight: the binary logarithm of the number of ways to choose an
	// action of those that are legal at first, as often as the solution is long (Theme.Length); half of that where the answer is
	// a side, since every second guess is right.
	Reading float64
}

// reading returns Difficulty.Reading of a puzzle.
func reading(t Theme, p *Puzzle, start engine.Position) float64 {
	bits := float64(t.Length(p, start)) * math.Log2(float64(len(start.Legal())))
	if p.Goal == GoalSide {
		bits /= 2
	}
	return bits
}

// NotFound are the Playouts of a puzzle that is not solved by maxEffort.
const NotFound = 2 * maxEffort

// Measure has each level that searches try a puzzle with as many seeds, from firstSeed on, and counts the playouts. A try is an
// answer as the puzzle asks for it: all turns of a line; all actions of a set, for which the playouts of one turn are
// shared between the legal actions; or the side with the better chances. start is the position of the puzzle. The error
// is that of ctx or of a search.
func Measure(ctx context.Context, e search.Engine, t Theme, p *Puzzle, start engine.Position, firstSeed uint64, seeds int) (Difficulty, error) {
	m := measurement{ctx: ctx, engine: e, theme: t, puzzle: p, start: start}
	d := Difficulty{Reading: reading(t, p, start)}
	for level := search.FirstSearch; level <= search.MaxLevel; level++ {
		playouts := strongestPlayouts
		if l, ok := e.(Limited); ok && l.LevelPlayouts(level) > 0 {
			playouts = l.LevelPlayouts(level)
		}
		for i := range seeds {
			if m.isSolvedBy(search.Options{Level: level, Playouts: playouts, Seed: firstSeed + uint64(i)}, sureOfGuess) {
				d.Success[level-1] += 1 / float64(seeds)
			}
		}
	}
	d.Playouts = m.playouts(firstSeed)
	if m.err == nil {
		m.err = ctx.Err()
	}
	return d, m.err
}

// The chance above which a search is taken to name the winner: by a level that has to decide, and when playouts are
// counted.
const (
	sureOfGuess = 0.5
	sure        = 0.8
)

// measurement is the state of Measure.
type measurement struct {
	ctx    context.Context
	engine search.Engine
	theme  Theme
	puzzle *Puzzle
	start  engine.Position
	err    error // the first one
}

// advice searches a position. It returns false after an error.
func (m *measurement) advice(at engine.Position, o search.Options) (search.Advice, bool) {
	if m.err != nil || m.ctx.Err() != nil {
		return search.Advice{}, false
	}
	advice, err := m.engine.NewSearcher().Search(m.ctx, at, o)
	if err != nil {
		m.err = fmt.Errorf("puzzle %s: %w", m.puzzle.ID, err)
		return search.Advice{}, false
	}
	return advice, true
}

// isSolvedBy reports whether a search with options solves the puzzle. A side needs more than minChance.
func (m *measurement) isSolvedBy(o search.Options, minChance float64) bool {
	switch m.puzzle.Goal {
	case GoalSide:
		winner := 0
		if m.puzzle.Side == "w" {
			winner = 1
		}
		advice, ok := m.advice(m.start, o)
		return ok && advice.Chances[winner] > minChance
	case GoalSet:
		return m.recognizesSet(o)
	}
	at := m.start
	for n, turn := range m.puzzle.Line {
		advice, ok := m.advice(at, o)
		if !ok {
			return false
		}
		actions := advice.Choices[0].Actions
		if ok, _, _ := m.theme.Accepts(m.puzzle, n, at, actions); !ok {
			return false
		}
		if n == len(m.puzzle.Line)-1 {
			break
		}
		for _, list := range [][]string{actions, turn.Reply} {
			next, err := engine.PlayTurn(at, list)
			if err != nil {
				m.err = fmt.Errorf("puzzle %s: %w", m.puzzle.ID, err)
				return false
			}
			at = next
		}
	}
	return true
}

// recognizesSet reports whether a search sees that all actions of a set belong to it. Its playouts are shared between the
// legal actions. Where they are fewer than these, only as many actions are searched, chosen by the seed.
func (m *measurement) recognizesSet(o search.Options) bool {
	r, ok := m.theme.(Recognizer)
	if !ok {
		return false
	}
	legal := m.start.Legal()
	if o.Playouts < len(legal) {
		randN := search.RandN(o.Seed, 0)
		for i := len(legal) - 1; i > 0; i-- {
			j := randN(i + 1)
			legal[i], legal[j] = legal[j], legal[i]
		}
		legal = legal[:o.Playouts]
	}
	o.Playouts /= len(legal)
	best := func(at engine.Position) []string {
		if advice, ok := m.advice(at, o); ok {
			return advice.Choices[0].Actions
		}
		return nil
	}
	for _, action := range m.puzzle.Set {
		if !slices.Contains(legal, action) || !r.Recognizes(m.start, action, best) {
			return false
		}
	}
	return true
}

// playouts returns Difficulty.Playouts. Two searches, with seeds from firstSeed on, must be right.
func (m *measurement) playouts(firstSeed uint64) int {
	if t, ok := m.theme.(RandomTrier); ok {
		return m.randomTurns(t, firstSeed)
	}
	return minPlayouts(func(playouts int, seed uint64) bool {
		return m.isSolvedBy(search.Options{Level: search.MaxLevel, Playouts: playouts, Seed: seed}, sure)
	}, firstSeed)
}

// randomRuns is the number of times, odd, that random turns are played until one solves a puzzle.
const randomRuns = 9

// randomTurns returns the median of the number of random turns.
func (m *measurement) randomTurns(t RandomTrier, firstSeed uint64) int {
	var runs []int
	for failed := 0; len(runs) < randomRuns; {
		randN := search.RandN(firstSeed, uint64(len(runs)))
		n := 1
		for n < NotFound && m.ctx.Err() == nil && !t.TryRandom(m.puzzle, m.start, randN) {
			n++
		}
		runs = append(runs, n)
		if n >= NotFound {
			failed++
		}
		if failed > randomRuns/2 || m.ctx.Err() != nil {
			return NotFound // the median is known
		}
	}
	slices.Sort(runs)
	return runs[randomRuns/2]
}

// Constants of a rating.
const (
	firstAbility   = 1100 // rating of level 1 as a solver
	abilityStep    = 200  // from level to level
	onePlayout     = 900  // expected rating of a puzzle that one playout solves
	perDoubling    = 90   // more for each doubling of the playouts
	expectedSpread = 150  // standard deviation of ratings around the expected one
	nothingRead    = 750  // rating for the Reading 0; this and perBit give the puzzles that ship the same mean and spread as the engine
	perBit         = 70   // more for each 1 of it
	minRating      = 600
	maxRating      = 2400
)

// Rating returns the rating of a puzzle with this difficulty, on the scale of Glicko-2, of which each level has tried it
// that many times: the mean of how hard it is for the engine and of how much there is to read. What the engine sees at once can
// be long and broad for people.
func (d Difficulty) Rating(tries int) int {
	toRead := min(nothingRead+perBit*d.Reading, maxRating)
	return int(math.Round((d.forEngine(tries) + toRead) / 2))
}

// forEngine returns the most probable rating by what the searches gave. The probability that a solver with rating a solves a
// puzzle with rating r is
// 1/(1+10^((r-a)/400)); the levels have fixed ratings as solvers; and without tries, the rating has a normal
// distribution around one that grows with the logarithm of the playouts.
func (d Difficulty) forEngine(tries int) float64 {
	expected := onePlayout + perDoubling*math.Log2(float64(max(d.Playouts, 1)))
	q := math.Ln10 / 400
	// slope is the derivative of the logarithm of the probability; it falls.
	slope := func(r float64) float64 {
		s := (expected - r) / (expectedSpread * expectedSpread)
		for i, success := range d.Success {
			ability := float64(firstAbility + i*abilityStep)
			s += q * float64(tries) * (1/(1+math.Exp(q*(r-ability))) - success)
		}
		return s
	}
	low, high := float64(minRating), float64(maxRating)
	for high-low > 0.5 {
		if middle := (low + high) / 2; slope(middle) > 0 {
			low = middle
		} else {
			high = middle
		}
	}
	return low
}

// Rate measures a puzzle and sets its MeasuredRating.
func Rate(ctx context.Context, e search.Engine, t Theme, p *Puzzle, start engine.Position) (Difficulty, error) {
	d, err := Measure(ctx, e, t, p, start, RatingSeed, RatingSeeds)
	if err == nil {
		p.MeasuredRating = d.Rating(RatingSeeds)
	}
	return d, err
}
