package search

import (
	"bufio"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ayumu/engine/ayu"
	"ayumu/engine/search"
)

// The weights of weights.bin are fitted to search results:
//
//	go test ./engine/ayu/search -run '^$' -bench Positions -benchtime 900x -timeout 0 -ayu.positions FILE
//	go test ./engine/ayu/search -run '^$' -bench 'Learn$' -benchtime 1x -ayu.positions FILE -ayu.weights weights.bin
var (
	flagPositions   = flag.String("ayu.positions", "", "file of positions with the share of wins of the side to move")
	flagWeightOut   = flag.String("ayu.weights", "", "file to write the weights to, in engine/ayu/search")
	flagSimulations = flag.Int("ayu.simulations", 1200, "simulations of each search")
)

// BenchmarkPositions writes the searched positions of one game of self-play for each iteration. In half of the
// games one move in three is random, so that positions as in a search tree are included.
//
// A line has a board, the move before it, the share of wins of the side to move, and each visited move with its
// visits. A line with "won" and a colour ends each game.
func BenchmarkPositions(b *testing.B) {
	f, err := os.Create(*flagPositions)
	if err != nil {
		b.Skip("-ayu.positions names no file that can be written")
	}
	defer f.Close()
	for g := uint64(0); b.Loop(); g++ {
		rng := rand.New(rand.NewPCG(*flagSeed, g))
		size := [...]int{11, 9, 11, 7, 11, 13, 11, 9}[g%8]
		board := opening(size, rng.IntN(7), *flagSeed*1e6+g)
		var player searcher
		var last ayu.Move
		for !board.IsImmobile() {
			o := search.Options{Level: search.MaxLevel, Seed: rng.Uint64()}
			a := player.search(ayu.FromBoard(board), o, *flagSimulations, func() bool { return false })
			player.tree.writeSearched(f, 0, board, last)
			m, err := ayu.ParseMove(a.Choices[0].Actions[0])
			if err != nil {
				b.Fatal(err)
			}
			if g%2 == 0 && rng.IntN(3) == 0 || rng.IntN(20) == 0 {
				all := board.Moves(nil)
				m = all[rng.IntN(len(all))]
			}
			board, last = board.After(m), m
		}
		fmt.Fprintf(f, "won %s\n", board.Turn())
	}
}

// writeSearched writes a node and the nodes below it that have an eighth of the visits of a search, the former
// first.
func (t *tree) writeSearched(w io.Writer, at int32, b ayu.Board, last ayu.Move) {
	n := &t.nodes[at]
	if n.proof == unproven {
		fmt.Fprintf(w, "%s %s %.4f", b, last, 1-n.winRate())
		for i := n.firstChild; i != 0; i = t.nodes[i].sibling {
			if k := &t.nodes[i]; k.visits > 0 {
				fmt.Fprintf(w, " %s %d", k.move, k.visits)
			}
		}
		fmt.Fprintln(w)
	}
	for i := n.firstChild; i != 0; i = t.nodes[i].sibling {
		if k := &t.nodes[i]; int(k.visits) >= *flagSimulations/8 {
			t.writeSearched(w, i, b.After(k.move), k.move)
		}
	}
}

// position is a line of BenchmarkPositions.
type position struct {
	game   int // number of the game, from 0
	board  ayu.Board
	last   ayu.Move
	share  float32
	visits map[ayu.Move]int
}

// testGames is the interval of games whose positions are the test set.
const testGames = 10

// forPositions calls f with each position of a file.
func forPositions(b *testing.B, name string, f func(position)) {
	file, err := os.Open(name)
	if err != nil {
		b.Skip("-ayu.positions names no file")
	}
	defer file.Close()
	games := 0
	in := bufio.NewScanner(file)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		words := strings.Fields(in.Text())
		if len(words) == 2 {
			games++
			continue
		}
		x := position{game: games, visits: make(map[ayu.Move]int)}
		var share float64
		if len(words) < 5 || len(words)%2 == 0 {
			b.Fatalf("this is no position: %s", in.Text())
		}
		var errs [3]error
		x.board, errs[0] = ayu.ParseBoard(strings.Join(words[:3], " "))
		x.last, errs[1] = ayu.ParseMove(words[3])
		share, errs[2] = strconv.ParseFloat(words[4], 32)
		if err := errors.Join(errs[:]...); err != nil {
			b.Fatal(err)
		}
		x.share = float32(share)
		for i := 5; i < len(words); i += 2 {
			m, err := ayu.ParseMove(words[i])
			n, e := strconv.Atoi(words[i+1])
			if err := errors.Join(err, e); err != nil {
				b.Fatal(err)
			}
			x.visits[m] = n
		}
		f(x)
	}
	if err := in.Err(); err != nil {
		b.Fatal(err)
	}
}

// sample is a training position.
type sample struct {
	traits     []uint16
	breakpoint int     // lower breakpoint
	part       float32 // weight of the upper breakpoint
	share      float32
}

// readSamples returns the training and test samples of a file of positions.
func readSamples(b *testing.B, name string) (training, test []sample) {
	var evaluator evaluator
	forPositions(b, name, func(x position) {
		evaluator.extract(x.board)
		breakpoint, part := evaluator.phase()
		l := sample{slices.Clone(evaluator.features), breakpoint, part, x.share}
		if x.game%testGames == 0 {
			test = append(test, l)
		} else {
			training = append(training, l)
		}
	})
	return training, test
}

// BenchmarkLearn fits the weights by logistic regression with AdaGrad.
func BenchmarkLearn(b *testing.B) {
	const rounds, penalty = 16, 1e-4
	training, test := readSamples(b, *flagPositions)
	rng := rand.New(rand.NewPCG(*flagSeed, 0))
	for b.Loop() {
		w := new(weightTable)
		var slopes weightTable
		rate := 0.05
		for round := range rounds {
			if round > rounds/2 {
				rate *= 0.7
			}
			rng.Shuffle(len(training), func(i, j int) { training[i], training[j] = training[j], training[i] })
			for _, l := range training {
				wrong := l.predict(w) - l.share
				for i, part := range [2]float32{1 - l.part, l.part} {
					weights, slope := &w[l.breakpoint+i], &slopes[l.breakpoint+i]
					for _, t := range l.traits {
						g := wrong*part + penalty*weights[t]
						slope[t] += g * g
						weights[t] -= float32(rate) * g / float32(math.Sqrt(float64(slope[t])+1))
					}
				}
			}
		}
		b.ReportMetric(loss(w, test), "loss")
		b.ReportMetric(loss(new(weightTable), test), "loss-of-nothing")
		b.ReportMetric(minLoss(test), "loss-of-the-searches")
		b.ReportMetric(float64(len(training)), "positions")
		if *flagWeightOut != "" {
			writeWeights(b, slices.Concat(w[0][:], w[1][:], w[2][:], w[3][:]))
		}
	}
}

// predict returns the share of wins of the side to move by the weights.
func (l *sample) predict(w *weightTable) float32 {
	return float32(probability(l.traits, w, l.breakpoint, l.part))
}

// loss returns the cross entropy of the weights and the search results.
func loss(w *weightTable, training []sample) float64 {
	sum := 0.0
	for _, l := range training {
		p, share := min(max(float64(l.predict(w)), 0.001), 0.999), float64(l.share)
		sum -= share*math.Log(p) + (1-share)*math.Log(1-p)
	}
	return sum / float64(len(training))
}

// minLoss returns the loss of a perfect prediction.
func minLoss(training []sample) float64 {
	sum := 0.0
	for _, l := range training {
		if p := float64(l.share); p > 0 && p < 1 {
			sum -= p*math.Log(p) + (1-p)*math.Log(1-p)
		}
	}
	return sum / float64(len(training))
}

// writeWeights writes weights as decodeWeights reads them.
func writeWeights(b *testing.B, weights []float32) {
	var out []byte
	for _, x := range weights {
		thousandths := math.Round(1000 * float64(min(max(x, -32), 32)))
		out = binary.LittleEndian.AppendUint16(out, uint16(int16(thousandths)))
	}
	if err := os.WriteFile(*flagWeightOut, out, 0o644); err != nil {
		b.Fatal(err)
	}
}

// Turned and mirrored boards are worth as much as the board itself.
func TestEvaluatorIsSymmetric(t *testing.T) {
	var s evaluator
	for seed := range uint64(20) {
		size := []int{5, 9, 11, 15}[seed%4]
		b := opening(size, int(seed)*3, seed)
		rows := strings.Split(strings.Fields(b.String())[2], "/")
		flipped := make([]string, size)
		for i, row := range rows {
			flipped[size-1-i] = row
		}
		c, err := ayu.ParseBoard(strings.Join(append(strings.Fields(b.String())[:2], strings.Join(flipped, "/")), " "))
		if err != nil {
			t.Fatal(err)
		}
		// Where two units are as near, either may be taken for the closest one.
		if x, y := s.evaluate(b), s.evaluate(c); math.Abs(x-y) > 0.1 {
			t.Errorf("%s is worth %.3f, and mirrored %.3f", b, x, y)
		}
	}
}

// TestEvaluatorSpans compares the spans that the evaluator computes with those of the rules.
func TestEvaluatorSpans(t *testing.T) {
	var s evaluator
	for seed := range uint64(40) {
		b := opening([]int{3, 5, 7, 11, 15}[seed%5], int(seed)*2, seed)
		s.extract(b)
		if own, enemy := b.Span(b.Turn()), b.Span(b.Turn().Other()); s.sides[0].span != own || s.sides[1].span != enemy {
			t.Errorf("%s: spans of %d and %d, want %d and %d", b, s.sides[0].span, s.sides[1].span, own, enemy)
		}
	}
}

func BenchmarkEvaluator(b *testing.B) {
	var s evaluator
	board := opening(11, 30, 1)
	for b.Loop() {
		s.evaluate(board)
	}
}
