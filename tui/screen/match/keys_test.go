package match_test

import (
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby/clock"
	"ayumu/tui/game"
	"ayumu/tui/screen/dest"
	"ayumu/tui/screen/match"
	"ayumu/tui/screen/screentest"
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
	screentest.With(t, func(h *screentest.Harness) {
		taken := make(map[string]bool)
		for _, over := range []bool{false, true} {
			m := h.StartMatch("ana", "bob", `{"size":5,"pie":false}`, clock.Control{})
			if over {
				if err := h.Player(m, 0).Resign(h.T.Context()); err != nil {
					t.Fatal(err)
				}
			}
			for _, name := range []string{"ana", "cyd"} {
				h.Account(name)
				d := h.Visit(screentest.Setting{Name: name, Open: "watch " + m.Info.ID})
				for key := '!'; key <= '~'; key++ {
					d.Open(dest.Match{ID: m.Info.ID})
					board := new(keyRecorder)
					match.ReplaceBoard(d.Current(), func(b game.Board) game.Board {
						board.Board = b
						return board
					})
					d.Current().Handle(tea.KeyPressMsg(tea.Key{Code: key, Text: string(key)}))
					if !slices.Contains(board.keys, strings.ToLower(string(key))) {
						taken[string(key)] = true
					}
				}
				d.Close()
			}
		}
		for key := '!'; key <= '~'; key++ {
			// h needs an engine, and ; a correspondence game. u takes back, on the screen or on the board.
			want := strings.Contains(game.ScreenKeys, strings.ToLower(string(key)))
			if want != taken[string(key)] && !strings.ContainsRune("hH;uU", key) {
				t.Errorf("%c: taken by the screen is %t, in ScreenKeys %t", key, taken[string(key)], want)
			}
		}
	})
}
