package paint

import (
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"unicode/utf8"

	"github.com/hinshun/vt10x"
)

// vt10x is a terminal emulator that shares no code with this package. It shows every character in
// one column and does not know faint, so these drawings have neither wide characters, nor combining
// marks, nor faint; fakeTerminal tests those.

const (
	vtReverse = 1 << iota
	vtUnderline
	vtBold
)

func vtColor(c Color, byDefault vt10x.Color) vt10x.Color {
	if c == Default {
		return byDefault
	}
	return vt10x.Color(c & valueMask)
}

// vtGlyph returns how vt10x stores a cell: with bright colours for bold, and exchanged colours for reverse.
func vtGlyph(c shownCell) vt10x.Glyph {
	r, _ := utf8.DecodeRuneInString(c.text)
	g := vt10x.Glyph{Char: r, FG: vtColor(c.style.FG, vt10x.DefaultFG), BG: vtColor(c.style.BG, vt10x.DefaultBG)}
	fg := g.FG
	if c.style.Attr&Bold != 0 && fg < 8 {
		g.FG += 8
	}
	if c.style.Attr&Reverse != 0 {
		g.FG, g.BG = g.BG, fg
		g.Mode |= vtReverse
	}
	if c.style.Attr&Underline != 0 {
		g.Mode |= vtUnderline
	}
	if c.style.Attr&Bold != 0 {
		g.Mode |= vtBold
	}
	return g
}

// vtDraw draws at random, but only what vt10x can show.
func vtDraw(rng *rand.Rand) func(Canvas) {
	texts := []string{"hello", "a  b", "●▲2", "──┐", " ", "ß", "x y z", "\x1b[2J\r\n"}
	return func(c Canvas) {
		w, h := c.Size()
		for range rng.IntN(15) {
			s := Style{FG: testColors[rng.IntN(8)], BG: testColors[rng.IntN(8)], Attr: Attr(rng.IntN(16)) &^ Faint}
			if x, y := rng.IntN(w), rng.IntN(h); rng.IntN(3) == 0 {
				c.Fill(x, y, rng.IntN(w), rng.IntN(4), s, ' ')
			} else {
				c.Text(x, y, s, texts[rng.IntN(len(texts))])
			}
		}
		if rng.IntN(2) == 0 {
			c.SetCursor(rng.IntN(w), rng.IntN(h))
		}
	}
}

func TestEmulatorShowsEveryFrame(t *testing.T) {
	for seed := range uint64(60) {
		synctest.Test(t, func(t *testing.T) { testEmulatorShowsEveryFrame(t, seed) })
	}
}

func testEmulatorShowsEveryFrame(t *testing.T, seed uint64) {
	rng := rand.New(rand.NewPCG(seed, 13))
	w, h := 4+rng.IntN(40), 2+rng.IntN(12)
	term := vt10x.New(vt10x.WithSize(w, h))
	term.Write([]byte("$ ssh"))
	profile := Profile{Term: "xterm-256color", Colors: Colors(1 + rng.IntN(3)), Sync: seed%2 == 0}
	s := NewScreen(term, w, h, Options{Profile: profile, Modes: allModes, Title: "ayumu", QueryTerminal: true})
	var f *Frame
	for step := range 25 {
		if rng.IntN(8) == 0 {
			w, h = 4+rng.IntN(40), 2+rng.IntN(12)
			term.Resize(w, h)
			s.Resize(w, h)
		}
		draw := vtDraw(rng)
		if old := f; old != nil && rng.IntN(3) > 0 {
			change := draw
			draw = func(c Canvas) { c.Blit(0, 0, old); change(c) }
			if rng.IntN(3) == 0 {
				draw = scrolledDrawing(rng, old, draw)
			}
		}
		f = Draw(f, w, h, draw)
		s.Show(f)
		synctest.Wait()
		compareEmulator(t, seed, step, term, f, profile)
	}
	const modes = vt10x.ModeAltScreen | vt10x.ModeHide | vt10x.ModeMouseMask | vt10x.ModeMouseSgr | vt10x.ModeFocus
	if term.Mode()&(vt10x.ModeAltScreen|vt10x.ModeMouseButton|vt10x.ModeFocus) == 0 || term.Title() != "ayumu" {
		t.Fatalf("seed %d: mode %b, title %q", seed, term.Mode(), term.Title())
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if term.Mode()&modes != 0 || term.Mode()&vt10x.ModeWrap == 0 {
		t.Fatalf("seed %d: mode %b after Close", seed, term.Mode())
	}
}

func compareEmulator(t *testing.T, seed uint64, step int, term vt10x.Terminal, f *Frame, p Profile) {
	t.Helper()
	w, h := term.Size()
	for y := range h {
		for x := range w {
			got, want := term.Cell(x, y), vtGlyph(wantCell(f, p, x, y, w))
			if want.Char == ' ' && want.Mode&(vtReverse|vtUnderline) == 0 {
				got.FG, got.Mode, want.FG, want.Mode = 0, 0, 0, 0 // nothing of it shows
			}
			if got != want {
				t.Fatalf("seed %d, step %d: column %d of row %d is %+v, not %+v", seed, step, x, y, got, want)
			}
		}
	}
	x, y, visible := f.Cursor()
	if c := term.Cursor(); visible != term.CursorVisible() || visible && (c.X != x || c.Y != y) {
		t.Fatalf("seed %d, step %d: cursor at %d,%d (%t)", seed, step, c.X, c.Y, term.CursorVisible())
	}
}
