// Package turns has the turns of a match as screens list and step through them. Sessions that show the same
// match share them.
package turns

import (
	"sync"

	"ayumu/engine"
	"ayumu/lobby/match"
	"ayumu/tui/game"
	"ayumu/tui/paint"
)

// Record holds a match's turns at one version. It must not be changed.
type Record struct {
	Entries []match.Entry // turns and leaves, in their order
	Texts   []string      // Entries as text, for a list of turns
	Width   int           // of the widest text

	snapshot  *match.Snapshot
	once      sync.Once
	positions []engine.Position
}

// Positions returns the position before the first entry and after each; nil if the log is damaged. It
// computes them at the first call. It may be called from any goroutine.
func (r *Record) Positions() []engine.Position {
	r.once.Do(func() {
		if all, err := r.snapshot.Positions(); err == nil {
			r.positions = all
		}
	})
	return r.positions
}

// PlyOf returns the number of entries up to and including the turn with that number, from 1; 0 for 0.
func (r *Record) PlyOf(turn int) int {
	ply := 0
	for i, e := range r.Entries {
		if e.Kind == match.EntryTurn && turn > 0 {
			turn--
			ply = i + 1
		}
	}
	return ply
}

// Count returns the number of turns among entries. A leave is not a turn.
func Count(entries []match.Entry) int {
	n := 0
	for _, e := range entries {
		if e.Kind == match.EntryTurn {
			n++
		}
	}
	return n
}

// Cache keeps the records of recent versions of matches. The zero value is ready for use. Its methods may be
// called from any goroutine.
type Cache struct {
	records game.Cache[cacheKey, *Record]
}

type cacheKey struct {
	match   string
	version int
}

// Of returns the record of a match at the version of a snapshot.
func (c *Cache) Of(s *match.Snapshot, g game.Game) *Record {
	return c.records.Get(cacheKey{s.Info.ID, s.Version}, func() *Record {
		r := &Record{Entries: s.TurnEntries(), snapshot: s}
		for _, e := range r.Entries {
			text := "leaves"
			if e.Kind == match.EntryTurn {
				text = g.ShortTurn(e.Actions)
			}
			r.Texts = append(r.Texts, text)
			r.Width = max(r.Width, paint.Width(text))
		}
		return r
	})
}
