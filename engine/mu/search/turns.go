package search

import (
	"cmp"
	"slices"

	"ayumu/engine/mu"
)

// turn is a whole turn, or the rest of one.
type turn struct {
	actions []mu.Action
	end     *mu.Position // position after it
	value   shares       // static value of end
}

// breadth limits a turn search.
type breadth struct {
	beam      int // drafts that are extended after each move
	moves     int // number of first moves that are retried later in the turn
	orders    int // explosions played to find other orders of the explosions of a move; 0 for one order
	positions int // maximum number of positions
	keep      int // maximum number of turns returned
}

// draft is an incomplete turn without a pending explosion.
type draft struct {
	p        *mu.Position
	lastStep int32 // index of its last step; -1 for none
	value    shares
}

// step is one action of a draft.
type step struct {
	action mu.Action
	prev   int32 // index of the previous step; -1 for none
}

// turnSearch finds turns by beam search: it extends the most promising drafts by one move as long as
// there are rights.
type turnSearch struct {
	evaluator     evaluator
	isTimeUp      func() bool // reports whether time is up
	positionsLeft int         // number of positions left
	steps         []step
	found         []draft
	seen          map[uint64]bool // hashes of the boards found
	start         []mu.PackedCell // at the start of the turn
	now           []mu.PackedCell // in the extended draft
	retryMoves    []mu.Action     // moves to retry later in the turn
	moves         []mu.Action     // reused buffer
	moveBuf       []mu.Action     // reused buffer
	ordersLeft    int             // number of explosions left to find other orders
	exploded      map[uint64]bool // hashes of the boards between explosions of a move
}

// find returns the best turns of the seat to move that it finds, the best first: at least one, and a pass
// where legal.
func (g *turnSearch) find(p *mu.Position, b breadth) []turn {
	if g.seen == nil {
		g.seen = make(map[uint64]bool)
	}
	clear(g.seen)
	g.steps, g.found, g.retryMoves = g.steps[:0], g.found[:0], g.retryMoves[:0]
	g.positionsLeft = b.positions
	g.start = p.AppendPackedCells(g.start[:0])
	g.explode(p, -1, b.orders)
	beam := slices.Clone(g.found)
	for first := true; len(beam) > 0; first = false {
		from := len(g.found)
		for _, d := range beam {
			g.extend(d, b, first)
		}
		added := g.found[from:]
		g.sort(added, p.Turn())
		if first {
			for _, d := range added[:min(len(added), b.moves)] {
				g.retryMoves = append(g.retryMoves, g.firstMove(d.lastStep))
			}
		}
		beam = slices.Clone(added[:min(len(added), b.beam)])
	}
	return g.finish(p, b.keep)
}

// extend adds all extensions of a draft by one move.
func (g *turnSearch) extend(d draft, b breadth, first bool) {
	board := d.p.Board()
	g.now = d.p.AppendPackedCells(g.now[:0])
	g.moves = d.p.AppendLegal(g.moves[:0])
	for _, a := range g.moves {
		if a.Kind != mu.Move {
			continue
		}
		if !first && !slices.Contains(g.retryMoves, a) {
			i := board.Index(a.At)
			if now, was := g.now[i], g.start[i]; was.Men == now.Men && was.Owner == now.Owner {
				continue
			}
		}
		if g.positionsLeft <= 0 || g.isTimeUp() {
			return
		}
		g.explode(play(d.p, a), g.step(a, d.lastStep), b.orders)
	}
}

// explode adds the drafts at the end of pending explosions, in the order of the legal actions first. Then it plays up to
// that many explosions in other orders, and follows each board once.
func (g *turnSearch) explode(p *mu.Position, last int32, others int) {
	actions := p.AppendLegal(g.moveBuf[:0])
	g.moveBuf = actions
	if actions[0].Kind != mu.Explode {
		g.add(p, last)
		return
	}
	g.ordersLeft = others
	clear(g.exploded)
	g.explodeAll(p, last, slices.Clone(actions), true)
}

// explodeAll plays each of the pending explosions. Only the first of them is played if no orders are left.
func (g *turnSearch) explodeAll(p *mu.Position, last int32, pending []mu.Action, first bool) {
	for i, a := range pending {
		if i > 0 || !first {
			if g.ordersLeft == 0 {
				return
			}
			g.ordersLeft--
		}
		next := play(p, a)
		step := g.step(a, last)
		g.moveBuf = next.AppendLegal(g.moveBuf[:0])
		if g.moveBuf[0].Kind != mu.Explode {
			g.add(next, step)
			continue
		}
		if g.boardIsNew(next) {
			g.explodeAll(next, step, slices.Clone(g.moveBuf), first && i == 0)
		}
	}
}

// boardIsNew reports whether the explosions of a move lead to a board for the first time.
func (g *turnSearch) boardIsNew(p *mu.Position) bool {
	g.evaluator.load(p)
	key := g.evaluator.hash()
	if g.exploded[key] {
		return false
	}
	if g.exploded == nil {
		g.exploded = make(map[uint64]bool)
	}
	g.exploded[key] = true
	return true
}

// step returns the index of a new step.
func (g *turnSearch) step(a mu.Action, before int32) int32 {
	g.steps = append(g.steps, step{a, before})
	return int32(len(g.steps) - 1)
}

// firstMove returns the first move of the draft with this last step.
func (g *turnSearch) firstMove(last int32) mu.Action {
	var move mu.Action
	for ; last >= 0; last = g.steps[last].prev {
		if a := g.steps[last].action; a.Kind == mu.Move {
			move = a
		}
	}
	return move
}

// add evaluates a draft and keeps it if its board is new.
func (g *turnSearch) add(p *mu.Position, last int32) {
	g.positionsLeft--
	g.evaluator.load(p)
	key := g.evaluator.hash()
	if g.seen[key] {
		return
	}
	g.seen[key] = true
	g.found = append(g.found, draft{p, last, g.evaluator.evaluateTurn(p, p.Turn()+1)})
}

// sort sorts drafts by their value for a seat, the best first.
func (g *turnSearch) sort(drafts []draft, seat int) {
	slices.SortStableFunc(drafts, func(a, b draft) int { return cmp.Compare(b.value[seat], a.value[seat]) })
}

// finish completes the best drafts.
func (g *turnSearch) finish(p *mu.Position, keep int) []turn {
	seat := p.Turn()
	g.sort(g.found, seat)
	turns := make([]turn, 0, keep+1)
	for i, d := range g.found {
		pass := d.lastStep < 0 && !p.MidTurn()
		if i >= keep && !pass {
			continue
		}
		end := play(d.p, mu.Action{Kind: mu.End})
		turns = append(turns, turn{g.actions(d.lastStep), end, g.evaluator.evaluate(end)})
	}
	turns = g.limitQuietTurns(p, turns)
	slices.SortStableFunc(turns, func(a, b turn) int { return cmp.Compare(b.value[seat], a.value[seat]) })
	return turns
}

// actions returns the actions of the draft with this last step, followed by the end of the turn.
func (g *turnSearch) actions(last int32) []mu.Action {
	list := []mu.Action{{Kind: mu.End}}
	for ; last >= 0; last = g.steps[last].prev {
		list = append(list, g.steps[last].action)
	}
	slices.Reverse(list)
	return list
}

// play plays a legal action.
func play(p *mu.Position, a mu.Action) *mu.Position {
	next, err := p.Do(a)
	if err != nil {
		panic("search: a legal action is refused: " + err.Error())
	}
	return next
}

// Quiet turns change neither the number of men nor that of virgin cells. They could continue for very
// long. So after quietRounds of them a player makes only quiet turns that increase its territory, and
// after staticRounds none. The number of other turns in a match is bounded.
const (
	quietRounds  = 6
	staticRounds = 12
)

// limitQuietTurns returns the turns that these limits allow; at least one. A seat that has won by the bounds of the
// territory passes.
func (g *turnSearch) limitQuietTurns(p *mu.Position, turns []turn) []turn {
	if pass := slices.IndexFunc(turns, func(t turn) bool { return len(t.actions) == 1 }); pass >= 0 && !p.MidTurn() && g.evaluator.hasWon(p) {
		return turns[pass : pass+1]
	}
	rounds, seat := p.QuietTurns()/p.Seats(), p.Turn()
	if rounds < quietRounds {
		return turns
	}
	had := p.Territory()[seat]
	left := slices.DeleteFunc(slices.Clone(turns), func(t turn) bool {
		pass := len(t.actions) == 1 && !p.MidTurn()
		more := rounds < staticRounds && t.end.Territory()[seat] > had
		return !pass && !more && t.end.Phase() != mu.Over && t.end.QuietTurns() > 0
	})
	if len(left) == 0 {
		return turns
	}
	return left
}
