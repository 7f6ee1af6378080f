package match

import (
	"time"
	"unicode/utf8"
)

// typingPause is the time without a key after which a player no longer types a turn that was dropped.
const typingPause = 1500 * time.Millisecond

// droppedTyping swallows the rest of a turn that the player was typing when the position changed, such as when
// the opponent resigned: its letters would be commands. The zero value swallows nothing.
type droppedTyping struct {
	until time.Time // keys before it belong to the turn; each of them moves it on
}

// begin reports that a turn was dropped while it was being typed.
func (d *droppedTyping) begin(now time.Time) { d.until = now.Add(typingPause) }

// drops reports whether a key belongs to the dropped turn: a character until Enter, Esc, another key or a pause,
// and that Enter or Esc.
func (d *droppedTyping) drops(key string, now time.Time) bool {
	belongs := now.Before(d.until)
	d.until = time.Time{}
	if belongs && isCharacter(key) {
		d.begin(now)
		return true
	}
	return belongs && (key == "enter" || key == "esc")
}

// isCharacter reports whether a key types a character.
func isCharacter(key string) bool { return key == "space" || utf8.RuneCountInString(key) == 1 }
