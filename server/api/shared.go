package api

import (
	"strings"

	"ayumu/lobby"
	"ayumu/lobby/record"
	"ayumu/tui/game"
)

// Shared caches answers that many sessions receive. Any goroutine may use it. All sessions of a lobby share
// one.
type Shared struct {
	records game.Cache[logKey, text]
}

// NewShared returns a Shared that keeps the last 64 records. One of a long match has about 20 KiB.
func NewShared() *Shared {
	s := new(Shared)
	s.records.Capacity = 64
	return s
}

// logKey identifies the first version entries of a match's log.
type logKey struct {
	match   string
	version int
}

// text is a record as text, or the error of writing it.
type text struct {
	text string
	err  error
}

// record returns the record of a match.
func (c *Shared) record(info *lobby.MatchInfo, log []lobby.Entry) (string, error) {
	r := c.records.Get(logKey{info.ID, len(log)}, func() text {
		var b strings.Builder
		err := record.FromLog("", info, log).Write(&b)
		return text{b.String(), err}
	})
	return r.text, r.err
}
