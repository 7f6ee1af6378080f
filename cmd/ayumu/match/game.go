package match

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"ayumu/cmd/ayumu/gtp"
	"ayumu/engine"
	"ayumu/engine/search"
)

// gameSetup has the rules, options and engines of all games of a match.
type gameSetup struct {
	game    engine.Game
	options engine.Options // options with all seats taken
	engines search.Engines
}

// Game is one game of a match.
type Game struct {
	Number  int   // from 1
	Opening int   // number of its opening, from 0; games with equal numbers start with the same turns
	Seats   []int // side of each seat
	Winners []int // winning seats; all that share a draw
	Reason  string
	Fault   bool // the seat Loser lost by a fault
	Loser   int
	Forced  bool // scored at the limit of turns
	Turns   [][]string
	Sides   []Usage        // by side
	Final   *engine.Result // result by the rules; nil if it ended otherwise
}

// Usage is the time and playouts of a side's turns.
type Usage struct {
	Turns       int
	Time        time.Duration
	Longest     time.Duration
	Playouts    int
	PlayoutTime time.Duration // time of turns with known playouts
}

func (u *Usage) add(v Usage) {
	u.Turns += v.Turns
	u.Time += v.Time
	u.Longest = max(u.Longest, v.Longest)
	u.Playouts += v.Playouts
	u.PlayoutTime += v.PlayoutTime
}

// opening plays random turns that do not end the game.
func (g *gameSetup) opening(turns int, seed uint64) *history {
	for try := uint64(0); ; try++ {
		rng := rand.New(rand.NewPCG(seed, try))
		p := g.game.New(g.options)
		h := &history{positions: []engine.Position{p}}
		for len(h.turns) < turns {
			turn := random(rng, p)
			next, err := engine.PlayTurn(p, turn)
			if err != nil {
				break
			}
			p = next
			h.turns, h.positions = append(h.turns, turn), append(h.positions, p)
		}
		// On a board too small for the opening, accept a shorter one.
		if _, over := p.Result(); !over || try == 100 {
			return h
		}
	}
}

// play plays one game to its end. The error ends the whole match: that of ctx, or a program that cannot be
// started.
func (m *match) play(ctx context.Context, g *Game) error {
	seed := m.c.Seed + uint64(g.Opening)*0x9e3779b97f4a7c15
	h := m.setup.opening(m.c.Opening, seed)
	g.Sides = make([]Usage, len(m.c.Sides))
	players := make([]player, len(g.Seats))
	defer func() {
		for _, p := range players {
			if p != nil {
				p.close()
			}
		}
	}()
	for seat, side := range g.Seats {
		p, err := m.c.Sides[side].open(ctx, &m.setup, seed+uint64(seat)+1)
		var f *playerFault
		switch {
		case errors.As(err, &f): // it exited or was late before its first turn
			g.Turns = h.turns
			g.forfeit(seat, f.reason)
			return nil
		case err != nil:
			return err
		}
		players[seat] = p
	}
	left := make([]time.Duration, len(g.Seats))
	for seat := range left {
		left[seat] = m.c.GameTime
	}
	defer func() { g.Turns = h.turns }()
	for {
		p := h.last()
		if r, over := p.Result(); over {
			g.Winners, g.Reason, g.Final = r.Winners, r.Reason, &r
			return nil
		}
		if m.c.MaxTurns > 0 && len(h.turns) >= m.c.MaxTurns {
			g.adjudicate(p)
			return nil
		}
		seat := p.Turn()
		use, err := m.turn(ctx, players[seat], h, left[seat])
		g.Sides[g.Seats[seat]].add(use)
		left[seat] -= use.Time
		var f *playerFault
		switch {
		case errors.As(err, &f):
			g.forfeit(seat, f.reason)
			return nil
		case err != nil:
			return err
		}
	}
}

// turn requests a turn from a player, checks it and adds it to the history.
func (m *match) turn(ctx context.Context, pl player, h *history, left time.Duration) (Usage, error) {
	b := m.budget(h, left)
	began := time.Now()
	a, err := pl.turn(ctx, h, b)
	took := time.Since(began)
	use := Usage{Turns: 1, Time: took, Longest: took, Playouts: a.playouts}
	if a.playouts > 0 {
		use.PlayoutTime = took
	}
	// Without a time only programs can be late, and their own limits end them.
	if timed := m.c.Turn > 0 || m.c.GameTime > 0; err == nil && timed && took > b.limit {
		err = faultf("out of time")
	}
	if err != nil {
		return use, err
	}
	next, err := engine.PlayTurn(h.last(), a.actions)
	if err != nil {
		return use, faultf("illegal: %v", err)
	}
	h.turns, h.positions = append(h.turns, a.actions), append(h.positions, next)
	return use, nil
}

// budget returns the limits of the next turn.
func (m *match) budget(h *history, left time.Duration) budget {
	b := budget{time: m.c.Turn, limit: m.c.TurnTimeout, playouts: m.c.Playouts}
	switch {
	case m.c.GameTime > 0:
		b.limit, b.keeps = left+m.c.Grace, true
		b.time = gtp.TurnTime(h.last(), left, m.c.GameTime)
	case m.c.Turn > 0:
		b.limit = m.c.Turn + m.c.Grace
	}
	return b
}

// forfeit ends the game with a fault of a seat: all others win.
func (g *Game) forfeit(seat int, reason string) {
	for other := range g.Seats {
		if other != seat {
			g.Winners = append(g.Winners, other)
		}
	}
	g.Reason, g.Fault, g.Loser = reason, true, seat
}

// adjudicate ends the game by territory, or as a draw in games without territory.
func (g *Game) adjudicate(p engine.Position) {
	highest := 0
	scores := make([]int, len(g.Seats))
	if counted, ok := p.(interface{ Territory() []int }); ok {
		scores = counted.Territory()
		for _, n := range scores {
			highest = max(highest, n)
		}
	}
	for seat, n := range scores {
		if n == highest {
			g.Winners = append(g.Winners, seat)
		}
	}
	g.Reason, g.Forced = "limit of turns", true
}

// Share returns a side's share of the win: 1 if it won alone.
func (g *Game) Share(side int) float64 {
	own := 0
	for _, seat := range g.Winners {
		if g.Seats[seat] == side {
			own++
		}
	}
	if own == 0 {
		return 0
	}
	return float64(own) / float64(len(g.Winners))
}
