package record

import (
	"fmt"
	"math"
	"time"

	"ayumu/engine"
	"ayumu/lobby/clock"
	"ayumu/lobby/match"
	"ayumu/lobby/sanitize"
)

// Limits of a record. No game between people comes near them.
const (
	maxFileBytes = 8 << 20  // bytes
	maxLineBytes = 96 << 10 // bytes; the lobby takes turns of up to 4096 actions
	maxTagValue  = 200      // characters of a tag's value
)

// Record is a played or running game. Read and FromLog are the constructors.
type Record struct {
	Game      string
	Options   engine.Options // of a game in which all seats are taken
	Site      string         // the address of the server; may be empty
	Match     string         // the match's id there; may be empty
	RematchOf string         // the id of the previous match, or empty
	Started   time.Time      // UTC, in whole seconds, as Ended
	Ended     time.Time      // zero while the game runs
	Seats     []Seat
	Control   clock.Control
	Rated     bool
	Result    *engine.Result // without places; nil while the game runs
	Lines     []Line
}

// Seat is the player of a seat.
type Seat struct {
	Name   string
	Rating *int // at the start of the game; nil for a guest
	Bot    bool
}

// Line is a turn, without those taken back, or the leaving of a seat.
type Line struct {
	Seat      int
	Actions   []string       // of a turn; empty if the seat leaves
	Reason    string         // why the seat leaves: resign, time or absent
	Remaining *time.Duration // on the seat's clock after the turn, in tenths of a second; nil: not recorded
}

// Error is the first error of a record.
type Error struct {
	Line int // from 1; 0: the whole file
	What string
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return e.What
	}
	return fmt.Sprintf("line %d: %s", e.Line, e.What)
}

func errorAt(line int, format string, args ...any) error {
	return &Error{Line: line, What: fmt.Sprintf(format, args...)}
}

// FromLog returns the record of a running or finished match. site is the address of the server. Turns that
// were taken back are left out. It does not keep log.
func FromLog(site string, info *match.Info, log []match.Entry) *Record {
	r := &Record{
		Game: info.Game, Options: info.Options, Site: sanitize.Line(site, maxTagValue), Match: info.ID, RematchOf: info.RematchOf,
		Started: info.Started.UTC().Truncate(time.Second), Control: info.Control, Rated: info.Rated,
	}
	for _, s := range info.Seats {
		seat := Seat{Name: sanitize.Line(s.Name, maxTagValue), Bot: s.Bot}
		if s.Rating != nil {
			n := int(math.Round(s.Rating.Value))
			seat.Rating = &n
		}
		r.Seats = append(r.Seats, seat)
	}
	played := match.Snapshot{Log: log}
	for _, e := range played.TurnEntries() {
		l := Line{Seat: e.Seat, Actions: e.Actions}
		switch {
		case e.Kind == match.EntryLeave:
			l = Line{Seat: e.Seat, Reason: e.Reason}
		case info.Control.IsLive() && e.Seat < len(e.Clocks):
			left := max(e.Clocks[e.Seat], 0).Truncate(clockUnit)
			l.Remaining = &left
		}
		r.Lines = append(r.Lines, l)
	}
	if n := len(log); n > 0 && log[n-1].Kind == match.EntryEnd {
		result := *log[n-1].Result
		result.Places = nil
		r.Result, r.Ended = &result, log[n-1].At.UTC().Truncate(time.Second)
	}
	return r
}

// Turns returns the number of turns.
func (r *Record) Turns() int {
	n := 0
	for _, l := range r.Lines {
		if len(l.Actions) > 0 {
			n++
		}
	}
	return n
}
