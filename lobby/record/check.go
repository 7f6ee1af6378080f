package record

import (
	"fmt"
	"slices"

	"ayumu/engine"
)

// Check replays the record and returns the first error: a line that the rules do not allow, or an end that
// does not follow from the last position. The error is an *Error.
func (r *Record) Check() error {
	if r.Rated && engine.NeverRated(r.Options) {
		return errorAt(r.tagLine("Rated"), "games from a position or with a handicap are never rated")
	}
	first := len(r.tags()) + 2 // the line of the first turn
	p := r.Options.Game().New(r.Options)
	for i, l := range r.Lines {
		var err error
		if p, err = l.play(p); err != nil {
			return errorAt(first+i, "%v", err)
		}
	}
	return r.checkEnd(p)
}

// play returns the position after the line.
func (l Line) play(p engine.Position) (engine.Position, error) {
	_, over := p.Result()
	switch {
	case over:
		return nil, fmt.Errorf("the game was already over")
	case l.Seat < 0 || l.Seat >= p.Seats():
		return nil, fmt.Errorf("there is no seat %d", l.Seat)
	case len(l.Actions) == 0:
		return p.Leave(l.Seat)
	case l.Seat != p.Turn():
		return nil, fmt.Errorf("it is the turn of seat %d", p.Turn())
	}
	return engine.PlayTurn(p, l.Actions)
}

// checkEnd compares the result with the last position.
func (r *Record) checkEnd(p engine.Position) error {
	ruled, over := p.Result()
	ruled.Places = nil
	switch {
	case r.Result == nil && over:
		return errorAt(r.tagLine("Result"), "by the rules the game is over, so this must be %q", resultText(&ruled, len(r.Seats)))
	case r.Result == nil && !r.Ended.IsZero():
		return errorAt(r.tagLine("Ended"), "a running game has no tag Ended")
	case r.Result == nil:
		return nil
	case r.Ended.IsZero():
		return errorAt(r.tagLine("Result"), "a finished game needs the tag Ended")
	case over && !slices.Equal(r.Result.Winners, ruled.Winners):
		return errorAt(r.tagLine("Result"), "by the rules this must be %q", resultText(&ruled, len(r.Seats)))
	case over && r.Result.Reason != ruled.Reason:
		return errorAt(r.tagLine("Reason"), "the rules ended the game, so this must be %q", ruled.Reason)
	case !slices.Equal(r.Result.Scores, ruled.Scores):
		return errorAt(r.tagLine("Scores"), "by the rules the scores are %q", numbersText(ruled.Scores))
	case !over:
		return r.checkEarlyEnd(p)
	}
	return nil
}

// checkEarlyEnd checks the end of a game that its rules did not end.
func (r *Record) checkEarlyEnd(p engine.Position) error {
	duel, winners := len(r.Seats) == 2, r.Result.Winners
	reason, result := r.tagLine("Reason"), r.tagLine("Result")
	switch cause := r.Result.Reason; cause {
	case engine.ReasonAbort:
		if len(winners) > 0 {
			return errorAt(result, "an aborted game has no winner")
		}
		return nil
	case engine.ReasonDraw, engine.ReasonResign, engine.ReasonTime, engine.ReasonLeft:
		switch {
		case !duel:
			return errorAt(reason, "only a two-player game ends like this; with more players the seat leaves and the others continue")
		case cause == engine.ReasonDraw && len(winners) != 2:
			return errorAt(result, "a draw by agreement has two winners")
		case cause != engine.ReasonDraw && len(winners) != 1:
			return errorAt(result, "there must be one winner")
		case cause == engine.ReasonTime && r.Control.IsUntimed():
			return errorAt(reason, "there was no clock")
		case cause == engine.ReasonTime && winners[0] == p.Turn():
			return errorAt(result, "seat %d was to move, so its time ran out and it has lost", p.Turn())
		}
		return nil
	}
	return errorAt(reason, "the rules did not end the game like this in its last position")
}
