package search

import (
	"context"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"time"

	"ayumu/engine/mu"
	"ayumu/engine/search"
	"ayumu/engine/search/searchtest"
)

// Each iteration of a benchmark plays one game and reports the results of the player set by -mu.level,
// -mu.playouts and -mu.time. The table of docs/history/engines.md is from
//
//	go test ./engine/mu/search -run '^$' -bench AgainstGreedy -benchtime 100x -mu.time 1s
//	go test ./engine/mu/search -run '^$' -bench AgainstGreedy -benchtime 100x -mu.time 1s -mu.players 4
//	go test ./engine/mu/search -run '^$' -bench Levels -benchtime 100x
var (
	flagPlayers  = flag.Int("mu.players", 2, "players of a game of Mu")
	flagSegments = flag.Int("mu.segments", 3, "segments of each")
	flagLevel    = flag.Int("mu.level", search.MaxLevel, "the player's level")
	flagPlayouts = flag.Int("mu.playouts", 0, "the player's playouts for a turn, 0 for no bound")
	flagTime     = flag.Duration("mu.time", 0, "the player's processor time for a turn, 0 for no bound")
	flagSeed     = flag.Uint64("mu.seed", 1, "of the first game")
)

// actor returns the position after a whole turn of the seat to move.
type actor func(p *mu.Position) []mu.Action

// cpuLimit is a context that ends when this thread has used that much processor time.
type cpuLimit struct {
	context.Context
	at time.Duration
}

func (s cpuLimit) Err() error {
	if searchtest.ProcessorTime() < s.at {
		return nil
	}
	return context.DeadlineExceeded
}

// thinker returns the built-in player. Its time is processor time, so that a busy machine does not affect
// it; the goroutine must stay on its thread.
func thinker(o search.Options) actor {
	player := newSearcher(defaultWeights())
	budget := o.Time
	return func(p *mu.Position) []mu.Action {
		ctx := context.Background()
		if budget > 0 {
			ctx, o.Time = cpuLimit{ctx, searchtest.ProcessorTime() + budget}, 1000*budget
		}
		advice, err := player.Search(ctx, p, o)
		if err != nil {
			panic(err)
		}
		var turn []mu.Action
		for _, text := range advice.Choices[0].Actions {
			a, err := mu.ParseAction(text)
			if err != nil {
				panic(err)
			}
			turn = append(turn, a)
		}
		return turn
	}
}

// greedyPositions is the number of positions that a greedy player evaluates for a turn, the most promising
// first. quietForGreedy is the number of rounds without gain or loss after which it stops trying to gain.
const (
	greedyPositions = 1000
	quietForGreedy  = 10
)

// greedy returns a player that plays the turn with the most territory and men, ties broken at random; in
// layout and clearing it plays at random. It passes only if every turn loses something, or nothing has
// happened for long.
func greedy(rng *rand.Rand) actor {
	return func(p *mu.Position) []mu.Action {
		if p.Phase() != mu.Play {
			moves := p.AppendLegal(nil)
			return []mu.Action{moves[rng.IntN(len(moves))]}
		}
		type draft struct {
			p    *mu.Position
			turn []mu.Action
		}
		seat := p.Turn()
		worth := func(p *mu.Position) int { return p.Territory()[seat] + p.Men()[seat] }
		var evaluator boardFeatures
		seen := make(map[uint64]bool)
		queue := make([][]draft, worth(p)+1) // by worth
		queue[worth(p)] = []draft{{p, nil}}
		best, highest, equal := []mu.Action{{Kind: mu.End}}, worth(p), 0
		if p.QuietTurns() < quietForGreedy*p.Seats() {
			highest--
		}
		for looks := 0; len(queue) > 0 && looks < greedyPositions; {
			last := len(queue) - 1
			if len(queue[last]) == 0 {
				queue = queue[:last]
				continue
			}
			d := queue[last][len(queue[last])-1]
			queue[last] = queue[last][:len(queue[last])-1]
			for _, a := range d.p.AppendLegal(nil) {
				next := draft{play(d.p, a), append(slices.Clip(d.turn), a)}
				w := worth(next.p)
				if a.Kind != mu.End {
					looks++
					evaluator.load(next.p)
					if key := evaluator.hash(); a.Kind == mu.Explode || !seen[key] {
						seen[key] = true
						for len(queue) <= w {
							queue = append(queue, nil)
						}
						queue[w] = append(queue[w], next)
					}
					continue
				}
				if r, over := next.p.Result(); over && len(next.turn) > 1 && slices.Equal(r.Winners, []int{seat}) {
					return next.turn
				}
				switch {
				case len(next.turn) == 1: // a pass, the starting point
				case w > highest:
					best, highest, equal = next.turn, w, 1
				case w == highest && equal > 0:
					if equal++; rng.IntN(equal) == 0 {
						best = next.turn
					}
				}
			}
		}
		return best
	}
}

// maxTurns exceeds the length of any game.
const maxTurns = 3000

// playGame plays a game and returns its last position and the number of turns.
func playGame(o mu.Options, actors []actor) (*mu.Position, int) {
	p := mu.New(o)
	turns := 0
	for ; p.Phase() != mu.Over && turns < maxTurns; turns++ {
		for _, a := range actors[p.Turn()](p) {
			p = play(p, a)
		}
	}
	return p, turns
}

// tally counts results.
type tally struct {
	games, turns, unended int
	wins                  float64 // a shared win by its share
	thinking              time.Duration
	thoughts              int
}

// play plays game number g. The player's seat rotates from game to game.
func (t *tally) play(o mu.Options, g int, player actor, other func(seat int) actor) {
	actors := make([]actor, o.Players)
	own := g % o.Players
	for seat := range actors {
		actors[seat] = other(seat)
	}
	actors[own] = func(p *mu.Position) []mu.Action {
		start := searchtest.ProcessorTime()
		turn := player(p)
		t.thinking += searchtest.ProcessorTime() - start
		t.thoughts++
		return turn
	}
	p, turns := playGame(o, actors)
	t.games++
	t.turns += turns
	r, over := p.Result()
	if !over {
		t.unended++
	}
	if slices.Contains(r.Winners, own) {
		t.wins += 1 / float64(len(r.Winners))
	}
}

// String returns the share of wins with its 95 % interval (Wilson).
func (t *tally) String() string {
	const z = 1.96
	n := float64(t.games)
	share := t.wins / n
	middle := (share + z*z/(2*n)) / (1 + z*z/n)
	half := z / (1 + z*z/n) * math.Sqrt(share*(1-share)/n+z*z/(4*n*n))
	return fmt.Sprintf("%g wins of %d games, %.1f%% (%.1f–%.1f), %d turns a game, %v a turn, %d not ended", t.wins, t.games,
		100*share, 100*(middle-half), 100*(middle+half), t.turns/t.games, t.thinking/time.Duration(max(1, t.thoughts)), t.unended)
}

func (t *tally) report(b *testing.B, what string) {
	b.ReportMetric(100*t.wins/float64(t.games), "win-%")
	if t.games > 1 {
		fmt.Printf("%s: %s\n", what, t)
	}
}

func flagOptions(seed uint64) search.Options {
	o := search.Options{Level: *flagLevel, Playouts: *flagPlayouts, Time: *flagTime, Seed: seed}
	if o.Playouts == 0 && o.Time == 0 {
		o.Playouts = 20
	}
	return o
}

func BenchmarkAgainstGreedy(b *testing.B) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	o := mu.Options{Players: *flagPlayers, Segments: *flagSegments, Min: *flagPlayers}
	var t tally
	for g := 0; b.Loop(); g++ {
		seed := *flagSeed + uint64(g)
		rng := rand.New(rand.NewPCG(seed, 3))
		t.play(o, g, thinker(flagOptions(seed)), func(int) actor { return greedy(rng) })
	}
	t.report(b, fmt.Sprintf("level %d, %d×%d, against greedy", *flagLevel, *flagPlayers, *flagSegments))
}

// BenchmarkLevels plays the level against the one below on the other seats.
func BenchmarkLevels(b *testing.B) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	o := mu.Options{Players: *flagPlayers, Segments: *flagSegments, Min: *flagPlayers}
	var t tally
	for g := 0; b.Loop(); g++ {
		high := flagOptions(*flagSeed + uint64(g))
		low := high
		low.Level = max(search.MinLevel, high.Level-1)
		t.play(o, g, thinker(high), func(int) actor { return thinker(low) })
	}
	t.report(b, fmt.Sprintf("level %d, %d×%d, against level %d", *flagLevel, *flagPlayers, *flagSegments, *flagLevel-1))
}
