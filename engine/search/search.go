package search

import (
	"context"
	"errors"
	"time"

	"ayumu/engine"
)

// MinLevel and MaxLevel are the weakest and the strongest level. MinLevel is for a first game: it does not search, and a
// beginner wins most games against it. FirstSearch is the weakest level that searches.
const (
	MinLevel    = 0
	FirstSearch = 1
	MaxLevel    = 5
)

// ErrNoTurn is returned if no action is legal.
var ErrNoTurn = errors.New("there is no turn to choose: the game is over")

// Options limit a search. A level may have a lower limit on Playouts. A search without any limit takes
// DefaultTime.
type Options struct {
	Level    int           // MinLevel to MaxLevel
	Playouts int           // maximum number of playouts; 0: no limit
	Time     time.Duration // maximum duration or, with StopEarly, an even share of the time; 0: no limit
	Seed     uint64        // random seed
	// StopEarly ends a search with a limit on Time before its end if more playouts are unlikely to change the
	// best turn, and lets it take up to four times Time where the choice is close, but at most six tenths of the time
	// of all expected turns together. It is for players who keep what is left for later turns. An engine may ignore
	// it.
	StopEarly bool
	// Vary lets Seed decide between turns at the beginning of a game that are about as good, so that games differ. An
	// engine whose games differ anyway may ignore it.
	Vary bool
	// Threads is the largest number of goroutines of the search; 0 counts as 1. An engine may use fewer.
	Threads int
}

// MaxThreads is the largest Options.Threads.
const MaxThreads = 64

// DefaultTime is the duration of a search that nothing else limits.
const DefaultTime = time.Second

// Limits returns the limits of a search that begins now: the maximum number of playouts (0: no limit),
// which is at most levelPlayouts unless that is 0, and a function that reports whether the time is up or
// ctx has ended.
func (o Options) Limits(ctx context.Context, levelPlayouts int) (playouts int, isTimeUp func() bool) {
	playouts = o.Playouts
	if levelPlayouts > 0 && (playouts == 0 || playouts > levelPlayouts) {
		playouts = levelPlayouts
	}
	limit := o.Time
	if playouts == 0 && limit == 0 {
		limit = DefaultTime
	}
	deadline := time.Now().Add(limit)
	return playouts, func() bool {
		return ctx.Err() != nil || limit > 0 && !time.Now().Before(deadline)
	}
}

// Advice is the result of a search.
type Advice struct {
	// Choices are turns of the seat to move, the best one first; at least one.
	Choices []Choice
	// Chances are the expected shares of the win of the seats, each 0 to 1. Their sum is 1.
	Chances []float64
	// Playouts is the number of playouts; 0 if the result was not found by search.
	Playouts int
}

// Choice is a turn with its value.
type Choice struct {
	// Actions are the remaining actions of the turn; at least one.
	Actions []string
	// Chance is the share of the win, 0 to 1, that the seat that makes the turn can expect after it.
	Chance float64
	// Visits is the number of visits of the turn in the search.
	Visits int
}

// Engine makes searchers for one game. Implementations are safe for concurrent use.
type Engine interface {
	// NewSearcher returns a searcher for one match.
	NewSearcher() Searcher
}

// Scaled is an Engine whose levels have been measured against each other.
type Scaled interface {
	Engine
	// LevelElo returns by how much a level, MinLevel to MaxLevel, is stronger than FirstSearch, in Elo.
	LevelElo(level int) float64
}

// Searcher searches positions of one match. It may keep what it has found for later positions. Only one
// goroutine may use it at a time.
type Searcher interface {
	// Search returns advice for the seat to move in a position of the searcher's game. With equal options,
	// one thread and a limit on playouts that is reached before that on time, a new Searcher always returns the same
	// advice. At the end of ctx or of its time it returns the best advice so far; there is always some. The
	// error is ErrNoTurn after the end of the match.
	Search(ctx context.Context, p engine.Position, o Options) (Advice, error)
}

// Engines are the engines of games, by the names of the games. They must not be changed once they are in
// use. The zero value plays every game at random.
type Engines map[string]Engine

// NewSearcher returns a searcher for a match of a game, which plays at random if the game has no engine.
func (e Engines) NewSearcher(g engine.Game) Searcher {
	if own, ok := e[g.Name()]; ok {
		return own.NewSearcher()
	}
	return Random{}
}
