package paint

import (
	"fmt"
	"testing"
)

// TestListsAreMovedByTheTerminal scrolls a list between rows that stay, up and down, by one line and by several,
// also at the edges of the screen: rows that only move are not written again.
func TestListsAreMovedByTheTerminal(t *testing.T) {
	const w, h = 60, 20
	for _, list := range [][2]int{{5, 14}, {0, 9}, {10, h}, {0, h}} {
		for _, by := range []int{1, 2, 3, -1, -3} {
			term := newFakeTerminal(w, h)
			p := painter{profile: testProfiles[0], w: w, h: h, visible: true}
			term.Write(p.clear(nil))
			var out []byte
			for _, first := range []int{100, 100 + by} {
				f := Draw(p.frame, w, h, func(c Canvas) {
					for y := range h {
						text := fmt.Sprintf("row %d, which stays where it is", y)
						if y >= list[0] && y < list[1] {
							text = fmt.Sprintf("%d. line of a list, number %d", first+y, (first+y)*7919)
						}
						c.Text(0, y, Style{BG: Index(20)}, text)
					}
				})
				out, _ = p.paint(nil, f)
				term.Write(out)
				if d := term.differs(f, p.profile); d != "" || len(term.faults) > 0 {
					t.Fatalf("rows %v by %d: %s %q\n%q", list, by, d, term.faults, out)
				}
			}
			fresh := max(by, -by) * len("100. line of a list, number 791900")
			if limit := fresh + 60; len(out) > limit {
				t.Errorf("rows %v by %d take %d bytes, not at most %d: %q", list, by, len(out), limit, out)
			}
		}
	}
}
