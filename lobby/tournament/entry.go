package tournament

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"ayumu/engine"
	"ayumu/lobby/account"
	"ayumu/lobby/table"
)

// EntryKind is the kind of an entry, as it is stored.
type EntryKind string

// The kinds of entries.
const (
	EntryCreated   EntryKind = "created"    // By is the organizer; Terms, Seed
	EntryEdited    EntryKind = "edited"     // Terms
	EntryEntered   EntryKind = "entered"    // User, Rating, Bot
	EntryLeft      EntryKind = "left"       // User, before the start; Cause, if the server takes the player out; By and Note, if the organizer does
	EntryOpened    EntryKind = "opened"     // the check-in begins, and ends at Deadline
	EntryCheckedIn EntryKind = "checked_in" // User
	EntryWarned    EntryKind = "warned"     // too few players: it is cancelled at Deadline. With Round: the time of the round will be up
	EntryStarted   EntryKind = "started"    // Rounds, Divisions of a round robin
	EntryPaired    EntryKind = "paired"     // Round, Games, Deadline
	EntryGameEnded EntryKind = "game_ended" // Round, Table, Outcome, Places, Scores, NoShows, Version
	EntryRuled     EntryKind = "ruled"      // Round, Table, Places; By and Note, or Cause
	EntryExtended  EntryKind = "extended"   // Round, Deadline
	EntryRoundOver EntryKind = "round_over" // Round
	EntryPaused    EntryKind = "paused"     // User
	EntryResumed   EntryKind = "resumed"    // User
	EntryByeAsked  EntryKind = "bye_asked"  // User, Round
	EntryWithdrew  EntryKind = "withdrew"   // User; Cause, if the server takes the player out; By and Note, if the organizer does
	EntryLetIn     EntryKind = "let_in"     // By, User: whom the organizer has taken out
	EntryClosed    EntryKind = "closed"     // Places of all players
	EntryCancelled EntryKind = "cancelled"  // By and Note, or Cause
)

// Entry is one entry of the log of a tournament. Which fields it has depends on its kind.
type Entry struct {
	Kind      EntryKind      `json:"kind"`
	At        time.Time      `json:"at"`
	By        account.ID     `json:"by,omitempty"` // who caused it, if that is not User; 0: nobody
	User      account.ID     `json:"user,omitempty"`
	Terms     *Terms         `json:"-"`
	Seed      uint64         `json:"seed,omitempty,string"` // of the lots
	Rating    int            `json:"rating,omitempty"`      // when the player entered
	Bot       bool           `json:"bot,omitempty"`
	Round     int            `json:"round,omitempty"`
	Table     int            `json:"table,omitempty"`
	Rounds    int            `json:"rounds,omitempty"`
	Divisions [][]account.ID `json:"divisions,omitempty"`
	Games     []PairedGame   `json:"games,omitempty"`
	Deadline  time.Time      `json:"deadline,omitzero"`
	Outcome   GameKind       `json:"outcome,omitempty"`
	Places    []int          `json:"places,omitempty"`
	Scores    []int          `json:"scores,omitempty"`   // of the seats, as the game counts them
	NoShows   []int          `json:"no_shows,omitempty"` // seats
	Version   int            `json:"version,omitempty"`  // of the match's log at its end
	Cause     Cause          `json:"cause,omitempty"`
	Note      string         `json:"note,omitempty"` // free text of By, at most MaxNote characters, cleaned by the caller of Step
}

// PairedGame is a game of a round that was paired, or a player without one.
type PairedGame struct {
	Table  int          `json:"table,omitempty"` // 0: no opponent
	Seats  []account.ID `json:"seats"`           // in the order in which they move
	Kind   GameKind     `json:"kind,omitempty"`  // "": the game begins
	Places []int        `json:"places,omitempty"`
	Points int          `json:"points,omitempty"` // of a player without an opponent
}

// Bounds of the stored form.
const (
	MaxEntryBytes = 256 << 10
	MaxNote       = 200 // characters

	storedVersion = 1 // of the form
)

// storedEntry is the stored form of an entry, as JSON.
type storedEntry struct {
	V int `json:"v"` // storedVersion
	Entry
	Terms *storedTerms `json:"terms,omitempty"`
}

// storedTerms is the stored form of terms: the request for which NewTerms returns them.
type storedTerms struct {
	Name   string `json:"name"`
	Format Format `json:"format"`
	Request
}

// Encode returns the stored form of an entry. Terms have whole seconds and hours in it.
func Encode(e *Entry) ([]byte, error) {
	s := storedEntry{V: storedVersion, Entry: *e}
	if t := e.Terms; t != nil {
		s.Terms = &storedTerms{t.Name, t.Format, t.Request()}
	}
	data, err := json.Marshal(s)
	if err == nil && len(data) > MaxEntryBytes {
		err = fmt.Errorf("the entry %q has %d bytes", e.Kind, len(data))
	}
	return data, err
}

// Decode reads what Encode has returned. games has the game of the tournament.
func Decode(data []byte, games engine.Games) (Entry, error) {
	if len(data) > MaxEntryBytes {
		return Entry{}, fmt.Errorf("an entry has %d bytes", len(data))
	}
	var s storedEntry
	if err := json.Unmarshal(data, &s); err != nil {
		return Entry{}, err
	}
	if s.V != storedVersion {
		return Entry{}, fmt.Errorf("an entry has the form %d, and this server reads %d", s.V, storedVersion)
	}
	if !s.Cause.isKnown() {
		return Entry{}, fmt.Errorf("an entry has the unknown cause %q", engine.Excerpt(string(s.Cause)))
	}
	e := s.Entry
	if s.Terms == nil {
		return e, nil
	}
	game, ok := games.ByName(s.Terms.Game)
	if !ok {
		return Entry{}, fmt.Errorf("an entry has the unknown game %q", engine.Excerpt(s.Terms.Game))
	}
	options, err := game.ParseOptions(s.Terms.Options)
	if err != nil {
		return Entry{}, err
	}
	if s.Terms.Clock == nil || s.Terms.Clock.IsUntimed() || s.Terms.Rated == nil {
		return Entry{}, errors.New("the terms of an entry have no clock or no rating")
	}
	// Bounds that have become narrower since do not concern it.
	terms := s.Terms.terms(s.Terms.Name, s.Terms.Format, &table.Terms{
		Options: options, Control: *s.Terms.Clock, Rated: *s.Terms.Rated, Delay: s.Terms.Delay,
	})
	if !terms.Format.isKnown() || terms.Legs < 1 || terms.Legs > 2 || terms.Divisions < 1 || terms.TableMax < 2 || terms.TableMax > maxTable || terms.Rounds < 0 {
		return Entry{}, errors.New("the terms of an entry are not those of a tournament")
	}
	e.Terms = &terms
	return e, nil
}
