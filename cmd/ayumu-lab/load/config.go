package load

import (
	"errors"
	"fmt"
	"io"
	"time"

	"ayumu/engine"
	"ayumu/lobby/clock"
)

// Config describes a load.
type Config struct {
	Server   string         // path of ayumu, which is started as `ayumu serve`
	Bare     []string       // command line that runs ServeBare, before the flags of Sizes
	Options  engine.Options // of the matches: any game for two
	Sessions int            // concurrent sessions, 1 to MaxSessions
	Brief    int            // connections that end after their first frame
	AtOnce   int            // concurrent handshakes
	Rate     float64        // connections per second; 0: unlimited
	Settle   time.Duration  // pause after the last connection
	Idle     time.Duration  // duration of the idle phase
	Typing   int            // one session in this many types
	Keys     int            // keys typed by each of those
	Turns    int            // turns of the watched match, and of each of Matches
	Clock    clock.Control  // of all matches; the zero value: none
	Ticks    int            // seconds for which the clock of the watched match runs without a turn
	Looks    int            // different sizes and palettes among the spectators of another match; below 2: no such match
	Matches  int            // concurrent matches with their players and spectators on screens; 0: none
	Seed     uint64
	Baseline bool // also measure a bare server
	Growth   int  // sessions of a second measurement without a bare server, more than Sessions; 0: none

	// Hold is the duration of the games by scripts while the sessions are connected; 0: no games.
	Hold      time.Duration
	Games     int     // concurrent games of scripts
	TurnsRate float64 // turns per second of all games together

	// Nodes is the number of nodes of the server, 1 to MaxNodes, which share a schema of their own in the database
	// Store; 0: a server with a data file.
	Nodes int
	Store string // connection string of PostgreSQL: postgres://…
	NATS  string // URL of a NATS server for messages between nodes; empty: they poll

	Running int // matches that have started and in which nobody plays, 0 to MaxRunning

	Addr    string // address of a running server; empty: start one
	Metrics string // address of its metrics, such as 127.0.0.1:9222; empty: its costs are unknown
	Log     io.Writer

	Runs     int    // number of runs; 0 is 1
	Profiles string // folder for profiles of ayumu, which slow it down a little; empty: none
}

// Limits of a load.
const (
	MaxSessions = 20000
	MaxHold     = time.Hour
	MaxRuns     = 100
	MaxNodes    = 16
	MaxRunning  = 10000
)

// Remote reports whether the server is on another machine.
func (c Config) Remote() bool { return c.Addr != "" && !loopback(c.Addr) }

func (c Config) check() error {
	switch {
	case c.Options == nil:
		return errors.New("there is no game to play")
	case c.Sessions < 1 || c.Sessions > MaxSessions:
		return fmt.Errorf("sessions must be 1 to %d", MaxSessions)
	case c.Growth != 0 && (c.Growth <= c.Sessions || c.Growth > MaxSessions):
		return fmt.Errorf("growth must be more than sessions, at most %d", MaxSessions)
	case c.Runs < 0 || c.Runs > MaxRuns:
		return fmt.Errorf("runs must be at most %d", MaxRuns)
	case c.Hold < 0 || c.Hold > MaxHold || c.Idle < 0 || c.Idle > MaxHold || c.Settle < 0 || c.Settle > MaxHold:
		return fmt.Errorf("settle, idle and hold must be 0 to %v", MaxHold)
	case c.Looks < 0 || c.Looks > MaxLooks:
		return fmt.Errorf("looks must be 0 to %d", MaxLooks)
	case c.Ticks < 0 || c.Ticks > 3600 || c.Matches < 0 || 2*c.Matches > c.Sessions:
		return errors.New("ticks must be 0 to 3600, and there must be two sessions for each of the matches")
	case c.Addr != "" && c.Matches > 0:
		return errors.New("matches on screens need accounts, so they cannot be played on a server that runs already")
	case c.Nodes < 0 || c.Nodes > MaxNodes || c.Running < 0 || c.Running > MaxRunning:
		return fmt.Errorf("nodes must be 0 to %d, and running 0 to %d", MaxNodes, MaxRunning)
	case (c.Nodes > 0) != (c.Store != "") || c.Nodes == 0 && c.NATS != "" || c.Nodes > 0 && c.Addr != "":
		return errors.New("nodes need a store, and only nodes use a store and NATS; a server that runs already has its own")
	case c.Addr != "" && c.Running > 0:
		return errors.New("running matches need accounts, so they cannot be started on a server that runs already")
	case c.Hold > 0 && c.Games > 0 && !(c.TurnsRate > 0):
		return errors.New("turns-rate must be more than 0 while scripts play games")
	case c.Typing < 1 || c.AtOnce < 1 || c.Brief < 0 || c.Rate < 0 || c.Keys < 0 || c.Turns < 0 || c.Turns > 50 || c.Games < 0 || c.Games > 1000:
		return errors.New("typing and at-once must be at least 1, turns at most 50, games at most 1000, and no value may be negative")
	}
	return nil
}
