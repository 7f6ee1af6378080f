package match

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"ayumu/engine"
	"ayumu/engine/beginner"
	"ayumu/engine/search"
)

// player plays one seat of one game. It is used by one goroutine.
type player interface {
	// turn returns a whole turn of the seat to move. The caller checks it.
	turn(ctx context.Context, h *history, b budget) (answer, error)
	// close ends the player and everything it has started.
	close()
}

// history has the positions and turns of a game so far.
type history struct {
	positions []engine.Position // first position, then the position after each turn
	turns     [][]string
}

func (h *history) last() engine.Position { return h.positions[len(h.positions)-1] }

// budget has the limits of a turn. Zero fields do not limit it.
type budget struct {
	time     time.Duration // time that the player should take
	limit    time.Duration // time after which the turn is late
	playouts int
	keeps    bool // the player keeps the time that it does not take for later turns
}

// answer is a turn with its number of playouts, if known.
type answer struct {
	actions  []string
	playouts int
}

// playerFault is an error of a player that loses the game.
type playerFault struct{ reason string }

func (f *playerFault) Error() string { return f.reason }

func faultf(format string, args ...any) error { return &playerFault{fmt.Sprintf(format, args...)} }

// Side is a participant of a match.
type Side struct {
	Name string // as on the command line
	kind string // level, greedy, beginner, joiner, random, gtp or codecup
	// For a built-in player:
	options search.Options
	// For a program: its command line.
	command []string
}

// ParseSide parses "level:N" followed by any of ",playouts=N", ",time=DURATION", ",threads=N" and ",seed=N", or
// "greedy", "beginner", "joiner", "random", "gtp:COMMAND" or "codecup:COMMAND". The words of a command are separated by spaces.
func ParseSide(text string) (Side, error) {
	s := Side{Name: text}
	kind, rest, _ := strings.Cut(text, ":")
	s.kind = kind
	switch kind {
	case "greedy", "beginner", "joiner", "random":
		if rest != "" {
			return Side{}, fmt.Errorf("%s: %s takes no options", text, kind)
		}
		return s, nil
	case "gtp", "codecup":
		if s.command = strings.Fields(rest); len(s.command) == 0 {
			return Side{}, fmt.Errorf("%s: no command after %s", text, kind+":")
		}
		return s, nil
	case "level":
		return s, s.parseLevel(rest)
	}
	return Side{}, fmt.Errorf("unknown player %q; players are level:%d to level:%d, greedy, beginner, joiner, random, gtp:COMMAND and codecup:COMMAND", text, search.MinLevel, search.MaxLevel)
}

func (s *Side) parseLevel(text string) error {
	words := strings.Split(text, ",")
	level, err := strconv.Atoi(words[0])
	if err != nil || level < search.MinLevel || level > search.MaxLevel {
		return fmt.Errorf("%s: the level must be a number from %d to %d", s.Name, search.MinLevel, search.MaxLevel)
	}
	s.options.Level = level
	for _, w := range words[1:] {
		name, value, _ := strings.Cut(w, "=")
		switch name {
		case "playouts":
			s.options.Playouts, err = strconv.Atoi(value)
		case "threads":
			s.options.Threads, err = strconv.Atoi(value)
		case "time":
			s.options.Time, err = time.ParseDuration(value)
		case "seed":
			s.options.Seed, err = strconv.ParseUint(value, 10, 64)
		default:
			return fmt.Errorf("%s: %q is not one of playouts=N, time=DURATION, threads=N and seed=N", s.Name, w)
		}
		if err != nil || s.options.Playouts < 0 || s.options.Threads < 0 || s.options.Threads > search.MaxThreads || s.options.Time < 0 {
			return fmt.Errorf("%s: invalid value %q", s.Name, w)
		}
	}
	return nil
}

// open returns the player of a side for one game.
func (s Side) open(ctx context.Context, g *gameSetup, seed uint64) (player, error) {
	switch s.kind {
	case "greedy":
		return newSimple(greedy, seed), nil
	case "beginner":
		return newSimple(func(rng *rand.Rand, p engine.Position) []string { return beginner.Best(p, rng.IntN) }, seed), nil
	case "joiner":
		return newSimple(func(rng *rand.Rand, p engine.Position) []string { return beginner.Joining(p, rng.IntN) }, seed), nil
	case "random":
		return newSimple(random, seed), nil
	case "gtp", "codecup":
		return openExternal(ctx, s, g)
	}
	o := s.options
	o.Seed = o.Seed*0x9e3779b97f4a7c15 + seed
	return &builtinPlayer{g.engines.NewSearcher(g.game), o}, nil
}

// builtinPlayer is a built-in player of the engine.
type builtinPlayer struct {
	search.Searcher
	options search.Options
}

func (p *builtinPlayer) turn(ctx context.Context, h *history, b budget) (answer, error) {
	o := p.options
	if o.Time == 0 {
		o.Time, o.StopEarly = b.time, b.keeps
	}
	if o.Playouts == 0 {
		o.Playouts = b.playouts
	}
	advice, err := p.Search(ctx, h.last(), o)
	if err != nil {
		return answer{}, err
	}
	return answer{advice.Choices[0].Actions, advice.Playouts}, nil
}

func (p *builtinPlayer) close() {}
