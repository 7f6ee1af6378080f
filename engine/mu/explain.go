package mu

import (
	"fmt"

	"ayumu/engine"
)

// Explain returns why the seat to move may not take an action, in a sentence in the game's own
// terms; it is empty when the action is legal.
func (p *Position) Explain(a Action) string {
	switch {
	case p.phase == Over:
		return engine.ErrGameOver.Error()
	case p.phase == Layout && a.Kind != Place:
		return "the board is being laid out: place a segment"
	case p.phase == Layout:
		return p.explainPlace(a.At)
	case p.phase == Clearing && a.Kind != Clear:
		return "the segments are being cleared: clear one of yours"
	case p.phase == Clearing:
		return p.explainClear(a.At)
	case a.Kind == Place:
		return "the board is laid out already"
	case a.Kind == Clear:
		return "the segments are cleared already"
	case !p.critical.empty() && a.Kind != Explode:
		return "first choose which of the critical cells explodes next"
	case a.Kind == Explode:
		return p.explainExplode(a.At)
	case a.Kind == Move:
		return p.explainMove(a)
	case a.Kind == End:
		return ""
	}
	return "there is no such action"
}

func (p *Position) explainPlace(centre Hex) string {
	for _, h := range p.board.placements {
		if h == centre {
			return ""
		}
	}
	switch {
	case p.board.Size() == 0:
		return "the very first segment has its centre at 0,0"
	case p.board.overlaps(centre):
		return "the segment would overlap the board"
	}
	return "at least two cells of the segment must each be adjacent to the board"
}

func (p *Position) explainClear(centre Hex) string {
	switch {
	case p.board.centreOf(centre) == none:
		return centre.String() + " is not the centre of a segment"
	case p.pieces[p.board.find(centre)].men == 0:
		return fmt.Sprintf("the segment %s is clear already", centre)
	case p.pieces[p.board.find(centre)].owner != p.seat:
		return fmt.Sprintf("the man on the segment %s is another player's", centre)
	}
	return ""
}

func (p *Position) explainExplode(at Hex) string {
	i := p.board.find(at)
	switch {
	case p.critical.empty():
		return "there are no critical cells to choose from"
	case i == none:
		return at.String() + " is Out of Bounds"
	case p.oscillating.has(i):
		return fmt.Sprintf("the section of %s oscillates: its cells do not explode any more", at)
	case !p.critical.has(i):
		return fmt.Sprintf("the cell %s is not critical", at)
	}
	return ""
}

func (p *Position) explainMove(a Action) string {
	i := p.board.find(a.At)
	switch {
	case i == none:
		return a.At.String() + " is Out of Bounds"
	case p.pieces[i].men == 0:
		return "there is no piece on " + a.At.String()
	case p.pieces[i].owner != p.seat:
		return fmt.Sprintf("the piece on %s is another player's", a.At)
	case !p.hasRight(i):
		return fmt.Sprintf("the segment %s has no unspent right: each segment that you occupied when the turn began has one, for one move",
			p.board.centres[p.board.segment[i]])
	case a.Men == 0:
		return "a move takes at least one man"
	case a.Men > p.pieces[i].men:
		return fmt.Sprintf("the piece on %s has no more than %s", a.At, pluralMen(p.pieces[i].men))
	case a.Dir > SE:
		return "there is no such direction"
	}
	return p.explainPath(i, a.Men, a.Dir)
}

// explainPath returns why the piece on cell i may not move so many men so far (docs/rules/mu.md,
// sections 5.3, 5.5 and 5.6).
func (p *Position) explainPath(i int16, men uint16, d Dir) string {
	sites, wallward := p.terrain.cells, p.terrain.cells[i].terrain == Wall
	at := i
	for n := uint16(1); n <= men; n++ {
		last := at
		if at = p.board.neighbours[at][d]; at == none {
			return fmt.Sprintf("%s is Out of Bounds", p.board.cells[last].Step(d, 1))
		}
		if sites[at].terrain != Wall || wallward {
			continue
		}
		if n == men {
			return fmt.Sprintf("%s is on the Wall, where only a piece that starts from the Wall may end", p.board.cells[at])
		}
		if pc := p.pieces[at]; pc.men == 0 || pc.owner != p.pieces[i].owner {
			return fmt.Sprintf("the Wall at %s is in the way: it can be passed from the Wall, or where a piece of the same colour stands on it",
				p.board.cells[at])
		}
	}
	return ""
}

func pluralMen(men uint16) string {
	if men == 1 {
		return "1 man"
	}
	return fmt.Sprintf("%d men", men)
}
