package search

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"os"
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
	next   string  // what was played: best, random or, for a position of the search tree only, nothing
	target float32 // the share that the evaluator is fitted to
	visits map[ayu.Move]int
}

// parsePosition reads a line, without what follows from the rest of its game.
func parsePosition(line string) (x position, err error) {
	words := strings.Fields(line)
	if len(words) < 6 || len(words)%2 == 1 {
		return x, errors.New("this is no position")
	}
	x.visits = make(map[ayu.Move]int)
	var errs [3]error
	var share float64
	x.board, errs[0] = ayu.ParseBoard(strings.Join(words[:3], " "))
	x.last, errs[1] = ayu.ParseMove(words[3])
	share, errs[2] = strconv.ParseFloat(words[4], 32)
	x.share, x.next = float32(share), words[5]
	for i := 6; i < len(words); i += 2 {
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
const testGames = 20

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
			setTargets(game, color)
			for _, x := range game {
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

// nextPart is the part of the target of the next position in that of a position; the rest is what the search of the
// position itself says.
const nextPart = 0.95

// setTargets sets the targets of the positions of a game that a color has won. What a search says of a position is wrong
// where the evaluator is; the later searches and the result are not, unless a random move was played in between.
func setTargets(game []position, color string) {
	black := float32(0) // the share of Black of the next position
	if color == ayu.Black.String() {
		black = 1
	}
	for i := len(game) - 1; i >= 0; i-- {
		x := &game[i]
		share := x.share
		if x.board.Turn() != ayu.Black {
			share = 1 - share
		}
		target := share
		switch x.next {
		case nextBest:
			black = nextPart*black + (1-nextPart)*share
			target = black
		case nextRandom:
			black = share
		}
		if x.target = target; x.board.Turn() != ayu.Black {
			x.target = 1 - target
		}
	}
}

// trainedLayer is a layer while it is fitted by AdaGrad. A row has one sum of squares of gradients for all its weights.
type trainedLayer struct {
	rows    [][layerUnits]float32
	squares []float32 // sum of the mean squares of the gradients of each row
	steps   []int32   // number of steps of each row
	biases  [layerUnits]parameter
}

// parameter is a weight while it is fitted, with the sum of the squares of its gradients so far.
type parameter struct{ weight, squares float32 }

// firstSquare is added to sums of squares, so that the first steps are not too large.
const firstSquare = 0.1

// step changes the weight against its gradient.
func (p *parameter) step(gradient, rate float32) {
	p.squares += gradient * gradient
	p.weight -= rate * gradient / float32(math.Sqrt(float64(p.squares+firstSquare)))
}

// newTrainedLayer returns a layer with random weights of about that size.
func newTrainedLayer(features int, size, bias float32, rng *rand.Rand) *trainedLayer {
	l := &trainedLayer{rows: make([][layerUnits]float32, features), squares: make([]float32, features), steps: make([]int32, features)}
	for f := range l.rows {
		for i := range l.rows[f] {
			l.rows[f][i] = float32(rng.NormFloat64()) * size
		}
	}
	for i := range l.biases {
		l.biases[i].weight = bias
	}
	return l
}

// add returns the sums of the biases and of the rows of the features, each as often as counts says.
func (l *trainedLayer) add(features []uint16, counts []float32) (units [layerUnits]float32) {
	for i := range units {
		units[i] = l.biases[i].weight
	}
	for k, f := range features {
		row, count := &l.rows[f], counts[k]
		for i := range row {
			units[i] += row[i] * count
		}
	}
	return units
}

// step changes the weights against the gradients of the units.
func (l *trainedLayer) step(features []uint16, counts []float32, gradients *[layerUnits]float32, rate float32) {
	square := float32(0)
	for i, by := range gradients {
		square += by * by / layerUnits
		l.biases[i].step(by, rate)
	}
	if square == 0 {
		return
	}
	for k, f := range features {
		count := counts[k]
		l.steps[f]++
		l.squares[f] += square * count * count
		size := count * rate / float32(math.Sqrt(float64(l.squares[f]+firstSquare)))
		row := &l.rows[f]
		for i := range row {
			row[i] -= size * gradients[i]
		}
	}
}

// fitAll makes a step for each sample, three times over all, in a random order each time and with smaller steps. It shuffles
// the samples.
func fitAll[S any](samples []S, rng *rand.Rand, rate float32, fit func(s *S, rate float32)) {
	const rounds = 3
	for range rounds {
		rng.Shuffle(len(samples), func(i, j int) { samples[i], samples[j] = samples[j], samples[i] })
		for i := range samples {
			fit(&samples[i], rate)
		}
		rate *= 0.6
	}
}

// minSteps is the number of steps of a row that is kept. What so few samples say is mostly chance.
const minSteps = 20

// prune sets the rows of rare features to 0.
func (l *trainedLayer) prune() {
	for f := range l.rows {
		if l.steps[f] < minSteps {
			clear(l.rows[f][:])
		}
	}
}

// encode appends the layer as weightReader reads it.
func (l *trainedLayer) encode(data []byte) []byte {
	data = encodeWeights(data, l.biases[:])
	for f := range l.rows {
		for _, x := range l.rows[f] {
			data = binary.AppendVarint(data, int64(min(max(math.Round(float64(x/rowUnit)), -rowOffset), rowOffset-1)))
		}
	}
	return data
}

// encodeWeights appends weights as 32-bit floating-point numbers in little-endian order.
func encodeWeights(data []byte, weights []parameter) []byte {
	for _, x := range weights {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(x.weight))
	}
	return data
}

// compress returns data as decode has it.
func compress(data []byte) []byte {
	var out bytes.Buffer
	packed, err := flate.NewWriter(&out, flate.BestCompression)
	if err != nil {
		panic(err)
	}
	packed.Write(data)
	packed.Close()
	return out.Bytes()
}
