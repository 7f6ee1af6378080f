package mu

import (
	"errors"
	"fmt"
	"strings"

	"ayumu/engine"
)

// maxMen limits the men of a parsed position and the number of men in the notation. A match from the start
// never has more than one man for each cell of six full segments and one for each explosion of a virgin
// cell.
const maxMen = 9999

// ParsePosition returns the position of a position line (docs/rules/mu.md, section 11.1) in phase play,
// for the given number of players, on the board whose segments have these centres ("0,0;3,-1;…"). The
// centres must not overlap but need not be reachable by legal placements; there are at most eight for each
// player.
//
// The line is incomplete, so: the history is empty, no seat has left, and a pending explosion is the first
// of its chain reaction. A section with critical cells, none of them pending, is oscillating. The turn has
// had a move if an explosion is pending or if the rights differ from those at the start of a turn.
func ParsePosition(players int, centres, line string) (*Position, error) {
	if players < minPlayers || players > maxPlayers {
		return nil, fmt.Errorf("players must be %d to %d", minPlayers, maxPlayers)
	}
	b, err := parseBoard(centres, players*maxSegments)
	if err != nil {
		return nil, err
	}
	b = b.completed()
	fields := strings.Split(line, "|")
	if len(fields) != 6 {
		return nil, errors.New("a position has six fields: PHASE|CELLS|SEAT|RIGHTS|PENDING|PASSES")
	}
	if fields[0] != Play.String() {
		return nil, errors.New("only a position in phase play can be set up")
	}
	p := &Position{
		boardState: boardState{board: b, pieces: make([]piece, b.Size())},
		turnState:  turnState{seats: uint8(players), phase: Play},
	}
	if err := p.parseCells(fields[1], players); err != nil {
		return nil, err
	}
	seat, okSeat := parseInt(fields[2], players-1)
	passes, okPasses := parseInt(fields[5], players-1)
	if !okSeat || !okPasses || seat < 0 || passes < 0 {
		return nil, fmt.Errorf("the seat and the passes must be numbers from 0 to %d", players-1)
	}
	p.seat, p.passes = uint8(seat), uint8(passes)
	if p.rights, err = b.parseRights(fields[3]); err != nil {
		return nil, err
	}
	if err := (&boardBuilder{boardState: &p.boardState}).parsePending(fields[4]); err != nil {
		return nil, err
	}
	p.hasMoved = !p.critical.empty() || p.rights != p.occupied(p.seat)
	if p.String() != line {
		return nil, errors.New("the position is not in its canonical form (lists sorted by q and then r, numbers without leading zeros)")
	}
	if !p.hasMoved {
		(&builder{Position: p}).recordTurn(p.seat)
	}
	return p, nil
}

// parseBoard returns the board with these centres, without its possible placements.
func parseBoard(text string, limit int) (*Board, error) {
	parts := strings.SplitN(text, ";", limit+1)
	if len(parts) > limit {
		return nil, fmt.Errorf("at most %d segments are allowed", limit)
	}
	centres := make([]Hex, len(parts))
	for i, part := range parts {
		h, ok := parseHex(part)
		if !ok || max(h.Q, -h.Q, h.R, -h.R) > maxCoordinate {
			return nil, fmt.Errorf("centre %q: expected q,r with both from -%d to %d", engine.Excerpt(part), maxCoordinate, maxCoordinate)
		}
		for _, other := range centres[:i] {
			if h.Distance(other) < 3 {
				return nil, fmt.Errorf("the segments %s and %s overlap", other, h)
			}
		}
		centres[i] = h
	}
	return newBoard(centres), nil
}

// parseCells reads the field of the cells.
func (bs *boardState) parseCells(text string, players int) error {
	parts := strings.SplitN(text, ";", maxCells+1)
	if len(parts) != bs.board.Size() {
		return fmt.Errorf("the board has %d cells, all of which must be listed once", bs.board.Size())
	}
	terrains := make([]Terrain, len(parts))
	total := 0
	for i, part := range parts {
		name, what, _ := strings.Cut(part, ":")
		if name != bs.board.names[i] {
			return fmt.Errorf("cell %d is %s, not %q", i+1, bs.board.names[i], engine.Excerpt(name))
		}
		t, pc, ok := parseCell(what, players)
		if !ok {
			return fmt.Errorf("cell %s: expected v, c or w and, where a piece stands, OWNER.MEN with a seat from 0 to %d, not %q",
				name, players-1, engine.Excerpt(what))
		}
		terrains[i], bs.pieces[i] = t, pc
		bs.men[pc.owner] += pc.men
		if total += int(pc.men); total > maxMen {
			return fmt.Errorf("at most %d men are allowed", maxMen)
		}
	}
	bs.terrain = newTerrainMap(bs.board, terrains)
	return nil
}

func parseCell(text string, players int) (Terrain, piece, bool) {
	if text == "" {
		return 0, piece{}, false
	}
	t := strings.IndexByte("vcw", text[0])
	if text = text[1:]; t < 0 || text == "" {
		return Terrain(t), piece{}, t >= 0
	}
	seat, number, _ := strings.Cut(text, ".")
	owner, okOwner := parseInt(seat, players-1)
	men, okMen := parseInt(number, maxMen)
	return Terrain(t), piece{men: uint16(men), owner: uint8(owner)}, okOwner && okMen && owner >= 0 && men > 0
}

// parseRights reads the field of the rights and returns the bit set of segments.
func (b *Board) parseRights(text string) (rights uint64, err error) {
	for name := range fields(text) {
		h, ok := parseHex(name)
		s := b.centreIndex(h)
		if !ok || s == none {
			return 0, fmt.Errorf("right %q: not the centre of a segment", engine.Excerpt(name))
		}
		rights |= 1 << s
	}
	return rights, nil
}

// parsePending reads the field of the pending cells and finds the oscillating sections.
func (c *boardBuilder) parsePending(text string) error {
	for name := range fields(text) {
		h, ok := parseHex(name)
		i := c.board.find(h)
		if !ok || i == none || !c.isCritical(i) || c.isLoneSection(i) {
			return fmt.Errorf("pending %q: not a critical cell", engine.Excerpt(name))
		}
		c.critical.add(i)
	}
	if c.critical.count() == 1 {
		return errors.New("a single critical cell explodes by itself and is never pending")
	}
	pending := c.critical
	for k := range c.pieces {
		i := int16(k)
		if !c.isCritical(i) || pending.has(i) || c.oscillating.has(i) {
			continue
		}
		s := c.terrain.cells[i]
		if s.terrain == Virgin || !c.terrain.isClosed(s.section) {
			return fmt.Errorf("the cell %s is critical and not pending", c.board.cells[i])
		}
		c.stopSection(s.section)
		if err := c.checkOscillating(i); err != nil {
			return err
		}
	}
	if pending != c.critical {
		return errors.New("either all critical cells of a section are pending or none")
	}
	return nil
}

// checkOscillating returns an error if an oscillating section has men of two owners.
func (bs *boardState) checkOscillating(i int16) error {
	for k, s := range bs.terrain.cells {
		if s.terrain != Virgin && s.section == bs.terrain.cells[i].section &&
			bs.pieces[k].men > 0 && bs.pieces[k].owner != bs.pieces[i].owner {
			return fmt.Errorf("the cell %s is critical and not pending, and its section holds two colours", bs.board.cells[i])
		}
	}
	return nil
}

// fields yields the elements of a space-separated list, none of an empty text.
func fields(text string) func(yield func(string) bool) {
	if text == "" {
		return func(func(string) bool) {}
	}
	return strings.SplitSeq(text, " ")
}
