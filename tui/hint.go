package tui

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/engine"
	"ayumu/engine/bot"
	"ayumu/lobby"
	"ayumu/tui/board"
	"ayumu/tui/paint"
	"ayumu/tui/words"
)

const (
	hintKey  = "h"
	otherKey = "H" // marks the next one of the turns
)

// For screens and lines alike:
const (
	HintTurns = 3           // the best ones that are shown
	HintPause = time.Second // between two questions of a session
)

// hint is what the engine thinks of a position that is shown.
type hint struct {
	position engine.Position // without the draft
	draft    []string        // the part of the turn that had been made
	advice   *bot.Advice     // nil: it still thinks
	marked   int             // the turn that is marked on the board
	wrong    string          // why there is none
	cancel   context.CancelFunc
}

// turns are the turns that are listed.
func (h *hint) turns() []bot.Choice {
	if h == nil || h.advice == nil {
		return nil
	}
	return h.advice.Choices[:min(len(h.advice.Choices), HintTurns)]
}

// rest returns what the marked turn still needs where a draft has begun it; nil if the draft is
// another one.
func (h *hint) rest(draft []string) []string {
	list := h.turns()
	if list == nil {
		return nil
	}
	turn := slices.Concat(h.draft, list[h.marked].Actions)
	if n := len(draft); n <= len(turn) && slices.Equal(turn[:n], draft) {
		return turn[n:]
	}
	return nil
}

// MayHint reports whether somebody may ask the engine in a match, in which he has a seat or, with -1,
// has none: about a game that is over, and in a casual game of his own against bots alone. A game that
// goes on between people, or that is rated, is theirs to think about, for watchers too: any of them
// may be a player's second window.
func MayHint(s *lobby.Snapshot, seat int) bool {
	switch {
	case s.Frozen:
		return false
	case s.Over():
		return true
	case seat < 0 || s.Info.Rated:
		return false
	}
	for i, other := range s.Info.Seats {
		if i != seat && !other.Bot {
			return false
		}
	}
	return true
}

func (v *matchView) hintable() bool { return v.app.visit.Bots != nil && MayHint(v.snap, v.seat) }

// shown returns the position on the board, without a draft.
func (v *matchView) shown() engine.Position {
	switch {
	case v.trial != nil:
		return v.trial.positions[v.trial.at]
	case v.back:
		return v.record.positions()[v.ply]
	}
	return v.snap.Position
}

// begun returns the actions of the turn that has been begun on it.
func (v *matchView) begun() []string {
	switch {
	case v.trial != nil:
		return v.trial.draft
	case v.mine() && !v.back:
		return v.draft()
	}
	return nil
}

// engineKey takes the hint's keys.
func (v *matchView) engineKey(key string) (cmd tea.Cmd, used bool) {
	switch {
	case key == hintKey && v.hintable():
		cmd = v.askHint()
		if b, ok := v.board.(board.Typist); ok {
			b.Began(hintKey, v.unhint)
		}
		return cmd, true
	case key == otherKey && len(v.hinted.turns()) > 1:
		v.hinted.marked = (v.hinted.marked + 1) % len(v.hinted.turns())
		v.showPosition()
		return nil, true
	}
	return nil, false
}

// unhint takes the hint away.
func (v *matchView) unhint() {
	v.dropHint()
	v.showPosition()
}

// askHint has the engine think about the position that is shown, beside the event loop and until
// another one is shown.
func (v *matchView) askHint() tea.Cmd {
	p, draft := v.shown(), slices.Clone(v.begun())
	if h := v.hinted; h != nil && h.position == p && slices.Equal(h.draft, draft) && h.wrong == "" {
		v.unhint() // the same key takes it away
		return nil
	}
	v.unhint()
	on := p
	for _, action := range draft {
		next, err := on.Play(action)
		if err != nil {
			break
		}
		on = next
	}
	if _, over := on.Result(); over {
		v.app.complain("the game is over here; step back first")
		return nil
	}
	now := time.Now()
	if now.Sub(v.app.hintAt) < HintPause {
		v.app.complain("one hint a second; try again in a moment")
		return nil
	}
	v.app.hintAt = now
	ctx, cancel := context.WithCancel(v.app.ctx)
	h := &hint{position: p, draft: draft, cancel: cancel}
	v.hinted = h
	var advice bot.Advice
	var failed error
	return v.app.call(func(bounded context.Context) error {
		defer cancel()
		defer context.AfterFunc(bounded, cancel)()
		advice, failed = v.app.visit.Bots.Advise(ctx, v.app.session, on)
		return nil
	}, func() tea.Cmd {
		switch {
		case v.hinted != h:
		case errors.Is(failed, bot.ErrNoTurn):
			v.dropHint()
		case failed != nil:
			_, h.wrong = lobby.Explain(failed)
		default:
			h.advice = &advice
			v.showPosition()
		}
		return nil
	})
}

// dropHint forgets the hint and stops the thinking.
func (v *matchView) dropHint() {
	if v.hinted != nil {
		v.hinted.cancel()
		v.hinted = nil
	}
}

// checkHint drops a hint for another position than the one that is shown.
func (v *matchView) checkHint() {
	if v.hinted != nil && (v.hinted.position != v.shown() || !v.hintable()) {
		v.dropHint()
	}
}

// drawHint draws who is ahead and the best turns, and returns how many rows that took.
func (v *matchView) drawHint(c paint.Canvas) int {
	if v.hinted == nil {
		return 0
	}
	t := v.app.look.Theme
	w, h := c.Size()
	v.app.rule(c, 0, "The engine", t.Dim)
	y := 1
	line := func(x int, style paint.Style, text string) {
		for i, part := range wrap(text, w-x) {
			if y < h && i < 2 {
				c.Text(x, y, style, part)
				y++
			}
		}
	}
	switch {
	case v.hinted.wrong != "":
		line(0, t.Bad, words.Sentence(v.hinted.wrong))
		return y + 1
	case v.hinted.advice == nil:
		line(0, t.Dim, "thinking …")
		return y + 1
	}
	a, p := v.hinted.advice, v.hinted.position
	v.drawAhead(c.Sub(0, y, w, 1), a.Chances)
	y++
	parts := ""
	for _, seat := range seatsBySide(p) {
		mark, _ := v.game.Mark(p, seat, v.app.look)
		parts += fmt.Sprintf("%s %s  ", mark, percent(a.Chances[seat]))
	}
	line(0, t.Text, parts)
	marked := v.hinted.rest(v.begun()) != nil
	for i, choice := range v.hinted.turns() {
		style := t.Text
		if marked && i == v.hinted.marked {
			style = t.Note
			c.Text(0, y, style, "›")
		}
		line(1, style, fmt.Sprintf("%d. %s  %s", i+1, percent(choice.Chance), v.game.Short(choice.Actions)))
	}
	return y + 1
}

// drawAhead draws a bar of the seats' marks, each as long as its chance.
func (v *matchView) drawAhead(c paint.Canvas, chances []float64) {
	w, _ := c.Size()
	x, sum := 0, 0.0
	for i, seat := range seatsBySide(v.hinted.position) {
		mark, style := v.game.Mark(v.hinted.position, seat, v.app.look)
		sum += chances[seat]
		end := int(sum*float64(w) + 0.5)
		if i == len(chances)-1 {
			end = w
		}
		for ; x < min(end, w); x++ {
			c.Text(x, 0, style, mark)
		}
	}
}

// seatsBySide returns the seats in the order of their sides, Black first, whoever plays it; where sides
// have no names, in the order of the seats.
func seatsBySide(p engine.Position) []int {
	seats := make([]int, p.Seats())
	for i := range seats {
		seats[i] = i
	}
	slices.SortStableFunc(seats, func(a, b int) int { return strings.Compare(p.Color(a), p.Color(b)) })
	return seats
}

func percent(share float64) string { return fmt.Sprintf("%.0f %%", 100*share) }

// hintKeys are the keys of the bottom line.
func (v *matchView) hintKeys() []board.Key {
	switch {
	case !v.hintable():
		return nil
	case len(v.hinted.turns()) > 1:
		return []board.Key{{Key: otherKey, Does: "other hint"}, {Key: hintKey, Does: "hide"}}
	}
	return []board.Key{{Key: hintKey, Does: "hint"}}
}
