package table

import (
	"encoding/json"
	"fmt"
	"net/netip"
	"time"

	"ayumu/engine"
	"ayumu/lobby/account"
	"ayumu/lobby/clock"
	"ayumu/lobby/cluster/rows"
)

// row is the stored form of a State, as JSON.
type row struct {
	Version int64           `json:"version"`
	Game    string          `json:"game"`
	Options json.RawMessage `json:"options"`
	Clock   rowClock        `json:"clock,omitzero"`
	Rated   bool            `json:"rated,omitempty"`
	Private bool            `json:"private,omitempty"`
	Code    string          `json:"code,omitempty"`
	Delay   int             `json:"delay,omitempty"`
	First   First           `json:"first,omitempty"`
	Origin  netip.Prefix    `json:"origin,omitzero"`
	To      account.ID      `json:"to,omitempty"`
	Seated  []account.ID    `json:"seated"`
	Ready   []account.ID    `json:"ready,omitempty"`
	Request *rowRequest     `json:"request,omitempty"` // of a quick match
	Opened  time.Time       `json:"opened"`
	Closed  bool            `json:"closed,omitempty"`
	Events  []Event         `json:"notices,omitempty"`

	// Of a table whose match is being recorded.
	Before *row   `json:"before,omitempty"`
	Paired *row   `json:"paired,omitempty"`
	ID     string `json:"id,omitempty"` // of Paired
}

// rowClock is a clock.Control that is stored exactly, and without a clock as one, and not as any.
type rowClock clock.Control

// rowRequest is what of the Proposal of a quick match is needed to pair it. What is left out can have any value.
type rowRequest struct {
	Game    string          `json:"game,omitempty"`
	Options json.RawMessage `json:"options,omitempty"`
	Clock   *rowClock       `json:"clock,omitempty"`
	Rated   *bool           `json:"rated,omitempty"`
}

// Encode returns the stored form of a state. It does not contain the id.
func Encode(t *State) []byte {
	data, err := json.Marshal(newRow(t))
	if err != nil {
		panic(fmt.Errorf("table %s: %w", t.ID, err)) // no field of a row can fail
	}
	return data
}

// Changes returns the changes that record new states of tables, each as a row by its id. The version of a table is that
// of its row, so that each state replaces the one with the version before.
func Changes(states []State) []rows.Change[State] {
	all := make([]rows.Change[State], len(states))
	for i := range states {
		all[i] = rows.Change[State]{ID: states[i].ID, Replaces: states[i].Version - 1, Value: &states[i]}
	}
	return all
}

func newRow(t *State) *row {
	options, err := json.Marshal(t.Options)
	if err != nil {
		panic(fmt.Errorf("table %s: %w", t.ID, err)) // no options of a game can fail
	}
	r := &row{
		Version: t.Version, Game: t.Game, Options: options, Clock: rowClock(t.Control), Rated: t.Rated, Private: t.Private,
		Code: t.Code, Delay: t.Delay, First: t.First, Origin: t.Origin, To: t.To, Seated: t.Seated, Ready: t.Ready,
		Opened: t.Opened, Closed: t.Closed, Events: t.Events,
	}
	if q := t.Request; q.Quick {
		r.Request = &rowRequest{q.Game, q.Options, (*rowClock)(q.Clock), q.Rated}
	}
	if t.start == nil {
		return r
	}
	r.Before = newRow(&t.start.before)
	if paired := t.start.paired; paired != nil {
		r.Paired = newRow(paired)
		r.Paired.ID = paired.ID
	}
	return r
}

// Decode reads the stored form of the state of a table with this id, whose game is one of games.
func Decode(id string, data []byte, games engine.Games) (*State, error) {
	var r row
	err := json.Unmarshal(data, &r)
	if err != nil {
		return nil, err
	}
	t, err := r.state(id, games)
	return &t, err
}

func (r *row) state(id string, games engine.Games) (State, error) {
	game, ok := games.ByName(r.Game)
	if !ok || len(r.Seated) == 0 {
		return State{}, fmt.Errorf("it has %d players of the game %q", len(r.Seated), r.Game)
	}
	options, err := game.ParseOptions(r.Options)
	if err != nil {
		return State{}, err
	}
	t := State{
		Terms: Terms{
			Game: r.Game, Options: options, Control: clock.Control(r.Clock), Rated: r.Rated, Private: r.Private,
			Code: r.Code, Delay: r.Delay, First: r.First, Origin: r.Origin,
		},
		Seating: Seating{To: r.To, Seated: r.Seated, Ready: r.Ready},
		ID:      id, Version: r.Version, Opened: r.Opened, Closed: r.Closed, Events: r.Events,
	}
	if q := r.Request; q != nil {
		t.Request = Proposal{Quick: true, Game: q.Game, Options: q.Options, Clock: (*clock.Control)(q.Clock), Rated: q.Rated}
	}
	if r.Before == nil {
		return t, nil
	}
	before, err := r.Before.state(id, games)
	if err != nil {
		return State{}, err
	}
	t.start = &pendingStart{before: before}
	if r.Paired != nil {
		var paired State
		paired, err = r.Paired.state(r.Paired.ID, games)
		t.start.paired = &paired
	}
	return t, err
}
