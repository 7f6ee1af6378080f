package match_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/hinshun/vt10x"

	"ayumu/lobby/clock"
	"ayumu/tui/paint"
	"ayumu/tui/screen/screentest"
)

// line is the line to a spectator's terminal.
type line struct {
	vt10x.Terminal
	session *screentest.Session
	setting screentest.Setting
	open    chan struct{} // closed while the terminal reads
}

func (l *line) Write(p []byte) (int, error) {
	<-l.open
	return l.Terminal.Write(p)
}

// isSlow reports whether the terminal reads nothing now.
func (l *line) isSlow() bool {
	select {
	case <-l.open:
		return false
	default:
		return true
	}
}

// Bits of a cell's mode, which vt10x does not export.
const (
	reverse   = 1
	underline = 2
)

// check compares the cells of the terminal, which has received the changes that sessions share, with those of a new one
// that is shown the screen drawn anew.
func (l *line) check(t *testing.T, seed uint64, step int) {
	t.Helper()
	d := l.session
	d.Send(tea.KeyReleaseMsg{}) // nobody is woken for the number of spectators
	d.Text()                    // compares the frame
	w, h := l.setting.Width, l.setting.Height
	profile := d.Terminal.Profile()
	anew := vt10x.New(vt10x.WithSize(w, h))
	alone := paint.NewScreen(anew, w, h, paint.Options{Profile: profile})
	alone.Show(paint.Draw(nil, w, h, d.Draw))
	synctest.Wait()
	for y := range h {
		for x := range w {
			got, want := l.Cell(x, y), anew.Cell(x, y)
			if want.Char == ' ' && (got.Mode|want.Mode)&(reverse|underline) == 0 {
				got.FG, got.Mode, want.FG, want.Mode = 0, 0, 0, 0 // nothing of it shows
			}
			if got != want {
				t.Fatalf("seed %d, step %d: column %d of row %d is %+v, not %+v:\n%s", seed, step, x, y, got, want, l.Terminal)
			}
		}
	}
	if err := alone.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestTerminalsOfRandomSpectators has spectators of one match with two sizes and three palettes scroll through the
// history, type, block, change their palette, and read slowly, at random.
func TestTerminalsOfRandomSpectators(t *testing.T) {
	keys := strings.Fields("up down left tab d f [ [ ] home end V esc t a b enter esc esc ? esc")
	for seed := range uint64(6) {
		screentest.With(t, func(h *screentest.Harness) {
			rng := rand.New(rand.NewPCG(seed, 11))
			m := h.StartMatch("ana", "bob", `{"size":7,"pie":false}`, clock.Control{Initial: 10 * time.Minute})
			h.Account("dave")
			opened := make(chan struct{})
			close(opened)
			var all []*line
			for i := range 9 {
				l := &line{open: opened, setting: screentest.Setting{Width: 80, Height: 24, Open: "watch " + m.Info.ID}}
				if i%3 > 0 {
					l.setting.Profile = paint.Profile{Term: "xterm-256color", Colors: paint.Colors256}
				}
				if i%3 == 2 {
					l.setting.Width, l.setting.Height = 110, 36
				}
				l.Terminal = vt10x.New(vt10x.WithSize(l.setting.Width, l.setting.Height))
				l.setting.Out = l
				l.session = h.Visit(l.setting)
				l.session.Press("enter")
				all = append(all, l)
			}
			for step := range 60 {
				l := all[rng.IntN(len(all))]
				d := l.session
				switch rng.IntN(9) {
				case 0, 1:
					if s := m.Snapshot(); !s.IsOver() {
						h.Play(m, s.Position.Legal()[rng.IntN(3)%len(s.Position.Legal())])
					}
				case 2:
					screentest.Advance(time.Second)
				case 3:
					name := []string{"carol", "dave"}[rng.IntN(2)]
					if err := h.Watch(name, m).Say(fmt.Sprint("line ", step)); err != nil {
						h.T.Fatal(err)
					}
				case 4:
					if err := d.Session.OwnAccount().Block(h.T.Context(), "dave"); err != nil && !strings.Contains(err.Error(), "already") {
						h.T.Fatal(err)
					}
				case 5:
					d.LightBackground = !d.LightBackground
					d.UpdateStyle()
					d.Send(tea.KeyReleaseMsg{})
				case 6:
					if l.isSlow() {
						close(l.open)
					} else {
						l.open = make(chan struct{})
					}
				default:
					d.Press(keys[rng.IntN(len(keys))])
				}
				for _, l := range all {
					l.session.Drain()
					if !l.isSlow() {
						l.check(h.T, seed, step)
					}
				}
			}
			for _, l := range all {
				if l.isSlow() {
					close(l.open)
				}
				l.check(h.T, seed, 60)
			}
		})
	}
}
