package mu

import "ayumu/engine"

// Phase is a phase of the game.
type Phase uint8

// The phases, in their order.
const (
	Layout Phase = iota
	Clearing
	Play
	Over
)

// String returns the name of the phase in a position line.
func (p Phase) String() string { return [...]string{"layout", "clear", "play", "over"}[p] }

// Position is one state of a match of Mu. It is immutable and implements engine.Position.
type Position struct {
	board    *Board
	terrain  *terrainMap
	pieces   []piece // by cell
	men      [maxPlayers]uint16
	seats    uint8
	segments uint8 // for each player
	seat     uint8 // whose turn it is
	left     uint8 // bit set of seats that have left
	phase    Phase
	hasMoved bool     // a move was made in this turn of play
	passes   uint8    // consecutive passes
	rights   uint64   // bit set of segments
	history  *history // the turns of play up to this one

	// State of the chain reaction and its effects in this turn (docs/rules/mu.md, sections 6 and 7):
	critical    cellSet // between actions it is empty or has two or more cells
	fired       cellSet // cells that exploded since their closed section was last disturbed
	oscillating cellSet // cells of oscillating sections

	result *engine.Result // nil until the end
}

// piece is the piece on a cell. Zero men mean an empty cell.
type piece struct {
	men   uint16
	owner uint8
}

// New returns the first position of a match with o.Players players.
func New(o Options) *Position {
	b := firstBoard()
	return &Position{board: b, terrain: virginTerrain(b), seats: uint8(o.Players), segments: uint8(o.Segments)}
}

// Seats implements engine.Position.
func (p *Position) Seats() int { return int(p.seats) }

// Turn implements engine.Position.
func (p *Position) Turn() int { return int(p.seat) }

// Phase returns the current phase.
func (p *Position) Phase() Phase { return p.phase }

// MidTurn implements engine.Position. A turn of play starts with its first move.
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

// Side implements engine.Position. Seats of Mu have no sides.
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
		c.explode(p.board.find(a.At))
		c.react()
	case End:
		c.end()
	}
	return c.Position, nil
}

// builder is a position under construction from another one. It is not published until it is complete.
type builder struct {
	*Position
	sharedTerrain *terrainMap // terrain of the previous position; read-only
	steps         *[]Step     // nil if not requested
}

func (p *Position) newBuilder(steps *[]Step) *builder {
	next := *p
	next.pieces = append([]piece(nil), p.pieces...)
	return &builder{Position: &next, sharedTerrain: p.terrain, steps: steps}
}

// ownTerrain returns terrain that the builder may modify, cloning it on first use.
func (c *builder) ownTerrain() *terrainMap {
	if c.terrain == c.sharedTerrain {
		c.terrain = c.terrain.clone()
	}
	return c.terrain
}

// addStep appends a step if steps are requested.
func (c *builder) addStep(s Step) {
	if c.steps != nil {
		*c.steps = append(*c.steps, s)
	}
}
