package ayu

import (
	"math/rand/v2"
	"testing"

	"ayumu/engine"
	"ayumu/engine/ayu"
	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/theme"
)

// TestStonesWalk lets the stones of random games walk: in a few steps, each another picture, the last of which is not the
// position after the move. Then the board shows that.
func TestStonesWalk(t *testing.T) {
	style := game.Style{Theme: theme.DefaultSet.For(paint.Colors256, false)}
	for seed := range uint64(6) {
		rng := rand.New(rand.NewPCG(seed, 7))
		var p engine.Position = ayu.Game{}.New(ayu.Options{Size: 11})
		for turn := range 60 {
			legal := p.Legal()
			if len(legal) == 0 {
				break
			}
			action := legal[rng.IntN(len(legal))]
			var err error
			if p, err = p.Play(action); err != nil {
				t.Fatal(err)
			}
			b := Game{}.New().(*Board)
			b.Show(game.State{Position: p, LastTurn: []string{action}, Seat: turn % 2, CanAct: turn%2 == 0})
			w, h := 48, 23
			arrived := paint.Draw(nil, w, h, func(c paint.Canvas) { b.Draw(c, style) })
			b.Walk()
			pictures := []*paint.Frame{arrived}
			for b.IsReplaying() {
				if b.Frame(w, h, style) != nil {
					t.Fatal("a step is shared")
				}
				now := paint.Draw(nil, w, h, func(c paint.Canvas) { b.Draw(c, style) })
				if now.Equal(pictures[len(pictures)-1]) || now.Equal(arrived) {
					t.Fatalf("seed %d, turn %d, %s: step %d is no other picture:\n%s", seed, turn, action, len(pictures), now)
				}
				pictures = append(pictures, now)
				b.Advance()
			}
			if n := len(pictures) - 1; n < 1 || n > game.MaxWalkSteps {
				t.Fatalf("%s has %d steps", action, n)
			}
			if now := paint.Draw(nil, w, h, func(c paint.Canvas) { b.Draw(c, style) }); !now.Equal(arrived) {
				t.Fatalf("after %s the board shows\n%s\nnot\n%s", action, now, arrived)
			}
		}
	}
}

// TestWaysAreOverEmptyPoints checks the ways of the moves of random games: each step is to a neighbour without a stone, unless
// no such way exists.
func TestWaysAreOverEmptyPoints(t *testing.T) {
	long, straight := 0, 0
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 8))
		var p engine.Position = ayu.Game{}.New(ayu.Options{Size: 9})
		for {
			legal := p.Legal()
			if len(legal) == 0 {
				break
			}
			m, err := ayu.ParseMove(legal[rng.IntN(len(legal))])
			if err != nil {
				t.Fatal(err)
			}
			before := p.(*ayu.Position).Board()
			if p, err = p.Play(m.String()); err != nil {
				t.Fatal(err)
			}
			way := findWay(p.(*ayu.Position).Board(), m)
			if way[0] != m.From || way[len(way)-1] != m.To {
				t.Fatalf("the way of %s is %v", m, way)
			}
			if len(way) == 2 && distance(m.From, m.To) > 1 {
				straight++
				continue
			}
			long = max(long, len(way))
			for i, point := range way[1:] {
				if distance(way[i], point) != 1 || !before.Empty().Has(point) {
					t.Fatalf("the way of %s is %v on\n%s", m, way, p)
				}
			}
		}
	}
	if long < 5 || straight == 0 {
		t.Errorf("the longest way has %d points, and %d are straight", long, straight)
	}
}

// TestWhatDoesNotWalk has a swap, no turn, and a step of one point in small cells; and another position ends a walk.
func TestWhatDoesNotWalk(t *testing.T) {
	style := game.Style{Theme: theme.DefaultSet.For(paint.Colors256, false)}
	first := ayu.Game{}.New(ayu.Options{Size: 11, Pie: true})
	moved, err := first.Play("b1-b2")
	if err != nil {
		t.Fatal(err)
	}
	swapped, err := moved.Play(swap)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		state game.State
		w, h  int
		walks bool
	}{
		"a move":         {game.State{Position: moved, LastTurn: []string{"b1-b2"}}, 48, 23, true},
		"a swap":         {game.State{Position: swapped, LastTurn: []string{swap}}, 48, 23, false},
		"no turn":        {game.State{Position: first}, 48, 23, false},
		"in small cells": {game.State{Position: moved, LastTurn: []string{"b1-b2"}}, 26, 12, false},
	} {
		b := Game{}.New().(*Board)
		b.Show(c.state)
		paint.Draw(nil, c.w, c.h, func(canvas paint.Canvas) { b.Draw(canvas, style) })
		if b.Walk(); b.IsReplaying() != c.walks {
			t.Errorf("%s: it walks: %v", name, b.IsReplaying())
		}
		b.Show(c.state)
		if b.IsReplaying() != c.walks {
			t.Errorf("%s: the same position has ended the walk", name)
		}
		if b.Show(game.State{Position: swapped, CanAct: true}); b.IsReplaying() {
			t.Errorf("%s: the walk goes on in another position", name)
		}
	}
}
