package mu

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// recordedGame is one random game of the test data, which other implementations of the rules have made.
// mu-games.jsonl.gz has games from the start, each cut off after 1,500 actions; mu-positions.jsonl.gz
// has short games from positions that were set up to reach rare cases.
type recordedGame struct {
	Players  int
	Segments int
	Start    *struct { // instead of Players and Segments where a position was set up
		Players  int
		Segments []string // the centres
		Position string   // the position line
	}
	Actions []string
	Legal   []int    // before each action, the number of legal ones; leave is not counted
	Digest  []string // of the position after each action
	Samples []struct {
		At       int // the number of actions before it
		Legal    []string
		Position string
	}
	Over    bool
	Scores  []int  // nil unless Over
	Winners []int  // nil unless Over
	Final   string // the last position line
}

func readRecordedGames(t testing.TB, name string) []recordedGame {
	f, err := os.Open("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var games []recordedGame
	for d := json.NewDecoder(z); ; {
		var g recordedGame
		if err := d.Decode(&g); errors.Is(err, io.EOF) {
			return games
		} else if err != nil {
			t.Fatal(err)
		}
		games = append(games, g)
	}
}

func (g *recordedGame) first(t testing.TB) *Position {
	if g.Start == nil {
		return New(Options{Players: g.Players, Segments: g.Segments, Min: g.Players})
	}
	p, err := ParsePosition(g.Start.Players, strings.Join(g.Start.Segments, ";"), g.Start.Position)
	if err != nil {
		t.Fatalf("start %s: %v", g.Start.Position, err)
	}
	return p
}

// act plays an action of the notation, a leaving included.
func act(p *Position, text string) (*Position, []Step, error) {
	if seat, ok := strings.CutPrefix(text, "leave "); ok {
		n, err := strconv.Atoi(seat)
		if err != nil {
			return nil, nil, err
		}
		return p.LeaveSteps(n)
	}
	a, err := ParseAction(text)
	if err != nil {
		return nil, nil, err
	}
	return p.PlaySteps(a)
}

// TestSharedGames compares every count, digest, list and score of the shared data.
func TestSharedGames(t *testing.T) {
	for name, want := range map[string]int{"mu-games.jsonl.gz": 36, "mu-positions.jsonl.gz": 400} {
		games := readRecordedGames(t, name)
		if len(games) != want {
			t.Fatalf("%s has %d games, want %d", name, len(games), want)
		}
		for k := range games {
			t.Run(name+"/"+strconv.Itoa(k), func(t *testing.T) { compareGame(t, &games[k]) })
		}
	}
}

func compareGame(t *testing.T, g *recordedGame) {
	p := g.first(t)
	samples := g.Samples
	for i, text := range g.Actions {
		legal := p.Legal()
		if len(legal) != g.Legal[i] {
			t.Fatalf("before action %d: %d legal actions, want %d\n%s", i, len(legal), g.Legal[i], p)
		}
		if len(samples) > 0 && samples[0].At == i {
			if s := samples[0]; p.String() != s.Position || !slices.Equal(legal, s.Legal) {
				t.Fatalf("before action %d:\n%s\n%s\nwant\n%s\n%s", i, p, legal, s.Position, s.Legal)
			}
			samples = samples[1:]
		}
		next, _, err := act(p, text)
		if err != nil {
			t.Fatalf("action %d: %v", i, err)
		}
		if next.Digest() != g.Digest[i] {
			t.Fatalf("after action %d, %s:\n%s\n%s", i, text, p, next)
		}
		p = next
	}
	if len(samples) > 0 && samples[0].At != len(g.Actions) {
		t.Fatalf("the sample before action %d was not reached", samples[0].At)
	}
	if p.String() != g.Final {
		t.Fatalf("final\n%s\nwant\n%s", p, g.Final)
	}
	r, over := p.Result()
	if over != g.Over || over && (!slices.Equal(r.Winners, g.Winners) || !slices.Equal(r.Scores, g.Scores)) {
		t.Fatalf("over %v, %+v; want %v, winners %v, scores %v", over, r, g.Over, g.Winners, g.Scores)
	}
}
