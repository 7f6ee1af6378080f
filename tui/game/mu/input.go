package mu

import (
	"slices"
	"strings"
	"unicode/utf8"

	"ayumu/engine/mu"
	"ayumu/tui/game"
)

var handled = game.InputResult{Handled: true}

func refused(why string) game.InputResult {
	return game.InputResult{Handled: true, Message: why, Refused: true}
}

// turnInput turns keys and clicks into the actions of a turn. It changes the pointer and the draft of the
// view.
type turnInput struct {
	view       *seatView
	pointer    *pointer
	typed      string
	endPending bool // e was pressed once to end a turn in which the player can still move
}

// clear drops what was typed, and the first of two keys that end a turn.
func (in *turnInput) clear() { in.typed, in.endPending = "", false }

// enterOnly refuses a key that could be a character meant for the chat, where the action ends the turn.
const enterOnly = "press Enter to do that: it ends your turn"

// key handles a key while nothing is being typed. ending reports that the key before it was the first of two keys
// that end a turn.
func (in *turnInput) key(key string, ending bool) game.InputResult {
	if in.pointer.moveBy(key, in.view.geometry()) {
		return handled
	}
	switch key {
	case "enter":
		return in.enter()
	case "space":
		if in.view.state.CanAct && in.view.shown().Phase() != mu.Play {
			return refused(enterOnly)
		}
		return in.enter()
	case "tab":
		return in.cycleStop(1)
	case "shift+tab":
		return in.cycleStop(-1)
	case "esc":
		if !in.pointer.hasSelection {
			return game.InputResult{Handled: ending}
		}
		in.pointer.deselect()
		return handled
	}
	if in.view.state.CanAct {
		return in.turnKey(key, ending)
	}
	return game.InputResult{}
}

// turnKey handles the keys that need the turn.
func (in *turnInput) turnKey(key string, ending bool) game.InputResult {
	switch key {
	case "e":
		return in.end(ending)
	case "*":
		return in.explodeAll()
	case "u", "z", "ctrl+z", "backspace":
		return in.undo()
	case "ctrl+y":
		return in.redo()
	}
	switch isDigit := len(key) == 1 && key[0] >= '0' && key[0] <= '9'; {
	case isDigit && in.pointer.hasSelection:
		return in.setMen(int(key[0] - '0'))
	case isDigit || key == "-" || key == "!" || key == "@" || key == "×":
		in.typed = key
		return handled
	}
	return game.InputResult{}
}

// typeKey handles a key while a turn is being typed.
func (in *turnInput) typeKey(key string) game.InputResult {
	switch {
	case key == "esc":
		in.typed = ""
	case key == "backspace":
		_, n := utf8.DecodeLastRuneInString(in.typed)
		in.typed = in.typed[:len(in.typed)-n]
	case key == "enter":
		text := in.typed
		in.typed = ""
		return in.enterTyped(text)
	case key == "space":
		key = " "
		fallthrough
	case key == "×" || len(key) == 1 && strings.Contains("abcdefghijklmnopqrstuvwxyz0123456789,-;:!@ ", strings.ToLower(key)):
		// One character more than allowed is kept, so that Enter refuses a longer turn instead of cutting it.
		if len(in.typed) > maxTypedLength {
			return refused(tooLong)
		}
		in.typed += strings.ToLower(key)
	default:
		return game.InputResult{}
	}
	return handled
}

func (in *turnInput) enterTyped(text string) game.InputResult {
	draft := &in.view.draft
	before := len(draft.actions)
	turn, err := draft.playTyped(text)
	in.pointer.deselect()
	a := game.InputResult{Handled: true, Turn: turn}
	if err != nil {
		a.Message, a.Refused = err.Error(), true
	}
	if n := len(draft.actions); n != before {
		a.Draft = draft.texts()
		in.pointer.moveTo(draft.actions[n-1].At)
	}
	return a
}

// setMen sets how many men of the selected piece are to move; 0, or the same number again, means as many
// as the distance to the target.
func (in *turnInput) setMen(n int) game.InputResult {
	p := in.view.shown()
	c, _ := p.Cell(in.pointer.selected)
	if n > c.Men {
		return refused("the piece has only " + plural(c.Men, "man"))
	}
	if n == in.pointer.men {
		n = 0
	}
	in.pointer.setMen(p, n)
	return handled
}

// tabStops returns the cells for Tab, those with a possible action, in the order of sortByRow.
func (in *turnInput) tabStops() []mu.Hex {
	p := in.view.shown()
	var stops []mu.Hex
	switch {
	case !in.view.state.CanAct:
	case p.Phase() == mu.Layout:
		return sortByRow(p.Placements())
	case len(p.Critical()) > 0:
		return sortByRow(p.Critical())
	case in.pointer.hasSelection:
		for h := range in.pointer.targets {
			stops = append(stops, h)
		}
	default:
		for _, c := range p.Cells() {
			if in.view.canMove(c) || p.Phase() == mu.Clearing && in.view.isOwn(c) {
				stops = append(stops, c.At)
			}
		}
	}
	return sortByRow(stops)
}

// hintStop returns the cell where the turn of a hint goes on: of the piece to move, or of the target of the selected one;
// ok is false without a hint or if another piece is selected.
func (in *turnInput) hintStop() (at mu.Hex, ok bool) {
	if len(in.view.hint) == 0 {
		return at, false
	}
	a := in.view.hint[0]
	if !in.pointer.hasSelection {
		return a.At, true
	}
	return a.At.Step(a.Dir, int(a.Men)), in.pointer.selected == a.At
}

// cycleStop moves the cursor to the next tab stop, or the previous one for step -1. The first one forwards is that of a
// hint.
func (in *turnInput) cycleStop(step int) game.InputResult {
	stops := in.tabStops()
	if len(stops) == 0 {
		return game.InputResult{}
	}
	if at, ok := in.hintStop(); ok && step > 0 && at != in.pointer.cursor && slices.Contains(stops, at) {
		in.pointer.moveTo(at)
		return handled
	}
	at, found := slices.BinarySearchFunc(stops, in.pointer.cursor, compareByRow)
	if step < 0 || found {
		at += step
	}
	in.pointer.moveTo(stops[(at+len(stops))%len(stops)])
	return handled
}

// goToStop moves the cursor to the nearest tab stop, if there is one and it is on none.
func (in *turnInput) goToStop() {
	if stops := in.tabStops(); len(stops) > 0 && !slices.Contains(stops, in.pointer.cursor) {
		in.pointer.moveTo(nearest(stops, in.pointer.cursor))
	}
}

// enter does the possible action under the cursor.
func (in *turnInput) enter() game.InputResult {
	p, at := in.view.shown(), in.pointer.cursor
	switch {
	case !in.view.state.CanAct:
		return game.InputResult{}
	case p.Phase() == mu.Layout:
		return in.submitAction(mu.Action{Kind: mu.Place, At: at})
	case p.Phase() == mu.Clearing:
		return in.clearSegment()
	case len(p.Critical()) > 0:
		return in.playAction(mu.Action{Kind: mu.Explode, At: at})
	case in.pointer.hasSelection:
		return in.enterTarget()
	}
	c, ok := p.Cell(at)
	if !ok || !in.view.canMove(c) {
		return in.refuse()
	}
	in.pointer.selectPiece(p, at)
	return handled
}

// refuse refuses the action under the cursor with its reason.
func (in *turnInput) refuse() game.InputResult {
	return refused(explainer{in.view, in.pointer}.refusal())
}

// submitAction returns a turn of one action.
func (in *turnInput) submitAction(a mu.Action) game.InputResult {
	if why := in.view.shown().Explain(a); why != "" {
		return refused(why)
	}
	return game.InputResult{Handled: true, Turn: []string{a.String()}}
}

func (in *turnInput) clearSegment() game.InputResult {
	c, ok := in.view.shown().Cell(in.pointer.cursor)
	if !ok {
		return refused(outOfBounds(in.pointer.cursor))
	}
	return in.submitAction(mu.Action{Kind: mu.Clear, At: in.view.segmentCentre(c)})
}

// enterTarget moves the selected piece, or selects another one.
func (in *turnInput) enterTarget() game.InputResult {
	at := in.pointer.cursor
	if at == in.pointer.selected {
		in.pointer.deselect()
		return handled
	}
	if men, ok := in.pointer.targets[at]; ok {
		d, _, _ := in.pointer.selected.DirTo(at)
		return in.playAction(mu.Action{Kind: mu.Move, At: in.pointer.selected, Men: uint16(men), Dir: d})
	}
	if c, ok := in.view.shown().Cell(at); ok && in.view.canMove(c) {
		in.pointer.selectPiece(in.view.shown(), at)
		return handled
	}
	return in.refuse()
}

// playAction adds an action to the draft.
func (in *turnInput) playAction(a mu.Action) game.InputResult {
	steps, err := in.view.draft.do(a)
	if err != nil {
		return refused(refusalReason(err))
	}
	return in.showSteps(steps)
}

// showSteps returns the new draft and describes its steps. If the player has to choose an explosion, the
// cursor goes to the nearest critical cell.
func (in *turnInput) showSteps(steps []mu.Step) game.InputResult {
	in.pointer.deselect()
	if critical := in.view.shown().Critical(); len(critical) > 0 {
		in.pointer.moveTo(nearest(critical, in.pointer.cursor))
	}
	return game.InputResult{Handled: true, Draft: in.view.draft.texts(), Message: describeSteps(steps)}
}

func (in *turnInput) explodeAll() game.InputResult {
	if len(in.view.shown().Critical()) == 0 {
		return refused(noCritical)
	}
	return in.showSteps(in.view.draft.explodeAll())
}

func (in *turnInput) undo() game.InputResult {
	a, ok := in.view.draft.undo()
	if !ok {
		return refused("there is nothing to undo in this turn")
	}
	in.pointer.deselect()
	in.pointer.moveTo(a.At)
	return game.InputResult{Handled: true, Draft: in.view.draft.texts(), Message: "undone: " + a.String()}
}

func (in *turnInput) redo() game.InputResult {
	a, steps, ok := in.view.draft.redo()
	if !ok {
		return refused("there is nothing to redo")
	}
	in.pointer.moveTo(a.At)
	return in.showSteps(steps)
}

// end ends the turn. While the player can still move it needs the key twice, because a turn that has ended cannot be
// undone.
func (in *turnInput) end(ending bool) game.InputResult {
	p := in.view.shown()
	if why := p.Explain(mu.Action{}); why != "" {
		return refused(why)
	}
	switch started := in.view.draft.isStarted(); {
	case ending:
	case !started:
		in.endPending = true
		return game.InputResult{Handled: true, Message: "you have not moved; press e again to pass"}
	case len(p.Rights()) > 0 && !onlyWithMen(p, p.Turn()):
		in.endPending = true
		return game.InputResult{Handled: true, Message: movesLeft(p) + "; press e again to end the turn"}
	}
	in.pointer.deselect()
	return game.InputResult{Handled: true, Turn: append(in.view.draft.texts(), mu.Action{}.String())}
}

// endPrompt asks for the second of two keys that end a turn. It stays as long as that key would end it: the message of the first
// one is shown for seconds only.
func (in *turnInput) endPrompt() string {
	if in.view.draft.isStarted() {
		return "Press e again to end the turn, or Esc to play on."
	}
	return "Press e again to pass, or Esc to play on."
}

// statusKeys returns the most useful keys of the seat, followed by those of the view.
func (in *turnInput) statusKeys() []game.Key {
	view := []game.Key{{Key: "+", Help: "size"}}
	p := in.view.shown()
	if hasTerritory(p.Phase()) {
		view = append([]game.Key{{Key: "s", Help: "territory"}}, view...)
	}
	var keys []game.Key
	enter := func() { // what it does here, if it does anything
		if help := in.enterHelp(); help != "" {
			keys = append(keys, game.Key{Key: "Enter", Help: help})
		}
	}
	next := game.Key{Key: "Tab", Help: "next"}
	switch {
	case in.view.state.IsWatching && in.pointer.isCalled:
		return append(view, game.Key{Key: "Esc", Help: "hide cursor"})
	case !in.view.state.CanAct:
		return view
	case in.typed != "":
		return []game.Key{{Key: "Enter", Help: "play"}, {Key: "Esc", Help: "clear"}}
	case in.endPending:
		return append([]game.Key{{Key: "e", Help: "end turn"}, {Key: "Esc", Help: "play on"}}, view...)
	case p.Phase() == mu.Layout || p.Phase() == mu.Clearing:
		enter()
		return append(append(keys, next), view...)
	case len(p.Critical()) > 0:
		enter()
		return append(append(keys, game.Key{Key: "*", Help: "all"}, next, game.Key{Key: "u", Help: "undo"}), view...)
	case in.pointer.hasSelection:
		return append(in.selectionKeys(), view...)
	}
	enter()
	keys = append(keys, game.Key{Key: "e", Help: "end turn"})
	if in.view.draft.isStarted() {
		keys = append(keys, game.Key{Key: "u", Help: "undo"})
	}
	if len(in.view.draft.undone) > 0 {
		keys = append(keys, game.Key{Key: "Ctrl+Y", Help: "redo"})
	}
	return append(append(keys, next), view...)
}

// selectionKeys returns the keys for a selected piece. On the piece itself the way to a target comes first.
func (in *turnInput) selectionKeys() []game.Key {
	target := game.Key{Key: "Tab", Help: "target"}
	var men []game.Key
	if c, _ := in.view.shown().Cell(in.pointer.selected); c.Men > 1 {
		men = []game.Key{{Key: "1-9", Help: "men"}}
	}
	help := in.enterHelp()
	enter, cancel := game.Key{Key: "Enter", Help: help}, game.Key{Key: "Esc", Help: "cancel"}
	switch {
	case in.pointer.cursor == in.pointer.selected:
		return append(append([]game.Key{target}, men...), enter)
	case help == "":
		return append(append([]game.Key{target}, men...), cancel)
	}
	return append(append([]game.Key{enter}, men...), target, cancel)
}

// enterHelp returns what Enter does at the cursor, in a word; "" if it does nothing there.
func (in *turnInput) enterHelp() string {
	p := in.view.shown()
	switch {
	case in.pointer.hasSelection && in.pointer.cursor == in.pointer.selected:
		return "deselect"
	case in.pointer.hasSelection:
		c, ok := p.Cell(in.pointer.cursor)
		if _, isTarget := in.pointer.targets[in.pointer.cursor]; isTarget {
			if c.Men > 0 && !in.view.isOwn(c) {
				return "capture"
			}
			return "move"
		}
		if ok && in.view.canMove(c) {
			return "choose"
		}
		return ""
	case explainer{in.view, in.pointer}.refusal() != "":
		return ""
	case in.view.isPlanning:
		return "plan"
	case p.Phase() == mu.Layout:
		return "lay"
	case p.Phase() == mu.Clearing:
		return "clear"
	case len(p.Critical()) > 0:
		return "explode"
	}
	return "choose"
}
