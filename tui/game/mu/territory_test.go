package mu

import (
	"strings"
	"testing"

	"ayumu/engine/mu"
	"ayumu/tui/paint"
)

// TestTerritory checks in the recorded games that the cells that a seat claims are its territory, that every cell
// that is not Wall is described in one row of the smallest window, and that the sign of the owner is drawn.
func TestTerritory(t *testing.T) {
	const row = 58
	for _, recorded := range readRecordedGames(t) {
		for n := len(recorded.Actions); n > 0; n -= 40 {
			s := newSession(t, recorded.after(t, n))
			p := s.view.shown()
			if !hasTerritory(p.Phase()) {
				continue
			}
			cursor, before := s.pointer.cursor, s.draw(300, 120, asciiLook).String()
			s.keys("s")
			g, want := newGeometry(p), p.Territory()
			claims := zoneClaims(p, g)
			got := make([]int, len(want))
			for i, c := range p.Cells() {
				claim := claims[i]
				if (claim == noClaim) != (c.Terrain == mu.Wall) {
					t.Fatalf("%s of terrain %d has the claim %d", c.At, c.Terrain, claim)
				}
				if claim >= 0 {
					got[claim]++
				}
				s.pointer.moveTo(c.At)
				text := s.DescribeCursor()
				if paint.Width(text) > row || claim >= 0 && !strings.Contains(text, "territory of "+seatStyles[claim].name) ||
					claim == neutral && !strings.Contains(text, "neutral") {
					t.Fatalf("%q describes the claim %d", text, claim)
				}
			}
			for seat := range want {
				if got[seat] != want[seat] {
					t.Fatalf("%s claims %d cells, not %d", seatStyles[seat].name, got[seat], want[seat])
				}
			}
			s.pointer.moveTo(cursor)
			if s.keys("s"); s.draw(300, 120, asciiLook).String() != before {
				t.Fatal("the territory is not hidden again")
			}
		}
	}
}

// TestClaimsAreDrawn shows an empty cell of a seat and a neutral one.
func TestClaimsAreDrawn(t *testing.T) {
	s := newSession(t, readRecordedGames(t)[27].after(t, 850))
	s.keys("s")
	p := s.view.shown()
	claims := zoneClaims(p, newGeometry(p))
	for name, isLarge := range map[string]bool{"small": false, "large": true} {
		s.viewport.scale = map[bool]int{false: small, true: large}[isLarge]
		f := s.draw(140, 60, asciiLook)
		seen := map[int]int{}
		for i, c := range p.Cells() {
			if c.Men > 0 || c.Terrain == mu.Wall || c.At == s.pointer.cursor {
				continue
			}
			x, y := s.viewport.drawn.corner(c.At)
			if isLarge {
				y++
			}
			want := "/"
			if claims[i] >= 0 {
				want = mark(claims[i], true, asciiLook)
			}
			if got, _ := f.At(x+1, y); got != want {
				t.Errorf("%s: the claim %d of %s is drawn as %q, not %q", name, claims[i], c.At, got, want)
			}
			seen[min(claims[i], 0)]++
		}
		if seen[neutral] == 0 || seen[0] == 0 {
			t.Fatalf("%s: neutral and claimed cells: %v", name, seen)
		}
	}
}
