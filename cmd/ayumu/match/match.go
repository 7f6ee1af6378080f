package match

import (
	"context"
	"fmt"
	"sync"
	"time"

	"ayumu/engine"
	"ayumu/engine/search"
)

// Config describes a match.
type Config struct {
	Game    engine.Game
	Options engine.Options // options with all seats taken
	Engines search.Engines // of the built-in players
	// Sides are the players: one for each seat, or two, of which the first takes one seat and the second
	// all others. Seats rotate from game to game.
	Sides       []Side
	Games       int
	Opening     int           // random turns before each game, the same in all rotations
	Seed        uint64        // random seed of openings and players
	Turn        time.Duration // time for each turn; 0: no limit
	GameTime    time.Duration // time for all turns of a seat in a game; 0: no limit
	Playouts    int           // playouts of built-in players for each turn; 0: no limit
	Grace       time.Duration // tolerance before a turn counts as late
	TurnTimeout time.Duration // time limit of a turn without any other
	MaxTurns    int           // turns after which a game is scored; 0: no limit
	AtOnce      int           // concurrent games, at least 1
	SPRT        *SPRT         // test that can end the match early; nil: none
	// Done is called with each finished game and the tally so far. Calls do not overlap.
	Done func(*Game, Tally)
}

// Report is the result of a match.
type Report struct {
	c       Config
	Tally   Tally // tally of the first side
	Share   float64
	Faults  [][]string // reasons by side, in the order of the games
	Forced  int
	Sides   []Usage
	Stopped bool // stopped early by the SPRT
}

// match is a running match.
type match struct {
	c     Config
	setup gameSetup
}

// Check returns an error if the configuration is invalid.
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
		return fmt.Errorf("set a time for each turn or for the whole game, not both")
	case c.SPRT != nil && seats != 2:
		return fmt.Errorf("an SPRT needs games of two players")
	}
	for _, s := range c.Sides {
		if s.kind != "codecup" {
			continue
		}
		if played, ok := c.Game.(engine.CodeCupPlayer); !ok || played.CodeCupOptions() != c.Options {
			return fmt.Errorf("%s: %s %s was not played at the CodeCup", s.Name, c.Game.Title(), c.Options)
		}
		if c.Opening > 0 {
			return fmt.Errorf("%s: the CodeCup's protocol has no openings; set 0 turns", s.Name)
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

// Run plays a match. The error is that of the configuration, of a program that does not start, or of ctx;
// the report has the games played so far even then.
func Run(ctx context.Context, c Config) (*Report, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	m := &match{c, gameSetup{c.Game, c.Options, c.Engines}}
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

// add adds a game to the report.
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
