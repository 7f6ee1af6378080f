//go:build train

package search

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ayumu/engine/search"
	"ayumu/engine/search/fit"
	"ayumu/engine/search/network"
)

// stages has the number of games of each stage, from nothing to the weights of levels 4 and 5.
var stages = [...]int{2000, 4000, 8000, 16000, 32000, 44000}

// fullSimulations is the number of simulations of the longer searches in these games.
const fullSimulations = 400

// Train implements search.Trainer: it makes weights.bin and policy.bin. Each stage plays games with the weights so far
// (selfplay.go), writes what the searches said to the file positions-N, and fits new weights to it (learn.go,
// learn_evaluator.go, learn_policy.go). A file of positions that exists is read instead, so that a training that was
// interrupted goes on. With a later first stage it begins with the weights of the build.
func (Engine) Train(ctx context.Context, c search.TrainConfig) error {
	last := len(stages)
	if c.To != 0 {
		last = c.To
	}
	if c.From < 1 || c.From > last || last > len(stages) {
		return fmt.Errorf("the stages are 1 to %d", len(stages))
	}
	var w trainingWeights
	if c.From > 1 {
		w = trainingWeights{defaultValueNetwork(), defaultPolicyNetwork()}
	}
	begin := time.Now()
	var before stageSamples
	for i := c.From - 1; i < last; i++ {
		name := filepath.Join(c.Folder, fmt.Sprintf("positions-%d", i+1))
		if err := generate(ctx, name, i, w, &c); err != nil {
			return err
		}
		fmt.Fprintf(c.Log, "%s: %v\n", name, time.Since(begin).Round(time.Second))
		now, err := readStage(name)
		if err != nil {
			return err
		}
		var fitted *trainedValueNetwork
		var fittedPolicy *trainedPolicyNetwork
		fits := []func(){
			func() {
				fitted = fitEvaluator(slices.Concat(before.training, now.training), rand.New(rand.NewPCG(c.Seed, uint64(2*i))))
			},
			func() {
				fittedPolicy = fitPolicy(slices.Concat(before.moves, now.moves), rand.New(rand.NewPCG(c.Seed, uint64(2*i+1))))
			},
		}
		if _, err := fit.InParallel(ctx, len(fits), c.AtOnce, func(f int) struct{} { fits[f](); return struct{}{} }); err != nil {
			return err
		}
		before = now
		fmt.Fprintf(c.Log, "%d and %d positions; cross entropy of the evaluator %.4f, of the policy %.4f (of the searches %.4f); %v\n",
			len(now.training), len(now.moves), loss(fitted, now.test), policyLoss(fittedPolicy, now.testMoves),
			minPolicyLoss(now.testMoves), time.Since(begin).Round(time.Second))
		encoded, encodedPolicy := fitted.encode(), fittedPolicy.encode()
		if err := c.WriteFile("weights.bin", encoded); err != nil {
			return err
		}
		if err := c.WriteFile("policy.bin", encodedPolicy); err != nil {
			return err
		}
		w = trainingWeights{network.Decode("weights.bin", encoded, readValueNetwork), network.Decode("policy.bin", encodedPolicy, readPolicyNetwork)}
	}
	return nil
}

// stageSamples are the samples of the games of a stage.
type stageSamples struct {
	training, test   []sample
	moves, testMoves []policySample
}

func readStage(name string) (s stageSamples, err error) {
	if s.training, s.test, err = readSamples(name); err != nil {
		return s, err
	}
	s.moves, s.testMoves, err = policySamples(name)
	return s, err
}

// generate plays the games of a stage, from 0, and writes its file, if there is none.
func generate(ctx context.Context, name string, stage int, w trainingWeights, c *search.TrainConfig) error {
	if _, err := os.Stat(name); err == nil {
		return nil
	}
	played, err := fit.InParallel(ctx, max(int(float64(stages[stage])*c.Scale), 1), c.AtOnce, func(g int) string {
		return playTraining(c.Seed<<8+uint64(stage), uint64(g), fullSimulations, w)
	})
	if err != nil {
		return err
	}
	return c.WriteFile(filepath.Base(name), []byte(strings.Join(played, "")))
}
