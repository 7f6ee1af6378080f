// Package example has something of everything that mutations change.
package example

import (
	"errors"
	"time"
)

type Role int

const (
	Guest Role = iota
	Player
	Owner
)

var ErrFull = errors.New("full")

type Room struct {
	Limit   int
	members []Role
	IsOpen  bool
}

// Enter is tested, but nobody enters who is not allowed to, and none when all are there.
func (r *Room) Enter(role Role) error {
	if role < Player && !r.IsOpen {
		return errors.New("not allowed")
	}
	if len(r.members) >= r.Limit {
		return ErrFull
	}
	r.members = append(r.members, role)
	return nil
}

// First waits for an owner: without the last line, forever.
func (r *Room) First() int {
	i := 0
	for r.members[i] != Owner {
		i = (i + 1) % len(r.members)
	}
	return i
}

// Ended is tested at the time of the end only.
func Ended(end, now time.Time) bool {
	if end.Before(now) {
		return true
	}
	return false
}

var query = "DELETE FROM rooms WHERE ended < ?2 AND id = ?1"

// Untested is reached by no test.
func Untested(a, b int) int { return min(a, b) }
