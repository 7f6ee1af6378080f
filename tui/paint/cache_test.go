package paint

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// TestRowsOfSessionsAreShared draws the same rows in two sessions: they share their lines.
func TestRowsOfSessionsAreShared(t *testing.T) {
	draw := func(own string) *Frame {
		return Draw(nil, 40, 3, func(c Canvas) {
			c.Text(0, 0, Style{FG: Index(3)}, own)
			c.Text(0, 1, Style{FG: Index(3)}, "what everybody is shown")
			c.Fill(3, 2, 20, 1, Style{BG: Index(4)}, ' ')
		})
	}
	one, two := draw("ana"), draw("bob")
	for y, want := range []bool{false, true, true} {
		if got := one.lines[y].isSame(two.lines[y]); got != want {
			t.Errorf("row %d is shared: %t", y, got)
		}
	}
	if one.String() != "ana\nwhat everybody is shown\n\n" || two.String() != "bob\nwhat everybody is shown\n\n" {
		t.Errorf("they show %q and %q", one, two)
	}
}

// TestRowsWithTheSamePlaceAreNotMixedUp draws more rows than the line cache has entries.
func TestRowsWithTheSamePlaceAreNotMixedUp(t *testing.T) {
	for i := range 3 * lineCacheSize {
		s := Style{FG: Index(uint8(i)), BG: Index(uint8(i >> 8))}
		f := Draw(nil, 8, 1, func(c Canvas) { c.Text(i%4, 0, s, "x") })
		if text, style := f.At(i%4, 0); text != "x" || style != s {
			t.Fatalf("row %d shows %q in %v", i, text, style)
		}
	}
}

// TestChangesOfManyAreMadeOnce shows the same frames, each drawn separately, on terminals that begin with the
// same screen; some have another state or a row of their own. Nearly all diffs after the second come from
// the cache, and every terminal shows its frame.
func TestChangesOfManyAreMadeOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("slow; left out with -short")
	}
	const w, h, terminals, steps = 40, 12, 12, 12
	looked, found := 0, 0
	for seed := range uint64(20) {
		var painters [terminals]painter
		var terms [terminals]*fakeTerminal
		for i := range painters {
			painters[i] = painter{profile: testProfiles[0], w: w, h: h, visible: true}
			if i%4 == 3 {
				painters[i].profile = testProfiles[1]
			}
			terms[i] = newFakeTerminal(w, h)
			terms[i].erasesColor = true
			terms[i].Write(painters[i].clear(nil))
		}
		for step := range steps {
			alike := 0
			for i := range painters {
				p := &painters[i]
				f := Draw(p.frame, w, h, func(c Canvas) {
					if p.frame != nil {
						c.Blit(0, 0, p.frame)
					}
					randomDrawing(rand.New(rand.NewPCG(seed, uint64(step))), nil)(c)
					c.Text(0, 1, Style{FG: Index(9)}, fmt.Sprintf("turn %d of game %d", step, seed))
					if i%3 == 2 {
						c.Text(0, 2, Style{}, fmt.Sprint("terminal ", i))
					}
				})
				if i%3 != 2 && i%4 != 3 {
					if alike++; alike > 2 {
						buf := new(scratch)
						if diff := buf.newDiff(p, f); diff.cached() != nil {
							found++
						}
						looked++
					}
				}
				out, _ := p.paint(nil, f)
				terms[i].Write(out)
				if d := terms[i].differs(f, p.profile); d != "" || len(terms[i].faults) > 0 {
					t.Fatalf("seed %d, step %d, terminal %d: %s %q\n%q", seed, step, i, d, terms[i].faults, out)
				}
			}
		}
	}
	// Now and then the place has gone to another change.
	if looked == 0 || found < looked*9/10 {
		t.Errorf("%d of %d changes were found", found, looked)
	}
}

// TestRowsOfFirstFramesAreMadeOnce shows first frames on terminals of several kinds: one row differs, the others
// are random but equal for all. After the second, nearly all common rows come from the cache, and every
// terminal shows its frame.
func TestRowsOfFirstFramesAreMadeOnce(t *testing.T) {
	const w, h, visitors = 40, 12, 6
	looked, found := 0, 0
	for seed := range uint64(40) {
		for _, profile := range testProfiles {
			for i := range visitors {
				p := painter{profile: profile, w: w, h: h, visible: true}
				term := newFakeTerminal(w, h)
				term.erasesColor = profile.colorsErase()
				term.Write(p.clear(nil))
				f := Draw(nil, w, h, func(c Canvas) {
					randomDrawing(rand.New(rand.NewPCG(seed, 0)), nil)(c)
					c.Fill(0, 3, w, 1, Style{BG: Index(uint8(i % 2))}, ' ') // so that pens differ
					c.Text(i, 3, Style{FG: Index(9)}, fmt.Sprintf("visitor %d of %d", i, seed))
				})
				if i >= 4 {
					q := p
					for y := range 3 {
						if len(f.lines[y]) == 0 {
							continue
						}
						looked++
						at, hash := q.rowKey(change{y: y, now: f.lines[y]})
						if _, known := q.appendCachedRow(nil, at, hash); !known {
							break
						}
						found++
					}
				}
				out, _ := p.paint(nil, f)
				term.Write(out)
				if d := term.differs(f, profile); d != "" || len(term.faults) > 0 {
					t.Fatalf("seed %d, visitor %d, %+v: %s %q\n%q", seed, i, profile, d, term.faults, out)
				}
			}
		}
	}
	// Now and then the place has gone to another row.
	if looked == 0 || found < looked*9/10 {
		t.Errorf("%d of %d rows were found", found, looked)
	}
}
