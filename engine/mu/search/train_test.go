//go:build train

package search

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ayumu/engine/mu"
	"ayumu/engine/search"
	"ayumu/engine/search/network"
)

// TestTrain makes networks with a few games of two stages, and stops when it is told.
func TestTrain(t *testing.T) {
	var log strings.Builder
	c := search.TrainConfig{Folder: t.TempDir(), Scale: 0.01, From: 1, To: 3, AtOnce: 2, Seed: 1, Log: &log}
	if err := (Engine{}).Train(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	for name, features := range map[string]int{"value.bin": playFeatures, "start.bin": startFeatures} {
		data, err := os.ReadFile(filepath.Join(c.Folder, name))
		if err != nil {
			t.Fatal(err)
		}
		network.Decode(name, data, readNetwork(features))
	}
	if strings.Count(log.String(), "\n") != 4 {
		t.Errorf("the log has\n%s", &log)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := (Engine{}).Train(ended, c); !errors.Is(err, context.Canceled) {
		t.Errorf("an interrupted training ends with %v", err)
	}
	c.From = 2
	if err := (Engine{}).Train(t.Context(), c); err == nil {
		t.Error("a training begins with its second stage")
	}
}

// TestNetworkIsEncoded compares a network that is fitted to random shares with what the player decodes of it.
func TestNetworkIsEncoded(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	w := newTrainedNetwork(playFeatures, rng)
	w.setFormula()
	var e evaluator
	var positions []*mu.Position
	var samples []sample
	computedPositions(t, func(_ *boardFeatures, p *mu.Position) {
		var v shares
		v[rng.IntN(p.Seats())] = 1
		positions, samples = append(positions, p), append(samples, e.describePosition(p, v))
	})
	before := w.divergence(samples)
	for range 20 {
		fitOnce(w, [][]sample{samples}, rng, 0.02)
	}
	if after := w.divergence(samples); after > before-0.05 {
		t.Errorf("the divergence is %.3f before and %.3f after the network was fitted", before, after)
	}
	e.network = network.Decode("value.bin", w.encode(), readNetwork(playFeatures))
	for i, p := range positions {
		got, want := e.evaluate(p), w.predict(&samples[i])
		k := 0
		for seat := range p.Seats() {
			if p.HasLeft(seat) || p.Men()[seat] == 0 {
				continue
			}
			if math.Abs(got[seat]-float64(want[k])) > 0.02 {
				t.Errorf("%s\nthe share of seat %d is %.3f, and %.3f once decoded", p, seat, want[k], got[seat])
			}
			k++
		}
	}
}

// TestTrainingGames checks that a training game can be repeated.
func TestTrainingGames(t *testing.T) {
	for g := range uint64(3) {
		one, two := playTraining(1, g, 2, defaultWeights()), playTraining(1, g, 2, defaultWeights())
		if len(one.samples) < 10 || len(one.samples) != len(two.samples) {
			t.Fatalf("two games of the same seed have %d and %d samples", len(one.samples), len(two.samples))
		}
		for i := range one.samples {
			if !slices.EqualFunc(one.samples[i].seats, two.samples[i].seats, func(a, b seatSample) bool {
				return slices.Equal(a.features, b.features) && a.target == b.target
			}) {
				t.Errorf("sample %d of two games of the same seed differs", i)
			}
		}
	}
}
