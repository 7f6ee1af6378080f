package mu

import (
	"fmt"

	"ayumu/engine"
)

// Explain returns why the seat to move may not play an action, as a clause for the player, or the empty
// string if the action is legal.
func (p *Position) Explain(a Action) string {
	switch {
	case p.phase == Over:
		return engine.ErrGameOver.Error()
	case p.phase == Layout && a.Kind != Place:
		return "the board is being laid out: place a segment"
	case p.phase == Layout:
		return p.board.explainPlace(a.At)
	case p.phase == Clearing && a.Kind != Clear:
		return "the segments are being cleared: clear one of yours"
	case p.phase == Clearing:
		return p.explainClear(a.At, p.seat)
	case a.Kind == Place:
		return "the layout is complete"
	case a.Kind == Clear:
		return "the clearing is complete"
	case !p.critical.empty() && a.Kind != Explode:
		return "choose first which critical cell explodes next"
	case a.Kind == Explode:
		return p.explainExplode(a.At)
	case a.Kind == Move:
		return p.explainMove(a)
	case a.Kind == End:
		return ""
	}
	return "there is no such action"
}

func (b *Board) explainPlace(centre Hex) string {
	for _, h := range b.placements {
		if h == centre {
			return ""
		}
	}
	switch {
	case b.Size() == 0:
		return "the first segment must have its centre at 0,0"
	case b.overlaps(centre):
		return "the segment would overlap the board"
	}
	return "at least two cells of the segment must each be adjacent to the board"
}

func (bs *boardState) explainClear(centre Hex, seat uint8) string {
	switch {
	case bs.board.centreIndex(centre) == none:
		return centre.String() + " is not the centre of a segment"
	case bs.pieces[bs.board.find(centre)].men == 0:
		return fmt.Sprintf("segment %s is already clear", centre)
	case bs.pieces[bs.board.find(centre)].owner != seat:
		return fmt.Sprintf("the man on segment %s belongs to another player", centre)
	}
	return ""
}

func (bs *boardState) explainExplode(at Hex) string {
	i := bs.board.find(at)
	switch {
	case bs.critical.empty():
		return "there are no critical cells to choose from"
	case i == none:
		return at.String() + " is Out of Bounds"
	case bs.oscillating.has(i):
		return fmt.Sprintf("the section of %s oscillates, so its cells no longer explode", at)
	case !bs.critical.has(i):
		return fmt.Sprintf("%s is not critical", at)
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
		return fmt.Sprintf("the piece on %s belongs to another player", a.At)
	case !p.hasRight(p.board.segment[i]):
		return fmt.Sprintf("segment %s has no move left this turn (one for each segment that you occupied when it began)",
			p.board.centres[p.board.segment[i]])
	case a.Men == 0:
		return "a move needs at least one man"
	case a.Men > p.pieces[i].men:
		return fmt.Sprintf("the piece on %s has only %s", a.At, pluralMen(p.pieces[i].men))
	case a.Dir > SE:
		return "there is no such direction"
	}
	return p.explainPath(i, a.Men, a.Dir)
}

// explainPath returns why the piece on a cell cannot move men by that many cells in a direction, or the
// empty string (docs/rules/mu.md, sections 5.3, 5.5 and 5.6).
func (bs *boardState) explainPath(i int16, men uint16, d Dir) string {
	sites, fromWall := bs.terrain.cells, bs.terrain.cells[i].terrain == Wall
	at := i
	for n := uint16(1); n <= men; n++ {
		last := at
		if at = bs.board.neighbours[at][d]; at == none {
			return fmt.Sprintf("%s is Out of Bounds", bs.board.cells[last].Step(d, 1))
		}
		if sites[at].terrain != Wall || fromWall {
			continue
		}
		if n == men {
			return fmt.Sprintf("%s is on the Wall, where only a piece that starts from the Wall may end", bs.board.cells[at])
		}
		if pc := bs.pieces[at]; pc.men == 0 || pc.owner != bs.pieces[i].owner {
			return fmt.Sprintf("the Wall at %s is in the way: it can be passed from the Wall, or where a piece of the same colour stands on it",
				bs.board.cells[at])
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
