package search

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"ayumu/engine/search/network"
)

// BenchmarkTrain makes value.bin and start.bin from nothing; docs/engines.md has the command, its time and its figures. Each
// generation plays games with the networks so far (selfplay_test.go) and makes a step for each position of the last
// generations (learn_test.go). Everything but the time follows from the seed.
var (
	flagFolder      = flag.String("mu.folder", "", "folder for the networks")
	flagGenerations = flag.Int("mu.generations", 36, "number of generations")
	flagGames       = flag.Int("mu.games", 360, "games of a generation")
	flagWorkers     = flag.Int("mu.workers", 1, "games that are played at the same time")
)

// Parameters of the training.
const (
	trainingPlayouts = 16   // of each search
	keptGenerations  = 4    // generations whose positions are fitted to at a time
	keptSquares      = 0.8  // part of the sums of squares that a generation keeps
	valueRate        = 0.02 // of the steps
	lastPart         = 0.35 // part of the generations in which the rate falls
	lastRate         = 0.15 // part of the rate that the last generation has
	startInterval    = 4    // generations after each of which the network of the start is fitted
	startRate        = 0.02
	startRounds      = 3
)

// rateOf returns the part of the rate in a generation.
func rateOf(generation, all int) float32 {
	left := float32(all-1-generation) / (lastPart * float32(all))
	return min(1, lastRate+(1-lastRate)*left)
}

func BenchmarkTrain(b *testing.B) {
	if *flagFolder == "" {
		b.Skip("-mu.folder names no folder")
	}
	for b.Loop() {
		begin := time.Now()
		rng := rand.New(rand.NewPCG(*flagSeed, 1))
		value := newTrainedNetwork(playFeatures, rng)
		value.setFormula()
		var w weights
		var last [][]sample
		var starts []sample
		for g := range *flagGenerations {
			data := value.encode()
			writeFile(b, fmt.Sprintf("value-%d.bin", g), data)
			w.value = network.Decode("value.bin", data, readNetwork(playFeatures))
			var samples []sample
			for _, game := range playGeneration(*flagSeed<<16+uint64(g), w) {
				samples = append(samples, game.samples...)
				if g > 1 {
					starts = append(starts, game.start)
				}
			}
			played := time.Since(begin)
			before := value.divergence(samples[len(samples)*9/10:])
			if last = append(last, samples); len(last) > keptGenerations {
				last = last[1:]
			}
			value.forget(keptSquares)
			fitOnce(value, last, rng, valueRate*rateOf(g, *flagGenerations))
			fmt.Printf("generation %d: %d positions, divergence %.4f before, %.4f after; played %v, fitted %v\n", g, len(samples), before,
				value.divergence(samples[len(samples)*9/10:]), played.Round(time.Second), time.Since(begin).Round(time.Second))
			if (g+1)%startInterval == 0 || g == *flagGenerations-1 {
				w.start = fitStart(b, starts)
			}
		}
		writeFile(b, "value.bin", value.encode())
	}
}

// playGeneration plays the games of a generation.
func playGeneration(seed uint64, w weights) []trainingGame {
	games := make([]trainingGame, *flagGames)
	var next atomic.Int64
	var running sync.WaitGroup
	for range *flagWorkers {
		running.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(games)); i = next.Add(1) - 1 {
				games[i] = playTraining(seed, uint64(i), trainingPlayouts, w)
			}
		})
	}
	running.Wait()
	return games
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
func fitStart(b *testing.B, starts []sample) *valueNetwork {
	rng := rand.New(rand.NewPCG(*flagSeed, 2))
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
	fmt.Printf("%d starts, divergence %.4f\n", len(training), w.divergence(test))
	data := w.encode()
	writeFile(b, "start.bin", data)
	return network.Decode("start.bin", data, readNetwork(startFeatures))
}

// writeFile writes a file of the folder.
func writeFile(b *testing.B, name string, data []byte) {
	if err := os.WriteFile(filepath.Join(*flagFolder, name), data, 0o644); err != nil {
		b.Fatal(err)
	}
}
