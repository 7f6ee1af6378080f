package tui

import (
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby/clock"
	"ayumu/tui/game"
)

// keyRecorder is a board that handles no key and records all that it receives.
type keyRecorder struct {
	game.Board
	keys []string
}

func (k *keyRecorder) Typed() string { return "" }

func (k *keyRecorder) Key(key string) game.InputResult {
	k.keys = append(k.keys, key)
	return game.InputResult{}
}

// TestBoardsGetEveryKeyThatIsNotAScreenKey compares game.ScreenKeys with the keys that the screen of a
// match handles, for a player and a spectator, while the match is running and when it is over.
func TestBoardsGetEveryKeyThatIsNotAScreenKey(t *testing.T) {
	withHarness(t, func(h *harness) {
		taken := make(map[string]bool)
		for _, over := range []bool{false, true} {
			m := h.match("ana", "bob", `{"size":5,"pie":false}`, clock.Control{})
			if over {
				if err := h.player(m, 0).Resign(h.t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			for _, name := range []string{"ana", "cyd"} {
				h.account(name)
				d := h.visit(setting{name: name, open: "watch " + m.Info.ID})
				for key := '!'; key <= '~'; key++ {
					v, err := newMatchScreen(d.app, m.Info.ID, "")
					if err != nil {
						t.Fatal(err)
					}
					v.Refresh()
					board := &keyRecorder{Board: v.board}
					v.board = board
					v.Handle(tea.KeyPressMsg(tea.Key{Code: key, Text: string(key)}))
					if !slices.Contains(board.keys, string(key)) {
						taken[string(key)] = true
					}
				}
				d.close()
			}
		}
		for key := '!'; key <= '~'; key++ {
			// H needs a hint with several turns, and w an absent player.
			want := strings.ContainsRune(game.ScreenKeys, key)
			if want != taken[string(key)] && key != 'H' && key != 'w' {
				t.Errorf("%c: taken by the screen is %t, in ScreenKeys %t", key, taken[string(key)], want)
			}
		}
	})
}
