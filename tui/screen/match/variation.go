package match

import (
	"fmt"
	"slices"

	"ayumu/lobby/match"
	"ayumu/tui/game"
	"ayumu/tui/op"
	"ayumu/tui/paint"
	"ayumu/tui/words"
)

// variation is a line of turns that branches off the match that is shown.
type variation struct {
	op.Variation
	base  int      // number of entries before the branch
	draft []string // actions of the unfinished turn
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

// apply applies what the user did on the board.
func (t *variation) apply(res game.InputResult) error {
	if res.Draft != nil {
		t.draft = res.Draft
	}
	if res.Turn == nil {
		return nil
	}
	err := t.Play(res.Turn)
	if err == nil {
		t.draft = nil
	}
	return err
}

// step shows an earlier or later position of the line.
func (t *variation) step(by int) {
	if t.Step(by) {
		t.draft = nil
	}
}

// variationLines describes the variation and who is to move in it.
func (v *view) variationLines() []styledText {
	t, theme := v.variation, v.Shell.Style.Theme
	text := fmt.Sprintf("%s tried from turn %d. Esc: back to the game.", words.Plural(t.Shown, "move"), t.base)
	if t.Shown == 0 {
		text = fmt.Sprintf("From turn %d: try moves of either side. Esc: back to the game.", t.base)
	}
	lines := []styledText{{text, theme.Notice}}
	p := t.Position()
	if r, over := p.Result(); over {
		lines = append(lines, styledText{words.Sentence("the game would end here: " + words.Ending(v.Game, p, r)), theme.Text})
	} else {
		lines = append(lines, styledText{words.Sentence(v.Game.Side(p, p.Turn()) + " to move"), theme.Text})
	}
	if n := len(v.turns.Entries) - t.base; n > 0 && !v.isReviewing && !v.Snapshot.IsOver() {
		lines = append(lines, styledText{"The game has advanced by " + words.Plural(n, "turn") + ".", theme.Notice})
	}
	return lines
}

// turnList is the list of turns to draw.
type turnList struct {
	title         string
	style         paint.Style // of the title
	record        *turnRecord
	shownTurn     int // index of the turn before the position; -1: none
	variationFrom int // index of the variation's first turn
	isSelected    bool
}

// listedTurns returns the turns of the match, or those before a variation followed by the variation.
func (v *view) listedTurns() turnList {
	t := v.Shell.Style.Theme
	r := v.turns
	l := turnList{style: t.Dim, record: r, variationFrom: len(r.Entries), isSelected: v.isReviewing}
	switch {
	case v.variation != nil:
		from := min(v.variation.base, len(r.Entries)) // turns may have been taken back meanwhile
		l.title, l.style, l.variationFrom, l.isSelected = "tried moves", t.Notice, from, true
		l.shownTurn = from + v.variation.Shown - 1
		all := &turnRecord{Entries: slices.Clone(r.Entries[:from]), Texts: slices.Clone(r.Texts[:from]), Width: r.Width}
		for i, turn := range v.variation.Turns {
			text := v.Game.ShortTurn(turn)
			all.Entries = append(all.Entries, match.Entry{Kind: match.EntryTurn, Seat: v.variation.Positions[i].Turn(), Actions: turn})
			all.Texts, all.Width = append(all.Texts, text), max(all.Width, paint.Width(text))
		}
		l.record = all
	case v.isReviewing:
		l.title, l.shownTurn = words.Plural(v.Snapshot.Turns, "turn"), v.ply-1
		if v.playback.isRunning() { // else the text above says which turn is shown
			l.title = fmt.Sprintf("turn %d of %d", countTurns(r.Entries[:v.ply]), v.Snapshot.Turns)
		}
	default:
		l.title, l.shownTurn = words.Plural(v.Snapshot.Turns, "turn"), len(r.Entries)-1
	}
	return l
}
