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

	"ayumu/engine/search"
	"ayumu/engine/search/network"
)

// TestTrain makes weights with a few games of the first two stages, goes on from the positions that are there, and stops
// when it is told.
func TestTrain(t *testing.T) {
	var log strings.Builder
	c := search.TrainConfig{Folder: t.TempDir(), Scale: 0.001, From: 1, To: 2, AtOnce: 2, Seed: 1, Log: &log}
	if err := (Engine{}).Train(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(c.Folder, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	network.Decode("weights.bin", []byte(read("weights.bin")), readValueNetwork)
	network.Decode("policy.bin", []byte(read("policy.bin")), readPolicyNetwork)
	if n := strings.Count(read("positions-2"), "won "); n != 4 || strings.Count(log.String(), "\n") != 4 {
		t.Errorf("%d games in the second stage, want 4; the log has\n%s", n, &log)
	}
	made := read("weights.bin")
	if err := os.Remove(filepath.Join(c.Folder, "weights.bin")); err != nil {
		t.Fatal(err)
	}
	if err := (Engine{}).Train(t.Context(), c); err != nil || read("weights.bin") != made {
		t.Errorf("the same positions give other weights: %v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	c.Folder = t.TempDir()
	if err := (Engine{}).Train(ended, c); !errors.Is(err, context.Canceled) {
		t.Errorf("an interrupted training ends with %v", err)
	}
	for _, wrong := range [][2]int{{0, 1}, {2, 1}, {1, len(stages) + 1}} {
		c.From, c.To = wrong[0], wrong[1]
		if err := (Engine{}).Train(t.Context(), c); err == nil {
			t.Errorf("no error for the stages %v", wrong)
		}
	}
}

// TestMakeBook makes a book with few playouts, and reads it.
func TestMakeBook(t *testing.T) {
	var log strings.Builder
	made, err := Engine{}.MakeBook(t.Context(), search.BookConfig{Playouts: 20, AtOnce: 2, Seed: 1, Log: &log})
	if err != nil {
		t.Fatal(err)
	}
	lines := 0
	for line := range strings.Lines(made) {
		lines++
		if _, _, err := parseBookLine(line); err != nil {
			t.Errorf("%s: %v", line, err)
		}
	}
	if lines < 50 || strings.Count(log.String(), "\n") != len(bookSizes)*bookPlies {
		t.Errorf("%d lines; the log has\n%s", lines, &log)
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

// TestValueNetworkIsEncoded compares a network that is fitted to random shares with what the player decodes of it.
func TestValueNetworkIsEncoded(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	var samples []sample
	for seed := range uint64(60) {
		b := opening([]int{5, 7, 9, 11, 13, 15}[seed%6], int(seed), seed)
		if !b.IsImmobile() {
			samples = append(samples, sample{b, rng.Float32()})
		}
	}
	before := newTrainedValueNetwork(rng)
	fitted := fitEvaluator(slices.Repeat(samples, 20), rng)
	if x, y := loss(before, samples), loss(fitted, samples); y > x-0.05 {
		t.Errorf("the cross entropy is %.3f before and %.3f after the network was fitted", x, y)
	}
	var s boardFeatures
	e := evaluator{network: network.Decode("weights.bin", fitted.encode(), readValueNetwork)}
	for _, l := range samples {
		s.compute(l.board)
		if x, y := fitted.predict(l.board), e.evaluate(&s); math.Abs(float64(x)-y) > 0.02 {
			t.Errorf("%s is worth %.3f, and %.3f once decoded", l.board, x, y)
		}
	}
}
