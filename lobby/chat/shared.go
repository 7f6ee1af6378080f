package chat

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"ayumu/lobby/account"
)

// Shared adds lines to rooms that several nodes share: each line is a row, which the node writes on which it was
// written. NewShared is the constructor; the zero value belongs to a node that is alone, and writes no rows. Its
// methods may be called from any goroutine.
//
// The id of a row is that of the room, a slash, and what distinguishes the line from all others. As long as a room
// keeps a line, its row exists. It is deleted by the node that wrote it, or by any other if that node is dead.
type Shared struct {
	node    string
	process string // distinguishes the processes of a node that follow each other
	write   func(id string, data []byte)
	remove  func(node, id string)
	lines   atomic.Uint64 // how many lines were added
}

// NewShared returns the Shared of a node that was started at a time. write writes a row; remove deletes one, if this
// node may delete rows of that node. Neither may block.
func NewShared(node string, started time.Time, write func(id string, data []byte), remove func(node, id string)) *Shared {
	return &Shared{node: node, process: strconv.FormatInt(started.UnixMilli(), 36), write: write, remove: remove}
}

// row is the content of a row.
type row struct {
	At          time.Time  `json:"at"`
	Author      string     `json:"author"`
	AuthorID    account.ID `json:"id,omitempty"`
	ByModerator bool       `json:"moderator,omitempty"`
	Text        string     `json:"text"`
}

// Add adds a line to a room, whose id is room, on all nodes.
func (s *Shared) Add(room string, c *Chat, l Line) {
	if s.write == nil {
		c.Add(l)
		return
	}
	id := fmt.Sprintf("%s/%s-%d", room, s.process, s.lines.Add(1))
	l.row, l.At = s.node+"/"+id, l.At.Round(0) // the other nodes do not know the monotonic time
	added, dropped := c.add(l)
	data, err := json.Marshal(row{added.At, added.Author, added.AuthorID, added.ByModerator, added.Text})
	if err != nil {
		panic(err) // no field of a row can fail
	}
	s.write(id, data)
	s.drop(dropped)
}

// Follow adds the line of a row that a node has written to its room. It reports whether the room did not have it.
func (s *Shared) Follow(c *Chat, node, id string, data []byte) (l Line, isNew bool) {
	var r row
	if json.Unmarshal(data, &r) != nil {
		return Line{}, false // of another version of the program
	}
	l = Line{At: r.At, Author: r.Author, Text: r.Text, AuthorID: r.AuthorID, ByModerator: r.ByModerator, row: node + "/" + id}
	isNew, dropped := c.insert(l)
	s.drop(dropped)
	return l, isNew
}

// Forget deletes the rows of a room that is kept no longer.
func (s *Shared) Forget(c *Chat) {
	if s.write == nil {
		return
	}
	for _, l := range c.Since(0) {
		s.drop(l.row)
	}
}

func (s *Shared) drop(row string) {
	if node, id, hasRow := strings.Cut(row, "/"); hasRow {
		s.remove(node, id)
	}
}
