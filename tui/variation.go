package tui

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby"
	"ayumu/tui/client"
	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/words"
)

// variation is a line of turns that branches off the match that is shown.
type variation struct {
	client.Variation
	base  int      // number of entries before the branch
	draft []string // actions of the unfinished turn
}

// startVariation starts a variation at the position that is shown.
func (v *matchScreen) startVariation() tea.Cmd {
	all := v.turnRecord.positions()
	from := v.shownPly()
	if from >= len(all) {
		v.app.NotifyError("the earlier positions cannot be shown")
		return nil
	}
	line, err := client.NewVariation(all[from])
	if err != nil {
		v.app.NotifyError("%v", err)
		return nil
	}
	t := &variation{Variation: line, base: from}
	if v.IsOwnTurn() && !v.isReviewing {
		t.draft = slices.Clone(v.draft())
	}
	v.variation, v.nextTurnAt = t, zeroTime
	v.showPosition()
	return nil
}

// endVariation returns to the match as it was left.
func (v *matchScreen) endVariation() tea.Cmd {
	v.variation = nil
	v.app.Notify("Back in the game. Your analysis is not shown to anyone.")
	v.showPosition()
	return nil
}

// state returns what the board shows; the user moves for both sides.
func (t *variation) state() game.State {
	p := t.Position()
	_, over := p.Result()
	s := game.State{Position: p, Seat: p.Turn(), CanAct: !over}
	if t.Shown > 0 {
		s.LastTurn, s.Previous = t.Turns[t.Shown-1], t.Positions[t.Shown-1]
	}
	if !over {
		s.Draft = t.draft
	}
	return s
}

// play appends a turn after the position that is shown.
func (t *variation) play(turn []string) error {
	if err := t.Play(turn); err != nil {
		return err
	}
	t.draft = nil
	return nil
}

// step shows an earlier or later position of the line.
func (t *variation) step(by int) {
	if t.Step(by) {
		t.draft = nil
	}
}

// handleVariationResult applies the board's result of an input.
func (v *matchScreen) handleVariationResult(res game.InputResult) tea.Cmd {
	if res.Draft != nil {
		v.variation.draft = res.Draft
	}
	if res.Turn != nil {
		if err := v.variation.play(res.Turn); err != nil {
			v.app.NotifyError("%v", err)
		}
	}
	v.showPosition()
	return nil
}

func (v *matchScreen) handleVariationKey(key string) tea.Cmd {
	t := v.variation
	switch key {
	case "[", ",", "pgup":
		t.step(-1)
	case "]", ".", "pgdown":
		t.step(1)
	case "home":
		t.step(-len(t.Turns))
	case "end":
		t.step(len(t.Turns))
	case "?":
		return v.app.OpenHelp()
	case "t":
		return v.openChat()
	case "V", "q":
		return v.endVariation()
	default:
		if res := v.board.Key(key); res.Handled {
			return v.handleResult(res)
		}
		if key == "esc" {
			return v.endVariation()
		}
	}
	v.showPosition()
	return nil
}

// variationLines describes the variation and who is to move in it.
func (v *matchScreen) variationLines() []styledText {
	t, theme := v.variation, v.app.Style.Theme
	text := fmt.Sprintf("Analysis, %s from turn %d. Esc: back to the game.", words.Plural(t.Shown, "move"), t.base)
	if t.Shown == 0 {
		text = fmt.Sprintf("Analysis from turn %d: move either side. Esc: back to the game.", t.base)
	}
	lines := []styledText{{text, theme.Notice}}
	p := t.Position()
	if r, over := p.Result(); over {
		lines = append(lines, styledText{words.Sentence("the game would end here: " + v.Game.DescribeEnding(p, r)), theme.Text})
	} else {
		lines = append(lines, styledText{words.Sentence(v.Game.Side(p, p.Turn()) + " to move"), theme.Text})
	}
	if n := len(v.turnRecord.entries) - t.base; n > 0 && !v.isReviewing && !v.Snapshot.IsOver() {
		lines = append(lines, styledText{"The game has advanced by " + words.Plural(n, "turn") + ".", theme.Notice})
	}
	return lines
}

func (v *matchScreen) variationKeys() []game.Key {
	keys := []game.Key{{Key: "Esc", Help: "back to the game"}}
	if len(v.variation.Turns) > 0 {
		keys = append(keys, game.Key{Key: "[ ]", Help: "step"})
	}
	keys = append(keys, v.hintKeys()...)
	return append(append(keys, v.board.StatusKeys()...), game.Key{Key: "?", Help: "help"})
}

// moveList is the list of turns to draw.
type moveList struct {
	title         string
	style         paint.Style // of the title
	entries       []lobby.Entry
	texts         []string
	width         int // of the widest text
	shownTurn     int // index of the turn before the position; -1: none
	variationFrom int // index of the variation's first turn
	isSelected    bool
}

// moves returns the turns of the match, or those before a variation followed by the variation.
func (v *matchScreen) moves() moveList {
	t := v.app.Style.Theme
	r := v.turnRecord
	l := moveList{style: t.Dim, entries: r.entries, texts: r.texts, width: r.width, variationFrom: len(r.entries), isSelected: v.isReviewing}
	switch {
	case v.variation != nil:
		from := min(v.variation.base, len(r.entries)) // turns may have been taken back meanwhile
		l.title, l.style, l.variationFrom, l.isSelected = "analysis", t.Notice, from, true
		l.shownTurn = from + v.variation.Shown - 1
		l.entries, l.texts = slices.Clone(r.entries[:from]), slices.Clone(r.texts[:from])
		for i, turn := range v.variation.Turns {
			text := v.Game.ShortTurn(turn)
			l.entries = append(l.entries, lobby.Entry{Kind: lobby.EntryTurn, Seat: v.variation.Positions[i].Turn(), Actions: turn})
			l.texts, l.width = append(l.texts, text), max(l.width, paint.Width(text))
		}
	case v.isReviewing:
		l.title, l.shownTurn = fmt.Sprintf("turn %d of %d", v.turnsAt(v.ply), v.Snapshot.Turns), v.ply-1
	default:
		l.title, l.shownTurn = words.Plural(v.Snapshot.Turns, "turn"), len(r.entries)-1
	}
	return l
}
