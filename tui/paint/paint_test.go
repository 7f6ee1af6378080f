package paint

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"unicode/utf8"
)

var testProfiles = []Profile{
	{Term: "xterm-256color", Colors: TrueColor},
	{Term: "xterm-256color", Colors: Colors256},
	{Term: "screen", Colors: Colors16},
	{Term: "xterm", Colors: NoColor},
	{Term: "linux", Colors: Colors16, ASCII: true},
	{Term: "linux", Colors: Colors16, Console: true},
}

// samples has texts with all kinds of difficult characters.
var samples = []string{
	"hello", "a b  c   d", "──┼──", "●▲■╭▗", "世界", "a世b界c", "e\u0301a\u0302\u0323", "กำลัง",
	"\u1112\u1161\u11ab", "🙂🙃", "👩\u200d🚀", "🇩🇪", "\x1b[31mred\x07", "\u202eabc\u202c",
	"z\u200bw", "x\u0300\u0301\u0302\u0303", "\u0300", "tab\there\n", "\xff\xfe", "☎️", "   ", "שלום", "x",
}

var testColors = []Color{Default, Default, Default, Index(1), Index(9), Index(17), Index(208), Index(244),
	RGB(1, 2, 3), RGB(255, 0, 0), RGB(210, 170, 130), RGB(90, 200, 40)}

// randomDrawing returns a function that draws at random over a part or all of a canvas.
func randomDrawing(rng *rand.Rand, shared []*Frame) func(Canvas) {
	style := func() Style {
		s := Style{FG: testColors[rng.IntN(len(testColors))], BG: testColors[rng.IntN(len(testColors))]}
		if rng.IntN(3) == 0 {
			s.Attr = Attr(rng.IntN(16))
		}
		return s
	}
	return func(c Canvas) {
		w, h := c.Size()
		x := func() int { return rng.IntN(w+6) - 3 }
		y := func() int { return rng.IntN(h+2) - 1 }
		for range rng.IntN(12) {
			switch rng.IntN(8) {
			case 0:
				c.Fill(x(), y(), rng.IntN(w), rng.IntN(3), style(), ' ')
			case 1:
				c.Sub(x(), y(), rng.IntN(w), rng.IntN(h)).Box(style())
			case 2:
				c.Restyle(x(), y(), rng.IntN(5), 1, func(s Style) Style { return s.With(Reverse) })
			case 3:
				c.SetCursor(x(), y())
			case 4, 5:
				if len(shared) > 0 {
					c.Blit(x(), y(), shared[rng.IntN(len(shared))])
				}
			default:
				c.Text(x(), y(), style(), samples[rng.IntN(len(samples))])
			}
		}
	}
}

// scrolledDrawing returns a function that calls change and then draws some rows of old further up or down.
func scrolledDrawing(rng *rand.Rand, old *Frame, change func(Canvas)) func(Canvas) {
	return func(c Canvas) {
		change(c)
		w, h := c.Size()
		y, by := rng.IntN(h), rng.IntN(7)-3
		c.Sub(0, y, w, rng.IntN(h)+1).Blit(0, -y-by, old)
	}
}

// checkedDraw draws a frame. It checks that the frame has all that was drawn, and that earlier frames are
// unchanged.
func checkedDraw(t *testing.T, prev *Frame, w, h int, draw func(Canvas)) *Frame {
	t.Helper()
	var before string
	if prev != nil {
		before = prev.String()
	}
	var cells []cell
	f := Draw(prev, w, h, func(c Canvas) {
		if slices.ContainsFunc(c.g.cells[:cap(c.g.cells)], func(one cell) bool { return one != cell{} }) {
			t.Fatal("the drawing before has left something")
		}
		draw(c)
		cells = slices.Clone(c.g.cells)
	})
	row := make([]cell, w)
	for y := range h {
		f.lines[y].copyTo(row)
		for x, c := range row {
			if want := cells[y*w+x]; c != want {
				t.Fatalf("column %d of row %d was frozen as %v, not %v", x, y, c, want)
			}
		}
	}
	if prev != nil && prev.String() != before {
		t.Fatal("drawing changed the frame before")
	}
	return f
}

func TestRandomFrames(t *testing.T) {
	for seed := range uint64(300) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { testRandomFrames(t, seed) })
	}
}

func testRandomFrames(t *testing.T, seed uint64) {
	rng := rand.New(rand.NewPCG(seed, 7))
	profile := testProfiles[int(seed)%len(testProfiles)]
	w, h := 1+rng.IntN(40), 1+rng.IntN(12)
	term := newFakeTerminal(w, h)
	term.erasesColor = profile.colorsErase()
	p := painter{profile: profile, w: w, h: h, visible: true}
	term.Write(p.clear(nil))
	var shared []*Frame
	for range 3 {
		shared = append(shared, checkedDraw(t, nil, 1+rng.IntN(20), 1+rng.IntN(6), randomDrawing(rng, shared)))
	}
	var f *Frame
	for step := range 30 {
		if rng.IntN(12) == 0 {
			w, h = 1+rng.IntN(40), 1+rng.IntN(12)
			term.resize(w, h)
			p.w, p.h = w, h
			term.Write(p.clear(nil))
		}
		draw := randomDrawing(rng, shared)
		if old := f; old != nil && rng.IntN(3) > 0 { // most frames are like the one before
			change := draw
			draw = func(c Canvas) { c.Blit(0, 0, old); change(c) }
			if rng.IntN(3) == 0 {
				draw = scrolledDrawing(rng, old, draw)
			}
		}
		f = checkedDraw(t, f, max(w+rng.IntN(3)-1, 1), max(h+rng.IntN(3)-1, 1), draw)
		out, cuts := p.paint(nil, f)
		start := 0
		for _, cut := range append(cuts, len(out)) {
			term.Write(out[start:cut])
			start = cut
		}
		if d := term.differs(f, profile); d != "" {
			t.Fatalf("step %d: %s\n%q\n%s", step, d, out, f)
		}
		if len(term.faults) > 0 {
			t.Fatalf("step %d: %s\n%q", step, term.faults[0], out)
		}
		if again, _ := p.paint(nil, checkedDraw(t, nil, f.w, f.h, func(c Canvas) {
			c.Blit(0, 0, f)
			if x, y, visible := f.Cursor(); visible {
				c.SetCursor(x, y)
			}
		})); len(again) > 0 {
			t.Fatalf("step %d: the same frame was drawn again: %q", step, again)
		}
	}
}

// TestTerminalsDisagreeAboutWidths draws wide characters on a terminal that shows them in one column: they are
// wrong there, but everything beside them is right.
func TestTerminalsDisagreeAboutWidths(t *testing.T) {
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 17))
		p := painter{profile: testProfiles[0], w: 40, h: 6}
		term := newFakeTerminal(p.w, p.h)
		term.narrowWide = true
		term.Write(p.clear(nil))
		var f *Frame
		for step := range 20 {
			f = Draw(f, p.w, p.h, randomDrawing(rng, nil))
			out, _ := p.paint(nil, f)
			term.Write(out)
			for i, got := range term.cells {
				want := wantCell(f, p.profile, i%p.w, i/p.w, p.w)
				r, _ := utf8.DecodeRuneInString(want.text)
				next, _ := f.At(i%p.w+1, i/p.w)
				if want.text == "" || next == "" || !glyph(r).hasCertainWidth() {
					continue
				}
				if got.text != want.text {
					t.Fatalf("seed %d, step %d: column %d of row %d shows %q, not %q",
						seed, step, i%p.w, i/p.w, got.text, want.text)
				}
			}
		}
	}
}
