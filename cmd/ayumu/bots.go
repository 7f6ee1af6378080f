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

// mostMinds bounds how many games the bots remember at once. What one remembers is below 16 MB, and
// far less where it thinks for a second or two; a game that is forgotten is thought about anew.
const mostMinds = 12

// thinker lets the lobby's bots think with the engine's players, one for each bot and match.
type thinker struct {
	mu    sync.Mutex
	minds map[string]*mind // by level and match
	count uint64           // of questions
}

// mind is what a bot remembers of a match.
type mind struct {
	bot.Player
	used uint64 // the last question
}

// Think implements bots.Thinker.
func (t *thinker) Think(ctx context.Context, q bots.Question) ([]string, error) {
	seed := fnv.New64a()
	fmt.Fprint(seed, q.Level, " ", q.Match)
	o := bot.Options{Level: q.Level, Seed: seed.Sum64()}
	advice, err := consider(ctx, &t.mind(q).Player, q.Position, o, q.Budget)
	if err != nil {
		return nil, err
	}
	return advice.Choices[0].Actions, nil
}

// consider thinks as long as the level needs, but within the budget; the highest, which would always
// take all of it, for a part, and for the rest where that has left a doubt.
func consider(ctx context.Context, p *bot.Player, pos engine.Position, o bot.Options, budget time.Duration) (bot.Advice, error) {
	const part = 5
	if o.Level < bot.MaxLevel {
		o.Time = max(budget, 1)
		return p.Think(ctx, pos, o)
	}
	o.Time = max(budget/part, 1)
	first, err := p.Think(ctx, pos, o)
	if err != nil || clear(first) {
		return first, err
	}
	o.Time = max(budget-budget/part, 1)
	return p.Think(ctx, pos, o)
}

// clear reports whether there is nothing to find out about a position: one turn, or a game that is
// won or lost.
func clear(a bot.Advice) bool {
	const doubt = 0.01
	best := a.Choices[0].Chance
	return len(a.Choices) == 1 || best < doubt || best > 1-doubt
}

// mind returns what a bot remembers of a match; whatever was longest unused makes room for it.
func (t *thinker) mind(q bots.Question) *mind {
	t.mu.Lock()
	defer t.mu.Unlock()
	key := fmt.Sprint(q.Level, " ", q.Match)
	m := t.minds[key]
	if m == nil {
		if t.minds == nil {
			t.minds = make(map[string]*mind)
		}
		if len(t.minds) >= mostMinds {
			oldest := ""
			for k, m := range t.minds {
				if oldest == "" || m.used < t.minds[oldest].used {
					oldest = k
				}
			}
			delete(t.minds, oldest)
		}
		m = new(mind)
		t.minds[key] = m
	}
	t.count++
	m.used = t.count
	return m
}

// Forget implements bots.Thinker.
func (t *thinker) Forget(match string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for key := range t.minds {
		if strings.HasSuffix(key, " "+match) {
			delete(t.minds, key)
		}
	}
}

// Advise implements bots.Thinker.
func (t *thinker) Advise(ctx context.Context, p engine.Position, budget time.Duration) (bot.Advice, error) {
	return new(bot.Player).Think(ctx, p, bot.Options{Level: bot.MaxLevel, Time: budget, Seed: 1})
}
