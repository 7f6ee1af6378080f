package linemode

import (
	"context"
	"slices"

	"ayumu/engine/search"
	"ayumu/lobby/match"
	"ayumu/tui/op"
)

// looksLikeMove reports whether a line can be parsed as a move.
func (t *session) looksLikeMove(line string) bool {
	m := t.current()
	_, err := m.Game.ParseTurn(m.Snapshot.Position, line)
	return err == nil
}

func (t *session) move(args string) {
	p := t.current()
	if t.review != nil {
		t.printf("An earlier position is shown. Type live to return, or try and the move.")
		return
	}
	turn, err := p.Game.ParseTurn(p.Snapshot.Position, args)
	if err != nil {
		t.printf("Error: %v.", err)
		return
	}
	if p.IsOwnTurn() {
		if why := t.coach.Warn(p.Snapshot, turn); why != "" {
			t.printf("%s Type the same move again to play it anyway.", why)
			return
		}
	}
	before := p.Snapshot
	if t.call(func(ctx context.Context) error {
		_, err := p.Player.Act(ctx, before.Version, turn)
		return err
	}) {
		t.printComment(before, turn)
	}
	t.printEvents()
}

// printComment prints what the coach says of the user's turn, if it is one of the first mistakes in a first game.
func (t *session) printComment(before *match.Snapshot, turn []string) {
	c := t.coach.Comments()
	isTurn := func(h search.Choice) bool { return slices.Equal(h.Actions, turn) }
	if !c.Begin(before, t.hintedAt == before.Position && slices.ContainsFunc(t.hinted, isTurn)) {
		return
	}
	ctx, cancel := context.WithTimeout(t.ctx, op.CallTimeout)
	defer cancel()
	comment, _ := c.Judge(ctx, before.Position, turn) // a failure is reported by the engine, and the game goes on without
	if c.End(comment); comment.Text != "" {
		t.printf("%s", comment.Text)
	}
}
