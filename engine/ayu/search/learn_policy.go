//go:build train

package search

import (
	"math"
	"math/rand/v2"
	"slices"

	"ayumu/engine/search/fit"
	"ayumu/engine/search/network"
)

// minVisits is the number of visits of the positions that the policy is fitted to, at least.
const minVisits = 300

// policySample is a position with the share of the visits of each move.
type policySample struct {
	features [][policyPerMove]uint16 // of each move
	targets  []float32
	part     float32 // weight of the output weights of the beginning
}

// policySamples returns the training and test samples of a file of positions. The search visits each move a few
// times, so that a fiftieth of the visits of the position is taken off each.
func policySamples(name string) (training, test []policySample, err error) {
	var s boardFeatures
	var y policy
	err = forPositions(name, func(x position) {
		total := 0
		for _, n := range x.visits {
			total += n
		}
		if total < minVisits {
			return
		}
		s.compute(x.board)
		y.begin()
		sample, sum := policySample{part: policyPart(s.stage())}, 0
		for _, m := range x.board.Moves(nil) {
			y.moveFeatures(&s, m, x.last)
			visits := max(x.visits[m]-total/50, 0)
			sum += visits
			sample.features = append(sample.features, y.features)
			sample.targets = append(sample.targets, float32(visits))
		}
		if sum == 0 {
			return
		}
		for i := range sample.targets {
			sample.targets[i] /= float32(sum)
		}
		if x.game%testGames == 0 {
			test = append(test, sample)
		} else {
			training = append(training, sample)
		}
	})
	return training, test, err
}

// trainedPolicyNetwork is a policy while it is fitted.
type trainedPolicyNetwork struct {
	layer   *fit.Layer
	output  [policyStages][network.Neurons]fit.Parameter
	neurons [][network.Neurons]float32 // of each move of the last sample, before negative ones are replaced
	chances []float32                  // of these moves
}

// newTrainedPolicyNetwork returns a policy with small random weights.
func newTrainedPolicyNetwork(rng *rand.Rand) *trainedPolicyNetwork {
	w := &trainedPolicyNetwork{layer: fit.NewLayer(policyFeatures, 0.02, 0.3, rng)}
	for i := range w.output[0] {
		weight := float32(rng.NormFloat64()) * 0.3
		w.output[0][i].Weight, w.output[1][i].Weight = weight, weight
	}
	return w
}

// fitPolicy fits a policy to samples, which it shuffles.
func fitPolicy(training []policySample, rng *rand.Rand) *trainedPolicyNetwork {
	w := newTrainedPolicyNetwork(rng)
	fit.All(training, rng, 0.03, w.fit)
	w.layer.Prune()
	return w
}

// once has the numbers of the features of a move: each is there once.
var once = slices.Repeat([]float32{1}, policyPerMove)

// predict returns the probabilities of the moves, valid until the next call.
func (w *trainedPolicyNetwork) predict(l *policySample) []float32 {
	w.neurons, w.chances = w.neurons[:0], w.chances[:0]
	for i := range l.features {
		neurons := w.layer.Add(l.features[i][:], once)
		logit := float32(0)
		for j, x := range neurons {
			logit += max(x, 0) * w.outputAt(j, l.part)
		}
		w.neurons, w.chances = append(w.neurons, neurons), append(w.chances, logit)
	}
	softmax(w.chances)
	return w.chances
}

// outputAt returns the weight of the output of a neuron. part is the weight of those of the beginning.
func (w *trainedPolicyNetwork) outputAt(neuron int, part float32) float32 {
	return w.output[0][neuron].Weight*(1-part) + w.output[1][neuron].Weight*part
}

// negligible is the largest error of a probability for which no step is made, to save time.
const negligible = 1e-4

// fit makes a step for each move of a sample.
func (w *trainedPolicyNetwork) fit(l *policySample, rate float32) {
	for move, p := range w.predict(l) {
		wrong := p - l.targets[move]
		if wrong < negligible && wrong > -negligible {
			continue
		}
		var gradients [network.Neurons]float32
		for i, x := range w.neurons[move] {
			if x > 0 {
				gradients[i] = wrong * w.outputAt(i, l.part)
				w.output[0][i].Step(wrong*x*(1-l.part), rate)
				w.output[1][i].Step(wrong*x*l.part, rate)
			}
		}
		w.layer.Step(l.features[move][:], once, &gradients, rate)
	}
}

// encode returns the policy as network.Decode reads it.
func (w *trainedPolicyNetwork) encode() []byte {
	data := w.layer.Encode(nil)
	for k := range w.output {
		data = fit.EncodeWeights(data, w.output[k][:])
	}
	return fit.Compress(data)
}

// policyLoss returns the mean cross entropy of the policy and the visits.
func policyLoss(w *trainedPolicyNetwork, test []policySample) float64 {
	loss := 0.0
	for i := range test {
		p := w.predict(&test[i])
		for move, share := range test[i].targets {
			if share > 0 {
				loss -= float64(share) * math.Log(max(float64(p[move]), 1e-9))
			}
		}
	}
	return loss / float64(len(test))
}

// minPolicyLoss returns the cross entropy of a perfect prediction.
func minPolicyLoss(test []policySample) float64 {
	loss := 0.0
	for i := range test {
		for _, share := range test[i].targets {
			if share > 0 {
				loss -= float64(share) * math.Log(float64(share))
			}
		}
	}
	return loss / float64(len(test))
}
