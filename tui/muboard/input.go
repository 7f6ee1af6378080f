package muboard

import (
	"strings"

	"ayumu/engine/mu"
	"ayumu/tui/board"
)

var used = board.Answer{Used: true}

func bad(why string) board.Answer { return board.Answer{Used: true, Note: why, Bad: true} }

// Key takes a key.
func (b *Board) Key(key string) board.Answer {
	if b.typed != "" {
		return b.typeKey(key)
	}
	if b.frame > 0 {
		b.frame = 0
		if key == "space" || key == "enter" || key == "esc" {
			return used
		}
	}
	passing := b.passing
	b.passing = false
	if b.steer(key) {
		return used
	}
	switch key {
	case "enter", "space":
		return b.enter()
	case "tab":
		return b.next(1)
	case "shift+tab":
		return b.next(-1)
	case "esc":
		if !b.choosing {
			return board.Answer{Used: passing}
		}
		b.letGo()
		return used
	case "c":
		s := b.scaleNow()
		b.room[s] = !b.room[s]
		return used
	case "v":
		b.overview = !b.overview
		return used
	case "p":
		b.Replay()
		return used
	case "+":
		b.scale = large
		return used
	case "-":
		b.scale = small
		return used
	}
	if b.state.Live {
		return b.actKey(key, passing)
	}
	return board.Answer{}
}

// scaleNow returns the scale of the last drawn board.
func (b *Board) scaleNow() int {
	if b.scale != 0 {
		return b.scale
	}
	return max(b.drawn.scale, small)
}

// actKey takes the keys of somebody whose turn it is.
func (b *Board) actKey(key string, passing bool) board.Answer {
	switch key {
	case "e":
		return b.end(passing)
	case "a":
		return b.run()
	case "z", "ctrl+z", "backspace":
		return b.undo()
	case "Z", "ctrl+y":
		return b.redo()
	case ":":
		b.typed = key
		return used
	}
	if len(key) == 1 && key[0] >= '0' && key[0] <= '9' {
		if b.choosing {
			return b.take(int(key[0] - '0'))
		}
		b.typed = ":" + key
		return used
	}
	return board.Answer{}
}

// typeKey takes a key while an action is typed.
func (b *Board) typeKey(key string) board.Answer {
	switch {
	case key == "esc":
		b.typed = ""
	case key == "backspace":
		b.typed = b.typed[:len(b.typed)-1]
	case key == "enter":
		text := b.typed[1:]
		b.typed = ""
		return b.enterTyped(text)
	case key == "space":
		key = " "
		fallthrough
	case len(key) == 1 && strings.Contains("abcdefghijklmnopqrstuvwxyz0123456789,-; ", strings.ToLower(key)):
		// One more than is allowed is kept, so that Enter refuses what is longer and plays no cut turn.
		if len(b.typed) > maxTyped+1 {
			return bad(tooLong)
		}
		b.typed += strings.ToLower(key)
	default:
		return board.Answer{}
	}
	return used
}

func (b *Board) enterTyped(text string) board.Answer {
	before := len(b.draft.actions)
	turn, err := b.draft.enter(text)
	b.letGo()
	a := board.Answer{Used: true, Turn: turn}
	if err != nil {
		a.Note, a.Bad = err.Error(), true
	}
	if n := len(b.draft.actions); n != before {
		a.Draft = b.draft.texts()
		b.goTo(b.draft.actions[n-1].At)
	}
	return a
}

// take says how many men of the chosen piece are to move; 0, or the same again: as many as the
// target is away.
func (b *Board) take(n int) board.Answer {
	c, _ := b.shown().Cell(b.chosen)
	if n > c.Men {
		return bad("the piece has no more than " + count(c.Men, "man"))
	}
	if n == b.men {
		n = 0
	}
	b.men = n
	b.aim()
	return used
}

// enter does what can be done under the cursor.
func (b *Board) enter() board.Answer {
	p := b.shown()
	switch {
	case !b.state.Live:
		return board.Answer{}
	case p.Phase() == mu.Layout:
		return b.submit(mu.Action{Kind: mu.Place, At: b.cursor})
	case p.Phase() == mu.Clearing:
		return b.clear()
	case len(p.Critical()) > 0:
		return b.do(mu.Action{Kind: mu.Explode, At: b.cursor})
	case b.choosing:
		return b.enterTarget()
	}
	c, ok := p.Cell(b.cursor)
	if !ok || !b.canMove(c) {
		return bad(b.whyNot())
	}
	b.choose(b.cursor)
	return used
}

// submit ends a turn that has but one action.
func (b *Board) submit(a mu.Action) board.Answer {
	if why := b.shown().Explain(a); why != "" {
		return bad(why)
	}
	return board.Answer{Used: true, Turn: []string{a.String()}}
}

func (b *Board) clear() board.Answer {
	c, ok := b.shown().Cell(b.cursor)
	if !ok {
		return bad(outOfBounds(b.cursor))
	}
	return b.submit(mu.Action{Kind: mu.Clear, At: b.shown().Board().Centres()[c.Segment]})
}

// enterTarget moves the chosen piece, or chooses another one.
func (b *Board) enterTarget() board.Answer {
	if b.cursor == b.chosen {
		b.letGo()
		return used
	}
	if men, ok := b.targets[b.cursor]; ok {
		d, _, _ := mu.DirTo(b.chosen, b.cursor)
		return b.do(mu.Action{Kind: mu.Move, At: b.chosen, Men: uint16(men), Dir: d})
	}
	if c, ok := b.shown().Cell(b.cursor); ok && b.canMove(c) {
		b.choose(b.cursor)
		return used
	}
	return bad(b.whyNot())
}

// do adds an action to the draft.
func (b *Board) do(a mu.Action) board.Answer {
	steps, err := b.draft.do(a)
	if err != nil {
		return bad(reason(err))
	}
	return b.done(steps)
}

// done shows what the draft has become. Where the player has to choose an explosion, the cursor
// goes there.
func (b *Board) done(steps []mu.Step) board.Answer {
	b.letGo()
	if critical := b.shown().Critical(); len(critical) > 0 {
		b.goTo(nearest(critical, b.cursor))
	}
	return board.Answer{Used: true, Draft: b.draft.texts(), Note: tellSteps(steps)}
}

func (b *Board) run() board.Answer {
	if len(b.shown().Critical()) == 0 {
		return bad(noCritical)
	}
	return b.done(b.draft.run())
}

func (b *Board) undo() board.Answer {
	a, ok := b.draft.undo()
	if !ok {
		return bad("there is nothing to take back in this turn")
	}
	b.letGo()
	b.goTo(a.At)
	return board.Answer{Used: true, Draft: b.draft.texts(), Note: "taken back: " + a.String()}
}

func (b *Board) redo() board.Answer {
	a, steps, ok := b.draft.redo()
	if !ok {
		return bad("nothing was taken back")
	}
	b.goTo(a.At)
	return b.done(steps)
}

// end ends the turn; a pass has to be asked for twice.
func (b *Board) end(passing bool) board.Answer {
	if why := b.shown().Explain(mu.Action{}); why != "" {
		return bad(why)
	}
	if !b.draft.begun() && !passing {
		b.passing = true
		return board.Answer{Used: true, Note: "no move was made: press e again to pass"}
	}
	b.letGo()
	return board.Answer{Used: true, Turn: append(b.draft.texts(), mu.Action{}.String())}
}

// Click moves the cursor to a cell and does what Enter would do there. A segment is laid or cleared
// by a second click, so that the first one shows what would happen.
func (b *Board) Click(x, y int) board.Answer {
	if b.frame > 0 {
		b.frame = 0
		return used
	}
	if h, ok := b.inset.at(b.drawn.ground, x, y); ok {
		b.goTo(h)
		return used
	}
	h, ok := b.drawn.at(x, y)
	if !ok || !groundOf(b.shown()).has(h) {
		return board.Answer{}
	}
	again := h == b.cursor
	b.typed, b.passing = "", false
	b.goTo(h)
	if phase := b.shown().Phase(); !b.state.Live || !again && phase != mu.Play {
		return used
	}
	return b.enter()
}
