package search

import (
	"bufio"
	"encoding/binary"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"ayumu/engine/mu"
)

// The networks of weights.bin are fitted with these benchmarks; docs/players.md has the commands. That of play is
// fitted in generations to what searches with the network before say of positions, and to how the games ended
// (Positions, Learn). The first generation plays with firstNetwork (-mu.first). That of the start of play is fitted
// to what searches see some rounds later (Starts, Learn with -mu.start).
var (
	flagPositions = flag.String("mu.positions", "", "files of positions with the shares of the seats, separated by commas")
	flagWeightOut = flag.String("mu.weights", "", "file to write the network to, in engine/mu/search")
	flagFirst     = flag.Bool("mu.first", false, "play with men, territory and safety only, not with the network")
	flagStart     = flag.Bool("mu.start", false, "fit the network for the start of play")
	flagLabour    = flag.Int("mu.labour", 40, "playouts of each search")
	flagRounds    = flag.Int("mu.rounds", 12, "passes over the positions")
	flagResult    = flag.Float64("mu.result", 0.4, "part of the result of the game in the target of its positions")
)

// firstNetwork is the network of the first generation.
func firstNetwork() *network {
	n := new(network)
	n.linear = featureValues{featureMen: 2, featureSafe: 2, featureUnsafe: 1.8, featureShared: 1.2, featureHanging: -2,
		featureDefended: -1, featureNearExplosion: 1.5, featureAtCapacity: 1.5, featureReach: 1, featureCapturable: 0.2}
	return n
}

// trainingOptions are the boards of training games, in turn.
var trainingOptions = []mu.Options{
	{Players: 2, Segments: 3}, {Players: 4, Segments: 3}, {Players: 2, Segments: 3}, {Players: 2, Segments: 5},
	{Players: 2, Segments: 3}, {Players: 3, Segments: 3}, {Players: 4, Segments: 3}, {Players: 3, Segments: 4},
}

// Limits of training games.
const (
	maxQuietRounds = 8     // of a training game; then it is scored
	decidedShare   = 0.995 // a share of a search that ends a game
	decidedTurns   = 4     // turns in a row with such a share
)

// BenchmarkPositions writes positions of one game of self-play for each iteration: those at the start of its turns,
// and some of the trees of its searches. Segments are placed and cleared at random. In half of the games one turn in
// six is random.
func BenchmarkPositions(b *testing.B) {
	f, err := os.Create(*flagPositions)
	if err != nil {
		b.Skip("-mu.positions names no file that can be written")
	}
	defer f.Close()
	if *flagFirst {
		networks[playNetwork] = *firstNetwork()
	}
	for g := uint64(0); b.Loop(); g++ {
		playTraining(f, trainingOptions[g%uint64(len(trainingOptions))], rand.New(rand.NewPCG(*flagSeed, g)), g%2 == 0)
	}
}

// playTraining plays a game and writes its positions, followed by an empty line.
func playTraining(f *os.File, o mu.Options, rng *rand.Rand, vary bool) {
	p := randomStart(o, rng)
	var t tree
	t.turns.timeUp = func() bool { return false }
	var own, others []string
	decided := 0
	for p.Phase() == mu.Play && p.QuietTurns() < maxQuietRounds*p.Seats() && decided < decidedTurns {
		root := t.search(p, *flagLabour)
		best := root.mostVisited()
		value := best.mean()
		decided++
		for _, share := range value[:p.Seats()] {
			if share > 1-decidedShare && share < decidedShare {
				decided = 0
			}
		}
		own = append(own, describe(p, value))
		others = append(others, describeTree(root, rng)...)
		if vary && rng.IntN(6) == 0 {
			best = root.children[rng.IntN(min(len(root.children), 12))]
		}
		p = best.turn.end
	}
	result := trainingResult(p)
	for _, line := range own {
		fmt.Fprintf(f, "%s%s\n", line, formatShares(result[:p.Seats()]))
	}
	for _, line := range others {
		fmt.Fprintf(f, "%s\n", line)
	}
	fmt.Fprintln(f)
}

// trainingResult returns the shares at the end of a game, which is scored if it is not over.
func trainingResult(p *mu.Position) (v shares) {
	if r, over := p.Result(); over {
		for _, seat := range r.Winners {
			v[seat] = 1 / float64(len(r.Winners))
		}
		return v
	}
	best, winners := -1, 0
	territory := p.Territory()
	for _, cells := range territory {
		switch {
		case cells > best:
			best, winners = cells, 1
		case cells == best:
			winners++
		}
	}
	for seat, cells := range territory {
		if cells == best {
			v[seat] = 1 / float64(winners)
		}
	}
	return v
}

// BenchmarkStarts writes a start of play for each iteration, with the shares that the search sees after startRounds
// rounds of play.
func BenchmarkStarts(b *testing.B) {
	const startRounds, startPlayouts, lastPlayouts = 5, 3, 10
	f, err := os.Create(*flagPositions)
	if err != nil {
		b.Skip("-mu.positions names no file that can be written")
	}
	defer f.Close()
	var t tree
	t.turns.timeUp = func() bool { return false }
	for g := uint64(0); b.Loop(); g++ {
		start := randomStart(trainingOptions[g%uint64(len(trainingOptions))], rand.New(rand.NewPCG(*flagSeed, g)))
		p := start
		for n := startRounds * p.Seats(); n > 0 && p.Phase() == mu.Play; n-- {
			p = t.search(p, startPlayouts).mostVisited().turn.end
		}
		v := t.turns.evaluator.evaluate(p)
		if p.Phase() == mu.Play {
			v = t.search(p, lastPlayouts).mean()
		}
		fmt.Fprintf(f, "%s\n\n", describe(start, v))
	}
}

// randomStart returns the start of play with random segments.
func randomStart(o mu.Options, rng *rand.Rand) *mu.Position {
	o.Min = o.Players
	p := mu.New(o)
	for p.Phase() < mu.Play {
		actions := p.AppendLegal(nil)
		p = play(p, actions[rng.IntN(len(actions))])
	}
	return p
}

// mostVisited returns the child with the most visits.
func (n *node) mostVisited() *node {
	best := n.children[0]
	for _, k := range n.children {
		if k.visits > best.visits {
			best = k
		}
	}
	return best
}

// describeTree returns six positions of a search tree: three with several visits and three with one.
func describeTree(root *node, rng *rand.Rand) []string {
	var few, many []*node
	var walk func(n *node)
	walk = func(n *node) {
		for _, k := range n.children {
			switch {
			case k.visits == 0 || k.turn.end.Phase() == mu.Over:
				continue
			case k.visits < 4:
				few = append(few, k)
			default:
				many = append(many, k)
			}
			walk(k)
		}
	}
	walk(root)
	var lines []string
	for _, nodes := range [][]*node{few, many} {
		rng.Shuffle(len(nodes), func(i, j int) { nodes[i], nodes[j] = nodes[j], nodes[i] })
		for _, n := range nodes[:min(3, len(nodes))] {
			lines = append(lines, describe(n.turn.end, n.mean()))
		}
	}
	return lines
}

// describe returns a position and the shares of its seats as text.
func describe(p *mu.Position, v shares) string {
	var centres []string
	for _, h := range p.Board().Centres() {
		centres = append(centres, h.String())
	}
	return fmt.Sprintf("%d %s %s%s", p.Seats(), strings.Join(centres, ";"), strings.ReplaceAll(p.String(), " ", "_"), formatShares(v[:p.Seats()]))
}

func formatShares(v []float64) string {
	var s strings.Builder
	for _, share := range v {
		fmt.Fprintf(&s, " %.4f", share)
	}
	return s.String()
}

// sample is a training position: the features of the seats with men and their shares.
type sample struct {
	seats  []featureValues
	shares []float32
}

// readSamples reads positions. The positions of an eighth of the games are returned as test set.
func readSamples(b *testing.B) (training, test []sample) {
	var e evaluator
	games := 0
	for name := range strings.SplitSeq(*flagPositions, ",") {
		f, err := os.Open(name)
		if err != nil {
			b.Skip("-mu.positions names no file")
		}
		in := bufio.NewScanner(f)
		in.Buffer(nil, 1<<20)
		for in.Scan() {
			fields := strings.Fields(in.Text())
			if len(fields) == 0 {
				games++
				continue
			}
			l := readSample(b, &e, fields)
			if games%8 == 0 {
				test = append(test, l)
			} else {
				training = append(training, l)
			}
		}
		f.Close()
	}
	return training, test
}

// readSample decodes a position.
func readSample(b *testing.B, e *evaluator, fields []string) sample {
	players, err := strconv.Atoi(fields[0])
	if err != nil || len(fields) < 3+players {
		b.Fatalf("malformed: %q", fields)
	}
	p, err := mu.ParsePosition(players, fields[1], strings.ReplaceAll(fields[2], "_", " "))
	if err != nil {
		b.Fatal(err)
	}
	var v shares
	for i, text := range fields[3:] {
		share, err := strconv.ParseFloat(text, 64)
		if err != nil {
			b.Fatal(err)
		}
		part := 1.0
		if len(fields) == 3+2*players {
			if part = *flagResult; i < players {
				part = 1 - *flagResult
			}
		}
		v[i%players] += part * share
	}
	e.load(p)
	if *flagStart {
		e.extractStart(p)
	} else {
		e.extract(p, p.Turn())
	}
	var l sample
	for seat := range players {
		if e.features[seat][featureMen] > 0 {
			l.seats = append(l.seats, e.features[seat])
			l.shares = append(l.shares, float32(v[seat]))
		}
	}
	return l
}

// BenchmarkLearn fits the network with Adam to the shares by cross entropy.
func BenchmarkLearn(b *testing.B) {
	training, test := readSamples(b)
	for b.Loop() {
		scale := normalise(training)
		normaliseBy(test, scale)
		rng := rand.New(rand.NewPCG(*flagSeed, 1))
		t := newTrainer(rng)
		for round := range *flagRounds {
			rng.Shuffle(len(training), func(i, j int) { training[i], training[j] = training[j], training[i] })
			rate := 2e-3 * math.Pow(0.02, float64(round)/float64(*flagRounds))
			sum := 0.0
			for i := range training {
				sum += t.add(&training[i])
				if (i+1)%batchSize == 0 {
					t.step(rate)
				}
			}
			fmt.Printf("round %d: %.4f, test %.4f\n", round, sum/float64(len(training)), t.loss(test))
		}
		b.ReportMetric(t.loss(test), "loss")
		b.ReportMetric(float64(len(training)), "positions")
		if *flagWeightOut != "" {
			writeNetwork(b, t.net, scale)
		}
	}
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
		v[s] = float64(t.net.logOdds(&l.seats[s]))
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
			active := t.net.bias[h] + dot(&t.net.hidden[h], x)
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

// writeNetwork writes a network for features that are not divided by scale.
func writeNetwork(b *testing.B, n *network, scale featureValues) {
	for i := range featureCount {
		n.linear[i] /= scale[i]
		for h := range hiddenUnits {
			n.hidden[h][i] /= scale[i]
		}
	}
	all := *networks
	if all[playNetwork] = *n; *flagStart {
		all[playNetwork], all[startNetwork] = networks[playNetwork], *n
	}
	var data []byte
	for k := range all {
		for _, w := range all[k].parameters() {
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(*w))
		}
	}
	if err := os.WriteFile(*flagWeightOut, data, 0o644); err != nil {
		b.Fatal(err)
	}
}
