package mu

import "ayumu/engine"

// Phase is a part of the game.
type Phase uint8

// The phases, in their order.
const (
	Layout Phase = iota
	Clearing
	Play
	Over
)

// String is the phase's name in a position's line.
func (p Phase) String() string { return [...]string{"layout", "clear", "play", "over"}[p] }

// Position is one state of a game of Mu; see engine.Position. It is immutable.
type Position struct {
	board    *Board
	terrain  *terrainMap
	pieces   []piece // by cell
	men      [maxPlayers]uint16
	seats    uint8
	segments uint8 // for each player
	seat     uint8 // whose turn it is
	left     uint8 // seats that have left, as bits
	phase    Phase
	hasMoved bool     // the turn of play has had a move
	passes   uint8    // turns in a row
	rights   uint64   // segments, as bits
	history  *history // the turns of play that began before and with this one

	// Of the chain reaction, and of what it left in this turn (docs/rules/mu.md, sections 6 and 7):
	critical    cellSet // between actions, empty or two and more
	fired       cellSet // exploded since their closed section was last disturbed
	oscillating cellSet // of oscillating sections

	result *engine.Result // once the game is over
}

// piece is what stands on a cell: nothing when it has no men.
type piece struct {
	men   uint16
	owner uint8
}

// New returns the first position of a game that all players of the options have joined.
func New(o Options) *Position {
	b := firstBoard()
	return &Position{board: b, terrain: virginTerrain(b), seats: uint8(o.Players), segments: uint8(o.Segments)}
}

// Seats implements engine.Position.
func (p *Position) Seats() int { return int(p.seats) }

// Turn implements engine.Position.
func (p *Position) Turn() int { return int(p.seat) }

// Phase returns the part of the game that this position belongs to.
func (p *Position) Phase() Phase { return p.phase }

// MidTurn implements engine.Position: in play a turn has begun with its first move.
func (p *Position) MidTurn() bool { return p.hasMoved && p.phase == Play }

// HasLeft implements engine.Position.
func (p *Position) HasLeft(seat int) bool {
	return seat >= 0 && seat < int(p.seats) && p.seatLeft(uint8(seat))
}

func (p *Position) seatLeft(seat uint8) bool { return p.left>>seat&1 != 0 }

// Result implements engine.Position.
func (p *Position) Result() (engine.Result, bool) {
	if p.result == nil {
		return engine.Result{}, false
	}
	r := *p.result
	r.Winners = append([]int{}, r.Winners...)
	r.Scores = append([]int(nil), r.Scores...)
	r.Places = append([]int(nil), r.Places...)
	return r, true
}

// Side implements engine.Position: seats of Mu have no sides to exchange.
func (p *Position) Side(int) string { return "" }

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

// Do takes one action of the seat to move. A refused action is an *engine.ActionError, once the
// game is over engine.ErrOver.
func (p *Position) Do(a Action) (*Position, error) { return p.do(a, nil) }

// PlaySteps is Do that also tells, step by step, what the action did.
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
		c.explode(p.board.find(a.At))
		c.react()
	case End:
		c.end()
	}
	return c.Position, nil
}

// builder is a position that is being made from another one, and not to be seen before it is done.
type builder struct {
	*Position
	sharedTerrain *terrainMap // the land of the position before, which is not to be changed
	steps         *[]Step     // nil where nobody asked
}

func (p *Position) newBuilder(steps *[]Step) *builder {
	next := *p
	next.pieces = append([]piece(nil), p.pieces...)
	return &builder{Position: &next, sharedTerrain: p.terrain, steps: steps}
}

// ownTerrain makes the land one that may be changed.
func (c *builder) ownTerrain() *terrainMap {
	if c.terrain == c.sharedTerrain {
		c.terrain = c.terrain.clone()
	}
	return c.terrain
}

// addStep adds a step for whoever asked.
func (c *builder) addStep(s Step) {
	if c.steps != nil {
		*c.steps = append(*c.steps, s)
	}
}
