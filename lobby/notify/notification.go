package notify

import (
	"time"

	"ayumu/lobby/account"
)

// Notification is one event for one account, as it is stored. The id is the same whenever the notification is derived
// again.
type Notification struct {
	Account  account.ID
	ID       string // "turn/MATCH/VERSION" and so on, at most 80 characters
	Event    Event
	At       time.Time // when the event happened
	Facts    Facts
	Batch    string // the id of the message that it is part of, once it may have been sent; ""
	Deferred bool   // quiet hours or a digest have held it back
}

// Facts are what a message says of an event. They are stored as JSON.
type Facts struct {
	Tournament string    `json:"tournament,omitempty"`
	Kind       string    `json:"kind,omitempty"` // of the notice of a tournament
	Round      int       `json:"round,omitempty"`
	Match      string    `json:"match,omitempty"`
	Version    int       `json:"version,omitempty"` // of the match, at which the turn began
	Table      string    `json:"table,omitempty"`
	Game       string    `json:"game,omitempty"` // in words, with the options
	Clock      string    `json:"clock,omitempty"`
	Rated      bool      `json:"rated,omitempty"`
	Opponents  []string  `json:"opponents,omitempty"`
	Move       []string  `json:"move,omitempty"`    // the conditional move that was played, as actions
	Answers    []string  `json:"answers,omitempty"` // the turn of the opponent before it
	Deadline   time.Time `json:"deadline,omitzero"`
	Result     string    `json:"result,omitempty"` // won, lost, draw or aborted
	Reason     string    `json:"reason,omitempty"` // of the end, as in the API
	Title      string    `json:"title,omitempty"`  // of an announcement, or of a tournament
	By         string    `json:"by,omitempty"`     // who reports
	About      string    `json:"about,omitempty"`  // whom or what
	Text       string    `json:"text,omitempty"`
}
