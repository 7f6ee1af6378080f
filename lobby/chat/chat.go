// Package chat keeps the last lines of the chat rooms.
package chat

import (
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
	Seq    uint64 // counts the room's lines from 1
	At     time.Time
	Author string
	Text   string

	AuthorID    account.ID // 0: the server
	ByModerator bool       // blocks do not hide lines of moderators
}

// Chat is a room with its last lines. The zero value is empty. Any goroutine may use it; its mutex is a
// leaf.
type Chat struct {
	mu    sync.Mutex
	lines []Line
	last  uint64
}

// Add appends a line and sets its Seq.
func (c *Chat) Add(l Line) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last++
	if len(c.lines) == maxLines {
		// A new array: readers may still use the old one.
		c.lines = append(make([]Line, 0, maxLines), c.lines[1:]...)
	}
	l.Seq = c.last
	c.lines = append(c.lines, l)
}

// Since returns the kept lines with a Seq above seq, oldest first. The slice is shared and must not be
// changed.
func (c *Chat) Since(seq uint64) []Line {
	c.mu.Lock()
	defer c.mu.Unlock()
	if seq >= c.last {
		return nil
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
