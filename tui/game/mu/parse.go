package mu

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"ayumu/engine"
	"ayumu/engine/mu"
)

// maxTypedLength is the maximum length of a typed turn, in bytes; a long turn with six players takes a few
// hundred.
const maxTypedLength = 2000

const tooLong = "a typed turn can have at most 2,000 characters"

// playTyped plays typed actions, separated by semicolons. If they end the turn, it returns the complete
// turn. After an error the draft is unchanged.
func (d *draft) playTyped(typed string) (turn []string, err error) {
	if len(typed) > maxTypedLength {
		return nil, errors.New(tooLong)
	}
	try := draft{d.base, slices.Clone(d.after), slices.Clone(d.actions), slices.Clone(d.undone)}
	if turn, err = try.play(typed); err == nil {
		*d = try
	}
	return turn, err
}

// play is playTyped without its limit; after an error the actions before it stay in the draft.
func (d *draft) play(typed string) (turn []string, err error) {
	for _, text := range splitTyped(typed) {
		switch {
		case turn != nil:
			return nil, wasOver(text)
		case explodesRest(text):
			if len(d.head().Critical()) == 0 {
				return nil, errors.New(noCritical)
			}
			d.explodeAll()
			continue
		}
		a, err := readAction(d.head(), text)
		if err != nil {
			return nil, err
		}
		if a.Kind == mu.Move || a.Kind == mu.Explode {
			_, err = d.do(a)
		} else if why := d.head().Explain(a); why != "" {
			err = errors.New(why)
		} else {
			turn = append(d.texts(), a.String())
		}
		if err != nil {
			return nil, errors.New(refusalReason(err))
		}
	}
	return turn, nil
}

// CheckPremove implements game.PremoveChecker: whatever the opponent does, the text must be readable, and moves need the end of the
// turn after them.
func (Game) CheckPremove(p engine.Position, typed string) error {
	pos, ended := p.(*mu.Position), false
	for _, text := range splitTyped(typed) {
		switch {
		case ended:
			return wasOver(text)
		case explodesRest(text):
			continue
		}
		a, err := readAction(pos, text)
		if move, isMove := mu.ParseAction("move " + text); isMove == nil && pos.Phase() == mu.Clearing {
			a, err = move, nil // the opponent may clear the last segment
		}
		if err != nil {
			return err
		}
		ended = a.Kind != mu.Move && a.Kind != mu.Explode
	}
	if !ended {
		return errors.New("the turn has no end: add it, as in 0,0 1 e; end")
	}
	return nil
}

// splitTyped returns the typed actions one by one, with single spaces.
func splitTyped(typed string) (all []string) {
	for part := range strings.SplitSeq(expandShort(strings.ToLower(typed)), ";") {
		if words := strings.Fields(part); len(words) > 0 {
			all = append(all, strings.Join(words, " "))
		}
	}
	return all
}

// wasOver refuses a typed action after the end of the turn.
func wasOver(text string) error {
	return fmt.Errorf("the turn was over before %q", engine.Excerpt(text))
}

// explodesRest reports whether a typed action stands for the explosion of all critical cells.
func explodesRest(text string) bool { return text == "a" || text == "rest" }

// shortForms has the notation of Game.ShortTurn, and what each form of it stands for. A form ends its action, so that
// no semicolon is needed after it.
var shortForms = []struct {
	form *regexp.Regexp
	long string
}{
	{regexp.MustCompile(`(-?\d+,-?\d+):(\d+)([a-z]+)`), ";move $1 $2 $3;"},
	{regexp.MustCompile(`!(-?\d+,-?\d+)`), ";explode $1;"},
	{regexp.MustCompile(`@(-?\d+,-?\d+)`), ";place $1;"},
	{regexp.MustCompile(`[×x](-?\d+,-?\d+)`), ";clear $1;"},
}

// expandShort replaces the short forms in typed actions.
func expandShort(typed string) string {
	for _, s := range shortForms {
		typed = s.form.ReplaceAllString(typed, s.long)
	}
	return typed
}

const noCritical = "no cell is critical, so there is nothing to explode"

// readAction parses an action. The verb may be missing before a cell (impliedVerb), and "pass" means end.
func readAction(p *mu.Position, text string) (mu.Action, error) {
	if text == "pass" {
		return mu.Action{}, nil
	}
	if c := text[0]; c == '-' || c >= '0' && c <= '9' {
		text = impliedVerb(p, strings.Contains(text, " ")) + " " + text
	}
	a, err := mu.ParseAction(text)
	if err != nil {
		return a, errors.New(whatToType(p))
	}
	return a, nil
}

// whatToType returns what can be typed in a position, with an action that is legal there as an example.
func whatToType(p *mu.Position) string {
	verb, what, more := "move", "a cell, how many men and a direction (e ne nw w sw se)", "; or end"
	switch {
	case p.Phase() == mu.Layout:
		verb, what, more = "place", "the cell for the centre of your segment", ""
	case p.Phase() == mu.Clearing:
		verb, what, more = "clear", "the centre of the segment to clear", ""
	case len(p.Critical()) > 0:
		verb, what, more = "explode", "the critical cell that explodes next", "; or a for all"
	}
	for _, legal := range p.Legal() {
		if example, ok := strings.CutPrefix(legal, verb+" "); ok {
			return "type " + what + ", as in " + example + more
		}
	}
	return "type end: no piece can move"
}

// impliedVerb returns the verb of an action that begins with a cell; more reports whether anything follows.
func impliedVerb(p *mu.Position, more bool) string {
	switch {
	case p.Phase() == mu.Layout:
		return "place"
	case p.Phase() == mu.Clearing:
		return "clear"
	case more:
		return "move"
	}
	return "explode"
}

// refusalReason returns why an action was refused, without the action, which the player has just typed.
func refusalReason(err error) string {
	var illegal *engine.ActionError
	if errors.As(err, &illegal) {
		return illegal.Reason
	}
	return err.Error()
}
