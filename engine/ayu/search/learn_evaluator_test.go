package search

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ayumu/engine/ayu"
	"ayumu/engine/search/network"
	"ayumu/engine/search/networktest"
)

// sample is a position that the evaluator is fitted to.
type sample struct {
	board  ayu.Board
	target float32
}

// readSamples returns the training and test samples of a file of positions.
func readSamples(b *testing.B, name string) (training, test []sample) {
	forPositions(b, name, func(x position) {
		if x.board.Span(x.board.Turn()) == 0 {
			return
		}
		if l := (sample{x.board, x.target}); x.game%testGames == 0 {
			test = append(test, l)
		} else {
			training = append(training, l)
		}
	})
	return training, test
}

// trainedValueNetwork is a network while it is fitted.
type trainedValueNetwork struct {
	layer      *networktest.Layer
	second     [secondNeurons][network.Neurons]networktest.Parameter
	biases     [secondNeurons]networktest.Parameter
	output     [len(breakpoints)][secondNeurons]networktest.Parameter
	survey     survey
	features   []uint16
	counts     []float32
	neurons    [network.Neurons]float32 // of the last sample, before negative ones are replaced
	secondSums [secondNeurons]float32   // the same of the second layer
}

// newTrainedValueNetwork returns a network with small random weights.
func newTrainedValueNetwork(rng *rand.Rand) *trainedValueNetwork {
	w := &trainedValueNetwork{layer: networktest.NewLayer(featureCount, 0.01, 0.5, rng)}
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
	networktest.FitAll(training, rng, 0.02, w.fit)
	w.layer.Prune()
	return w
}

// extract sets the features of a board, each once, with their numbers.
func (w *trainedValueNetwork) extract(b ayu.Board) {
	w.survey.take(b)
	w.features = w.survey.appendFeatures(w.features[:0])
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
	k, part := bracket(w.survey.stage())
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
	k, part := bracket(w.survey.stage())
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
		data = networktest.EncodeWeights(data, w.second[i][:])
	}
	data = networktest.EncodeWeights(data, w.biases[:])
	for k := range w.output {
		data = networktest.EncodeWeights(data, w.output[k][:])
	}
	return networktest.Compress(data)
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

// TestValueNetworkIsEncoded compares a network that is fitted to random shares with what the player decodes of it.
func TestValueNetworkIsEncoded(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	var samples []sample
	for seed := range uint64(60) {
		b := opening([]int{5, 7, 9, 11, 13, 15}[seed%6], int(seed), seed)
		if !b.IsImmobile() {
			samples = append(samples, sample{b, rng.Float32()})
		}
	}
	before := newTrainedValueNetwork(rng)
	fitted := fitEvaluator(slices.Repeat(samples, 20), rng)
	if x, y := loss(before, samples), loss(fitted, samples); y > x-0.05 {
		t.Errorf("the cross entropy is %.3f before and %.3f after the network was fitted", x, y)
	}
	var s survey
	e := evaluator{network: network.Decode("weights.bin", fitted.encode(), readValueNetwork)}
	for _, l := range samples {
		s.take(l.board)
		if x, y := fitted.predict(l.board), e.evaluate(&s); math.Abs(float64(x)-y) > 0.02 {
			t.Errorf("%s is worth %.3f, and %.3f once decoded", l.board, x, y)
		}
	}
}

// Turned and mirrored boards are worth as much as the board itself.
func TestEvaluatorIsSymmetric(t *testing.T) {
	var s survey
	e := evaluator{network: defaultValueNetwork()}
	evaluate := func(b ayu.Board) float64 {
		s.take(b)
		return e.evaluate(&s)
	}
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
		if x, y := evaluate(b), evaluate(c); math.Abs(x-y) > 0.1 {
			t.Errorf("%s is worth %.3f, and mirrored %.3f", b, x, y)
		}
	}
}

// TestSurveySpans compares the spans of a survey with those of the rules.
func TestSurveySpans(t *testing.T) {
	var s survey
	for seed := range uint64(40) {
		b := opening([]int{3, 5, 7, 11, 15}[seed%5], int(seed)*2, seed)
		s.take(b)
		if own, enemy := b.Span(b.Turn()), b.Span(b.Turn().Other()); s.sides[0].span != own || s.sides[1].span != enemy {
			t.Errorf("%s: spans of %d and %d, want %d and %d", b, s.sides[0].span, s.sides[1].span, own, enemy)
		}
	}
}

func BenchmarkEvaluator(b *testing.B) {
	var s survey
	e := evaluator{network: defaultValueNetwork()}
	board := opening(11, 30, 1)
	for b.Loop() {
		s.take(board)
		e.evaluate(&s)
	}
}
