package search

import (
	"context"
	"flag"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"ayumu/engine/ayu"
	"ayumu/engine/search"
	"ayumu/engine/search/searchtest"
)

// Each iteration of a benchmark plays one game. Each opening is played twice with exchanged sides.
// docs/engines.md has the figures with their commands.
var (
	flagSize     = flag.Int("ayu.size", 11, "the board's size, of a game against UCT")
	flagTime     = flag.Duration("ayu.time", 2*time.Second, "processor time of each side for a whole game")
	flagUCTRate  = flag.Int("ayu.uct-rate", 0, "playouts of UCT for each second of its time; 0: as many as it can make")
	flagOpening  = flag.Int("ayu.opening", 2, "moves by chance before each game")
	flagSeed     = flag.Uint64("ayu.seed", 1, "of the first opening")
	flagStrength = flag.Int("ayu.playouts", 8000, "the playouts of level 5 in BenchmarkLevels")
)

// uct is a baseline like the strong programs of 2015: plain UCT with uniformly random playouts and a tree
// that is kept from move to move.
type uct struct {
	tree   *tree
	worker worker
}

// uctExplore is the constant C that is known to work for this game.
const uctExplore = 0.35

// think makes simulations until stop returns true. It returns the move with the most visits and the number
// of simulations.
func (u *uct) think(b ayu.Board, rng *rand.Rand, stop func() bool) (m ayu.Move, made int) {
	if u.tree == nil {
		u.tree = newTree(b, false)
	}
	u.tree = u.tree.advanceTo(b)
	t, w := u.tree, &u.worker
	w.rng = rng
	var room [512]ayu.Move
	for made = 0; made == 0 || !stop(); made++ {
		w.path = append(w.path[:0], 0)
		b, at := t.board, int32(0)
		for {
			n := &t.nodes[at]
			if n.untriedCount < 0 && (n.visits > 0 || at == 0) && len(t.moves) < maxMoves {
				w.at = at
				w.listMoves(b)
				t.addMoves(w)
			}
			child := u.choose(at)
			if child == 0 {
				break
			}
			at = child
			w.path = append(w.path, at)
			b = b.After(t.nodes[at].move)
		}
		mover := b.Turn().Other()
		for list := b.Moves(room[:0]); len(list) > 0; list = b.Moves(room[:0]) {
			b = b.After(list[rng.IntN(len(list))])
		}
		value := float32(0)
		if b.Turn() == mover {
			value = 1
		}
		for i := len(w.path) - 1; i >= 0; i-- {
			t.nodes[w.path[i]].visits++
			t.nodes[w.path[i]].wins += value
			value = 1 - value
		}
	}
	limit := t.nodes[0].firstChild
	for i := limit; i != 0; i = t.nodes[i].sibling {
		if t.nodes[i].visits > t.nodes[limit].visits {
			limit = i
		}
	}
	return t.nodes[limit].move, made
}

// choose returns the child of a node to visit next, or 0 if there is none.
func (u *uct) choose(at int32) int32 {
	t := u.tree
	n := &t.nodes[at]
	if n.untriedCount > 0 && len(t.nodes) < maxNodes {
		return t.expand(at, 0, ayu.Black) // the side matters to transpositions only
	}
	best, highest := n.firstChild, math.Inf(-1)
	logs := math.Log(float64(n.visits) + 1)
	for i := n.firstChild; i != 0; i = t.nodes[i].sibling {
		k := t.nodes[i]
		if worth := float64(k.wins/float32(k.visits)) + uctExplore*math.Sqrt(logs/float64(k.visits)); worth > highest {
			best, highest = i, worth
		}
	}
	return best
}

// share spreads the time left of a side evenly over the moves that it expects to make.
func share(left time.Duration, size, ply int) time.Duration {
	expected := size * size * 78 / 121 // length of a game; on 11×11 it is 56 to 97
	return left / time.Duration(max(expected-ply, 16)/2)
}

// side is one of the two players of a match.
type side struct {
	left     time.Duration
	rate     int // playouts a second; 0: as many as there is time for
	think    func(b ayu.Board, stop func() bool) (ayu.Move, int)
	playouts int
	moves    int
}

// match plays a game with equal time for both sides and returns the winner. The time is the processor's, or for a side with
// a rate what its playouts would take at that rate.
func match(b ayu.Board, size int, sides map[ayu.Color]*side) ayu.Color {
	for ply := 0; !b.IsImmobile(); ply++ {
		s := sides[b.Turn()]
		began, limit := searchtest.ProcessorTime(), share(s.left, size, ply)
		looks, most := 0, int(limit.Seconds()*float64(s.rate))
		m, made := s.think(b, func() bool {
			looks++
			if s.rate > 0 {
				return looks >= most
			}
			return looks%simulationsPerTimeCheck == 0 && searchtest.ProcessorTime()-began >= limit
		})
		if s.rate > 0 {
			s.left -= limit
		} else {
			s.left -= searchtest.ProcessorTime() - began
		}
		s.playouts, s.moves = s.playouts+made, s.moves+1
		b = b.After(m)
	}
	return b.Turn()
}

// BenchmarkAgainstUCT plays against plain UCT on one thread with equal time.
func BenchmarkAgainstUCT(b *testing.B) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	wins, games := 0, 0
	var own, other side
	for b.Loop() {
		color := ayu.Color(games % 2)
		rng := rand.New(rand.NewPCG(*flagSeed, uint64(games)))
		var pl searcher
		var plain uct
		a := &side{left: *flagTime, think: func(board ayu.Board, stop func() bool) (ayu.Move, int) {
			return pl.move(board, rng, func(int) bool { return stop() })
		}}
		z := &side{left: *flagTime, rate: *flagUCTRate, think: func(board ayu.Board, stop func() bool) (ayu.Move, int) {
			return plain.think(board, rng, stop)
		}}
		from := opening(*flagSize, *flagOpening, *flagSeed+uint64(games/2))
		if match(from, *flagSize, map[ayu.Color]*side{color: a, color.Other(): z}) == color {
			wins++
		}
		games++
		own.playouts, own.moves, own.left = own.playouts+a.playouts, own.moves+a.moves, own.left+*flagTime-a.left
		other.playouts, other.moves, other.left = other.playouts+z.playouts, other.moves+z.moves, other.left+*flagTime-z.left
	}
	searchtest.ReportWins(b, wins, games)
	b.ReportMetric(float64(own.playouts)/own.left.Seconds(), "playouts/s")
	b.ReportMetric(float64(other.playouts)/other.left.Seconds(), "uct-playouts/s")
	b.ReportMetric(own.left.Seconds()/other.left.Seconds(), "time-ratio")
}

// move searches until stop returns true or the result is proven.
func (m *searcher) move(b ayu.Board, rng *rand.Rand, stop func(made int) bool) (ayu.Move, int) {
	var from uint64 = rng.Uint64()
	p := ayu.FromBoard(b)
	made := m.search(p, search.Options{Level: search.MaxLevel, Seed: from}, 0, 0, stop)
	a := m.tree.advice(p, made, m.tree.children())
	parsed, err := ayu.ParseMove(a.Choices[0].Actions[0])
	if err != nil {
		panic(err)
	}
	return parsed, a.Playouts
}

// BenchmarkLevels plays each level against the one below on 9×9 without the pie rule.
func BenchmarkLevels(b *testing.B) {
	for level := search.MinLevel + 1; level <= search.MaxLevel; level++ {
		b.Run(string(rune('0'+level)), func(b *testing.B) {
			wins, games := 0, 0
			for b.Loop() {
				color := ayu.Color(games % 2)
				board := opening(9, *flagOpening, *flagSeed+uint64(games/2))
				var players [2]searcher
				for !board.IsImmobile() {
					l, player := level-1, &players[0]
					if board.Turn() == color {
						l, player = level, &players[1]
					}
					o := search.Options{Level: l, Playouts: *flagStrength, Seed: uint64(games)}
					a, err := player.Search(context.Background(), ayu.FromBoard(board), o)
					if err != nil {
						b.Fatal(err)
					}
					m, err := ayu.ParseMove(a.Choices[0].Actions[0])
					if err != nil {
						b.Fatal(err)
					}
					board = board.After(m)
				}
				if board.Turn() == color {
					wins++
				}
				games++
			}
			searchtest.ReportWins(b, wins, games)
		})
	}
}

// TestBeatsUCT plays against UCT with four times as many playouts, which still take UCT less time.
func TestBeatsUCT(t *testing.T) {
	if testing.Short() {
		t.Skip("slow; left out with -short")
	}
	const games, playouts = 8, 300
	wins := 0
	for g := range games {
		color := ayu.Color(g % 2)
		b := opening(9, 2, uint64(g/2))
		rng := rand.New(rand.NewPCG(1, uint64(g)))
		var pl searcher
		var plain uct
		for !b.IsImmobile() {
			var m ayu.Move
			if b.Turn() == color {
				m, _ = pl.move(b, rng, func(made int) bool { return made >= 4*playouts })
			} else {
				made := 0
				m, _ = plain.think(b, rng, func() bool { made++; return made >= playouts })
			}
			b = b.After(m)
		}
		if b.Turn() == color {
			wins++
		}
	}
	if wins < games*5/8 {
		t.Errorf("%d of %d games are won", wins, games)
	}
	t.Logf("%d of %d games are won", wins, games)
}
