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
	beam   int // beginnings that are gone on with after each move
	moves  int // of the first moves, how many are tried again as later ones
	choose int // choices tried where a move leaves several cells critical; then it is the first
	looks  int // positions looked at
	keep   int // turns returned
}

// muDraft is a turn that is being made, with no explosion to choose.
type muDraft struct {
	p     *mu.Position
	last  int32 // its last step, -1 for none
	value muShares
}

// muStep is one action of a draft.
type muStep struct {
	action mu.Action
	before int32 // the step before it, -1 for none
}

// muTurns finds turns: from the most promising beginnings it goes on with one more move as long
// as there are rights.
type muTurns struct {
	sight muSight
	halt  func() bool // whether time is up
	looks int         // left
	steps []muStep
	found []muDraft
	seen  map[uint64]bool // what stands on the boards found
	start []mu.Spot       // when the turn began
	now   []mu.Spot       // in the draft that is extended
	again []mu.Action     // moves to be tried as later ones
	moves []mu.Action     // room for a list
	room  []mu.Action     // room for another
}

// find returns the best turns of the seat to move that it finds, the best one first; at least
// one, and a pass where that is legal.
func (g *muTurns) find(p *mu.Position, b muBreadth) []muTurn {
	if g.seen == nil {
		g.seen = make(map[uint64]bool)
	}
	clear(g.seen)
	g.steps, g.found, g.again = g.steps[:0], g.found[:0], g.again[:0]
	g.looks = b.looks
	g.start = p.AppendSpots(g.start[:0])
	g.settle(p, -1, b.choose)
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
				g.again = append(g.again, g.firstMove(d.last))
			}
		}
		beam = slices.Clone(added[:min(len(added), b.beam)])
	}
	return g.finish(p, b.keep)
}

// extend adds the drafts with one move more.
func (g *muTurns) extend(d muDraft, b muBreadth, first bool) {
	board := d.p.Board()
	g.now = d.p.AppendSpots(g.now[:0])
	g.moves = d.p.AppendLegal(g.moves[:0])
	for _, a := range g.moves {
		if a.Kind != mu.Move {
			continue
		}
		if !first && !slices.Contains(g.again, a) {
			i := board.Index(a.At)
			if now, was := g.now[i], g.start[i]; was.Men == now.Men && was.Owner == now.Owner {
				continue
			}
		}
		if g.looks <= 0 || g.halt() {
			return
		}
		g.settle(playMu(d.p, a), g.step(a, d.last), b.choose)
	}
}

// settle adds the drafts at the end of the explosions that are still to be chosen; the first
// choice is tried in several ways.
func (g *muTurns) settle(p *mu.Position, last int32, ways int) {
	g.room = p.AppendLegal(g.room[:0])
	if g.room[0].Kind != mu.Explode {
		g.add(p, last)
		return
	}
	for _, a := range slices.Clone(g.room[:min(len(g.room), ways)]) {
		g.settle(playMu(p, a), g.step(a, last), 1)
	}
}

// step returns the number of a new step.
func (g *muTurns) step(a mu.Action, before int32) int32 {
	g.steps = append(g.steps, muStep{a, before})
	return int32(len(g.steps) - 1)
}

// firstMove returns the first move of the draft with this last step.
func (g *muTurns) firstMove(last int32) mu.Action {
	var move mu.Action
	for ; last >= 0; last = g.steps[last].before {
		if a := g.steps[last].action; a.Kind == mu.Move {
			move = a
		}
	}
	return move
}

// add judges a draft and keeps it if it is new.
func (g *muTurns) add(p *mu.Position, last int32) {
	g.looks--
	g.sight.look(p)
	key := g.sight.key()
	if g.seen[key] {
		return
	}
	g.seen[key] = true
	g.found = append(g.found, muDraft{p, last, g.sight.judge(p, p.Turn()+1)})
}

// sort brings the best drafts for a seat to the front.
func (g *muTurns) sort(drafts []muDraft, seat int) {
	slices.SortStableFunc(drafts, func(a, b muDraft) int { return cmp.Compare(b.value[seat], a.value[seat]) })
}

// finish ends the best drafts.
func (g *muTurns) finish(p *mu.Position, keep int) []muTurn {
	seat := p.Turn()
	g.sort(g.found, seat)
	turns := make([]muTurn, 0, keep+1)
	for i, d := range g.found {
		pass := d.last < 0 && !p.MidTurn()
		if i >= keep && !pass {
			continue
		}
		end := playMu(d.p, mu.Action{Kind: mu.End})
		turns = append(turns, muTurn{g.actions(d.last), end, g.sight.value(end)})
	}
	turns = settleDown(p, turns)
	slices.SortStableFunc(turns, func(a, b muTurn) int { return cmp.Compare(b.value[seat], a.value[seat]) })
	return turns
}

// actions returns the actions of the draft with this last step, and the end of the turn.
func (g *muTurns) actions(last int32) []mu.Action {
	list := []mu.Action{{Kind: mu.End}}
	for ; last >= 0; last = g.steps[last].before {
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
	muQuietRounds    = 6
	muStandingRounds = 12
)

// settleDown returns the turns that the quiet stretch leaves; at least one.
func settleDown(p *mu.Position, turns []muTurn) []muTurn {
	rounds, seat := p.Quiet()/p.Seats(), p.Turn()
	if rounds < muQuietRounds {
		return turns
	}
	had := p.Territory()[seat]
	left := slices.DeleteFunc(slices.Clone(turns), func(t muTurn) bool {
		pass := len(t.actions) == 1 && !p.MidTurn()
		more := rounds < muStandingRounds && t.end.Territory()[seat] > had
		return !pass && !more && t.end.Phase() != mu.Over && t.end.Quiet() > 0
	})
	if len(left) == 0 {
		return turns
	}
	return left
}
