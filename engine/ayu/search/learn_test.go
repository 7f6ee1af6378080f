package search

import (
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ayumu/engine/ayu"
)

// position is a searched position of a training game, as playTraining writes it.
type position struct {
	game   int // number of the game, from 0
	board  ayu.Board
	last   ayu.Move
	share  float32 // of the wins of the side to move in the search
	won    float32 // 1 if the side to move has won the game, else 0
	visits map[ayu.Move]int
}

// parsePosition reads a line without its game and its result.
func parsePosition(line string) (x position, err error) {
	words := strings.Fields(line)
	if len(words) < 5 || len(words)%2 == 0 {
		return x, errors.New("this is no position")
	}
	x.visits = make(map[ayu.Move]int)
	var errs [3]error
	var share float64
	x.board, errs[0] = ayu.ParseBoard(strings.Join(words[:3], " "))
	x.last, errs[1] = ayu.ParseMove(words[3])
	share, errs[2] = strconv.ParseFloat(words[4], 32)
	x.share = float32(share)
	for i := 5; i < len(words); i += 2 {
		m, err := ayu.ParseMove(words[i])
		n, e := strconv.Atoi(words[i+1])
		if err := errors.Join(err, e); err != nil {
			return x, err
		}
		x.visits[m] = n
	}
	return x, errors.Join(errs[:]...)
}

// testGames is the interval of games whose positions are the test set.
const testGames = 10

// forPositions calls f with each position of a file.
func forPositions(b *testing.B, name string, f func(position)) {
	data, err := os.ReadFile(name)
	if err != nil {
		b.Fatal(err)
	}
	games := 0
	var game []position
	for line := range strings.Lines(string(data)) {
		if color, isLast := strings.CutPrefix(strings.TrimSpace(line), "won "); isLast {
			for _, x := range game {
				if x.board.Turn().String() == color {
					x.won = 1
				}
				f(x)
			}
			games++
			game = game[:0]
			continue
		}
		x, err := parsePosition(line)
		if err != nil {
			b.Fatalf("%s: %v", line, err)
		}
		x.game = games
		game = append(game, x)
	}
}

// sample is a training position.
type sample struct {
	traits     []uint16
	breakpoint int     // lower breakpoint
	part       float32 // weight of the upper breakpoint
	share      float32
}

// resultPart is the part of the result of the game in what the evaluator is fitted to; the rest is the search's value.
const resultPart = 0.1

// readSamples returns the training and test samples of a file of positions.
func readSamples(b *testing.B, name string) (training, test []sample) {
	var evaluator evaluator
	forPositions(b, name, func(x position) {
		evaluator.extract(x.board)
		breakpoint, part := evaluator.phase()
		l := sample{slices.Clone(evaluator.features), breakpoint, part, x.share*(1-resultPart) + x.won*resultPart}
		if x.game%testGames == 0 {
			test = append(test, l)
		} else {
			training = append(training, l)
		}
	})
	return training, test
}

// fitEvaluator fits weights by logistic regression with AdaGrad, from nothing if start is nil and in small steps
// otherwise. It shuffles the samples.
func fitEvaluator(start *weightTable, training []sample, rng *rand.Rand) *weightTable {
	w, rounds, rate, penalty := new(weightTable), 16, 0.05, float32(1e-4)
	if start != nil {
		*w, rounds, rate, penalty = *start, 4, 0.01, 0
	}
	var slopes weightTable
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
	return w
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

// Turned and mirrored boards are worth as much as the board itself.
func TestEvaluatorIsSymmetric(t *testing.T) {
	s := evaluator{weights: weights}
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
	s := evaluator{weights: weights}
	board := opening(11, 30, 1)
	for b.Loop() {
		s.evaluate(board)
	}
}
