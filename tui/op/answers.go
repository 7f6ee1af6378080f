package op

import (
	"encoding/json"
	"strings"
	"sync/atomic"

	"ayumu/lobby"
	"ayumu/lobby/match"
	"ayumu/lobby/record"
	"ayumu/tui/game"
)

// Answers caches answers that many visits receive. Any goroutine may use it. All visits of a lobby share one.
type Answers struct {
	users, matches viewCache // lists of the operations of these names
	records        game.Cache[logKey, recordText]
}

// NewAnswers returns Answers that keep the last 64 records. One of a long match has about 20 KiB.
func NewAnswers() *Answers {
	a := new(Answers)
	a.records.Capacity = 64
	return a
}

// viewCache has a list of one View as JSON. The zero value is empty.
type viewCache struct{ newest atomic.Pointer[viewList] }

type viewList struct {
	view *lobby.View
	text json.RawMessage
}

// get returns the list of a view as JSON, which list makes if it is not the newest one. A list that is no JSON is
// returned as it is, so that the caller's encoding fails.
func (c *viewCache) get(v *lobby.View, list func(*lobby.View) any) any {
	if l := c.newest.Load(); l != nil && l.view == v {
		return l.text
	}
	all := list(v)
	text, err := json.Marshal(all)
	if err != nil {
		return all
	}
	c.newest.Store(&viewList{v, text})
	return json.RawMessage(text)
}

// logKey identifies the first version entries of a match's log.
type logKey struct {
	match   string
	version int
}

// recordText is a game record as text, or the error of writing it.
type recordText struct {
	text string
	err  error
}

// record returns the record of a match that was played at a site.
func (a *Answers) record(site string, info *match.Info, log []match.Entry) (string, error) {
	r := a.records.Get(logKey{info.ID, len(log)}, func() recordText {
		var b strings.Builder
		err := record.FromLog(site, info, log).Write(&b)
		return recordText{b.String(), err}
	})
	return r.text, r.err
}
