//go:build train

package search

import (
	"math"
	"math/rand/v2"
	"slices"

	"ayumu/engine/ayu"
	"ayumu/engine/search/fit"
	"ayumu/engine/search/network"
)

// sample is a position that the evaluator is fitted to.
type sample struct {
	board  ayu.Board
	target float32
}

// readSamples returns the training and test samples of a file of positions.
func readSamples(name string) (training, test []sample, err error) {
	err = forPositions(name, func(x position) {
		if x.board.Span(x.board.Turn()) == 0 {
			return
		}
		if l := (sample{x.board, x.target}); x.game%testGames == 0 {
			test = append(test, l)
		} else {
			training = append(training, l)
		}
	})
	return training, test, err
}

// trainedValueNetwork is a network while it is fitted.
type trainedValueNetwork struct {
	layer      *fit.Layer
	second     [secondNeurons][network.Neurons]fit.Parameter
	biases     [secondNeurons]fit.Parameter
	output     [len(breakpoints)][secondNeurons]fit.Parameter
	board      boardFeatures
	features   []uint16
	counts     []float32
	neurons    [network.Neurons]float32 // of the last sample, before negative ones are replaced
	secondSums [secondNeurons]float32   // the same of the second layer
}

// newTrainedValueNetwork returns a network with small random weights.
func newTrainedValueNetwork(rng *rand.Rand) *trainedValueNetwork {
	w := &trainedValueNetwork{layer: fit.NewLayer(featureCount, 0.01, 0.5, rng)}
	for i := range w.second {
		for j := range w.second[i] {
			w.second[i][j].Weight = float32(rng.NormFloat64()) * 0.25
		}
		for k := range w.output {
			w.output[k][i].Weight = float32(rng.NormFloat64()) * 0.1
		}
	}
	return w
}

// fitEvaluator fits a network to samples, which it shuffles.
func fitEvaluator(training []sample, rng *rand.Rand) *trainedValueNetwork {
	w := newTrainedValueNetwork(rng)
	fit.All(training, rng, 0.02, w.fit)
	w.layer.Prune()
	return w
}

// extract sets the features of a board, each once, with their numbers.
func (w *trainedValueNetwork) extract(b ayu.Board) {
	w.board.compute(b)
	w.features = w.board.appendFeatures(w.features[:0])
	slices.Sort(w.features)
	w.counts = w.counts[:0]
	for i, f := range w.features {
		if i > 0 && w.features[i-1] == f {
			w.counts[len(w.counts)-1]++
		} else {
			w.counts = append(w.counts, 1)
		}
	}
	w.features = slices.Compact(w.features)
}

// predict returns the share of wins of the side to move of a board.
func (w *trainedValueNetwork) predict(b ayu.Board) float32 {
	w.extract(b)
	w.neurons = w.layer.Add(w.features, w.counts)
	k, part := bracket(w.board.stage())
	logit := float32(0)
	for i := range w.second {
		sum := w.biases[i].Weight
		for j := range w.second[i] {
			sum += w.second[i][j].Weight * min(max(w.neurons[j], 0), maxFirst)
		}
		w.secondSums[i] = sum
		logit += max(sum, 0) * (w.output[k][i].Weight*(1-part) + w.output[k+1][i].Weight*part)
	}
	return float32(logistic(float64(logit)))
}

// fit makes a step for a sample.
func (w *trainedValueNetwork) fit(l *sample, rate float32) {
	wrong := w.predict(l.board) - l.target
	k, part := bracket(w.board.stage())
	var gradients [network.Neurons]float32
	for i := range w.second {
		neuron := w.secondSums[i]
		if neuron <= 0 {
			continue
		}
		by := wrong * (w.output[k][i].Weight*(1-part) + w.output[k+1][i].Weight*part)
		w.output[k][i].Step(wrong*neuron*(1-part), rate)
		w.output[k+1][i].Step(wrong*neuron*part, rate)
		w.biases[i].Step(by, rate)
		for j := range w.second[i] {
			sum := w.neurons[j]
			if sum > 0 && sum < maxFirst {
				gradients[j] += by * w.second[i][j].Weight
			}
			if sum > 0 {
				w.second[i][j].Step(by*min(sum, maxFirst), rate)
			}
		}
	}
	w.layer.Step(w.features, w.counts, &gradients, rate)
}

// encode returns the network as network.Decode reads it.
func (w *trainedValueNetwork) encode() []byte {
	data := w.layer.Encode(nil)
	for i := range w.second {
		data = fit.EncodeWeights(data, w.second[i][:])
	}
	data = fit.EncodeWeights(data, w.biases[:])
	for k := range w.output {
		data = fit.EncodeWeights(data, w.output[k][:])
	}
	return fit.Compress(data)
}

// loss returns the cross entropy of a network and the targets.
func loss(w *trainedValueNetwork, samples []sample) float64 {
	sum := 0.0
	for _, l := range samples {
		p, share := min(max(float64(w.predict(l.board)), 0.001), 0.999), float64(l.target)
		sum -= share*math.Log(p) + (1-share)*math.Log(1-p)
	}
	return sum / float64(len(samples))
}
