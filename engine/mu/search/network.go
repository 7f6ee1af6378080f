package search

import (
	_ "embed"
	"sync"

	"ayumu/engine/search/network"
)

// breakpoints are the virgin parts of the board for which the network has weights of the output.
var breakpoints = [...]float32{0, 0.25, 0.6, 1}

// maxNeuron is the largest value of a neuron.
const maxNeuron = 4

// valueNetwork estimates the logarithm of the odds of winning of a seat from its features, up to a constant that all
// seats share.
type valueNetwork struct {
	*network.Layer
	output [len(breakpoints)][network.Neurons]float32
	linear [countAll]float32 // of the counts in fair shares
}

// weights are the networks of a player.
type weights struct {
	value *valueNetwork // for positions of play
	start *valueNetwork // for starts of play; nil: layouts and clearings are compared by their segments alone
}

var (
	//go:embed value.bin
	valueBytes []byte
	//go:embed start.bin
	startBytes []byte
)

// defaultWeights returns the networks of all levels. Engine.Train (train.go) fits them to searches and results of games.
var defaultWeights = sync.OnceValue(func() weights {
	return weights{
		value: network.Decode("value.bin", valueBytes, readNetwork(playFeatures)),
		start: network.Decode("start.bin", startBytes, readNetwork(startFeatures)),
	}
})

// readNetwork returns a function that reads a network with that many features: the layer of the features, then the other
// weights in the order of their declaration.
func readNetwork(features int) func(r *network.Reader) *valueNetwork {
	return func(r *network.Reader) *valueNetwork {
		w := &valueNetwork{Layer: r.Layer(features)}
		for k := range w.output {
			r.Floats(w.output[k][:])
		}
		r.Floats(w.linear[:])
		return w
	}
}

// bracket returns the lower breakpoint of a virgin part of the board and its position between the two breakpoints, 0 to 1.
func bracket(virgin float32) (int, float32) {
	k := 0
	for k < len(breakpoints)-2 && virgin >= breakpoints[k+1] {
		k++
	}
	return k, min((virgin-breakpoints[k])/(breakpoints[k+1]-breakpoints[k]), 1)
}

// outputAt returns the weights of the output between two breakpoints, as bracket returns them.
func (w *valueNetwork) outputAt(k int, part float32) (output [network.Neurons]float32) {
	for i := range output {
		output[i] = w.output[k][i]*(1-part) + w.output[k+1][i]*part
	}
	return output
}

// logit returns the estimate for a seat.
func (w *valueNetwork) logit(features []uint16, counts *seatCounts, cellShare float32, output *[network.Neurons]float32) float32 {
	neurons := w.Sums(features)
	var a, b, c, d float32 // sums that need not wait for each other
	for i := 0; i < len(neurons); i += 4 {
		a += min(max(neurons[i], 0), maxNeuron) * output[i]
		b += min(max(neurons[i+1], 0), maxNeuron) * output[i+1]
		c += min(max(neurons[i+2], 0), maxNeuron) * output[i+2]
		d += min(max(neurons[i+3], 0), maxNeuron) * output[i+3]
	}
	var e, f float32
	for i := 0; i < len(w.linear); i += 2 {
		e += w.linear[i] * float32(counts[i])
		f += w.linear[i+1] * float32(counts[i+1])
	}
	return a + b + c + d + (e+f)*cellShare
}
