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
	Seat      int             // the seat of the turn, leave or credit; the seat that asked for the takeback; of the end: the seat that aborted the match or is at fault, after AbortRuled that which wins in the tournament, or -1
	Actions   []string        // of a turn
	Undone    int             // of a takeback: the number of turns
	Credit    time.Duration   // time given to Seat; of a turn: lag compensation
	Reason    string          // of a leave: LeftResigned and so on; of the end: the AbortReason; of a credit: CreditNodeDied, CreditVacation or ""
	Fault     bool            // of a leave or the end: it counts against the player of Seat (Faults)
	Result    *engine.Result  // of the end
	TurnsMade []int           // of the end: number of turns by seat, without those taken back
	Sides     []string        // of the end: Position.Side by seat
	At        time.Time       // the server's time
	Clocks    []time.Duration // left by seat after the entry; nil in an untimed match
	Digest    string          // Digest of the position after the entry
	AppendID  AppendID        // of the append that this is the last entry of; zero in its other entries
}

// CreditNodeDied is the Entry.Reason of a credit for a seat whose player's node has died. Credits without a reason give
// back the time of an outage.
const CreditNodeDied = "node"

// AppendID identifies an append to a log among all appends to it. It is random, so that a writer that does
// not know the outcome of an append can look for it in the log, and so that two logs with the same number of
// entries are only taken for each other if they are the same. The zero value identifies none: entries of
// earlier versions of the server have it.
type AppendID [16]byte

// LogEnd is the end of a log, on which an append is conditional.
type LogEnd struct {
	Version int      // number of entries
	Last    AppendID // of the last entry; zero if there is none
}

// CountEntries returns how many of the entries are turns, taken back or not, and how many end a match with a result.
// Aborted matches are not counted.
func CountEntries(entries []Entry) (turns, finished uint64) {
	for i := range entries {
		switch e := &entries[i]; {
		case e.Kind == EntryTurn:
			turns++
		case e.Kind == EntryEnd && e.Result != nil && e.Result.Reason != engine.ReasonAbort:
			finished++
		}
	}
	return turns, finished
}

// NewLogEnd returns the end of a log; the zero value for an empty one.
func NewLogEnd(log []Entry) LogEnd {
	if len(log) == 0 {
		return LogEnd{}
	}
	return LogEnd{len(log), log[len(log)-1].AppendID}
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
