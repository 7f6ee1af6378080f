package account

import (
	"testing"

	"ayumu/lobby"
)

func TestSparkline(t *testing.T) {
	var points []lobby.RatingPoint
	for i := range 16 {
		points = append(points, lobby.RatingPoint{Value: float64(i)})
	}
	for ascii, want := range map[bool]string{false: "▁▂▃▄▅▆▇█", true: "_.:-=+*#"} {
		if got := sparkline(points, 0, 15, 8, ascii); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if got := sparkline(points[:3], 0, 2, 40, true); got != "_=#" {
		t.Errorf("three points: %q", got)
	}
	if got := sparkline(points[:1], 0, 0, 40, true); got != "=" {
		t.Errorf("one point: %q", got)
	}
}
