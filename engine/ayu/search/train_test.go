package search

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"ayumu/engine/search/network"
	"ayumu/engine/search/searchtest"
)

// BenchmarkTrain makes weights.bin and policy.bin from nothing; docs/engines.md has the command. Each stage plays games
// with the weights so far (selfplay_test.go), writes what the searches said to a file, and fits new weights to it
// (learn_test.go, learn_evaluator_test.go, learn_policy_test.go). A file that exists is read instead, so that a run that was interrupted goes
// on. Everything but the time follows from the seed.
var (
	flagFolder  = flag.String("ayu.folder", "", "folder for the positions of each stage and for the weights")
	flagScale   = flag.Float64("ayu.scale", 1, "part of the games of each stage that are played")
	flagFrom    = flag.Int("ayu.from", 1, "number of the first stage; a later one begins with the weights of the build")
	flagWorkers = flag.Int("ayu.workers", 1, "games that are played at the same time")
)

// stages has the number of games of each step from nothing to the weights of levels 4 and 5.
var stages = [...]int{2000, 4000, 8000, 16000, 32000, 44000}

// fullSimulations is the number of simulations of the longer searches in these games.
const fullSimulations = 400

func BenchmarkTrain(b *testing.B) {
	if *flagFolder == "" {
		b.Skip("-ayu.folder names no folder")
	}
	for b.Loop() {
		var w trainingWeights
		if *flagFrom > 1 {
			w = trainingWeights{defaultValueNetwork(), defaultPolicyNetwork()}
		}
		begin := time.Now()
		var before stageSamples
		for i := *flagFrom - 1; i < len(stages); i++ {
			name := filepath.Join(*flagFolder, fmt.Sprintf("positions-%d", i+1))
			if err := generate(name, stages[i], *flagSeed<<8+uint64(i), w); err != nil {
				b.Fatal(err)
			}
			fmt.Printf("%s: %v\n", name, time.Since(begin).Round(time.Second))
			now := readStage(b, name)
			var fitted *trainedValueNetwork
			var fittedPolicy *trainedPolicyNetwork
			var fits sync.WaitGroup
			fits.Go(func() {
				fitted = fitEvaluator(slices.Concat(before.training, now.training), rand.New(rand.NewPCG(*flagSeed, uint64(2*i))))
			})
			fits.Go(func() {
				fittedPolicy = fitPolicy(slices.Concat(before.moves, now.moves), rand.New(rand.NewPCG(*flagSeed, uint64(2*i+1))))
			})
			fits.Wait()
			before = now
			fmt.Printf("%d and %d positions; cross entropy of the evaluator %.4f, of the policy %.4f (of the searches %.4f); %v\n",
				len(now.training), len(now.moves), loss(fitted, now.test), policyLoss(fittedPolicy, now.testMoves),
				minPolicyLoss(now.testMoves), time.Since(begin).Round(time.Second))
			encoded, encodedPolicy := fitted.encode(), fittedPolicy.encode()
			writeFile(b, "weights.bin", encoded)
			writeFile(b, "policy.bin", encodedPolicy)
			w = trainingWeights{network.Decode("weights.bin", encoded, readValueNetwork), network.Decode("policy.bin", encodedPolicy, readPolicyNetwork)}
		}
	}
}

// stageSamples are the samples of the games of a stage.
type stageSamples struct {
	training, test   []sample
	moves, testMoves []policySample
}

func readStage(b *testing.B, name string) (s stageSamples) {
	s.training, s.test = readSamples(b, name)
	s.moves, s.testMoves = policySamples(b, name)
	return s
}

// generate plays the games of a stage and writes its file, if there is none.
func generate(name string, games int, seed uint64, w trainingWeights) error {
	if _, err := os.Stat(name); err == nil {
		return nil
	}
	played := searchtest.InParallel(int(float64(games)**flagScale), *flagWorkers, func(g int) string {
		return playTraining(seed, uint64(g), fullSimulations, w)
	})
	unfinished := name + ".part"
	if err := os.WriteFile(unfinished, []byte(strings.Join(played, "")), 0o644); err != nil {
		return err
	}
	return os.Rename(unfinished, name)
}

// writeFile writes a file of the folder.
func writeFile(b *testing.B, name string, data []byte) {
	if err := os.WriteFile(filepath.Join(*flagFolder, name), data, 0o644); err != nil {
		b.Fatal(err)
	}
}

// TestTrainingGames checks that a training game can be repeated, and that its lines can be read.
func TestTrainingGames(t *testing.T) {
	for _, w := range []trainingWeights{{}, {defaultValueNetwork(), defaultPolicyNetwork()}} {
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
