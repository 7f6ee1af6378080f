package mu

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"ayumu/engine"
)

// StartAt implements engine.Starter.
func (Game) StartAt(p engine.Position) (engine.Options, error) {
	from := p.(*Position)
	o := Options{Players: from.Seats(), Segments: from.Segments(), Min: from.Seats()}
	if o.Segments == 0 { // p was read from a position line, which does not have the number
		o.Segments = (len(from.board.centres) + o.Players - 1) / o.Players
	}
	switch {
	case from.phase == Over:
		return nil, engine.ErrGameOver
	case from.MidTurn():
		return nil, errWithinTurn
	case from.left != 0:
		return nil, errors.New("a player has left in this position")
	case len(from.board.centres) == 0:
		return o, nil
	}
	centres := make([]string, len(from.board.centres))
	for i, h := range from.board.centres {
		centres[i] = h.String()
	}
	o.Position = fmt.Sprintf("%d %s %s", o.Players, strings.Join(centres, ";"), from)
	if _, err := o.parseStart(); err != nil {
		return nil, err
	}
	return o, nil
}

var errWithinTurn = errors.New("a game cannot begin within a turn")

// StartPosition implements engine.PositionOptions: PLAYERS CENTRES LINE.
func (o Options) StartPosition() string { return o.Position }

// setSize sets the players and the segments to those of the position. segments are those given; nil: none.
func (o *Options) setSize(segments *int) error {
	if len(o.Position) > engine.MaxStartBytes {
		return fmt.Errorf("a position has at most %d characters", engine.MaxStartBytes)
	}
	players, rest, _ := strings.Cut(o.Position, " ")
	centres, line, ok := strings.Cut(rest, " ")
	var err error
	if o.Players, err = strconv.Atoi(players); err != nil || !ok || o.Players < minPlayers || o.Players > maxPlayers {
		return fmt.Errorf("a position is PLAYERS CENTRES LINE, with %d to %d players", minPlayers, maxPlayers)
	}
	count := strings.Count(centres, ";") + 1
	switch {
	case !strings.HasPrefix(line, Layout.String()):
		o.Segments = count / o.Players
	case segments != nil:
		o.Segments = *segments
	}
	if o.Segments < 1 || o.Segments > maxSegments || count > o.Players*o.Segments {
		return fmt.Errorf("a position with %d players has 1 to %d segments for each of them", o.Players, maxSegments)
	}
	_, err = o.parseStart()
	return err
}

// parseStart returns the position with which a match with these options begins. It must have a position.
func (o Options) parseStart() (*Position, error) {
	words := strings.SplitN(o.Position, " ", 3)
	if len(words) != 3 || words[0] != strconv.Itoa(o.Players) {
		return nil, errors.New("a position is PLAYERS CENTRES LINE")
	}
	centres, line := words[1], words[2]
	p, err := o.layOut(centres)
	if err != nil {
		return nil, err
	}
	switch phase, _, _ := strings.Cut(line, "|"); {
	case phase == Over.String():
		return nil, engine.ErrGameOver
	case phase == Clearing.String():
		p = p.clearedAs(line)
	case phase == Play.String() && p.phase == Layout:
		return nil, errors.New("the position has a different number of segments for each player")
	case phase == Play.String():
		if p, err = ParsePosition(o.Players, centres, line); err != nil {
			return nil, err
		}
		p.segments = uint8(o.Segments)
		if err := p.checkStart(); err != nil {
			return nil, err
		}
	}
	if p.String() != line {
		return nil, errors.New("the position does not follow from placing its segments in this order")
	}
	return p, nil
}

// layOut returns the position after segments have been placed on these centres.
func (o Options) layOut(centres string) (*Position, error) {
	b, err := parseBoard(centres, o.Players*o.Segments)
	if err != nil {
		return nil, err
	}
	if err := b.checkLayout(); err != nil {
		return nil, err
	}
	if len(b.centres) < o.Players*o.Segments {
		b.findPlacements()
	}
	p := New(o)
	p.board, p.terrain, p.pieces = b, virginTerrain(b), make([]piece, b.Size())
	for i, h := range b.centres {
		p.seat = uint8(i % o.Players)
		p.pieces[b.find(h)] = piece{men: 1, owner: p.seat}
		p.men[p.seat]++
	}
	c := p.newBuilder(nil)
	c.nextPlacement()
	return c.Position, nil
}

// checkLayout returns why the segments cannot have been placed in this order.
func (b *Board) checkLayout() error {
	if b.centres[0] != (Hex{}) {
		return errors.New("the first segment must have its centre at 0,0")
	}
	for i, h := range b.centres[1:] {
		isPlaced := func(cell int16) bool { return cell != none && int(b.segment[cell]) <= i }
		if b.contacts(h, isPlaced) < minContacts {
			return fmt.Errorf("the segment %s is placed before its neighbours", h)
		}
	}
	return nil
}

// clearedAs returns the position after those clearings that the cells of a line show to have been made.
func (p *Position) clearedAs(line string) *Position {
	for p.phase == Clearing {
		i := 0
		for i < len(p.board.centres) && (p.explainClear(p.board.centres[i], p.seat) != "" || !hasEmptyCell(line, p.board.centres[i])) {
			i++
		}
		if i == len(p.board.centres) {
			break
		}
		next, err := p.Do(Action{Kind: Clear, At: p.board.centres[i]})
		if err != nil {
			break
		}
		p = next
	}
	return p
}

// hasEmptyCell reports whether a line has a virgin cell without men.
func hasEmptyCell(line string, at Hex) bool {
	for _, end := range []string{";", "|"} {
		if cell := at.String() + ":" + Virgin.String() + end; strings.Contains(line, "|"+cell) || strings.Contains(line, ";"+cell) {
			return true
		}
	}
	return false
}

// checkStart returns why no match can begin with a position of play.
func (p *Position) checkStart() error {
	men, exploded, alive := 0, 0, 0
	for _, n := range p.Men() {
		if men += n; n > 0 {
			alive++
		}
	}
	for _, s := range p.terrain.cells {
		if s.terrain != Virgin {
			exploded++
		}
	}
	switch {
	case p.MidTurn():
		return errWithinTurn
	case alive < 2:
		return engine.ErrGameOver
	case p.men[p.seat] == 0:
		return fmt.Errorf("seat %d is to move and has no men", p.seat)
	case men > int(p.seats)*segmentCells+exploded:
		return fmt.Errorf("the position has %d men; a game with so many cells of Commonwealth and Wall has at most %d",
			men, int(p.seats)*segmentCells+exploded)
	}
	return nil
}
