package api

import (
	"strings"

	"ayumu/lobby"
	"ayumu/lobby/record"
	"ayumu/tui/game"
)

// Shared keeps what many programs are told alike, so that it is made once. Any goroutine
// may use it. One of these serves all sessions of a lobby.
type Shared struct {
	records game.Cache[logKey, text]
}

// NewShared returns an empty Shared that keeps the last 64 records that were asked for, of some
// 20 KiB where the match is long.
func NewShared() *Shared {
	s := new(Shared)
	s.records.Capacity = 64
	return s
}

// logKey names the state of a log: the first version entries of a match.
type logKey struct {
	match   string
	version int
}

// text is a record.
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
