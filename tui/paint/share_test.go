package paint

import "testing"

// TestRowsOfSessionsAreShared has two sessions draw the same rows, each for itself.
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
		if got := one.lines[y].same(two.lines[y]); got != want {
			t.Errorf("row %d is shared: %t", y, got)
		}
	}
	if one.String() != "ana\nwhat everybody is shown\n\n" || two.String() != "bob\nwhat everybody is shown\n\n" {
		t.Errorf("they show %q and %q", one, two)
	}
}

// TestRowsWithTheSamePlaceAreNotMixedUp fills every place of the rows that were drawn lately.
func TestRowsWithTheSamePlaceAreNotMixedUp(t *testing.T) {
	for i := range 3 * lately {
		s := Style{FG: Index(uint8(i)), BG: Index(uint8(i >> 8))}
		f := Draw(nil, 8, 1, func(c Canvas) { c.Text(i%4, 0, s, "x") })
		if text, style := f.At(i%4, 0); text != "x" || style != s {
			t.Fatalf("row %d shows %q in %v", i, text, style)
		}
	}
}
