package match

import (
	"errors"
	"slices"

	tea "charm.land/bubbletea/v2"

	"ayumu/engine"
	"ayumu/lobby/match"
	"ayumu/tui/game"
	"ayumu/tui/screen"
	"ayumu/tui/widget"
)

// premove is a turn that a player has typed while the opponent is to move. It is known to this screen alone, and sent when
// the turn comes if it is legal then; where the server can answer there are conditional moves instead. The zero value is
// none.
type premove struct {
	text    string   // as it was typed; "": none
	actions []string // to mark on the board; nil if what was typed means nothing in the position of the opponent
	version int      // of the match when it was typed
}

// maxPremove is the maximum number of characters of a premove: in some games a turn has many actions.
const maxPremove = 2000

// premoveKeys are the bindings of premoves. The first key is that of conditional moves, which are for correspondence games.
var premoveKeys = screen.Bindings[*playing]{
	{Key: screen.Keys(keyArm, keyArm, "in other games of two, while your opponent is to move: type your next move in advance. It is played when your turn comes if it is legal then, and dropped after a takeback or an offer; Esc drops it"),
		When: (*playing).canPremove, Listed: (*playing).listsPremove, Do: (*playing).askPremove},
	{Key: screen.Keys("esc", "Esc", ""), Rank: rankAnswer, When: func(v *playing) bool { return v.premove.text != "" && v.board.Typed() == "" }, Label: "drop move", Do: func(v *playing) tea.Cmd {
		v.premove = premove{}
		v.show()
		return nil
	}},
}

// listsPremove reports whether the match has premoves: it is one of two people, or of one and a bot, without conditional
// moves.
func (v *playing) listsPremove() bool {
	return v.isDuel() && !v.Snapshot.Info.Local && !v.HasConditions()
}

// canPremove reports whether the user can enter a premove now.
func (v *playing) canPremove() bool {
	return v.listsPremove() && v.isRunning() && !v.Snapshot.Frozen && !v.IsOwnTurn() && !v.IsOut() && !v.isReviewing && v.variation == nil
}

// Commands implements screen.Commander.
func (v *playing) Commands() []screen.Command {
	all := v.live.Commands()
	if v.canPremove() {
		all = append(all, screen.Command{Name: "premove", Help: "enter your next move in advance", Key: keyArm, Do: v.askPremove})
	}
	return all
}

// askPremove asks for a premove.
func (v *playing) askPremove() tea.Cmd {
	version := v.Snapshot.Version
	return v.Shell.OpenPrompt(&screen.Prompt{
		TextField: widget.TextField{Limit: maxPremove}, Label: "Your next move", EnterHelp: "plan",
		Enter: func(text string) tea.Cmd {
			actions, _ := v.Game.ParseTurn(v.Snapshot.Position, text) // it may depend on what the opponent does
			v.premove = premove{text, actions, version}
			cmd := v.playPremove() // the opponent may have moved meanwhile
			v.show()
			return cmd
		},
	})
}

// playPremove sends the premove if the opponent has moved, or drops it with the reason if it cannot be played.
func (v *playing) playPremove() tea.Cmd {
	s, planned := v.Snapshot, v.premove
	isOffered := slices.ContainsFunc(s.Offers, func(o match.Offer) bool { return o.Seat != v.Seat }) // it ends with the next turn
	if planned.text == "" || s.Version == planned.version && !s.IsOver() && !isOffered {
		return nil
	}
	v.premove = premove{}
	turn, err := v.Game.ParseTurn(s.Position, planned.text)
	switch last := s.Log[len(s.Log)-1]; {
	case s.IsOver() || v.IsOut():
		return nil
	case isOffered:
		err = errors.New("there is an offer to answer")
	case !v.IsOwnTurn() || last.Kind != match.EntryTurn || last.Seat == v.Seat:
		err = errors.New("the position has changed")
	case err == nil:
		_, err = engine.PlayTurn(s.Position, turn)
	}
	if err != nil {
		v.show()
		v.Shell.NotifyEvents("Your move " + planned.text + " was not played: " + err.Error() + ".")
		return nil
	}
	return v.handleTurn(game.InputResult{Handled: true, Turn: turn})
}
