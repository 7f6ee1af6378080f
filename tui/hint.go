package tui

import (
	"context"
	"errors"
	"fmt"
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
	hintKey   = "h"
	hintTurns = 3           // the best ones that are shown
	hintPause = time.Second // between two questions of a session
)

// hint is what the engine thinks of a position that is shown.
type hint struct {
	position engine.Position
	advice   *bot.Advice // nil: it still thinks
	wrong    string      // why there is none
	cancel   context.CancelFunc
}

// hintable reports whether the person may ask the engine: about a game that is over, and in a casual
// game of his own against bots alone. A game that goes on between people, or that is rated, is theirs
// to think about, for watchers too: any of them may be a player's second window.
func (v *matchView) hintable() bool {
	switch {
	case v.app.visit.Bots == nil || v.snap.Frozen:
		return false
	case v.snap.Over():
		return true
	case v.player == nil || v.snap.Info.Rated:
		return false
	}
	for i, s := range v.snap.Info.Seats {
		if i != v.seat && !s.Bot {
			return false
		}
	}
	return true
}

// shown returns the position on the board.
func (v *matchView) shown() engine.Position {
	switch {
	case v.trial != nil:
		return v.trial.positions[v.trial.at]
	case v.back:
		return v.record.positions()[v.ply]
	}
	return v.snap.Position
}

// askHint has the engine think about the position that is shown, beside the event loop and until
// another one is shown.
func (v *matchView) askHint() tea.Cmd {
	p := v.shown()
	if v.hinted != nil && v.hinted.position == p && v.hinted.wrong == "" {
		v.dropHint() // the same key takes it away
		return nil
	}
	v.dropHint()
	if _, over := p.Result(); over {
		v.app.complain("the game is over here; step back first")
		return nil
	}
	now := time.Now()
	if now.Sub(v.app.hintAt) < hintPause {
		v.app.complain("one hint a second; try again in a moment")
		return nil
	}
	v.app.hintAt = now
	ctx, cancel := context.WithCancel(v.app.ctx)
	h := &hint{position: p, cancel: cancel}
	v.hinted = h
	var advice bot.Advice
	var failed error
	return v.app.call(func(bounded context.Context) error {
		defer cancel()
		defer context.AfterFunc(bounded, cancel)()
		advice, failed = v.app.visit.Bots.Advise(ctx, p)
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
	line := func(style paint.Style, text string) {
		for i, part := range wrap(text, w) {
			if y < h && i < 2 {
				c.Text(0, y, style, part)
				y++
			}
		}
	}
	switch {
	case v.hinted.wrong != "":
		line(t.Bad, words.Sentence(v.hinted.wrong))
		return y + 1
	case v.hinted.advice == nil:
		line(t.Dim, "thinking …")
		return y + 1
	}
	a, p := v.hinted.advice, v.hinted.position
	v.drawAhead(c.Sub(0, y, w, 1), a.Chances)
	y++
	parts := ""
	for seat, chance := range a.Chances {
		mark, _ := v.game.Mark(p, seat, v.app.look)
		parts += fmt.Sprintf("%s %s  ", mark, percent(chance))
	}
	line(t.Text, parts)
	for i, choice := range a.Choices[:min(len(a.Choices), hintTurns)] {
		line(t.Note, fmt.Sprintf("%d. %s  %s", i+1, v.game.Short(choice.Actions), percent(choice.Chance)))
	}
	return y + 1
}

// drawAhead draws a bar of the seats' marks, each as long as its chance.
func (v *matchView) drawAhead(c paint.Canvas, chances []float64) {
	w, _ := c.Size()
	x, sum := 0, 0.0
	for seat, chance := range chances {
		mark, style := v.game.Mark(v.hinted.position, seat, v.app.look)
		sum += chance
		end := int(sum*float64(w) + 0.5)
		if seat == len(chances)-1 {
			end = w
		}
		for ; x < min(end, w); x++ {
			c.Text(x, 0, style, mark)
		}
	}
}

func percent(share float64) string { return fmt.Sprintf("%.0f %%", 100*share) }

// hintKeys are the keys of the bottom line.
func (v *matchView) hintKeys() []board.Key {
	if !v.hintable() || v.app.visit.Bots == nil {
		return nil
	}
	return []board.Key{{Key: hintKey, Does: "hint"}}
}
