package search

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ayumu/engine/mu"
	"ayumu/engine/search/network"
)

// surveyedPositions calls f with surveys of positions of games of all numbers of players. In some of them a seat has left.
func surveyedPositions(t *testing.T, f func(s *survey, p *mu.Position)) {
	var s survey
	for players := 2; players <= 6; players++ {
		for seed := range uint64(24) {
			p := anyOfPlay(players, 1+int(seed)%4, int(seed)*3, seed)
			if p.Phase() != mu.Play {
				continue
			}
			if seed%4 == 3 && players > 2 {
				left, err := p.Leave(players - 1)
				if err != nil {
					t.Fatal(err)
				}
				if p = left.(*mu.Position); p.Phase() != mu.Play {
					continue
				}
			}
			s.load(p)
			s.take(p, p.Turn())
			f(&s, p)
		}
	}
}

// TestSurveyLanding compares the cells that the seats can reach with the moves of their pieces.
func TestSurveyLanding(t *testing.T) {
	walls := 0
	surveyedPositions(t, func(s *survey, p *mu.Position) {
		want := make([]cellSet, p.Seats())
		for _, c := range p.Cells() {
			if c.Terrain == mu.Wall {
				walls++
			}
			if c.Owner < 0 || p.HasLeft(c.Owner) {
				continue
			}
			for _, to := range p.Targets(c.At) {
				if to.Reason == "" {
					want[c.Owner].add(int16(p.Board().Index(to.At)))
				}
			}
		}
		for seat := range want {
			if got := s.landing[seat]; got != want[seat] {
				t.Errorf("%s\nseat %d reaches %x, want %x", p, seat, got, want[seat])
			}
		}
	})
	if walls == 0 {
		t.Error("no position has a Wall")
	}
}

// TestSurveyTerritory compares the territory of a survey with that of the rules.
func TestSurveyTerritory(t *testing.T) {
	surveyedPositions(t, func(s *survey, p *mu.Position) {
		for seat, cells := range p.Territory() {
			if p.HasLeft(seat) {
				continue
			}
			if got := s.counts[seat][countSafe] + s.counts[seat][countUnsafe]; int(got) != cells {
				t.Errorf("%s\nseat %d has %d cells of territory, want %d", p, seat, got, cells)
			}
			if got := s.counts[seat][countMen]; int(got) != p.Men()[seat] {
				t.Errorf("%s\nseat %d has %d men, want %d", p, seat, got, p.Men()[seat])
			}
		}
	})
}

// TestFeaturesAreInRange checks that no feature is outside of the network.
func TestFeaturesAreInRange(t *testing.T) {
	surveyedPositions(t, func(s *survey, p *mu.Position) {
		for seat := range p.Seats() {
			if len(s.features[seat]) > 0 && slices.Max(s.features[seat]) >= playFeatures {
				t.Errorf("%s\nseat %d has the feature %d of %d", p, seat, slices.Max(s.features[seat]), playFeatures)
			}
		}
	})
	var e startEvaluator
	for players := 2; players <= 6; players++ {
		for seed := range uint64(8) {
			p := randomStart(mu.Options{Players: players, Segments: 1 + int(seed)}, rand.New(rand.NewPCG(seed, 8)))
			kept := e.keptSegments(p)
			e.describe(p.Board(), &kept, players, func(seat int, features []uint16) {
				if most := slices.Max(features); most >= startFeatures {
					t.Errorf("%s\nseat %d has the feature %d of %d", p, seat, most, startFeatures)
				}
			})
		}
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
	surveyedPositions(t, func(_ *survey, p *mu.Position) {
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
