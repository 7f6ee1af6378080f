package search

import (
	"encoding/binary"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ayumu/engine/search/searchtest"
)

// BenchmarkTrain makes weights.bin and policy.bin from nothing; docs/engines.md has the command. Each stage plays games
// with the weights so far (selfplay_test.go), writes what the searches said to a file, and fits new weights to it
// (learn_test.go, learn_policy_test.go). A file that exists is read instead, so that a run that was interrupted goes
// on. Everything but the time follows from the seed.
var (
	flagFolder  = flag.String("ayu.folder", "", "folder for the positions of each stage and for the weights")
	flagScale   = flag.Float64("ayu.scale", 1, "part of the games of each stage that are played")
	flagFrom    = flag.Int("ayu.from", 1, "number of the first stage; a later one begins with the weights of the build")
	flagWorkers = flag.Int("ayu.workers", 1, "games that are played at the same time")
)

// stage is a step of the training.
type stage struct {
	games       int
	simulations int // of the longer searches
}

// stages are the steps from nothing to the weights of level 5.
var stages = [...]stage{{400, 400}, {1200, 600}, {5000, 800}}

func BenchmarkTrain(b *testing.B) {
	if *flagFolder == "" {
		b.Skip("-ayu.folder names no folder")
	}
	for b.Loop() {
		var w trainingWeights
		if *flagFrom > 1 {
			w = trainingWeights{weights, policyWeights}
		}
		begin := time.Now()
		for i := *flagFrom - 1; i < len(stages); i++ {
			name := filepath.Join(*flagFolder, fmt.Sprintf("positions-%d", i+1))
			if err := stages[i].generate(name, *flagSeed<<8+uint64(i), w); err != nil {
				b.Fatal(err)
			}
			fmt.Printf("%s: %v\n", name, time.Since(begin).Round(time.Second))
			rng := rand.New(rand.NewPCG(*flagSeed, uint64(i)))
			training, test := readSamples(b, name)
			w.evaluator = fitEvaluator(w.evaluator, training, rng)
			moves, testMoves := policySamples(b, name)
			w.policy = fitPolicy(moves, rng)
			fmt.Printf("%d and %d positions; cross entropy of the evaluator %.4f (of the searches %.4f), of the policy %.4f (%.4f)\n",
				len(training), len(moves), loss(w.evaluator, test), minLoss(test), policyLoss(w.policy, testMoves), minPolicyLoss(testMoves))
			var all, policyAll []float32
			for k := range w.evaluator {
				all = append(all, w.evaluator[k][:]...)
			}
			for f := range w.policy {
				policyAll = append(policyAll, w.policy[f][:]...)
			}
			writeWeights(b, "weights.bin", all)
			writeWeights(b, "policy.bin", policyAll)
		}
	}
}

// generate plays the games of the stage and writes its file.
func (s stage) generate(name string, seed uint64, w trainingWeights) error {
	if _, err := os.Stat(name); err == nil {
		return nil
	}
	games := searchtest.InParallel(int(float64(s.games)**flagScale), *flagWorkers, func(g int) string {
		return playTraining(seed, uint64(g), s.simulations, w)
	})
	unfinished := name + ".part"
	if err := os.WriteFile(unfinished, []byte(strings.Join(games, "")), 0o644); err != nil {
		return err
	}
	return os.Rename(unfinished, name)
}

// writeWeights writes weights to a file of the folder as decodeWeights reads them.
func writeWeights(b *testing.B, name string, weights []float32) {
	var out []byte
	for _, x := range weights {
		thousandths := math.Round(1000 * float64(min(max(x, -32), 32)))
		out = binary.LittleEndian.AppendUint16(out, uint16(int16(thousandths)))
	}
	if err := os.WriteFile(filepath.Join(*flagFolder, name), out, 0o644); err != nil {
		b.Fatal(err)
	}
}

// TestTrainingGames checks that a training game can be repeated, and that its lines can be read.
func TestTrainingGames(t *testing.T) {
	for _, w := range []trainingWeights{{}, {weights, policyWeights}} {
		game := playTraining(1, 3, 60, w)
		if again := playTraining(1, 3, 60, w); game != again {
			t.Errorf("two games of the same seed are\n%s\nand\n%s", game, again)
		}
		lines := strings.Split(strings.TrimSpace(game), "\n")
		for _, line := range lines[:len(lines)-1] {
			x, err := parsePosition(line)
			if err != nil {
				t.Errorf("%s: %v", line, err)
				continue
			}
			for _, m := range x.board.Moves(nil) {
				delete(x.visits, m)
			}
			if len(x.visits) > 0 {
				t.Errorf("%s: %v are no legal moves", line, x.visits)
			}
		}
		if last := lines[len(lines)-1]; len(lines) < 2 || !strings.HasPrefix(last, "won ") {
			t.Errorf("the game ends with %q after %d lines", last, len(lines))
		}
	}
}
