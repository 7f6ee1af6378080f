package search

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ayumu/engine/ayu"
)

// minVisits is the number of visits of the positions that the policy is fitted to, at least.
const minVisits = 300

// policySample is a position with the share of the visits of each move.
type policySample struct {
	traits  [][policyPerMove]uint16 // of each move
	targets []float32
	part    float32 // weight of the table of the beginning
}

// policySamples returns the training and test samples of a file of positions. The search visits each move a few
// times, so that a fiftieth of the visits of the position is taken off each.
func policySamples(b *testing.B, name string) (training, test []policySample) {
	var s evaluator
	var y policy
	forPositions(b, name, func(x position) {
		total := 0
		for _, n := range x.visits {
			total += n
		}
		if total < minVisits {
			return
		}
		s.extract(x.board)
		y.prepare(&s)
		sample, sum := policySample{part: s.policyStage()}, 0
		for _, m := range x.board.Moves(nil) {
			y.moveFeatures(&s, x.board.Size(), m, x.last)
			visits := max(x.visits[m]-total/50, 0)
			sum += visits
			sample.traits = append(sample.traits, y.traits)
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
	return training, test
}

// predict returns the probabilities of the moves. p is memory for them.
func (l *policySample) predict(w *policyTable, p []float32) []float32 {
	p = p[:0]
	for i := range l.traits {
		p = append(p, w.logit(&l.traits[i], l.part))
	}
	softmax(p)
	return p
}

// fitPolicy fits the weights of the policy by logistic regression with AdaGrad. It shuffles the samples.
func fitPolicy(training []policySample, rng *rand.Rand) *policyTable {
	const rounds, penalty = 6, 1e-4
	var p []float32
	w, slopes := new(policyTable), new(policyTable)
	rate := float32(0.06)
	for round := range rounds {
		if round > 1 {
			rate *= 0.6
		}
		rng.Shuffle(len(training), func(i, j int) { training[i], training[j] = training[j], training[i] })
		for i := range training {
			l := &training[i]
			p = l.predict(w, p)
			for move, traits := range l.traits {
				wrong := p[move] - l.targets[move]
				for _, f := range traits {
					for k, part := range [policyStages]float32{1 - l.part, l.part} {
						g := wrong*part + penalty*w[f][k]
						slopes[f][k] += g * g
						w[f][k] -= rate * g / float32(math.Sqrt(float64(slopes[f][k])+0.3))
					}
				}
			}
		}
	}
	return w
}

// policyLoss returns the mean cross entropy of the policy and the visits.
func policyLoss(w *policyTable, test []policySample) float64 {
	loss := 0.0
	var p []float32
	for i := range test {
		p = test[i].predict(w, p)
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

// TestPolicyIsSymmetric compares the probabilities of the moves of a board with those of the mirrored board.
func TestPolicyIsSymmetric(t *testing.T) {
	var s evaluator
	y := policy{weights: policyWeights}
	estimate := func(b ayu.Board) map[ayu.Move]float32 {
		s.extract(b)
		moves := b.Moves(nil)
		p := make(map[ayu.Move]float32)
		for i, x := range y.estimate(&s, b.Size(), moves, ayu.Move{}) {
			p[moves[i]] = x
		}
		return p
	}
	moved, boards := 0.0, 0.0 // the share of the probability that is on other moves on the mirrored board
	for seed := range uint64(12) {
		size := []int{5, 9, 11, 15}[seed%4]
		b := opening(size, int(seed)*3, seed)
		rows := strings.Split(strings.Fields(b.String())[2], "/")
		slices.Reverse(rows)
		c, err := ayu.ParseBoard(strings.Join(append(strings.Fields(b.String())[:2], strings.Join(rows, "/")), " "))
		if err != nil {
			t.Fatal(err)
		}
		flip := func(p ayu.Point) ayu.Point { return ayu.At(p.Column(), size-1-p.Row()) }
		sum, mirrored := float32(0), estimate(c)
		for m, p := range estimate(b) {
			sum += p
			moved += math.Abs(float64(p-mirrored[ayu.Move{From: flip(m.From), To: flip(m.To)}])) / 2
		}
		if len(mirrored) == 0 {
			continue
		}
		boards++
		if math.Abs(float64(sum)-1) > 1e-3 {
			t.Errorf("%s: the probabilities add up to %.3f", b, sum)
		}
	}
	// Where two gaps are as short, either may be taken for the one of the forest.
	if moved /= boards; moved > 0.25 {
		t.Errorf("%.2f of the probability is on other moves on the mirrored board", moved)
	}
	t.Logf("%.3f of the probability is on other moves on the mirrored board", moved)
}

// TestNeighbourhoods checks the number of classes.
func TestNeighbourhoods(t *testing.T) {
	most := uint16(0)
	for _, class := range neighbourhoodClasses() {
		most = max(most, class)
	}
	if most != neighbourhoods-1 {
		t.Errorf("%d classes, want %d", most+1, neighbourhoods)
	}
}

func BenchmarkPolicy(b *testing.B) {
	var s evaluator
	y := policy{weights: policyWeights}
	board := opening(11, 30, 1)
	moves := board.Moves(nil)
	for b.Loop() {
		s.extract(board)
		y.estimate(&s, board.Size(), moves, ayu.Move{})
	}
}
