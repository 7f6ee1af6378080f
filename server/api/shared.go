package api

import (
	"encoding/json"
	"strings"
	"sync/atomic"

	"ayumu/lobby"
	"ayumu/lobby/record"
	"ayumu/tui/game"
)

// Shared caches answers that many sessions receive. Any goroutine may use it. All sessions of a lobby share
// one.
type Shared struct {
	records        game.Cache[logKey, text]
	users, matches viewCache // answers of the operations of these names
}

// viewCache has a list of one View as JSON, which all sessions receive alike. The zero value is empty.
type viewCache struct{ newest atomic.Pointer[viewList] }

type viewList struct {
	view *lobby.View
	text json.RawMessage
}

// get returns the list of a view, which list makes if it is not the newest one.
func (c *viewCache) get(v *lobby.View, list func(*lobby.View) any) (json.RawMessage, error) {
	if l := c.newest.Load(); l != nil && l.view == v {
		return l.text, nil
	}
	text, err := json.Marshal(list(v))
	if err == nil {
		c.newest.Store(&viewList{v, text})
	}
	return text, err
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
