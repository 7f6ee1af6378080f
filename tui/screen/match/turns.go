package match

import (
	"sync"

	"ayumu/engine"
	"ayumu/lobby/match"
	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/screen"
)

// turnRecord holds a match's turns at one version. It must not be changed.
type turnRecord struct {
	Entries []match.Entry // turns and leaves, in their order
	Texts   []string      // Entries as text, for a list of turns
	Width   int           // of the widest text

	snapshot  *match.Snapshot
	once      sync.Once
	positions []engine.Position
}

// Positions returns the position before the first entry and after each; nil if the log is damaged. It
// computes them at the first call. It may be called from any goroutine.
func (r *turnRecord) Positions() []engine.Position {
	r.once.Do(func() {
		if all, err := r.snapshot.Positions(); err == nil {
			r.positions = all
		}
	})
	return r.positions
}

// PlyOf returns the number of entries up to and including the turn with that number, from 1; 0 for 0.
func (r *turnRecord) PlyOf(turn int) int {
	ply := 0
	for i, e := range r.Entries {
		if e.Kind == match.EntryTurn && turn > 0 {
			turn--
			ply = i + 1
		}
	}
	return ply
}

// countTurns returns the number of turns among entries. A leave is not a turn.
func countTurns(entries []match.Entry) int {
	n := 0
	for _, e := range entries {
		if e.Kind == match.EntryTurn {
			n++
		}
	}
	return n
}

// turnCache keeps the records of recent versions of matches. The zero value is ready for use. Its methods may be
// called from any goroutine.
type turnCache struct {
	records game.Cache[turnCacheKey, *turnRecord]
}

type turnCacheKey struct {
	match   string
	version int
}

// Of returns the record of a match at the version of a snapshot.
func (c *turnCache) Of(s *match.Snapshot, g game.Game) *turnRecord {
	return c.records.Get(turnCacheKey{s.Info.ID, s.Version}, func() *turnRecord {
		r := &turnRecord{Entries: s.TurnEntries(), snapshot: s}
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

// turnsOf returns the records of the sessions of a server.
func turnsOf(sh *screen.Shell) *turnCache { return screen.SharedPart[turnCache](sh.Shared) }
