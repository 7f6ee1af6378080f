package mu

import "ayumu/engine/mu"

// draft is an unfinished turn in phase play: actions on a base position, which can be undone and redone.
// The zero draft has no base.
type draft struct {
	base    *mu.Position
	after   []*mu.Position // the position after each action
	actions []mu.Action
	undone  []mu.Action // redo takes the last one
}

// isStarted reports whether the draft has an action.
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

// do adds an action and returns its steps. Undone actions are dropped, unless a is the one that redo would
// take.
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

// undo removes the last action; ok is false if there is none.
func (d *draft) undo() (a mu.Action, ok bool) {
	n := len(d.actions) - 1
	if n < 0 {
		return mu.Action{}, false
	}
	a = d.actions[n]
	d.undone = append(d.undone, a)
	d.after, d.actions = d.after[:n], d.actions[:n]
	return a, true
}

// redo adds the action that was undone last.
func (d *draft) redo() (mu.Action, []mu.Step, bool) {
	if len(d.undone) == 0 {
		return mu.Action{}, nil, false
	}
	a := d.undone[len(d.undone)-1]
	steps, err := d.do(a)
	return a, steps, err == nil
}

// explodeAll adds the explosion of the first critical cell until none is critical, and returns all steps.
// It terminates because every chain reaction does.
func (d *draft) explodeAll() []mu.Step {
	var all []mu.Step
	for critical := d.head().Critical(); len(critical) > 0; critical = d.head().Critical() {
		steps, err := d.do(mu.Action{Kind: mu.Explode, At: critical[0]})
		if err != nil {
			break // cannot happen: every critical cell may be chosen
		}
		all = append(all, steps...)
	}
	return all
}

// texts returns the actions in the notation. It is never nil.
func (d *draft) texts() []string {
	texts := make([]string, len(d.actions))
	for i, a := range d.actions {
		texts[i] = a.String()
	}
	return texts
}

// mirror replaces the draft by the one that all sessions of the seat share, up to the first action that is
// not legal. Actions that another session undid can be redone here.
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
