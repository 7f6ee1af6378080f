package game_test

import (
	"slices"
	"testing"

	"ayumu/tui/game"
	"ayumu/tui/game/gametest"
	"ayumu/tui/paint"
	"ayumu/tui/theme"
)

// TestThereIsNoCursorWhereNobodyAskedForIt checks that a board which is only watched is drawn like one without input, and says
// nothing of a point, until an arrow or a click shows the cursor; that Esc hides it again; and that who may act has one.
func TestThereIsNoCursorWhereNobodyAskedForIt(t *testing.T) {
	styles := []game.Style{{Theme: &theme.Dark}, {Theme: &theme.ANSI}, {Theme: &theme.Plain}, {Theme: &theme.Plain, ASCII: true}, {Theme: &theme.ANSI, Console: true}}
	for _, g := range gametest.Games {
		start, err := g.Engine().ParseOptions(nil)
		if err != nil {
			t.Fatal(err)
		}
		position := g.Engine().New(start)
		for _, style := range styles {
			for _, size := range [][2]int{{30, 14}, {60, 22}} {
				draw := func(b game.Board) *paint.Frame {
					return paint.Draw(nil, size[0], size[1], func(c paint.Canvas) { b.Draw(c, style) })
				}
				show := func(s game.State) game.Board {
					s.Position, s.Seat = position, -1
					b := g.New()
					b.Show(s)
					return b
				}
				watched := show(game.State{IsWatching: true})
				quiet := draw(show(game.State{Static: true}))
				isHidden := func(when string, want bool) {
					t.Helper()
					_, hasKey := find(watched.StatusKeys(), "Esc")
					if frame := draw(watched); frame.Equal(quiet) != want || (watched.DescribeCursor() == "") != want || hasKey == want {
						t.Errorf("%s, %d×%d, %s: %q, Esc is a key: %v\n%v", g.Name(), size[0], size[1], when, watched.DescribeCursor(), hasKey, frame)
					}
					if of, ok := watched.(game.Framer); ok {
						if f := of.Frame(size[0], size[1], style); f != nil && f.Equal(quiet) != want {
							t.Errorf("%s, %s: the shared frame differs", g.Name(), when)
						}
					}
					if slices.ContainsFunc(watched.Legend(style), func(e game.LegendEntry) bool { return e.Text == "cursor" }) == want {
						t.Errorf("%s, %s: the legend has a cursor: %v", g.Name(), when, want)
					}
				}
				isHidden("at first", true)
				before := show(game.State{IsWatching: false}).DescribeCursor()
				watched.Key("down")
				isHidden("after an arrow", false)
				if got := watched.DescribeCursor(); got != before {
					t.Errorf("%s: the first arrow leads to %q, want %q", g.Name(), got, before)
				}
				if watched.Key("down"); watched.DescribeCursor() == before {
					t.Errorf("%s: the second arrow does not move the cursor", g.Name())
				}
				if !watched.Key("esc").Handled {
					t.Errorf("%s: Esc is not used", g.Name())
				}
				isHidden("after Esc", true)
				if watched.Key("esc").Handled {
					t.Errorf("%s: a second Esc is used", g.Name())
				}
				watched.Click(size[0]/3, size[1]/3)
				if watched.DescribeCursor() == "" {
					watched.Click(size[0]/2, size[1]/2)
				}
				isHidden("after a click", false)
			}
		}
	}
}

// find returns the help of a key.
func find(keys []game.Key, key string) (help string, ok bool) {
	i := slices.IndexFunc(keys, func(k game.Key) bool { return k.Key == key })
	if i < 0 {
		return "", false
	}
	return keys[i].Help, true
}
