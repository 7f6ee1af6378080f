package main

import (
	"context"
	"fmt"
	"hash/fnv"
	"strings"
	"sync"
	"time"

	"ayumu/engine"
	"ayumu/engine/bot"
	"ayumu/lobby/bots"
)

// maxSearchStates limits the matches whose search state is kept. A state takes less than 16 MB, and far
// less after searches of a second or two. A search without a state starts from nothing.
const maxSearchStates = 12

// searcher implements bots.Thinker with the engine's players, one for each bot and match. It is safe for
// concurrent use.
type searcher struct {
	mu     sync.Mutex
	states map[string]*searchState // by level and match
	count  uint64                  // number of requests
}

// searchState is the search state of a bot in a match.
type searchState struct {
	bot.Player
	lastUsed uint64 // number of the last request
}

// Think implements bots.Thinker.
func (t *searcher) Think(ctx context.Context, q bots.TurnRequest) ([]string, error) {
	seed := fnv.New64a()
	fmt.Fprint(seed, q.Level, " ", q.Match)
	o := bot.Options{Level: q.Level, Seed: seed.Sum64()}
	advice, err := think(ctx, &t.state(q).Player, q.Position, o, q.Budget)
	if err != nil {
		return nil, err
	}
	return advice.Choices[0].Actions, nil
}

// think searches as long as the level needs, but within the budget. The highest level, which would always
// use the whole budget, searches for a part of it, and for the rest only if the result is not clear.
func think(ctx context.Context, p *bot.Player, pos engine.Position, o bot.Options, budget time.Duration) (bot.Advice, error) {
	const part = 5
	if o.Level < bot.MaxLevel {
		o.Time = max(budget, 1)
		return p.Think(ctx, pos, o)
	}
	o.Time = max(budget/part, 1)
	first, err := p.Think(ctx, pos, o)
	if err != nil || isDecided(first) {
		return first, err
	}
	o.Time = max(budget-budget/part, 1)
	return p.Think(ctx, pos, o)
}

// isDecided reports whether more search is useless: there is one turn only, or the match is won or lost.
func isDecided(a bot.Advice) bool {
	const doubt = 0.01
	best := a.Choices[0].Chance
	return len(a.Choices) == 1 || best < doubt || best > 1-doubt
}

// state returns the search state of a bot in a match. A new state evicts the least recently used one.
func (t *searcher) state(q bots.TurnRequest) *searchState {
	t.mu.Lock()
	defer t.mu.Unlock()
	key := fmt.Sprint(q.Level, " ", q.Match)
	m := t.states[key]
	if m == nil {
		if t.states == nil {
			t.states = make(map[string]*searchState)
		}
		if len(t.states) >= maxSearchStates {
			oldest := ""
			for k, m := range t.states {
				if oldest == "" || m.lastUsed < t.states[oldest].lastUsed {
					oldest = k
				}
			}
			delete(t.states, oldest)
		}
		m = new(searchState)
		t.states[key] = m
	}
	t.count++
	m.lastUsed = t.count
	return m
}

// Forget implements bots.Thinker.
func (t *searcher) Forget(match string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for key := range t.states {
		if strings.HasSuffix(key, " "+match) {
			delete(t.states, key)
		}
	}
}

// Advise implements bots.Thinker.
func (t *searcher) Advise(ctx context.Context, p engine.Position, budget time.Duration) (bot.Advice, error) {
	return new(bot.Player).Think(ctx, p, bot.Options{Level: bot.MaxLevel, Time: budget, Seed: 1})
}
