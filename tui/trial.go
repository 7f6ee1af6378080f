package tui

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"ayumu/engine"
	"ayumu/lobby"
	"ayumu/tui/board"
	"ayumu/tui/paint"
	"ayumu/tui/words"
)

// trial is a line of one's own that branches off a match, in which both sides' turns are tried.
// Nobody else sees it, and the match knows nothing of it.
type trial struct {
	from      int               // the turn after which it branches off
	positions []engine.Position // there, and after each turn of the line
	turns     [][]string
	at        int      // turns of the line that are shown
	draft     []string // the turn that is being made
}

// maxTrial bounds a line of one's own, in turns.
const maxTrial = 500

// try branches off the position that is shown.
func (v *matchView) try() tea.Cmd {
	all := v.record.positions()
	from := v.shownPly()
	if from >= len(all) {
		v.app.complain("the earlier positions cannot be shown")
		return nil
	}
	if _, over := all[from].Result(); over {
		v.app.complain("the game is over here; step back first")
		return nil
	}
	t := &trial{from: from, positions: all[from : from+1 : from+1]}
	if v.mine() && !v.back {
		t.draft = slices.Clone(v.draft())
	}
	v.trial, v.playAt = t, noTime
	v.showPosition()
	return nil
}

// endTrial goes back to the game, where it was left.
func (v *matchView) endTrial() tea.Cmd {
	v.trial = nil
	v.app.tell("Back in the game; nobody has seen your line.")
	v.showPosition()
	return nil
}

// state is what the board shows of the line: whoever is to move may be moved.
func (t *trial) state() board.State {
	p := t.positions[t.at]
	_, over := p.Result()
	s := board.State{Position: p, Seat: p.Turn(), Live: !over}
	if t.at > 0 {
		s.Last, s.Before = t.turns[t.at-1], t.positions[t.at-1]
	}
	if !over {
		s.Draft = t.draft
	}
	return s
}

// play adds a turn after those that are shown, in place of what followed them.
func (t *trial) play(turn []string) error {
	next, err := engine.PlayTurn(t.positions[t.at], turn)
	switch {
	case err != nil:
		return err
	case t.at == maxTrial:
		return engine.Illegal("", "your line is long enough; Esc leads back to the game")
	}
	t.turns = append(t.turns[:t.at:t.at], turn)
	t.positions = append(t.positions[:t.at+1:t.at+1], next)
	t.at, t.draft = t.at+1, nil
	return nil
}

func (t *trial) step(by int) {
	if to := max(min(t.at+by, len(t.turns)), 0); to != t.at {
		t.at, t.draft = to, nil
	}
}

// tried takes what an input to the board led to.
func (v *matchView) tried(a board.Answer) tea.Cmd {
	if a.Draft != nil {
		v.trial.draft = a.Draft
	}
	if a.Turn != nil {
		if err := v.trial.play(a.Turn); err != nil {
			v.app.complain("%v", err)
		}
	}
	v.showPosition()
	return nil
}

func (v *matchView) trialKey(key string) tea.Cmd {
	t := v.trial
	switch key {
	case "[", ",", "pgup":
		t.step(-1)
	case "]", ".", "pgdown":
		t.step(1)
	case "home":
		t.step(-maxTrial)
	case "end":
		t.step(maxTrial)
	case "?":
		return v.app.openHelp()
	case "t":
		return v.talk()
	case "V", "q":
		return v.endTrial()
	default:
		if a := v.board.Key(key); a.Used {
			return v.answered(a)
		}
		if key == "esc" {
			return v.endTrial()
		}
	}
	v.showPosition()
	return nil
}

// trialLines say that this is not the game, and whose move it would be.
func (v *matchView) trialLines() []styled {
	t, theme := v.trial, v.app.look.Theme
	text := fmt.Sprintf("Your own line, %s from turn %d; Esc back to the game.", words.Plural(t.at, "move"), t.from)
	if t.at == 0 {
		text = fmt.Sprintf("Your own line from turn %d: move either side; Esc back to the game.", t.from)
	}
	lines := []styled{{text, theme.Note}}
	p := t.positions[t.at]
	if r, over := p.Result(); over {
		lines = append(lines, styled{words.Sentence("it would end here: " + v.game.Ending(p, r)), theme.Text})
	} else {
		lines = append(lines, styled{words.Sentence(v.game.Side(p, p.Turn()) + " is to move"), theme.Text})
	}
	if n := len(v.record.entries) - t.from; n > 0 && !v.back && !v.snap.Over() {
		lines = append(lines, styled{"The game has gone on by " + words.Plural(n, "turn") + ".", theme.Note})
	}
	return lines
}

func (v *matchView) trialKeys() []board.Key {
	keys := []board.Key{{Key: "Esc", Does: "back to the game"}}
	if len(v.trial.turns) > 0 {
		keys = append(keys, board.Key{Key: "[ ]", Does: "step"})
	}
	keys = append(keys, v.hintKeys()...)
	return append(append(keys, v.board.Offers()...), board.Key{Key: "?", Does: "help"})
}

// moveList is the list of moves as it is drawn.
type moveList struct {
	title   string
	style   paint.Style // of the title
	entries []lobby.Entry
	texts   []string
	width   int // of the widest text
	at      int // the turn that is shown; -1: none
	own     int // from which turn on it is a line of one's own
	chosen  bool
}

// moves returns the turns of the game, or those before a line of one's own with that line.
func (v *matchView) moves() moveList {
	t := v.app.look.Theme
	r := v.record
	l := moveList{style: t.Dim, entries: r.entries, texts: r.texts, width: r.width, own: len(r.entries), chosen: v.back}
	switch {
	case v.trial != nil:
		from := min(v.trial.from, len(r.entries)) // a turn may have been taken back meanwhile
		l.title, l.style, l.own, l.chosen = "your own line", t.Note, from, true
		l.at = from + v.trial.at - 1
		l.entries, l.texts = slices.Clone(r.entries[:from]), slices.Clone(r.texts[:from])
		for i, turn := range v.trial.turns {
			text := v.game.Short(turn)
			l.entries = append(l.entries, lobby.Entry{Kind: lobby.Turn, Seat: v.trial.positions[i].Turn(), Actions: turn})
			l.texts, l.width = append(l.texts, text), max(l.width, paint.Width(text))
		}
	case v.back:
		l.title, l.at = fmt.Sprintf("turn %d of %d", v.turnsAt(v.ply), v.snap.Turns), v.ply-1
	default:
		l.title, l.at = words.Plural(v.snap.Turns, "turn"), len(r.entries)-1
	}
	return l
}
