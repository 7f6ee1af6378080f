package lobby

import (
	"sync"
	"time"
)

// maxChatLines is how many lines a room remembers.
const maxChatLines = 100

// Room is a kind of room to speak in.
type Room string

// The rooms: the lobby, and at each match that of its players and that of its watchers.
const (
	LobbyRoom     Room = "lobby"
	PlayerRoom    Room = "players"
	SpectatorRoom Room = "gallery"
)

// ChatLine is what somebody said. Its text is clean and bounded (CleanText).
type ChatLine struct {
	Seq    uint64 // counts the room's lines from 1
	At     time.Time
	Author string
	Text   string

	AuthorID    AccountID // 0: the server
	ByModerator bool      // said by a moderator, whom nobody can block out
}

// Chat is one room: the last lines that were said in it. Any goroutine may use it.
type Chat struct {
	mu    sync.Mutex
	lines []ChatLine
	last  uint64
}

// add takes a line in and numbers it.
func (c *Chat) add(l ChatLine) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last++
	if len(c.lines) == maxChatLines {
		// A fresh array: readers may still hold the old one.
		c.lines = append(make([]ChatLine, 0, maxChatLines), c.lines[1:]...)
	}
	l.Seq = c.last
	c.lines = append(c.lines, l)
}

// Since returns the remembered lines after the one with this number (0: all), oldest first. The
// slice is shared and must not be changed.
func (c *Chat) Since(seq uint64) []ChatLine {
	c.mu.Lock()
	defer c.mu.Unlock()
	if seq >= c.last {
		return nil
	}
	fresh := min(c.last-seq, uint64(len(c.lines)))
	return c.lines[uint64(len(c.lines))-fresh : len(c.lines) : len(c.lines)]
}

// Last returns the number of the newest line; 0 if nothing was ever said.
func (c *Chat) Last() uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.last
}

// tokenBucket is a token bucket: burst at once, then rate a second. Its owner's lock guards it.
type tokenBucket struct {
	tokens   float64
	filledAt time.Time
}

// fill adds the tokens of the time that has passed.
func (b *tokenBucket) fill(now time.Time, rate float64, burst int) {
	if b.filledAt.IsZero() {
		b.tokens = float64(burst)
	} else {
		b.tokens = min(float64(burst), b.tokens+now.Sub(b.filledAt).Seconds()*rate)
	}
	b.filledAt = now
}

// take takes a token if there is a whole one.
func (b *tokenBucket) take(now time.Time, rate float64, burst int) bool {
	if b.fill(now, rate, burst); b.tokens < 1 {
		return false
	}
	b.tokens--
	return true
}
