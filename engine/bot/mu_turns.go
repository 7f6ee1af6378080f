package bot

import (
	"cmp"
	"slices"

	"ayumu/engine/mu"
)

// muTurn is a whole turn, or what is left of one.
type muTurn struct {
	actions []mu.Action
	end     *mu.Position // after it
	value   muShares     // of its end
}

// muBreadth bounds a search for turns.
type muBreadth struct {
	beam      int // beginnings that are gone on with after each move
	moves     int // of the first moves, how many are tried again as later ones
	choices   int // choices tried where a move leaves several cells critical; then it is the first
	positions int // positions looked at
	keep      int // turns returned
}

// muDraft is a turn that is being made, with no explosion to choose.
type muDraft struct {
	p        *mu.Position
	lastStep int32 // its last step, -1 for none
	value    muShares
}

// muStep is one action of a draft.
type muStep struct {
	action mu.Action
	prev   int32 // the step before it, -1 for none
}

// muTurnSearch finds turns: from the most promising beginnings it goes on with one more move as long
// as there are rights.
type muTurnSearch struct {
	evaluator     muEvaluator
	timeUp        func() bool // whether time is up
	positionsLeft int         // left
	steps         []muStep
	found         []muDraft
	seen          map[uint64]bool // what stands on the boards found
	start         []mu.PackedCell // when the turn began
	now           []mu.PackedCell // in the draft that is extended
	retryMoves    []mu.Action     // moves to be tried as later ones
	moves         []mu.Action     // room for a list
	moveBuf       []mu.Action     // room for another
}

// find returns the best turns of the seat to move that it finds, the best one first; at least
// one, and a pass where that is legal.
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

// extend adds the drafts with one move more.
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

// explode adds the drafts at the end of the explosions that are still to be chosen; the first
// choice is tried in several ways.
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

// step returns the number of a new step.
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

// add judges a draft and keeps it if it is new.
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

// sort brings the best drafts for a seat to the front.
func (g *muTurnSearch) sort(drafts []muDraft, seat int) {
	slices.SortStableFunc(drafts, func(a, b muDraft) int { return cmp.Compare(b.value[seat], a.value[seat]) })
}

// finish ends the best drafts.
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

// actions returns the actions of the draft with this last step, and the end of the turn.
func (g *muTurnSearch) actions(last int32) []mu.Action {
	list := []mu.Action{{Kind: mu.End}}
	for ; last >= 0; last = g.steps[last].prev {
		list = append(list, g.steps[last].action)
	}
	slices.Reverse(list)
	return list
}

// playMu takes a legal action.
func playMu(p *mu.Position, a mu.Action) *mu.Position {
	next, err := p.Do(a)
	if err != nil {
		panic("bot: a legal action is refused: " + err.Error())
	}
	return next
}

// In a quiet stretch of play nobody wins or loses a man and no virgin cell explodes. It could go on
// nearly for ever; so, after so many rounds, a player makes only such quiet turns as leave him
// with more territory, and after the other number none at all, whatever he hopes for. Of the
// other turns a game has only so many.
const (
	muQuietRounds  = 6
	muStaticRounds = 12
)

// limitQuietTurns returns the turns that the quiet stretch leaves; at least one.
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
