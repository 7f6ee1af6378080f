package mu

import "ayumu/engine"

// Position is one state of a match of Mu. It is immutable and implements engine.Position.
type Position struct {
	boardState
	turnState
	history *history // the turns of play up to this one
}

// New returns the first position of a match with o.Players players.
func New(o Options) *Position {
	b := firstBoard()
	return &Position{
		boardState: boardState{board: b, terrain: virginTerrain(b)},
		turnState:  turnState{seats: uint8(o.Players), segments: uint8(o.Segments)},
	}
}

// Play implements engine.Position.
func (p *Position) Play(action string) (engine.Position, error) {
	a, err := ParseAction(action)
	if err != nil {
		return nil, err
	}
	next, err := p.Do(a)
	if err != nil {
		return nil, err
	}
	return next, nil
}

// Do returns the position after an action of the seat to move. The error of a refused action is an
// *engine.ActionError, or engine.ErrGameOver after the end.
func (p *Position) Do(a Action) (*Position, error) { return p.do(a, nil) }

// PlaySteps is like Do and also returns what the action did, step by step.
func (p *Position) PlaySteps(a Action) (*Position, []Step, error) {
	var steps []Step
	next, err := p.do(a, &steps)
	if err != nil {
		return nil, nil, err
	}
	return next, steps, nil
}

func (p *Position) do(a Action, steps *[]Step) (*Position, error) {
	if p.phase == Over {
		return nil, engine.ErrGameOver
	}
	if reason := p.Explain(a); reason != "" {
		return nil, &engine.ActionError{Action: a.String(), Reason: reason}
	}
	c := p.newBuilder(steps)
	switch a.Kind {
	case Place:
		c.place(a.At)
	case Clear:
		c.clear(a.At)
	case Move:
		c.move(p.board.find(a.At), a.Men, a.Dir)
	case Explode:
		c.cells.explode(p.board.find(a.At))
		c.cells.react()
	case End:
		c.end()
	}
	return c.Position, nil
}

// builder is a position under construction from another one. It is not published until it is complete.
type builder struct {
	*Position
	cells boardBuilder // of the same position
}

func (p *Position) newBuilder(steps *[]Step) *builder {
	next := *p
	next.pieces = append([]piece(nil), p.pieces...)
	return &builder{Position: &next, cells: boardBuilder{boardState: &next.boardState, sharedTerrain: p.terrain, steps: steps}}
}
