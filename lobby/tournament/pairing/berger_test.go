package pairing

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestBergerTables compares the tables for 4 to 10 players with those that FIDE publishes.
func TestBergerTables(t *testing.T) {
	golden, err := os.ReadFile("testdata/berger.golden")
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for n := 4; n <= 10; n += 2 {
		fmt.Fprintln(&all, n)
		for _, r := range RoundRobin(n, 1) {
			var line []string
			for _, p := range r.Pairs {
				line = append(line, fmt.Sprintf("%d-%d", p.First+1, p.Second+1))
			}
			fmt.Fprintln(&all, strings.Join(line, " "))
		}
	}
	if all.String() != string(golden) {
		t.Errorf("the tables are\n%s", all.String())
	}
}

// TestRoundRobinMeetsEachOther: in each leg everyone meets everyone once, plays or has the bye in each round, and moves
// first as often as second, or once more or less.
func TestRoundRobinMeetsEachOther(t *testing.T) {
	if len(RoundRobin(1, 2)) != 0 {
		t.Error("one player has rounds")
	}
	for n := 2; n <= 33; n++ {
		met := make(map[Pair]int)
		for number, r := range RoundRobin(n, 2) {
			seen := make([]int, n)
			if r.Bye >= 0 {
				seen[r.Bye]++
			}
			for _, p := range r.Pairs {
				met[p]++
				seen[p.First]++
				seen[p.Second]++
			}
			for i, times := range seen {
				if times != 1 {
					t.Fatalf("%d players: player %d is in round %d %d times", n, i, number+1, times)
				}
			}
		}
		for a := range n {
			for b := range n {
				if want := min(1, abs(a-b)); met[Pair{a, b}] != want {
					t.Fatalf("%d players: %d moves first against %d in %d games", n, a, b, met[Pair{a, b}])
				}
			}
		}
		first := make([]int, n)
		for _, r := range RoundRobin(n, 1) {
			for _, p := range r.Pairs {
				first[p.First]++
				first[p.Second]--
			}
		}
		for i, d := range first {
			if d < -1 || d > 1 {
				t.Errorf("%d players: player %d has moved first %d times more than second", n, i, d)
			}
		}
	}
}
