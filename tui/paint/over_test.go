package paint

import (
	"math/rand/v2"
	"testing"
)

// TestDrawOver draws at random over frames. The result is that of drawing everything anew, it shares the rows on which
// nothing was drawn, and the frame below is unchanged.
func TestDrawOver(t *testing.T) {
	for seed := range uint64(400) {
		rng := rand.New(rand.NewPCG(seed, 11))
		w, h := 1+rng.IntN(40), 1+rng.IntN(12)
		shared := []*Frame{Draw(nil, 1+rng.IntN(20), 1+rng.IntN(6), randomDrawing(rng, nil))}
		below := checkedDraw(t, nil, w, h, randomDrawing(rng, shared))
		for step := range uint64(6) {
			rows := 1 + rng.IntN(h)
			draw := func(c Canvas) {
				randomDrawing(rand.New(rand.NewPCG(seed, step)), shared)(c.Sub(0, 0, w, rows))
			}
			before, prev := below.String(), []*Frame{nil, below, shared[0]}[step%3]
			got := below.DrawOver(prev, draw)
			want := Draw(nil, w, h, func(c Canvas) {
				c.Blit(0, 0, below)
				if x, y, visible := below.Cursor(); visible {
					c.SetCursor(x, y)
				}
				draw(c)
			})
			if below.String() != before {
				t.Fatalf("seed %d, step %d: the frame below has changed", seed, step)
			}
			if !got.Equal(want) {
				t.Fatalf("seed %d, step %d:\n%s\n%s", seed, step, got, want)
			}
			for y := rows; y < h; y++ {
				if !got.lines[y].isSame(below.lines[y]) {
					t.Fatalf("seed %d, step %d: row %d is not shared", seed, step, y)
				}
			}
			below = got
		}
	}
}

func TestDrawOverNothing(t *testing.T) {
	f := Draw(nil, 9, 2, func(c Canvas) { c.Text(0, 1, Style{}, "the same") })
	if f.DrawOver(f, func(Canvas) {}) != f || f.DrawOver(f, func(c Canvas) { c.Text(4, 1, Style{}, "same") }) != f {
		t.Error("the same frame was made anew")
	}
}

// TestFrameKeepsItsDiffs shows frames on terminals in the same state: from the third on the bytes of the diff are those
// that the frame keeps. A terminal in another state gets its own.
func TestFrameKeepsItsDiffs(t *testing.T) {
	one := Draw(nil, 30, 4, func(c Canvas) { c.Text(2, 1, Style{}, "first") })
	two := one.DrawOver(nil, func(c Canvas) { c.Text(2, 1, Style{FG: Index(3)}, "second") })
	show := func(profile Profile, from *Frame) (kept bool) {
		p := painter{profile: profile, w: 30, h: 4, visible: true}
		term := newFakeTerminal(30, 4)
		term.erasesColor = profile.colorsErase()
		term.Write(p.clear(nil))
		for i, f := range []*Frame{from, two} {
			if i == 1 {
				kept = f.diffs.find(&p) != nil
			}
			b, _ := p.paint(nil, f)
			term.Write(b)
			if d := term.differs(f, profile); d != "" {
				t.Fatal(d)
			}
		}
		return kept
	}
	other := Draw(nil, 30, 4, func(c Canvas) { c.Text(0, 3, Style{}, "other") })
	for i, tt := range []struct {
		profile Profile
		from    *Frame
		want    bool
	}{
		{testProfiles[0], one, false}, {testProfiles[0], one, false}, {testProfiles[0], one, true},
		{testProfiles[3], one, false}, {testProfiles[3], one, true}, {testProfiles[0], other, false}, {testProfiles[0], other, true},
		{testProfiles[0], one, true},
	} {
		if got := show(tt.profile, tt.from); got != tt.want {
			t.Errorf("terminal %d: the diff was kept: %t", i, got)
		}
	}
	for range 3 * maxFrameDiffs {
		show(testProfiles[0], Draw(nil, 30, 4, func(c Canvas) { c.Text(0, 3, Style{}, "one of many") }))
	}
	if n := len(*two.diffs.diffs.Load()); n != maxFrameDiffs {
		t.Errorf("%d diffs are kept, want %d", n, maxFrameDiffs)
	}
}
