package search

import (
	"math/rand/v2"
	"slices"
	"testing"

	"ayumu/engine/mu"
)

// computedPositions calls f with the features of positions of games of all numbers of players. In some of them a seat has left.
func computedPositions(t *testing.T, f func(s *boardFeatures, p *mu.Position)) {
	var s boardFeatures
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
			s.compute(p, p.Turn())
			f(&s, p)
		}
	}
}

// TestBoardFeaturesLanding compares the cells that the seats can reach with the moves of their pieces.
func TestBoardFeaturesLanding(t *testing.T) {
	walls := 0
	computedPositions(t, func(s *boardFeatures, p *mu.Position) {
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

// TestTerritoryOfFeatures compares the territory of the features with that of the rules.
func TestTerritoryOfFeatures(t *testing.T) {
	computedPositions(t, func(s *boardFeatures, p *mu.Position) {
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
	computedPositions(t, func(s *boardFeatures, p *mu.Position) {
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
