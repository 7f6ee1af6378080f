//go:build train

package search

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"ayumu/engine/search"
	"ayumu/engine/search/fit"
	"ayumu/engine/search/network"
)

// The training from nothing to the networks of the build.
const (
	allStages  = 36  // stages
	stageGames = 360 // games of a stage
)

// Parameters of the training.
const (
	trainingPlayouts = 16   // of each search
	keptStages       = 4    // stages whose positions are fitted to at a time
	keptSquares      = 0.8  // part of the sums of squares that a stage keeps
	valueRate        = 0.02 // of the steps
	lastPart         = 0.35 // part of the stages in which the rate falls
	lastRate         = 0.15 // part of the rate that the last stage has
	startInterval    = 4    // stages after each of which the network of the start is fitted
	startRate        = 0.02
	startRounds      = 3
)

// rateOf returns the part of the rate in a stage, from 0.
func rateOf(stage, all int) float32 {
	left := float32(all-1-stage) / (lastPart * float32(all))
	return min(1, lastRate+(1-lastRate)*left)
}

// Train implements search.Trainer: it makes value.bin and start.bin. Each stage plays games with the networks so far
// (selfplay.go) and makes a step for each position of the last stages (learn.go). The steps get smaller towards the last
// stage, so that fewer stages are a training of their own. It begins with the first one: what later ones go on from is in no
// file.
func (Engine) Train(ctx context.Context, c search.TrainConfig) error {
	all := allStages
	if c.To != 0 {
		all = c.To
	}
	if c.From != 1 || all < 1 {
		return errors.New("the first stage must be 1")
	}
	begin := time.Now()
	rng := rand.New(rand.NewPCG(c.Seed, 1))
	value := newTrainedNetwork(playFeatures, rng)
	value.setFormula()
	var w weights
	var last [][]sample
	var starts []sample
	for g := range all {
		data := value.encode()
		if err := c.WriteFile(fmt.Sprintf("value-%d.bin", g), data); err != nil {
			return err
		}
		w.value = network.Decode("value.bin", data, readNetwork(playFeatures))
		games, err := fit.InParallel(ctx, max(int(stageGames*c.Scale), 1), c.AtOnce, func(i int) trainingGame {
			return playTraining(c.Seed<<16+uint64(g), uint64(i), trainingPlayouts, w)
		})
		if err != nil {
			return err
		}
		var samples []sample
		for _, game := range games {
			samples = append(samples, game.samples...)
			if g > 1 {
				starts = append(starts, game.start)
			}
		}
		played := time.Since(begin)
		before := value.divergence(samples[len(samples)*9/10:])
		if last = append(last, samples); len(last) > keptStages {
			last = last[1:]
		}
		value.forget(keptSquares)
		fitOnce(value, last, rng, valueRate*rateOf(g, all))
		fmt.Fprintf(c.Log, "stage %d: %d positions, divergence %.4f before, %.4f after; played %v, fitted %v\n", g+1, len(samples), before,
			value.divergence(samples[len(samples)*9/10:]), played.Round(time.Second), time.Since(begin).Round(time.Second))
		if (g+1)%startInterval == 0 || g == all-1 {
			if w.start, err = fitStart(starts, &c); err != nil {
				return err
			}
		}
	}
	return c.WriteFile("value.bin", value.encode())
}

// fitOnce makes a step for each sample, in a random order.
func fitOnce(w *trainedNetwork, samples [][]sample, rng *rand.Rand, rate float32) {
	var all []*sample
	for _, some := range samples {
		for i := range some {
			all = append(all, &some[i])
		}
	}
	rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	for _, l := range all {
		w.fit(l, rate)
	}
}

// fitStart fits a network to the starts so far, of which it leaves out each tenth, and writes it.
func fitStart(starts []sample, c *search.TrainConfig) (*valueNetwork, error) {
	rng := rand.New(rand.NewPCG(c.Seed, 2))
	w := newTrainedNetwork(startFeatures, rng)
	training, test := make([]sample, 0, len(starts)), make([]sample, 0, len(starts)/10+1)
	for i := range starts {
		if i%10 == 0 {
			test = append(test, starts[i])
		} else {
			training = append(training, starts[i])
		}
	}
	rate := float32(startRate)
	for range startRounds {
		fitOnce(w, [][]sample{training}, rng, rate)
		rate *= 0.6
	}
	fmt.Fprintf(c.Log, "%d starts, divergence %.4f\n", len(training), w.divergence(test))
	data := w.encode()
	if err := c.WriteFile("start.bin", data); err != nil {
		return nil, err
	}
	return network.Decode("start.bin", data, readNetwork(startFeatures)), nil
}
