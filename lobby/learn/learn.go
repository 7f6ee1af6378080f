// Package learn has what the lessons of all games share: a lesson shows a position, asks for actions, and checks those
// that the user tries. Its contents are data beside the board of each game.
//
// Its values are made once and shared by all sessions.
package learn

import (
	"errors"
	"slices"
	"strings"

	"ayumu/engine"
)

// Lesson is one step of a course: a position and one task. It must not be changed.
type Lesson struct {
	Title string // a few words: "Units"
	Text  string // one to three sentences about the position
	Task  string // one sentence that asks for actions
	// Position is where the seat to move is asked.
	Position engine.Position
	// Solutions are the sequences of actions that solve the task. They need not end the turn. None: every legal
	// action does.
	Solutions [][]string
	// Wrong has the reasons against actions that are legal and no solution, by the actions up to the first wrong one,
	// separated by "; ". Otherwise is the reason against all others; empty if there are none.
	Wrong     map[string]string
	Otherwise string
	// Reply is a turn of the next seat that is played after the solution; nil: none.
	Reply []string
	// HidesMarks reports that the board leaves out numbers and marks that a later lesson or the legend of games explains.
	HidesMarks bool
	// Done is what the solution has shown, one or two sentences.
	Done string
}

// Outcome is what Check found.
type Outcome int

// The outcomes. After Refused the actions must be dropped.
const (
	Refused    Outcome = iota // the actions are illegal, or do not solve the task
	Incomplete                // a solution begins with the actions
	Solved                    // the actions are a solution
)

// Check compares actions from the position with the solutions. What follows a solution is ignored. why is for Refused
// the reason, as a clause of the rules or as sentences of the lesson.
func (l *Lesson) Check(actions []string) (o Outcome, why string) {
	p := l.Position
	for i, action := range actions {
		next, err := p.Play(action)
		if err != nil {
			return Refused, reason(err)
		}
		p = next
		switch o, played := l.compare(actions[:i+1]), strings.Join(actions[:i+1], "; "); {
		case o == Solved:
			return Solved, ""
		case o == Refused && l.Wrong[played] != "":
			return Refused, l.Wrong[played]
		case o == Refused:
			return Refused, l.Otherwise
		}
	}
	return Incomplete, ""
}

// compare returns the outcome of legal actions.
func (l *Lesson) compare(actions []string) Outcome {
	o := Refused
	for _, s := range l.Solutions {
		switch {
		case slices.Equal(s, actions):
			return Solved
		case len(actions) < len(s) && slices.Equal(s[:len(actions)], actions):
			o = Incomplete
		}
	}
	if len(l.Solutions) == 0 {
		return Solved
	}
	return o
}

// After returns the position after the first actions of a solution that are given, and after the reply to them, if there
// is one: then turn is the reply, otherwise what the user played. before is the position in which turn was played.
func (l *Lesson) After(actions []string) (after, before engine.Position, turn []string, err error) {
	after, before = l.Position, l.Position
	for i, action := range actions {
		if after, err = after.Play(action); err != nil {
			return nil, nil, nil, err
		}
		turn = actions[:i+1]
		if l.compare(turn) == Solved {
			break
		}
	}
	if l.Reply == nil {
		return after, before, turn, nil
	}
	before, turn = after, l.Reply
	after, err = engine.PlayTurn(before, turn)
	return after, before, turn, err
}

// reason returns why the rules refuse an action, without the action.
func reason(err error) string {
	var illegal *engine.ActionError
	if errors.As(err, &illegal) {
		return illegal.Reason
	}
	return err.Error()
}

// Rest returns what follows some actions in the first solution that begins with them, or any legal action if every one
// is a solution; nil if there is none.
func (l *Lesson) Rest(actions []string) []string {
	if len(l.Solutions) == 0 {
		return l.Position.Legal()[:1]
	}
	for _, s := range l.Solutions {
		if len(actions) < len(s) && slices.Equal(s[:len(actions)], actions) {
			return s[len(actions):]
		}
	}
	return nil
}
