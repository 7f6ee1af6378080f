package match

import (
	"time"

	"ayumu/engine"
	"ayumu/lobby/account"
	"ayumu/lobby/clock"
	"ayumu/lobby/rating"
)

// Info describes a match. It is immutable once the match is in the lobby.
type Info struct {
	ID         string
	Game       string
	Options    engine.Options
	Control    clock.Control
	Rated      bool
	Private    bool
	Code       string // the code of a private match, stored until the end; see Snapshot.Code
	Seats      []Seat
	Started    time.Time
	RematchOf  string     // the id of the previous match, or empty
	Delay      int        // turns by which everybody but the players sees the match late
	Tournament Tournament // of which it is a game; without an ID: none
	// Local means that all seats are played at one keyboard, in a local lobby. It is not stored: the lobby sets it.
	Local bool
}

// Tournament is what a match has to know of the tournament of which it is a game. Such a game cannot be aborted, taken back or
// played again by its players.
type Tournament struct {
	ID           string
	Round, Table int
	FirstTurn    time.Duration // for the first turn of each seat; 0: as in other matches
	NoVacation   bool          // vacations do not count in it
}

// IsOfTournament reports whether the match is a game of a tournament.
func (i *Info) IsOfTournament() bool { return i.Tournament.ID != "" }

// Seat describes the player of a seat at the start of the match.
type Seat struct {
	Account      account.ID
	Name         string
	Bot          bool
	Rating       *rating.Rating // at the start of the match; nil for a guest
	ReturnDigest string         // digest of a guest's return code; "" for others
}

// SeatOf returns the seat of an account; ok is false if it has none.
func (i *Info) SeatOf(id account.ID) (seat int, ok bool) {
	for n, s := range i.Seats {
		if s.Account == id {
			return n, true
		}
	}
	return 0, false
}

// HasPlayer reports whether the account has a seat in the match. It is false for 0, the account of seats of
// former guests.
func (i *Info) HasPlayer(id account.ID) bool {
	_, seated := i.SeatOf(id)
	return seated && id != 0
}

// Title returns the game and its options, separated by a space.
func (i *Info) Title() string { return Title(i.Options) }

// Title returns a game and its options in words.
func Title(o engine.Options) string {
	return o.Game().Title() + " " + o.String()
}
