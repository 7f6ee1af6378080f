// Package chat keeps the last lines of the chat rooms.
package chat

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"ayumu/lobby/account"
)

// maxLines is the number of lines that a room keeps.
const maxLines = 100

// Room is a kind of chat room.
type Room string

// The rooms: the lobby's, and at each match the players' and the spectators'.
const (
	LobbyRoom     Room = "lobby"
	PlayerRoom    Room = "players"
	SpectatorRoom Room = "gallery"
)

// Line is one message. Its text is the result of sanitize.Line.
type Line struct {
	Seq    uint64 // counts the lines that this node has added to the room, from 1
	At     time.Time
	Author string
	Text   string

	AuthorID    account.ID // 0: the server
	ByModerator bool       // blocks do not hide lines of moderators

	row string // the id of its row; "": it has none
}

// Chat is a room with its last lines, in the order of their times. The zero value is empty. Any goroutine may
// use it; its mutex is a leaf.
type Chat struct {
	mu        sync.Mutex
	lines     []Line
	last      uint64
	unordered bool // the lines may not be in the order of their Seq
}

// Add appends a line, and sets its Seq. Its time is made later than those of the lines before it, so that an
// answer follows what it answers on all nodes.
func (c *Chat) Add(l Line) { c.add(l) }

// add is Add. It returns the line as it was added, and the row of the one that had to make room; "" for none.
func (c *Chat) add(l Line) (added Line, dropped string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if n := len(c.lines); n > 0 && !l.At.After(c.lines[n-1].At) {
		l.At = c.lines[n-1].At.Add(time.Nanosecond)
	}
	dropped = c.dropOldest()
	c.last++
	l.Seq = c.last
	c.lines = append(c.lines, l)
	return l, dropped
}

// insert adds a line of another node where its time belongs, and sets its Seq, unless the room has the line. dropped
// is the row of the line that had to make room, which can be l itself; "" for none.
func (c *Chat) insert(l Line) (isNew bool, dropped string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	at, known := slices.BinarySearchFunc(c.lines, l, func(a, b Line) int {
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.row, b.row))
	})
	switch {
	case known:
		return false, ""
	case at == 0 && len(c.lines) == maxLines:
		return false, l.row
	}
	if len(c.lines) == maxLines {
		at--
	}
	dropped = c.dropOldest()
	c.last++
	l.Seq = c.last
	if at < len(c.lines) {
		c.lines = slices.Clone(c.lines) // readers may still use the old array
		c.unordered = true
	}
	c.lines = slices.Insert(c.lines, at, l)
	return true, dropped
}

// dropOldest removes the oldest line of a full room, and returns its row. The caller holds c.mu.
func (c *Chat) dropOldest() (dropped string) {
	if len(c.lines) < maxLines {
		return ""
	}
	dropped = c.lines[0].row
	c.lines = c.lines[1:] // appending moves the others to a new array when this one is used up; readers may keep the old one
	return dropped
}

// Since returns the kept lines with a Seq above seq, in the order of their times. The slice is shared and must
// not be changed.
func (c *Chat) Since(seq uint64) []Line {
	c.mu.Lock()
	defer c.mu.Unlock()
	if seq >= c.last {
		return nil
	}
	if c.unordered && seq > 0 {
		return slices.DeleteFunc(slices.Clone(c.lines), func(l Line) bool { return l.Seq <= seq })
	}
	unread := min(c.last-seq, uint64(len(c.lines)))
	return c.lines[uint64(len(c.lines))-unread : len(c.lines) : len(c.lines)]
}

// Last returns the Seq of the newest line; 0 if there was none.
func (c *Chat) Last() uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.last
}
