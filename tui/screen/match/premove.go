package match

import (
	"context"
	"errors"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/engine"
	"ayumu/lobby/match"
	"ayumu/tui/game"
	"ayumu/tui/op"
	"ayumu/tui/screen"
	"ayumu/tui/widget"
	"ayumu/tui/words"
)

// maxPremove is the maximum number of characters of a premove: in some games a turn has many actions.
const maxPremove = 2000

// premoveKeys are the bindings of premoves. The first key is that of conditional moves, which are for correspondence games.
var premoveKeys = screen.Bindings[*playing]{
	{Key: screen.Keys(keyArm, keyArm, "in other games of two, while your opponent is to move: type your next move in advance, also one that is not possible yet. Or make it on the board, as when it is your turn. It is played when your turn comes if it is legal then, and dropped after a takeback or an offer; Esc drops it. It stays when you leave the game, until you leave the server"),
		When: (*playing).canPlan, Listed: (*playing).listsPremove, Do: (*playing).askPremove},
	{Key: screen.Keys("esc", "Esc", ""), Rank: rankAnswer, When: func(v *playing) bool { return v.premove().Text != "" && v.board.Typed() == "" }, Label: "drop move", Do: (*playing).dropPremove},
}

// premove returns the turn that the user has entered in advance; the zero value: none.
func (v *playing) premove() op.Premove { return v.Shell.Visit.Premoves[v.Snapshot.Info.ID] }

// listsPremove reports whether the match has premoves: it is one of two people, or of one and a bot, without conditional
// moves.
func (v *playing) listsPremove() bool {
	return v.isDuel() && !v.Snapshot.Info.Local && !v.HasConditions()
}

// canPlan implements viewer: it reports whether the user can enter a premove now.
func (v *playing) canPlan() bool {
	return v.listsPremove() && v.isRunning() && !v.Snapshot.Frozen && !v.IsOwnTurn() && !v.isSubmitting() && !v.IsOut() && !v.isReviewing && v.variation == nil
}

// Commands implements screen.Commander.
func (v *playing) Commands() []screen.Command {
	all := v.live.Commands()
	if v.canPlan() {
		all = append(all, screen.Command{Name: "premove", Help: "enter your next move in advance", Key: keyArm, Do: v.askPremove})
	}
	return all
}

// askPremove asks for a premove.
func (v *playing) askPremove() tea.Cmd { return v.askPremoveFrom("") }

// askPremoveFrom asks for a premove that begins with a text.
func (v *playing) askPremoveFrom(text string) tea.Cmd {
	version := v.Snapshot.Version
	p := &screen.Prompt{
		TextField: widget.TextField{Limit: maxPremove}, Label: "Your next move", EnterHelp: "plan",
	}
	p.Enter = func(text string) tea.Cmd {
		if g, checks := v.Game.(game.PremoveChecker); checks {
			if err := g.CheckPremove(v.Snapshot.Position, text); err != nil {
				p.Failure = words.Sentence(err.Error())
				p.Set(text)
				return v.Shell.OpenPrompt(p)
			}
		}
		actions, _ := v.Game.ParseTurn(v.Snapshot.Position, text) // it may depend on what the opponent does
		v.plan(op.Premove{Text: text, Actions: actions, Version: version})
		return v.playPremove() // the opponent may have moved meanwhile
	}
	p.Set(text)
	return v.Shell.OpenPrompt(p)
}

// whyNoPremove shows why the key of premoves and of conditional moves does nothing now.
func (v *playing) whyNoPremove() tea.Cmd {
	why := "it is your turn; " + keyArm + " takes your next move while your opponent is to move"
	switch {
	case v.IsMultiplayer():
		why = "only in games of two can moves be entered in advance, because here others move between"
	case !v.IsOwnTurn():
		return v.explainWhy()
	}
	v.Shell.NotifyError("%s", why)
	return nil
}

// beginTyped handles a character that begins a typed turn on boards of cells, such as the sign of -1,2, while the turn
// cannot be entered on the board: it begins a premove. Where there are none it shows why, and what follows is swallowed: the
// comma of the cell would step through the match.
func (v *playing) beginTyped(key string) tea.Cmd {
	if v.canPlan() {
		return v.askPremoveFrom(key)
	}
	v.droppedTyping.begin(time.Now())
	return v.explainWhy()
}

// typesCells reports whether a typed turn of the running match begins with a cell, not with a letter.
func (v *playing) typesCells() bool {
	_, takesLetters := v.board.(game.LetterTaker)
	return v.isRunning() && !takesLetters
}

// plan keeps a premove in place of an earlier one.
func (v *playing) plan(p op.Premove) {
	v.Shell.Visit.Premoves[v.Snapshot.Info.ID] = p
	v.show()
}

// dropPremove gives up the premove; Esc on the board first gives up a chosen stone.
func (v *playing) dropPremove() tea.Cmd {
	if cmd, used := v.handleBoard("esc"); used {
		return cmd
	}
	delete(v.Shell.Visit.Premoves, v.Snapshot.Info.ID)
	v.show()
	return nil
}

// playPremove sends the premove if the opponent has moved, or drops it with the reason if it cannot be played.
func (v *playing) playPremove() tea.Cmd {
	planned := v.premove()
	turn, why, isDue := duePremove(v.Match, planned)
	if !isDue {
		return nil
	}
	delete(v.Shell.Visit.Premoves, v.Snapshot.Info.ID)
	switch v.show(); {
	case why != nil:
		v.Shell.NotifyEvents("Your move " + planned.Text + " was not played: " + why.Error() + ".")
		return nil
	case turn == nil:
		return nil
	}
	return v.handleTurn(game.InputResult{Handled: true, Turn: turn})
}

// duePremove returns the turn of a premove if the opponent has moved, or why it cannot be played; both are nil if the match
// has ended. isDue is false while the premove is to be kept.
func duePremove(m *op.Match, planned op.Premove) (turn []string, why error, isDue bool) {
	s := m.Snapshot
	isOffered := slices.ContainsFunc(s.Offers, func(o match.Offer) bool { return o.Seat != m.Seat }) // it ends with the next turn
	if planned.Text == "" || s.Version == planned.Version && !s.IsOver() && !isOffered {
		return nil, nil, false
	}
	switch last := s.Log[len(s.Log)-1]; {
	case s.IsOver() || m.IsOut():
		return nil, nil, true
	case isOffered:
		return nil, errors.New("there is an offer to answer"), true
	case !m.IsOwnTurn() || last.Kind != match.EntryTurn || last.Seat == m.Seat:
		return nil, errors.New("the position has changed"), true
	}
	if turn, why = m.Game.ParseTurn(s.Position, planned.Text); why == nil {
		_, why = engine.PlayTurn(s.Position, turn)
	}
	return turn, why, true
}

// PlayPremoves does for the matches that are not shown what playPremove does for the one that is. Call it after each change
// in the lobby.
func PlayPremoves(sh *screen.Shell) tea.Cmd {
	var cmds []tea.Cmd
	for id, planned := range sh.Visit.Premoves {
		if v, ok := sh.Current().(*playing); ok && v.Snapshot.Info.ID == id {
			continue
		}
		m, err := sh.Visit.OpenMatch(id, "")
		if err != nil {
			delete(sh.Visit.Premoves, id) // it is over and gone
			continue
		}
		turn, why, isDue := duePremove(m, planned)
		if !isDue {
			continue
		}
		delete(sh.Visit.Premoves, id)
		game := " in your game " + words.WithOpponents(m.Snapshot.Info, sh.Session.Account().ID)
		switch {
		case why != nil:
			sh.NotifyEvents("Your move " + planned.Text + game + " was not played: " + why.Error() + ".")
		case turn != nil:
			cmds = append(cmds, screen.Try(sh, func(ctx context.Context) (int, error) {
				return m.Player.Act(ctx, m.Snapshot.Version, turn)
			}, func(_ int, failed error) tea.Cmd {
				if failed != nil {
					sh.NotifyFailure(failed)
				} else {
					sh.NotifyEvents("Your move " + planned.Text + game + " was played.")
				}
				return sh.Refresh()
			}))
		}
	}
	return tea.Batch(cmds...)
}
