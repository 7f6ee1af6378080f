package bot

import "ayumu/engine/mu"

// What holding adds up, in cells of territory.
const (
	manWorth      = 1.0 // a man on the board
	heightWorth   = 0.5 // a virgin cell's piece that is about to explode, and so to grow a man
	exposureWorth = 0.6 // a man that an opponent could capture with his next move

	// What going on with a turn costs for each round in which nothing final has happened, after so
	// many that cost nothing: in the end everybody passes, and the game is over.
	quietRound = 0.5
	freeRounds = 4
	// What a lost game is worth: no more, since nobody can be kept from going on for ever, and a
	// player who only delays the end should give up when the quiet rounds have cost him that.
	lossOfMu = 20
)

// holding is how well a seat stands in play of Mu: what it has and what its opponents have on
// average, in cells of territory. Before play there is nothing to count.
func holding(p *mu.Position, seat int) float64 {
	if p.Phase() != mu.Play {
		return 0
	}
	have := make([]float64, p.Seats())
	territory := p.Territory()
	for s, men := range p.Men() {
		have[s] = float64(territory[s]) + manWorth*float64(men)
	}
	cells := p.Cells()
	exposed := make([]bool, len(cells))
	var moves []mu.Action
	for _, c := range cells {
		if c.Men == 0 {
			continue
		}
		if c.Terrain == mu.Virgin {
			full := float64(c.Men) / float64(max(1, c.Capacity))
			have[c.Owner] += heightWorth * full * full
		}
		if c.Owner != seat && !p.Left(c.Owner) {
			moves = p.AppendMoves(moves[:0], c.At)
			for _, m := range moves {
				exposed[p.Board().Index(m.At.Step(m.Dir, int(m.Men)))] = true
			}
		}
	}
	value := 0.0
	for s, n := range have {
		if s == seat {
			value += n
		} else {
			value -= n / float64(p.Seats()-1)
		}
	}
	for i, c := range cells {
		if c.Owner == seat && exposed[i] {
			value -= exposureWorth * float64(c.Men)
		}
	}
	if p.MidTurn() {
		rounds := float64(p.Quiet()) / float64(p.Seats())
		value -= quietRound * max(0, rounds-freeRounds)
	}
	return value
}
