//go:build train

package search

import (
	"math"
	"math/rand/v2"
	"slices"

	"ayumu/engine/mu"
	"ayumu/engine/search/fit"
	"ayumu/engine/search/network"
)

// sample is a position that a network is fitted to.
type sample struct {
	breakpoint int // and part: what bracket returns
	part       float32
	seats      []seatSample
}

// seatSample is a seat of a sample.
type seatSample struct {
	features []uint16 // each once
	repeats  []uint8  // how often it is present
	counts   [countAll]float32
	possible float32 // logarithm of the factor of the odds by the bounds of the territory
	target   float32 // share
}

// describePosition returns the sample of a position of play.
func (e *evaluator) describePosition(p *mu.Position, target shares) sample {
	e.load(p)
	e.compute(p, p.Turn())
	possible := e.possibleShares(p)
	var l sample
	l.breakpoint, l.part = bracket(e.virginPart())
	for seat := range e.seats {
		if e.counts[seat][countMen] == 0 || p.HasLeft(seat) {
			continue
		}
		s := newSeatSample(e.features[seat], target[seat])
		for i, n := range e.counts[seat] {
			s.counts[i] = float32(n) * e.cellShare
		}
		s.possible = float32(math.Log(max(minPossible, possible[seat])))
		l.seats = append(l.seats, s)
	}
	return l
}

// describeStart returns the sample of a start of play.
func (e *startEvaluator) describeStart(p *mu.Position, target shares) (l sample) {
	kept := e.keptSegments(p)
	e.describe(p.Board(), &kept, p.Seats(), func(seat int, features []uint16) {
		l.seats = append(l.seats, newSeatSample(features, target[seat]))
	})
	return l
}

// newSeatSample returns a sample of features, which it sorts.
func newSeatSample(features []uint16, target float64) (s seatSample) {
	slices.Sort(features)
	for i, f := range features {
		if i > 0 && f == features[i-1] {
			s.repeats[len(s.repeats)-1]++
		} else {
			s.features, s.repeats = append(s.features, f), append(s.repeats, 1)
		}
	}
	s.target = float32(target)
	return s
}

// trainedNetwork is a network while it is fitted.
type trainedNetwork struct {
	layer   *fit.Layer
	output  [len(breakpoints)][network.Neurons]fit.Parameter
	linear  [countAll]fit.Parameter
	neurons [maxSeats][network.Neurons]float32 // of the seats of the last sample, before they are bounded
	counts  []float32
}

// newTrainedNetwork returns a network with small random weights.
func newTrainedNetwork(features int, rng *rand.Rand) *trainedNetwork {
	w := &trainedNetwork{layer: fit.NewLayer(features, 0.01, 0.5, rng)}
	for i := range network.Neurons {
		x := float32(rng.NormFloat64()) * 0.15
		for k := range w.output {
			w.output[k][i].Weight = x
		}
	}
	return w
}

// setFormula sets the linear part to the formula by which the first games are played.
func (w *trainedNetwork) setFormula() {
	for f, x := range map[int]float32{countMen: 2, countSafe: 2, countUnsafe: 1.8, countShared: 1.2, countHanging: -2,
		countDefended: -1, countAtCapacity: 1.5, countReach: 1, countCapturable: 0.2} {
		w.linear[f].Weight = x
	}
}

// countsOf returns how often each feature is present.
func (w *trainedNetwork) countsOf(s *seatSample) []float32 {
	w.counts = w.counts[:0]
	for _, n := range s.repeats {
		w.counts = append(w.counts, float32(n))
	}
	return w.counts
}

// outputAt returns the weight of the output of a neuron.
func (w *trainedNetwork) outputAt(l *sample, neuron int) float32 {
	return w.output[l.breakpoint][neuron].Weight*(1-l.part) + w.output[l.breakpoint+1][neuron].Weight*l.part
}

// predict returns the shares of the seats of a sample.
func (w *trainedNetwork) predict(l *sample) (v [maxSeats]float32) {
	highest := float32(math.Inf(-1))
	for s := range l.seats {
		x := &l.seats[s]
		w.neurons[s] = w.layer.Add(x.features, w.countsOf(x))
		logit := x.possible
		for i, u := range w.neurons[s] {
			logit += min(max(u, 0), maxNeuron) * w.outputAt(l, i)
		}
		for i, c := range x.counts {
			logit += c * w.linear[i].Weight
		}
		v[s] = logit
		highest = max(highest, logit)
	}
	total := float32(0)
	for s := range l.seats {
		v[s] = float32(math.Exp(float64(v[s] - highest)))
		total += v[s]
	}
	for s := range l.seats {
		v[s] /= total
	}
	return v
}

// negligible is the largest error of a share for which no step is made, to save time.
const negligible = 1e-4

// fit makes a step for a sample.
func (w *trainedNetwork) fit(l *sample, rate float32) {
	v := w.predict(l)
	for s := range l.seats {
		x := &l.seats[s]
		wrong := v[s] - x.target
		if wrong < negligible && wrong > -negligible {
			continue
		}
		var gradients [network.Neurons]float32
		for i, u := range w.neurons[s] {
			if u <= 0 {
				continue
			}
			if u < maxNeuron {
				gradients[i] = wrong * w.outputAt(l, i)
			}
			u = min(u, maxNeuron)
			w.output[l.breakpoint][i].Step(wrong*u*(1-l.part), rate)
			w.output[l.breakpoint+1][i].Step(wrong*u*l.part, rate)
		}
		for i, c := range x.counts {
			if c != 0 {
				w.linear[i].Step(wrong*c, rate)
			}
		}
		w.layer.Step(x.features, w.countsOf(x), &gradients, rate)
	}
}

// forget keeps that part of the sums of squares of gradients, so that later samples count more.
func (w *trainedNetwork) forget(keep float32) {
	w.layer.Forget(keep)
	for k := range w.output {
		for i := range w.output[k] {
			w.output[k][i].Forget(keep)
		}
	}
	for i := range w.linear {
		w.linear[i].Forget(keep)
	}
}

// encode returns the network as network.Decode has it.
func (w *trainedNetwork) encode() []byte {
	data := w.layer.Encode(nil)
	for k := range w.output {
		data = fit.EncodeWeights(data, w.output[k][:])
	}
	return fit.Compress(fit.EncodeWeights(data, w.linear[:]))
}

// divergence returns the mean divergence of what the network predicts from the targets.
func (w *trainedNetwork) divergence(samples []sample) float64 {
	sum := 0.0
	for i := range samples {
		l := &samples[i]
		v := w.predict(l)
		for s := range l.seats {
			if share := float64(l.seats[s].target); share > 0 {
				sum += share * math.Log(share/max(float64(v[s]), 1e-4))
			}
		}
	}
	return sum / float64(len(samples))
}
