package bots

import (
	"context"
	"fmt"
	"hash/fnv"
	"maps"
	"sync"
	"time"

	"ayumu/engine"
	"ayumu/engine/search"
)

// maxSearchers limits the matches whose searcher is kept. A searcher takes less than 30 MB, and far less
// after searches of a second or two. A search without one starts from nothing.
const maxSearchers = 8

// thinker chooses the turns of bots. It keeps a searcher for each bot and match, so that a search can
// continue an earlier one. Its methods may be called from any goroutine, but not concurrently for one match
// and bot. Its mutex is a leaf and not held while searching.
type thinker struct {
	engines search.Engines

	mu        sync.Mutex
	searchers map[searcherKey]*keptSearcher
	count     uint64 // number of requests
}

// searcherKey names a searcher.
type searcherKey struct {
	level  int // MinLevel to MaxLevel
	number int // of the bot among those of its level
	match  string
}

// keptSearcher is a searcher of a bot in a match.
type keptSearcher struct {
	search.Searcher
	lastUsed uint64 // number of the last request
}

// turnRequest asks for a turn of a bot.
type turnRequest struct {
	match    string
	level    int // MinLevel to MaxLevel
	number   int // of the bot among those of its level
	game     engine.Game
	position engine.Position
	budget   time.Duration
}

// think returns a complete turn of the seat to move. It searches as long as the level needs, but within the
// budget, and returns when ctx ends. The highest level, which would always use the whole budget, searches
// for a part of it, and for the rest only if the result is not clear.
func (t *thinker) think(ctx context.Context, q turnRequest) (actions []string, err error) {
	const part = 5
	seed := fnv.New64a()
	fmt.Fprint(seed, q.level, " ", q.match)
	o := search.Options{Level: q.level, Seed: seed.Sum64(), Time: max(q.budget, 1), Vary: true}
	if q.level == MaxLevel {
		o.Time = max(q.budget/part, 1)
	}
	s := t.searcher(q)
	advice, err := s.Search(ctx, q.position, o)
	if err == nil && q.level == MaxLevel && !isDecided(advice) {
		o.Time = max(q.budget-q.budget/part, 1)
		advice, err = s.Search(ctx, q.position, o)
	}
	if err != nil {
		return nil, err
	}
	return advice.Choices[0].Actions, nil
}

// isDecided reports whether more search is useless: there is one turn only, or the match is won or lost.
func isDecided(a search.Advice) bool {
	const doubt = 0.01
	best := a.Choices[0].Chance
	return len(a.Choices) == 1 || best < doubt || best > 1-doubt
}

// searcher returns the searcher of a bot in a match. A new one evicts the least recently used.
func (t *thinker) searcher(q turnRequest) search.Searcher {
	t.mu.Lock()
	defer t.mu.Unlock()
	key := searcherKey{q.level, q.number, q.match}
	s := t.searchers[key]
	if s == nil {
		if t.searchers == nil {
			t.searchers = make(map[searcherKey]*keptSearcher)
		}
		if len(t.searchers) >= maxSearchers {
			t.evictOne()
		}
		s = &keptSearcher{Searcher: t.engines.NewSearcher(q.game)}
		t.searchers[key] = s
	}
	t.count++
	s.lastUsed = t.count
	return s
}

// evictOne drops the least recently used searcher. The caller holds t.mu.
func (t *thinker) evictOne() {
	var oldest searcherKey
	first := t.count + 1
	for key, s := range t.searchers {
		if s.lastUsed < first {
			oldest, first = key, s.lastUsed
		}
	}
	delete(t.searchers, oldest)
}

// forget discards everything kept for a match that is over.
func (t *thinker) forget(match string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	maps.DeleteFunc(t.searchers, func(k searcherKey, _ *keptSearcher) bool { return k.match == match })
}

// advise returns the best turns of a position, within the budget. It returns when ctx ends.
func (t *thinker) advise(ctx context.Context, g engine.Game, p engine.Position, budget time.Duration) (search.Advice, error) {
	return t.engines.NewSearcher(g).Search(ctx, p, search.Options{Level: search.MaxLevel, Time: budget, Seed: 1})
}
