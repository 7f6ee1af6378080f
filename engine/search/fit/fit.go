// Package fit fits networks of package network to samples, with a step for each (AdaGrad), encodes them, and plays the games
// that they are fitted to in parallel. Only the training
// of the engines imports it, which is in no server. It knows no game.
package fit

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"math"
	"math/rand/v2"

	"ayumu/engine/search/network"
)

// Layer is a layer while it is fitted by AdaGrad. A row has one sum of squares of gradients for all its weights.
type Layer struct {
	rows    [][network.Neurons]float32
	squares []float32 // sum of the mean squares of the gradients of each row
	steps   []int32   // number of steps of each row
	biases  [network.Neurons]Parameter
}

// Parameter is a weight while it is fitted, with the sum of the squares of its gradients so far.
type Parameter struct{ Weight, squares float32 }

// firstSquare is added to sums of squares, so that the first steps are not too large.
const firstSquare = 0.1

// Step changes the weight against its gradient.
func (p *Parameter) Step(gradient, rate float32) {
	p.squares += gradient * gradient
	p.Weight -= rate * gradient / float32(math.Sqrt(float64(p.squares+firstSquare)))
}

// NewLayer returns a layer with that bias and random weights of that standard deviation.
func NewLayer(features int, deviation, bias float32, rng *rand.Rand) *Layer {
	l := &Layer{rows: make([][network.Neurons]float32, features), squares: make([]float32, features), steps: make([]int32, features)}
	for f := range l.rows {
		for i := range l.rows[f] {
			l.rows[f][i] = float32(rng.NormFloat64()) * deviation
		}
	}
	for i := range l.biases {
		l.biases[i].Weight = bias
	}
	return l
}

// Add returns the sums of the biases and of the rows of the features, each as often as counts says.
func (l *Layer) Add(features []uint16, counts []float32) (neurons [network.Neurons]float32) {
	for i := range neurons {
		neurons[i] = l.biases[i].Weight
	}
	for k, f := range features {
		row, count := &l.rows[f], counts[k]
		for i := range row {
			neurons[i] += row[i] * count
		}
	}
	return neurons
}

// Step changes the weights against the gradients of the neurons.
func (l *Layer) Step(features []uint16, counts []float32, gradients *[network.Neurons]float32, rate float32) {
	square := float32(0)
	for i, by := range gradients {
		square += by * by / network.Neurons
		l.biases[i].Step(by, rate)
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

// All makes a step for each sample, three times over all, in a random order each time and with smaller steps. It shuffles
// the samples.
func All[S any](samples []S, rng *rand.Rand, rate float32, fit func(s *S, rate float32)) {
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

// Prune sets the rows of rare features to 0.
func (l *Layer) Prune() {
	for f := range l.rows {
		if l.steps[f] < minSteps {
			clear(l.rows[f][:])
		}
	}
}

// Encode appends the layer as network.Reader reads it.
func (l *Layer) Encode(data []byte) []byte {
	data = EncodeWeights(data, l.biases[:])
	for f := range l.rows {
		for _, x := range l.rows[f] {
			data = binary.AppendVarint(data, int64(min(max(math.Round(float64(x/network.WeightStep)), -network.RowOffset), network.RowOffset-1)))
		}
	}
	return data
}

// EncodeWeights appends weights as 32-bit floating-point numbers in little-endian order.
func EncodeWeights(data []byte, weights []Parameter) []byte {
	for _, x := range weights {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(x.Weight))
	}
	return data
}

// Compress returns data as network.Decode has it.
func Compress(data []byte) []byte {
	var out bytes.Buffer
	packed, err := flate.NewWriter(&out, flate.BestCompression)
	if err != nil {
		panic(err)
	}
	packed.Write(data)
	packed.Close()
	return out.Bytes()
}

// Forget keeps that part of the sums of squares, so that later steps are larger.
func (l *Layer) Forget(keep float32) {
	for f := range l.squares {
		l.squares[f] *= keep
	}
	for i := range l.biases {
		l.biases[i].Forget(keep)
	}
}

// Forget keeps that part of the sum of squares.
func (p *Parameter) Forget(keep float32) { p.squares *= keep }
