package lobby

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"ayumu/lobby/account"
	"ayumu/lobby/cluster/rows"
)

// maxChatLines is the number of lines that a room keeps.
const maxChatLines = 100

// Room is a kind of chat room.
type Room string

// The rooms: the lobby's, at each match the players' and the spectators', and that of each tournament.
const (
	LobbyRoom      Room = "lobby"
	PlayerRoom     Room = "players"
	SpectatorRoom  Room = "gallery"
	TournamentRoom Room = "tournament"
)

// ChatLine is one message. Its text is the result of sanitize.Line.
type ChatLine struct {
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
	lines     []ChatLine
	last      uint64
	unordered bool // the lines may not be in the order of their Seq
}

// Add appends a line, and sets its Seq. Its time is made later than those of the lines before it, so that an
// answer follows what it answers on all nodes.
func (c *Chat) Add(l ChatLine) { c.add(l) }

// add is Add. It returns the line as it was added, and the row of the one that had to make room; "" for none.
func (c *Chat) add(l ChatLine) (added ChatLine, dropped string) {
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
func (c *Chat) insert(l ChatLine) (isNew bool, dropped string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	at, known := slices.BinarySearchFunc(c.lines, l, func(a, b ChatLine) int {
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.row, b.row))
	})
	switch {
	case known:
		return false, ""
	case at == 0 && len(c.lines) == maxChatLines:
		return false, l.row
	}
	if len(c.lines) == maxChatLines {
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
	if len(c.lines) < maxChatLines {
		return ""
	}
	dropped = c.lines[0].row
	c.lines = c.lines[1:] // appending moves the others to a new array when this one is used up; readers may keep the old one
	return dropped
}

// Since returns the kept lines with a Seq above seq, in the order of their times. The slice is shared and must
// not be changed.
func (c *Chat) Since(seq uint64) []ChatLine {
	c.mu.Lock()
	defer c.mu.Unlock()
	if seq >= c.last {
		return nil
	}
	if c.unordered && seq > 0 {
		return slices.DeleteFunc(slices.Clone(c.lines), func(l ChatLine) bool { return l.Seq <= seq })
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

// chatWriter adds lines to rooms that several nodes share: each line is a row, which the node writes on which it was
// written. Its methods may be called from any goroutine.
//
// The id of a row is that of the room, a slash, and what distinguishes the line from all others. As long as a room
// keeps a line, its row exists. It is deleted by the node that wrote it, or by any other if that node is dead.
type chatWriter struct {
	rows    *rows.OfNode[chatRow]
	process string        // distinguishes the processes of a node that follow each other
	lines   atomic.Uint64 // how many lines were added
}

// newChatWriter returns the chatWriter of a process that was started at a time.
func newChatWriter(all *rows.OfNode[chatRow], started time.Time) *chatWriter {
	return &chatWriter{rows: all, process: strconv.FormatInt(started.UnixMilli(), 36)}
}

// rowChatMatch returns the match to whose rooms the line of a row belongs; "": it belongs to another room.
func rowChatMatch(id string) string {
	if room := rowRoom(id); room == lobbyRoomID || strings.HasPrefix(room, tournamentRoomID("")) {
		return ""
	}
	return rowMatch(id)
}

// rowRoom returns the id of the room of a row.
func rowRoom(row string) string { return row[:max(strings.LastIndexByte(row, '/'), 0)] }

// chatRow is the content of the row of a line.
type chatRow struct {
	At          time.Time  `json:"at"`
	Author      string     `json:"author"`
	AuthorID    account.ID `json:"id,omitempty"`
	ByModerator bool       `json:"moderator,omitempty"`
	Text        string     `json:"text"`
}

// add adds a line to a room, whose id is room, on all nodes.
func (w *chatWriter) add(room string, c *Chat, l ChatLine) {
	if w.rows.IsAlone() {
		c.Add(l)
		return
	}
	id := fmt.Sprintf("%s/%s-%d", room, w.process, w.lines.Add(1))
	l.row, l.At = w.rows.Node()+"/"+id, l.At.Round(0) // the other nodes do not know the monotonic time
	added, dropped := c.add(l)
	w.rows.Put(id, &chatRow{added.At, added.Author, added.AuthorID, added.ByModerator, added.Text})
	w.drop(dropped)
}

// followChat adds the line of a row that a node has written to its room, unless the room has it.
func (f follower) followChat(_ context.Context, node, id string, next rows.State[chatRow]) error {
	room := rowRoom(id)
	c, r := f.room(room), next.Value
	if c == nil || r == nil {
		return nil
	}
	l := ChatLine{At: r.At, Author: r.Author, Text: r.Text, AuthorID: r.AuthorID, ByModerator: r.ByModerator, row: node + "/" + id}
	isNew, dropped := c.insert(l)
	f.l.chats.drop(dropped)
	if isNew {
		f.lineAdded(room, l)
	}
	return nil
}

// forget deletes the rows of a room that is kept no longer.
func (w *chatWriter) forget(c *Chat) {
	if w.rows.IsAlone() {
		return
	}
	for _, l := range c.Since(0) {
		w.drop(l.row)
	}
}

func (w *chatWriter) drop(row string) {
	if node, id, hasRow := strings.Cut(row, "/"); hasRow {
		w.rows.Delete(node, id)
	}
}

// lobbyRoomID is the id of the lobby's room among the rows of chat lines. Those of a match begin with its id and a
// slash.
const lobbyRoomID = "lobby"

// tournamentRoomID returns the id of the room of a tournament among the rows of chat lines.
func tournamentRoomID(id string) string { return "tournament/" + id }

// chatRoomID returns the id of a room of a match among the rows of chat lines.
func (m *Match) chatRoomID(kind Room) string { return m.Info.ID + "/" + string(kind) }

// room returns the room with an id; nil if its match or tournament is not in memory.
func (f follower) room(id string) *Chat {
	if id == lobbyRoomID {
		return &f.l.Chat
	}
	if t, ok := strings.CutPrefix(id, tournamentRoomID("")); ok {
		return f.l.Tournaments.Chat(t)
	}
	m := f.l.matches.get(rowMatch(id))
	switch {
	case m == nil:
		return nil
	case id == m.chatRoomID(SpectatorRoom):
		return &m.SpectatorChat
	}
	return &m.PlayerChat
}

// lineAdded wakes the sessions that display the room of a new line of another node.
func (f follower) lineAdded(room string, line ChatLine) {
	if room == lobbyRoomID {
		if line.AuthorID == 0 {
			f.l.announceInMatches(line)
		}
		f.l.lists.chatChanged()
	} else if t, ok := strings.CutPrefix(room, tournamentRoomID("")); ok {
		if s := f.l.Tournaments.Known(t); s != nil {
			f.l.Tournaments.wakeForChat(s)
		}
	} else if m := f.l.matches.get(rowMatch(room)); m != nil {
		m.wakeAll()
	}
}
