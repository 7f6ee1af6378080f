package puzzles_test

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"ayumu/engine/enginetest"
	"ayumu/engine/puzzle"
	"ayumu/lobby/errcode"
	"ayumu/lobby/puzzles"
	"ayumu/lobby/puzzles/puzzlestest"
)

// TestEveryPuzzleHasItsDay: each puzzle of a game for most people, once in as many days, and no other.
func TestEveryPuzzleHasItsDay(t *testing.T) {
	c := puzzlestest.Collection(t)
	want := make(map[string]bool)
	for i := range c.All() {
		if p := &c.All()[i]; p.InitialRating() >= 900 && p.InitialRating() <= 1400 {
			want[p.ID] = true
		}
	}
	if len(want) == 0 || len(want) == c.Len() {
		t.Fatalf("%d of %d puzzles are for most people", len(want), c.Len())
	}
	for start := 20_000 / len(want) * len(want); start < 21_000; start += len(want) {
		seen := make(map[string]bool)
		for day := start; day < start+len(want); day++ {
			morning := time.Unix(int64(day)*24*60*60, 0)
			p, err := c.OfDay("ayu", morning)
			if err != nil {
				t.Fatal(err)
			}
			if evening, err := c.OfDay("", morning.Add(24*time.Hour-time.Second)); err != nil || evening != p {
				t.Fatalf("day %d has two puzzles: %v", day, err)
			}
			seen[p.ID] = true
		}
		if !maps.Equal(seen, want) {
			t.Fatalf("puzzles %v in %d days, not %v", seen, len(want), want)
		}
	}
	if _, err := c.OfDay("mu", time.Now()); err == nil {
		t.Error("a game without puzzles has one of the day")
	}
}

// TestOnePositionIsOnePuzzle: a server does not offer what it has found in the position of a puzzle that ships.
func TestOnePositionIsOnePuzzle(t *testing.T) {
	twin := puzzlestest.Puzzles(t)[0]
	twin.ID = "0000aaaa"
	c := puzzlestest.Collection(t)
	if with := c.With([]puzzle.Puzzle{twin}); with.Len() != c.Len() {
		t.Error("two puzzles have one position")
	}
}

func TestPuzzlesByID(t *testing.T) {
	c := puzzlestest.Collection(t)
	p, err := c.OfDay("", time.Unix(0, 0))
	if err != nil {
		t.Fatal(err)
	}
	if same, err := c.ByID(strings.ToUpper(p.ID)); err != nil || same != p {
		t.Errorf("%s by its ID: %v, %v", p.ID, same, err)
	}
	if _, err := c.ByID("none"); err == nil {
		t.Error("there is a puzzle none")
	}
}

// TestDamagedPuzzle: a reply that cannot be played is an internal error, and a wrong answer of the user none.
func TestDamagedPuzzle(t *testing.T) {
	all := slices.Clone(puzzlestest.Puzzles(t))
	at := slices.IndexFunc(all, func(p puzzle.Puzzle) bool { return len(p.Line) > 1 })
	if at < 0 {
		t.Fatal("no puzzle of the tests has a reply")
	}
	p := &all[at]
	p.Line = slices.Clone(p.Line)
	p.Line[0].Reply = []string{"nowhere"}
	c, err := puzzles.New(enginetest.Games, puzzlestest.Themes, all)
	if err != nil {
		t.Fatal(err)
	}
	if p, err = c.ByID(p.ID); err != nil {
		t.Fatal(err)
	}
	var public *errcode.Error
	if _, err := c.Answer(p, []string{"nowhere"}); !errors.As(err, &public) || public.Code != errcode.IllegalAction {
		t.Errorf("an answer that cannot be played: %v", err)
	}
	if _, err := c.Answer(p, p.Line[0].Actions); err == nil || errors.As(err, &public) {
		t.Errorf("a damaged puzzle: %v, want an internal error", err)
	}
}

func TestWithoutPuzzles(t *testing.T) {
	var c *puzzles.Collection
	if _, err := c.OfDay("", time.Now()); err == nil {
		t.Error("there is a puzzle of the day")
	}
	if _, err := c.ByID("x"); err == nil {
		t.Error("there is a puzzle x")
	}
}

func TestWrongCollectionsAreRefused(t *testing.T) {
	good := puzzlestest.Puzzles(t)[0]
	for what, change := range map[string]func(*puzzle.Puzzle){
		"theme":    func(p *puzzle.Puzzle) { p.Theme = "none" },
		"position": func(p *puzzle.Puzzle) { p.Position = strings.Replace(p.Position, "/", "", 1) },
		"turn":     func(p *puzzle.Puzzle) { p.Turn = 1 - p.Turn },
	} {
		p := good
		change(&p)
		if _, err := puzzles.New(enginetest.Games, puzzlestest.Themes, []puzzle.Puzzle{p}); err == nil {
			t.Errorf("accepted: %s", what)
		}
	}
	if _, err := puzzles.New(enginetest.Games, puzzlestest.Themes, []puzzle.Puzzle{good, good}); err == nil || !strings.Contains(err.Error(), "two puzzles") {
		t.Errorf("twice the same: %v", err)
	}
}
