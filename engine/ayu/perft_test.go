package ayu

import (
	"encoding/json"
	"os"
	"strconv"
	"testing"
)

func perftCounts(tb testing.TB) map[string][]uint64 {
	tb.Helper()
	raw, err := os.ReadFile("testdata/ayu-perft.json")
	if err != nil {
		tb.Fatal(err)
	}
	var counts map[string][]uint64
	if err := json.Unmarshal(raw, &counts); err != nil {
		tb.Fatal(err)
	}
	return counts
}

func TestPerft(t *testing.T) {
	for size, counts := range perftCounts(t) {
		n, err := strconv.Atoi(size)
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range counts {
			if got := NewBoard(n).Perft(i + 1); got != want {
				t.Errorf("%d×%d: perft %d is %d, want %d", n, n, i+1, got, want)
			}
		}
	}
}

func BenchmarkPerft11(b *testing.B) {
	const depth, positions, leaves = 4, 855_470, 74_520_824
	start := NewBoard(11)
	for b.Loop() {
		if got := start.Perft(depth); got != leaves {
			b.Fatalf("perft %d is %d, want %d", depth, got, leaves)
		}
	}
	b.ReportMetric(float64(positions)*float64(b.N)/b.Elapsed().Seconds(), "positions/s")
}
