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
	"ayumu/engine/search"
	"ayumu/lobby"
	"ayumu/tui/client"
	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/widget"
	"ayumu/tui/words"
)

const (
	keyHint     = "h"
	keyNextHint = "H" // marks the next listed turn
)

// hint is the engine's advice for the position that is shown.
type hint struct {
	position   engine.Position // without the draft
	draft      []string        // the actions of the turn when the hint was requested
	advice     *search.Advice  // nil: still computing
	markedTurn int             // index of the turn that is marked on the board
	failure    string          // why there is no advice
	cancel     context.CancelFunc
}

// turns returns the turns that are listed. h may be nil.
func (h *hint) turns() []search.Choice {
	if h == nil || h.advice == nil {
		return nil
	}
	return h.advice.Choices
}

// remaining returns the actions of the marked turn that follow a draft; nil if the draft is not a
// beginning of that turn. h may be nil.
func (h *hint) remaining(draft []string) []string {
	list := h.turns()
	if list == nil {
		return nil
	}
	turn := slices.Concat(h.draft, list[h.markedTurn].Actions)
	if n := len(draft); n <= len(turn) && slices.Equal(turn[:n], draft) {
		return turn[n:]
	}
	return nil
}

func (v *matchScreen) canHint() bool {
	return v.app.Config.Bots != nil && client.CanHint(v.Snapshot, v.Seat)
}

// shownPosition returns the position on the board, without a draft.
func (v *matchScreen) shownPosition() engine.Position {
	switch {
	case v.variation != nil:
		return v.variation.Position()
	case v.isReviewing:
		return v.turnRecord.positions()[v.ply]
	}
	return v.Snapshot.Position
}

// draftActions returns the actions of the unfinished turn on that position.
func (v *matchScreen) draftActions() []string {
	switch {
	case v.variation != nil:
		return v.variation.draft
	case v.IsOwnTurn() && !v.isReviewing:
		return v.draft()
	}
	return nil
}

// handleHintKey handles the keys of hints; used reports whether key is one.
func (v *matchScreen) handleHintKey(key string) (cmd tea.Cmd, used bool) {
	switch {
	case key == keyHint && v.canHint():
		cmd = v.askHint()
		if b, ok := v.board.(game.Typer); ok {
			b.LetterPressed(keyHint, v.clearHint)
		}
		return cmd, true
	case key == keyNextHint && len(v.hint.turns()) > 1:
		v.hint.markedTurn = (v.hint.markedTurn + 1) % len(v.hint.turns())
		v.showPosition()
		return nil, true
	}
	return nil, false
}

// clearHint removes the hint and redraws the board.
func (v *matchScreen) clearHint() {
	v.dropHint()
	v.showPosition()
}

// askHint requests a hint for the position that is shown, outside the event loop. The computation is
// cancelled when another position is shown. If there is a hint for this position, askHint removes it
// instead.
func (v *matchScreen) askHint() tea.Cmd {
	p, draft := v.shownPosition(), slices.Clone(v.draftActions())
	if h := v.hint; h != nil && h.position == p && slices.Equal(h.draft, draft) && h.failure == "" {
		v.clearHint()
		return nil
	}
	v.clearHint()
	pos := p
	for _, action := range draft {
		next, err := pos.Play(action)
		if err != nil {
			break
		}
		pos = next
	}
	if _, over := pos.Result(); over {
		v.app.NotifyError("the game is over here; step back first")
		return nil
	}
	if err := v.app.Client.PaceHint(time.Now()); err != nil {
		v.app.NotifyFailure(err)
		return nil
	}
	ctx, cancel := context.WithCancel(v.app.Context)
	h := &hint{position: p, draft: draft, cancel: cancel}
	v.hint = h
	var advice search.Advice
	var failure error
	return v.app.Call(func(bounded context.Context) error {
		defer cancel()
		defer context.AfterFunc(bounded, cancel)()
		advice, failure = v.app.Client.Hint(ctx, v.Game.Engine(), pos)
		return nil
	}, func() tea.Cmd {
		switch {
		case v.hint != h:
		case errors.Is(failure, search.ErrNoTurn):
			v.dropHint()
		case failure != nil:
			_, h.failure = lobby.PublicError(failure)
		default:
			h.advice = &advice
			v.showPosition()
		}
		return nil
	})
}

// dropHint removes the hint and cancels its computation.
func (v *matchScreen) dropHint() {
	if v.hint != nil {
		v.hint.cancel()
		v.hint = nil
	}
}

// checkHint removes a hint for another position than the one that is shown.
func (v *matchScreen) checkHint() {
	if v.hint != nil && (v.hint.position != v.shownPosition() || !v.canHint()) {
		v.dropHint()
	}
}

// drawHint draws the chances and the best turns and returns the number of rows used.
func (v *matchScreen) drawHint(c paint.Canvas) int {
	if v.hint == nil {
		return 0
	}
	t := v.app.Style.Theme
	w, h := c.Size()
	widget.DrawRule(c, v.app.Style.Theme, 0, "The engine", t.Dim)
	y := 1
	line := func(x int, style paint.Style, text string) {
		for i, part := range widget.Wrap(text, w-x) {
			if y < h && i < 2 {
				c.Text(x, y, style, part)
				y++
			}
		}
	}
	switch {
	case v.hint.failure != "":
		line(0, t.Bad, words.Sentence(v.hint.failure))
		return y + 1
	case v.hint.advice == nil:
		line(0, t.Dim, "thinking …")
		return y + 1
	}
	a, p := v.hint.advice, v.hint.position
	v.drawChances(c.Sub(0, y, w, 1), a.Chances)
	y++
	parts := ""
	for _, seat := range seatsBySide(p) {
		mark, _ := v.Game.SeatMark(p, seat, v.app.Style)
		parts += fmt.Sprintf("%s %s  ", mark, percent(a.Chances[seat]))
	}
	line(0, t.Text, parts)
	marked := v.hint.remaining(v.draftActions()) != nil
	for i, choice := range v.hint.turns() {
		style := t.Text
		if marked && i == v.hint.markedTurn {
			style = t.Notice
			c.Text(0, y, style, "›")
		}
		line(1, style, fmt.Sprintf("%d. %s  %s", i+1, percent(choice.Chance), v.Game.ShortTurn(choice.Actions)))
	}
	return y + 1
}

// drawChances draws a bar of the seats' marks, each in proportion to its chance.
func (v *matchScreen) drawChances(c paint.Canvas, chances []float64) {
	w, _ := c.Size()
	x, sum := 0, 0.0
	for i, seat := range seatsBySide(v.hint.position) {
		mark, style := v.Game.SeatMark(v.hint.position, seat, v.app.Style)
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

// seatsBySide returns the seats ordered by side, Black first; without named sides in seat order.
func seatsBySide(p engine.Position) []int {
	seats := make([]int, p.Seats())
	for i := range seats {
		seats[i] = i
	}
	slices.SortStableFunc(seats, func(a, b int) int { return strings.Compare(p.Side(a), p.Side(b)) })
	return seats
}

func percent(share float64) string { return fmt.Sprintf("%.0f %%", 100*share) }

// hintKeys returns the keys of hints for the status bar.
func (v *matchScreen) hintKeys() []game.Key {
	switch {
	case !v.canHint():
		return nil
	case len(v.hint.turns()) > 1:
		return []game.Key{{Key: keyNextHint, Help: "next hint"}, {Key: keyHint, Help: "hide"}}
	}
	return []game.Key{{Key: keyHint, Help: "hint"}}
}
