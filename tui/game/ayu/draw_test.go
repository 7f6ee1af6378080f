package ayu

import (
	"strings"
	"testing"

	"ayumu/engine/ayu"
	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/theme"
)

func TestSizes(t *testing.T) {
	for _, n := range ayu.Sizes {
		b := Game{}.New().(*Board)
		b.Show(game.State{Position: Game{}.firstPosition(n), Seat: -1})
		for _, room := range [][2]int{{33, 16}, {48, 23}, {64, 31}, {100, 50}, {500, 200}} {
			w, h, ok := b.Fit(room[0], room[1])
			if n > 7 && room[0] == 33 && (w > 33 || h > 16) && ok {
				t.Errorf("%d: %d×%d is said to fit into %v", n, w, h, room)
			}
			if !ok || w > room[0] || h > room[1] {
				t.Errorf("%d×%d does not fit into %v: %d×%d", n, n, room, w, h)
			}
		}
		if _, _, ok := b.Fit(n, n); ok {
			t.Errorf("%d×%d is said to fit where there is no room", n, n)
		}
	}
}

// TestClicksMeetWhatIsDrawn clicks on each point, in every size and also on a flipped board: the click belongs to
// the cell in which the point is drawn.
func TestClicksMeetWhatIsDrawn(t *testing.T) {
	for _, room := range [][2]int{{33, 16}, {64, 31}, {100, 50}} {
		for _, flip := range []bool{false, true} {
			b := Game{}.New().(*Board)
			b.Show(game.State{Position: Game{}.firstPosition(9), Seat: -1})
			if flip {
				run(b, "flip")
			}
			f := drawn(b, room[0], room[1], plain)
			for i := range 9 * 9 {
				p := at(i%9, i/9)
				x, y := b.drawnLayout.cell(p)
				for dx := range b.drawnLayout.cw {
					if got, ok := b.drawnLayout.at(x+dx, y); !ok || got != p {
						t.Fatalf("%v, flipped %v: a click on %s's cell meets %s", room, flip, p, got)
					}
				}
				if b.drawnLayout.ch == 1 {
					want := map[bool]map[bool]string{true: {true: "●"}, false: {true: "○", false: "·"}}
					black := b.view.pos.Board().Stones(ayu.Black).Has(p)
					stone := black || b.view.pos.Board().Stones(ayu.White).Has(p)
					if mark, _ := f.At(x, y); mark != want[black][stone] {
						t.Errorf("flipped %v: %s is drawn as %q", flip, p, mark)
					}
				}
			}
			for _, beside := range [][2]int{{0, 0}, {room[0] - 1, 0}, {5, room[1]}, {-1, -1}} {
				if w, _ := b.drawnLayout.size(); beside[0] < w-1 && beside[0] > 2 && beside[1] < 9*b.drawnLayout.ch {
					continue
				}
				if p, ok := b.drawnLayout.at(beside[0], beside[1]); ok && beside[1] != 0 {
					t.Errorf("a click beside the board meets %s", p)
				}
			}
		}
	}
}

func TestBlackAndWhiteDifferWithoutColours(t *testing.T) {
	for _, look := range []game.Style{plain, {Theme: &theme.Plain, ASCII: true}} {
		for _, room := range [][2]int{{20, 8}, {30, 12}, {60, 20}} {
			b := live(t, "5 b x.o../...../...../...../x...o")
			b.Key("home")
			f := drawn(b, room[0], room[1], look)
			look := func(p ayu.Point) string {
				x, y := b.drawnLayout.cell(p)
				var cell string
				for dy := range b.drawnLayout.ch {
					for dx := range b.drawnLayout.cw {
						mark, _ := f.At(x+dx, y+dy)
						cell += mark
					}
				}
				return cell
			}
			cells := map[string]ayu.Point{}
			for _, p := range []ayu.Point{at(0, 4), at(2, 4), at(4, 3)} {
				if q, same := cells[look(p)]; same {
					t.Errorf("%s and %s look alike: %q", p, q, look(p))
				}
				cells[look(p)] = p
			}
		}
	}
}

// TestMarksAreShapes checks that the cursor, a selected stone, targets, the last move and a hint differ without
// colours.
func TestMarksAreShapes(t *testing.T) {
	for _, ascii := range []bool{false, true} {
		for _, room := range [][2]int{{20, 8}, {30, 12}, {60, 20}} {
			look := game.Style{Theme: &theme.Plain, ASCII: ascii}
			b := live(t, start5)
			seen := map[string]string{}
			add := func(name string) {
				text := drawn(b, room[0], room[1], look).String()
				if old, same := seen[text]; same {
					t.Errorf("ASCII %v, %v: %s looks like %s:\n%s", ascii, room, name, old, text)
				}
				seen[text] = name
			}
			add("start")
			b.Key("right")
			add("cursor moved")
			b.pointer.cursor = at(1, 0)
			add("targets")
			b.Key("enter")
			b.pointer.cursor = at(4, 4)
			add("chosen")
			b.Key("esc")
			add("cancel")
			b.Show(game.State{Position: b.view.pos, LastTurn: []string{"b2-b1"}, Seat: 0, CanAct: true})
			add("last move")
			run(b, "distances")
			add("distances")
			run(b, "distances")
			hint := game.State{Position: b.view.pos, Hint: []string{"b1-b2"}, Seat: 0, CanAct: true}
			b.Show(hint)
			add("hint")
			b.pointer.cursor = at(1, 0)
			add("cursor on the stone of the hint")
			b.Key("enter")
			b.pointer.cursor = at(1, 1)
			add("cursor on the target of the hint, its stone chosen")
			b.Key("esc")
			hint.Hint = []string{"swap"}
			b.Show(hint)
			hint.Hint = nil
			swap := drawn(b, room[0], room[1], look).String()
			if b.Show(hint); drawn(b, room[0], room[1], look).String() != swap {
				t.Errorf("a swap is marked on the board:\n%s", swap)
			}
		}
	}
}

// TestNumbersLeaveTheLastMoveItsBrackets looks at a stone to the left of the one that moved. The number of the
// stone that moved replaces its second bracket, because there is no other space.
func TestNumbersLeaveTheLastMoveItsBrackets(t *testing.T) {
	look := game.Style{Theme: &theme.Plain, ASCII: true}
	for _, c := range []struct {
		line string
		flip bool
		want string
	}{
		{"5 w ...../...../.ox../...../x...o", false, "4O(X3"},
		{"5 w ...../...../.xo../...../x...o", true, "3O(X2"},
		{"5 w ...../..x../.ox../...../x...o", false, "4O(X)"},
	} {
		b := live(t, c.line, "d3-c3")
		if c.flip {
			b = live(t, c.line, "a3-b3")
		}
		b.flipped, b.showDistances = c.flip, true
		b.pointer.cursor = at(0, 0)
		row := strings.Split(drawn(b, 13, 6, look).String(), "\n")[2]
		if !strings.Contains(row, c.want) {
			t.Errorf("%s, flipped %v: %q, want %q", c.line, c.flip, row, c.want)
		}
	}
}

// BenchmarkDraw draws a shared board with the cursor of a session.
func BenchmarkDraw(b *testing.B) {
	v := Game{}.New().(*Board)
	p := Game{}.firstPosition(15)
	v.Show(game.State{Position: p, Seat: 0, CanAct: true})
	look := game.Style{Theme: &theme.Dark}
	prev := drawn(v, 80, 22, look)
	b.ReportAllocs()
	for b.Loop() {
		prev = paint.Draw(prev, 80, 22, func(c paint.Canvas) { v.Draw(c, look) })
	}
}

// TestNumbersOnStonesAreLegible looks at the numbers on large stones, of which some cannot move.
func TestNumbersOnStonesAreLegible(t *testing.T) {
	const minContrast = 4.5
	for _, of := range []*theme.Theme{&theme.Dark, &theme.Light, &theme.ANSI, &theme.ANSILight, &theme.DarkRedGreen, &theme.LightRedGreen, &theme.ANSIRedGreen} {
		p := position(t, "7 b .x.x.../o.oo..o/xx...x./o..o..o/.x.x.xo/o.o.o../.x...xx")
		b := Game{}.New().(*Board)
		b.Show(game.State{Position: p, Seat: p.Turn(), CanAct: true})
		run(b, "distances")
		frame := drawn(b, 46, 22, game.Style{Theme: of})
		w, h := frame.Size()
		numbers := 0
		for y := range h - 1 { // without the letters
			for x := labelColumns; x < w; x++ {
				text, style := frame.At(x, y)
				if text < "0" || text > "9" {
					continue
				}
				numbers++
				if c := paint.Contrast(style.FG, style.BG); c < minContrast {
					t.Errorf("%s: the contrast of %s at %d, %d is %.1f", of.Name, text, x, y, c)
				}
			}
		}
		if numbers < 10 {
			t.Errorf("%s: only %d numbers are drawn", of.Name, numbers)
		}
	}
}

// TestWhiteGroupsAreJoinedOnTheConsole draws white stones of thin lines, which the console of Linux has: those of a unit
// share their edges, also on a flipped board.
func TestWhiteGroupsAreJoinedOnTheConsole(t *testing.T) {
	look := game.Style{Theme: &theme.ANSI, Console: true}
	b := live(t, "5 b ooo../.o.../...o./x...x/x...x")
	for flipped, want := range map[bool][]string{
		false: {" ┌──┬┬──┬┬──┐", " └──┴┼──┼┴──┘", " ├──┤", " ┌──┐", " └──┘"},
		true:  {" ┌──┬┼──┼┬──┐", " └──┴┴──┴┴──┘", " ├──┤", " ┌──┐", " └──┘"},
	} {
		b.flipped = flipped
		text := drawn(b, 40, 12, look).String()
		for _, row := range want {
			if !strings.Contains(text, row) {
				t.Errorf("flipped %t: the board lacks %q:\n%s", flipped, row, text)
			}
		}
	}
}
