package match_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby"
	"ayumu/lobby/clock"
	"ayumu/tui/paint"
	"ayumu/tui/screen/match"
	"ayumu/tui/screen/screentest"
)

// frameOf returns what a session's terminal shows.
func frameOf(d *screentest.Session) *paint.Frame {
	d.Drain()
	f := d.Picture().Frame
	return f
}

// watch opens n sessions of spectators with a setting.
func watch(h *screentest.Harness, m *lobby.Match, n int, s screentest.Setting) (all []*screentest.Session) {
	s.Open = "watch " + m.Info.ID
	for range n {
		all = append(all, h.Visit(s))
	}
	for _, d := range all {
		d.Press("enter") // guests leave the welcome screen
	}
	return all
}

// TestSpectatorsShareFrames counts the drawings for spectators on three kinds of terminals: a turn is drawn once for
// each kind, and so is a second of the clock, for which only the players are drawn again.
func TestSpectatorsShareFrames(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		m := h.StartMatch("ana", "bob", `{"size":11,"pie":false}`, clock.Control{Initial: 10 * time.Minute}, screentest.Opening[:4]...)
		kinds := [][]*screentest.Session{
			watch(h, m, 8, screentest.Setting{}),
			watch(h, m, 8, screentest.Setting{Width: 120, Height: 40}),
			watch(h, m, 8, screentest.Setting{Profile: paint.Profile{ASCII: true}}),
		}
		count := func(what string, contents, screens int, change func()) {
			c, s := match.FramesMade(&h.Shared)
			change()
			for k, kind := range kinds {
				for _, d := range kind {
					if frameOf(d) != frameOf(kind[0]) {
						t.Errorf("after %s two spectators of kind %d have frames of their own", what, k)
					}
				}
			}
			if nc, ns := match.FramesMade(&h.Shared); nc-c != contents || ns-s != screens {
				t.Errorf("%s was drawn %d times, and %d times with its clocks, not %d and %d", what, nc-c, ns-s, contents, screens)
			}
		}
		count("the first turn", 3, 3, func() { h.Play(m, screentest.Opening[4]) }) // arrivals wake nobody
		count("a turn", 3, 3, func() { h.Play(m, screentest.Opening[5]) })
		count("a second", 0, 3, func() { screentest.Advance(time.Second) })
		count("a line of chat", 3, 3, func() {
			if err := h.Watch("carol", m).Say("nice"); err != nil {
				t.Fatal(err)
			}
		})
	})
}

// TestFramesThatDiffer changes one thing after the other for one of two spectators: it gets a frame of its own, which
// shows that. Session.Text compares it with one that is drawn anew.
func TestFramesThatDiffer(t *testing.T) {
	press := func(keys string) func(h *screentest.Harness, d *screentest.Session) {
		return func(_ *screentest.Harness, d *screentest.Session) { d.Press(keys) }
	}
	for _, tt := range []struct {
		what   string
		change func(h *screentest.Harness, d *screentest.Session)
	}{
		{"the cursor", press("up")},
		{"distances", press(":distances")},
		{"a flipped board", press("f")},
		{"an earlier position", press("[")},
		{"a variation", press("[ V")},
		{"the chat's input", press("t a")},
		{"an overlay", press("?")},
		{"a notice", func(_ *screentest.Harness, d *screentest.Session) {
			d.Notify("Only for you.")
			d.Send(tea.KeyReleaseMsg{})
		}},
		{"the colours", func(_ *screentest.Harness, d *screentest.Session) {
			d.LightBackground = true
			d.UpdateStyle()
			d.Send(tea.KeyReleaseMsg{})
		}},
		{"ASCII", func(_ *screentest.Harness, d *screentest.Session) {
			d.Settings.ASCII = true
			d.UpdateStyle()
			d.Send(tea.KeyReleaseMsg{})
		}},
		{"the size", func(_ *screentest.Harness, d *screentest.Session) {
			d.Send(tea.WindowSizeMsg{Width: 100, Height: 30})
		}},
		{"a block", func(h *screentest.Harness, d *screentest.Session) {
			if err := d.Session.Block(h.T.Context(), "dave"); err != nil {
				h.T.Fatal(err)
			}
		}},
		{"following", func(h *screentest.Harness, d *screentest.Session) {
			d.Visit.Follow(h.Account("ana").ID, "ana")
			d.Send(tea.KeyReleaseMsg{})
		}},
	} {
		screentest.With(t, func(h *screentest.Harness) {
			m := h.StartMatch("ana", "bob", `{"size":11,"pie":false}`, clock.Control{Initial: 10 * time.Minute}, screentest.Opening[:4]...)
			two := watch(h, m, 2, screentest.Setting{Profile: paint.Profile{Colors: paint.TrueColor}})
			if err := h.Watch("dave", m).Say("I am Dave"); err != nil {
				t.Fatal(err)
			}
			if frameOf(two[0]) != frameOf(two[1]) {
				t.Fatal("two spectators have frames of their own")
			}
			tt.change(h, two[0])
			for range 2 {
				if a, b := frameOf(two[0]), frameOf(two[1]); a.Equal(b) {
					t.Errorf("%s: the other spectator is shown the same:\n%s", tt.what, a)
				}
				two[0].Text()
				two[1].Text()
				h.Play(m, screentest.Opening[m.Snapshot().Version])
			}
		})
	}
}

// TestRandomSpectators presses keys at random in sessions of three kinds while the match goes on. Session.Text compares
// each frame with one that is drawn anew.
func TestRandomSpectators(t *testing.T) {
	keys := strings.Fields("up down left right tab d f [ ] home end V esc L t a enter esc P ? esc q")
	for seed := range uint64(4) {
		screentest.With(t, func(h *screentest.Harness) {
			rng := rand.New(rand.NewPCG(seed, 3))
			m := h.StartMatch("ana", "bob", `{"size":7,"pie":false}`, clock.Control{Initial: 10 * time.Minute})
			var all []*screentest.Session
			for _, s := range []screentest.Setting{{}, {Profile: paint.Profile{Colors: paint.TrueColor}}, {Width: 120, Height: 40}} {
				all = append(all, watch(h, m, 2, s)...)
			}
			for range 60 {
				d := all[rng.IntN(len(all))]
				switch rng.IntN(6) {
				case 0:
					if s := m.Snapshot(); !s.IsOver() {
						h.Play(m, s.Position.Legal()[0])
					}
				case 1:
					screentest.Advance(time.Second)
				case 2:
					if err := h.Watch("carol", m).Say(fmt.Sprint("line ", rng.IntN(10))); err != nil {
						screentest.Advance(10 * time.Second)
					}
				default:
					if key := keys[rng.IntN(len(keys))]; key != "q" || d.HasOverlay() {
						d.Press(key)
					}
				}
				for _, d := range all {
					d.Text()
				}
			}
		})
	}
}
