package mu

import "ayumu/engine/mu"

// draft is a turn of play that is being made: actions on a position, which can be undone and made
// again. The zero draft stands on nothing.
type draft struct {
	base    *mu.Position
	after   []*mu.Position // each action
	actions []mu.Action
	undone  []mu.Action // the last one first to be made again
}

// isStarted reports whether there is an action.
func (d *draft) isStarted() bool { return len(d.actions) > 0 }

// head returns the position that the draft leads to.
func (d *draft) head() *mu.Position { return d.at(len(d.actions)) }

// at returns the position after the first n actions.
func (d *draft) at(n int) *mu.Position {
	if n == 0 {
		return d.base
	}
	return d.after[n-1]
}

// do adds an action and returns what it did. What was undone can be made again only if the action
// was just that.
func (d *draft) do(a mu.Action) ([]mu.Step, error) {
	next, steps, err := d.head().PlaySteps(a)
	if err != nil {
		return nil, err
	}
	if n := len(d.undone); n > 0 && d.undone[n-1] == a {
		d.undone = d.undone[:n-1]
	} else {
		d.undone = nil
	}
	d.after, d.actions = append(d.after, next), append(d.actions, a)
	return steps, nil
}

// undo takes the last action back.
func (d *draft) undo() (mu.Action, bool) {
	n := len(d.actions) - 1
	if n < 0 {
		return mu.Action{}, false
	}
	a := d.actions[n]
	d.undone = append(d.undone, a)
	d.after, d.actions = d.after[:n], d.actions[:n]
	return a, true
}

// redo makes again what was undone last.
func (d *draft) redo() (mu.Action, []mu.Step, bool) {
	if len(d.undone) == 0 {
		return mu.Action{}, nil, false
	}
	a := d.undone[len(d.undone)-1]
	steps, err := d.do(a)
	return a, steps, err == nil
}

// explodeAll lets critical cells explode, the first of them each time, until there is none to choose. It
// ends, as every chain reaction does.
func (d *draft) explodeAll() []mu.Step {
	var all []mu.Step
	for critical := d.head().Critical(); len(critical) > 0; critical = d.head().Critical() {
		steps, err := d.do(mu.Action{Kind: mu.Explode, At: critical[0]})
		if err != nil {
			break // a critical cell may always be chosen
		}
		all = append(all, steps...)
	}
	return all
}

// texts returns the actions in the notation; never nil.
func (d *draft) texts() []string {
	texts := make([]string, len(d.actions))
	for i, a := range d.actions {
		texts[i] = a.String()
	}
	return texts
}

// mirror makes the draft the one that all sessions of the seat share, as far as its actions are
// legal. What the last session undid can be made again in this one.
func (d *draft) mirror(base *mu.Position, texts []string) {
	if d.base != base {
		*d = draft{base: base}
	}
	same := 0
	for own := d.texts(); same < min(len(own), len(texts)) && own[same] == texts[same]; {
		same++
	}
	for len(d.actions) > same {
		d.undo()
	}
	for _, text := range texts[same:] {
		a, err := mu.ParseAction(text)
		if err != nil || a.Kind == mu.End {
			return
		}
		if _, err := d.do(a); err != nil {
			return
		}
	}
}
