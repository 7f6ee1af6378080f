package match

import (
	"context"
	"fmt"
	"sync"
	"time"

	"ayumu/engine"
)

// Config is a match.
type Config struct {
	Game    engine.Game
	Options engine.Options // of a game in which all seats are taken
	// Sides are who play: one for each seat, or two, of which the first then takes one seat and the
	// second all others. Seats rotate from game to game.
	Sides       []Side
	Games       int
	Opening     int           // turns made by chance before each game; all rotations play the same ones
	Seed        uint64        // of openings and players
	Turn        time.Duration // for each turn; 0: not bounded so
	GameTime    time.Duration // for all turns of a seat in a game; 0: not bounded so
	Playouts    int           // of built-in players for each turn; 0: not bounded so
	Grace       time.Duration // by which a time may be exceeded
	TurnTimeout time.Duration // after which a turn is lost that nothing else bounds
	MaxTurns    int           // after which a game is counted as it stands; 0: no such limit
	AtOnce      int           // games at once, at least 1
	SPRT        *SPRT         // ends the match early; nil: all games are played
	// Done is told of each game when it is over, one at a time, with the tally so far.
	Done func(*Game, Tally)
}

// Report is a match that was played.
type Report struct {
	c       Config
	Tally   Tally // of the first side
	Share   float64
	Faults  [][]string // by side: the reasons, in the order of the games
	Forced  int
	Sides   []Usage
	Stopped bool // by the SPRT, before all games were begun
}

// match is one that is being played.
type match struct {
	c     Config
	setup gameSetup
}

// Check says what is wrong with a match before it begins.
func (c *Config) Check() error {
	_, seats := c.Options.Seats()
	switch {
	case len(c.Sides) != seats && len(c.Sides) != 2:
		return fmt.Errorf("%d sides cannot share %d seats: give 2 or %d", len(c.Sides), seats, seats)
	case c.Games < 1:
		return fmt.Errorf("there must be at least one game")
	case c.Opening < 0 || c.Opening > 200:
		return fmt.Errorf("the opening must be 0 to 200 turns")
	case c.Turn < 0 || c.GameTime < 0 || c.Playouts < 0 || c.MaxTurns < 0 || c.Grace < 0 || c.TurnTimeout <= 0:
		return fmt.Errorf("times and limits must not be negative")
	case c.Turn > 0 && c.GameTime > 0:
		return fmt.Errorf("a time is for each turn or for the whole game, not both")
	case c.SPRT != nil && seats != 2:
		return fmt.Errorf("an SPRT needs games of two")
	}
	for _, s := range c.Sides {
		if s.kind != "codecup" {
			continue
		}
		if g := (&gameSetup{c.Game, c.Options}); g.newGame() != "newgame ayu 11 nopie" {
			return fmt.Errorf("%s: the CodeCup plays Ayu on 11×11 without pie", s.Name)
		}
		if c.Opening > 0 {
			return fmt.Errorf("%s: the CodeCup's protocol knows no openings; they must be of 0 turns", s.Name)
		}
	}
	return nil
}

// seats returns the side of each seat in a game, counted from 0.
func (c *Config) seats(game int) []int {
	_, n := c.Options.Seats()
	seats := make([]int, n)
	for i := range seats {
		side := (i + n - game%n) % n
		seats[i] = min(side, len(c.Sides)-1)
	}
	return seats
}

// Run plays a match. The error is that of its configuration, of a program that does not start, or
// of ctx; what was played until then is in the report all the same.
func Run(ctx context.Context, c Config) (*Report, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	m := &match{c, gameSetup{c.Game, c.Options}}
	r := &Report{c: c, Faults: make([][]string, len(c.Sides)), Sides: make([]Usage, len(c.Sides))}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var mu sync.Mutex
	next := 0
	var work sync.WaitGroup
	for range max(c.AtOnce, 1) {
		work.Go(func() {
			for {
				mu.Lock()
				number := next
				next++
				stop := r.Stopped || number >= c.Games || ctx.Err() != nil
				mu.Unlock()
				if stop {
					return
				}
				g := &Game{Number: number + 1, Seats: c.seats(number)}
				g.Opening = number / len(g.Seats)
				if err := m.play(ctx, g); err != nil {
					cancel(err)
					return
				}
				mu.Lock()
				r.add(g)
				mu.Unlock()
			}
		})
	}
	work.Wait()
	return r, context.Cause(ctx)
}

// add counts a game.
func (r *Report) add(g *Game) {
	share := g.Share(0)
	r.Share += share
	switch share {
	case 0:
		r.Tally.Losses++
	case 1:
		r.Tally.Wins++
	default:
		r.Tally.Draws++
	}
	for i := range r.Sides {
		r.Sides[i].add(g.Sides[i])
	}
	if g.Fault {
		side := g.Seats[g.Loser]
		r.Faults[side] = append(r.Faults[side], fmt.Sprintf("game %d: %s", g.Number, g.Reason))
	}
	if g.Forced {
		r.Forced++
	}
	if r.c.SPRT != nil && r.c.SPRT.Verdict(r.Tally) != "" {
		r.Stopped = true
	}
	if r.c.Done != nil {
		r.c.Done(g, r.Tally)
	}
}
