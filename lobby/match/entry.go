package match

import (
	"crypto/sha256"
	"encoding/hex"
	"time"

	"ayumu/engine"
)

// EntryKind is the kind of an entry.
type EntryKind uint8

// The kinds of entries.
const (
	EntryTurn   EntryKind = iota + 1 // a seat's complete turn
	EntryUndo                        // a takeback, agreed between two players
	EntryLeave                       // a seat leaves a match of three or more players
	EntryEnd                         // the result; always the last entry
	EntryCredit                      // clock time given to a seat, such as after a restart
)

// Entry is one entry of a match's log.
type Entry struct {
	Kind      EntryKind
	Seat      int             // the seat of the turn, leave or credit; the seat that asked for the takeback; -1 for the end
	Actions   []string        // of a turn
	Undone    int             // of a takeback: the number of turns
	Credit    time.Duration   // time given to Seat; of a turn: lag compensation
	Reason    string          // of a leave: LeftResigned and so on; of the end: the AbortReason
	Result    *engine.Result  // of the end
	TurnsMade []int           // of the end: number of turns by seat, without those taken back
	Sides     []string        // of the end: Position.Side by seat
	At        time.Time       // the server's time
	Clocks    []time.Duration // left by seat after the entry; nil in an untimed match
	Digest    string          // Digest of the position after the entry
}

// Digest returns a short hash of a position, its sides and the seats that have left.
func Digest(p engine.Position) string {
	text := []byte(p.String())
	for seat := range p.Seats() {
		text = append(append(text, 0), p.Side(seat)...)
		if p.HasLeft(seat) {
			text = append(text, '!')
		}
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}
