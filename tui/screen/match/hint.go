package match

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
	"ayumu/tui/op"
	"ayumu/tui/paint"
	"ayumu/tui/screen"
	"ayumu/tui/widget"
	"ayumu/tui/words"
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

// recommends reports whether a whole turn is one of those that are listed. h may be nil.
func (h *hint) recommends(turn []string) bool {
	return slices.ContainsFunc(h.turns(), func(c search.Choice) bool { return slices.Equal(slices.Concat(h.draft, c.Actions), turn) })
}

// hints is the advice of the engine on a view.
type hints struct {
	view    *view
	current *hint // nil: none requested
}

// keyHint is the key that asks for a hint.
const keyHint = "h"

// canAsk reports whether the user may ask for hints here.
func (h *hints) canAsk() bool {
	return h.view.Shell.Config.Bots != nil && op.CanHint(h.view.Snapshot, h.view.Seat)
}

// isShown reports whether a hint for the position that is shown is shown, or being computed.
func (h *hints) isShown() bool {
	c := h.current
	return c != nil && c.failure == "" && c.position == h.view.position() && slices.Equal(c.draft, h.view.shownDraft())
}

// hasNext reports whether a listed turn follows the one that is marked.
func (h *hints) hasNext() bool {
	return h.isShown() && h.current.markedTurn+1 < len(h.current.turns())
}

// next asks for a hint for the position that is shown, marks the next of its turns on the board, or after the last one
// removes it.
func (h *hints) next() tea.Cmd {
	if !h.hasNext() {
		return h.ask()
	}
	h.current.markedTurn++
	h.view.show()
	return nil
}

// clear removes the hint and redraws the board.
func (h *hints) clear() {
	h.drop()
	h.view.show()
}

// ask requests a hint for the position that is shown, as a command. The computation is cancelled
// when another position is shown. If there is a hint for this position, ask removes it instead.
func (h *hints) ask() tea.Cmd {
	v := h.view
	p, draft := v.position(), slices.Clone(v.shownDraft())
	if h.isShown() {
		h.clear()
		return nil
	}
	h.clear()
	pos := p
	for _, action := range draft {
		next, err := pos.Play(action)
		if err != nil {
			break
		}
		pos = next
	}
	if _, over := pos.Result(); over {
		v.Shell.NotifyError("the game is over here; step back first")
		return nil
	}
	if err := v.Shell.Visit.PaceHint(time.Now()); err != nil {
		v.Shell.NotifyFailure(err)
		return nil
	}
	ctx, cancel := context.WithCancel(v.Shell.Context)
	asked := &hint{position: p, draft: draft, cancel: cancel}
	h.current = asked
	return screen.Try(v.Shell, func(bounded context.Context) (search.Advice, error) {
		defer cancel()
		defer context.AfterFunc(bounded, cancel)()
		return v.Shell.Visit.Hint(ctx, v.Game.Engine(), pos)
	}, func(advice search.Advice, failure error) tea.Cmd {
		switch {
		case h.current != asked:
		case errors.Is(failure, search.ErrNoTurn):
			h.drop()
		case failure != nil:
			asked.failure = v.Shell.Config.Explain(failure)
		default:
			asked.advice = &advice
			v.show()
		}
		return nil
	})
}

// drop removes the hint and cancels its computation.
func (h *hints) drop() {
	if h.current != nil {
		h.current.cancel()
		h.current = nil
	}
}

// check removes a hint for another position than the one that is shown.
func (h *hints) check() {
	if h.current != nil && (h.current.position != h.view.position() || !h.canAsk()) {
		h.drop()
	}
}

// shown returns the hint for the input of the frame.
func (h *hints) shown() shownHint {
	c := h.current
	if c == nil {
		return shownHint{}
	}
	s := shownHint{isShown: true, position: c.position, advice: c.advice, marked: -1, failure: c.failure}
	if c.remaining(h.view.shownDraft()) != nil {
		s.marked = c.markedTurn
	}
	return s
}

// drawHint draws the chances and the best turns and returns the number of rows used.
func (f *frameInput) drawHint(c paint.Canvas) int {
	if !f.hint.isShown {
		return 0
	}
	t := f.Style.Theme
	w, rows := c.Size()
	widget.DrawRule(c, t, 0, "The engine", t.Dim)
	y := 1
	line := func(x int, style paint.Style, text string) {
		for i, part := range widget.Wrap(text, w-x) {
			if y < rows && i < 2 {
				c.Text(x, y, style, part)
				y++
			}
		}
	}
	switch {
	case f.hint.failure != "":
		line(0, t.Bad, words.Sentence(f.hint.failure))
		return y + 1
	case f.hint.advice == nil:
		line(0, t.Dim, "thinking …")
		return y + 1
	}
	a, p := f.hint.advice, f.hint.position
	f.drawChances(c.Sub(0, y, w, 1))
	y++
	x := 0
	for _, seat := range seatsBySide(p) {
		mark, markStyle := f.Game.SeatMark(p, seat, f.Style)
		text := " " + words.Percent(a.Chances[seat])
		if x > 0 && x+paint.Width(mark)+paint.Width(text) > w {
			x, y = 0, y+1
		}
		x += c.Text(x, y, markStyle, mark)
		x += c.Text(x, y, t.Text, text) + 2
	}
	y++
	for i, choice := range a.Choices {
		style := t.Text
		if i == f.hint.marked {
			style = t.Notice
			c.Text(0, y, style, "›")
		}
		line(1, style, fmt.Sprintf("%d. %s  %s", i+1, words.Percent(choice.Chance), f.Game.ShortTurn(choice.Actions)))
	}
	return y + 1
}

// drawChances draws a bar of the seats' marks, each in proportion to its chance.
func (f *frameInput) drawChances(c paint.Canvas) {
	w, _ := c.Size()
	x, sum := 0, 0.0
	chances := f.hint.advice.Chances
	for i, seat := range seatsBySide(f.hint.position) {
		mark, style := f.Game.SeatMark(f.hint.position, seat, f.Style)
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
