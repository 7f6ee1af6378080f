package op

import (
	"context"

	"ayumu/engine"
	"ayumu/engine/analysis"
	"ayumu/lobby/match"
	"ayumu/tui/game"
)

// MaxComments is the maximum number of comments in a match.
const MaxComments = 3

// Comments say in the words of the lessons what the user's turn lost, and what the engine's would have done, where it was one of the
// first mistakes in a match with a coach: at most MaxComments, not on the first own turns, and never on two in a row.
// Coach.Comments has them. The methods belong to the goroutine of the session, but for Judge.
type Comments struct {
	visit   *Visit
	game    game.Coach
	given   int
	last    int // the number of the own turn that was commented on last; 0: none
	judging int // the number of the own turn that is being judged; 0: none
}

// Comment is what the coach says of a turn of the user. The zero value says nothing.
type Comment struct {
	Text   string   // sentences
	Better []string // the first action of the turn that they name, which was legal instead of the user's
}

// Begin reports whether the turn that the user has made after s is to be judged: then Judge and End must follow. A turn that a
// hint has recommended is not, since a second search may find less in it.
func (c *Comments) Begin(s *match.Snapshot, isHinted bool) bool {
	if c == nil {
		return false
	}
	turn := ownTurns(s, s.Position.Turn()) + 1
	if isHinted || turn <= silentTurns || c.given == MaxComments || c.judging > 0 || c.last > 0 && c.last == turn-1 {
		return false
	}
	c.judging = turn
	return true
}

// Judge returns a comment on a turn of the user if it is a mistake by the engine's estimate and the rules show what was better. It
// takes about a second, and may be called from any goroutine.
func (c *Comments) Judge(ctx context.Context, p engine.Position, turn []string) (Comment, error) {
	before, after, err := c.visit.Bots.EvaluateTurn(ctx, c.visit.Session, p, c.game.Engine(), turn)
	if err != nil {
		return Comment{}, err
	}
	seat := p.Turn()
	loss := analysis.Turn{Seat: seat, Actions: turn}.Loss(before, after)
	if loss < analysis.MistakeLoss {
		return Comment{}, nil
	}
	text := c.game.Comment(p, turn, before.Best)
	if text == "" {
		return Comment{}, nil
	}
	return Comment{text, before.Best[:1]}, nil
}

// End ends the judgement that Begin has begun: comment is what Judge returned.
func (c *Comments) End(comment Comment) {
	if comment.Text != "" {
		c.given++
		c.last = c.judging
	}
	c.judging = 0
}
