package op

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"ayumu/engine"
	"ayumu/lobby/errcode"
	"ayumu/lobby/limit"
	"ayumu/tui/words"
)

// MaxActions is the maximum number of actions with which a request begins a turn; each is played.
const MaxActions = 256

// PlayActions returns the position after the actions of an unfinished turn.
func PlayActions(p engine.Position, actions []string) (engine.Position, error) {
	if len(actions) > MaxActions {
		return nil, badRequest("actions can have at most %d entries", MaxActions)
	}
	for i, a := range actions {
		if i > 0 && !p.MidTurn() {
			return nil, &errcode.Error{Code: errcode.IllegalAction, Message: "the turn was over before " + strconv.Quote(engine.Excerpt(a))}
		}
		var err error
		if p, err = p.Play(strings.Join(strings.Fields(strings.ToLower(a)), " ")); err != nil {
			return nil, &errcode.Error{Code: errcode.IllegalAction, Message: err.Error()}
		}
	}
	return p, nil
}

// LegalArgs are the arguments of Legal.
type LegalArgs struct {
	Match   MatchID  `json:"match" arg:"MATCH"`
	Point   string   `json:"point" arg:"[POINT]" help:"only actions from there"`
	Actions []string `json:"actions"` // the beginning of a turn
	Code    string   `json:"code"`    // of a private match
}

// LegalResult has the legal actions of the seat to move; none after the end of the match or of the turn.
type LegalResult struct {
	Version int      `json:"version"`
	Legal   []string `json:"legal"`
}

// Legal lists the legal actions of the seat to move. Spectators may ask too; with a delay they get those of the version
// that they see.
var Legal = New(Spec[LegalArgs, LegalResult]{
	Info: Info{Name: "legal", Help: "list your legal moves, or those from one point", Group: GroupPlay, Where: AtSeat, Session: true, Offline: true,
		On: On{SSH: Not(withoutPosition), Screen: As("match")}},
	Confirm: func(v *Visit, _ LegalArgs) (string, error) {
		switch m := v.Current; { // people want their own moves
		case m == nil:
			return "", nil
		case m.Snapshot.IsOver():
			return "", &errcode.Error{Code: errcode.GameOver, Message: "the game is over"}
		case m.IsOut():
			return "", &errcode.Error{Code: errcode.NotAllowed, Message: "you are out of this game"}
		case !m.IsOwnTurn():
			return "", &errcode.Error{Code: errcode.NotYourTurn, Message: "it is not your turn"}
		}
		return "", nil
	},
	Run: func(_ context.Context, v *Visit, in LegalArgs) (LegalResult, error) {
		if len(in.Actions) > MaxActions {
			return LegalResult{}, badRequest("actions can have at most %d entries", MaxActions)
		}
		if err := v.Session.CheckDebt(limit.WorkLegal); err != nil {
			return LegalResult{}, err
		}
		s, err := v.Session.FindSnapshot(string(in.Match), in.Code)
		if err != nil {
			return LegalResult{}, err
		}
		r := LegalResult{s.Version, []string{}}
		if s.IsOver() {
			return r, nil
		}
		p, err := PlayActions(s.Position, in.Actions)
		if err != nil {
			return LegalResult{}, err
		}
		if len(in.Actions) > 0 && !p.MidTurn() {
			return r, nil
		}
		legal := p.Legal()
		size := 4 << 10 // the cost of the shortest list
		for _, a := range legal {
			size += len(a) + len(`"",`)
		}
		v.Session.Charge(limit.WorkLegal, size)
		if in.Point != "" {
			legal = slices.DeleteFunc(slices.Clone(legal), func(a string) bool { return !startsFrom(a, strings.ToLower(in.Point)) })
		}
		r.Legal = append(r.Legal, legal...)
		return r, nil
	},
	Text: func(_ *Visit, in LegalArgs, r LegalResult) Text {
		switch {
		case len(r.Legal) > 0:
			return Say("%s: %s.", words.Plural(len(r.Legal), "move"), strings.Join(r.Legal, ", "))
		case in.Point != "":
			return Say("%s has no legal move.", in.Point)
		}
		return Say("There is no legal move.")
	},
})

// startsFrom reports whether an action is about a point: "b1-b2" about b1, "move 3,-1 1 w" about 3,-1.
func startsFrom(action, point string) bool {
	return strings.HasPrefix(action, point+"-") || slices.Contains(strings.Fields(action), point)
}
