package match

import (
	"fmt"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby/match"
	"ayumu/tui/game"
	"ayumu/tui/op"
	"ayumu/tui/screen"
	"ayumu/tui/screen/dest"
	"ayumu/tui/words"
)

// local shows a local match to its players, who sit at the keyboard together: each turn is that of the seat to move, and all
// texts are for everyone.
type local struct{ playing }

func newLocal(sh *screen.Shell, m *op.Match) *local {
	v := new(local)
	v.init(sh, m, v)
	v.coaching.playing = &v.playing
	return v
}

var localKeys = newKeyTable(slices.Concat(
	ofLocal(ofPlaying(viewKeys)), ofLocal(ofPlaying(hintKeys)),
	screen.Bindings[*local]{
		{Key: screen.Keys("u", "u", "take back the last move, whoever made it"), Rank: rankEnd, When: func(v *local) bool { return v.isRunning() && len(v.shownDraft()) == 0 },
			LabelOf: func(v *local) string {
				if v.lastMover() == "" {
					return ""
				}
				return atLivePosition("takeback")(&v.playing)
			}, Do: (*local).askTakeback},
		{Key: screen.Keys("m", "m", "play again after the game; another player moves first"), Rank: rankReview + 2, When: (*local).isOver,
			LabelOf: func(v *local) string {
				if v.isReviewing {
					return ""
				}
				return "play again"
			}, Do: (*local).playAgain},
	},
	ofLocal(ofPlaying(boardKeys(rankLive))), screen.Bindings[*local]{paletteHelp[*local](), screen.HelpKey[*local]()},
), slices.Concat(ofLocal(ofPlaying(lateKeys)), screen.Bindings[*local]{
	{Key: screen.Keys("enter space", "", ""), When: (*local).isRunning, Do: (*local).explainWhy},
}))

// ofLocal adapts bindings of a player.
func ofLocal(b screen.Bindings[*playing]) screen.Bindings[*local] {
	return screen.Part(func(v *local) *playing { return &v.playing }, b)
}

// Handle implements screen.Screen.
func (v *local) Handle(msg tea.Msg) tea.Cmd { return handle(v, &v.view, &localKeys, msg) }

// StatusKeys implements screen.Screen.
func (v *local) StatusKeys() []game.Key { return statusKeys(v, &v.view, &localKeys) }

// Operate implements screen.OperationHandler: what is typed does the same as the keys.
func (v *local) Operate(name, args string) (cmd tea.Cmd, ok bool) {
	switch {
	case name == "undo":
		return v.takeBack(), true
	case (name == "resign" || name == "abort" && v.Snapshot.CanAbort) && v.isRunning():
		return v.resign(), true
	case name == "rematch" && v.isOver():
		return v.playAgain(), true
	case name == "say":
		return v.chat(), true
	}
	return v.playing.Operate(name, args)
}

// Help implements screen.Screen.
func (v *local) Help() screen.Help {
	p := v.help()
	p.Title = "A game at one keyboard"
	p.About = "All players sit at this keyboard. The arrow marks the player to move. The game has no clock, is never rated, and waits for you when you leave it."
	p.Keys = screen.ShownKeys(v.board, localKeys.all.Help(v))
	return p
}

// lines implements viewer.
func (v *local) lines(time.Time) []styledText {
	if lines := v.positionLines(); lines != nil {
		return lines
	}
	s := v.Snapshot
	if s.IsOver() || s.Frozen {
		return v.stateLines()
	}
	t, turn := v.Shell.Style.Theme, s.Position.Turn()
	return []styledText{{words.Sentence(v.Game.Side(s.Position, turn) + " to move: " + s.Info.Seats[turn].Name), t.Notice}, {v.board.Prompt(), t.Text}}
}

// tips implements viewer.
func (v *local) tips() tips { return tips{} }

// headerNote implements viewer.
func (v *local) headerNote(int) string { return "at one keyboard" }

// chat implements viewer.
func (v *local) chat() tea.Cmd {
	v.Shell.Notify("A game at one keyboard has no chat.")
	return nil
}

// footer implements viewer.
func (v *local) footer() panelFooter {
	text := "u: take back the last move.\nThe game waits for you when you leave it."
	if v.Snapshot.IsOver() {
		text = "m: play again; another player moves first."
	}
	return panelFooter{title: "At one keyboard", text: text, minRows: 3, isFixed: true}
}

// lastMover returns the name of the player who made the last turn; "" if there is none.
func (v *local) lastMover() string {
	for _, e := range slices.Backward(v.turns.Entries) {
		if e.Kind == match.EntryTurn {
			return v.Snapshot.Info.Seats[e.Seat].Name
		}
	}
	return ""
}

// askTakeback takes back the last turn after a confirmation; see confirmTakeback.
func (v *local) askTakeback() tea.Cmd {
	name := v.lastMover()
	if name == "" {
		return v.takeBack() // says why not
	}
	return v.Shell.Confirm(screen.YesNo("Take back the last turn, "+name+"'s?", "take back", "cancel", v.takeBack))
}

// takeBack takes back the last turn, and drops one that is being made.
func (v *local) takeBack() tea.Cmd {
	v.setDraft(nil)
	return runSeatOp(&v.playing, op.Undo, v.seatArgs())
}

// resign aborts the match while that is possible, and otherwise lets the player to move resign, after a confirmation.
func (v *local) resign() tea.Cmd {
	if v.Snapshot.CanAbort {
		return v.playing.resign()
	}
	s := v.Snapshot
	turn := s.Position.Turn()
	question := fmt.Sprintf("%s (%s) resigns?", s.Info.Seats[turn].Name, v.Game.Side(s.Position, turn))
	return v.Shell.Ask(screen.YesNo(question, "resign", "play on", func() tea.Cmd {
		return runSeatOp(&v.playing, op.Resign, v.seatArgs())
	}))
}

// playAgain starts the same match again.
func (v *local) playAgain() tea.Cmd {
	return screen.Run(v.Shell, op.Local, op.LocalAgain(v.Snapshot.Info), func(r op.StartResult) tea.Cmd {
		return v.Shell.Open(dest.Match{ID: r.Match, IsExpected: true})
	})
}
