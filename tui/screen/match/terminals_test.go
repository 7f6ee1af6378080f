package match_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/hinshun/vt10x"

	"ayumu/lobby"
	"ayumu/lobby/clock"
	"ayumu/lobby/table"
	"ayumu/tui"
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
	profile := d.ShownProfile()
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

// opened is the line of a terminal that reads.
var opened = func() chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

// connect opens the line, with a new terminal.
func (l *line) connect(h *screentest.Harness) {
	l.open = opened
	l.Terminal = vt10x.New(vt10x.WithSize(l.setting.Width, l.setting.Height))
	l.setting.Out, l.setting.Resize = l, make(chan tui.Size)
	l.session = h.Visit(l.setting)
	l.session.Press("enter")
}

// resize changes the size of the terminal.
func (l *line) resize(w, h int) {
	l.setting.Width, l.setting.Height = w, h
	l.Resize(w, h)
	l.setting.Resize <- tui.Size{Width: w, Height: h}
	l.session.Advance(100 * time.Millisecond)
}

// checkClock compares what the terminal is to be shown with the screen drawn anew, without a message that has the
// session draw it.
func (l *line) checkClock(t *testing.T, seed uint64, step int) {
	t.Helper()
	d := l.session
	d.Drain()
	shown := d.Picture().Frame
	if anew := paint.Draw(nil, l.setting.Width, l.setting.Height, d.Draw); !shown.Equal(anew) {
		t.Fatalf("seed %d, step %d: after a second of the clock the frame is\n%s\nnot\n%s", seed, step, shown, anew)
	}
}

// randomMatch starts a match of ana against bob, of Mu if the seed is odd.
func randomMatch(h *screentest.Harness, seed uint64) *lobby.Match {
	h.T.Helper()
	control := clock.Control{Initial: 10 * time.Minute}
	if seed%2 == 0 {
		return h.StartMatch("ana", "bob", `{"size":7,"pie":false}`, control)
	}
	casual := false
	p := table.Proposal{Game: "mu", Options: []byte(`{"players":2,"segments":3}`), Clock: &control, Rated: &casual}
	table, err := h.Member("ana").OpenTable(h.T.Context(), p)
	if err != nil {
		h.T.Fatal(err)
	}
	id, err := h.Member("bob").JoinTable(h.T.Context(), table.ID, "")
	if err != nil {
		h.T.Fatal(err)
	}
	m, err := h.Match(id)
	if err != nil {
		h.T.Fatal(err)
	}
	return m
}

// TestTerminalsOfRandomSpectators has spectators of one match with two sizes and three palettes scroll through the
// history, type, block, change their palette and size, read slowly, and reconnect, at random.
func TestTerminalsOfRandomSpectators(t *testing.T) {
	keys := strings.Fields("up down left tab d f [ [ ] home end V esc t a b enter esc esc ? esc")
	for seed := range uint64(8) {
		screentest.With(t, func(h *screentest.Harness) {
			rng := rand.New(rand.NewPCG(seed, 11))
			m := randomMatch(h, seed)
			h.Account("dave")
			var all []*line
			for i := range 9 {
				l := &line{setting: screentest.Setting{Width: 80, Height: 24, Open: "watch " + m.Info.ID}}
				if i%3 > 0 {
					l.setting.Profile = paint.Profile{Term: "xterm-256color", Colors: paint.Colors256}
				}
				if i%3 == 2 {
					l.setting.Width, l.setting.Height = 110, 36
				}
				l.connect(h)
				all = append(all, l)
			}
			for step := range 60 {
				l := all[rng.IntN(len(all))]
				d := l.session
				switch rng.IntN(11) {
				case 0, 1:
					s := m.Snapshot()
					if s.IsOver() {
						break
					}
					legal := s.Position.Legal()
					turn := legal[rng.IntN(3)%len(legal)]
					if slices.Contains(legal, "end") {
						turn = "end"
					}
					h.Play(m, turn)
				case 2:
					for range 2 { // the first also shows the number of spectators
						screentest.Advance(time.Second)
						for _, l := range all {
							l.session.Drain()
						}
					}
					if s := m.Snapshot(); s.RunningSeat >= 0 && !s.IsOver() {
						for _, l := range all {
							l.checkClock(h.T, seed, step)
						}
					}
				case 3:
					if !l.isSlow() && rng.IntN(3) == 0 {
						l.resize(70+rng.IntN(50), 20+rng.IntN(20))
					}
				case 4:
					if !l.isSlow() && rng.IntN(3) == 0 {
						d.Close()
						l.connect(h)
					}
				case 5:
					name := []string{"carol", "dave"}[rng.IntN(2)]
					if err := h.Watch(name, m).Say(fmt.Sprint("line ", step)); err != nil {
						h.T.Fatal(err)
					}
				case 6:
					if err := d.Session.Block(h.T.Context(), "dave"); err != nil && !strings.Contains(err.Error(), "already") {
						h.T.Fatal(err)
					}
				case 7:
					d.LightBackground = !d.LightBackground
					d.UpdateStyle()
					d.Send(tea.KeyReleaseMsg{})
				case 8:
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
