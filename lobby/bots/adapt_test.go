package bots

import (
	"math"
	"testing"

	"ayumu/engine/search"
)

// TestStrengthFollowsResults: against players of any strength the adaptive bot comes to where they win about half of the
// games. Who wins is drawn from the difference between strengths, of which one level is 275 points.
func TestStrengthFollowsResults(t *testing.T) {
	for _, player := range []float64{0.5, 1, 2.5, 4, 4.4} {
		randN := search.RandN(uint64(player*10), 1)
		var won []bool
		later := 0
		const games, first = 400, 20
		for g := range games {
			bot := strengthAfter(won)
			if bot < MinLevel || bot > MaxLevel {
				t.Fatalf("the strength is %v", bot)
			}
			w := float64(randN(1000))/1000 < 1/(1+math.Pow(10, (bot-player)*275/400))
			if won = append(won, w); w && g >= first {
				later++
			}
		}
		if share := float64(later) / (games - first); share < 0.4 || share > 0.6 {
			t.Errorf("a player of strength %.1f wins %.0f%%", player, share*100)
		}
	}
	if strengthAfter(nil) != firstStrength || strengthAfter([]bool{true}) != firstStrength+firstStep || strengthAfter([]bool{false, false}) != MinLevel {
		t.Error("the first strengths are others")
	}
}
