package op

import (
	"context"
	"fmt"

	"ayumu/engine"
	"ayumu/engine/analysis"
	"ayumu/tui/game"
	"ayumu/tui/words"
)

// MaxComments is the maximum number of comments in a match.
const MaxComments = 3

// Comments are the engine's comments on the user's first mistakes in the match that follows the lessons: at most
// MaxComments, and never on two own turns in a row. Coach.Comments has them. The methods belong to the goroutine of the
// session, but for Judge.
type Comments struct {
	visit   *Visit
	game    game.Game
	given   int
	turns   int  // own turns so far
	last    int  // the number of the own turn that was commented on last; 0: none
	judging bool // a turn is being judged
}

// Begin counts an own turn, and reports whether it is to be judged: then Judge and End must follow. A turn that a hint
// has recommended is not, since a second search may find less in it.
func (c *Comments) Begin(isHinted bool) bool {
	if c == nil {
		return false
	}
	c.turns++
	if isHinted || c.given == MaxComments || c.judging || c.last > 0 && c.last == c.turns-1 {
		return false
	}
	c.judging = true
	return true
}

// Judge returns a comment on a turn of the user, as a sentence, if it is a mistake, otherwise "". It takes about a second,
// and may be called from any goroutine.
func (c *Comments) Judge(ctx context.Context, p engine.Position, turn []string) (string, error) {
	before, after, err := c.visit.Bots.EvaluateTurn(ctx, c.visit.Session, p, c.game.Engine(), turn)
	if err != nil {
		return "", err
	}
	seat := p.Turn()
	loss := analysis.Turn{Seat: seat, Actions: turn}.Loss(before, after)
	if loss < analysis.MistakeLoss {
		return "", nil
	}
	return fmt.Sprintf("%s was probably a mistake: with %s your winning chance would be about %s, now it is about %s.",
		c.game.ShortTurn(turn), c.game.ShortTurn(before.Best), words.Percent(before.BestChance), words.Percent(after.Chances[seat])), nil
}

// End ends the judgement of the turn that Begin has counted: comment is what Judge returned.
func (c *Comments) End(comment string) {
	if c.judging = false; comment != "" {
		c.given++
		c.last = c.turns
	}
}
