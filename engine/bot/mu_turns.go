package bot

import (
	"cmp"
	"slices"

	"ayumu/engine/mu"
)

// muTurn is a whole turn, or the rest of one.
type muTurn struct {
	actions []mu.Action
	end     *mu.Position // position after it
	value   muShares     // static value of end
}

// muBreadth limits a turn search.
type muBreadth struct {
	beam      int // drafts that are extended after each move
	moves     int // number of first moves that are retried later in the turn
	choices   int // first choices tried for an explosion; later ones take the first
	positions int // maximum number of positions
	keep      int // maximum number of turns returned
}

// muDraft is an incomplete turn without a pending explosion.
type muDraft struct {
	p        *mu.Position
	lastStep int32 // index of its last step; -1 for none
	value    muShares
}

// muStep is one action of a draft.
type muStep struct {
	action mu.Action
	prev   int32 // index of the previous step; -1 for none
}

// muTurnSearch finds turns by beam search: it extends the most promising drafts by one move as long as
// there are rights.
type muTurnSearch struct {
	evaluator     muEvaluator
	timeUp        func() bool // reports whether time is up
	positionsLeft int         // number of positions left
	steps         []muStep
	found         []muDraft
	seen          map[uint64]bool // hashes of the boards found
	start         []mu.PackedCell // at the start of the turn
	now           []mu.PackedCell // in the extended draft
	retryMoves    []mu.Action     // moves to retry later in the turn
	moves         []mu.Action     // reused buffer
	moveBuf       []mu.Action     // reused buffer
}

// find returns the best turns of the seat to move that it finds, the best first: at least one, and a pass
// where legal.
func (g *muTurnSearch) find(p *mu.Position, b muBreadth) []muTurn {
	if g.seen == nil {
		g.seen = make(map[uint64]bool)
	}
	clear(g.seen)
	g.steps, g.found, g.retryMoves = g.steps[:0], g.found[:0], g.retryMoves[:0]
	g.positionsLeft = b.positions
	g.start = p.AppendPackedCells(g.start[:0])
	g.explode(p, -1, b.choices)
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
func (g *muTurnSearch) extend(d muDraft, b muBreadth, first bool) {
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
		if g.positionsLeft <= 0 || g.timeUp() {
			return
		}
		g.explode(playMu(d.p, a), g.step(a, d.lastStep), b.choices)
	}
}

// explode adds the drafts at the end of pending explosions. It tries several choices for the first
// explosion.
func (g *muTurnSearch) explode(p *mu.Position, last int32, ways int) {
	g.moveBuf = p.AppendLegal(g.moveBuf[:0])
	if g.moveBuf[0].Kind != mu.Explode {
		g.add(p, last)
		return
	}
	for _, a := range slices.Clone(g.moveBuf[:min(len(g.moveBuf), ways)]) {
		g.explode(playMu(p, a), g.step(a, last), 1)
	}
}

// step returns the index of a new step.
func (g *muTurnSearch) step(a mu.Action, before int32) int32 {
	g.steps = append(g.steps, muStep{a, before})
	return int32(len(g.steps) - 1)
}

// firstMove returns the first move of the draft with this last step.
func (g *muTurnSearch) firstMove(last int32) mu.Action {
	var move mu.Action
	for ; last >= 0; last = g.steps[last].prev {
		if a := g.steps[last].action; a.Kind == mu.Move {
			move = a
		}
	}
	return move
}

// add evaluates a draft and keeps it if its board is new.
func (g *muTurnSearch) add(p *mu.Position, last int32) {
	g.positionsLeft--
	g.evaluator.load(p)
	key := g.evaluator.hash()
	if g.seen[key] {
		return
	}
	g.seen[key] = true
	g.found = append(g.found, muDraft{p, last, g.evaluator.evaluateTurn(p, p.Turn()+1)})
}

// sort sorts drafts by their value for a seat, the best first.
func (g *muTurnSearch) sort(drafts []muDraft, seat int) {
	slices.SortStableFunc(drafts, func(a, b muDraft) int { return cmp.Compare(b.value[seat], a.value[seat]) })
}

// finish completes the best drafts.
func (g *muTurnSearch) finish(p *mu.Position, keep int) []muTurn {
	seat := p.Turn()
	g.sort(g.found, seat)
	turns := make([]muTurn, 0, keep+1)
	for i, d := range g.found {
		pass := d.lastStep < 0 && !p.MidTurn()
		if i >= keep && !pass {
			continue
		}
		end := playMu(d.p, mu.Action{Kind: mu.End})
		turns = append(turns, muTurn{g.actions(d.lastStep), end, g.evaluator.evaluate(end)})
	}
	turns = limitQuietTurns(p, turns)
	slices.SortStableFunc(turns, func(a, b muTurn) int { return cmp.Compare(b.value[seat], a.value[seat]) })
	return turns
}

// actions returns the actions of the draft with this last step, followed by the end of the turn.
func (g *muTurnSearch) actions(last int32) []mu.Action {
	list := []mu.Action{{Kind: mu.End}}
	for ; last >= 0; last = g.steps[last].prev {
		list = append(list, g.steps[last].action)
	}
	slices.Reverse(list)
	return list
}

// playMu plays a legal action.
func playMu(p *mu.Position, a mu.Action) *mu.Position {
	next, err := p.Do(a)
	if err != nil {
		panic("bot: a legal action is refused: " + err.Error())
	}
	return next
}

// Quiet turns change neither the number of men nor that of virgin cells. They could continue for very
// long. So after muQuietRounds of them a player makes only quiet turns that increase its territory, and
// after muStaticRounds none. The number of other turns in a match is bounded.
const (
	muQuietRounds  = 6
	muStaticRounds = 12
)

// limitQuietTurns returns the turns that these limits allow; at least one.
func limitQuietTurns(p *mu.Position, turns []muTurn) []muTurn {
	rounds, seat := p.QuietTurns()/p.Seats(), p.Turn()
	if rounds < muQuietRounds {
		return turns
	}
	had := p.Territory()[seat]
	left := slices.DeleteFunc(slices.Clone(turns), func(t muTurn) bool {
		pass := len(t.actions) == 1 && !p.MidTurn()
		more := rounds < muStaticRounds && t.end.Territory()[seat] > had
		return !pass && !more && t.end.Phase() != mu.Over && t.end.QuietTurns() > 0
	})
	if len(left) == 0 {
		return turns
	}
	return left
}
