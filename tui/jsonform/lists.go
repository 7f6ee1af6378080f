package jsonform

import (
	"time"

	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/bots"
	"ayumu/lobby/clock"
	"ayumu/lobby/match"
	"ayumu/lobby/rating"
	"ayumu/lobby/table"
)

// Seat is a seat of a match.
type Seat struct {
	Name   string `json:"name"`
	Rating *int   `json:"rating,omitempty"` // before the match
	Bot    bool   `json:"bot,omitempty"`
	Builtin
	Color string `json:"color,omitempty"`
}

// NewSeat returns a seat without its colour. builtin has the levels of the built-in players; it may be nil.
func NewSeat(s match.Seat, builtin *bots.Bots) Seat {
	return Seat{Name: s.Name, Rating: RatingValue(s.Rating), Bot: s.Bot, Builtin: newBuiltin(builtin, s.Account)}
}

func newSeats(info *match.Info, builtin *bots.Bots) []Seat {
	all := make([]Seat, len(info.Seats))
	for i, s := range info.Seats {
		all[i] = NewSeat(s, builtin)
	}
	return all
}

// RatingValue returns a rating as a whole number; nil for nil.
func RatingValue(r *rating.Rating) *int {
	if r == nil {
		return nil
	}
	return new(Round(r.Value))
}

// newClock returns a clock; nil for none.
func newClock(c clock.Control) *clock.Control {
	if c.IsUntimed() {
		return nil
	}
	return &c
}

// Table is an open table as one user sees it.
type Table struct {
	Table   string         `json:"table"`
	Game    string         `json:"game"`
	Options any            `json:"options"`
	Clock   *clock.Control `json:"clock,omitempty"`
	Rated   bool           `json:"rated"`
	Private bool           `json:"private"`
	Owner   string         `json:"owner"`
	Rating  *int           `json:"rating,omitempty"` // of the owner
	Seated  []string       `json:"seated"`
	Min     int            `json:"min"`
	Max     int            `json:"max"`
	Ready   *[]string      `json:"ready,omitempty"` // nil: it cannot start with fewer than Max
	Opened  string         `json:"opened"`
	To      string         `json:"to,omitempty"`
	First   table.First    `json:"first,omitempty"`
	Quick   bool           `json:"quick,omitempty"`
	Any     *[]string      `json:"any,omitempty"` // what a quick match accepts any value of; nil: it is none
	Code    string         `json:"code,omitempty"`
}

// NewTable returns a table as account you sees it.
func NewTable(t *table.View, you account.ID) Table {
	minimum, limit := t.Options.Seats()
	w := Table{
		Table: t.ID, Game: t.Game, Options: t.Options, Clock: newClock(t.Control), Rated: t.Rated, Private: t.Private, Owner: t.Owner, Rating: RatingValue(t.Rating),
		Seated: t.Seated, Min: minimum, Max: limit, Opened: Time(t.Opened), To: t.To, First: t.First, Quick: t.Quick, Code: t.Code(you),
	}
	if minimum < limit {
		w.Ready = new(append([]string{}, t.Ready...))
	}
	if t.Quick {
		w.Any = new(anyFields(t.Any))
	}
	return w
}

// anyFields returns the names of the fields of which a quick match accepts any value.
func anyFields(a table.AnyTerms) []string {
	names := []string{}
	for i, name := range []string{"game", "options", "clock", "rated"} {
		if [...]bool{a.Game, a.Options, a.Clock, a.Rated}[i] {
			names = append(names, name)
		}
	}
	return names
}

// Match is a running match in a list.
type Match struct {
	Match      string         `json:"match"`
	Game       string         `json:"game"`
	Options    any            `json:"options"`
	Clock      *clock.Control `json:"clock,omitempty"`
	Rated      bool           `json:"rated"`
	Seats      []Seat         `json:"seats"`
	Turn       int            `json:"turn"`
	Version    int            `json:"version"`
	Spectators int            `json:"watchers"`
	Started    string         `json:"started"`
	Last       string         `json:"last"` // the time of the last turn
}

// NewMatch returns a running match. builtin has the levels of the built-in players; it may be nil.
func NewMatch(m *lobby.MatchListing, builtin *bots.Bots) Match {
	i := m.Info
	return Match{
		Match: m.ID, Game: i.Game, Options: i.Options, Clock: newClock(i.Control), Rated: i.Rated, Seats: newSeats(i, builtin),
		Turn: m.Turn, Version: m.Version, Spectators: m.Spectators, Started: Time(i.Started), Last: Time(m.LastAt),
	}
}

// WaitingMatch is a match in which it is the user's turn.
type WaitingMatch struct {
	Match   string         `json:"match"`
	Game    string         `json:"game"`
	Options any            `json:"options"`
	Clock   *clock.Control `json:"clock,omitempty"`
	Rated   bool           `json:"rated"`
	Seats   []Seat         `json:"seats"`
	Version int            `json:"version"`
	LeftMS  *int64         `json:"left_ms,omitempty"` // nil without a clock
}

// NewWaitingMatch returns a match in which it is somebody's turn. builtin has the levels of the built-in players; it
// may be nil.
func NewWaitingMatch(s *match.Snapshot, builtin *bots.Bots, now time.Time) WaitingMatch {
	i := s.Info
	w := WaitingMatch{Match: i.ID, Game: i.Game, Options: i.Options, Clock: newClock(i.Control), Rated: i.Rated, Seats: newSeats(i, builtin), Version: s.Version}
	if left, timed := s.Remaining(s.Position.Turn(), now); timed {
		w.LeftMS = new(left.Milliseconds())
	}
	return w
}

// FinishedMatch is a finished match in a list.
type FinishedMatch struct {
	Match   string         `json:"match"`
	Game    string         `json:"game"`
	Options any            `json:"options"`
	Clock   *clock.Control `json:"clock,omitempty"`
	Rated   bool           `json:"rated"`
	Seats   []FinishedSeat `json:"seats"`
	Turns   int            `json:"turns"`
	Result  *Result        `json:"result"`
	Started string         `json:"started"`
	Ended   string         `json:"ended"`
	Unrated string         `json:"unrated,omitempty"` // why a rated match changed no ratings
}

// FinishedSeat is a seat of a finished match.
type FinishedSeat struct {
	Seat
	After *int   `json:"after,omitempty"` // the rating after a rated match
	Left  string `json:"left,omitempty"`  // why the seat left before the end
}

// NewFinishedMatch returns a finished match. builtin has the levels of the built-in players; it may be nil.
func NewFinishedMatch(f *lobby.FinishedMatch, builtin *bots.Bots) FinishedMatch {
	i := f.Info
	w := FinishedMatch{
		Match: i.ID, Game: i.Game, Options: i.Options, Clock: newClock(i.Control), Rated: i.Rated, Seats: make([]FinishedSeat, len(i.Seats)),
		Turns: f.Turns, Result: NewResult(&f.Result), Started: Time(i.Started), Ended: Time(f.Ended), Unrated: string(f.Unrated),
	}
	for n, s := range i.Seats {
		w.Seats[n].Seat = NewSeat(s, builtin)
		if n < len(f.RatingsAfter) {
			w.Seats[n].After = RatingValue(&f.RatingsAfter[n])
		}
		if n < len(f.Departures) {
			w.Seats[n].Left = f.Departures[n]
		}
	}
	return w
}

// Profile is the profile of an account.
type Profile struct {
	Name string `json:"name"`
	Bot  bool   `json:"bot"`
	Builtin
	Joined  string            `json:"joined"`
	Ratings map[string]Rating `json:"ratings"` // by rating pool
	Played  map[string]Tally  `json:"played"`  // by game
}

// Tally is a number of finished matches by their results.
type Tally struct {
	Won   int `json:"won"`
	Drawn int `json:"drawn"`
	Lost  int `json:"lost"`
}

// NewProfile returns a profile. builtin has the levels of the built-in players; it may be nil.
func NewProfile(p *lobby.Profile, builtin *bots.Bots) Profile {
	a := &p.Account
	w := Profile{Name: a.Name, Bot: a.Bot, Builtin: newBuiltin(builtin, a.ID), Joined: Time(a.CreatedAt), Ratings: Ratings(a.Ratings), Played: map[string]Tally{}}
	for name, t := range p.Tallies {
		w.Played[name] = Tally{t.Won, t.Drawn, t.Lost}
	}
	return w
}

// Key is a key of an account.
type Key struct {
	Type        string `json:"type"`
	Fingerprint string `json:"fingerprint"`
	Added       string `json:"added"`
	Current     bool   `json:"current"` // the key of this connection
}
