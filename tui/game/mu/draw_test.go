package mu

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"ayumu/engine/mu"
	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/theme"
	"ayumu/tui/theme/themetest"
)

// TestPlaces maps each column and row of each cell back to the cell.
func TestPlaces(t *testing.T) {
	for _, r := range readRecordedGames(t) {
		p := r.after(t, len(r.Actions)).Position.(*mu.Position)
		for scale := small; scale <= large; scale++ {
			l := layout{geometry: newGeometry(p), scale: scale, viewX: 0, viewY: 1, viewW: 500, viewH: 200, x: 3, y: 5}
			for _, c := range p.Cells() {
				x, y := l.corner(c.At)
				for dx := range 2 * scale {
					for dy := range scale {
						if got, ok := l.hexAt(x+dx, y+dy); got != c.At || !ok {
							t.Fatalf("scale %d: %d,%d is %s, want %s", scale, x+dx, y+dy, got, c.At)
						}
					}
				}
			}
		}
	}
}

// TestScrolling moves the cursor over all cells of large boards in small windows: the cursor is always in view,
// and a step to a cell well inside the view does not scroll.
func TestScrolling(t *testing.T) {
	for _, size := range [][2]int{{minViewColumns, minViewRows + tallyRow}, {33, 17}, {53, 21}} {
		for _, scale := range []int{small, large} {
			s := newSession(t, opening(t, 6, 7))
			s.viewport.scale = scale
			draw := func() {
				f := paint.Draw(nil, size[0], size[1], func(c paint.Canvas) { s.Draw(c, plainLook) })
				x, y, visible := f.Cursor()
				if h, _ := s.viewport.drawn.hexAt(x, y); !visible || h != s.pointer.cursor {
					t.Fatalf("%v, %d: the terminal's cursor is on %s (%v), not on %s", size, scale, h, visible, s.pointer.cursor)
				}
				if !s.viewport.drawn.isVisible(s.pointer.cursor) {
					t.Fatalf("%v, %d: the cursor on %s is not in view", size, scale, s.pointer.cursor)
				}
			}
			for _, c := range sortByRow(cellsOf(s.view.pos)) {
				s.pointer.moveTo(c)
				draw()
			}
			s.pointer.moveTo(mu.Hex{})
			draw()
			x, y := s.viewport.scrollX, s.viewport.scrollY
			s.pointer.step(mu.E, s.view.geometry())
			s.pointer.step(mu.W, s.view.geometry())
			draw()
			if x != s.viewport.scrollX || y != s.viewport.scrollY {
				t.Errorf("%v, %d: a step to and fro scrolled the board", size, scale)
			}
		}
	}
}

func cellsOf(p *mu.Position) []mu.Hex {
	var cells []mu.Hex
	for _, c := range p.Cells() {
		cells = append(cells, c.At)
	}
	return cells
}

// TestFit checks which scale fits where, and that a board that gets the size of Fit keeps its scale.
func TestFit(t *testing.T) {
	tests := []struct {
		players, segments, w, h int
		scale                   int
	}{
		{2, 3, 53, 21, large}, {3, 7, 53, 21, small}, {6, 7, 53, 21, small},
		{3, 7, 133, 47, large}, {6, 7, 133, 47, large}, {2, 1, 30, 10, large}, {2, 1, 24, 8, small},
	}
	for _, test := range tests {
		s := newSession(t, opening(t, test.players, test.segments))
		bw, bh, ok := s.Fit(test.w, test.h)
		again, high, _ := s.Fit(bw, bh)
		if g := s.view.geometry(); !ok || s.viewport.scaleFor(g, test.w, test.h) != test.scale || s.viewport.scaleFor(g, bw, bh) != test.scale {
			t.Errorf("%+v: %d columns and %d rows, scale %d", test, bw, bh, s.viewport.scaleFor(g, bw, bh))
		}
		if bw != again || bh != high || bw > test.w || bh > test.h {
			t.Errorf("%+v: %d×%d, in that %d×%d", test, bw, bh, again, high)
		}
	}
	if _, _, ok := newSession(t, opening(t, 2, 3)).Fit(minViewColumns-1, 40); ok {
		t.Error("a board fits into too little room")
	}
}

// TestOverview clicks into the overview: the cursor goes there.
func TestOverview(t *testing.T) {
	s := newSession(t, opening(t, 6, 7))
	s.draw(80, 24, plainLook)
	o := s.viewport.inset
	if o.by == 0 {
		t.Fatal("a scrolled board has no overview")
	}
	s.Click(o.x+o.w-1, o.y+o.h-1)
	if x, y := halfColumn(s.pointer.cursor)-s.viewport.drawn.left, int(s.pointer.cursor.R)-s.viewport.drawn.top; x < s.viewport.drawn.width/2 || y < s.viewport.drawn.height/2 {
		t.Errorf("a click at the end of the overview led to %s", s.pointer.cursor)
	}
	s.keys("overview")
	if s.draw(80, 24, plainLook); s.viewport.inset.by != 0 {
		t.Error("the command does not hide the overview")
	}
}

// TestShades checks that neighbouring segments have different shades, on the boards of all recorded games and
// on compact ones.
func TestShades(t *testing.T) {
	var boards []*mu.Board
	for _, r := range readRecordedGames(t) {
		boards = append(boards, r.after(t, len(r.Actions)).Position.(*mu.Position).Board())
	}
	for players := 2; players <= maxSeats; players++ {
		boards = append(boards, compactBoard(t, players, maxSegments).Board())
	}
	for _, b := range boards {
		centres := b.Centres()
		shade := segmentShades(centres)
		for i := range centres {
			if shade[i] >= shades {
				t.Fatalf("%v: shade %d", centres, shade[i])
			}
			for j := range i {
				if centres[i].Distance(centres[j]) == 3 && shade[i] == shade[j] {
					t.Fatalf("the segments %s and %s have the same shade", centres[i], centres[j])
				}
			}
		}
	}
}

// TestSharedDrawing checks that the drawing that sessions share equals one made for a session, and that a
// session's cursor and draft do not appear in another session.
func TestSharedDrawing(t *testing.T) {
	state := opening(t, 3, 3)
	clean := newSession(t, state)
	want := clean.draw(80, 24, darkLook)
	busy := newSession(t, state)
	busy.keys("tab enter tab enter numbers overview LARGE")
	busy.draw(80, 24, darkLook)
	if got := newSession(t, state).draw(80, 24, darkLook); got.String() != want.String() {
		t.Errorf("another session changed the drawing:\n%s\nwant\n%s", got, want)
	}
	g := clean.view.geometry()
	s := renderer{
		layout: layout{geometry: g, scale: small}, frameKey: frameKey{position: clean.view.pos, size: small, style: darkLook},
		colors: stylePalette(darkLook),
	}
	whole := s.drawFrame()
	part := paint.Draw(nil, 20, 10, func(c paint.Canvas) {
		one := s
		one.c, one.x, one.y = c, -7, -3
		one.draw()
	})
	for x := range 20 {
		for y := range 10 {
			a, as := part.At(x, y)
			b, bs := whole.At(x+7, y+3)
			if a != b || as != bs {
				t.Fatalf("%d,%d: %q %v, in the shared drawing %q %v", x, y, a, as, b, bs)
			}
		}
	}
}

// TestRights checks that the hollow pieces are those of the player to move without a right.
func TestRights(t *testing.T) {
	s := newSession(t, duelState(t)).at(0, 0)
	s.keys("SMALL enter 2 right enter left left left left left left")
	rows := strings.Split(s.draw(80, 24, plainLook).String(), "\n")
	board := strings.Join(rows[1:10], "\n")
	if n := strings.Count(board, "○"); n != 1 {
		t.Errorf("%d hollow discs, want the one that stayed on 0,0\n%s", n, board)
	}
	if n := strings.Count(board, "△"); n != 0 {
		t.Errorf("%d hollow triangles, though it is not their turn\n%s", n, board)
	}
}

// TestContrast checks that every player's pieces have a contrast of at least 3 to 1 on every background, as WCAG 2
// requires of large letters and signs, and so do all overlays.
// On the small board the targets of a selected piece keep the heights that stand there.
func TestTargetsShowHeights(t *testing.T) {
	s := newSession(t, duelWith(t, map[string]string{"0,0": "0.2", "1,-1": "0.3", "-1,1": "1.2", "1,0": "1.1", "6,-2": "1.1"})).at(0, 0)
	s.keys("SMALL enter")
	if men := s.pointer.targets; men[mu.Hex{Q: 1, R: -1}] != 1 || men[mu.Hex{Q: -1, R: 1}] != 1 || men[mu.Hex{Q: 1}] != 1 {
		t.Fatalf("the targets are %v", men)
	}
	text := s.draw(80, 24, plainLook).String()
	for _, want := range []string{"●2▲×", "●3", "▲2", "+1"} {
		if !strings.Contains(text, want) {
			t.Errorf("the board lacks %q:\n%s", want, text)
		}
	}
}

func TestContrast(t *testing.T) {
	for _, th := range themes {
		p := stylePalette(game.Style{Theme: th})
		check := func(what string, fg, bg paint.Color) {
			if got := paint.Contrast(fg, bg); got < 3 {
				t.Errorf("%s: %s on %#x has a contrast of %.1f", th.Name, what, uint32(bg), got)
			}
		}
		var backgrounds []paint.Color
		if p.tiled {
			backgrounds = slices.Clone(p.changed[:])
		}
		for _, shades := range p.background {
			backgrounds = append(backgrounds, shades[:]...)
		}
		for _, bg := range backgrounds {
			for seat, c := range p.seat {
				check(seatStyles[seat].name, c, bg)
			}
			check("a number", p.number.FG, bg)
		}
		for i, s := range []paint.Style{p.critical, p.target, p.capture, p.selected, p.cursor, p.hint, p.fitting, p.notFitting, p.clearable} {
			check(fmt.Sprintf("overlay %d", i), s.FG, s.BG)
		}
	}
}

// themes has those with colours.
var themes = []*theme.Theme{&theme.Dark, &theme.Light, &theme.ANSI, &theme.ANSILight,
	&theme.DarkRedGreen, &theme.LightRedGreen, &theme.ANSIRedGreen, &theme.ANSILightRedGreen}

// TestRedGreenBlindnessTellsColoursApart compares pieces, terrains and overlays as they are seen with red-green
// blindness. With the standard colours a disc looks like a box.
func TestRedGreenBlindnessTellsColoursApart(t *testing.T) {
	for _, p := range []*palette{&redGreenOnDark, &redGreenOnLight} {
		apart := func(what string, a, b []paint.Color, minimum float64) {
			for i, x := range a {
				for j, y := range b {
					if d := themetest.Distance(x, y); d < minimum && (i != j || x != y) {
						t.Errorf("%s: %d (%06x) and %d (%06x) have a distance of %.1f, not %.1f", what, i, x, j, y, d, minimum)
					}
				}
			}
		}
		var beside []paint.Color
		for _, s := range p.besideBoard {
			beside = append(beside, s.FG)
		}
		apart("pieces", p.seat[:], p.seat[:], 25)
		apart("pieces beside the board", beside, beside, 25)
		overlays := []paint.Color{p.capture.BG, p.selected.BG, p.cursor.BG, p.target.BG, p.hint.BG}
		apart("overlays", overlays, overlays, 20)
		for i, terrain := range p.background {
			apart("overlays on terrains", overlays, terrain[:], 30)
			for _, other := range p.background[:i] {
				apart("terrains", terrain[:], other[:], 20)
			}
		}
	}
	standard := &tilesOnDark
	if themetest.Distance(standard.seat[0], standard.seat[2]) > 5 {
		t.Error("the standard colours differ too: there is nothing to measure")
	}
}

// TestMarks checks that six players differ in every style, and that all signs are one column wide.
func TestMarks(t *testing.T) {
	for _, look := range []game.Style{plainLook, asciiLook, darkLook} {
		seen := make(map[string]bool)
		for seat := range maxSeats {
			for _, hollow := range []bool{false, true} {
				m := mark(seat, hollow, look)
				if seen[m] || paint.Width(m) != 1 {
					t.Errorf("seat %d has %q", seat, m)
				}
				seen[m] = true
			}
		}
	}
	for _, th := range themes {
		colors := make(map[paint.Color]bool)
		for _, c := range stylePalette(game.Style{Theme: th}).seat {
			colors[c] = true
		}
		if len(colors) != maxSeats || stylePalette(game.Style{Theme: th}) == &colorlessPalette {
			t.Errorf("%s: %d colours for six players", th.Name, len(colors))
		}
	}
}

func BenchmarkDraw(b *testing.B) {
	state := opening(b, 6, 7)
	for name, keys := range map[string]string{"shared": "", "draft": "tab enter tab enter"} {
		b.Run(name, func(b *testing.B) {
			s := newSession(b, state)
			s.keys("SMALL " + keys)
			if name == "draft" && !s.view.showsDraft() {
				b.Fatal("there is no draft")
			}
			var frame *paint.Frame
			b.ReportAllocs()
			for b.Loop() {
				frame = paint.Draw(frame, 80, 24, func(c paint.Canvas) { s.Draw(c, darkLook) })
			}
		})
	}
}

// TestTallyFits draws the tally of six players in narrow windows: the numbers of all of them are shown, and as much
// of the rest as fits.
func TestTallyFits(t *testing.T) {
	s := newSession(t, opening(t, 6, 7))
	for w, want := range map[int]string{
		80: "territory  you▸●0  ▲0  ■0  ◆0  ▼0  ★0  moves 1",
		40: "you▸●0  ▲0  ■0  ◆0  ▼0  ★0  moves 1",
		34: " ▸●0  ▲0  ■0  ◆0  ▼0  ★0  moves 1",
		28: "▸●0 ▲0 ■0 ◆0 ▼0 ★0  moves 1",
		24: "▸●0 ▲0 ■0 ◆0 ▼0 ★0",
	} {
		f := paint.Draw(nil, w, 1, func(c paint.Canvas) { drawTally(c, s.view.pos, s.view.state.Seat, plainLook) })
		if got := strings.TrimRight(f.String(), "\n"); strings.TrimLeft(got, " ") != strings.TrimLeft(want, " ") {
			t.Errorf("%d columns: %q, not %q", w, got, want)
		}
	}
}

// TestTallyMarksWhoIsOut marks a seat that has left and one without men.
func TestTallyMarksWhoIsOut(t *testing.T) {
	p, err := opening(t, 3, 2).Position.Leave(1)
	if err != nil {
		t.Fatal(err)
	}
	f := paint.Draw(nil, 80, 1, func(c paint.Canvas) { drawTally(c, p.(*mu.Position), -1, plainLook) })
	if got := f.String(); !strings.Contains(got, "●0  ▲×  ■0") {
		t.Errorf("after Triangle has left: %q", got)
	}
}
