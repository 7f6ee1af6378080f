package match_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby"
	"ayumu/lobby/clock"
	"ayumu/lobby/match"
	"ayumu/tui/paint"
	"ayumu/tui/screen/screentest"
)

// walker opens the screens of ana, who plays an untimed match against bob with Black, on a terminal with colours.
func walker(h *screentest.Harness, turns ...string) (*screentest.Session, *lobby.Match) {
	m := h.StartMatch("ana", "bob", `{"size":7,"pie":false}`, clock.Control{}, turns...)
	d := inColours(h, "ana", m)
	d.Advance(time.Minute) // until no message is left to expire
	return d, m
}

// inColours opens a match on a terminal with colours.
func inColours(h *screentest.Harness, name string, m *lobby.Match) *screentest.Session {
	h.Account(name)
	return h.Visit(screentest.Setting{Name: name, Open: "watch " + m.Info.ID, Profile: paint.Profile{Colors: paint.Colors256}})
}

// watchScreen returns the different screens that follow each other within a time.
func watchScreen(d *screentest.Session, during time.Duration) []string {
	screens := []string{d.Text()}
	for end := time.Now().Add(during); time.Now().Before(end); {
		d.Advance(5 * time.Millisecond)
		if now := d.Text(); now != screens[len(screens)-1] {
			screens = append(screens, now)
		}
	}
	return screens
}

// TestMovesWalk looks at the turns of both players: each stone is shown in several places for less than 400 ms in all, beside
// the state of the match after the turn. Then nothing is left to do.
func TestMovesWalk(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		d, m := walker(h, "b1-b2")
		h.Play(m, "a2-a3")
		d.WantPanel("Your move", "a2-a3")
		d.WantText("bob moves a2 to a3")
		screens := watchScreen(d, 400*time.Millisecond)
		if len(screens) != 3 {
			t.Errorf("the opponent's stone was shown in %d places, not in 3", len(screens))
		}
		d.Golden("walk-arrived")
		d.Same("walk-first", screens[0])
		d.Press("d 1 d 2 enter")
		if n := len(watchScreen(d, 400*time.Millisecond)); n != 3 {
			t.Errorf("the own stone was shown in %d places, not in 3", n)
		}
		d.Advance(time.Minute)
		seen, still := d.Seen, d.Text()
		d.Advance(time.Minute)
		if d.Seen != seen || d.Text() != still || !d.NextChange(time.Now()).IsZero() {
			t.Errorf("%d messages followed, and %v is the next change", d.Seen-seen, d.NextChange(time.Now()))
		}
	})
}

// TestAWalkCostsOneTickAStep counts the messages of a turn.
func TestAWalkCostsOneTickAStep(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		d, m := walker(h, "b1-b2")
		h.Play(m, "a2-a3")
		d.Drain()
		seen := d.Seen
		d.Advance(time.Second)
		if n := d.Seen - seen; n != 2 {
			t.Errorf("a walk of 2 steps took %d messages", n)
		}
	})
}

// TestInputEndsAWalk enters something at each moment of a walk. It is not lost, and is for the position after the turn.
func TestInputEndsAWalk(t *testing.T) {
	for name, enter := range map[string]func(d *screentest.Session){
		"a move": func(d *screentest.Session) { d.Press("d 1 d 2 enter") },
		"a click": func(d *screentest.Session) {
			click(d, "d1")
			click(d, "d2")
		},
	} {
		for at := range 6 {
			t.Run(fmt.Sprint(name, " ", at), func(t *testing.T) {
				screentest.With(t, func(h *screentest.Harness) {
					d, m := walker(h, "b1-b2")
					h.Play(m, "a2-a3")
					d.Drain()
					d.Advance(time.Duration(at) * 50 * time.Millisecond)
					enter(d)
					if s := m.Snapshot(); s.Turns != 3 || s.Log[2].Actions[0] != "d1-d2" {
						t.Errorf("the log is %+v", s.Log)
					}
				})
			})
		}
	}
	screentest.With(t, func(h *screentest.Harness) {
		d, m := walker(h, "b1-b2")
		h.Play(m, "a2-a3")
		walking := d.Text()
		d.Press("left")
		arrived := d.Text()
		d.Press("right")
		if screens := watchScreen(d, time.Second); len(screens) != 1 || screens[0] == walking || arrived == walking {
			t.Errorf("the walk went on after a key:\n%s", screens)
		}
	})
}

// click clicks on the middle of a point of the board of 7 points in a window of 80 columns.
func click(d *screentest.Session, point string) {
	a := d.Current().Traits().Board
	cw, ch := (a.Dx()-3)/7, (a.Dy()-1)/7
	d.Send(tea.MouseClickMsg{X: a.Min.X + 3 + int(point[0]-'a')*cw + cw/2, Y: a.Min.Y + (6-int(point[1]-'1'))*ch + ch/2, Button: tea.MouseLeft})
	d.Drain()
}

// TestWhereNothingWalks compares with a turn that is shown at once: without the setting, without colours, for spectators,
// on a terminal that is behind, and under an overlay.
func TestWhereNothingWalks(t *testing.T) {
	for name, setUp := range map[string]func(h *screentest.Harness, m *lobby.Match) *screentest.Session{
		"setting": func(h *screentest.Harness, m *lobby.Match) *screentest.Session {
			d := inColours(h, "ana", m)
			d.Press("o")
			d.FillField("Moves walk", "off")
			d.Press("q")
			d.Close()
			return inColours(h, "ana", m)
		},
		"no colours": func(h *screentest.Harness, m *lobby.Match) *screentest.Session {
			return h.SignIn("ana", "watch "+m.Info.ID)
		},
		"spectator": func(h *screentest.Harness, m *lobby.Match) *screentest.Session {
			return inColours(h, "carol", m)
		},
		"behind": func(h *screentest.Harness, m *lobby.Match) *screentest.Session {
			d := inColours(h, "ana", m)
			d.IsBehind = func() bool { return true }
			return d
		},
		"help": func(h *screentest.Harness, m *lobby.Match) *screentest.Session {
			d := inColours(h, "ana", m)
			d.Press("?")
			return d
		},
	} {
		t.Run(name, func(t *testing.T) {
			screentest.With(t, func(h *screentest.Harness) {
				m := h.StartMatch("ana", "bob", `{"size":7,"pie":false}`, clock.Control{}, "b1-b2")
				d := setUp(h, m)
				d.Advance(time.Minute)
				h.Play(m, "a2-a3")
				if n := len(watchScreen(d, time.Second)); n != 1 {
					t.Errorf("%d screens followed each other", n)
				}
				if name == "help" {
					d.Press("esc")
					d.WantText("a2-a3")
					if n := len(watchScreen(d, time.Second)); n != 1 {
						t.Errorf("after the help %d screens followed each other", n)
					}
				}
			})
		})
	}
}

// TestAWalkEndsWhenTheTerminalFallsBehind lets a terminal stop reading within a walk.
func TestAWalkEndsWhenTheTerminalFallsBehind(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		d, m := walker(h, "b1-b2")
		h.Play(m, "a2-a3")
		d.Drain()
		d.IsBehind = func() bool { return true }
		if n := len(watchScreen(d, time.Second)); n != 2 {
			t.Errorf("%d screens followed each other, not the first and the last", n)
		}
	})
}

// TestOnlyTheLastOfSeveralTurnsWalks has turns follow each other at once and within a walk, and a turn taken back.
func TestOnlyTheLastOfSeveralTurnsWalks(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		d, m := walker(h, "b1-b2")
		h.Play(m, "a2-a3", "d1-d2", "c2-c3")
		screens := watchScreen(d, time.Second)
		if len(screens) != 3 {
			t.Errorf("after three turns at once %d screens followed each other", len(screens))
		}
		h.Play(m, "f1-f2")
		d.Advance(50 * time.Millisecond)
		h.Play(m, "e2-e3")
		d.Drain()
		d.WantText("bob moves e2 to e3")
		if again := watchScreen(d, time.Second); len(again) != 3 || slices.Contains(screens, again[0]) {
			t.Errorf("%d screens followed the second turn", len(again))
		}
		for _, seat := range []int{0, 1} {
			if err := h.Player(m, seat).Offer(h.T.Context(), match.OfferUndo); err != nil {
				t.Fatal(err)
			}
		}
		d.Drain()
		if n := m.Snapshot().Turns; n != 4 {
			t.Fatalf("%d turns after the takeback", n)
		}
		if again := watchScreen(d, time.Second); len(again) != 1 {
			t.Errorf("after the takeback %d screens followed each other", len(again))
		}
	})
}
