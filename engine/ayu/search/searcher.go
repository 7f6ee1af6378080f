package search

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"
	"time"

	"ayumu/engine"
	"ayumu/engine/ayu"
	"ayumu/engine/beginner"
	"ayumu/engine/search"
)

// levelPlayouts has the maximum number of simulations of each level; 0 means no limit.
var levelPlayouts = [search.MaxLevel + 1]int{1: 30, 2: 120, 3: 1000, 4: 60}

// networkLevel is the lowest level that has an evaluator and a policy. Those below it play random moves.
const networkLevel = 4

// simulationsPerTimeCheck is the number of simulations between two checks of the time.
const simulationsPerTimeCheck = 16

// Engine searches positions of Ayu. It implements search.Engine.
type Engine struct{}

// NewSearcher implements search.Engine.
func (Engine) NewSearcher() search.Searcher { return new(searcher) }

// LevelPlayouts returns the maximum number of simulations of a level; 0 means no limit.
func (Engine) LevelPlayouts(level int) int { return levelPlayouts[level] }

// levelElo has the Elo of the levels above level 1, measured on 9×9, with 2,000 playouts for the highest, and of level 0 on
// 7×7 (docs/engines.md).
var levelElo = [search.MaxLevel + 1]float64{-676, 0, 275, 677, 1113, 1677}

// LevelElo implements search.Scaled.
func (Engine) LevelElo(level int) float64 { return levelElo[level] }

// searcher searches by simulations (tree.go, worker.go), which also prove wins near the end, and keeps the tree from
// move to move.
type searcher struct {
	tree    *tree
	level   int
	workers []*worker // the first is of the caller's goroutine
}

// Search implements search.Searcher.
func (m *searcher) Search(ctx context.Context, p engine.Position, o search.Options) (search.Advice, error) {
	if _, over := p.Result(); over {
		return search.Advice{}, search.ErrNoTurn
	}
	if o.Level == search.MinLevel {
		return beginner.Level(p, o.Seed)
	}
	position := p.(*ayu.Position)
	made := m.run(ctx, position, o, exactLimit(position.Board(), o))
	children := m.tree.children()
	// The book has one reply to each move.
	if !o.Vary || m.tree.uniform {
		m.tree.addBook(children)
	}
	a := m.tree.advice(position, made, children)
	if o.Vary && m.tree.hasPolicy && scaledSpan(spans(position.Board())) > varySpan {
		vary(a.Choices, o.Seed)
	}
	return a, nil
}

// Which moves are about as good as the best one. Searches that play random moves differ anyway.
const (
	varySpan   = 40   // the sum of both spans, scaled to 11×11, above which a game is at its beginning
	varyShare  = 0.01 // how much lower the share of wins may be
	varyVisits = 50   // how many times as many visits the best move may have
)

// vary exchanges the first choice with one of those that are about as good.
func vary(choices []search.Choice, seed uint64) {
	best, good := choices[0], 1
	for good < len(choices) && choices[good].Chance >= best.Chance-varyShare && choices[good].Visits*varyVisits >= best.Visits {
		good++
	}
	i := rand.New(rand.NewPCG(seed, uint64(best.Visits))).IntN(good)
	choices[0], choices[i] = choices[i], choices[0]
	choices[i].Chance, choices[0].Chance = choices[0].Chance, best.Chance
}

// run searches a position within the limits of o, and returns the number of simulations.
func (m *searcher) run(ctx context.Context, p *ayu.Position, o search.Options, exact int) int {
	stopsEarly := o.StopEarly && o.Time > 0
	if stopsEarly {
		o.Time = longestTime(p, o.Time)
	}
	playouts, isTimeUp := o.Limits(ctx, levelPlayouts[o.Level])
	stop := func(int) bool { return isTimeUp() }
	if stopsEarly {
		stop = m.stopEarly(o.Time, isTimeUp)
	}
	return m.search(p, o, playouts, exact, stop)
}

// Limits of a search that may stop early, in even shares of the time that is left of the game.
const (
	longestShares = 4   // the most that a search takes
	longestPart   = 0.6 // the most that it takes of the time of all expected turns
)

// longestTime returns how long a search that may stop early takes at most, given an even share of the time that is left. Most
// searches stop before that, and in many games the last moves need no time, since their result is proven.
func longestTime(p *ayu.Position, share time.Duration) time.Duration {
	moves := max((p.RemainingTurns()+1)/2, 2)
	return time.Duration(min(longestShares, longestPart*float64(moves)) * float64(share))
}

// catchUp is the part of the remaining simulations that the second-best move may get: the search ends early if the
// best one leads by more.
const catchUp = 0.5

// stopEarly returns a function like isTimeUp that also ends a search that begins now and takes at most limit as soon as
// its best move is unlikely to change. made is the number of simulations so far.
func (m *searcher) stopEarly(limit time.Duration, isTimeUp func() bool) func(made int) bool {
	began := time.Now()
	return func(made int) bool {
		if isTimeUp() {
			return true
		}
		// In the first eighth of the time the rate of simulations is not known well.
		elapsed := time.Since(began)
		if elapsed < limit/8 {
			return false
		}
		remaining := float64(made) * float64(limit-elapsed) / float64(elapsed)
		return float64(m.tree.lead()) > catchUp*remaining
	}
}

// search looks for a proof by visiting at most exact boards, and makes simulations until their limit (0: none), until
// the result is proven, or until stop, which several goroutines call now and then with their number, returns true. It
// returns their number.
func (m *searcher) search(p *ayu.Position, o search.Options, playouts, exact int, stop func(made int) bool) int {
	began := time.Now()
	t := m.prepare(p.Board(), o)
	t.uniform = p.Options().Pie && p.Board() == ayu.NewBoard(p.Board().Size())
	m.workers[0].rng = rand.New(rand.NewPCG(o.Seed, uint64(len(t.nodes))))
	m.workers[0].listRoot(t)
	t.prove(exact)
	made := t.runWorkers(m.workers[:t.workers], playouts, stop)
	// A search with a limit on playouts can be repeated exactly.
	if o.Time > 0 && playouts == 0 {
		o.Time = max(o.Time-time.Since(began), 1) // 0 would be no limit
	}
	t.defence = t.longestDefence(defenceLimit(o))
	return made
}

// prepare returns the tree for a search of a board, which is that of the last search if the board is in it, or a new one. It
// provides its workers: o.Threads on the highest level, or else one.
func (m *searcher) prepare(b ayu.Board, o search.Options) *tree {
	// The tree of a higher level would make a lower one as strong.
	if m.tree == nil || m.level != o.Level {
		m.tree, m.level, m.workers = newTree(b, o.Level >= networkLevel), o.Level, nil
	} else {
		m.tree = m.tree.advanceTo(b)
	}
	m.tree.workers = 1
	if o.Level == search.MaxLevel {
		m.tree.workers = max(o.Threads, 1)
	}
	for len(m.workers) < m.tree.workers {
		w := new(worker)
		if m.tree.hasPolicy {
			w.useWeights(defaultValueNetwork(), defaultPolicyNetwork())
		}
		m.workers = append(m.workers, w)
	}
	return m.tree
}

// maxChoices is the maximum number of moves in a search.Advice.
const maxChoices = 8

// children returns the nodes of all moves of the root, which have been listed.
func (t *tree) children() []node {
	root := t.nodes[0]
	var children []node
	for i := root.firstChild; i != 0; i = t.nodes[i].sibling {
		k := t.nodes[i].withBoard(t.boardNode(i))
		k.boardVisits, k.wins = k.visits, float32(k.winRate())*float32(k.visits) // what the move's own visits are worth
		children = append(children, k)
	}
	for i, m := range t.moves[root.untried:][:root.untriedCount] {
		child := node{move: m}
		if t.hasPolicy {
			child.prior = t.priors[int(root.untried)+i]
		}
		children = append(children, child)
	}
	return children
}

// advice returns the best of the children of the root, which it sorts. The chance of each is at most that of those
// before it. The value of a swap is the opponent's value of the best move. If the opponent can swap next, the value of
// a move is the worse of the two sides. Repetition is ignored, since both players would have to cooperate.
func (t *tree) advice(p *ayu.Position, playouts int, children []node) search.Advice {
	slices.SortStableFunc(children, t.compare)
	var choices []search.Choice
	for _, k := range children[:min(len(children), maxChoices)] {
		choices = append(choices, search.Choice{Actions: []string{k.move.String()}, Chance: t.winShare(k), Visits: int(k.visits)})
	}
	// A move that was visited less than a better one has an uncertain share, which may be higher by chance.
	for i := range choices[1:] {
		choices[i+1].Chance = min(choices[i+1].Chance, choices[i].Chance)
	}
	if best := choices[0]; p.CanSwap() {
		c := search.Choice{Actions: []string{"swap"}, Chance: 1 - best.Chance, Visits: best.Visits}
		at := slices.IndexFunc(choices, func(m search.Choice) bool { return m.Chance <= c.Chance })
		if at < 0 {
			at = len(choices)
		}
		choices = slices.Insert(choices, at, c)
	}
	a := search.Advice{Choices: choices, Chances: make([]float64, 2), Playouts: playouts}
	a.Chances[p.Turn()] = choices[0].Chance
	a.Chances[1-p.Turn()] = 1 - choices[0].Chance
	return a
}

// compare orders the children of the root, the best first: a proven win, the most visits, a proven loss. In a lost
// position the moves of the longest defence come first. If the opponent can swap next, all have equal visits, and the
// fairest is the best.
func (t *tree) compare(a, b node) int {
	if t.uniform {
		return cmp.Compare(t.winShare(b), t.winShare(a))
	}
	rank := func(k node) int {
		if slices.Contains(t.defence, k.move) {
			return 1
		}
		return [...]int{unproven: 1, provenWin: 0, provenLoss: 2}[k.proof]
	}
	return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(b.visits, a.visits), cmp.Compare(t.winShare(b), t.winShare(a)),
		cmp.Compare(b.prior, a.prior))
}

// winShare returns the expected share of the win after a child of the root.
func (t *tree) winShare(k node) float64 {
	share := k.winRate()
	switch {
	case t.uniform && k.boardVisits == 0:
		share = 0 // nothing says that it is fair
	case k.proof == provenWin:
		share = 1
	case k.proof == provenLoss, t.nodes[0].proof == provenWin:
		share = 0 // the opponent's last move was proven to win, so every move loses, even one that was never visited
	}
	if t.uniform {
		share = min(share, 1-share)
	}
	return share
}
