package search

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"

	"ayumu/engine/mu"
)

// resultPart is the part of the result of the game in the target of its positions.
const resultPart = 0.5

// sample is a training position: the features of the seats with men and their shares.
type sample struct {
	seats  []featureValues
	shares []float32
}

// readSamples reads the files of stages for a network. The positions of every seventh game are returned as test set.
func readSamples(kind int, stages []string) (training, test []sample, err error) {
	var e evaluator
	games := 0
	for _, stage := range stages {
		f, err := os.Open(pathOf(stage))
		if err != nil {
			return nil, nil, err
		}
		defer f.Close()
		in := bufio.NewScanner(f)
		in.Buffer(nil, 1<<20)
		for in.Scan() {
			fields := strings.Fields(in.Text())
			if len(fields) == 0 {
				games++
				continue
			}
			l, err := readSample(&e, kind, fields)
			if err != nil {
				return nil, nil, err
			}
			if games%7 == 0 {
				test = append(test, l)
			} else {
				training = append(training, l)
			}
		}
		if err := in.Err(); err != nil {
			return nil, nil, err
		}
	}
	return training, test, nil
}

// readSample decodes a position.
func readSample(e *evaluator, kind int, fields []string) (sample, error) {
	players, err := strconv.Atoi(fields[0])
	if err != nil || len(fields) < 3+players {
		return sample{}, fmt.Errorf("malformed: %q", fields)
	}
	p, err := mu.ParsePosition(players, fields[1], strings.ReplaceAll(fields[2], "_", " "))
	if err != nil {
		return sample{}, err
	}
	quiet := 0
	if text, ok := strings.CutPrefix(fields[3], "quiet="); ok {
		if quiet, err = strconv.Atoi(text); err != nil {
			return sample{}, err
		}
		fields = slices.Delete(fields, 3, 4)
	}
	var v shares
	for i, text := range fields[3:] {
		share, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return sample{}, err
		}
		part := 1.0
		if len(fields) == 3+2*players {
			if part = resultPart; i < players {
				part = 1 - resultPart
			}
		}
		v[i%players] += part * share
	}
	e.load(p)
	if kind == startNetwork {
		e.extractStart(p)
	} else {
		e.extract(p, p.Turn())
	}
	var l sample
	for seat := range players {
		if e.features[seat][featureMen] > 0 {
			e.features[seat][featureQuiet] = quietValue(quiet, players)
			l.seats = append(l.seats, e.features[seat])
			l.shares = append(l.shares, float32(v[seat]))
		}
	}
	return l, nil
}

// fit fits the network of the stage with Adam to the shares by cross entropy, and writes it.
func (s *stage) fit() error {
	training, test, err := readSamples(s.kind, s.use)
	if err != nil {
		return err
	}
	scale := normalise(training)
	normaliseBy(test, scale)
	rng := rand.New(rand.NewPCG(*flagSeed, 1))
	t := newTrainer(rng)
	for round := range s.rounds {
		rng.Shuffle(len(training), func(i, j int) { training[i], training[j] = training[j], training[i] })
		rate := 2e-3 * math.Pow(0.02, float64(round)/float64(s.rounds))
		sum := 0.0
		for i := range training {
			sum += t.add(&training[i])
			if (i+1)%batchSize == 0 {
				t.step(rate)
			}
		}
		if (round+1)%20 == 0 {
			fmt.Printf("round %d of %d: %.4f, test %.4f\n", round+1, s.rounds, sum/float64(len(training)), t.loss(test))
		}
	}
	fmt.Printf("%d positions\n", len(training))
	t.net.divide(&scale)
	networks[s.kind] = *t.net
	if *flagWeightOut == "" {
		return nil
	}
	return writeNetworks(*flagWeightOut)
}

const batchSize = 64

// normalise divides the features by their root mean squares, which it returns.
func normalise(samples []sample) (scale featureValues) {
	n := float32(0)
	for _, l := range samples {
		for _, x := range l.seats {
			n++
			for i, v := range x {
				scale[i] += v * v
			}
		}
	}
	for i := range scale {
		scale[i] = float32(math.Sqrt(float64(scale[i]/n))) + 1e-6
	}
	normaliseBy(samples, scale)
	return scale
}

func normaliseBy(samples []sample, scale featureValues) {
	for _, l := range samples {
		for s := range l.seats {
			for i := range scale {
				l.seats[s][i] /= scale[i]
			}
		}
	}
}

// trainer fits a network.
type trainer struct {
	net, slope    *network // the weights and the sum of their slopes in the batch
	weights       []*float32
	slopes        []*float32
	mean, squares []float64
	steps         float64
}

func newTrainer(rng *rand.Rand) *trainer {
	t := &trainer{net: new(network), slope: new(network)}
	for h := range hiddenUnits {
		for i := range featureCount {
			t.net.hidden[h][i] = float32(rng.NormFloat64() / math.Sqrt(featureCount))
		}
		t.net.output[h] = float32(rng.NormFloat64() / math.Sqrt(hiddenUnits))
	}
	t.weights, t.slopes = t.net.parameters(), t.slope.parameters()
	t.mean, t.squares = make([]float64, len(t.weights)), make([]float64, len(t.weights))
	return t
}

// predict returns the shares of the seats.
func (t *trainer) predict(l *sample) []float64 {
	v := make([]float64, len(l.seats))
	total, highest := 0.0, math.Inf(-1)
	for s := range l.seats {
		v[s] = float64(t.net.logOdds(&l.seats[s], featureCount))
		highest = max(highest, v[s])
	}
	for s := range v {
		v[s] = math.Exp(v[s] - highest)
		total += v[s]
	}
	for s := range v {
		v[s] /= total
	}
	return v
}

// entropy returns the cross entropy less that of the shares themselves, and loss its mean.
func entropy(v []float64, shares []float32) float64 {
	sum := 0.0
	for s, share := range shares {
		sum += float64(share) * math.Log(max(float64(share), 1e-6)/max(v[s], 1e-6))
	}
	return sum
}

func (t *trainer) loss(samples []sample) float64 {
	sum := 0.0
	for i := range samples {
		sum += entropy(t.predict(&samples[i]), samples[i].shares)
	}
	return sum / float64(len(samples))
}

// add adds the slopes of a sample and returns its entropy.
func (t *trainer) add(l *sample) float64 {
	v := t.predict(l)
	for s := range l.seats {
		x, wrong := &l.seats[s], float32(v[s])-l.shares[s]
		for i, value := range x {
			t.slope.linear[i] += wrong * value
		}
		for h := range hiddenUnits {
			active := t.net.bias[h] + dot(t.net.hidden[h][:], x[:])
			if active <= 0 {
				continue
			}
			t.slope.output[h] += wrong * active
			g := wrong * t.net.output[h]
			t.slope.bias[h] += g
			for i, value := range x {
				t.slope.hidden[h][i] += g * value
			}
		}
	}
	return entropy(v, l.shares)
}

// step changes the weights by the slopes of a batch (Adam with decay of the weights).
func (t *trainer) step(rate float64) {
	const keepMean, keepSquares, decay = 0.9, 0.999, 1e-4
	t.steps++
	for k, w := range t.weights {
		g := float64(*t.slopes[k])/batchSize + decay*float64(*w)
		*t.slopes[k] = 0
		t.mean[k] = keepMean*t.mean[k] + (1-keepMean)*g
		t.squares[k] = keepSquares*t.squares[k] + (1-keepSquares)*g*g
		mean, squares := t.mean[k]/(1-math.Pow(keepMean, t.steps)), t.squares[k]/(1-math.Pow(keepSquares, t.steps))
		*w -= float32(rate * mean / (math.Sqrt(squares) + 1e-8))
	}
}

// divide makes a network for features that are divided by scale one for features that are not.
func (n *network) divide(scale *featureValues) {
	for i := range featureCount {
		n.linear[i] /= scale[i]
		for h := range hiddenUnits {
			n.hidden[h][i] /= scale[i]
		}
	}
}

// writeNetworks writes the networks to a file.
func writeNetworks(name string) error {
	var data []byte
	for k := range networks {
		for _, w := range networks[k].parameters() {
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(*w))
		}
	}
	return os.WriteFile(name, data, 0o644)
}
