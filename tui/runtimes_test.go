package tui_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"ayumu/engine/enginetest"
	"ayumu/lobby"
	"ayumu/lobby/clock"
	"ayumu/lobby/puzzles"
	"ayumu/lobby/puzzles/puzzlestest"
	"ayumu/lobby/table"
	"ayumu/tui"
	"ayumu/tui/paint"
	"ayumu/tui/screen/screentest"
)

// shot is what a terminal shows after a step.
type shot struct {
	step  string
	cells [][]screentest.Cell
	x, y  int
	text  string
}

// tour drives a session through the screens, with the keys of a terminal, and returns what it has shown; nil if the
// user has drawn another seat than the first, so that two tours can be compared.
func tour(t *testing.T, width, height int, stock bool) (shots []shot) {
	screentest.With(t, func(h *screentest.Harness) {
		h.Account("ana")
		casual, correspondence := false, clock.Control{Days: 3}
		// start starts a game of ana against an opponent; ok is false if that is in another seat than the first.
		start := func(opponent, game, options string) (m *lobby.Match, ok bool) {
			p := table.Proposal{Game: game, Options: []byte(options), Clock: &correspondence, Rated: &casual}
			opened, err := h.Member(opponent).OpenTable(h.T.Context(), p)
			if err != nil {
				h.T.Fatal(err)
			}
			id, err := h.Member("ana").JoinTable(h.T.Context(), opened.ID, "")
			if err == nil {
				m, err = h.Match(id)
			}
			if err != nil {
				h.T.Fatal(err)
			}
			return m, m.Info.Seats[0].Name == "ana"
		}
		m, ok := start("bob", "ayu", `{"size":7,"pie":false}`)
		if !ok {
			return
		}
		h.Play(m, "b1-b2", "a2-a3")
		collection, err := puzzles.New(enginetest.Games, puzzlestest.Themes, puzzlestest.Puzzles(t)[:1])
		if err != nil {
			h.T.Fatal(err)
		}
		builtin := h.NewBots(screentest.FirstLegal)
		defer builtin.Close()
		sizes := make(chan tui.Size, 1)
		e := h.Terminal(screentest.Setting{
			Name: "ana", Width: width, Height: height, Resize: sizes, Stock: stock, Puzzles: collection, Bots: builtin,
			Profile: paint.Profile{Term: "xterm-256color", Colors: paint.Colors256},
		})
		seen := func(step string) {
			screentest.Advance(400 * time.Millisecond) // a walk, and the interval of a stock renderer
			cells, x, y := e.Cells()
			shots = append(shots, shot{step, cells, x, y, e.Screen()})
		}
		press := func(keys ...string) {
			for _, k := range keys {
				select {
				case <-e.Done:
					h.T.Fatalf("the session has ended before %q as %+v; it showed\n%s", k, e.Exit, shots[max(len(shots)-3, 0)].text)
				default:
				}
				e.Type(k)
				seen(fmt.Sprintf("%q", k))
			}
		}
		const up, down, right, left, esc = "\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D", "\x1b"
		seen("the first frame")
		press("\x1b]11;rgb:0000/0000/0000\x1b\\")
		press("o", down, right, down, "q")                    // a form
		press("?", "\x1b[6~", "q", "r", "q", "a", right, "q") // help and lists
		press("t", "h", "i", " ", "é", left, "\r")
		press("\r", "\r")                                                     // the game
		press("d", "1", "d", "2", "\r", "j", "k", "u", "n", "\x1b[<0;20;10M") // a move, a question, and what is typed on the board
		h.Play(m, m.Snapshot().Position.Legal()[0])
		seen("bob's move")
		press("q")
		press("L", down, "\r", "d", "1", "\r", "q", "q")                    // a lesson
		press("z", "c", "4", "f", "6", "\r", "b", "1", "f", "6", "\r", "q") // a puzzle
		press(":", "s", "e", "t", "t", "\r", "q")                           // the palette
		press("\x1b[200~pasted\x1b[201~", "\x0c")
		if _, ok = start("carol", "mu", `{"players":2,"segments":1}`); !ok {
			shots = nil
			return
		}
		seen("a game of Mu has begun")
		screentest.Advance(tui.AutoOpenGuard)
		press("\r", right, "\r", down, "\r", "u", "n", "\r", "k")
		e.Resize(100, 30, sizes)
		seen("larger")
		e.Resize(60, 20, sizes)
		seen("smaller")
		e.Resize(39, 15, sizes)
		seen("too small")
		e.Resize(width, height, sizes)
		seen("as before")
		press("q")
	})
	return shots
}

// TestBothRuntimesShowTheSame compares the cells after each key.
func TestBothRuntimesShowTheSame(t *testing.T) {
	for _, size := range []tui.Size{{Width: 80, Height: 24}, {Width: 120, Height: 40}} {
		var shared, stock []shot
		for shared == nil {
			shared = tour(t, size.Width, size.Height, false)
		}
		for stock == nil {
			stock = tour(t, size.Width, size.Height, true)
		}
		if len(shared) != len(stock) {
			t.Fatalf("%d and %d steps", len(shared), len(stock))
		}
		different, last := 0, ""
		for i, a := range shared {
			b := stock[i]
			if a.text != last {
				different++
			}
			last = a.text
			if a.x != b.x || a.y != b.y {
				t.Errorf("%v, step %d, %s: the cursor is at %d,%d and %d,%d", size, i, a.step, a.x, a.y, b.x, b.y)
			}
			for y := range a.cells {
				if !slices.Equal(a.cells[y], b.cells[y]) {
					t.Fatalf("%v, step %d, %s: row %d differs:\n%s\n%s\n%+v\n%+v", size, i, a.step, y, a.text, b.text, a.cells[y], b.cells[y])
				}
			}
		}
		if different < 40 {
			t.Errorf("%v: the tour shows only %d screens", size, different)
		}
		for _, part := range []string{"Settings", "Leaderboard", "Finished games", "of 15", "Right so far", "Commands", "to lay", "at least 40×16"} {
			if !slices.ContainsFunc(shared, func(s shot) bool { return strings.Contains(s.text, part) }) {
				t.Errorf("%v: the tour does not show %q", size, part)
			}
		}
	}
}

// TestStockProgramsGetWhatIsForThem: a window has a size, also on a line that knows none; a stock program's own findings
// about the terminal stay away from the screens.
func TestStockProgramsGetWhatIsForThem(t *testing.T) {
	size := func(w, h int) tea.Msg { return tea.WindowSizeMsg{Width: w, Height: h} }
	for _, c := range []struct{ msg, want tea.Msg }{
		{size(60, 20), size(60, 20)},
		{size(0, 0), size(80, 24)},
		{size(100, 0), size(80, 24)},
		{tea.EnvMsg{"TERM=x"}, nil},
		{tea.ModeReportMsg{Mode: ansi.ModeUnicodeCore}, nil},
		{tea.FocusMsg{}, tea.FocusMsg{}},
	} {
		if got := tui.FilterMsg(nil, c.msg); !reflect.DeepEqual(got, c.want) {
			t.Errorf("of %#v comes %#v, want %#v", c.msg, got, c.want)
		}
	}
}
