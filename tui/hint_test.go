package tui

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"ayumu/engine"
	"ayumu/engine/enginetest"
	"ayumu/engine/search"
	"ayumu/engine/search/searchtest"
	"ayumu/lobby/bots"
	"ayumu/lobby/clock"
	"ayumu/tui/client"
)

// newBots opens bots of which each search is a call of f.
func (h *harness) newBots(f func(context.Context, engine.Position, search.Options) (search.Advice, error)) *bots.Bots {
	h.t.Helper()
	builtin, err := bots.Open(h.t.Context(), bots.Config{Lobby: h.Lobby, Store: h.store, Engines: searchtest.Engines(enginetest.Games, f)})
	if err != nil {
		h.t.Fatal(err)
	}
	return builtin
}

func TestHintsInAReplay(t *testing.T) {
	withHarness(t, func(h *harness) {
		builtin := h.newBots(firstLegal)
		defer builtin.Close()
		m := h.finished("ana", "bob", `{"size":11,"pie":false}`, opening[:6]...)
		h.account("carol")
		for _, size := range []Size{{80, 24}, {60, 20}, {120, 40}} {
			d := h.visit(setting{name: "carol", open: "replay " + m.Info.ID, bots: builtin, w: size.Width, h: size.Height})
			d.wantNoText("The engine")
			d.press("h")
			d.wantText("The engine", "62 %", "38 %", "1. ", "2. ", "3. ", "61 %", "60 %")
			d.wantNoText("59 %", "4. ")
			d.press("]")
			d.wantNoText("The engine") // it was for the previous position
			d.press("h")
			d.wantText("Only one hint a second")
			d.advance(time.Second)
			d.press("h")
			d.wantText("The engine")
			d.press("h")
			d.wantNoText("The engine")
			d.press("V")
			d.advance(time.Second)
			d.press("h")
			d.wantText("The engine", "analysis")
			d.press("esc ?")
			d.wantText("h ")
			d.close()
		}
	})
}

// H marks the listed turns on the board, one after the other.
func TestHintsAreMarked(t *testing.T) {
	withHarness(t, func(h *harness) {
		builtin := h.newBots(firstLegal)
		defer builtin.Close()
		m := h.finished("ana", "bob", `{"size":11,"pie":false}`, opening[:6]...)
		h.account("carol")
		for _, size := range []Size{{80, 24}, {60, 20}, {120, 40}} {
			s := setting{name: "carol", open: "replay " + m.Info.ID, bots: builtin, w: size.Width, h: size.Height}
			s.profile.ASCII = size.Width == 120
			d := h.visit(s)
			d.press("]")
			d.wantNoText("{", "next hint")
			d.press("h")
			d.wantText("›1. ", " 2. 61 %", "{", "!", "H next hint")
			first := d.text()
			if size.Width < 120 {
				d.same("hint"+suffix(s), strings.ReplaceAll(first, s.open[len("replay "):], "MATCHID"))
			}
			d.press("H")
			d.wantText("›2. ")
			if d.text() == first {
				t.Error("another turn is marked in the same way")
			}
			d.press("H H")
			if d.text() != first {
				t.Errorf("after three turns the first is not marked again:\n%s", d.text())
			}
			d.press("h")
			d.wantNoText("{", "›1.", "next hint")
			d.advance(client.HintInterval)
			d.press("h ]")
			d.wantNoText("{", "›1.")
			d.close()
		}
	})
}

// If the draft is the beginning of the marked turn, the rest is marked, otherwise nothing.
func TestHintsFollowTheDraft(t *testing.T) {
	h := &hint{advice: &search.Advice{Choices: []search.Choice{{Actions: []string{"a", "b", "end"}}, {Actions: []string{"c", "end"}}}}}
	for _, test := range []struct {
		asked  []string // the draft when the hint was requested
		marked int
		draft  []string
		want   []string
	}{
		{nil, 0, nil, []string{"a", "b", "end"}},
		{nil, 0, []string{"a"}, []string{"b", "end"}},
		{nil, 0, []string{"b"}, nil},
		{nil, 1, nil, []string{"c", "end"}},
		{nil, 1, []string{"a"}, nil},
		{nil, 1, []string{"c", "end", "d"}, nil},
		{[]string{"x"}, 1, []string{"x"}, []string{"c", "end"}},
		{[]string{"x"}, 1, []string{"x", "c"}, []string{"end"}},
		{[]string{"x"}, 1, nil, []string{"x", "c", "end"}},
		{[]string{"x"}, 1, []string{"c"}, nil},
	} {
		h.draft, h.markedTurn = test.asked, test.marked
		if got := h.remaining(test.draft); !slices.Equal(got, test.want) {
			t.Errorf("%+v: %q", test, got)
		}
	}
	if (&hint{}).remaining(nil) != nil || (*hint)(nil).remaining(nil) != nil {
		t.Error("a turn is marked though there is no advice")
	}
}

// In a game against a bot, h requests a hint, and moves in column h can still be typed.
func TestTypingColumnHBesideHints(t *testing.T) {
	withHarness(t, func(h *harness) {
		builtin := h.newBots(firstLegal)
		defer builtin.Close()
		h.account("dave")
		d := h.visit(setting{name: "dave", bots: builtin})
		defer d.close()
		d.press("b enter")
		d.advance(2 * time.Second)
		d.press("h")
		d.wantText("The engine", "{")
		d.advance(client.HintInterval)
		d.press("h h 7")
		d.wantNoText("The engine", "{")
		d.wantText("Your move: h7")
	})
}

// The computation of a hint is cancelled when its position is no longer shown.
func TestHintsEndWithThePosition(t *testing.T) {
	withHarness(t, func(h *harness) {
		stopped := make(chan struct{}, 10)
		builtin := h.newBots(func(ctx context.Context, _ engine.Position, _ search.Options) (search.Advice, error) {
			<-ctx.Done()
			stopped <- struct{}{}
			return search.Advice{}, ctx.Err()
		})
		defer builtin.Close()
		m := h.finished("ana", "bob", `{"size":11,"pie":false}`, opening[:6]...)
		h.account("carol")
		d := h.visit(setting{name: "carol", open: "replay " + m.Info.ID, bots: builtin})
		defer d.close()
		for i, keys := range []string{"]", "h", "home", "q"} {
			d.advance(2 * time.Second)
			d.press("h")
			d.wantText("The engine", "thinking …")
			d.press(keys)
			if len(stopped) != i+1 {
				t.Errorf("after %s the engine is still computing", keys)
			}
		}
	})
}

// There are no hints in running matches between people, in rated matches and for spectators of running
// matches; there are in a user's own casual matches against bots.
func TestWhereHintsAre(t *testing.T) {
	withHarness(t, func(h *harness) {
		builtin := h.newBots(firstLegal)
		defer builtin.Close()
		m := h.match("ana", "bob", `{"size":11,"pie":false}`, clock.Default, opening[:4]...)
		h.account("carol")
		for _, name := range []string{"ana", "bob", "carol"} {
			d := h.visit(setting{name: name, open: "watch " + m.Info.ID, bots: builtin})
			d.press("h")
			d.wantNoText("The engine", "h hint")
			d.press("[ h")
			d.wantNoText("The engine", "h hint")
			d.press("V h")
			d.wantNoText("The engine", "h hint")
			d.close()
		}
		h.account("dave")
		d := h.visit(setting{name: "dave", bots: builtin})
		defer d.close()
		d.press("b enter")
		d.advance(2 * time.Second)
		d.wantText("Your move", "h hint")
		d.press("h")
		d.wantText("The engine", "62 %")
		none := h.visit(setting{name: "bob", open: "watch " + m.Info.ID})
		defer none.close()
		if err := h.player(m, 1).Resign(h.t.Context()); err != nil {
			t.Fatal(err)
		}
		none.drainMessages()
		none.press("h")
		none.wantNoText("The engine", "h hint") // a server without bots
	})
}

// The chances are ordered by side, whichever seat plays Black.
func TestChancesStandBlackFirst(t *testing.T) {
	withHarness(t, func(h *harness) {
		builtin := h.newBots(firstLegal)
		defer builtin.Close()
		h.account("carol")
		for _, second := range []string{"a2-a3", "swap"} {
			m := h.finished("ana", "bob", `{"size":7,"pie":true}`, "b1-b2", second)
			d := h.visit(setting{name: "carol", open: "replay " + m.Info.ID, bots: builtin})
			d.press("end h")
			d.advance(time.Second)
			_, engine, _ := strings.Cut(d.text(), "The engine")
			for _, row := range strings.Split(engine, "\n")[1:3] { // the bar and the numbers
				if black, white := strings.Index(row, "●"), strings.LastIndex(row, "○"); black < 0 || white < black {
					t.Errorf("after %s:\n%s", second, row)
				}
			}
			d.close()
		}
	})
}
